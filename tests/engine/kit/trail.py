"""Trail: a tiny game for reactions, in the style of games whose moves turn tiles over.

Explorers walk from place to place. Who comes to a tile that lies face down turns it over, and may
do what it is good for: gather it or leave it for 2 food, hunt (a look at the pieces of a forest, of
which one is kept), cook pieces held; from a hut it goes home to a fire. A store holds so much food.
When each explorer has walked the turn is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import msgspec
from msgspec.structs import replace

from engine.kit.plans.reactions import Acted, Reactions, Stopped, Waiting, consult
from engine.protocol import IllegalAction

ROADS: Mapping[str, tuple[str, ...]] = {
    "cape": ("namib", "gobi"),
    "alps": ("gobi",),
    "namib": ("cape", "congo"),
    "gobi": ("cape", "alps", "italy"),
    "congo": ("namib",),
    "italy": ("gobi",),
}
FIRES = ("cape", "alps")
GATHERED = ("apple", "nut", "mushroom", "root")
PIECES: Mapping[str, int] = {"hare": 1, "deer": 2, "boar": 3, "bear": 4, "mammoth": 5}
"""The food of each game piece."""


class Go(msgspec.Struct, frozen=True, tag_field="do", tag="go"):
    explorer: int
    place: str


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take"):
    pass


class Leave(msgspec.Struct, frozen=True, tag_field="do", tag="leave"):
    pass


class Hunt(msgspec.Struct, frozen=True, tag_field="do", tag="hunt"):
    pass


class Keep(msgspec.Struct, frozen=True, tag_field="do", tag="keep"):
    piece: str


class Cook(msgspec.Struct, frozen=True, tag_field="do", tag="cook"):
    """One piece; cooking goes on until it is passed."""

    piece: str


class Home(msgspec.Struct, frozen=True, tag_field="do", tag="home"):
    fire: str


class Pass(msgspec.Struct, frozen=True, tag_field="do", tag="pass"):
    pass


Action = Go | Take | Leave | Hunt | Keep | Cook | Home | Pass


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """`down` are the kinds of tiles face down, by place; `pieces` are seen by who hunts. `asked`
    is "go", "action", "keep", "home" or, when the turn is over, "over".
    """

    down: Mapping[str, str] = {}
    pieces: tuple[str, ...] = ()
    up: Mapping[str, str] = {}
    explorers: tuple[str, ...] = ("cape",)
    walked: tuple[int, ...] = ()
    food: int = 0
    store: int = 2
    held: tuple[str, ...] = ()
    gathered: tuple[str, ...] = ()
    asked: str = "go"

    @property
    def here(self) -> str:
        """The kind of tile under the explorer who walks, "" for none."""
        return self.up.get(self.explorers[self.walked[-1]], "") if self.walked else ""


def view(trail: Trail) -> Trail:
    """The position as its player knows it."""
    pieces = trail.pieces if trail.asked == "keep" else ("?",) * len(trail.pieces)
    return replace(trail, down=dict.fromkeys(trail.down, "?"), pieces=pieces)


def apply(trail: Trail, action: Action) -> tuple[Trail, bool]:
    """The position after an action, and whether it has shown something. Raises IllegalAction."""
    match action:
        case Go(explorer=explorer, place=place) if trail.asked == "go":
            return _go(trail, explorer, place)
        case Take() if trail.asked == "action" and trail.here in GATHERED:
            return _over(replace(trail, gathered=(*trail.gathered, trail.here))), False
        case Leave() if trail.asked == "action" and trail.here in GATHERED:
            return _over(replace(trail, food=min(trail.store, trail.food + 2))), False
        case Hunt() if trail.asked == "action" and trail.here == "forest":
            if not trail.pieces:
                raise IllegalAction("no_game", "R§2")
            return replace(trail, asked="keep"), True
        case Keep(piece=piece) if trail.asked == "keep":
            if piece not in trail.pieces:
                raise IllegalAction("not_there", "R§2", piece=piece)
            left = list(trail.pieces)
            left.remove(piece)
            return _over(replace(trail, pieces=tuple(left), held=(*trail.held, piece))), False
        case Cook(piece=piece) if trail.asked == "action" and trail.here == "fire":
            if piece not in trail.held:
                raise IllegalAction("not_held", "R§3", piece=piece)
            held = list(trail.held)
            held.remove(piece)
            food = min(trail.store, trail.food + PIECES[piece])
            return replace(trail, held=tuple(held), food=food), False
        case Home(fire=fire) if trail.asked == "home":
            if fire not in FIRES:
                raise IllegalAction("no_fire", "R§4", fire=fire)
            explorers = list(trail.explorers)
            explorers[trail.walked[-1]] = fire
            return _over(replace(trail, explorers=tuple(explorers))), False
        case Pass() if trail.asked == "action":
            return _over(trail), False
    raise IllegalAction("out_of_order", "R§1", asked=trail.asked)


def _go(trail: Trail, explorer: int, place: str) -> tuple[Trail, bool]:
    if explorer in trail.walked or not 0 <= explorer < len(trail.explorers):
        raise IllegalAction("has_walked", "R§1")
    if place not in ROADS[trail.explorers[explorer]]:
        raise IllegalAction("too_far", "R§1", place=place)
    explorers = (*trail.explorers[:explorer], place, *trail.explorers[explorer + 1 :])
    walked = replace(trail, explorers=explorers, walked=(*trail.walked, explorer))
    shown = place in trail.down
    if shown:
        down = dict(trail.down)
        up = {**trail.up, place: down.pop(place)}
        walked = replace(walked, down=down, up=up)
    if walked.here == "hut" and shown:
        return replace(walked, asked="home"), True
    if walked.here in ("", "hut"):
        return _over(walked), shown
    return replace(walked, asked="action"), shown


def _over(trail: Trail) -> Trail:
    left = len(trail.walked) < len(trail.explorers)
    return replace(trail, asked="go" if left else "over")


def default(trail: Trail) -> Action:
    """Who is not there walks to where nothing lies face down, if there is such a place."""
    if trail.asked == "go":
        explorer = next(n for n in range(len(trail.explorers)) if n not in trail.walked)
        roads = ROADS[trail.explorers[explorer]]
        return Go(explorer, next((p for p in roads if p not in trail.down), roads[0]))
    if trail.asked == "keep":
        return Keep(trail.pieces[0])
    return Home(FIRES[0]) if trail.asked == "home" else Pass()


class Test(msgspec.Struct, frozen=True):
    """An amount, "food", "space" or "held", that is at least or at most a number."""

    __test__ = False
    amount: str
    at_least: int = 0
    at_most: int = 99


EVENTS = ("gathering", *GATHERED, "forest", "fire", "hunt", "hut", "other", "anything")
WISHES = (
    *("take", *GATHERED, "2 food", "food"),
    *("hunt", *PIECES, "most food"),
    *("cook all", "cook bear", "cook bear hare"),
    *("home cape", "home alps", "home gobi"),
    *("go italy", "go congo", "go gobi"),
    *("pass", "default", "ask"),
)


def covers(one: str, other: str) -> bool:
    return one in (other, "anything") or (one == "gathering" and other in GATHERED)


class Here(msgspec.Struct, frozen=True):
    """The open decision of a Trail, as reactions are put to it."""

    trail: Trail

    def fits(self, event: str) -> bool:
        return covers(event, self._event())

    def _event(self) -> str:
        events = {"go": "other", "keep": "hunt", "home": "hut"}
        return events.get(self.trail.asked, self.trail.here)

    def holds(self, condition: Test) -> bool:
        trail = self.trail
        amounts = {"food": trail.food, "space": trail.store - trail.food, "held": len(trail.held)}
        return condition.at_least <= amounts[condition.amount] <= condition.at_most

    def belongs(self, wish: str) -> bool:
        asked, here = self.trail.asked, self.trail.here
        if wish in ("default", "ask"):
            return True
        if wish.startswith("go "):
            return asked == "go"
        if wish.startswith("home "):
            return asked == "home"
        if wish in PIECES or wish == "most food":
            return asked == "keep"
        if asked != "action":
            return False
        if wish == "hunt":
            return here == "forest"
        if wish.startswith("cook "):
            return here == "fire"
        return wish == "pass" or here in GATHERED

    def asks(self, wish: str) -> bool:
        return wish == "ask"

    def actions(self, wish: str) -> tuple[Action, ...]:
        trail = self.trail
        if not self.belongs(wish):
            raise IllegalAction("other_decision", "R§5", wish=wish)
        if wish.startswith("go "):
            explorer = next(n for n in range(len(trail.explorers)) if n not in trail.walked)
            return (Go(explorer, wish[3:]),)
        if wish.startswith("home "):
            return (Home(wish[5:]),)
        if wish in GATHERED and wish != trail.here:
            raise IllegalAction("other_kind", "R§5", kind=trail.here)
        if wish == "2 food" and trail.store - trail.food < 2:
            raise IllegalAction("no_space", "R§5")
        if wish in PIECES:
            return (Keep(wish),)
        if wish == "most food":
            return (Keep(max(trail.pieces, key=PIECES.__getitem__)),)
        if wish.startswith("cook "):
            return self._cooking(wish)
        if wish == "default":
            return (default(trail),)
        if wish == "hunt":
            return (Hunt(),)
        if wish == "pass":
            return (Pass(),)
        return (Leave(),) if "food" in wish else (Take(),)

    def _cooking(self, wish: str) -> tuple[Action, ...]:
        pieces = self.trail.held if wish == "cook all" else tuple(wish.split()[1:])
        if not pieces:
            raise IllegalAction("nothing_held", "R§3")
        return (*(Cook(piece) for piece in pieces), Pass())

    def play(self, action: Action) -> Self:
        return replace(self, trail=apply(self.trail, action)[0])


Plan = Reactions[str, Test, str]


class Entry(msgspec.Struct, frozen=True):
    """What was done at once by one cause, up to what it has shown."""

    cause: str
    actions: tuple[Action, ...]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as far as it has come: its entries, what waits of the plan, and why it stopped."""

    trail: Trail
    entries: tuple[Entry, ...] = ()
    waiting: Waiting | None = None
    stopped: Stopped | None = None


