"""Plans: conditions on public facts, and which alternative runs (M§24.4 to M§24.7)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from engine.chance import NoChance
from engine.kit.plans import alternatives
from engine.kit.plans.alternatives import Alternatives, Chosen, If, NoneRuns, Otherwise
from engine.mammoths import actions as do
from engine.mammoths.components import Hex
from engine.mammoths.moving import play_line
from engine.mammoths.state import State
from engine.mammoths.table import Table
from engine.protocol import PlanStep, Seat


class Board(msgspec.Struct, frozen=True):
    """The board as a plan is consulted on it (`engine.kit.plans.situation.Situation`)."""

    state: State
    seat: Seat
    shown: int
    moves: bool

    def holds(self, condition: do.Condition) -> bool:
        """True if a condition holds now (M§24.4)."""
        table = Table(self.state, NoChance())
        at = condition.hexes[0] if condition.hexes else 0
        match condition.what:
            case "always":
                return True
            case "same":
                return self._same(table, condition.hexes)
            case "free":
                return table.is_free(at, self.seat)
            case "closed":
                return at in table.closed
            case "tribe":
                return condition.tribe in table.tribes_at(at)
            case "tribes":
                return any(who != self.seat for who in table.tribes_at(at))
            case "came" | "left" | "still":
                return self._tracked(condition, at)
        number = self._number(table, condition, at)
        return number <= condition.number if condition.most else number >= condition.number

    def play(self, line: Any) -> Board:
        """The board with a line done. Orders are only kept, and always legal."""
        if not self.moves:
            return self
        table = Table(self.state, NoChance())
        play_line(table, self.seat, line)
        return replace(self, state=table.freeze())

    def _same(self, table: Table, hexes: tuple[Hex, ...]) -> bool:
        shown = self.state.shown[self.shown]
        at = {each: place for place, each in enumerate(table.board.hexes)}
        return all(table.look(each) == shown[at[each]] for each in hexes if each in at)

    def _tracked(self, condition: do.Condition, at: Hex) -> bool:
        track = next((t for t in self.state.tracks if t.seat == condition.tribe), None)
        if track is None:
            return False
        if condition.what == "still":
            return not track.starts
        return at in (track.ends if condition.what == "came" else track.starts)

    def _number(self, table: Table, condition: do.Condition, at: Hex) -> int:
        tribe, species = condition.tribe, condition.species
        match condition.what:
            case "animals":
                return table.animals(at)
            case "herd":
                return len(table.herds.get(at, {}).get(species, "")) if species else 0
            case "food":
                return table.tribes[self.seat].all_food
            case "camps":
                return 0 if tribe is None else len(table.camps_of(tribe))
            case "mine":
                return table.count(at, self.seat)
        return table.opponents(at, self.seat)


def completed(
    plan: Alternatives[do.Condition, Any], *, moves: bool
) -> Alternatives[do.Condition, Any]:
    """The plan with all it says without words: `same` is about the hexes of the lines, and is the
    condition of a move that has none (RULING A65)."""
    whole = []
    for alternative in plan.alternatives:
        named = {at for line in alternative.lines for at in do.hexes_of(line)} if moves else ()
        same = do.Condition(what="same", hexes=tuple(sorted(named)))
        filled = tuple(
            replace(each, condition=same) if each.condition == do.Condition(what="same") else each
            for each in alternative.conditions
        )
        unsaid = (If(condition=same),) if moves else ()
        whole.append(replace(alternative, conditions=filled or unsaid))
    return replace(plan, alternatives=tuple(whole))


def consult(
    state: State, seat: Seat, action: do.PlanMove | do.PlanFight, *, expired: bool = False
) -> Chosen[Any] | NoneRuns:
    """The answer of a plan on this board (M§24.6, M§24.7, M§19.6)."""
    moves = isinstance(action, do.PlanMove)
    here = Board(state, seat, action.shown, moves)
    plan: Any = action.plan
    return alternatives.consult(completed(plan, moves=moves), here, lenient=expired)


def stopped(state: State, seat: Seat) -> tuple[alternatives.Stop, ...] | None:
    """The reason for each alternative of the plan for what the seat is asked now (M§24.6); None
    without a plan."""
    tribe = state.tribes[seat]
    moves = state.phase == "move" and seat == state.to_move
    fights = state.phase == "combat" and seat in state.asked
    action: Any = tribe.plan_move if moves else tribe.plan_fight if fights else None
    said = consult(state, seat, action) if action else None
    if not isinstance(said, NoneRuns):
        return None
    return alternatives.stops(completed(action.plan, moves=moves), said)


def planned(state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
    """The answer of a plan to what the seat must decide now; None if it is to be asked."""
    tribe = state.tribes[seat]
    if state.phase == "move" and seat == state.to_move and not state.moving.lines:
        if expired and tribe.draft is not None:
            return PlanStep(line=0, actions=(*tribe.draft.lines, do.Done()))
        if tribe.plan_move is None:
            return None
        said = consult(state, seat, tribe.plan_move, expired=expired)
        if isinstance(said, Chosen):
            return PlanStep(line=said.alternative, actions=(*said.lines, do.Done()))
        if said.otherwise is Otherwise.STAY:
            return PlanStep(line=len(said.passed_over), actions=(do.Done(),))
        return None
    asked = state.phase == "combat" and seat in state.asked and tribe.answer is None
    if asked and tribe.plan_fight is not None:
        answer = answer_of(state, seat, tribe.plan_fight, expired=expired)
        if answer is not None:
            return PlanStep(line=0, actions=(answer,))
    return None


def answer_of(
    state: State, seat: Seat, plan: do.PlanFight, *, expired: bool = False
) -> do.Answer | None:
    """The combat orders a plan comes to; None if its owner is to be asked."""
    said = consult(state, seat, plan, expired=expired)
    if isinstance(said, Chosen):
        return do.Answer(orders=said.lines)
    return do.Answer() if said.otherwise is Otherwise.ORDERS else None
