"""A plan on file as data for the wording, with what it does not cover (F§19.8)."""

from __future__ import annotations

from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import IN_REGION, REGION, members
from engine.fire_and_stone.options import reach
from engine.fire_and_stone.plans.lines import Plan, Test, Wish, covers
from engine.fire_and_stone.state import State
from engine.kit.plans.reactions import Explanation, explain
from engine.protocol import Seat


def explained(state: State, seat: Seat, plan: Plan) -> Explanation[str, Test, Wish]:
    """The plan as sentences. Uncovered are events that can still come up in this turn: kinds of
    tiles that by public counts lie face down in the regions within reach, and the other explorer's
    way (ruling 74).
    """
    waiting = state.waiting if plan == state.plan else None
    return explain(plan, waiting, possible_events(state, seat), covers)


def possible_events(state: State, seat: Seat) -> tuple[str, ...]:
    """The events that the rest of this turn may bring, in the order of the data."""
    if seat != state.turn.seat or not state.turn.number:
        return ()
    explorers = range(len(state.mover.explorers))
    to_move = [number for number in explorers if not state.turn.moved >> number & 1]
    regions = set()
    for explorer in to_move:
        reached = reach(state, explorer) & state.down
        regions |= {REGION[place] for place in members(reached)}
    down = state.down & ~state.players[seat].looked
    # A cache leaves nothing to decide.
    hidden = {
        state.tiles[place] for region in regions for place in members(down & IN_REGION[region])
    } - {box.CACHE}
    kinds = tuple(kind for letter, kind in box.KINDS.items() if letter in hidden)
    return (*kinds, "other") if len(to_move) > 1 else kinds
