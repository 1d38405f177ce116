"""The bot `random`: any legal turn."""

from __future__ import annotations

from collections.abc import Hashable

from engine.chance import Chance
from engine.kit.bots import chancer
from engine.protocol import Decision
from engine.sapiens.actions import Action, Token
from engine.sapiens.bots.line import begin
from engine.sapiens.state import State


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """A turn of random actions, the few ways to take or to pick as likely as the many to put a
    bear.

    It always ends: bonuses and tokens are used up, and a fight token is put back by a bonus only.
    """
    return chancer.draw(begin(state), chance, _kind).actions


def _kind(action: Action) -> Hashable:
    """The type, and of a mountain token that of its effect too."""
    return (type(action), type(action.effect)) if isinstance(action, Token) else type(action)
