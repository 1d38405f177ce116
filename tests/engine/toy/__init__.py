"""Hill and Ford: a small game for tests, with what the real ones may need and Sapiens does not.

T§1 Cards are numbers from 1 up, one of each. The map is one for all: four places, each with a tile
face down. T§2 Two cards are dealt to each seat, hidden; the first player is drawn. T§3 A turn is
`camp` at a place, which turns its tile over (berries give a point, a wolf takes one), then `rest`
for a point, or `draw` a card unseen by others and `bury` one on the own heap, face down. T§4
`watch` is a standing order, filed at any time and secret: when another camps where I watch, I
take a point if there is one, and the order is used up for all to see. T§5 When all have had
their turn they `play` a card each, sealed, together; it can be changed until the last one is in.
The highest takes the bounty of one to three points by the die, the cards are discarded, and
each draws another in seat order. T§6 Then everybody eats a point less than the round has as its
number; who has not enough is out, and their cards are laid open. T§7 Who is still to move in this
round may file a plan for that turn: lines, each a wish and its condition. When something is to be
decided in the turn, the first line that fits speaks (a `then` only after the line above it). The
plan expires with the turn. T§8 After the last round, or when fewer than two are left, the score is
points and heap, and the best of those left wins; if nobody is, all have lost. T§9 At a table with
`treks` nobody rests or draws: whoever camps carries up to a hundred stones to a place, then writes
a wish: up to four hundred tiles, in their order of preference. It brings a point if the own place
shows the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Bot, Decision, Filed, Game, Outcome, PlanStep, Seat, Step
from tests.engine.toy import bots, flow, knowledge, plans
from tests.engine.toy.actions import Action
from tests.engine.toy.notation import ToyNotation
from tests.engine.toy.presentation import ToyPresentation
from tests.engine.toy.state import Options, State


class ToyGame:
    """The rules as the protocol asks for them."""

    key = "toy"
    rules_version = 1
    weight = 2
    seats = range(2, 7)
    state_type = State
    action_type: Any = Action
    options_type: type[msgspec.Struct] = Options
    notation = ToyNotation()
    presentation = ToyPresentation()
    publishes_orders = True
    tells_plans = False
    bots: Mapping[str, Bot[State, Action]] = {"random": bots.random, "steady": bots.steady}

    def setup(self, seats: int, options: Any, chance: Chance) -> Step[State]:
        if seats not in self.seats or options.rounds not in range(1, 6):
            raise ValueError(f"{seats} seats, {options.rounds} rounds")
        return flow.setup(seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision[Action], ...]:
        return flow.decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        return flow.apply(state, seat, action, chance)

    def view(self, state: State, seat: Seat | None) -> msgspec.Struct:
        return knowledge.view(state, seat)

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        return knowledge.guess(state, seat, chance)

    def default(self, state: State, seat: Seat) -> Action:
        return bots.default(state, seat)

    def suggestions(self, state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
        return bots.suggestions(state, seat)[:limit]

    def in_play(self, state: State) -> tuple[Seat, ...]:
        return state.in_play

    def filed(self, state: State, seat: Seat) -> tuple[Filed, ...]:
        return flow.filed(state, seat)

    def planned(self, state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
        return plans.planned(state, seat, expired=expired)

    def plan_used(self, state: State, seat: Seat, step: PlanStep) -> State:
        return replace(state, said=step.line)

    def explained(self, state: State, seat: Seat, action: Action) -> plans.Explained | None:
        return plans.explained(action)

    def stopped(self, state: State, seat: Seat) -> plans.Stopped | None:
        return plans.stopped(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return flow.outcome(state)

    def scores(self, state: State) -> tuple[int, ...]:
        return flow.scores(state)


GAME: Game[State, Action] = ToyGame()
