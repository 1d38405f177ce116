"""Laying a tile (S§6, S§7): fight tokens, food, bonuses earned, the cave.

Functions here trust that the placement is legal. They add what happened to `events`.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.kit.tuples import put, with_player
from engine.protocol import Event, Seat
from engine.sapiens.components import (
    NEIGHBOURS,
    PLACES,
    SCENE_OR_NONE,
    SCENES,
    SQUARES,
    TILE_SCENES,
    TILES,
)
from engine.sapiens.events import event
from engine.sapiens.placing import (
    ABANDONING,
    FEASTING,
    LAYING,
    Placement,
    left_behind,
    rivals_on,
    scene_names,
)
from engine.sapiens.scoring import Connected, cave_index, cave_value, connected
from engine.sapiens.state import (
    BONUS,
    NONE,
    REFILL,
    Player,
    State,
    fight_owners,
    pack,
)


def lay(
    state: State, placement: Placement, order: tuple[Seat, ...], how: str, events: list[Event]
) -> State:
    """Lay a tile and resolve it up to its bonuses, in the order of S§6."""
    turn = state.turn
    state = settle_fights(state, placement.tile, order, events)
    player = state.mover
    cave = cave_index(player, placement)
    if how == ABANDONING:
        player = _abandon(player, cave, turn.seat, events)
    fp = bonuses = 0
    scored = connected(player, placement) if how == LAYING else ()
    for scene, _, food in scored:
        fp += food
        bonuses |= 1 << scene
    player = _put(player, placement, turn.number, fp)
    events.append(_told(player, placement, how, scored, fp, turn.seat))
    if bonuses:
        turn = replace(turn, phase=BONUS, bonuses=bonuses, cave=cave)
    else:
        if cave != NONE:
            player = _score_cave(player, cave, turn.seat, events)
        if how != FEASTING:
            turn = replace(turn, phase=REFILL)
    return replace(state, players=put(state.players, turn.seat, player), turn=turn)


def settle_fights(state: State, tile: int, order: tuple[Seat, ...], events: list[Event]) -> State:
    """The fight tokens on a tile about to be laid by the mover (S§6.1, S§8.4), who pays 1 FP to
    the owner of each, in this order, while there are any. All tokens go home; the own ones have no
    effect.
    """
    owners = fight_owners(state, tile)
    if not owners:
        return state
    seat = state.turn.seat
    name = TILES[tile]
    fp = [player.fp for player in state.players]
    for owner in order or rivals_on(state, tile):
        if fp[seat]:
            fp[seat] -= 1
            fp[owner] += 1
            events.append(event("fight_paid", seat, tile=name, owner=owner))
        else:
            events.append(event("fight_unpaid", seat, tile=name, owner=owner))
    if seat in owners:
        events.append(event("fight_own", seat, tile=name))
    players = tuple(
        replace(player, fp=points) for player, points in zip(state.players, fp, strict=True)
    )
    return fights_home(replace(state, players=players), tile)


def fights_home(state: State, tile: int) -> State:
    """All fight tokens on a tile return to their owners."""
    players = tuple(
        replace(player, fights=tuple(marked for marked in player.fights if marked != tile))
        if tile in player.fights
        else player
        for player in state.players
    )
    return replace(state, players=players)


def _put(player: Player, placement: Placement, number: int, fp: int) -> Player:
    """The tile moves from the pool to the board, and the sets of squares follow."""
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    near = list(player.near)
    covered = player.covered
    if first < SQUARES:
        near[a] |= NEIGHBOURS[first]
        covered |= 1 << first
    if second < SQUARES:
        near[b] |= NEIGHBOURS[second]
        covered |= 1 << second
    return replace(
        player,
        fp=player.fp + fp,
        laid=(*player.laid, pack(tile, first, second, player.tribe, number)),
        covered=covered,
        near=tuple(near),
        pool=tuple([own for own in player.pool if own != tile]),
    )


def _told(
    player: Player,
    placement: Placement,
    how: str,
    scored: tuple[Connected, ...],
    fp: int,
    seat: Seat,
) -> Event:
    tile, first, second = placement
    gains: list[dict[str, Any]] = [
        {"scene": SCENES[scene], "square": PLACES[square], "fp": food}
        for scene, square, food in scored
    ]
    return event(
        "laid",
        seat,
        tile=TILES[tile],
        first=PLACES[first],
        second=PLACES[second],
        how=how,
        fp=fp,
        connected=gains,
        tribe=player.tribe,
    )


def _abandon(player: Player, cave: int, seat: Seat, events: list[Event]) -> Player:
    """Leave the active tribe for good and discard the token of the new cave (S§11.2-3)."""
    token = player.mountain[cave]
    events.append(
        event(
            "abandoned",
            seat,
            cave=PLACES[player.valley.caves[cave].place],
            discarded=SCENE_OR_NONE[token],
            tribe=player.tribe,
        )
    )
    if token != NONE:
        player = replace(
            player, mountain=without_token(player, cave), lost=player.lost | 1 << token
        )
    return left_behind(player)


def without_token(player: Player, at: int) -> tuple[int, ...]:
    """The mountain tokens on the board when the one at this index of `mountain` is gone."""
    return (*player.mountain[:at], NONE, *player.mountain[at + 1 :])


def _score_cave(player: Player, cave: int, seat: Seat, events: list[Event]) -> Player:
    """Score a covered cave and claim its token, if there is one (S§7.1-2)."""
    name = PLACES[player.valley.caves[cave].place]
    token = player.mountain[cave]
    sp = cave_value(player, cave)
    value = "low" if token == NONE else "high"
    events.append(event("cave_scored", seat, cave=name, value=value, sp=sp))
    if token == NONE:
        return replace(player, sp=player.sp + sp)
    events.append(event("token_claimed", seat, scene=SCENES[token], place=name, by="cave"))
    return replace(
        player,
        sp=player.sp + sp,
        mountain=without_token(player, cave),
        claimed=player.claimed | 1 << token,
    )


def close(state: State, events: list[Event]) -> State:
    """End the resolution of the mandatory tile: bonuses left are declined, its cave is scored
    (S§6.4).

    Nothing happens in any phase but "bonus".
    """
    turn = state.turn
    if turn.phase != BONUS:
        return state
    if turn.bonuses:
        events.append(event("declined", turn.seat, scenes=scene_names(turn.bonuses)))
    if turn.cave != NONE:
        player = _score_cave(state.mover, turn.cave, turn.seat, events)
        state = with_player(state, turn.seat, player)
    return replace(state, turn=replace(turn, phase=REFILL, bonuses=0, cave=NONE))
