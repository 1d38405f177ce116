"""The bot `planner`: whole turns, judged by how the game may end.

A turn is searched in four steps, each handing its best lines to the next: where to lay the tile,
how to use the bonuses, whether to play a mountain token, what to take. The last step looks some
turns ahead with the pool as it would be. What is spent is counted in positions visited, never in
time, so that a turn depends on the position alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.chance import Chance
from engine.protocol import Seat
from engine.sapiens import legality
from engine.sapiens.actions import Action, Camp, Claim, Fight, Hunt, Picking, Recall, Token
from engine.sapiens.bots import greedy
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.outlook import BONUS, NOTHING, Points
from engine.sapiens.bots.standing import standing, turns_left
from engine.sapiens.bots.trying import tries
from engine.sapiens.components import FEAST, PICKING, WATER, members
from engine.sapiens.laying import close
from engine.sapiens.placing import ABANDONING
from engine.sapiens.state import BONUS as RESOLVING
from engine.sapiens.state import LAY, REFILL, START, STUCK, State

BUDGET: Final = 6000
"""Positions a turn may visit."""
_BEFORE_TAKING: Final = 0.5
"""The share of the budget that may be spent before the last step."""

_PLACED: Final = 24
_RESOLVED: Final = 20
_ENDED: Final = 16
"""Lines handed on by the first three steps."""
_OF_ONE_PLACE: Final = 2
"""Of those resolved, as many of one placement."""
_TOKENS: Final = 3
_TOKENS_BEFORE: Final = 3
_DEPTH: Final = 3
_WIDTH: Final = 3

_HARM: Final = 0.7
"""What a point less for the others is worth, against an own one: half for the strongest of them,
half for all alike."""


class Found(NamedTuple):
    """A whole turn, and how many positions were visited to find it."""

    line: Line
    visited: int


def play(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    """The turn, or what is left of it. Nothing is left to chance."""
    return search(state, seat, BUDGET).line.actions


def search(state: State, seat: Seat, budget: int) -> Found:
    """The best whole turn found for about `budget` positions.

    The budget is looked at between two lines; every placement is looked at once in any case.
    """
    searching = _Search(state, seat, budget)
    line = searching.best(begin(state))
    return Found(line, searching.visited)


class _Valued(NamedTuple):
    value: float
    line: Line


class _Search:
    def __init__(self, state: State, seat: Seat, budget: int) -> None:
        self._seat = seat
        self._turns = turns_left(state)
        self._budget = budget
        self.visited = 0

    def best(self, start: Line) -> Line:
        if start.state.turn.phase in (START, LAY, STUCK):
            placed = _best(self._placed(start), _PLACED)
        else:
            placed = [_Valued(0.0, start)]
        resolved = _best(self._resolved(placed), _RESOLVED)
        ended = _best(self._with_tokens(resolved), _ENDED)
        return max(self._taken(ended), key=lambda each: each.value).line

    def _value(self, line: Line, *, depth: int = 0, extra: Points = NOTHING) -> float:
        """The seat's standing against the others', bonuses not used yet being declined."""
        state = close(line.state, [])
        own, visited = standing(
            state, self._seat, self._turns, depth=depth, width=_WIDTH, extra=extra
        )
        self.visited += visited
        return own - _HARM * self._rivals(state)

    def _rivals(self, state: State) -> float:
        others = [
            standing(state, other, self._turns)[0]
            for other in range(len(state.players))
            if other != self._seat
        ]
        self.visited += len(others)
        return (max(others) + sum(others) / len(others)) / 2

    def _placed(self, start: Line) -> Iterator[_Valued]:
        """The mandatory tile, with bonuses at their average."""
        for line in (start, *self._opened(start)):
            if line.state.turn.phase not in (START, LAY):
                yield _Valued(self._value(line), line)
                continue
            for _, placement, how in greedy.ranked(line.state):
                laid = line.play(greedy.laying(line.state, placement, how))
                hope = NOTHING
                for scene in members(laid.state.turn.bonuses):
                    hope = hope.plus(BONUS[scene])
                yield _Valued(self._value(laid, extra=hope), laid)

    def _opened(self, start: Line) -> Iterator[Line]:
        """Tokens that may make room for another tile: played before it (S§4.3)."""
        state = start.state
        if state.turn.phase == START or state.turn.token_played:
            return
        if state.turn.phase == STUCK:
            yield from _rescues(start)
            return
        stuck = greedy.ranked(state)[0][2] == ABANDONING
        if PICKING in members(state.mover.claimed):
            yield start.play(Token(effect=Picking()))
        for scene in (WATER, FEAST) if stuck else (WATER,):
            if scene in members(state.mover.claimed):
                for effect in tries(state, scene, as_token=True)[:_TOKENS_BEFORE]:
                    yield start.play(Token(effect=effect))

    def _resolved(self, placed: Sequence[_Valued]) -> Iterator[_Valued]:
        """Every order and use of the bonuses, declining included."""
        for _, line in placed:
            used = (_Valued(self._value(each), each) for each in _uses(line))
            yield from _best(used, _OF_ONE_PLACE)
            if self.visited > self._budget * _BEFORE_TAKING:
                return

    def _with_tokens(self, resolved: Sequence[_Valued]) -> Iterator[_Valued]:
        """Without a token, and with each of the best."""
        for value, line in resolved:
            yield _Valued(value, line)
            state = line.state
            if state.turn.phase not in (RESOLVING, REFILL) or state.turn.token_played:
                continue
            if state.round == 1 or self.visited > self._budget * _BEFORE_TAKING:
                continue
            after = close(state, [])
            played = (
                line.play(Token(effect=effect))
                for scene in members(after.mover.claimed)
                for effect in tries(after, scene, as_token=True)
            )
            yield from _best((_Valued(self._value(each), each) for each in played), _TOKENS)

    def _taken(self, ended: Sequence[_Valued]) -> Iterator[_Valued]:
        """Every way to refill; what two players remove is chosen greedily."""
        for _, line in ended:
            if line.state.turn.phase in (RESOLVING, REFILL) and not line.made:
                ways: Iterable[Line] = (line.play(take) for take in legality.takes(line.state))
            else:
                ways = (greedy.finish(line),)
            for way in ways:
                yield _Valued(self._value(way, depth=_DEPTH), greedy.finish(way))
                if self.visited > self._budget:
                    return


def _rescues(start: Line) -> Iterator[Line]:
    """Tokens after which a tile can be laid or a cave opened, for who can do neither (S§11.1)."""
    for token in legality.tokens(start.state):
        if not isinstance(token.effect, Claim | Recall | Camp | Hunt | Fight):
            opened = start.play(token)
            if not opened.made:
                yield opened


def _uses(line: Line) -> Iterator[Line]:
    yield line
    if line.state.turn.phase == RESOLVING:
        for scene in members(line.state.turn.bonuses):
            for use in tries(line.state, scene, as_token=False):
                yield from _uses(line.play(use))


def _best(valued: Iterable[_Valued], number: int) -> list[_Valued]:
    return sorted(valued, key=lambda each: each.value, reverse=True)[:number]
