"""The turn of Sapiens as a line: nothing is drawn in it, and all that it reveals ends it."""

from __future__ import annotations

from typing import TypeAlias

from engine.kit.bots import lines
from engine.sapiens import flow
from engine.sapiens.actions import Action
from engine.sapiens.state import State

Line: TypeAlias = lines.Line[State, Action]


def begin(state: State) -> Line:
    """The line of the turn to move, with nothing played yet; it may go on from within the turn."""
    (decision,) = flow.decisions(state)
    return lines.begin(flow, state, decision)
