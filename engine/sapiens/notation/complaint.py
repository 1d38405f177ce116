"""Help with an error: what could stand there, and how near a legal action is to an illegal one."""

from __future__ import annotations

from collections.abc import Iterable

from engine.kit.notation.actions import ReadingContext, Wanted
from engine.kit.notation.nearness import Metrics, field_distance
from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import COLUMNS, ENTRANCE, PLACE_INDEX, SCENES, is_square
from engine.sapiens.notation import naming, words
from engine.sapiens.notation.writing import tile_text, verb_of
from engine.sapiens.state import State

_PLACES = ("first", "second", "place", "square")

_OTHER_SCENE = 2
"""Of a tile: as far off as two squares."""
_OTHER_COPY = 0.5
_OTHER_BOARD = 2
_OTHER_FORM = 3
"""Another way to use the same bonus, such as taking a bear off for putting one."""
_TURNED = 1
"""The same squares with the scenes changed over."""
_FAR = 9
"""Places that cannot be compared, such as a waterfall and a square."""

_OFFSET = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}


def expected(here: ReadingContext[State, do.Action], wanted: Wanted) -> Iterable[str]:
    """Texts of what is missing, in the reader's language, by what is offered."""
    lang, verb = here.lang, wanted.verb
    if wanted.kind == "verb":
        return (words.VERBS[verb_of(action)][lang] for action in here.choices)
    if verb == "token":
        effects: list[do.Action] = [a.effect for a in here.choices if isinstance(a, do.Token)]
    else:
        plain = (a.effect if isinstance(a, do.Token) else a for a in here.choices)
        effects = [effect for effect in plain if verb_of(effect) == verb]
    match wanted.kind:
        case "tile" | "other tile":
            scope = naming.scope_of(here.state, here.seat, verb, int(wanted.kind != "tile"))
            firsts = {naming.kind(here.state, tile): tile for tile in reversed(scope)}
            tiles = (tile for tile in scope if tile in firsts.values())
            return (tile_text(here.state, tile, scope, lang) for tile in tiles)
        case "place":
            places = (getattr(effect, name, "") for effect in effects for name in _PLACES)
            return sorted({place for place in places if place})
        case "scene" if verb == "token":
            return (words.VERBS[verb_of(effect)][lang] for effect in effects)
        case "scene":
            return (words.SCENES[e.scene][lang] for e in effects if isinstance(e, do.Recall))
        case "colour":
            seats = range(len(here.state.players))
            return (words.COLOURS[seat][lang] for seat in seats if seat != here.seat)
        case "number":
            return (str(effect.convert) for effect in effects if isinstance(effect, do.Hunt))
        case _:
            return ()


def form(action: do.Action) -> tuple[str, bool]:
    """The bonus, and whether a token gives it: only what has both in common is compared."""
    if isinstance(action, do.Token):
        return verb_of(action.effect), True
    return verb_of(action), False


def distance(state: State, seat: Seat, one: do.Action, other: do.Action) -> float:
    """The distance of an action from another of its form."""
    match one, other:
        case do.Token(), do.Token():
            return distance(state, seat, one.effect, other.effect)
        case ((do.Lay() | do.Abandon() | do.Feast()), (do.Lay() | do.Abandon() | do.Feast())):
            return _placement(one, other)
        case do.Recall(), do.Claim():
            return 0 if _lying(state, seat, other.place) == one.scene else _OTHER_FORM
        case _:
            return field_distance(one, other, _METRICS, _OTHER_FORM)


def _placement(one: do.Lay | do.Abandon | do.Feast, other: do.Lay | do.Abandon | do.Feast) -> float:
    straight = _steps(one.first, other.first) + _steps(one.second, other.second)
    turned = _steps(one.first, other.second) + _steps(one.second, other.first)
    turned += _TURNED * (naming.scenes_of(one.tile) == naming.scenes_of(other.tile))
    return min(straight, turned) + _tile(one.tile, other.tile)


def _tile(one: str, other: str) -> float:
    if one == other:
        return 0
    shared = len(naming.scenes_of(one) & naming.scenes_of(other))
    return _OTHER_COPY if shared == 2 else _OTHER_SCENE * (2 - shared)


def _steps(one: str, other: str) -> int:
    """Steps between two places, caves lying just outside the edge."""
    here, there = _spot(one), _spot(other)
    if here is None or there is None:
        return 0 if one == other else _FAR
    return abs(here[0] - there[0]) + abs(here[1] - there[1])


def _spot(name: str) -> tuple[int, int] | None:
    place = PLACE_INDEX.get(name)
    if place is None or is_square(place):
        return None if place is None else divmod(place, COLUMNS)
    if ENTRANCE[place] < 0:
        return None
    row, column = divmod(ENTRANCE[place], COLUMNS)
    down, right = _OFFSET[name[-1]]
    return row + down, column + right


def _lying(state: State, seat: Seat, place: str) -> str | None:
    """The scene of the mountain token on an own cave or waterfall."""
    player = state.players[seat]
    sites = (*(cave.place for cave in player.valley.caves), PLACE_INDEX["WL"], PLACE_INDEX["WR"])
    scene = player.mountain[sites.index(PLACE_INDEX[place])]
    return SCENES[scene] if scene >= 0 else None


_METRICS: Metrics = {
    **dict.fromkeys(("tile", "give", "get"), _tile),
    **dict.fromkeys(("place", "square"), _steps),
    "moved": lambda one, other: _OTHER_SCENE * (one != other),
    "board": lambda one, other: _OTHER_BOARD * (one != other),
    "convert": lambda one, other: abs(one - other),
    "tiles": lambda one, other: len(set(one) ^ set(other)),
    "scene": lambda one, other: _OTHER_FORM,
}
