"""Who plays Hill and Ford when no person does."""

from __future__ import annotations

from engine.chance import Chance
from engine.protocol import Seat
from tests.engine.toy.actions import PLACES, Action, Bury, Camp, Pick, Play, Rest
from tests.engine.toy.state import State


def suggestions(state: State, seat: Seat) -> list[tuple[Action, ...]]:
    """Every whole submission for the seat's blocking decision, the best guess first."""
    high_first = sorted(state.hands[seat], reverse=True)
    if state.phase == "camp":
        return [(Camp(place=p), dig) for dig in (Pick(), Rest()) for p in PLACES]
    if state.phase == "dig":
        return [(Pick(),), (Rest(),)]
    if state.phase == "bury":
        return [(Bury(card=card),) for card in high_first]
    return [(Play(card=card),) for card in high_first]


def default(state: State, seat: Seat) -> Action:
    if state.phase == "camp":
        return Camp(place="hill")
    if state.phase == "dig":
        return Rest()
    lowest = min(state.hands[seat])
    return Bury(card=lowest) if state.phase == "bury" else Play(card=lowest)


def steady(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    return suggestions(state, seat)[0]


def random(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    possible = suggestions(state, seat)
    return possible[chance.below("whim", len(possible))]
