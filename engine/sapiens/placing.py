"""The legal placements of a tile: starting (S§3.1), laying (S§5) and abandoning (S§11.2).

`Ground` is the legality of a single scene on a square, rule by rule, as sets of squares. Listing,
checking and explaining all read it, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.protocol import IllegalAction, Seat
from engine.sapiens.components import (
    ALL_SCENES,
    ALL_SQUARES,
    COLUMNS,
    ENTRANCE,
    NEIGHBOURS,
    NOT_H,
    PICKING,
    PLACE_INDEX,
    PLACES,
    SCENE_SETS,
    SCENES,
    SQUARES,
    TILE_INDEX,
    TILE_SCENES,
    TILES,
    WATERFALLS,
    members,
)
from engine.sapiens.errors import illegal
from engine.sapiens.state import NONE, Player, State, fight_owners, laid_tiles

STARTING: Final = "start"
LAYING: Final = "turn"
FEASTING: Final = "feast"
ABANDONING: Final = "abandon"
"""How a tile comes to a board; events tell it under these names."""

_NOWHERE: Final = (0, 0, 0, 0, 0, 0, 0, 0)


class Placement(NamedTuple):
    """A tile and the places of its first- and its second-named scene, as numbers."""

    tile: int
    first: int
    second: int


class Ground:
    """A board as the next tile finds it, in sets of squares.

    `fits[s]` may be covered by a scene `s` (that the tile touches the tribe is another matter).
    `free` have neither tile nor bear, `touched` touch the active tribe, `apart` touch an abandoned
    tribe, `barred` are closed to `picking`.
    """

    __slots__ = ("across", "apart", "barred", "down", "fits", "free", "touched")

    def __init__(self, player: Player, picking_on_plains: bool) -> None:
        touched = torn = 0
        for near in player.near:
            torn |= touched & near
            touched |= near
        self.touched = touched
        self.free = free = ALL_SQUARES & ~(player.covered | player.bears)  # S§5.1
        self.apart = player.apart  # S§5.2
        self.barred = 0 if picking_on_plains else player.valley.plains  # S§5.4, S§9.4
        # A scene may touch none but its like (S§5.3), so nothing fits where two scenes meet.
        sound = free & ~(player.apart | torn)
        alone = sound & ~touched
        self.fits = [alone | sound & near for near in player.near]
        self.fits[PICKING] &= ~self.barred
        # Two squares side by side of which one touches the tribe, by the left or the upper one.
        self.across = (touched | touched >> 1) & NOT_H
        self.down = touched | touched >> COLUMNS


def left_behind(player: Player) -> Player:
    """The player whose active tribe has just been abandoned: nothing may touch it now (S§5.2)."""
    apart = player.apart
    for near in player.near:
        apart |= near
    return replace(player, near=_NOWHERE, apart=apart, tribe=player.tribe + 1)


def _ground(player: Player, how: str, picking_on_plains: bool) -> Ground:
    """The ground for a way of laying: a tribe about to be abandoned is abandoned (S§11.2)."""
    return Ground(left_behind(player) if how == ABANDONING else player, picking_on_plains)


def _on_cave(token: int, how: str) -> int:
    """The set of scenes that may cover a cave with this token, or NONE (S§3.1, S§5.5, S§11.2)."""
    if how == ABANDONING:
        return ALL_SCENES
    if token == NONE:
        return 0 if how == STARTING else ALL_SCENES
    return 1 << token


def placements(player: Player, how: str, picking_on_plains: bool) -> list[Placement]:
    """Every legal way to lay a tile of the personal pool: pool order, squares before caves."""
    ground = _ground(player, how, picking_on_plains)
    on_caves = _open_caves(player, ground, how)
    in_the_open = how in (LAYING, FEASTING)
    fits = ground.fits
    found = []
    for tile in player.pool:
        a, b = TILE_SCENES[tile]
        fits_a, fits_b = fits[a], fits[b]
        if in_the_open and fits_a and fits_b:
            east, west, south, north = _pairs(ground, fits_a, fits_b)
            if east:
                found += [Placement(tile, q, q + 1) for q in members(east)]
            if west:
                found += [Placement(tile, q + 1, q) for q in members(west)]
            if south:
                found += [Placement(tile, q, q + COLUMNS) for q in members(south)]
            if north:
                found += [Placement(tile, q + COLUMNS, q) for q in members(north)]
        for cave, entrance, scenes in on_caves:
            if fits_b >> entrance & scenes >> a & 1:
                found.append(Placement(tile, cave, entrance))
            if fits_a >> entrance & scenes >> b & 1:
                found.append(Placement(tile, entrance, cave))
    return found


def can_place(player: Player, how: str, picking_on_plains: bool) -> bool:
    """True if `placements` would find any."""
    ground = _ground(player, how, picking_on_plains)
    on_caves = _open_caves(player, ground, how)
    for tile in player.pool:
        a, b = TILE_SCENES[tile]
        fits_a, fits_b = ground.fits[a], ground.fits[b]
        if how in (LAYING, FEASTING) and any(_pairs(ground, fits_a, fits_b)):
            return True
        for _, entrance, scenes in on_caves:
            if (fits_b >> entrance & scenes >> a | fits_a >> entrance & scenes >> b) & 1:
                return True
    return False


def _pairs(ground: Ground, fits_a: int, fits_b: int) -> tuple[int, int, int, int]:
    """For a tile in the open, its left or upper squares where the second scene lies east, west,
    south or north of the first: both fit, and one of them touches the tribe (S§5.2)."""
    across, down = ground.across, ground.down
    return (
        fits_a & fits_b >> 1 & across,
        fits_a >> 1 & fits_b & across,
        fits_a & fits_b >> COLUMNS & down,
        fits_a >> COLUMNS & fits_b & down,
    )


def _open_caves(player: Player, ground: Ground, how: str) -> list[tuple[int, int, int]]:
    """Place, entrance and possible scenes of the caves a tile can reach: a covered entrance closes
    its cave (S§7.3), and in a turn the entrance must touch the tribe (S§5.2)."""
    reach = ground.free & ground.touched if how in (LAYING, FEASTING) else ground.free
    return [
        (site.place, ENTRANCE[site.place], _on_cave(token, how))
        for site, token in zip(player.valley.caves, player.mountain, strict=False)
        if reach >> ENTRANCE[site.place] & 1
    ]


def tile_number(name: str) -> int:
    """The number of a tile. Raises IllegalAction for a name that is none."""
    tile = TILE_INDEX.get(name)
    if tile is None:
        raise illegal("unknown_tile", tile=name)
    return tile


def place_number(name: str) -> int:
    """The number of a place. Raises IllegalAction for a name that is none."""
    place = PLACE_INDEX.get(name)
    if place is None:
        raise illegal("unknown_place", place=name)
    return place


def own_tile(state: State, name: str) -> int:
    """The number of a tile in the personal pool of who is to move. Raises IllegalAction."""
    tile, pool = tile_number(name), state.mover.pool
    if tile not in pool:
        common = tile in state.common
        raise illegal(
            "not_in_own_pool", tile=name, pool=[TILES[own] for own in pool], common=common
        )
    return tile


def check(state: State, how: str, tile: str, first: str, second: str) -> Placement:
    """The placement these names stand for. Raises IllegalAction for one that is not legal now."""
    player = state.mover
    found = Placement(own_tile(state, tile), place_number(first), place_number(second))
    ground = _ground(player, how, state.turn.picking_on_plains)
    if not _allowed(player, ground, found, how):
        raise _fault(player, ground, found, how)
    return found


def _allowed(player: Player, ground: Ground, placement: Placement, how: str) -> bool:
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    if first < SQUARES and second < SQUARES:
        return bool(
            how in (LAYING, FEASTING)
            and NEIGHBOURS[first] >> second & 1
            and ground.fits[a] >> first & 1
            and ground.fits[b] >> second & 1
            and (ground.touched >> first | ground.touched >> second) & 1
        )
    cave, entrance, on_cave, on_entrance = (
        (first, second, a, b) if second < SQUARES else (second, first, b, a)
    )
    return any(
        cave == place
        and entrance == found
        and ground.fits[on_entrance] >> entrance & 1
        and scenes >> on_cave & 1
        for place, found, scenes in _open_caves(player, ground, how)
    )


def _fault(player: Player, ground: Ground, placement: Placement, how: str) -> IllegalAction:
    """The first rule an illegal placement breaks."""
    tile, first, second = placement
    names = {"first": PLACES[first], "second": PLACES[second]}
    rim = [place for place in (first, second) if place >= SQUARES]
    caves = dict(zip((site.place for site in player.valley.caves), player.mountain, strict=False))
    for place in rim:
        if place in WATERFALLS:
            return illegal("on_waterfall", place=PLACES[place])
        if place not in caves:
            known = [PLACES[cave] for cave in caves]
            return illegal("no_such_cave", place=PLACES[place], caves=known)
    if rim and ENTRANCE[rim[0]] != (first + second - rim[0]):
        given = PLACES[first + second - rim[0]]
        entrance = PLACES[ENTRANCE[rim[0]]]
        return illegal("not_the_entrance", cave=PLACES[rim[0]], entrance=entrance, given=given)
    if not rim:
        if how == STARTING:
            return illegal("start_on_cave", **names)
        if how == ABANDONING:
            return illegal("abandon_on_cave", **names)
        if not NEIGHBOURS[first] >> second & 1:
            return illegal("not_side_by_side", **names)
    parts = list(zip(TILE_SCENES[tile], (first, second), strict=True))
    for scene, place in parts:
        if place < SQUARES and (found := _square_fault(player, ground, scene, place, how, rim)):
            return found
    for scene, place in parts:
        if place >= SQUARES and not _on_cave(caves[place], how) >> scene & 1:
            token = SCENES[caves[place]]
            return illegal(
                "not_the_tokens_scene", cave=PLACES[place], scene=SCENES[scene], token=token
            )
    return illegal("touches_nothing", **names)


def _square_fault(
    player: Player, ground: Ground, scene: int, square: int, how: str, rim: list[int]
) -> IllegalAction | None:
    """The first rule broken by a scene on a square, or None."""
    board = scenes_on(player)
    name = PLACES[square]
    if not ground.free >> square & 1:
        by_tile = square in board
        if rim:
            by = "tile" if by_tile else "bear"
            return illegal("cave_closed", cave=PLACES[rim[0]], entrance=name, by=by)
        if by_tile:
            return illegal("under_tile", square=name, tile=TILES[board[square].tile])
        return illegal("under_bear", square=name)
    around = [other for other in members(NEIGHBOURS[square]) if other in board]
    for other in around:
        tile, found, tribe = board[other]
        context = {"square": name, "other": PLACES[other], "tile": TILES[tile]}
        if how == ABANDONING:
            return illegal("abandon_touches", **context)
        if tribe != player.tribe:
            return illegal("touches_abandoned", **context)
    for other in around:
        tile, found, _ = board[other]
        if found != scene:
            return illegal(
                "scene_mismatch",
                square=name,
                scene=SCENES[scene],
                other=PLACES[other],
                other_scene=SCENES[found],
                tile=TILES[tile],
            )
    if scene == PICKING and ground.barred >> square & 1:
        return illegal("picking_on_plain", square=name)
    return None


class OnSquare(NamedTuple):
    """The cover of a square: a tile, its scene there, and the tribe it belongs to."""

    tile: int
    scene: int
    tribe: int


def scenes_on(player: Player) -> dict[int, OnSquare]:
    """The scenes that the tiles of a board show, by square; scenes on caves are left out."""
    return {
        place: OnSquare(laid.tile, scene, laid.tribe)
        for laid in laid_tiles(player)
        for scene, place in zip(TILE_SCENES[laid.tile], (laid.first, laid.second), strict=True)
        if place < SQUARES
    }


def rivals_on(state: State, tile: int) -> tuple[Seat, ...]:
    """The other players' fight tokens on a tile, as owners, ascending: those that cost the
    mover.
    """
    seat = state.turn.seat
    owners = fight_owners(state, tile)
    return tuple(owner for owner in owners if owner != seat) if seat in owners else owners


def orders(state: State, tile: int) -> Iterator[tuple[Seat, ...]]:
    """The orders the mover may choose for the fight tokens on a tile (S§6.1, S§8.4).

    The order matters, and is given, when tokens of several others lie on it and the mover's FP
    suffice for some but not for all of them; otherwise the only one is ().
    """
    rivals = rivals_on(state, tile)
    if _order_matters(state, rivals):
        yield from _arrangements(rivals)
    else:
        yield ()


def _arrangements(owners: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
    """Every order of these, equal ones once, ascending."""
    if not owners:
        yield ()
    for owner in sorted(set(owners)):
        at = owners.index(owner)
        for rest in _arrangements(owners[:at] + owners[at + 1 :]):
            yield (owner, *rest)


def check_order(state: State, tile: int, order: tuple[Seat, ...]) -> None:
    """Raises IllegalAction for an order that `orders` would not give."""
    rivals = rivals_on(state, tile)
    if not _order_matters(state, rivals):
        if order:
            raise illegal("order_without_effect", tile=TILES[tile])
    elif not order:
        raise illegal("order_needed", tile=TILES[tile], owners=list(rivals))
    elif tuple(sorted(order)) != rivals:
        raise illegal("order_wrong", tile=TILES[tile], owners=list(rivals), order=list(order))


def _order_matters(state: State, rivals: tuple[Seat, ...]) -> bool:
    return len(rivals) > 1 and len(set(rivals)) > 1 and 0 < state.mover.fp < len(rivals)


def scene_number(name: str) -> int:
    """The number of a scene. Raises IllegalAction for a name that is none."""
    if name not in SCENES:
        raise illegal("unknown_scene", scene=name)
    return SCENES.index(name)


def scene_names(scenes: int) -> list[str]:
    """The names in a set of scenes, for contexts and events."""
    return list(SCENE_SETS[scenes])
