"""Sapiens as a game of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.kit.lessons import Taught
from engine.kit.presentation import Presentation
from engine.kit.seats import FirstChosen, NobodyEliminated
from engine.protocol import Bot, Decision, Notation, Outcome, Seat, Step
from engine.sapiens import default, flow, lesson, presentation, scoring, setup, view
from engine.sapiens.actions import Action
from engine.sapiens.components import SET_ASIDE
from engine.sapiens.halves import Half
from engine.sapiens.halves_file import load_halves
from engine.sapiens.state import State


class Sapiens(NobodyEliminated, FirstChosen, Taught):
    """The rules, with a notation, bots and suggestions made for them. Who is out (S§11.4) takes no
    more turns, but may win.
    """

    key = "sapiens"
    rules_version = 1
    weight = 2
    seats = range(min(SET_ASIDE), max(SET_ASIDE) + 1)
    state_type = State
    action_type: Any = Action
    publishes_orders = False
    presentation: Presentation = presentation
    taught = lesson.LESSON

    def __init__(
        self,
        notation: Notation[State, Action],
        bots: Mapping[str, Bot[State, Action]],
        suggest: Callable[[State, Seat, int], Sequence[tuple[Action, ...]]],
        explain: Callable[[State, Seat, Sequence[tuple[Action, ...]]], Sequence[Any]],
        options_type: type[setup.Options] = setup.Options,
    ) -> None:
        self.notation = notation
        self.bots = bots
        self.options_type = options_type
        self._suggest = suggest
        self._explain = explain

    def with_data(self, text: str, name: str) -> Sapiens:
        """The game with the half boards of a TOML text; `name` is that of its file.

        Raises DataError, which names the line.
        """
        halves = load_halves(text, name)
        options = msgspec.defstruct(
            "Options",
            [("halves", tuple[Half, ...], halves)],
            bases=(setup.Options,),
            frozen=True,
            kw_only=True,
            forbid_unknown_fields=True,
        )
        taken = cast(type[setup.Options], options)
        return Sapiens(self.notation, self.bots, self._suggest, self._explain, taken)

    def setup(self, seats: int, options: setup.Options, chance: Chance) -> Step[State]:
        return setup.setup(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision[Action], ...]:
        return flow.decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        return flow.apply(state, seat, action, chance)

    def view(self, state: State, seat: Seat | None) -> view.View:
        """The same for everybody: all but the stack and the tiles set aside is public (S§2.4)."""
        return view.view(state)

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        """The unseen tiles, of the stack and set aside, in another order."""
        unseen = len(state.stack) - state.known
        tiles = chance.shuffled("guess", state.stack[:unseen] + state.aside)
        return replace(state, stack=tiles[:unseen] + state.stack[unseen:], aside=tiles[unseen:])

    def default(self, state: State, seat: Seat) -> Action:
        return default.default(state)

    def suggestions(self, state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
        return self._suggest(state, seat, limit)

    def reasons(
        self, state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]
    ) -> Sequence[Any]:
        return self._explain(state, seat, suggested)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def scores(self, state: State) -> tuple[int, ...]:
        return scoring.scores(state)
