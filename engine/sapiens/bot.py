"""The players that are programs, and the suggestions made to those who are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.protocol import Bot
from engine.sapiens.actions import Action
from engine.sapiens.bots import chancer, greedy, planner
from engine.sapiens.state import State

BOTS: Final[Mapping[str, Bot[State, Action]]] = {
    "random": chancer.play,
    "greedy": greedy.play,
    "planner": planner.play,
}
