"""Fire & Stone as it is shown: its map, and how an action is chosen on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import maps, telling
from engine.fire_and_stone.components import CAVES, GAME, GAME_INDEX, INVENTION, OBJECTIVES, Names
from engine.fire_and_stone.map import (
    INDEX,
    LAND,
    NAMES,
    REGION,
    SHORE,
    START,
    TERRITORIES,
    members,
    names,
)
from engine.fire_and_stone.state import Phase
from engine.kit import territories
from engine.kit.presentation import (
    CommonBoard,
    Marks,
    Occasion,
    Plain,
    Prompt,
    Wanted,
)
from engine.kit.scene import Backdrop, Layer, Scene
from engine.kit.selection import WORD, Path
from engine.kit.shapes import Rect
from engine.protocol import Seat

OTHER: Final = "other"
"""The picture of the region in which the second explorer is."""
WHOLE: Final = "whole"
LARGE: Final = ("", "region1", "region2", "region3")
"""The pictures of a whole region, by its number."""
CARD: Final = 500
GLANCE: Final = 320
BESIDE: Final = (Phase.CARD, Phase.BASKET)
"""Decisions that are about what lies beside the map."""
FREE: Final = frozenset(("take", "food", "hunt", "use"))
"""Actions that cost nothing."""


class FireAndStonePresentation(CommonBoard):
    """The region that is played in; below it the whole map, the hut track and everybody's sheet.
    Who has explorers in two regions sees both instead of the whole map.
    """

    width = maps.WIDTH
    board_tables = staticmethod(telling.board_tables)
    regions = staticmethod(telling.regions)
    points = staticmethod(telling.points)
    parts = staticmethod(telling.parts)
    ranks = staticmethod(telling.ranks)
    by_points = staticmethod(telling.by_points)
    gain = staticmethod(telling.gain)
    lead = staticmethod(telling.lead)
    margin = staticmethod(telling.margin)
    passages = staticmethod(telling.passages)
    steps = staticmethod(telling.steps)
    all_built = staticmethod(telling.all_built)
    reach = staticmethod(telling.reach)
    is_last = staticmethod(telling.is_last)

    def pictures(self, view: Plain, reader: Seat | None, occasion: Occasion) -> Sequence[Wanted]:
        if occasion is Occasion.END:
            return (Wanted(name=WHOLE),)
        shown = reader if reader is not None else view["to_move"] or 0
        first = Wanted(reader=reader, shown=shown)
        two = len(_regions(view, shown)) > 1
        return (first, msgspec.structs.replace(first, name=OTHER)) if two else (first,)

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        shown = wanted.shown if wanted.shown is not None else wanted.reader
        if wanted.name in LARGE[1:]:
            return _drawn(view, [maps.ATLAS.part(LARGE.index(wanted.name), maps.WIDTH)], marks)
        if wanted.name == WHOLE:
            return _stacked(view, marks, (0,), shown, wanted)
        if full and view["phase"] == Phase.OVER:
            whole = _stacked(view, marks, (0,), shown, Wanted(name=WHOLE))
            sheets = round(maps.ATLAS.part(0, maps.WIDTH).bottom)
            return msgspec.structs.replace(whole, folds=(sheets,))
        regions = _regions(view, shown if shown is not None else view["to_move"] or 0)
        if wanted.name == OTHER:
            near = maps.near(view, shown or 0, regions[-1])
            return _drawn(view, [near], marks, wanted)
        if full:
            wanted = msgspec.structs.replace(wanted, legend=False)  # A page has it beside the map.
            reached = sorted({REGION[INDEX[place]] for place in telling.reach(view)} - set(regions))
            # What can be touched is lit there, and nothing else looks as if it could be.
            return _stacked(view, marks, (*regions, *reached, 0), shown, wanted, ringed=False)
        if len(regions) > 1:
            return _stacked(view, marks, (), shown, wanted, maps.near(view, shown or 0, regions[0]))
        return _stacked(view, marks, (regions[0], 0), shown, wanted)

    def close_ups(self, view: Plain) -> Sequence[str]:
        """The open regions, once the picture of a page is the whole map, which has no names."""
        return LARGE[1 : view["regions"] + 1] if view["phase"] == Phase.OVER else ()

    def legend(self, view: Plain, shown: Seat) -> dict[str, Scene]:
        """The marks of a map and of the players' rows, for a page that has both beside them."""
        return maps.MARKS.signs(maps.SIGNS)

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        board = _drawn(view, [maps.ATLAS.part(0, CARD)], Marks())
        standing = territories.totals("hut", telling.points(view), names, CARD)
        return Scene(width=CARD + 140, height=board.height, layers=(*board.layers, standing))

    def specimen(self, view: Plain, shown: Seat) -> Scene:
        """The region of a seat's explorer, as far as there are explorers and huts in it."""
        (region, *_) = _regions(view, shown)
        places = {village["place"] for village in view["villages"]}
        places |= {place for player in view["players"] for place in player["explorers"]}
        about = {INDEX[place] for place in places if REGION[INDEX[place]] == region}
        return _drawn(view, [maps.ATLAS.near(region, about, 46, maps.WIDTH)], Marks())

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        return _stacked(view, Marks(names=names), (0,), None, Wanted(name=WHOLE))

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        return _drawn(view, [maps.ATLAS.part(0, GLANCE)], Marks())

    def leads_to(self, turn: Sequence[Plain]) -> str:
        """The place of the first deed, and the ends of the walks."""
        done = [action for action in turn if action["do"] != "lead"]
        places = [a.get("fire") or a.get("place") for a in done if a is done[0] or a["do"] == "go"]
        return " ".join(dict.fromkeys(filter(None, places)))

    def forgone(self, events: Iterable[Plain], choices: Sequence[Any]) -> Sequence[str]:
        """Actions that would have cost nothing, where nothing was done."""
        if not any(event["kind"] == "passed" for event in events):
            return ()
        return sorted({str(each.__struct_config__.tag) for each in choices} & FREE)

    def concerned(self, event: Plain) -> Collection[Seat]:
        """Everybody, where a region opens or explorers set out; the winners at the end."""
        return tuple(event["data"].get("winners", ())) if event["kind"] == "over" else ()

    def touches(self, action: Any) -> Path:
        """A place where there is one; words for the rest."""
        match action:
            case do.Go(place=place) | do.Name(place=place):
                return (place,)
            case do.Forage(place=place, column=column):
                return (place, WORD + column)
            case do.Return(fire=fire) | do.Second(fire=fire):
                return (fire,)
            case do.Take(column=column):
                return (f"{WORD}take:{column}",)
            case do.Lead(explorer=explorer):
                return (f"{WORD}lead:{explorer}",)
            case do.File() | do.Keep():
                return ()
        tag = str(action.__struct_config__.tag)
        things = [str(getattr(action, field)) for field in _NAMED if hasattr(action, field)]
        if isinstance(action, do.Barter):
            return (WORD + tag, WORD + action.given, WORD + action.taken)
        return (WORD + tag, *(WORD + thing for thing in things))

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        first = "lead" if actions and isinstance(actions[0], do.Lead) else kind
        return Prompt(code=first if not touched else "more", listed=kind == "return")

    def subjects(self, context: Plain) -> list[str]:
        return [value for value in context.values() if isinstance(value, str) and value in INDEX]

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        """Tiles turned over and huts built; steps as `from>to`, and `>to` where one is put down, or
        comes back from a place that is not told.
        """
        stood: dict[object, str] = {}
        for event in events:
            data = event["data"]
            if event["kind"] in ("revealed", "hut_built"):
                yield event["seat"], data["place"]
            elif event["kind"] == "moved" and not data["stayed"]:
                stood[event["seat"], data["explorer"]] = data["place"]
                yield event["seat"], f"{data['from']}>{data['place']}"
            elif event["kind"] in ("returned", "second_placed"):
                start = stood.get((event["seat"], data.get("explorer")), "")
                yield event["seat"], f"{start}>{data['fire']}"

    def name(self, thing: str, lang: str) -> str:
        """The name of a territory, card, game tile or objective."""
        english, french = _NAMES[thing]
        return french if lang == "fr" else english

    def cooked(self, pieces: Sequence[str]) -> tuple[int, int]:
        """The bags and the food that game tiles give at a fire (F§7.5)."""
        tiles = [GAME[GAME_INDEX[piece]] for piece in pieces]
        return sum(tile.bags for tile in tiles), sum(tile.food for tile in tiles)

    def lines(self, territory: str, lang: str) -> str:
        """A territory's name as it stands on the map."""
        return "\n".join(territories.name_lines(self.name(territory, lang)))

    def cards(self, sort: str) -> list[str]:
        """All inventions, objectives, caves or game tiles, as the rules list them."""
        return {"inventions": list(INVENTION), "objectives": list(OBJECTIVES),
                "caves": [each.id for each in CAVES],
                "game": [each.id for each in GAME]}[sort]  # fmt: skip

    def copies(self, card: str) -> int:
        """The number of cards or game tiles of this name."""
        if card in INVENTION:
            return INVENTION[card].copies
        return GAME[GAME_INDEX[card]].copies if card in GAME_INDEX else 1

    def course(self, views: Sequence[Plain]) -> list[list[int]]:
        """The points of each seat in one position after the other."""
        return [list(each) for each in zip(*map(telling.points, views), strict=True)]

    def here(self, view: Plain) -> tuple[str, str] | None:
        """The territory in which the explorer to act stands, and its tile; None where none acts."""
        if view["phase"] != Phase.ACTION or view["explorer"] is None:
            return None
        place = view["players"][view["to_move"]]["explorers"][view["explorer"] - 1]
        return place, view["tiles"][INDEX[place]]

    def is_unseen(self, view: Plain, territory: str) -> bool:
        """True of a territory whose tile lies face down, and the reader has not looked at it."""
        looked = view["own"]["looked"] if view["own"] else ()
        return bool(view["tiles"][INDEX[territory]] == "down") and territory not in looked

    def places(self, called: Sequence[str], lang: str) -> Sequence[str]:
        """The territories of these names, in a language."""
        ids = {self.name(territory, lang): territory for territory in NAMES}
        return tuple(ids[name] for name in called if name in ids)

    def shore(self, territory: str) -> bool:
        """True of a territory on a shore."""
        return bool(SHORE >> INDEX[territory] & 1)

    def beside(self, territory: str) -> Sequence[str]:
        """The territories next to it by land."""
        return names(LAND[INDEX[territory]])

    def unseen_near(self, view: Plain, seat: Seat, turn: Sequence[Plain] = ()) -> str:
        """A territory whose tile nobody has seen: the one that this `turn` goes to, else one beside
        the seat's first explorer; "" for none.
        """
        here = INDEX[view["players"][seat]["explorers"][0]]
        gone = [INDEX[each["place"]] for each in turn if each["do"] == "go"]
        near = (n for n in (*gone, *members(LAND[here])) if view["tiles"][n] == "down")
        return next((NAMES[n] for n in near if REGION[n] <= view["regions"]), "")


