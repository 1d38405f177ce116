"""The bot `random`: any legal turn."""

from __future__ import annotations

from collections.abc import Iterable

from engine.chance import Chance
from engine.protocol import Seat
from engine.sapiens import legality
from engine.sapiens.actions import Action, Token
from engine.sapiens.bots.line import begin
from engine.sapiens.state import State


def play(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    """A turn made step by step: a kind of action at random, then one of that kind.

    So that the few ways to take or to pick are not drowned by the many ways to put a bear.
    It always ends: bonuses and tokens are used up, and a fight token is put back by a bonus only.
    """
    line = begin(state)
    while not line.made:
        kinds = _by_kind(legality.options(line.state))
        kind = kinds[chance.below("kind of action", len(kinds))]
        line = line.play(kind[chance.below("action", len(kind))])
    return line.actions


def _by_kind(actions: Iterable[Action]) -> list[list[Action]]:
    kinds: dict[tuple[type, ...], list[Action]] = {}
    for action in actions:
        effect = (type(action.effect),) if isinstance(action, Token) else ()
        kinds.setdefault((type(action), *effect), []).append(action)
    return list(kinds.values())
