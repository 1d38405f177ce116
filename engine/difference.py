"""The first place at which two JSON values differ."""

from __future__ import annotations

from typing import Any

import msgspec


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """`place` is the way into both values, e.g. "players[0].pool[2]"; None: nothing is there."""

    place: str
    expected: Any
    found: Any


def first_difference(expected: Any, found: Any, place: str = "") -> Difference | None:
    """Compare plain JSON values, objects by key and lists by index. None if they are equal."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(k for k in found if k not in expected)]:
            inner = f"{place}.{key}" if place else str(key)
            if key not in found or key not in expected:
                return Difference(place=inner, expected=expected.get(key), found=found.get(key))
            if difference := first_difference(expected[key], found[key], inner):
                return difference
        return None
    if isinstance(expected, list) and isinstance(found, list):
        for index in range(max(len(expected), len(found))):
            inner = f"{place}[{index}]"
            if index >= len(expected) or index >= len(found):
                return Difference(
                    place=inner,
                    expected=expected[index] if index < len(expected) else None,
                    found=found[index] if index < len(found) else None,
                )
            if difference := first_difference(expected[index], found[index], inner):
                return difference
        return None
    if type(expected) is type(found) and expected == found:
        return None
    return Difference(place=place, expected=expected, found=found)
