"""The bot `planner`: whole turns, judged by how the game may end.

A turn is searched in four steps, each handing its best lines to the next: where to lay the tile,
how to use the bonuses, whether to play a mountain token, what to take. The last step looks some
turns ahead with the pool as it would be. What is spent is counted in positions visited, never in
time, so that a turn depends on the position alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.chance import Chance
from engine.kit.bots.search import Found, Stage, Worth, search
from engine.protocol import Decision, Seat
from engine.sapiens import legality
from engine.sapiens.actions import Action, Camp, Claim, Fight, Hunt, Picking, Recall, Token
from engine.sapiens.bots import greedy
from engine.sapiens.bots.greedy import finish
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


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn, or what is left of it. Nothing is left to chance."""
    return finish(search_turn(state, BUDGET).line).actions


def search_turn(state: State, budget: int) -> Found[State, Action]:
    """The best turn found for about `budget` positions; what two players remove is still open.

    The budget is looked at between two lines; every placement is looked at once in any case.
    """
    judging = _Judging(state.turn.seat, turns_left(state))
    placing = Stage(grow=_placed, judge=judging.by_hope, width=_PLACED)
    rest = (
        Stage(
            grow=_uses,
            judge=judging.by_standing,
            width=_RESOLVED,
            of_one=_OF_ONE_PLACE,
            share=_BEFORE_TAKING,
        ),
        Stage(
            grow=_with_token,
            judge=judging.by_standing,
            width=_ENDED,
            of_one=_TOKENS,
            keep=True,
            share=_BEFORE_TAKING,
        ),
        Stage(grow=_taken, judge=judging.by_turns_ahead, share=1.0),
    )
    laid = state.turn.phase not in (START, LAY, STUCK)
    return search(begin(state), rest if laid else (placing, *rest), budget)


class _Judging:
    """A seat's standing against the others', bonuses not used yet being declined."""

    def __init__(self, seat: Seat, turns: int) -> None:
        self._seat = seat
        self._turns = turns

    def by_standing(self, line: Line) -> Worth:
        return self._worth(line, 0, NOTHING)

    def by_hope(self, line: Line) -> Worth:
        """With bonuses at their average."""
        hope = NOTHING
        for scene in members(line.state.turn.bonuses):
            hope = hope.plus(BONUS[scene])
        return self._worth(line, 0, hope)

    def by_turns_ahead(self, line: Line) -> Worth:
        """With some turns tried out."""
        return self._worth(line, _DEPTH, NOTHING)

    def _worth(self, line: Line, depth: int, extra: Points) -> Worth:
        state = close(line.state, [])
        own, visited = standing(
            state, self._seat, self._turns, depth=depth, width=_WIDTH, extra=extra
        )
        others = [
            standing(state, other, self._turns)[0]
            for other in range(len(state.players))
            if other != self._seat
        ]
        rivals = (max(others) + sum(others) / len(others)) / 2
        return Worth(own - _HARM * rivals, visited + len(others))


def _placed(start: Line) -> Iterator[Line]:
    """The mandatory tile."""
    for line in (start, *_opened(start)):
        if line.made or line.state.turn.phase not in (START, LAY):
            yield line
            continue
        for _, placement, how in greedy.ranked(line.state):
            yield line.play(greedy.laying(line.state, placement, how))


def _opened(start: Line) -> Iterator[Line]:
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


def _with_token(line: Line) -> Iterator[Line]:
    """Every mountain token worth trying, after the tile."""
    state = line.state
    if state.turn.phase not in (RESOLVING, REFILL) or state.turn.token_played or state.round == 1:
        return
    after = close(state, [])
    for scene in members(after.mover.claimed):
        for effect in tries(after, scene, as_token=True):
            yield line.play(Token(effect=effect))


def _taken(line: Line) -> Iterator[Line]:
    """Every way to refill; a turn that does not come to it is finished greedily."""
    if line.state.turn.phase in (RESOLVING, REFILL) and not line.made:
        for take in legality.takes(line.state):
            yield line.play(take)
    else:
        yield finish(line)


def _rescues(start: Line) -> Iterator[Line]:
    """Tokens after which a tile can be laid or a cave opened, for who can do neither (S§11.1)."""
    for token in legality.tokens(start.state):
        if not isinstance(token.effect, Claim | Recall | Camp | Hunt | Fight):
            opened = start.play(token)
            if not opened.made:
                yield opened


def _uses(line: Line) -> Iterator[Line]:
    """Every order and use of the bonuses, declining included."""
    yield line
    if line.state.turn.phase == RESOLVING:
        for scene in members(line.state.turn.bonuses):
            for use in tries(line.state, scene, as_token=False):
                yield from _uses(line.play(use))
