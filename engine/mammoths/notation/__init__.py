"""The text of actions: one order a line, plans of several lines (M§24.3)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple

from engine.chance import SeededChance
from engine.kit.notation.lines import Line, WholeLines
from engine.kit.notation.nearness import field_distance
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.mammoths import actions as do
from engine.mammoths import flow
from engine.mammoths.errors import illegal
from engine.mammoths.notation.cutting import FOLDING, cut
from engine.mammoths.notation.grammar import KINDS, LINE, Mark, Said
from engine.mammoths.notation.words import KEEPS, WORDS
from engine.mammoths.notation.writing import write
from engine.mammoths.state import State
from engine.protocol import IllegalAction, Seat, Unreadable

_MOVE_LINES: Final = (do.Move, do.Found, do.TakeFire, do.Card)
_MOVES: Final = (*_MOVE_LINES, do.Done, do.Place, do.Answer)
"""What is no order: it is played after the orders it comes with."""
_MOST_LINES: Final = 120


class _Read(NamedTuple):
    """An action, and the line it stands in."""

    action: do.Action
    line: Line


class MammothsNotation:
    """Orders as text (`engine.protocol.Notation`)."""

    words = WORDS
    keeps = KEEPS

    def __init__(self) -> None:
        self._lines: WholeLines[Said] = WholeLines(
            LINE, _write_said, folding=FOLDING, kinds=KINDS, most=_MOST_LINES
        )

    def format(self, state: State, seat: Seat, action: do.Action, lang: str) -> str:
        return write(action, lang)

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[do.Action, ...]:
        """The actions of a submission. Errors have the `text` and number of their `line`; of
        IllegalAction `nearest` are texts of legal actions. Raises Unreadable, Ambiguous,
        IllegalAction.
        """
        lines = cut(text)
        if not lines:
            raise Unreadable(text.strip(), text=text.strip(), line=1, kind="order", expected=())
        said = list(zip(lines, self._lines.read(lines, lang), strict=True))
        fights = any(d.seat == seat and d.kind == "combat" for d in flow.decisions(state))
        read = _Assembly(fights).assembled(said)
        if not read:
            raise _wrong("nothing_left", lines[0])
        # What is on file already changes nothing, and hinders nothing that comes with it.
        on_file = state.tribes[seat].orders
        read = [each for each in read if each.action not in on_file] or read
        self._check(state, seat, read, lang)
        return tuple(each.action for each in read)

    def meaning(self, state: State, seat: Seat, action: do.Action) -> Hashable:
        return action

    def nearest(
        self, state: State, seat: Seat, action: do.Action, limit: int = 3
    ) -> tuple[do.Action, ...]:
        own = [d for d in flow.decisions(state) if d.seat == seat]
        blocking = [d for d in own if d.blocks] or own
        offered = [each for decision in blocking for each in decision.choices]
        alike = [each for each in offered if type(each) is type(action)]
        if not alike:
            firsts = {type(each): each for each in reversed(offered)}
            return tuple(each for each in offered if firsts[type(each)] is each)[:limit]
        return tuple(sorted(alike, key=lambda each: field_distance(action, each, {}))[:limit])

    def _check(self, state: State, seat: Seat, read: Sequence[_Read], lang: str) -> None:
        """Play the orders and then the moves, up to the first reveal; raise what is illegal."""
        orders = [n for n, each in enumerate(read) if not isinstance(each.action, _MOVES)]
        moves = [n for n in range(len(read)) if n not in orders]
        for index in (*orders, *moves):
            action, line = read[index]
            try:
                step = flow.apply(state, seat, action, SeededChance(b"reading"))
            except IllegalAction as error:
                near = self.nearest(state, seat, action)
                error.index = index
                error.begun = tuple(read[n].action for n in (*orders, *moves) if n < index)
                error.context |= {"index": index, "text": line.text, "line": line.number}
                error.context["nearest"] = tuple(write(each, lang) for each in near)
                raise
            if step.reveals:
                break
            state = step.state


def _write_said(said: Said, lang: str) -> str:
    return said.what if isinstance(said, Mark) else write(said, lang)


def _wrong(code: str, line: Line) -> IllegalAction:
    """An error that is seen in a text alone."""
    error = illegal(code)
    error.context |= {"index": 0, "text": line.text, "line": line.number, "nearest": ()}
    return error


def _stray(line: Line) -> Unreadable:
    """A line that is understood, but says nothing here."""
    return Unreadable(line.text, text=line.text, line=line.number, kind="order", expected=())


class _Assembly:
    """Lines put together: plans, answers, drafts, and single actions."""

    def __init__(self, fights: bool) -> None:
        self._fights = fights
        self._read: list[_Read] = []
        self._plan: list[Alternative[Any, Any]] = []
        self._head: Mark | None = None
        self._head_line = Line(0, "")
        self._orders: tuple[Any, ...] | None = None

    def assembled(self, said: Sequence[tuple[Line, Said]]) -> list[_Read]:
        for line, each in said:
            if self._head is not None:
                if self._in_plan(line, each):
                    continue
            elif self._orders is not None:
                self._in_answer(line, each)
                continue
            self._alone(line, each)
        self._close(Otherwise.ASK)
        if self._orders is not None:
            self._answer()
        return self._read

    # A plan

    def _in_plan(self, line: Line, said: Said) -> bool:
        """Take a line into the plan; False if the plan is over and the line is not its own."""
        assert self._head is not None
        alternative = self._plan[-1]
        moves = self._head.what == "plan move"
        if isinstance(said, Mark):
            if said.what in ("plan move", "plan combat"):
                self._close(Otherwise.ASK)
                return False
            if said.what == "otherwise":
                self._close(Otherwise(said.value))
                return True
            if said.what == "or":
                self._plan.append(Alternative())
                return True
            raise _stray(line)
        if isinstance(said, If):
            conditions = (*alternative.conditions, said)
            self._plan[-1] = Alternative(conditions=conditions, lines=alternative.lines)
        elif isinstance(said, _MOVE_LINES if moves else do.FIGHT_ORDERS):
            lines = (*alternative.lines, said)
            self._plan[-1] = Alternative(conditions=alternative.conditions, lines=lines)
        elif not isinstance(said, do.Done):
            raise _stray(line)
        return True

    def _close(self, otherwise: Otherwise) -> None:
        if self._head is None:
            return
        plan: Any = Alternatives(alternatives=tuple(self._plan), otherwise=otherwise)
        moves = self._head.what == "plan move"
        if moves and any(each == Alternative() for each in self._plan):
            # Written so, something else was meant: a line was left out, or is not one of ours.
            raise _wrong("empty_alternative", self._head_line)
        action = do.PlanMove(plan=plan) if moves else do.PlanFight(plan=plan)
        self._read.append(_Read(action, self._head_line))
        self._head = None

    # Sealed orders

    def _in_answer(self, line: Line, said: Said) -> None:
        if isinstance(said, do.Done):
            self._answer()
        elif isinstance(said, do.FIGHT_ORDERS):
            self._orders = do.with_order(self._orders or (), said)
        else:
            raise _stray(line)

    def _answer(self) -> None:
        orders: Any = self._orders or ()
        self._read.append(_Read(do.Answer(orders=orders), self._head_line))
        self._orders = None

    # All else

    def _alone(self, line: Line, said: Said) -> None:
        match said:
            case Mark(what="plan move" | "plan combat"):
                self._head, self._head_line, self._plan = said, line, [Alternative()]
            case Mark(what="answer"):
                self._orders, self._head_line = (), line
            case Mark(what="undo"):
                if not self._take_back(1):
                    raise _stray(line)
            case Mark(what="restart"):
                self._take_back(len(self._read))
            case Mark(what="draft"):
                lines: Any = tuple(self._take_back(len(self._read)))
                self._read.append(_Read(do.Draft(lines=lines), line))
            case Mark(what="sow", value=value):
                if not self._read or not isinstance(self._read[-1].action, do.Place):
                    raise _stray(line)
                place, begun = self._read[-1]
                assert isinstance(place, do.Place)
                sown = do.Place(hexes=place.hexes, sow=value == "yes")
                self._read[-1] = _Read(sown, begun)
            case Mark() | If():
                raise _stray(line)
            case _ if isinstance(said, _MOVES) and self._read and self._is_over():
                raise _stray(line)
            case do.Done() if self._fights:
                answer = self._gathered()
                self._read.append(_Read(answer, line))
            case _:
                self._read.append(_Read(said, line))

    def _is_over(self) -> bool:
        """True if the move is closed: what comes behind it would be another."""
        return any(isinstance(each.action, do.Done) for each in self._read)

    def _take_back(self, number: int) -> list[do.Action]:
        """The last lines of the move are none any more."""
        at = [n for n, each in enumerate(self._read) if isinstance(each.action, _MOVE_LINES)]
        gone = at[len(at) - number :] if number < len(at) else at
        taken = [self._read[n].action for n in gone]
        self._read = [each for n, each in enumerate(self._read) if n not in gone]
        return taken

    def _gathered(self) -> do.Answer:
        """The combat orders before a `done` are the answer to who is asked for one."""
        orders: Any = ()
        rest = []
        for each in self._read:
            if isinstance(each.action, do.FIGHT_ORDERS):
                orders = do.with_order(orders, each.action)
            else:
                rest.append(each)
        self._read = rest
        return do.Answer(orders=orders)


NOTATION: Final = MammothsNotation()

__all__ = ["NOTATION", "MammothsNotation", "Withdraw"]
