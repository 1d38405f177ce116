"""The reasons for suggested moves: what differs between the places they lead to, which nobody has
seen. Of places all is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from engine.fire_and_stone import actions as do
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.worth import Prospects, beside, near
from engine.fire_and_stone.map import INDEX, NAMES, SHORE, distances
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
    """A fire with so many places face down `near` it: within the steps of the next turn; `toward`
    is the best that can be walked to from there, with its tile, where that is none of those.
    """

    near: int
    toward: tuple[str, str] | None


Why: TypeAlias = Reason | AtFire | None


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Why]:
    """For each of these submissions that walks to a tile face down, what is known of the place; for
    one that chooses a fire, what lies about it.
    """
    return [_reason(state, seat, actions) for actions in suggested]


def _reason(state: State, seat: Seat, actions: Sequence[Action]) -> Why:
    match actions[:1]:
        case (do.Return(fire=name),) | (do.Second(fire=name),):
            fire = INDEX[name]
            _, there = Prospects(state, seat).goal(fire)
            tile = "village" if state.huts_at(there) else state.tiles[there]
            seen = tile and not state.down >> there & 1
            return AtFire(
                near=near(state, seat, fire), toward=(NAMES[there], tile) if seen else None
            )
    if state.turn.phase != Phase.MOVE:
        return None
    explorer = max(0, state.turn.explorer)
    for action in actions:
        match action:
            case do.Lead(explorer=number):
                explorer = number - 1
            case do.Go(place=name):
                place, player = INDEX[name], state.players[seat]
                if not (state.down & ~player.looked) >> place & 1:
                    return None
                return Reason(
                    steps=distances(player.explorers[explorer], state.open_land)[place],
                    unseen=beside(state, seat, place),
                    shore=bool(SHORE >> place & 1),
                )
    return None
