"""The tiles a name can mean: what lies where the action looks for it.

Two copies in the same pool with fight tokens of the same players are interchangeable, and a plain
name means the first of them. Copies that differ are told apart by their number ("hunt-fire.2").
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import product
from typing import Any

from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import SCENE_INDEX, TILE_INDEX, TILE_SCENES, TILES
from engine.sapiens.notation.grammar import TileName
from engine.sapiens.state import State, fight_owners, holder

Kind = tuple[Seat | None, tuple[int, int], tuple[Seat, ...]]
Pair = tuple[str, str]


def scope_of(state: State, seat: Seat, verb: str, nth: int = 0) -> tuple[int, ...]:
    """The places where the first (0) or second (1) tile an action names lies, by its first word."""
    player = state.players[seat]
    match verb, nth:
        case ("lay" | "abandon" | "feast", _) | ("water", 0):
            return player.pool
        case "water", _:
            return (*_pools(state, without=seat), *state.common)
        case "fight", 0:
            return (*_pools(state), *state.common)
        case (("fight" | "retrieve"), _):
            return tuple(dict.fromkeys(player.fights))
        case _:
            return state.common


def _pools(state: State, without: Seat | None = None) -> tuple[int, ...]:
    return tuple(
        tile for seat, player in enumerate(state.players) if seat != without for tile in player.pool
    )


def kind(state: State, tile: int) -> Kind:
    """Tiles of one kind are interchangeable. Raises KeyError for a tile in no pool."""
    return holder(state, tile), TILE_SCENES[tile], fight_owners(state, tile)


def _scene_pairs(name: TileName) -> list[Pair]:
    """The pairs of scenes a name can mean, in written order."""
    pairs = product(sorted(name.one), sorted(name.other))
    return [(one, other) for one, other in pairs if one != other]


def _tile_of(pair: Pair, copy: int) -> str:
    """The name of a tile by its scenes in either order; there may be no such copy."""
    first, second = sorted(pair, key=SCENE_INDEX.__getitem__)
    return f"{first}-{second}.{copy}"


def swapped(pair: Pair) -> bool:
    """True if the scenes are written in the other order than in the tile's name."""
    return SCENE_INDEX[pair[0]] > SCENE_INDEX[pair[1]]


def matching(name: TileName, scope: Sequence[int]) -> list[tuple[int, Pair]]:
    """The tiles in scope a name fits, in the order of the scope, with the scenes as written."""
    return [
        (tile, pair)
        for pair in _scene_pairs(name)
        for tile in scope
        if TILES[tile] == _tile_of(pair, name.copy or copy_of(tile))
    ]


def found(state: State, name: TileName, scope: Sequence[int]) -> list[tuple[str, Pair, bool]]:
    """The tiles a name can mean, with the scenes as written, and whether they are in scope: of
    those it fits there, the first of each kind; where there is none, those that lie elsewhere.
    """
    firsts: dict[tuple[Kind, Pair], str] = {}
    for tile, pair in matching(name, scope):
        firsts.setdefault((kind(state, tile), pair), TILES[tile])
    if firsts:
        return [(tile, pair, True) for (_, pair), tile in firsts.items()]
    elsewhere = ((_tile_of(pair, name.copy or 1), pair) for pair in _scene_pairs(name))
    return [(tile, pair, False) for tile, pair in elsewhere if tile in TILE_INDEX]


def scenes_of(tile: str) -> set[int]:
    return set(TILE_SCENES[TILE_INDEX[tile]])


def copy_of(tile: int) -> int:
    return int(TILES[tile].rpartition(".")[2])


def plain_is_enough(state: State, tile: int, scope: Sequence[int]) -> bool:
    """True if the name without a number means exactly this tile."""
    alike = [other for other in scope if TILE_SCENES[other] == TILE_SCENES[tile]]
    if len(alike) == 1:
        return alike[0] == tile
    return alike[:1] == [tile] and len({kind(state, other) for other in alike}) == 1


def kinds(state: State, tiles: Iterable[int]) -> frozenset[tuple[Kind, int]]:
    """The number of tiles of each kind: equal for tiles that are interchangeable."""
    found = [kind(state, tile) for tile in tiles]
    return frozenset((each, found.count(each)) for each in found)


def signature(state: State, action: do.Action) -> Hashable:
    """Equal for actions that differ in nothing but interchangeable copies."""
    said: list[Any] = [type(action)]
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if name in ("tile", "give", "get", "moved") and value:
            said.append(kind(state, TILE_INDEX[value]))
        elif name == "tiles":
            said.append(kinds(state, (TILE_INDEX[tile] for tile in value)))
        elif name == "effect":
            said.append(signature(state, value))
        else:
            said.append(value)
    return tuple(said)
