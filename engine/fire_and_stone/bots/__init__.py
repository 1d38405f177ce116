"""The players that are programs, and the suggestions made to those who are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots import chancer, greedy, planner
from engine.fire_and_stone.state import State
from engine.protocol import Bot

BOTS: Final[Mapping[str, Bot[State, Action]]] = {
    "random": chancer.play,
    "greedy": greedy.play,
    "planner": planner.play,
}
