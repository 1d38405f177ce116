"""La Vallée des Mammouths as a game of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.kit.lessons import Taught
from engine.kit.presentation import Presentation
from engine.mammoths import flow, lesson, plans, ranking, reasons
from engine.mammoths import setup as dealing
from engine.mammoths import view as views
from engine.mammoths.actions import Action, Done
from engine.mammoths.bots import players
from engine.mammoths.notation import NOTATION
from engine.mammoths.presentation import MammothsPresentation
from engine.mammoths.state import Options, State
from engine.protocol import Bot, Game, Notation, PlanStep, Seat


class Mammoths(Taught):
    """The rules, with a notation, plans, bots and advice."""

    key = "mammoths"
    rules_version = 1
    weight = 4
    seats = dealing.SEATS
    state_type = State
    action_type: Any = Action
    options_type: type[msgspec.Struct] = Options
    publishes_orders = True
    tells_plans = False
    notation: Notation[State, Action] = NOTATION
    presentation: Presentation = MammothsPresentation()
    taught = lesson.LESSON
    bots: Mapping[str, Bot[State, Action]] = players.BOTS

    setup = staticmethod(dealing.setup)
    decisions = staticmethod(flow.decisions)
    apply = staticmethod(flow.apply)
    filed = staticmethod(flow.filed)
    view = staticmethod(views.view)
    guess = staticmethod(views.guess)
    default = staticmethod(players.default)
    suggestions = staticmethod(players.suggestions)
    reasons = staticmethod(reasons.reasons)
    planned = staticmethod(plans.planned)
    stopped = staticmethod(plans.stopped)
    outcome = staticmethod(ranking.outcome)
    scores = staticmethod(ranking.scores)

    def in_play(self, state: State) -> tuple[Seat, ...]:
        """Tribes on the map, and those due to re-enter (M§15.10)."""
        return tuple(seat for seat, tribe in enumerate(state.tribes) if tribe.status != "out")

    def plan_used(self, state: State, seat: Seat, step: PlanStep) -> State:
        """A plan is used up by the move it makes; nothing is to be noted before."""
        return state

    def explained(self, state: State, seat: Seat, action: Action) -> Any:
        """None: orders are told as they are written."""
        return None

    def end_of_turn(self, state: State, seat: Seat) -> Action | None:
        """`done`, which a reply to a move letter may leave out (M§24.3)."""
        moving = state.phase == "move" and seat == state.to_move
        return Done() if moving else None


MAMMOTHS: Game[State, Action] = Mammoths()
"""The game; what offers it to players calls it `GAME` in the package."""
