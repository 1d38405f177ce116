"""Choosing on a picture: which things are touched for an action, and which may be touched next.

A path is what is touched for one action, in order; a tuple in it is touched in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from engine.kit.scene import Place

Path = tuple[str | tuple[str, ...], ...]
"""What is touched on the board for an action."""

WORD: Final = "do:"
"""The beginning of a thing that is touched as a word beside the picture: it has no place there."""

BOARD: Final = "board:"
"""The beginning of a thing that is the whole board of the seat that follows: the next touch is on
that board.
"""

T = TypeVar("T")


class Spot(Protocol):
    """Something on a picture that can be touched: already chosen, or not to be used."""

    @property
    def chosen(self) -> bool: ...

    @property
    def barred(self) -> bool: ...


def fits(path: Path, touched: Sequence[str]) -> bool:
    """True if these touches are a beginning of this path."""
    return _rest(path, touched) is not None


def next_of(path: Path, touched: Sequence[str]) -> list[str]:
    """The things that may be touched after these on this path, each once; none at its end."""
    rest = _rest(path, touched)
    if not rest:
        return []
    first = rest[0]
    return [first] if isinstance(first, str) else list(dict.fromkeys(first))


def following(ways: Iterable[tuple[T, Path]], touched: Sequence[str]) -> dict[str, list[T]]:
    """The things that may be touched next on any of these paths, each with all it can lead to."""
    found: dict[str, list[T]] = {}
    for means, path in ways:
        for thing in next_of(path, touched):
            found.setdefault(thing, []).append(means)
    return found


def leading(paths: Sequence[Path], touched: Iterable[str]) -> list[str]:
    """The touches that lead on, each after those before it; the others are left out."""
    made: list[str] = []
    for thing in touched:
        if any(thing in next_of(path, made) for path in paths):
            made.append(thing)
    return made


def touched_through(place: Place, spots: Mapping[str, Spot]) -> str:
    """The thing that is touched where this place is: of several that are alike, one that has not
    been chosen leads where the first of them leads that can be touched.
    """
    if place.id in spots and spots[place.id].chosen:
        return place.id
    for other in place.alike:
        there = spots.get(other)
        if there is not None and not there.chosen and not there.barred:
            return other
    return place.id


def _rest(path: Path, touched: Sequence[str]) -> list[str | tuple[str, ...]] | None:
    left: list[str | tuple[str, ...]] = [part for part in path if part]
    for thing in touched:
        if not left:
            return None
        first = left[0]
        if isinstance(first, str):
            if first != thing:
                return None
            left.pop(0)
            continue
        if thing not in first:
            return None
        others = list(first)
        others.remove(thing)
        left[0] = tuple(others)
        if not others:
            left.pop(0)
    return left
