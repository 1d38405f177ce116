"""La Vallée des Mammouths as it is shown: its valley, and how an action is chosen on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from engine.kit.hexes import width_about
from engine.kit.presentation import CommonBoard, Marks, Plain, Prompt, Wanted
from engine.kit.scene import Layer, Scene
from engine.kit.selection import WORD, Path, next_of
from engine.kit.shapes import Point
from engine.mammoths import actions as do
from engine.mammoths.components import ANIMALS, GRID, TRICKS, board
from engine.mammoths.presentation import beside, telling
from engine.mammoths.presentation import valley as drawn
from engine.mammoths.reasons import Home, home
from engine.protocol import Seat

CARD_MAP: Final = 330
CARD: Final = 720
GLANCE: Final = 320
PATCH: Final = (112, 124)
_LEAST: Final = 180
"""The width of a valley in pieces of which numbers can be read."""
_PLACED: Final = ("camp_founded", "camp_conquered", "field_sown", "palisade_built", "fire_taken")
"""Events after which something new lies on their hex."""


class MammothsPresentation(CommonBoard):
    """One valley, the same for all (RULING A72); below it a row for each tribe."""

    width = drawn.WIDTH
    ANIMALS = ANIMALS
    TRICKS = TRICKS

    telling = telling
    board_tables = staticmethod(telling.board_tables)
    concerned = staticmethod(telling.concerned)
    status = staticmethod(drawn.status)
    rows = staticmethod(drawn.rows)
    pawns = staticmethod(drawn.pawns)

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        if not full or wanted.reader is None:
            # One picture for everybody; a page outlines the fights that are its reader's.
            view = {**view, "own": None}
        there = beside.seen(view, marks)
        # A page explains the rest beside the valley.
        meanings = beside.BRIEF if not wanted.legend else () if full else beside.LEGEND
        legend = [each for each in meanings if each in there]
        reader = wanted.reader if full else None
        return _valley(view, marks, drawn.WIDTH, legend=legend, reader=reader)

    def legend(self, view: Plain, shown: Seat) -> dict[str, Scene]:
        """The marks in a picture of this valley by what they mean; moves may be in it."""
        there = beside.seen(view, Marks(last={shown: ("", ">")}, advised={shown: ">"}))
        return beside.marks(view["board"]).signs([each for each in beside.LEGEND if each in there])

    story_scene = staticmethod(beside.fights)

    def patch(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene | None:
        """All the hexes that a choice is about, or one alone with those next to it; what stands
        where a way begins and ends. None where they lie so far apart that nothing could be read."""
        ways = [list(map(int, place.split(">"))) for place in last if "." not in place]
        hexes = {at for way in ways for at in way}
        width = width_about(GRID, hexes, *PATCH) if hexes else 0
        if width < _LEAST:
            return None
        valley = drawn.valley(view["board"], width)
        ends = {at for way in ways for at in (way[0], way[-1])}
        layers = valley.layers(view, Marks(last={seat: last}), ends)
        window = valley.window(hexes, *PATCH)
        return Scene(width=valley.width, height=valley.height, layers=layers, window=window)

    def foretold(self, order: Plain) -> list[str]:
        """The places where the first way of a plan leads and founds, or that orders are for."""
        plan = order.get("plan")
        ways = plan["alternatives"] if isinstance(plan, dict) else [order]
        lines = ways[0].get("lines") or ways[0].get("orders") or [order]
        told = (line.get("path") or [line.get("hex") or line.get("at")] for line in lines)
        return [">".join(map(str, path)) for path in told if all(path)]

    def foreseen(self, order: Plain, seat: Seat) -> list[Plain]:
        """The same as events, so that a page marks these places."""
        found = self.foretold(order)
        return [{"kind": "foretold", "seat": seat, "data": {"place": each}} for each in found]

    def leads_to(self, turn: Sequence[Plain]) -> str:
        """The hex of a first camp; what a move does its own picture shows."""
        hexes = turn[0]["hexes"] if turn[0]["do"] == "place" else ()
        return str(hexes[0]) if hexes else ""

    def examples(self, view: Plain | None, seat: Seat) -> tuple[int, int, int]:
        """A hex, one that leads on from it, and a plain, for orders as examples: where a warrior
        and a woman of the reader stand, if there are some."""
        valley = board(view["board"] if view else 1)
        groups = view["groups"] if view else ()
        own = (each for each in groups if each["seat"] == seat and each["w"] and each["f"])
        start = next((each["hex"] for each in own), valley.land[0])
        near = (at for at in valley.places[start].neighbours if at in valley.land)
        end = next(at for at in near if not valley.river_between(start, at))
        return start, end, next(at for at in valley.land if valley.places[at].terrain == "plain")

    def home(self, view: Plain, at: int) -> Home:
        """The food of a hex, and of those beside it that nobody holds."""
        return home(board(view["board"]), at, [each["hex"] for each in view["groups"]])

    def course(self, views: Sequence[Plain], of: str) -> list[list[int]]:
        """The `camps` or `pawns` of each tribe in one position after the other."""
        return [
            [view["tribes"][seat][of] for view in views] for seat in range(len(views[0]["tribes"]))
        ]

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        """The valley, and the tribes beside it."""
        valley = drawn.valley(view["board"], CARD_MAP)
        corner = Point(CARD_MAP, (valley.height - drawn.tribes_height(view)) / 2)
        tribes = drawn.tribes(view, corner, CARD - CARD_MAP, tuple(names))
        layers = (*valley.layers(view, Marks()), tribes)
        return Scene(width=CARD, height=valley.height, layers=layers)

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        return _valley(view, Marks(names=names), drawn.WIDTH)

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        valley, shown = drawn.valley(view["board"], GLANCE), Marks(last={seat: last})
        return Scene(width=GLANCE, height=valley.height, layers=valley.layers(view, shown))

    def touches(self, action: Any) -> Path:
        """Hexes first, then how many go or what is done there; a card by its title first."""
        match action:
            case do.Move(w=w, f=f, path=path):
                return (*map(str, path), WORD + f"{w}w{f}f")
            case do.Found(hex=at):
                return (str(at), WORD + "found")
            case do.TakeFire(hex=at, camp=camp):
                return (str(at), WORD + "fire", *([str(camp)] if camp else []))
            case do.Card(title=title, tribe=None, hexes=hexes):
                return (WORD + title, *map(str, hexes))
            case do.Card(title=title, tribe=tribe, fire=fire):
                return (WORD + title, WORD + f"tribe{tribe}", *([WORD + "fire"] if fire else []))
            case do.Place(hexes=(_, *_) as hexes, sow=sow):
                return (*map(str, hexes), WORD + ("done" if sow else "unsown"))
            case do.Done():
                return (WORD + "done",)
        return ()

    def further(self, kind: str, view: Plain, touched: Sequence[str]) -> Iterable[Any]:
        """The wish list of the hexes touched, and those one hex longer (M§3.5)."""
        if kind != "setup":
            return
        valley = board(view["board"])
        land = {str(at): at for at in valley.land}
        made = tuple(land.pop(thing) for thing in dict.fromkeys(touched) if thing in land)
        if made:
            yield do.Place(hexes=made)
        if self.plains(view, made):
            yield do.Place(hexes=made, sow=False)
        for at in land.values():
            yield do.Place(hexes=(*made, at))

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        if kind == "combat":
            kinds = {type(order) for each in actions for order in each.orders}
            tricks, falls = ".trick" * (do.CombatCard in kinds), ".loss" * (do.Loss in kinds)
            return Prompt(code=kind + tricks + falls)
        if kind == "setup" or not touched:
            return Prompt(code="wished" if touched else kind, ranked=kind == "setup")
        found = {to[:3] == WORD for act in actions for to in next_of(self.touches(act), touched)}
        if touched[0][:3] == WORD or (len(touched) == 1 and True in found):
            return Prompt(code="more")
        return Prompt(code="who" if False not in found else "further" if True in found else "go")

    def untouchable(
        self, kind: str, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str]
    ) -> list[str]:
        """Every hex as long as the way of a move is touched: nobody is left without an answer."""
        way = kind == "move" and not any(thing[:3] == WORD for thing in touched)
        return [str(at) for at in board(view["board"]).hexes] if way else []

    def facts(self, events: Iterable[Plain]) -> dict[str, Plain]:
        """The data of the last event of each kind of nobody or of seat 0: what a lesson tells."""
        return {event["kind"]: event["data"] for event in events if event["seat"] in (None, 0)}

    def fights(self, view: Plain) -> Sequence[Plain]:
        """The reader's own that stand, while they move or give orders for them."""
        return view["own"]["fights"] if view["own"] else ()

    def meetings(self, view: Plain) -> list[tuple[int, list[Seat]]]:
        """The hexes on which tribes meet, each with these."""
        there = groupby(view["groups"], lambda group: group["hex"])
        found = [(at, [group["seat"] for group in groups]) for at, groups in there]
        return [(at, seats) for at, seats in found if len(seats) > 1]

    def plains(self, view: Plain, hexes: Sequence[int]) -> list[int]:
        """Those of the hexes on which a first camp may have a field (M§3.3)."""
        places = board(view["board"]).places
        return [at for at in hexes if places[at].terrain == "plain"]

    def subjects(self, context: Plain) -> list[str]:
        """The hexes that a broken rule is about."""
        named = (context.get(key) for key in ("hex", "one", "other"))
        return [str(at) for at in named if at]

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        """The hexes where something new lies; moves as `35>45>46`, the second wish as `2.35`."""
        for event in events:
            if event["kind"] == "pawns_moved":
                yield event["seat"], ">".join(map(str, event["data"]["path"]))
            elif event["kind"] == "placed":
                wishes = event["data"]["wishes"]
                yield from ((event["seat"], f"{n}.{at}") for n, at in enumerate(wishes, 1))
                yield from ((event["seat"], str(at)) for at in wishes[:1])
            elif event["kind"] == "foretold":
                yield event["seat"], event["data"]["place"]
            elif event["kind"] in _PLACED:
                yield event["seat"], str(event["data"]["hexes"][0])


def _valley(
    view: Plain, marks: Marks, width: int, *, legend: Sequence[str] = (), reader: Seat | None = None
) -> Scene:
    valley = drawn.valley(view["board"], width)
    height = valley.height + drawn.tribes_height(view)
    setup = view["phase"] == "setup"
    layers: tuple[Layer, ...] = (
        *valley.layers(view, Marks() if setup else marks),
        *(valley.numbers(marks) if setup else ()),
        drawn.corners(view, width, valley.height),
        drawn.tribes(view, Point(0, valley.height), width, tuple(marks.names), reader),
        *([beside.marks(view["board"]).below(height, legend)] if legend else ()),
    )
    height += beside.marks(view["board"]).height(legend) if legend else 0
    return Scene(width=width, height=height, layers=layers, folds=(valley.height,))
