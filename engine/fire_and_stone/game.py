"""Fire & Stone as a game of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import default as defaults
from engine.fire_and_stone import flow, guessing, lesson, reasons, scoring
from engine.fire_and_stone import setup as dealing
from engine.fire_and_stone import view as views
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots import BOTS, suggesting
from engine.fire_and_stone.notation import NOTATION
from engine.fire_and_stone.plans import asked, explaining
from engine.fire_and_stone.presentation import FireAndStonePresentation
from engine.fire_and_stone.state import Phase, State
from engine.kit.lessons import Taught
from engine.kit.seats import FirstChosen, NobodyEliminated
from engine.protocol import Bot, Filed, Notation, Seat


class FireAndStone(NobodyEliminated, FirstChosen, Taught):
    """The rules, with a notation, plans, bots and advice."""

    key = "fire_and_stone"
    rules_version = 1
    weight = 3
    seats = box.SEATS
    state_type = State
    action_type: Any = Action
    options_type: type[msgspec.Struct] = dealing.Options
    later_options: Mapping[str, Any] = {"plays_forced": True}
    notation: Notation[State, Action] = NOTATION
    bots: Mapping[str, Bot[State, Action]] = BOTS
    presentation = FireAndStonePresentation()
    taught = lesson.LESSON
    publishes_orders = True
    tells_plans = True
    """F§15.3: that a step was done by plan is public."""

    setup = staticmethod(dealing.setup)
    decisions = staticmethod(flow.decisions)
    apply = staticmethod(flow.apply)
    view = staticmethod(views.view)
    guess = staticmethod(guessing.guess)
    default = staticmethod(defaults.default)
    suggestions = staticmethod(suggesting.suggestions)
    reasons = staticmethod(reasons.reasons)
    planned = staticmethod(asked.planned)
    plan_used = staticmethod(asked.used)
    stopped = staticmethod(asked.stopped)
    outcome = staticmethod(scoring.outcome)
    scores = staticmethod(scoring.scores)

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
        plan = action.plan if isinstance(action, do.File) else None
        return None if plan is None else explaining.explained(state, seat, plan)


FIRE_AND_STONE = FireAndStone()