def submit(trail: Trail, plan: Plan, *actions: Action, waiting: Waiting | None = None) -> Turn:
    """A move by hand, then the plan for as long as it answers."""
    turn = Turn(trail=trail, waiting=waiting)
    for action in actions:
        turn = _done(turn, "player", (action,))
    return _by_plan(turn, plan)


def time_is_up(trail: Trail, plan: Plan) -> Turn:
    """Each decision by the plan, once the turn has begun, and failing that by default."""
    turn = Turn(trail=trail)
    while turn.trail.asked != "over":
        if turn.trail.walked:
            turn = _by_plan(turn, plan)
        if turn.trail.asked != "over":
            turn = _done(turn, "default", (default(turn.trail),))
    return turn


def _by_plan(turn: Turn, plan: Plan) -> Turn:
    while turn.trail.asked != "over":
        answer = consult(plan, turn.waiting, Here(turn.trail))
        if isinstance(answer, Stopped):
            return replace(turn, stopped=answer)
        turn = _planned(turn, answer)
    return replace(turn, stopped=None)


def _planned(turn: Turn, answer: Acted[Action]) -> Turn:
    return replace(_done(turn, "plan", answer.actions), waiting=answer.waiting)


def _done(turn: Turn, cause: str, actions: tuple[Action, ...]) -> Turn:
    trail = turn.trail
    for action in actions:
        trail, _ = apply(trail, action)
    return replace(turn, trail=trail, entries=(*turn.entries, Entry(cause, actions)))
