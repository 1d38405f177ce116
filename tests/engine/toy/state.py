"""The position of Hill and Ford."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from tests.engine.toy.actions import Line, Place, Tile, Watched

T = TypeVar("T")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: int = 3
    treks: bool = False


class State(msgspec.Struct, frozen=True, kw_only=True):
    """`tiles` are those of the places, `turned` says which lie face up. `plays` holds 0 for a seat
    that has not played, `camps` the places camped at in this round, `out` who is eliminated.
    `said` is the line of its plan that has spoken last for the seat to move, -1 for none.

    `turns` counts the turns done in this round; `cut` is true when something was revealed within
    the turn, so that the rest of it is a decision of its own.
    """

    rounds: int
    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    heaps: tuple[tuple[int, ...], ...]
    discard: tuple[int, ...]
    points: tuple[int, ...]
    watches: tuple[Watched, ...]
    plans: tuple[tuple[Line, ...], ...]
    plays: tuple[int, ...]
    first: int
    tiles: tuple[Tile, ...] = ("grass", "grass", "grass", "grass")
    turned: tuple[bool, ...] = (True, True, True, True)
    camps: tuple[Place, ...] = ()
    said: int = -1
    out: tuple[int, ...] = ()
    round: int = 1
    turns: int = 0
    phase: Literal["camp", "dig", "bury", "carry", "wish", "duel", "over"] = "camp"
    cut: bool = False
    treks: bool = False

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def in_play(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.out)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of their turns in this round."""
        around = ((self.first + k) % self.seats for k in range(self.seats))
        return tuple(seat for seat in around if seat not in self.out)

    @property
    def to_move(self) -> int:
        return self.order[self.turns]


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The tuple with this item in its place."""
    return (*items[:at], item, *items[at + 1 :])
