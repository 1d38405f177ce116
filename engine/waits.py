"""The waits of a match: how often it stood still until somebody decided.

A move by mail costs hours, so this is what an adaptation is measured by. Orders and plans are what
saves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from engine.journal import Entry, Setup, fold, start
from engine.protocol import Game, Seat

S = TypeVar("S")
A = TypeVar("A")


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """The waits of a match. `turns` counts player turns: what one seat decides within what players
    call a turn (`engine.protocol.Decision.turn`), by itself, by a plan or by default. `by_seat` has
    the waits for each seat.
    """

    waits: int
    turns: int
    by_seat: tuple[int, ...]

    @property
    def percent(self) -> int:
        """Waits per hundred player turns, rounded: 100 where each turn is waited for once."""
        return percent(self.waits, self.turns)


def percent(waits: int, turns: int) -> int:
    """Waits per hundred player turns, rounded."""
    return round(100 * waits / turns) if turns else 0


def count(game: Game[S, A], setup: Setup, entries: Iterable[Entry]) -> Waits:
    """The waits of a match or its beginning. A seat is waited for when what it must decide is
    decided by anything but its plan; by whom does not matter, a player, a bot or the clock.

    Orders are no waits, nor is a decision that was made together with the one before it. Raises
    `engine.journal.ReplayError` if the journal does not fold.
    """
    position = start(game, setup)
    by_seat = [0] * setup.seats
    turns: set[tuple[Seat, str]] = set()
    for entry in entries:
        asked = {d.id for d in game.decisions(position.state) if d.blocks}
        ((position, played),) = fold(game, position, [entry])
        if entry.decision in asked:
            turns.add((entry.seat, played.turn))
            by_seat[entry.seat] += entry.cause != "plan"
    return Waits(waits=sum(by_seat), turns=len(turns), by_seat=tuple(by_seat))
