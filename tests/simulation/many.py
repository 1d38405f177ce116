"""Many seeds in several processes, and one of them shown.

What the processes of a pool are to run is looked up by the name of its module: it cannot be in
`__main__`, which they do not read.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.pool
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from tests.simulation import shorten
from tests.simulation.run import Databases, Result, simulate, steps_of


def command(
    seed: int, game: str | None = None, *, on: str = "sqlite", steps: int | None = None
) -> str:
    """What to type to see a seed again."""
    more = f" STEPS={steps}" if steps is not None else ""
    more += f" GAME={game}" if game else ""
    more += " DATABASE=postgresql" if on == "postgresql" else ""
    return f"make simulate SEED={seed}{more}"


def one(seed: int, game: str | None, on: str, most: int | None = None) -> Result:
    """Run one seed on a database of its own, or its first steps, so many at `most`."""
    with Databases.of_process(on).fresh() as url:
        return simulate(seed, url, game=game, steps=range(steps_of(seed))[:most])


def _initialise() -> None:
    os.nice(5)


def many(first: int, count: int | None, minutes: float, game: str | None, on: str) -> int:
    """Run seeds, as many or for as long as is said; how many were broken."""
    began, broken, steps, played, letters = time.monotonic(), [], 0, 0, 0
    counts: Counter[str] = Counter()
    done = 0

    def seeds() -> Iterator[int]:
        seed = first
        while count is None or seed < first + count:
            if count is None and time.monotonic() - began > minutes * 60:
                return
            yield seed
            seed += 1

    run = partial(one, game=game, on=on)
    processes = min(os.cpu_count() or 1, count or sys.maxsize)
    with multiprocessing.get_context("spawn").Pool(
        processes, _initialise, maxtasksperchild=500
    ) as pool:
        for result in _few_ahead(pool, run, seeds()):
            done += 1
            steps += result.steps
            played += result.played
            letters += result.letters
            counts += result.counts
            if result.broken is not None:
                broken.append(result.seed)
                print(f"BROKEN {result.seed}: {result.broken}", flush=True)
                print(f"  {command(result.seed, game, on=on)}", flush=True)
            if done % 100 == 0:
                print(f"{done} seeds, {len(broken)} broken", file=sys.stderr, flush=True)
    took = time.monotonic() - began
    print(f"{done} seeds in {took / 60:.1f} minutes: {done / took * 60:.0f} a minute")
    print(f"{steps} steps, {played} entries, {letters} letters taken")
    for kind, times in sorted(counts.items()):
        print(f"{times:8}  {kind}")
    print(f"{len(broken)} broken" + (f": {broken[:20]}" if broken else ""))
    return len(broken)


def _few_ahead(
    pool: multiprocessing.pool.Pool, run: partial[Result], seeds: Iterator[int]
) -> Iterator[Result]:
    """As `imap`, but seeds are drawn only as they are needed: time may be up."""
    waiting = []
    for seed in seeds:
        waiting.append(pool.apply_async(run, (seed,)))
        if len(waiting) >= 8:
            yield waiting.pop(0).get()
    for each in waiting:
        yield each.get()


def see(seed: int, game: str | None, on: str, most: int | None = None) -> int:
    """Show what happens in one seed, or in its first steps; a broken one is shortened."""
    result = one(seed, game, on, most)
    for line in result.lines:
        print(line)
    if result.broken is None:
        print(f"seed {seed} holds, trace {result.digest}")
        return 0
    print(f"BROKEN {seed}: {result.broken}")
    steps = range(steps_of(seed))[:most]
    short = shorten.shortest(seed, game, Databases.of_process(on), steps)
    print(
        f"It still breaks with {len(short.steps)} of {len(steps)} steps {list(short.steps)}"
        f" and without {', '.join(short.without) or 'no fault left out'}:"
    )
    for line in short.result.lines:
        print(f"  {line}")
    return 1
