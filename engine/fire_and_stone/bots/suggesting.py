"""The strongest few turns, for the links of a letter. They depend on what the seat knows alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.turns import (
    explorers_to_move,
    follow,
    judged,
    moves,
    next_actions,
    opening,
    ranked,
    turn,
)
from engine.fire_and_stone.bots.worth import AtEnd, Goods, Judging, beside, near, unseen
from engine.fire_and_stone.map import INDEX, REGION
from engine.fire_and_stone.notation.meaning import meaning
from engine.fire_and_stone.scoring import score
from engine.fire_and_stone.state import NO_EXPLORER, Phase, Player, State
from engine.kit.tuples import with_player
from engine.protocol import Seat

Last: TypeAlias = tuple[int, str, int, int, tuple[str, ...]]
"""The points that a last turn surely earns; the place that it turns over, "" for none, how many of
so many tiles that may lie there earn some, and of which kinds.
"""
_ENOUGH = 3
"""Suggestions to which no walk into a dead end is added."""
_TRIED = 8
"""Moves whose turn is played out, however few are asked for."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` submissions, best first, up to what is hidden or the end of the turn. No two
    begin alike, or lead to the same. In a last turn those come first that surely earn most.
    """
    judging = AtEnd(state, seat) if state.is_last else Judging(state, seat)
    begun: set[Hashable] = set()
    found: dict[Hashable, tuple[Action, ...]] = {}
    for actions in _starts(state, seat, judging):
        meant = tuple(meaning(state, seat, action) for action in actions)
        if meant in begun:
            continue
        if len(found) >= _ENOUGH and _dead_end(state, seat, actions):
            break  # What comes after it is worth no more.
        begun.add(meant)
        whole, end = _finished(state, seat, judging, actions)
        found.setdefault(end, whole)
        if (len(found) == limit and not state.is_last) or len(begun) == _TRIED:
            break
    if not state.is_last:
        return tuple(found.values())
    return sorted(found.values(), key=partial(_surely_earned, state, seat), reverse=True)[:limit]


def earned(state: State, seat: Seat, actions: Sequence[Action]) -> Last | None:
    """The earnings of a last turn; None where what else comes to light decides them."""
    judging, before = AtEnd(state, seat), score(state, seat)
    for action in actions:
        if isinstance(action, do.Go) and state.down >> (there := INDEX[action.place]) & 1:
            now, cases = judging(state, seat), judged(state, seat, judging, there).cases
            looked = state.mover.looked >> there & 1
            count = 1 if looked else unseen(state, seat, REGION[there]).total()
            good = [case for case in cases if case.value > now + 0.5]
            earning = round(count * sum(case.chance for case in good))
            kinds = tuple(box.KINDS[case.kind] for case in good)
            return score(state, seat) - before, action.place, earning, count, kinds
        if isinstance(action, do.Hunt):
            break
        step = flow.play(state, action)
        if step.reveals and step.state.turn.phase != Phase.OVER:
            return None
        state = step.state
    return score(state, seat) - before, "", 0, 0, ()


def _surely_earned(state: State, seat: Seat, actions: Sequence[Action]) -> int:
    """The points that a last turn brings whatever comes to light."""
    found = earned(state, seat, actions)
    return found[0] if found else 0


def _dead_end(state: State, seat: Seat, actions: tuple[Action, ...]) -> bool:
    """True if the first walk is to an unseen place that has none beside it."""
    places = [INDEX[action.place] for action in actions if isinstance(action, do.Go)][:1]
    return any(state.down >> n & 1 and not beside(state, seat, n) for n in places)


def _starts(state: State, seat: Seat, judging: Judging) -> Iterator[tuple[Action, ...]]:
    """The first move or choice of each, best first."""
    if state.turn.number == 0 or state.turn.phase == Phase.TUNNEL:
        yield turn(state, seat, judging)
    elif state.turn.phase == Phase.MOVE:
        every = moves(state, seat, judging, explorers_to_move(state))
        # Of moves worth the same first that which the letter says most for.
        order = lambda move: (  # noqa: E731
            -round(move.value, 9),
            -beside(state, seat, move.place),
            -near(state, seat, move.place),
        )
        for move in sorted(every, key=order):
            yield (*opening(state, move), *move.actions)
    else:
        full = state.players[seat].food == state.players[seat].capacity
        chosen = ranked(state, seat, judging)
        if state.turn.phase == Phase.KEEP:
            goods = Goods(state)
            chosen.sort(key=lambda actions: -goods(_cooked(state.mover, actions[0])))
        for actions in chosen:
            # Food that finds no room is nothing done, which is offered as that.
            if not (full and isinstance(actions[0], do.Food)):
                yield actions


def _cooked(player: Player, first: Action) -> Player:
    """A player who has cooked the game that is kept, with the food there is room for (F§2.8)."""
    pieces = first.pieces if isinstance(first, do.Keep) else ()
    tiles = [box.GAME[box.GAME_INDEX[piece]] for piece in pieces]
    bags = sum(tile.bags for tile in tiles)
    food = min(player.capacity + bags, player.food + sum(tile.food for tile in tiles))
    return replace(player, food=food, bags=player.bags + bags)


def _finished(
    state: State, seat: Seat, judging: Judging, actions: tuple[Action, ...]
) -> tuple[tuple[Action, ...], Hashable]:
    """The submission with the rest of the turn, as far as nothing comes to light, and what it leads
    to: equal for those between which there is nothing to choose.
    """
    if not state.turn.number:
        return actions, actions
    begins = iter([actions])
    done, at, reveals = follow(
        state, seat, lambda at: next(begins, None) or next_actions(at, seat, judging)
    )
    return done, (_alike(at, seat), meaning(at, seat, done[-1]) if reveals else None)


def _alike(state: State, seat: Seat) -> Hashable:
    """The position without the numbers of the seat's explorers: nothing depends on which is the
    first (F§4.2).
    """
    turn, player = state.turn, state.players[seat]
    explorers = tuple(
        sorted(
            (place, number == turn.explorer, bool(turn.moved >> number & 1))
            for number, place in enumerate(player.explorers)
        )
    )
    players = with_player(state, seat, replace(player, explorers=()))
    return replace(players, turn=replace(turn, explorer=NO_EXPLORER, moved=0)), explorers
