"""Fire & Stone as a game of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import default, flow, guessing, lesson, reasons, scoring, setup, view
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.plans import asked, explaining
from engine.fire_and_stone.presentation import FireAndStonePresentation
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import Phase, State
from engine.kit.lessons import Illustration
from engine.protocol import Bot, Decision, Filed, Notation, Outcome, PlanStep, Seat, Step


class FireAndStone:
    """The rules, with a notation, bots and suggestions made for them."""

    key = "fire_and_stone"
    rules_version = 1
    weight = 3
    seats = box.SEATS
    state_type = State
    action_type: Any = Action
    options_type: type[msgspec.Struct] = Options
    presentation = FireAndStonePresentation()
    publishes_orders = True
    tells_plans = True
    """F§15.3: that a step was done by plan is public."""

    def __init__(
        self,
        notation: Notation[State, Action],
        bots: Mapping[str, Bot[State, Action]],
        suggest: Callable[[State, Seat, int], Sequence[tuple[Action, ...]]],
    ) -> None:
        self.notation = notation
        self.bots = bots
        self._suggest = suggest

    def setup(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        return setup.setup(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision[Action], ...]:
        return flow.decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        return flow.apply(state, seat, action, chance)

    def view(self, state: State, seat: Seat | None) -> view.View:
        return view.view(state, seat)

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        return guessing.guess(state, seat, chance)

    def default(self, state: State, seat: Seat) -> Action:
        return default.default(state, seat)

    def suggestions(self, state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
        return self._suggest(state, seat, limit)

    def reasons(
        self, state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]
    ) -> Sequence[Any]:
        return reasons.reasons(state, seat, suggested)

    def in_play(self, state: State) -> tuple[Seat, ...]:
        """Everybody: nobody is eliminated."""
        return tuple(range(len(state.players)))

    def planned(self, state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
        return asked.planned(state, seat, expired=expired)

    def plan_used(self, state: State, seat: Seat, step: PlanStep) -> State:
        return asked.used(state, seat)

    def filed(self, state: State, seat: Seat) -> tuple[Filed, ...]:
        """The ranking handed in, or the plan for the turn."""
        if state.turn.phase == Phase.RANK and state.rankings[seat]:
            rank = do.Rank(cards=state.rankings[seat])
            return (Filed(decision=f"0.rank.{seat}", actions=(rank,)),)
        if seat != state.turn.seat or state.plan is None:
            return ()
        plan = do.File(plan=state.plan)
        none = do.File(plan=None)
        decision = f"{state.turn.number}.plan"
        return (Filed(decision=decision, actions=(plan,), withdraws=(none,)),)

    def explained(self, state: State, seat: Seat, action: Action) -> Any:
        if not isinstance(action, do.File) or action.plan is None:
            return None
        return explaining.explained(state, seat, action.plan)

    def stopped(self, state: State, seat: Seat) -> Any:
        return asked.stopped(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def scores(self, state: State) -> tuple[int, ...]:
        """The scores if the game ended here, objectives counted (F§14.1): to be shown only then."""
        return scoring.scores(state)

    def first_player(self, state: State) -> Seat:
        return state.first

    def begun_by(self, options: Options) -> Seat | None:
        return options.first

    def with_first(self, options: Options, seat: Seat | None) -> Options:
        return replace(options, first=seat)

    def lesson(self, names: Sequence[str]) -> tuple[Illustration, ...]:
        return lesson.steps(self, names)

    def labelled(self, names: Sequence[str]) -> Illustration:
        return lesson.labelled(self, names)
