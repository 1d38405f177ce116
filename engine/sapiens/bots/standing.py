"""A player's standing, as the score a game may end with: the measure of the bot `planner`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.protocol import Seat
from engine.sapiens.bots.outlook import NOTHING, Plan, Points, average, plan, prospects
from engine.sapiens.components import (
    CAMP,
    FEAST,
    FIGHT,
    FIRE,
    HUNT,
    PICKING,
    RITUAL,
    WATER,
    members,
)
from engine.sapiens.placing import LAYING, can_place
from engine.sapiens.scoring import steak_value
from engine.sapiens.state import Player, State

_TOKEN: Final[Mapping[int, Points]] = {
    FEAST: Points(0.8, 1.2),
    PICKING: Points(1.0, 0.5),
    RITUAL: Points(0.9, 1.1),
    FIGHT: Points(0.8, 0.0),
    WATER: Points(0.5, 0.5),
    CAMP: Points(0.0, 3.0),
    HUNT: Points(1.2, 0.0),
    FIRE: Points(0.0, 2.3),
}
"""What a claimed mountain token brings when it is played (S§9)."""
_TOKEN_SHARE: Final = 0.85
"""One token a turn: a claimed one may find no good turn."""

_STEAKS_SHARE: Final = 0.7
"""The chance that steaks kept will be converted, with turns enough."""
_STEAK_HOPE: Final = 0.5
"""FP that a kept steak adds to those converted with it later."""
_MOST_HOPES: Final = 4

_MARK_IN_POOL: Final = 0.75
_MARK_IN_COMMON: Final = 0.35
_MARKED: Final = 0.5
"""FP for an own fight token on another player's tile, on a common one; against, on an own tile."""

_BALANCE: Final = 0.6
_TURNS_TO_HALF: Final = 2
"""How much of the gap between FP and SP turns to come can close by choosing for it: with so many
turns half of this share, with many nearly all of it."""

_FORESEEN: Final = 1, 3
"""Turns that are tried out for a suggestion, and placements in each."""

_TILT: Final = 0.12
_MOST_TILT: Final = 0.35
"""How far the lacking kind of points is preferred in planning, per point a turn it lacks."""


def turns_left(state: State) -> int:
    """The mover's turns after this one, if each takes one tile: until S§12.1 ends the round."""
    seats = len(state.players)
    playing = [seat for seat, player in enumerate(state.players) if not player.out]
    tiles = len(state.stack) + len(state.common)
    a_turn = 2 if seats == 2 else 1  # S§13.1
    turns = 0 if state.ending else max(1, -(-tiles // a_turn))
    order = sorted(playing, key=lambda seat: (seat - state.first) % seats)
    after = len(order) - order.index(state.turn.seat) - 1
    """Turns of others in this round after the mover's."""
    rest = max(0, turns - 1 - after)
    return -(-rest // len(order))


def standing(
    state: State,
    seat: Seat,
    turns: int,
    *,
    depth: int = 0,
    width: int = 1,
    extra: Points = NOTHING,
) -> tuple[float, int]:
    """The score the seat may end with, having `turns` more turns, and the positions visited.

    `extra` are points it has not got yet and will.

    With a `depth` the personal pool is tried out over so many turns, `width` placements in each.
    """
    player = state.players[seat]
    held = Points(player.fp, player.sp).plus(extra)
    for part in _holdings(state, seat, turns).values():
        held = held.plus(part)
    if player.out or turns <= 0:
        return _score(held, 0), 1
    hoped = held.plus(average(player, turns))
    if not depth:
        return _score(hoped, turns), 1
    found = _planned(player, turns, hoped, depth, width)
    return _score(held.plus(found.points), turns), found.visited


def foreseen(state: State, seat: Seat, turns: int) -> float:
    """The standing with the next turn tried out, by which suggestions are ordered: a tribe that no
    tile of the pool can go on with is worth little.
    """
    depth, width = _FORESEEN
    return standing(state, seat, turns, depth=depth, width=width)[0]


def _planned(player: Player, turns: int, hoped: Points, depth: int, width: int) -> Plan:
    """The turns to come, planned for what lacks in all that is `hoped` for."""
    lack = max(-_MOST_TILT, min(_MOST_TILT, _TILT * (hoped.sp - hoped.fp) / (turns + 2)))
    return plan(player, turns, Points(0.5 + lack, 0.5 - lack), depth, width)


def _score(points: Points, turns: int) -> float:
    """The lower of FP and SP (S§12.2), raised by what choosing for it can still even out."""
    low, high = sorted(points)
    return low + _evening(turns) * (high - low) / 2


def parts(state: State, seat: Seat, turns: int) -> dict[str, Points]:
    """The parts of the standing of a seat as it is `foreseen`: the points it has, what it holds,
    what its board may bring, and what its tiles bring beyond that, by the names of `Reason`.
    """
    player = state.players[seat]
    found = {
        "food": Points(player.fp, 0.0),
        "shelter": Points(0.0, player.sp),
        **_holdings(state, seat, turns),
    }
    if not player.out and turns > 0:
        hoped = prospects(player, turns)
        found["room"] = hoped.room
        found["rich"] = Points(hoped.food, 0.0)
        found["caves"] = Points(0.0, hoped.caves)
        held = NOTHING
        for part in found.values():
            held = held.plus(part)
        planned = _planned(player, turns, held, *_FORESEEN).points
        found["tiles"] = planned.plus(average(player, turns), -1)
    return found


def slopes(points: Points, turns: int) -> Points:
    """The share of a point of each kind in the standing: the one that lacks counts more."""
    even = _evening(turns) / 2
    return Points(even, 1 - even) if points.fp > points.sp else Points(1 - even, even)


def _evening(turns: int) -> float:
    return _BALANCE * turns / (turns + _TURNS_TO_HALF)


def _holdings(state: State, seat: Seat, turns: int) -> dict[str, Points]:
    """What mountain tokens, steaks and fight tokens are worth with so many turns to come."""
    if turns <= 0:
        return {}
    player = state.players[seat]
    tokens = sorted((_TOKEN[scene] for scene in members(player.claimed)), key=sum, reverse=True)
    held = NOTHING
    for token in tokens[:turns]:
        held = held.plus(token, _TOKEN_SHARE)
    return {
        "token": held,
        "steaks": Points(_steaks(player.steaks, turns), 0.0),
        "fights": Points(_marks(state, seat), 0.0),
    }


def _steaks(steaks: int, turns: int) -> float:
    now = _STEAKS_SHARE * steak_value(steaks) * min(1.0, turns / 3)
    return now + _STEAK_HOPE * min(steaks, _MOST_HOPES) * min(1.0, turns / 4)


def _marks(state: State, seat: Seat) -> float:
    """Fight tokens: own ones on tiles others may lay, others' on own tiles."""
    own = state.players[seat]
    worth = 0.0
    for other, player in enumerate(state.players):
        if other != seat:
            worth -= _MARKED * _lying(player, own.pool)
            if not player.out:
                worth += _MARK_IN_POOL * _lying(own, player.pool)
    return worth + _MARK_IN_COMMON * _lying(own, state.common)


def _lying(player: Player, pool: tuple[int, ...]) -> int:
    """The player's fight tokens on tiles of a pool."""
    return sum(tile in pool for tile in player.fights)


def is_stuck(player: Player) -> bool:
    """True if no tile of the pool can be laid beside the tribe (S§11.1)."""
    return not player.out and not can_place(player, LAYING, picking_on_plains=False)
