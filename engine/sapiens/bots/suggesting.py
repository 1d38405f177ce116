"""The strongest few turns, for the links of a letter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from engine.kit.bots.suggesting import FEW, suggest
from engine.protocol import Seat
from engine.sapiens.actions import Abandon, Action, Feast, Lay, Token
from engine.sapiens.bots.greedy import finish, laying, next_action, ranked
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.standing import foreseen, is_stuck, turns_left
from engine.sapiens.components import TILES
from engine.sapiens.notation import NOTATION
from engine.sapiens.state import LAY, START, State

_TRIED: Final = 12
"""Places of a tile for which whole turns are played out, however few are asked for: fewer are then
the first of more."""
_TILES_THERE: Final = 4
"""Tiles that are tried in each: they may bring the same, and differ in what can go on with them."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` whole turns, best first.

    The placements that bring most at once are played out greedily and ordered by how well the
    player then stands, with the next turn foreseen; of near twins (another tile on the same
    squares, one of the same scenes on squares that overlap, a feast's as another feast's) the best
    stands for all. First tiles after which none of the pool fits are left out where there are
    others. Where the tile is laid already there is one way to finish the turn.
    """
    turns = turns_left(state)

    def worth(line: Line) -> float:
        return foreseen(line.state, seat, turns)

    lines = [finish(line) for line in _placed(begin(state), _TRIED)]
    if state.turn.phase == START:
        going = [line for line in lines if not is_stuck(line.state.players[seat])]
        lines = going if len(going) >= FEW else lines
    return suggest(lines, worth, limit, NOTATION.meaning, _alike)


def _alike(line: Line, other: Line) -> bool:
    """True if they lay the tile of the turn on the same squares, or the same scenes on squares that
    overlap, be it both in the turn or both by a feast.
    """
    (ours, fed), (theirs, others_fed) = _tiles_laid(line), _tiles_laid(other)
    return any(_squares(one) == _squares(two) for one, two in product(ours, theirs)) or any(
        _scenes(one.tile) == _scenes(two.tile) and _squares(one) & _squares(two)
        for one, two in (*product(ours, theirs), *product(fed, others_fed))
    )


def _squares(laid: Lay | Abandon | Feast) -> frozenset[str]:
    return frozenset((laid.first, laid.second))


def _scenes(tile: str) -> str:
    """A tile without the number of its copy."""
    return tile.partition(".")[0]


def _tiles_laid(line: Line) -> tuple[list[Lay | Abandon], list[Feast]]:
    """The tile of the turn and those of its feasts, and where they are laid."""
    done = [each.effect if isinstance(each, Token) else each for each in line.actions]
    return (
        [each for each in done if isinstance(each, Lay | Abandon)],
        [each for each in done if isinstance(each, Feast)],
    )


def _placed(start: Line, number: int) -> Sequence[Line]:
    """The turn with its tile laid in up to `number` places, in each with some of the tiles."""
    if start.state.turn.phase not in (START, LAY):
        return (start,)
    first = next_action(start.state)
    if isinstance(first, Token):  # without it no tile can be laid (S§9.4)
        start = start.play(first)
    found: dict[frozenset[int], dict[str, Line]] = {}
    for _, placement, how in ranked(start.state):
        squares = frozenset((placement.first, placement.second))
        there = found.get(squares, {})
        scenes = _scenes(TILES[placement.tile])
        if scenes in there or len(there) == _TILES_THERE or (not there and len(found) == number):
            continue
        found[squares] = {**there, scenes: start.play(laying(start.state, placement, how))}
    return tuple(line for there in found.values() for line in there.values())
