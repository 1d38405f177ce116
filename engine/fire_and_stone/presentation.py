"""Fire & Stone as it is shown: its map, and how an action is chosen on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import maps, telling
from engine.fire_and_stone.components import CAVES, GAME, INVENTION, OBJECTIVES, Names
from engine.fire_and_stone.map import INDEX, NAMES, REGION, START, TERRITORIES
from engine.kit.presentation import CommonBoard, Marks, Occasion, Plain, Prompt, Wanted
from engine.kit.scene import Label, LabelKind, Layer, Place, Scene
from engine.kit.selection import WORD, Path
from engine.kit.shapes import Point
from engine.protocol import Seat

OTHER: Final = "other"
"""The picture of the region in which the second explorer is."""
WHOLE: Final = "whole"


class FireAndStonePresentation(CommonBoard):
    """The region that is played in, and below it the whole map."""

    width = maps.WIDTH

    def pictures(self, view: Plain, reader: Seat | None, occasion: Occasion) -> Sequence[Wanted]:
        if occasion is Occasion.END:
            return (Wanted(name=WHOLE),)
        shown = reader if reader is not None else view["to_move"] or 0
        regions = _regions(view, shown)
        others = [Wanted(name=OTHER, shown=shown)] if len(regions) > 1 else []
        return (Wanted(shown=shown), *others)

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        if wanted.name == WHOLE:
            return _stacked(view, marks, ())
        shown = wanted.shown if wanted.shown is not None else wanted.reader
        regions = _regions(view, shown if shown is not None else view["to_move"] or 0)
        if wanted.name == OTHER:
            return _stacked(view, marks, (regions[-1],), whole=False)
        return _stacked(view, marks, regions[:1])

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        board = _stacked(view, Marks(), ())
        width = round(board.height * 1.9)
        labels = [
            Label(
                kind=LabelKind.QUIET,
                at=Point(board.width + 10, 30 + 22 * seat),
                text=f"{(names[seat] if seat < len(names) else '')[:9]} {player['vp']}".strip(),
                size=13,
            )
            for seat, player in enumerate(view["players"])
        ]
        layers = (*board.layers, Layer(items=tuple(labels)))
        return Scene(width=width, height=board.height, layers=layers)

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        return _stacked(view, Marks(), ())

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        part = maps.part_of(0, 0, maps.WIDTH - 40)
        return _drawn(view, [part], Marks(), maps.WIDTH - 40)

    def touches(self, action: Any) -> Path:
        """A place where there is one; words for the rest."""
        match action:
            case do.Go(place=place) | do.Name(place=place):
                return (place,)
            case do.Forage(place=place, column=column):
                return (place, WORD + column)
            case do.Return(fire=fire) | do.Second(fire=fire):
                return (fire,)
        tag = str(action.__struct_config__.tag)
        things = [str(getattr(action, field)) for field in _NAMED if hasattr(action, field)]
        if isinstance(action, do.Barter):
            return (WORD + tag, WORD + action.given, WORD + action.taken)
        return (WORD + tag, *(WORD + thing for thing in things))

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        return Prompt(code=kind if not touched else "more")

    def subjects(self, context: Plain) -> list[str]:
        return [value for value in context.values() if isinstance(value, str) and value in INDEX]

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        """Tiles turned over and huts built; steps as `from>to`."""
        for event in events:
            data = event["data"]
            if event["kind"] in ("revealed", "hut_built"):
                yield event["seat"], data["place"]

    def name(self, thing: str, lang: str) -> str:
        """What a territory, card, game tile or objective is called."""
        english, french = _NAMES[thing]
        return french if lang == "fr" else english

    def lines(self, territory: str, lang: str) -> str:
        """A territory's name as it stands on the map."""
        return "\n".join(maps.broken(self.name(territory, lang)))

    def points(self, view: Plain) -> list[int]:
        """The points of all seats as they can be counted now; objectives once they are shown."""
        return telling.points(view)

    def regions(self, view: Plain) -> list[telling.Region]:
        """The map for who does not see it."""
        return telling.regions(view)

    def gain(self, events: Sequence[Plain]) -> telling.Gain:
        """What events bring the seat that acts."""
        return telling.gain(events)

    def told(
        self, events: Sequence[Plain], own: Collection[str], quiet: Collection[str]
    ) -> list[telling.Told]:
        """The events of a story, deeds of one seat together."""
        return telling.told(events, own, quiet)


_NAMES: Final[dict[str, Names]] = {
    **{each.id: (each.english, each.french) for each in TERRITORIES},
    **{each.id: each.names for each in INVENTION.values()},
    **{each.id: each.names for each in CAVES},
    **{each.id: each.names for each in GAME},
    **OBJECTIVES,
}
_NAMED: Final = ("column", "card", "covers", "piece", "explorer", "objective")


def _regions(view: Plain, seat: Seat) -> list[int]:
    """The regions in which a player's explorers are, that of the one in progress first."""
    places = list(view["players"][seat]["explorers"]) or [NAMES[START]]
    if seat == view["to_move"] and view["explorer"] == 2 and len(places) > 1:
        places.reverse()
    return list(dict.fromkeys(REGION[INDEX[place]] for place in places))


def _stacked(view: Plain, marks: Marks, regions: Sequence[int], *, whole: bool = True) -> Scene:
    """Regions one below the other, and below them the whole map."""
    parts: list[maps.Part] = []
    top = 0.0
    for region in (*regions, *((0,) if whole else ())):
        parts.append(maps.part_of(region, top))
        top += round(parts[-1].projection.height) + 4
    return _drawn(view, parts, marks, maps.WIDTH)


def _drawn(view: Plain, parts: Sequence[maps.Part], marks: Marks, width: int) -> Scene:
    """The parts of the map, each place where it is largest."""
    kept: list[Layer] = []
    above: list[Layer] = []
    seen: set[str] = set()
    for part in parts:
        for layer in maps.ground(part, view["regions"]):
            items = [
                item for item in layer.items if not (isinstance(item, Place) and not item.ground)
            ]
            kept.append(msgspec.structs.replace(layer, items=tuple(_once(items, seen))))
        above += maps.things(view, part, marks.last)
    if len(parts) > 1 and not parts[-1].region:
        above += [Layer(items=tuple(maps.whole_frame(parts[-1], part))) for part in parts[:-1]]
    last = parts[-1]
    return Scene(
        width=width,
        height=round(last.top + last.projection.height),
        layers=(*kept, *above),
    )


def _once(items: Sequence[Any], seen: set[str]) -> Iterable[Any]:
    """The items; a place that was in an earlier part gets another id."""
    for item in items:
        if isinstance(item, Place):
            if item.id in seen:
                item = msgspec.structs.replace(item, id=f"{item.id}.small")
            seen.add(item.id)
        yield item
