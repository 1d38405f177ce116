"""`make chaos`: the whole product with real processes under faults, and the promises it keeps.

Real broker, workers, web server, LMTP and an SMTP server of its own, all on the loopback. People
play by form and by reply at tables with other people and bots, while faults are put in at random
from a seed. It ends by itself: after the minutes given, and when nothing is on its way any more, or
what is does not get less. Exit status 1: a promise was broken. docs/faults.md tells more.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.chaos import machines
from tests.chaos.audit import PLAYED_OUT, Verdict, finish, judged
from tests.chaos.faults import possible, recovery
from tests.chaos.one_machine import OneMachine
from tests.chaos.people import Person
from tests.chaos.report import Window, keep, table
from tests.chaos.site import Site
from tests.support.postgresql import Cluster

SITES = ("sqlite", "postgresql", "machines", "twins")
"""`machines` is two of everything on one PostgreSQL, `twins` the same on one file of SQLite."""


def main(words: list[str]) -> int:
    """Run, print the table; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--minutes", type=float, default=3, help="of each site")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=3, help="tables at a time")
    parser.add_argument(
        "--play-out", type=float, default=PLAYED_OUT, help="seconds for matches to end"
    )
    parser.add_argument("--only", help="kinds of faults, with commas")
    parser.add_argument("site", nargs="*", choices=SITES, help="all of them, one after the other")
    given = parser.parse_args(words)
    broken = False
    for name in given.site or SITES:
        with opened(name, given.seed) as site:
            kinds = given.only.split(",") if given.only else list(possible(site))
            windows, verdict = run(
                site, kinds, given.seed, given.tables, given.minutes * 60, given.play_out
            )
            keep(site.sink)
            ended = ", ".join(f"{key} {number}" for key, number in verdict.ended.items())
            print(f"{name}, seed {given.seed}, {len(site.matches)} matches; ended: {ended}")
            print(table(site, windows, verdict))
            for sentence in verdict.broken:
                print(f"BROKEN: {sentence}")
            broken = broken or bool(verdict.broken)
    return int(broken)


@contextmanager
def opened(name: str, seed: int) -> Iterator[Site]:
    """A product that runs: one of SITES."""
    with tempfile.TemporaryDirectory() as folder:
        if name == "sqlite":
            machine = OneMachine(Path(folder), seed)
            try:
                yield machine
            finally:
                machine.close()
            return
        if name == "twins":
            with machines.running(None) as several:
                yield several
            return
        cluster = Cluster(durable=True)
        try:
            if name == "machines":
                with machines.running(cluster) as several:
                    yield several
            else:
                machine = OneMachine(Path(folder), seed, cluster)
                try:
                    yield machine
                finally:
                    machine.close()
        finally:
            cluster.stop()


def run(
    site: Site,
    kinds: Sequence[str],
    seed: int,
    tables: int,
    seconds: float,
    played_out: float = PLAYED_OUT,
) -> tuple[list[Window], Verdict]:
    """Let people play, and put faults of these kinds in, for so many seconds or each of them once
    if that takes longer; then play on for so many seconds, and compare.
    """
    chosen = random.Random(seed)
    faults = possible(site)
    windows: list[Window] = []
    # A short run need not play a hundred turns while it waits until the mail server is tried again.
    people = [Person(site, n, seed + n, calm=seconds == 0) for n in range(tables)]
    for person in people:
        person.start()
    until = time.monotonic() + seconds
    recovery(site)
    first = True
    while first or time.monotonic() < until:
        for kind in chosen.sample(kinds, len(kinds)):
            if not first and time.monotonic() >= until:
                break
            began = time.monotonic()
            faults[kind]()
            took = recovery(site)
            windows.append(Window(kind, began, time.monotonic(), took))
            said = "never" if took is None else f"{took:.1f} s"
            print(f"{kind}: worked again after {said}", file=sys.stderr, flush=True)
        first = False
    # A short run goes on for no longer than it takes to see each game end.
    finish(site, people, played_out, of_each=seconds == 0)
    verdict = judged(site)
    verdict.broken += [
        f"no recovery from: {each.kind}" for each in windows if each.recovery is None
    ]
    return windows, verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
