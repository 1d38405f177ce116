"""Who plays Hill and Ford when no person does."""

from __future__ import annotations

from engine.chance import Chance
from engine.kit.bots import chancer
from engine.kit.bots.lines import begin
from engine.protocol import Decision, Seat
from tests.engine.toy import flow
from tests.engine.toy.actions import PLACES, Action, Bury, Camp, Carry, Pick, Play, Rest, Wish
from tests.engine.toy.state import State


def suggestions(state: State, seat: Seat) -> list[tuple[Action, ...]]:
    """Every whole submission for the seat's blocking decision, the best guess first."""
    trek = (Carry(stones=1, place="hill"), Wish(tiles=("berries",)))
    if state.treks and state.phase == "camp":
        return [(Camp(place=p), *trek) for p in PLACES]
    if state.phase in ("carry", "wish"):
        return [trek[state.phase == "wish" :]]
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
    if state.phase in ("carry", "wish"):
        return suggestions(state, seat)[0][0]
    lowest = min(state.hands[seat])
    return Bury(card=lowest) if state.phase == "bury" else Play(card=lowest)


def steady(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The best guess; it files no orders."""
    return suggestions(state, decision.seat)[0] if decision.blocks else ()


def random(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    if not decision.blocks:
        return chancer.draw(begin(flow, state, decision), chance).actions
    possible = suggestions(state, decision.seat)
    return possible[chance.below("whim", len(possible))]
