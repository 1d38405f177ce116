"""How many cases a test tries of those that are alike."""

from __future__ import annotations

from hypothesis import settings

MORE = 20
PART = 3
FEWEST = 5

_tier = "usual"


def of_tier(tier: str) -> None:
    """Have the tests of this process try as many as this tier does."""
    global _tier
    _tier = tier


def all_of_them() -> bool:
    """Whether this is `make test-all`."""
    return _tier == "all"


def part(number: int) -> int:
    """So many by `make test-all`, by `make test` one of PART of them, though not of the FEWEST: for
    other deals or positions of what is tried with these already.
    """
    return number if _tier == "all" else max(min(number, FEWEST), number // PART)


def cases(number: int) -> int:
    """So many random cases by `make test-all`, a part of them by `make test`, MORE times as many by
    `make fuzz`.
    """
    fuzz = settings.get_current_profile_name() == "fuzz"
    return number * MORE if fuzz else part(number)
