"""Choosing an action by touching what it is about.

Things to touch are places by their names, tiles ("tile:ID"), claimed tokens ("token:SCENE"), a
small board ("board:SEAT"), and the bonus that is used ("do:SCENE", which is a word beside the
picture).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.kit.presentation import Plain, Prompt
from engine.kit.selection import Path
from engine.protocol import Seat
from engine.sapiens.actions import (
    Abandon,
    Action,
    Bonus,
    Claim,
    Feast,
    Fight,
    Lay,
    PutBear,
    Remove,
    RemoveBear,
    Retrieve,
    Take,
    Token,
    Water,
)
from engine.sapiens.presentation.layout import AT, is_square, scenes

SCENE_OF: Final = {
    "feast": "feast",
    "picking": "picking",
    "claim": "ritual",
    "recall": "ritual",
    "fight": "fight",
    "water": "water",
    "camp": "camp",
    "hunt": "hunt",
    "bear": "fire",
    "unbear": "fire",
}
"""The scene of a bonus, by the tag of its action (S§8)."""

_PROMPTS: Final = {
    "fight": ("fight",),
    "water": ("give", "get"),
    "ritual": ("claim",),
    "fire": ("bear", "bear_square"),
}
"""What is asked for a bonus, touch by touch; the last as long as anything can be touched."""

_COLOURS: Final = ("red", "yellow", "green", "blue")
_WATERFALLS: Final = {"WL": "A1", "WR": "H1"}
"""With the square beside each."""
_SQUARES: Final = tuple(place for place in AT if is_square(place))
_LAYING: Final = ("start", "lay")
_OF_A_TILE: Final = (Lay, Abandon, Feast, Fight, Retrieve, Remove)


class Begun(NamedTuple):
    """The touches so far: the scene of the bonus or token that is used ("" for none), whether it
    is a token, and the rest.
    """

    scene: str
    token: bool
    rest: Sequence[str]

    @property
    def tile(self) -> str:
        """The tile that was touched first of the rest; "" for none."""
        kind, _, name = self.rest[0].partition(":") if self.rest else ("", "", "")
        return name if kind == "tile" else ""

    @property
    def board(self) -> Seat | None:
        """The small board that was touched first of the rest."""
        kind, _, name = self.rest[0].partition(":") if self.rest else ("", "", "")
        return int(name) if kind == "board" else None


class Thing(NamedTuple):
    """Something that can be touched: "tile", "token", "do", "board" or "place", and its name."""

    kind: str
    name: str


def thing(spot: str) -> Thing:
    """The thing that such a name stands for."""
    kind, colon, name = spot.partition(":")
    return Thing(kind, name) if colon else Thing("place", spot)


def begun(touched: Sequence[str]) -> Begun:
    """The touches so far, in their parts."""
    kind, _, name = touched[0].partition(":") if touched else ("", "", "")
    if kind in ("do", "token"):
        return Begun(name, kind == "token", touched[1:])
    return Begun("", False, touched)


def touches(action: Action) -> Path:
    """The things touched to choose this action, in their order."""
    if isinstance(action, Token):
        return (f"token:{SCENE_OF[_tag(action.effect)]}", *_things(action.effect))
    if isinstance(action, Bonus):
        return (f"do:{SCENE_OF[_tag(action)]}", *_things(action))
    return _things(action)


def _things(action: Action) -> Path:
    match action:
        case Lay() | Abandon() | Feast():
            return (f"tile:{action.tile}", action.first, action.second)
        case Fight() | Retrieve() | Remove():
            return (f"tile:{action.tile}",)
        case Water():
            return (f"tile:{action.give}", f"tile:{action.get}")
        case Claim():
            return (action.place,)
        case PutBear():
            return (f"board:{action.board}", action.square)
        case RemoveBear():
            return (action.square,)
        case Take():
            return (tuple(f"tile:{tile}" for tile in action.tiles),)
        case _:
            return ()


def _tag(action: Bonus) -> str:
    return str(action.__struct_config__.tag)


def prompt(kind: str, actions: Sequence[Action], touched: Sequence[str]) -> Prompt:
    """The thing to touch next; no words where what is lit says it."""
    so_far = begun(touched)
    done = len(so_far.rest)
    if so_far.scene == "feast" or (not so_far.scene and kind in _LAYING):
        if not done:
            new = any(isinstance(action, Abandon) for action in actions)
            return Prompt(code="new_tribe" if new else "own_tile")
        both = scenes(so_far.tile) if so_far.tile and done < 3 else ()
        return (
            Prompt(code=("half", "other_half")[done - 1], look=both[done - 1]) if both else Prompt()
        )
    if so_far.scene:
        steps = _PROMPTS.get(so_far.scene, ())
        return Prompt(code=steps[min(done, len(steps) - 1)]) if steps else Prompt()
    if kind == "bonus" and not done:
        return Prompt(code="bonus")
    if kind in ("bonus", "refill"):
        take = next(action for action in actions if isinstance(action, Take))
        left = len(take.tiles) - done
        return Prompt(code="take", count=left) if left else Prompt()
    return Prompt(code="remove" if kind == "remove" else "")


def untouchable(
    kind: str, actions: Sequence[Action], view: Plain, seat: Seat, touched: Sequence[str]
) -> list[str]:
    """Places of the board that is touched now, and own tiles.

    Not a copy of a tile that can be laid: of copies with the same tokens one stands for all.
    """
    so_far = begun(touched)
    own = view["players"][seat]
    found: list[str] = []
    lays = so_far.tile and (kind in _LAYING or so_far.scene == "feast")
    if lays or so_far.scene == "ritual":
        caves = {cave["name"] for cave in own["board"]["caves"]}
        found += [place for place in AT if place in caves]
        found += _WATERFALLS
    if so_far.scene != "ritual" and (lays or so_far.board is not None):
        found += _SQUARES
    if kind in _LAYING:
        usable = {action.tile for action in actions if isinstance(action, _OF_A_TILE)}
        pool = own["pool"]
        alike = [_kind(item) for item in pool if item["tile"] in usable]
        found += [f"tile:{item['tile']}" for item in pool if _kind(item) not in alike]
    return found


def _kind(item: Plain) -> tuple[tuple[str, str], Sequence[Seat]]:
    return scenes(item["tile"]), item["tokens"]


def meant(
    actions: Sequence[Action], view: Plain, seat: Seat, touched: Sequence[str], thing: str
) -> list[str]:
    """The actions that somebody may have meant who touches this: the rule they break is told."""
    if thing not in AT:
        return []
    so_far = begun(touched)
    before = "token " if so_far.token else ""
    if so_far.tile:
        verb = "abandon" if any(isinstance(action, Abandon) for action in actions) else "lay"
        verb = f"{before}feast" if so_far.scene == "feast" else verb
        return [
            f"{verb} {so_far.tile} {first} {second}"
            for first, second in _halves(so_far.rest, thing, view["players"][seat]["board"])
        ]
    if so_far.board is not None:
        return [f"{before}fire {_COLOURS[so_far.board]} {thing}"]
    return [f"{before}ritual {thing}"] if so_far.scene == "ritual" else []


def _halves(rest: Sequence[str], place: str, board: Plain) -> list[tuple[str, str]]:
    """Where the halves of a tile may have been meant to lie."""
    if len(rest) > 1:
        return [(rest[1], place)]
    if place in _WATERFALLS:
        return [(place, _WATERFALLS[place])]
    x, y = AT[place]
    caves = {cave["name"] for cave in board["caves"]}
    return [
        (place, other)
        for other, (to_x, to_y) in AT.items()
        if abs(to_x - x) + abs(to_y - y) == 1 and (is_square(other) or other in caves)
    ]


def subjects(context: Plain) -> list[str]:
    """The places that a broken rule is about."""
    return [context[key] for key in ("square", "place", "cave") if key in context]


def forgone(events: Iterable[Plain], choices: Sequence[Action]) -> list[str]:
    """The scenes whose bonuses are left though they could be used (S§8): they cost nothing."""
    usable = {SCENE_OF[_tag(each)] for each in choices if isinstance(each, Bonus)}
    return [
        scene
        for event in events
        if event["kind"] == "declined"
        for scene in event["data"]["scenes"]
        if scene in usable
    ]


def waiting(touched: Sequence[str]) -> dict[str, str]:
    """The scene that waits on its place for the place of its tile's other half."""
    so_far = begun(touched)
    if so_far.tile and len(so_far.rest) > 1 and so_far.rest[1] in AT:
        return {so_far.rest[1]: scenes(so_far.tile)[0]}
    return {}
