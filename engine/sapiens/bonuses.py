"""The legal uses of a bonus (S§8, S§9.2-5): listed, and checked one by one.

Every check gives the numbers its action stands for, or raises IllegalAction; `effects` uses them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.protocol import Seat
from engine.sapiens import placing
from engine.sapiens.actions import (
    Bonus,
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Picking,
    PutBear,
    Recall,
    RemoveBear,
    Water,
)
from engine.sapiens.components import (
    CAMP,
    FEAST,
    FIGHT,
    FIRE,
    HUNT,
    NEIGHBOURS,
    PICKING,
    PLACES,
    RITUAL,
    SCENE_SETS,
    SQUARES,
    TILES,
    WATER,
    WATERFALLS,
    members,
    names,
)
from engine.sapiens.errors import illegal
from engine.sapiens.placing import FEASTING, Placement, own_tile, place_number, tile_number
from engine.sapiens.state import NONE, Player, State, holder

SCENE_OF: dict[type[Bonus], int] = {
    Feast: FEAST,
    Picking: PICKING,
    Claim: RITUAL,
    Recall: RITUAL,
    Fight: FIGHT,
    Water: WATER,
    Camp: CAMP,
    Hunt: HUNT,
    PutBear: FIRE,
    RemoveBear: FIRE,
}
"""The scene whose bonus an action uses."""


def options(state: State, scene: int, as_token: bool) -> Sequence[Bonus]:
    """Every legal use of this scene's bonus by the mover, of a tile or of a token."""
    if scene == FEAST:
        return _feasts(state)
    if scene == PICKING:
        return [Picking()]
    if scene == RITUAL:
        return _rituals(state)
    if scene == FIGHT:
        return _fights(state)
    if scene == WATER:
        return _waters(state)
    if scene == CAMP:
        return [Camp()]
    if scene == HUNT:
        return [Hunt(convert=n) for n in range(1 if as_token else steaks_after(state) + 1)]
    return _fires(state)


def check(state: State, action: Bonus, as_token: bool) -> None:
    """Raises IllegalAction for a use that `options` would not give."""
    if isinstance(action, Feast):
        check_feast(state, action)
    elif isinstance(action, Claim):
        check_claim(state, action)
    elif isinstance(action, Recall):
        check_recall(state, action)
    elif isinstance(action, Fight):
        check_fight(state, action)
    elif isinstance(action, Water):
        check_water(state, action)
    elif isinstance(action, Hunt):
        check_hunt(state, action, as_token)
    elif isinstance(action, PutBear):
        check_bear(state, action)
    elif isinstance(action, RemoveBear):
        check_unbear(state, action)


# S§8.1 feast


def _feasts(state: State) -> list[Feast]:
    found = placing.placements(state.mover, FEASTING, state.turn.picking_on_plains)
    return [
        Feast(tile=TILES[tile], first=PLACES[first], second=PLACES[second], order=order)
        for tile, first, second in found
        for order in placing.orders(state, tile)
    ]


def check_feast(state: State, action: Feast) -> Placement:
    """The placement of the extra tile."""
    placement = placing.check(state, FEASTING, action.tile, action.first, action.second)
    placing.check_order(state, placement.tile, action.order)
    return placement


# S§8.3 ritual


def token_places(player: Player) -> tuple[int, ...]:
    """The places a player's mountain tokens start on, in the order of `Player.mountain`."""
    return (*(site.place for site in player.valley.caves), *WATERFALLS)


def _lying(state: State) -> dict[int, int]:
    """Where the mover's mountain tokens lie: index in `mountain` by place. The one on the cave of
    the tile being resolved is claimed already (S§6.3).
    """
    player = state.mover
    return {
        place: index
        for index, place in enumerate(token_places(player))
        if player.mountain[index] != NONE and index != state.turn.cave
    }


def _rituals(state: State) -> Sequence[Claim | Recall]:
    if lying := _lying(state):
        return [Claim(place=PLACES[place]) for place in lying]
    return [Recall(scene=scene) for scene in SCENE_SETS[state.mover.used]]


def check_claim(state: State, action: Claim) -> int:
    """The index in `mountain` of the token."""
    place = place_number(action.place)
    lying = _lying(state)
    if place in lying:
        return lying[place]
    player, cave = state.mover, state.turn.cave
    on_the_tiles = cave != NONE and place == player.valley.caves[cave].place
    if on_the_tiles and player.mountain[cave] != NONE:
        raise illegal("token_is_the_tiles", place=action.place)
    raise illegal("no_token_there", place=action.place, lying=[PLACES[p] for p in lying])


def check_recall(state: State, action: Recall) -> int:
    """The scene of the token."""
    scene = placing.scene_number(action.scene)
    if lying := _lying(state):
        raise illegal("tokens_still_lie", lying=[PLACES[place] for place in lying])
    used = state.mover.used
    if not used >> scene & 1:
        raise illegal("token_not_used", scene=action.scene, used=placing.scene_names(used))
    return scene


# S§8.4 fight


