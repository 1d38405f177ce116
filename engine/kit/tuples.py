"""Tuples with one thing changed, for positions that never are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

T = TypeVar("T")
S = TypeVar("S", bound=Any)


def put(things: tuple[T, ...], at: int, thing: T) -> tuple[T, ...]:
    """The things with another one in this place."""
    return (*things[:at], thing, *things[at + 1 :])


def without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    """The things without the first that is equal to this. Raises ValueError if none is."""
    at = things.index(thing)
    return (*things[:at], *things[at + 1 :])


def place_in(wanted: Sequence[T], thing: T) -> int:
    """The place of a thing in an order of preference: behind all where it is not named."""
    return wanted.index(thing) if thing in wanted else len(wanted)


def with_player(state: S, seat: int, player: object) -> S:
    """The position with another value for one of its `players`."""
    return replace(state, players=put(state.players, seat, player))
