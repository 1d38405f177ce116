"""The players that are programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import Chance
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots import planner
from engine.fire_and_stone.bots.turns import turn
from engine.fire_and_stone.bots.worth import AtOnce
from engine.fire_and_stone.state import State
from engine.kit.bots import chancer
from engine.kit.bots.lines import begin
from engine.protocol import Bot, Decision


def _random(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The decision made step by step, whatever it is; an order as often as none."""
    return chancer.draw(begin(flow, state, decision), chance).actions


def _greedy(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn up to what is hidden, by the most points at once; it files no plans."""
    return turn(state, decision.seat, AtOnce()) if decision.blocks else ()


BOTS: Final[Mapping[str, Bot[State, Action]]] = {
    "random": _random,
    "greedy": _greedy,
    "planner": planner.play,
}
