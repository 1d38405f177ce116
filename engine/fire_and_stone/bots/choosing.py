"""Choosing actions by the worth of where they lead, up to what is hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.worth import CARD_WORTH, HUNT, LOOK
from engine.fire_and_stone.options import options
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Seat

Judge: TypeAlias = Callable[[State, Seat], float]
SEALED = (Phase.KEEP, Phase.ARRANGE, Phase.COUNCIL)


def piece_worth(piece: str) -> float:
    """The worth of a game tile that could be kept."""
    tile = box.GAME[box.GAME_INDEX[piece]]
    return tile.food * 0.33 + tile.bags * 0.5


def ranking(state: State) -> do.Rank:
    """The starting inventions, the best first."""
    return do.Rank(cards=tuple(sorted(state.starting, key=lambda card: -CARD_WORTH[card])))


def best(state: State, seat: Seat, judge: Judge) -> tuple[float, tuple[Action, ...]]:
    """The best actions of the seat from here to its explorer's end, the next reveal or a move, and
    what they are worth.
    """
    return _searched(state, seat, judge, 4)


def ranked(state: State, seat: Seat, judge: Judge) -> list[tuple[Action, ...]]:
    """The options here, each with the best that follows, best first."""
    return [
        actions for _, actions in sorted(_all(state, seat, judge, 4), key=lambda each: -each[0])
    ]


def _all(
    state: State, seat: Seat, judge: Judge, depth: int
) -> Iterator[tuple[float, tuple[Action, ...]]]:
    """Every option here with the best that follows, and its value."""
    for actions in _candidates(state):
        value, after, revealed = _tried(state, seat, judge, actions)
        more: tuple[Action, ...] = ()
        same = after.turn.seat == seat and after.turn.phase not in (
            Phase.MOVE,
            Phase.OVER,
            Phase.TUNNEL,
        )
        if not revealed and same and depth > 1:
            value, more = _searched(after, seat, judge, depth - 1)
        yield value, (*actions, *more)


def _searched(
    state: State, seat: Seat, judge: Judge, depth: int
) -> tuple[float, tuple[Action, ...]]:
    """The value of the best actions from here, and these."""
    turn = state.turn
    if turn.seat != seat or turn.phase in (Phase.MOVE, Phase.OVER, Phase.TUNNEL) or not depth:
        return judge(state, seat), ()
    return max(_all(state, seat, judge, depth), key=lambda each: each[0])


def _candidates(state: State) -> list[tuple[Action, ...]]:
    """The options, steps of one choice together."""
    if state.turn.pieces:
        return [(do.Done(),)]
    offered = options(state)
    found: list[tuple[Action, ...]] = []
    pieces = False
    for action in offered:
        if isinstance(action, do.Piece):
            pieces = True
        elif isinstance(action, do.Name):
            pass
        elif not isinstance(action, do.Done):
            found.append((action,))
    if pieces:
        found = [cook for cook in _cookings(state) if cook] + found
    if any(isinstance(action, do.Name) for action in offered):
        names = [action for action in offered if isinstance(action, do.Name)]
        found = [(*names[: state.turn.most_named - len(state.turn.named)], do.Look())]
    return found


def _cookings(state: State) -> list[tuple[Action, ...]]:
    """Some sets of held game tiles: the richest in bags first, one more each time."""
    held = sorted(state.mover.held, key=lambda n: (-box.GAME[n].bags, -box.GAME[n].food))
    pieces = [do.Piece(piece=box.GAME[n].id) for n in held]
    return [(*pieces[:number], do.Done()) for number in range(1, len(pieces) + 1)]


def _tried(
    state: State, seat: Seat, judge: Judge, actions: tuple[Action, ...]
) -> tuple[float, State, bool]:
    """The value after these actions, where they lead, and whether they reveal something.

    What is revealed is not looked at: a hunt, a look and the council are worth what they are on
    average, and a card that comes to the row is none the seat has.
    """
    bonus = 0.0
    for action in actions:
        if isinstance(action, do.Hunt):
            return judge(state, seat) + HUNT, state, True
        if isinstance(action, do.Look) and state.turn.named:
            return judge(state, seat) + LOOK, state, True
        if isinstance(action, do.Use) and state.rules == "council_of_elders":
            return judge(state, seat) - LOOK, state, True
        if isinstance(action, do.Keep):
            bonus += sum(map(piece_worth, action.pieces)) * 0.01
        step = flow.play(state, action)
        state = step.state
        # The rest of a discarded column is judged as it lies.
        if step.reveals:
            return judge(state, seat) + bonus, state, True
    return judge(state, seat) + bonus, state, False
