"""The legal actions most like one that is not: what to offer with the answer to it."""

from __future__ import annotations

from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens import flow
from engine.sapiens.components import (
    COLUMNS,
    ENTRANCE,
    PLACE_INDEX,
    SCENES,
    TILE_INDEX,
    TILE_SCENES,
    is_square,
)
from engine.sapiens.notation.naming import signature
from engine.sapiens.notation.writing import verb_of
from engine.sapiens.state import State

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


def nearest(state: State, seat: Seat, action: do.Action, limit: int = 3) -> tuple[do.Action, ...]:
    """Up to `limit` offered actions, the most similar first, interchangeable copies once.

    When nothing of the kind is offered: the first of each other kind.
    """
    offered = [
        other
        for decision in flow.decisions(state)
        if decision.seat == seat
        for other in decision.choices
    ]
    alike = [other for other in offered if _form(other) == _form(action)]
    if not alike:
        firsts = {_form(other): other for other in reversed(offered)}
        return tuple(other for other in offered if firsts[_form(other)] is other)[:limit]
    found: dict[tuple[object, ...], do.Action] = {}
    for other in sorted(alike, key=lambda other: _distance(state, seat, action, other)):
        found.setdefault(signature(state, other), other)
        if len(found) == limit:
            break
    return tuple(found.values())


def _form(action: do.Action) -> tuple[str, bool]:
    """What is compared with what: the bonus, and whether a token gives it."""
    if isinstance(action, do.Token):
        return verb_of(action.effect), True
    return verb_of(action), False


def _distance(state: State, seat: Seat, one: do.Action, other: do.Action) -> float:
    match one, other:
        case do.Token(), do.Token():
            return _distance(state, seat, one.effect, other.effect)
        case ((do.Lay() | do.Abandon() | do.Feast()), (do.Lay() | do.Abandon() | do.Feast())):
            return _placement(one, other)
        case do.Take(), do.Take():
            return len(set(one.tiles) ^ set(other.tiles))
        case do.Hunt(), do.Hunt():
            return abs(one.convert - other.convert)
        case do.Fight(), do.Fight():
            moved = _OTHER_SCENE if one.moved != other.moved else 0
            return _tile(one.tile, other.tile) + moved
        case do.Water(), do.Water():
            return _tile(one.give, other.give) + _tile(one.get, other.get)
        case do.Retrieve(), do.Retrieve():
            return _tile(one.tile, other.tile)
        case do.Remove(), do.Remove():
            return _tile(one.tile, other.tile)
        case do.PutBear(), do.PutBear():
            board = _OTHER_BOARD if one.board != other.board else 0
            return _apart(one.square, other.square) + board
        case do.RemoveBear() | do.PutBear(), do.RemoveBear() | do.PutBear():
            form = _OTHER_FORM if type(one) is not type(other) else 0
            return _apart(one.square, other.square) + form
        case do.Claim(), do.Claim():
            return _apart(one.place, other.place)
        case do.Recall(), do.Claim():
            return 0 if _lying(state, seat, other.place) == one.scene else _OTHER_FORM
        case _:
            return _OTHER_FORM


def _placement(one: do.Lay | do.Abandon | do.Feast, other: do.Lay | do.Abandon | do.Feast) -> float:
    straight = _apart(one.first, other.first) + _apart(one.second, other.second)
    turned = _apart(one.first, other.second) + _apart(one.second, other.first)
    if TILE_SCENES[TILE_INDEX[one.tile]] == TILE_SCENES[TILE_INDEX[other.tile]]:
        turned += _TURNED
    return min(straight, turned) + _tile(one.tile, other.tile)


def _tile(one: str, other: str) -> float:
    if one == other:
        return 0
    shared = set(TILE_SCENES[TILE_INDEX[one]]) & set(TILE_SCENES[TILE_INDEX[other]])
    return _OTHER_COPY if len(shared) == 2 else _OTHER_SCENE * (2 - len(shared))


def _apart(one: str, other: str) -> int:
    """Steps between two places, caves lying just outside the edge."""
    here, there = _spot(one), _spot(other)
    if here is None or there is None:
        return 0 if one == other else _FAR
    return abs(here[0] - there[0]) + abs(here[1] - there[1])


def _spot(name: str) -> tuple[int, int] | None:
    place = PLACE_INDEX.get(name)
    if place is None:
        return None
    if is_square(place):
        return divmod(place, COLUMNS)
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
