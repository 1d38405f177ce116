"""A turn in the making: a position of the own turn and the actions that led to it."""

from __future__ import annotations

from typing import NamedTuple

from engine.chance import NoChance
from engine.sapiens import flow
from engine.sapiens.actions import Action
from engine.sapiens.state import OVER, State

_NO_CHANCE = NoChance()


class Line(NamedTuple):
    """`actions` played in the turn number `turn` have led to `state`."""

    state: State
    turn: int
    actions: tuple[Action, ...] = ()

    def play(self, action: Action) -> Line:
        """The line with one more action. Raises IllegalAction."""
        state = self.state
        step = flow.apply(state, state.turn.seat, action, _NO_CHANCE)
        return Line(step.state, self.turn, (*self.actions, action))

    @property
    def made(self) -> bool:
        """True if the turn is over."""
        turn = self.state.turn
        return turn.number != self.turn or turn.phase == OVER


def begin(state: State) -> Line:
    """The line of the turn to move, with nothing played yet; it may go on from within the turn."""
    return Line(state, state.turn.number)
