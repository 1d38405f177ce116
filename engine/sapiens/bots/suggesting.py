"""The strongest few turns, for the links of a letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.protocol import Seat
from engine.sapiens.actions import Abandon, Action, Lay, Token
from engine.sapiens.bots.greedy import finish, laying, next_action, ranked
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.standing import standing, turns_left
from engine.sapiens.state import LAY, START, State

_TRIED: Final = 12
"""Placements whose whole turn is played out, however few are asked for: fewer are then the first
of more."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` whole turns, best first, no two of them laying a tile on the same squares.

    The placements that bring most at once are played out greedily and ordered by how well the
    player then stands; near twins (the same scenes on squares that overlap) come after all that
    differ more. Where the tile is laid already there is one way to finish the turn.
    """
    if limit < 1:
        return ()
    turns = turns_left(state)
    lines = (finish(line) for line in _placed(begin(state), _TRIED))
    by_standing = sorted(lines, key=lambda line: standing(line.state, seat, turns)[0], reverse=True)
    return tuple(line.actions for line in _twins_last(by_standing)[:limit])


def _twins_last(lines: Sequence[Line]) -> Sequence[Line]:
    """The same lines, those first that are no near twin of one before them."""
    kept: list[Line] = []
    twins: list[Line] = []
    for line in lines:
        place = _place_of(line)
        twin = place is not None and any(_alike(place, _place_of(other)) for other in kept)
        (twins if twin else kept).append(line)
    return [*kept, *twins]


def _place_of(line: Line) -> tuple[str, set[str]] | None:
    """The scenes of the turn's tile and the squares it is laid on."""
    for action in line.actions:
        if isinstance(action, Lay | Abandon):
            return action.tile.partition(".")[0], {action.first, action.second}
    return None


def _alike(place: tuple[str, set[str]], other: tuple[str, set[str]] | None) -> bool:
    return other is not None and place[0] == other[0] and not place[1].isdisjoint(other[1])


def _placed(start: Line, number: int) -> Sequence[Line]:
    """The turn with its tile laid, in up to `number` ways on different squares."""
    if start.state.turn.phase not in (START, LAY):
        return (start,)
    first = next_action(start.state)
    if isinstance(first, Token):  # without it no tile can be laid (S§9.4)
        start = start.play(first)
    found: dict[frozenset[int], Line] = {}
    for _, placement, how in ranked(start.state):
        squares = frozenset((placement.first, placement.second))
        if squares not in found:
            found[squares] = start.play(laying(start.state, placement, how))
            if len(found) == number:
                break
    return tuple(found.values())
