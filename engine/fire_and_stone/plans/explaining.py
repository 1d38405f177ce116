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
    """The plan as sentences. Uncovered are kinds of tiles that can, by public counts, lie face down
    in the regions that the explorers can still reach in this turn.
    """
    waiting = state.waiting if plan == state.plan else None
    return explain(plan, waiting, possible_kinds(state, seat), covers)


def possible_kinds(state: State, seat: Seat) -> tuple[str, ...]:
    """The kinds of tiles that a move of this turn may turn over, in the order of the data."""
    if seat != state.turn.seat or not state.turn.number:
        return ()
    regions = set()
    for explorer in range(len(state.mover.explorers)):
        if not state.turn.moved >> explorer & 1:
            reached = reach(state, explorer) & state.down
            regions |= {REGION[place] for place in members(reached)}
    down = state.down & ~state.players[seat].looked
    hidden = {
        state.tiles[place] for region in regions for place in members(down & IN_REGION[region])
    }
    return tuple(kind for letter, kind in box.KINDS.items() if letter in hidden)