def _fights(state: State) -> list[Fight]:
    player = state.mover
    pools = (*(other.pool for other in state.players), state.common)
    tiles = [TILES[tile] for pool in pools for tile in pool]
    if player.fight_tokens:
        return [Fight(tile=tile) for tile in tiles]
    sources = [TILES[tile] for tile in dict.fromkeys(player.fights)]
    # From a tile to itself is a move as well: any token may be taken back at any time (S§4.4).
    return [Fight(tile=tile, moved=source) for tile in tiles for source in sources]


def check_fight(state: State, action: Fight) -> tuple[int, int]:
    """The tile to be marked, and the tile the token is moved from or NONE."""
    player = state.mover
    tile = pool_tile(state, action.tile)
    if not action.moved:
        if player.fight_tokens == 0:
            raise illegal("fight_tokens_all_out", tiles=[TILES[t] for t in player.fights])
        return tile, NONE
    if player.fight_tokens:
        raise illegal("fight_token_at_home", home=player.fight_tokens)
    return tile, own_fight(state, action.moved)


def own_fight(state: State, name: str) -> int:
    """The tile of this name, which a fight token of the mover lies on (S§4.4)."""
    tile = tile_number(name)
    fights = state.mover.fights
    if tile not in fights:
        raise illegal("no_fight_token_on", tile=name, tiles=[TILES[t] for t in fights])
    return tile


def pool_tile(state: State, name: str) -> int:
    """The tile of this name, which lies in a pool."""
    tile = tile_number(name)
    try:
        holder(state, tile)
    except KeyError:
        raise illegal("in_no_pool", tile=name) from None
    return tile


# S§8.5 water


def _waters(state: State) -> list[Water]:
    mover = state.mover
    pools = (*(other.pool for other in state.players if other is not mover), state.common)
    tiles = [TILES[tile] for pool in pools for tile in pool]
    return [Water(give=TILES[own], get=other) for own in mover.pool for other in tiles]


def check_water(state: State, action: Water) -> tuple[int, int, Seat | None]:
    """The tile given, the tile got, and whose pool it comes from (None: the common pool)."""
    give = own_tile(state, action.give)
    get = pool_tile(state, action.get)
    pool = holder(state, get)
    if pool == state.turn.seat:
        raise illegal("swap_with_own", tile=action.get)
    return give, get, pool


# S§8.7 hunt, S§9.2


def steaks_after(state: State) -> int:
    """The mover's steaks after taking one, if the supply has one."""
    return state.mover.steaks + min(1, state.steaks)


def check_hunt(state: State, action: Hunt, as_token: bool) -> int:
    """The number of steaks converted."""
    if as_token and action.convert:
        raise illegal("token_converts_nothing", convert=action.convert)
    steaks = steaks_after(state)
    if not 0 <= action.convert <= steaks:
        raise illegal("too_few_steaks", convert=action.convert, steaks=steaks)
    return action.convert


# S§8.8 fire


def _fires(state: State) -> Sequence[PutBear | RemoveBear]:
    removals = [RemoveBear(square=square) for square in names(state.mover.bears)]
    if not state.bears:
        return removals
    bears = [
        PutBear(board=seat, square=square)
        for seat, player in enumerate(state.players)
        if seat != state.turn.seat
        for square in names(bear_squares(player))
    ]
    return [*bears, *removals]


def bear_squares(player: Player) -> int:
    """The free squares that touch a tile of any of the player's tribes."""
    touching = player.apart
    for near in player.near:
        touching |= near
    return touching & ~(player.covered | player.bears)


def touching(player: Player, square: int) -> tuple[int, ...]:
    """The tiles of a board side by side with a square, in the order of their squares there.

    No tile touches a square twice: two squares side by side have no common neighbour.
    """
    board = placing.scenes_on(player)
    return tuple(board[other].tile for other in members(NEIGHBOURS[square]) if other in board)


def check_bear(state: State, action: PutBear) -> tuple[Seat, int]:
    """The board and the square a bear is put on."""
    seat = action.board
    if not 0 <= seat < len(state.players):
        raise illegal("unknown_player", seat=seat)
    square = place_number(action.square)
    if seat == state.turn.seat:
        raise illegal("bear_on_own_board")
    if not state.bears:
        raise illegal("no_bear_left")
    if square >= SQUARES:
        raise illegal("bear_off_squares", place=action.square)
    player = state.players[seat]
    if not bear_squares(player) >> square & 1:
        if player.bears >> square & 1:
            raise illegal("bear_on_bear", board=seat, square=action.square)
        if player.covered >> square & 1:
            tile = TILES[placing.scenes_on(player)[square].tile]
            raise illegal("bear_on_tile", board=seat, square=action.square, tile=tile)
        raise illegal("bear_touches_nothing", board=seat, square=action.square)
    return seat, square


def check_unbear(state: State, action: RemoveBear) -> int:
    """The square a bear is taken from."""
    square = place_number(action.square)
    bears = state.mover.bears
    if square >= SQUARES or not bears >> square & 1:
        raise illegal("no_bear_there", square=action.square, bears=list(names(bears)))
    return square
