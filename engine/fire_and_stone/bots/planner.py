"""The bot `planner`: looks at all that a move may find and at where the explorers stand then, and
files a plan for what it cannot know yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.chance import Chance, NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.choosing import SEALED, ranking
from engine.fire_and_stone.bots.planning import plan_for
from engine.fire_and_stone.bots.turns import (
    Move,
    explorers_to_move,
    judged,
    moves,
    next_actions,
    opening,
)
from engine.fire_and_stone.bots.turns import found as found_by
from engine.fire_and_stone.bots.worth import Judging
from engine.fire_and_stone.map import INDEX, NAMES
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Decision, Seat

_NO_CHANCE = NoChance()
_TRIED = 12
"""Of the moves that may come after, as many as are judged for each thing that may be found."""


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn up to what is hidden, with a plan for the rest of it."""
    if not decision.blocks:
        return ()
    if state.turn.phase == Phase.RANK:
        return (ranking(state),)
    seat = decision.seat
    judging = Judging(state, seat)
    done, at, made = _turn(state, seat, judging)
    if state.turn.phase in SEALED:
        return done
    others = _others(at, seat, judging, made) if at is not None else ()
    after = {} if at is None else _after(at, seat, judging, made, others)
    # After a hunt what was seen last is the game: the general line is for that.
    others = after.pop(box.FOREST, others)
    plan = plan_for(state, seat, judging.prospects, made, others, after)
    return done if plan == state.plan else (do.File(plan=plan), *done)


def _turn(
    state: State, seat: Seat, judging: Judging
) -> tuple[tuple[Action, ...], State | None, Sequence[Move]]:
    """The actions up to what is hidden, the position in which they stop (None at the end of the
    turn), and the moves among them.
    """
    number, secret = state.turn.number, state.turn.phase in SEALED
    done: list[Action] = []
    made: list[Move] = []
    while (state.turn.number, state.turn.phase in SEALED) == (number, secret):
        if state.turn.phase == Phase.OVER:
            break
        if state.turn.phase == Phase.MOVE:
            move = _chosen(state, seat, judging)
            made.append(move)
            actions = (*opening(state, move), *move.actions)
        else:
            actions = next_actions(state, seat, judging)
        for action in actions:
            done.append(action)
            step = flow.apply(state, seat, action, _NO_CHANCE)
            if step.reveals:
                return tuple(done), state, made
            state = step.state
    return tuple(done), None, made


def _chosen(state: State, seat: Seat, judging: Judging) -> Move:
    """The move to make now: of each explorer its best, those that find nothing hidden first."""
    best = [
        max(moves(state, seat, judging, [explorer]), key=lambda move: move.value)
        for explorer in explorers_to_move(state)
    ]
    return min(best, key=lambda move: (bool(move.cases), -move.value))


def _others(state: State, seat: Seat, judging: Judging, made: Sequence[Move]) -> list[Move]:
    """The moves of the explorer that has not moved when something comes to light, best first."""
    moved = {move.explorer for move in made}
    left = [
        n
        for n in range(len(state.players[seat].explorers))
        if n not in moved and not state.turn.moved >> n & 1
    ]
    led = [replace(state, turn=replace(state.turn, explorer=n)) for n in left]
    found = [
        move for each, n in zip(led, left, strict=True) for move in moves(each, seat, judging, [n])
    ]
    return sorted(found, key=lambda move: -move.value)


def _after(
    state: State, seat: Seat, judging: Judging, made: Sequence[Move], others: Sequence[Move]
) -> dict[str, list[Move]]:
    """The moves of the other explorer, best first, by what the move made last finds; of the most
    promising ones before it alone.
    """
    if not made or not made[-1].cases or not others:
        return {}
    tried = [NAMES[move.place] for move in others[:_TRIED]]
    found: dict[str, list[Move]] = {}
    for case in made[-1].cases:
        if case.kind == box.CAVE:
            continue
        there = found_by(state, seat, made[-1], case)
        if there.turn.phase != Phase.MOVE or there.turn.seat != seat:
            continue
        every = (judged(there, seat, judging, INDEX[name]) for name in tried)
        found[case.kind] = sorted(every, key=lambda move: -move.value)
    return found
