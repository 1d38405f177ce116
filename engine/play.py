"""Playing a submission: a list of actions taken whole up to the first reveal.

Nothing here knows a game; everything goes through the protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.chance import Chance
from engine.protocol import Decision, Event, Game, IllegalAction, Seat

S = TypeVar("S")
A = TypeVar("A")


class NotYourDecision(Exception):
    """The seat has no open decision of that id."""

    def __init__(self, seat: Seat, decision: str) -> None:
        super().__init__(f"seat {seat} has no decision {decision}")
        self.seat = seat
        self.decision = decision


class Incomplete(Exception):
    """The actions are legal but leave the decision open; `remaining` is what is still to be decided."""

    def __init__(self, state: Any, remaining: Decision[Any]) -> None:
        super().__init__(f"{remaining.kind} is still to be decided")
        self.state = state
        self.remaining = remaining


class Played(msgspec.Struct, Generic[S, A], frozen=True, kw_only=True):
    """The result of a submission. `unplayed` are the actions after the first reveal."""

    state: S
    actions: tuple[A, ...]
    unplayed: tuple[A, ...]
    events: tuple[Event, ...]
    revealed: bool


def decision_of(game: Game[S, A], state: S, seat: Seat, decision: str) -> Decision[A]:
    """The seat's open decision of that id. Raises NotYourDecision."""
    for found in game.decisions(state):
        if found.seat == seat and found.id == decision:
            return found
    raise NotYourDecision(seat, decision)


def advance(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A], chance: Chance
) -> Played[S, A]:
    """Apply the actions one after the other, up to a reveal that leaves the seat something to decide.

    The decision may stay open at the end: this serves previews. Raises NotYourDecision, and
    IllegalAction with `index` set.
    """
    decision_of(game, state, seat, decision)
    events: list[Event] = []
    for index, action in enumerate(actions):
        if not any(d.seat == seat and d.id == decision for d in game.decisions(state)):
            raise _superfluous(index)
        try:
            step = game.apply(state, seat, action, chance)
        except IllegalAction as error:
            error.index = index
            raise
        state = step.state
        events.extend(step.events)
        if step.reveals:
            done = index + 1
            return Played(
                state=state,
                actions=tuple(actions[:done]),
                unplayed=tuple(actions[done:]),
                events=tuple(events),
                revealed=True,
            )
    return Played(
        state=state, actions=tuple(actions), unplayed=(), events=tuple(events), revealed=False
    )


def submit(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A], chance: Chance
) -> Played[S, A]:
    """Play a submission: as `advance`, and it must make the decision or reach a reveal.

    Raises NotYourDecision, IllegalAction, or Incomplete; `state` is untouched in every case.
    """
    played = advance(game, state, seat, decision, actions, chance)
    if not played.revealed:
        for open_ in game.decisions(played.state):
            if open_.seat == seat and open_.id == decision:
                raise Incomplete(played.state, open_)
    return played


def complete(
    game: Game[S, A], state: S, seat: Seat, decision: str, chance: Chance
) -> tuple[A, ...]:
    """The default actions that make the decision from here, or lead to the next reveal."""
    actions: list[A] = []
    while any(d.seat == seat and d.id == decision for d in game.decisions(state)):
        action = game.default(state, seat)
        step = game.apply(state, seat, action, chance)
        actions.append(action)
        state = step.state
        if step.reveals:
            break
    return tuple(actions)


def _superfluous(index: int) -> IllegalAction:
    error = IllegalAction("turn_over", "", index=index + 1)
    error.index = index
    return error
