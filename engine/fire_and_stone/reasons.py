"""The reasons for suggested moves: what differs between the places they lead to, which nobody has
seen, or between game tiles. Of places all is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX, LAND, SHORE, distances
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Seat


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """A place face down so many `steps` away, with so many others beside it that are `unseen`, on a
    `shore` or not.
    """

    steps: int
    unseen: int
    shore: bool


class AtFire(msgspec.Struct, frozen=True, kw_only=True):
    """A fire with so many places face down `near` it: within the steps of the next turn."""

    near: int


class Cooks(msgspec.Struct, frozen=True, kw_only=True):
    """Game tiles that give so much when they are cooked (F§7.5)."""

    bags: int
    food: int


Why: TypeAlias = Reason | AtFire | Cooks | None


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Why]:
    """For each of these submissions that walks to a tile face down, what is known of the place; for
    one that chooses a fire, what lies about it; for one that keeps game, what that is worth.
    """
    return [_reason(state, seat, actions) for actions in suggested]


def _reason(state: State, seat: Seat, actions: Sequence[Action]) -> Why:
    match actions[:1]:
        case (do.Return(fire=name),) | (do.Second(fire=name),):
            return AtFire(near=_near(state, seat, INDEX[name]))
        case (do.Keep(pieces=pieces),):
            kept = [box.GAME[box.GAME_INDEX[piece]] for piece in pieces]
            return Cooks(bags=sum(tile.bags for tile in kept), food=sum(t.food for t in kept))
    if state.turn.phase != Phase.MOVE:
        return None
    explorer = max(0, state.turn.explorer)
    for action in actions:
        match action:
            case do.Lead(explorer=number):
                explorer = number - 1
            case do.Go(place=name):
                place, player = INDEX[name], state.players[seat]
                hidden = state.down & ~player.looked
                if not hidden >> place & 1:
                    return None
                return Reason(
                    steps=distances(player.explorers[explorer], state.open_land)[place],
                    unseen=(hidden & LAND[place] & state.open_land).bit_count(),
                    shore=bool(SHORE >> place & 1),
                )
    return None


_STEPS = 2


def _near(state: State, seat: Seat, fire: int) -> int:
    """How many places that the seat has not seen a walk from a fire can lead to."""
    hidden = state.down & ~state.players[seat].looked
    away = distances(fire, state.open_land)
    return sum(1 for n in INDEX.values() if hidden >> n & 1 and 0 < away[n] <= _STEPS)
