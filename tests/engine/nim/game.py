"""Nim as a game of the engine (engine.protocol.Game)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from engine.chance import Chance
from engine.kit.presentation import Presentation
from engine.protocol import Bot, Decision, Notation, Outcome, Seat, Step
from tests.engine.nim import bots, rules
from tests.engine.nim.notation import NOTATION
from tests.engine.nim.presentation import PRESENTATION
from tests.engine.nim.rules import Options, State, Take

SEATS: Final = (0, 1)


class Nim:
    """The game: nobody knows more than the others, so a view is the position itself."""

    key = "nim"
    rules_version = 1
    weight = 1
    seats = range(2, 3)
    state_type = State
    action_type: Any = Take
    options_type: type[msgspec.Struct] = Options
    publishes_orders = False
    notation: Notation[State, Take] = NOTATION
    presentation: Presentation = PRESENTATION
    bots: Mapping[str, Bot[State, Take]] = MappingProxyType(
        {"random": bots.draws, "clever": bots.clever}
    )

    def setup(self, seats: int, options: Any, chance: Chance) -> Step[State]:
        return rules.setup(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision[Take], ...]:
        return rules.decisions(state)

    def apply(self, state: State, seat: Seat, action: Take, chance: Chance) -> Step[State]:
        return rules.apply(state, seat, action)

    def view(self, state: State, seat: Seat | None) -> State:
        return state

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        return state

    def default(self, state: State, seat: Seat) -> Take:
        """N§2: one stone of the first heap that has any."""
        return next(iter(rules.Takings(state.heaps)))

    def suggestions(self, state: State, seat: Seat, limit: int) -> Sequence[tuple[Take, ...]]:
        return [(take,) for take in bots.best_first(state)[:limit]]

    def in_play(self, state: State) -> tuple[Seat, ...]:
        return SEATS

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def scores(self, state: State) -> tuple[int, ...]:
        """1 for who has won, 0 for everybody before the end (N§3)."""
        ended = rules.outcome(state)
        return ended.scores if ended else (0,) * len(SEATS)


GAME = Nim()
