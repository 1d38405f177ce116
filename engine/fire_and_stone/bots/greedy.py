"""The bot `greedy`: what brings the most points at once, action by action."""

from __future__ import annotations

from engine.chance import Chance
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.turns import turn
from engine.fire_and_stone.bots.worth import at_once
from engine.fire_and_stone.state import State
from engine.protocol import Decision


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn up to what is hidden; it files no plans."""
    return turn(state, decision.seat, at_once) if decision.blocks else ()
