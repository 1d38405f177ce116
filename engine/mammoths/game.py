"""La Vallée des Mammouths as a game of the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.chance import Chance
from engine.kit.lessons import Illustration
from engine.kit.presentation import Presentation
from engine.mammoths import flow, lesson, plans, ranking, setup, view
from engine.mammoths.actions import Action, Done
from engine.mammoths.bots import players
from engine.mammoths.notation import NOTATION
from engine.mammoths.presentation import MammothsPresentation
from engine.mammoths.state import Options, State
from engine.protocol import Bot, Decision, Filed, Game, Notation, Outcome, PlanStep, Seat, Step


class Mammoths:
    """The rules, with a notation, plans, bots and advice."""

    key = "mammoths"
    rules_version = 1
    weight = 4
    seats = setup.SEATS
    state_type = State
    action_type: Any = Action
    options_type: type[msgspec.Struct] = Options
    publishes_orders = True
    tells_plans = False
    notation: Notation[State, Action] = NOTATION
    presentation: Presentation = MammothsPresentation()
    bots: Mapping[str, Bot[State, Action]] = players.BOTS

    def setup(self, seats: int, options: Any, chance: Chance) -> Step[State]:
        return setup.setup(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision[Action], ...]:
        return flow.decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        return flow.apply(state, seat, action, chance)

    def view(self, state: State, seat: Seat | None) -> view.View:
        return view.view(state, seat)

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        return view.guess(state, seat, chance)

    def default(self, state: State, seat: Seat) -> Action:
        return players.default(state, seat)

    def suggestions(self, state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
        return players.suggestions(state, seat, limit)

    def in_play(self, state: State) -> tuple[Seat, ...]:
        """Tribes on the map, and those due to re-enter (M§15.10)."""
        return tuple(seat for seat, tribe in enumerate(state.tribes) if tribe.status != "out")

    def filed(self, state: State, seat: Seat) -> tuple[Filed, ...]:
        return flow.filed(state, seat)

    def planned(self, state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
        return plans.planned(state, seat, expired=expired)

    def plan_used(self, state: State, seat: Seat, step: PlanStep) -> State:
        """A plan is used up by the move it makes; nothing is to be noted before."""
        return state

    def explained(self, state: State, seat: Seat, action: Action) -> Any:
        """None: orders are told as they are written."""
        return None

    def stopped(self, state: State, seat: Seat) -> Any:
        return plans.stopped(state, seat)

    def lesson(self, names: Sequence[str]) -> Sequence[Illustration]:
        return lesson.steps(self, names)

    def labelled(self, names: Sequence[str]) -> Illustration:
        return lesson.labelled(self, names)

    def end_of_turn(self, state: State, seat: Seat) -> Action | None:
        """`done`, which a reply to a move letter may leave out (M§24.3)."""
        moving = state.phase == "move" and seat == state.to_move
        return Done() if moving else None

    def outcome(self, state: State) -> Outcome | None:
        return ranking.outcome(state)

    def scores(self, state: State) -> tuple[int, ...]:
        return ranking.scores(state)


MAMMOTHS: Game[State, Action] = Mammoths()
"""The game; what offers it to players calls it `GAME` in the package."""
