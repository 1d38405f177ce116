"""The bot `random`: any legal submission."""

from __future__ import annotations

from engine.chance import Chance
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.state import State
from engine.kit.bots import chancer
from engine.kit.bots.lines import begin
from engine.protocol import Decision


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The decision made step by step, whatever it is; an order as often as none."""
    return chancer.draw(begin(flow, state, decision), chance).actions