_NAMES: Final[dict[str, Names]] = {
    **{each.id: each.names for each in TERRITORIES},
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


def _stacked(
    view: Plain,
    marks: Marks,
    regions: Sequence[int],
    shown: Seat | None,
    wanted: Wanted | None,
    first: territories.Part | None = None,
    *,
    ringed: bool = True,
) -> Scene:
    """Parts of the map one below the other, 0 for the whole; with a `wanted` picture the hut track
    and the sheets, too: above them where these are what is decided about.
    """
    above = wanted is not None and first is None and view["phase"] in BESIDE
    start = maps.beside_height(view) if above else 0
    parts, top = maps.ATLAS.below(regions, maps.WIDTH, first, start)
    scene = _drawn(view, parts, marks, wanted, ringed=ringed)
    layers, window = list(scene.layers), scene.window
    if window is not None:
        rest = Rect(0, window.y + window.height, maps.WIDTH, scene.height)
        layers.append(Layer(items=(Backdrop(rest, "paper"),)))
    if wanted is not None and wanted.legend:
        rings = ringed and _lit(view, wanted) and telling.reach(view)
        meanings = maps.LEGEND if rings else maps.LEGEND[1:]
        layers.append(maps.MARKS.below(top, meanings))
        top += maps.MARKS.height(meanings)
    if wanted is not None:
        layers.append(maps.beside(view, 0 if above else top, marks.names, shown))
        top += 0 if above else maps.beside_height(view)
    height = round(top)
    if window is not None:
        window = msgspec.structs.replace(window, height=height - window.y)
        height = max(height, scene.height)
    return msgspec.structs.replace(scene, height=height, layers=tuple(layers), window=window)


def _drawn(
    view: Plain,
    parts: Sequence[territories.Part],
    marks: Marks,
    wanted: Wanted | None = None,
    *,
    ringed: bool = True,
) -> Scene:
    """Parts of the map. Who is to move sees where to go, and nobody else does (F§15.4)."""
    lit = _lit(view, wanted)
    return territories.stacked(
        parts, view["regions"], lambda part: maps.things(view, part, marks, lit=lit, ringed=ringed)
    )


def _lit(view: Plain, wanted: Wanted | None) -> bool:
    """True for who is to move."""
    return wanted is not None and wanted.reader is not None and wanted.reader == view["to_move"]
