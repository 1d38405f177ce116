"""A failing seed made as short as it gets: fewer steps and fewer kinds of faults."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tests.simulation.faults import FAULTS
from tests.simulation.run import Databases, Result, simulate


class Short(msgspec.Struct, frozen=True):
    """What is left of a run that still fails."""

    steps: tuple[int, ...]
    without: tuple[str, ...]
    result: Result


def shortest(
    seed: int, game: str | None, databases: Databases, run: Sequence[int], most: int = 150
) -> Short:
    """Leave out faults and steps of a run as long as a promise is still broken, in so many tries at
    most.

    Raises ValueError for a seed that holds.
    """
    tries = 0

    def tried(steps: Sequence[int], without: Sequence[str]) -> Result | None:
        nonlocal tries
        tries += 1
        with databases.fresh() as url:
            result = simulate(seed, url, game=game, steps=steps, without=without)
        return result if result.broken is not None else None

    steps = list(run)
    without: list[str] = []
    result = tried(steps, without)
    if result is None:
        raise ValueError(f"seed {seed} holds")
    for fault in FAULTS:
        if (found := tried(steps, [*without, fault])) is not None:
            without, result = [*without, fault], found
    size = len(steps) // 2
    while size and tries < most:
        at = 0
        while at < len(steps) and tries < most:
            fewer = steps[:at] + steps[at + size :]
            if (found := tried(fewer, without)) is not None:
                steps, result = fewer, found
            else:
                at += size
        size //= 2
    return Short(tuple(steps), tuple(without), result)
