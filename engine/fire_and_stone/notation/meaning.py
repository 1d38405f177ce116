"""Meanings of a reading in a position, and actions that differ in nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX, NAMES
from engine.fire_and_stone.notation.grammar import Order
from engine.fire_and_stone.options import reach
from engine.fire_and_stone.plans.asked import Asked
from engine.fire_and_stone.plans.lines import Wish
from engine.fire_and_stone.state import NO_EXPLORER, Phase, State
from engine.kit.notation.meaning import Meaning, exactly, saying
from engine.protocol import IllegalAction, Seat

_ANY: dict[str, Any] = {
    "place": NAMES[0],
    "piece": box.GAME[0].id,
    "card": box.INVENTIONS[0].id,
    "column": box.COLUMNS[0],
    "number": 1,
    "objective": next(iter(box.OBJECTIVES)),
}
"""By sort of what is named, one that stands in where it is left out."""
_BARE: dict[str, Action] = {
    "pass": do.Pass(),
    "food": do.Food(),
    "hunt": do.Hunt(),
    "drop": do.Drop(),
    "done": do.Done(),
    "none": do.Decline(),
    "build": do.Build(),
}
_NAMING: dict[str, tuple[type[Action], str]] = {
    "explorer": (do.Lead, "number"),
    "piece": (do.Piece, "piece"),
    "return": (do.Return, "place"),
    "second": (do.Second, "place"),
    "card": (do.Invent, "card"),
    "vp": (do.Score, "card"),
    "discard": (do.Discard, "column"),
    "name": (do.Name, "place"),
    "objective": (do.Swap, "objective"),
}
"""By verb the action that names one thing, and its sort."""


def meanings(state: State, seat: Seat, order: Order) -> Iterator[Meaning[Action]]:
    """Everything a reading can mean here."""
    place = order.one("place")
    match order.verb:
        case "rank":
            # A short list is completed in the order of the row (F§3.13).
            cards = order.all("card")
            rest = (card for card in state.starting if card not in cards)
            yield exactly(do.Rank(cards=(*cards, *rest)))
        case "go":
            yield from _going(state, seat, order.one("number"), place)
        case "take" | "forage":
            yield _taking(state, seat, order)
        case "keep":
            yield _keeping(state, order.all("piece"))
        case "cook":
            yield _cooking(state, seat, order)
        case "swap":
            yield _bartering(order.all("card"))
        case "cave":
            yield _at_cave(state, seat, order)
        case "look":
            yield _steps([*(do.Name(place=name) for name in order.all("place")), do.Look()])
        case "arrange":
            yield _arranging(state, order)
        case verb if verb in _NAMING:
            yield _naming(*_NAMING[verb], order)
        case verb:
            back = [do.Return(fire=place)] if place else []
            yield _steps([_BARE[verb], *back])


def _steps(steps: Sequence[Action]) -> Meaning[Action]:
    return replace(exactly(steps[0]), then=tuple(steps[1:]))


def _naming(kind: type[Action], sort: str, order: Order) -> Meaning[Action]:
    """An action that names one thing, or leaves it out."""
    (field,), said = kind.__struct_fields__, order.one(sort)
    if said is not None:
        return exactly(kind(**{field: said}))
    return Meaning(action=kind(**{field: _ANY[sort]}), fits=saying(kind), missing=sort)


def _going(
    state: State, seat: Seat, number: int | None, place: str | None
) -> Iterator[Meaning[Action]]:
    """A move; with two explorers to move also of which, as far as it is left out of those that can
    go there.
    """
    turn = state.turn
    if place is None:
        yield Meaning(action=do.Go(place=_ANY["place"]), fits=saying(do.Go), missing="place")
    elif seat != turn.seat or turn.phase != Phase.MOVE:
        yield exactly(do.Go(place=place))
    elif turn.explorer != NO_EXPLORER:
        if number in (None, turn.explorer + 1):
            yield exactly(do.Go(place=place))
        else:
            yield exactly(do.Lead(explorer=number))
    else:
        explorers = range(len(state.mover.explorers))
        able = [n + 1 for n in explorers if reach(state, n) >> INDEX[place] & 1]
        for explorer in [number] if number else able or [1]:
            yield _steps([do.Lead(explorer=explorer), do.Go(place=place)])


def _taking(state: State, seat: Seat, order: Order) -> Meaning[Action]:
    column, place, kind = order.one("column"), order.one("place"), order.one("kind")
    said: dict[str, Any] = {"column": column} if column else {}
    taken: type[do.Take | do.Forage] = do.Take
    if order.verb == "forage":
        taken = do.Forage
        said |= {"place": place} if place else {}
    missing = "" if column else "column"
    missing = "place" if taken is do.Forage and not place else missing
    filled = {"column": "light", **({"place": _ANY["place"]} if taken is do.Forage else {}), **said}
    lies = not kind or (_mine(state, seat) and box.KINDS.get(state.up(state.here)) == kind)
    return Meaning(
        action=taken(**filled),
        fits=saying(taken, **said) if lies else lambda action: False,
        missing=missing if lies else "kind",
        present=bool(lies),
        then=_card(order),
    )


def _card(order: Order) -> tuple[Action, ...]:
    """The card that a take names with it."""
    if order.one("card"):
        return (do.Invent(card=order.one("card")),)
    if order.one("none"):
        return (do.Decline(),)
    covers = order.one("vp")
    return (do.Score(covers=covers),) if covers else ()


def _mine(state: State, seat: Seat) -> bool:
    """True if an explorer of the seat is in progress."""
    return seat == state.turn.seat and state.turn.explorer != NO_EXPLORER


def _keeping(state: State, pieces: tuple[str, ...]) -> Meaning[Action]:
    if pieces:
        return exactly(do.Keep(pieces=tuple(sorted(pieces, key=box.GAME_INDEX.__getitem__))))
    if state.turn.phase == Phase.KEEP:
        keep = do.Keep(pieces=(box.GAME[0].id,))
        return Meaning(action=keep, fits=saying(do.Keep), missing="piece")
    return exactly(do.Hold())


def _cooking(state: State, seat: Seat, order: Order) -> Meaning[Action]:
    pieces = order.all("piece")
    if order.one("all"):
        pieces = tuple(box.GAME[tile].id for tile in state.players[seat].held)
    if pieces:
        return _steps([*(do.Piece(piece=piece) for piece in pieces), do.Done()])
    some = do.Piece(piece=box.GAME[0].id)
    return Meaning(action=some, fits=saying(do.Piece), missing="piece", then=(do.Done(),))


def _bartering(cards: tuple[str, ...]) -> Meaning[Action]:
    if len(cards) == 2:
        return exactly(do.Barter(given=cards[0], taken=cards[1]))
    some = do.Barter(given=_ANY["card"], taken="boats")
    return Meaning(action=some, fits=saying(do.Barter), missing="card")


def _at_cave(state: State, seat: Seat, order: Order) -> Meaning[Action]:
    """The card's action with what it needs, as a plan has it (F§19.3)."""
    names = tuple("all" if sort == "all" else thing for sort, thing in order.parts)
    if _mine(state, seat):
        try:
            return _steps(Asked(state, state.turn.phase).actions(Wish("cave", names=names)))
        except IllegalAction:
            pass
    return exactly(do.Use())


def _arranging(state: State, order: Order) -> Meaning[Action]:
    tiles = order.all("tile")
    if order.one("same"):
        tiles = tuple(box.KINDS[state.tiles[place]] for place in sorted(state.turn.named))
    if tiles:
        return exactly(do.Arrange(tiles=tiles))
    return Meaning(action=do.Arrange(tiles=()), fits=saying(do.Arrange), missing="kind")


def meaning(state: State, seat: Seat, action: Action) -> Hashable:
    """Equal for legal actions that differ in nothing: columns with the same tiles are alike."""
    if isinstance(action, do.Take | do.Forage):
        light, dark = state.players[seat].columns
        if light == dark:
            return (type(action), getattr(action, "place", ""))
    return action
