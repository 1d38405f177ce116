"""Moves tried out without what follows from them: lines on which `done` ends the game's part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from engine.chance import Chance, NoChance
from engine.kit.bots.lines import Line, begin
from engine.mammoths import flow
from engine.mammoths.actions import Action, Card, Done, Found, Move, TakeFire
from engine.mammoths.bots.appraisal import Appraisal
from engine.mammoths.moving import finish, legal_lines, play_line
from engine.mammoths.state import Moving, State
from engine.mammoths.table import Table
from engine.protocol import Decision, Seat, Step


class Trying:
    """The rules of one submission: while somebody moves no orders are asked for, after `done`
    nobody is asked, and nothing is drawn.
    """

    def decisions(self, state: State, /) -> tuple[Decision[Action], ...]:
        return (flow.move_decision(state),) if state.phase == "move" else flow.decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance, /) -> Step[State]:
        if not isinstance(action, Done):
            return flow.apply(state, seat, action, chance)
        table = Table(state, chance)
        finish(table, seat)
        table.set(phase="combat", asked=())
        return Step(state=table.freeze(), events=tuple(table.events), reveals=True)


RULES = Trying()


def of_move(state: State, decision: Decision[Action]) -> Line[State, Action]:
    """The line of a move that is asked for, with nothing done yet."""
    return begin(RULES, state, decision)


def as_mover(state: State, seat: Seat) -> tuple[State, Decision[Action]]:
    """The position as if it were this tribe's turn to move now, and its decision."""
    at = state.order.index(seat)
    here = replace(state, mover=at, moving=Moving())
    return here, flow.move_decision(here)


def better_lines(
    line: Line[State, Action], most: int, worth: Appraisal
) -> list[tuple[float, Action]]:
    """The lines that could come next, best first, each with what the position is worth then.

    Of pawns that could go together a few numbers are tried, and of ways to a hex the first.
    """
    table = Table(line.state, NoChance())
    seat = line.seat
    found: list[tuple[float, Action]] = []
    for action in _candidates(table, seat):
        if isinstance(action, Move):
            start, end = action.path[0], action.path[-1]
            neutral = list(table.neutral)
            table.shift(seat, start, end, action.w, action.f)
            found.append((worth(table), action))
            table.shift(seat, end, start, action.w, action.f)
            table.neutral[:] = neutral
        else:
            other = Table(line.state, NoChance())
            play_line(other, seat, action)
            # A card is kept for a better day.
            kept = isinstance(action, Card) and action.title in ("T05", "T06", "T07")
            liking = -1.5 * kept if isinstance(action, Card) else 1.0
            found.append((worth(other) + liking, action))
    found.sort(key=lambda each: -each[0])
    return found[:most]


def _candidates(table: Table, seat: Seat) -> Iterator[Move | Found | TakeFire | Card]:
    ends: dict[tuple[int, int], tuple[int, ...]] = {}
    lines = legal_lines(table, seat)
    for path, group in groupby(lines, key=lambda each: each.path if isinstance(each, Move) else ()):
        if not path:
            yield from group
            continue
        first = ends.setdefault((path[0], path[-1]), path)
        if path != first:
            continue
        moves = [each for each in group if isinstance(each, Move)]
        most_w = max(each.w for each in moves)
        most_f = max(each.f for each in moves)
        for each in moves:
            if each.w in (0, 1, most_w - 1, most_w) and each.f in (0, 1, most_f):
                yield each
