"""Sets of small numbers as ints: bit n is set for the number n. They are fast to join and to count,
and small in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


def mask(numbers: Iterable[int]) -> int:
    """The set of these numbers."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


@lru_cache(maxsize=1 << 14)
def members(numbers: int) -> tuple[int, ...]:
    """The numbers of a set, ascending."""
    found = []
    while numbers:
        lowest = numbers & -numbers
        found.append(lowest.bit_length() - 1)
        numbers ^= lowest
    return tuple(found)
