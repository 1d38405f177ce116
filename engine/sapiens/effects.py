"""The effects of a bonus (S§8), used for a tile or played as a token (S§9).

Each effect checks its action (by `bonuses`), tells `events` and gives the new position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.kit.tuples import with_player
from engine.protocol import Event
from engine.sapiens import bonuses
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
    Retrieve,
    Water,
)
from engine.sapiens.components import PLACES, SCENES, TILES
from engine.sapiens.events import event
from engine.sapiens.laying import lay, without_token
from engine.sapiens.placing import FEASTING
from engine.sapiens.scoring import CAMP_SP, PICKING_FP, steak_value
from engine.sapiens.state import NONE, State, holder


def use(state: State, action: Bonus, as_token: bool, events: list[Event]) -> State:
    """Use a bonus. Raises IllegalAction. Whether it is earned is not asked here."""
    return _EFFECTS[type(action)](state, action, as_token, events)


def _feast(state: State, action: Feast, as_token: bool, events: list[Event]) -> State:
    return lay(state, bonuses.check_feast(state, action), action.order, FEASTING, events)


def _picking(state: State, action: Picking, as_token: bool, events: list[Event]) -> State:
    seat = state.turn.seat
    if as_token:  # S§9.4
        events.append(event("plains_opened", seat))
        return replace(state, turn=replace(state.turn, picking_on_plains=True))
    events.append(event("picked", seat, fp=PICKING_FP))
    player = state.mover
    return with_player(state, seat, replace(player, fp=player.fp + PICKING_FP))


def _claim(state: State, action: Claim, as_token: bool, events: list[Event]) -> State:
    index = bonuses.check_claim(state, action)
    seat, player = state.turn.seat, state.mover
    scene = player.mountain[index]
    events.append(
        event("token_claimed", seat, scene=SCENES[scene], place=action.place, by="ritual")
    )
    player = replace(
        player, mountain=without_token(player, index), claimed=player.claimed | 1 << scene
    )
    return with_player(state, seat, player)


def _recall(state: State, action: Recall, as_token: bool, events: list[Event]) -> State:
    scene = bonuses.check_recall(state, action)
    seat, player = state.turn.seat, state.mover
    events.append(event("token_recalled", seat, scene=action.scene))
    player = replace(player, used=player.used & ~(1 << scene), claimed=player.claimed | 1 << scene)
    return with_player(state, seat, player)


def _fight(state: State, action: Fight, as_token: bool, events: list[Event]) -> State:
    tile, moved = bonuses.check_fight(state, action)
    seat, player = state.turn.seat, state.mover
    events.append(
        event(
            "fight_placed",
            seat,
            tile=action.tile,
            pool=holder(state, tile),
            moved=action.moved or None,
        )
    )
    fights = player.fights if moved == NONE else _one_less(player.fights, moved)
    player = replace(player, fights=tuple(sorted((*fights, tile))))
    return with_player(state, seat, player)


def retrieve(state: State, action: Retrieve, events: list[Event]) -> State:
    """Take back an own fight token (S§4.4). Raises IllegalAction."""
    tile = bonuses.own_fight(state, action.tile)
    seat, player = state.turn.seat, state.mover
    events.append(event("fight_retrieved", seat, tile=action.tile, pool=holder(state, tile)))
    return with_player(state, seat, replace(player, fights=_one_less(player.fights, tile)))


def _one_less(fights: tuple[int, ...], tile: int) -> tuple[int, ...]:
    at = fights.index(tile)
    return fights[:at] + fights[at + 1 :]


def _water(state: State, action: Water, as_token: bool, events: list[Event]) -> State:
    give, get, pool = bonuses.check_water(state, action)
    seat, player = state.turn.seat, state.mover
    events.append(event("swapped", seat, gave=action.give, got=action.get, pool=pool))
    state = with_player(state, seat, replace(player, pool=_swapped(player.pool, give, get)))
    if pool is None:
        return replace(state, common=_swapped(state.common, get, give))
    other = state.players[pool]
    return with_player(state, pool, replace(other, pool=_swapped(other.pool, get, give)))


def _swapped(pool: tuple[int, ...], out: int, into: int) -> tuple[int, ...]:
    return tuple(into if tile == out else tile for tile in pool)


def _camp(state: State, action: Camp, as_token: bool, events: list[Event]) -> State:
    seat, player = state.turn.seat, state.mover
    events.append(event("camped", seat, sp=CAMP_SP))
    return with_player(state, seat, replace(player, sp=player.sp + CAMP_SP))


def _hunt(state: State, action: Hunt, as_token: bool, events: list[Event]) -> State:
    converted = bonuses.check_hunt(state, action, as_token)
    seat, player = state.turn.seat, state.mover
    left = bonuses.steaks_after(state) - converted
    taken = min(1, state.steaks)
    fp = steak_value(converted)
    events.append(event("hunted", seat, taken=taken, converted=converted, fp=fp, left=left))
    state = replace(state, steaks=state.steaks - taken + converted)
    return with_player(state, seat, replace(player, fp=player.fp + fp, steaks=left))


def _bear(state: State, action: PutBear, as_token: bool, events: list[Event]) -> State:
    board, square = bonuses.check_bear(state, action)
    seat, player, other = state.turn.seat, state.mover, state.players[action.board]
    tiles = [TILES[tile] for tile in bonuses.touching(other, square)]
    sp = len(tiles)
    events.append(event("bear_put", seat, board=board, square=PLACES[square], tiles=tiles, sp=sp))
    state = with_player(state, board, replace(other, bears=other.bears | 1 << square))
    state = with_player(state, seat, replace(player, sp=player.sp + sp))
    return replace(state, bears=state.bears - 1)


def _unbear(state: State, action: RemoveBear, as_token: bool, events: list[Event]) -> State:
    square = bonuses.check_unbear(state, action)
    seat, player = state.turn.seat, state.mover
    events.append(event("bear_removed", seat, square=action.square))
    state = with_player(state, seat, replace(player, bears=player.bears & ~(1 << square)))
    return replace(state, bears=state.bears + 1)


_EFFECTS: dict[type[Bonus], Callable[[State, Any, bool, list[Event]], State]] = {
    Feast: _feast,
    Picking: _picking,
    Claim: _claim,
    Recall: _recall,
    Fight: _fight,
    Water: _water,
    Camp: _camp,
    Hunt: _hunt,
    PutBear: _bear,
    RemoveBear: _unbear,
}
