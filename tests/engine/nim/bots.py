"""The winning way to play Nim (Bouton, 1901), and the bots."""

from __future__ import annotations

from functools import reduce
from operator import xor

from engine.chance import Chance
from engine.protocol import Decision
from tests.engine.nim.rules import NAMES, State, Take, Takings


def best_first(state: State) -> list[Take]:
    """All that may be taken: what wins first, then what leaves most to be thought about."""

    def worth(take: Take) -> tuple[bool, int]:
        heaps = [
            stones - take.count * (name == take.heap)
            for name, stones in zip(NAMES, state.heaps, strict=True)
        ]
        return not _wins_next(heaps, state.options.last_loses), -take.count

    return sorted(Takings(state.heaps), key=worth, reverse=True)


def _wins_next(heaps: list[int], last_loses: bool) -> bool:
    """True if who takes next from these heaps can force a win."""
    if last_loses and max(heaps) < 2:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


def clever(state: State, decision: Decision[Take], chance: Chance) -> tuple[Take, ...]:
    """Wins wherever it can."""
    return (best_first(state)[0],)


def draws(state: State, decision: Decision[Take], chance: Chance) -> tuple[Take, ...]:
    """Takes anything."""
    offered = list(decision.choices)
    return (offered[chance.below("action", len(offered))],)
