"""The position of Hill and Ford."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from tests.engine.toy.actions import Watched

T = TypeVar("T")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: int = 3


class State(msgspec.Struct, frozen=True, kw_only=True):
    """`turns` counts the turns done in this round. `plays` holds 0 for a seat that has not played.

    `orders` counts the standing orders each seat has filed; `cut` is true when something was
    revealed within the turn, so that the rest of it is a decision of its own.
    """

    rounds: int
    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    heaps: tuple[tuple[int, ...], ...]
    discard: tuple[int, ...]
    points: tuple[int, ...]
    watches: tuple[Watched, ...]
    orders: tuple[int, ...]
    plays: tuple[int, ...]
    first: int
    round: int = 1
    turns: int = 0
    phase: Literal["camp", "dig", "bury", "duel", "over"] = "camp"
    cut: bool = False

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def to_move(self) -> int:
        return (self.first + self.turns) % self.seats


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The tuple with this item in its place."""
    return (*items[:at], item, *items[at + 1 :])
