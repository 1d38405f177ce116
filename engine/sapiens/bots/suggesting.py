"""The strongest few turns, for the links of a letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kit.bots.suggesting import suggest
from engine.protocol import Seat
from engine.sapiens.actions import Abandon, Action, Feast, Lay, Token
from engine.sapiens.bots.greedy import finish, laying, next_action, ranked
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.standing import standing, turns_left
from engine.sapiens.notation import NOTATION
from engine.sapiens.state import LAY, START, State

_TRIED: Final = 12
"""Placements whose whole turn is played out, however few are asked for: fewer are then the first
of more."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` whole turns, best first, no two of them laying a tile on the same squares.

    The placements that bring most at once are played out greedily and ordered by how well the
    player then stands; of near twins (a tile of the same scenes on squares that overlap, be it that
    of the turn or a feast's) the best stands for all. Where the tile is laid already there is one
    way to finish the turn.
    """
    turns = turns_left(state)

    def worth(line: Line) -> float:
        return standing(line.state, seat, turns)[0]

    lines = (finish(line) for line in _placed(begin(state), _TRIED))
    return suggest(lines, worth, limit, NOTATION.meaning, _alike)


def _alike(line: Line, other: Line) -> bool:
    """True if they lay the same scenes on squares that overlap."""
    return any(
        one.tile.partition(".")[0] == two.tile.partition(".")[0]
        and not {one.first, one.second}.isdisjoint((two.first, two.second))
        for one in _tiles_laid(line)
        for two in _tiles_laid(other)
    )


def _tiles_laid(line: Line) -> Iterator[Lay | Abandon | Feast]:
    """The tiles of the turn and of its feasts, and where they are laid."""
    for action in line.actions:
        done = action.effect if isinstance(action, Token) else action
        if isinstance(done, Lay | Abandon | Feast):
            yield done


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
