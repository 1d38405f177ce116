"""How many random cases a test tries."""

from __future__ import annotations

from hypothesis import settings

MORE = 20


def cases(number: int) -> int:
    """So many by `make test`, MORE times as many by `make fuzz`."""
    return number * (MORE if settings.get_current_profile_name() == "fuzz" else 1)
