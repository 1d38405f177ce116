"""The tiles a name can mean: what lies where the action looks for it.

Two copies in the same pool with fight tokens of the same players are interchangeable, and a plain
name means the first of them. Copies that differ are told apart by their number ("hunt-fire.2").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import SCENE_INDEX, TILE_INDEX, TILE_SCENES, TILES
from engine.sapiens.notation.grammar import TileName
from engine.sapiens.state import State, fight_owners, holder

Kind = tuple[Seat | None, tuple[int, int], tuple[Seat, ...]]


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


def scene_pairs(name: TileName) -> list[tuple[str, str]]:
    """The pairs of scenes a name can mean, in written order."""
    return [
        (one, other) for one, other in product(sorted(name.one), sorted(name.other)) if one != other
    ]


def tile_of(pair: tuple[str, str], copy: int = 1) -> str | None:
    """The name of a tile by its scenes in either order; None if the copy does not exist."""
    first, second = sorted(pair, key=SCENE_INDEX.__getitem__)
    tile = f"{first}-{second}.{copy}"
    return tile if tile in TILE_INDEX else None


def swapped(pair: tuple[str, str]) -> bool:
    """True if the scenes are written in the other order than in the tile's name."""
    return SCENE_INDEX[pair[0]] > SCENE_INDEX[pair[1]]


def matching(
    state: State, name: TileName, scope: Sequence[int]
) -> list[tuple[int, tuple[str, str]]]:
    """The tiles in scope a name fits, in the order of the scope, with the scenes as written."""
    return [
        (tile, pair)
        for pair in scene_pairs(name)
        for tile in scope
        if TILES[tile] == tile_of(pair, name.copy or copy_of(tile))
    ]


def candidates(
    state: State, name: TileName, scope: Sequence[int]
) -> list[tuple[int, tuple[str, str]]]:
    """The tiles in scope a name can mean: of those it fits, the first of each kind."""
    found: dict[tuple[Kind, tuple[str, str]], int] = {}
    for tile, pair in matching(state, name, scope):
        found.setdefault((kind(state, tile), pair), tile)
    return [(tile, pair) for (_, pair), tile in found.items()]


def copy_of(tile: int) -> int:
    return int(TILES[tile].rpartition(".")[2])


def plain_is_enough(state: State, tile: int, scope: Sequence[int]) -> bool:
    """True if the name without a number means exactly this tile."""
    alike = [other for other in scope if TILE_SCENES[other] == TILE_SCENES[tile]]
    return alike[:1] == [tile] and len({kind(state, other) for other in alike}) == 1


def signature(state: State, action: do.Action) -> tuple[Any, ...]:
    """Equal for actions that differ in nothing but interchangeable copies."""
    said: list[Any] = [type(action)]
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if name in ("tile", "give", "get", "moved") and value:
            said.append(kind(state, TILE_INDEX[value]))
        elif name == "tiles":
            kinds = [kind(state, TILE_INDEX[tile]) for tile in value]
            said.append(frozenset((each, kinds.count(each)) for each in kinds))
        elif name == "effect":
            said.append(signature(state, value))
        else:
            said.append(value)
    return tuple(said)
