"""`python -m bench growth`: two machines' processes on one PostgreSQL, one broker and one mail
server, and which process to add first.

Each of the two has what Procfile names: web, worker, mailer, beat, LMTP server. People play on both
by form and by reply; half-way one machine is shut down and started again. In the end nothing is
lost, and nothing is done or sent twice: exit status 1 if a promise was broken. Then the same turns
are played with other numbers of processes, and at a mail server that takes its time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

import msgspec
from sqlalchemy import func, select

from bench.product import cpu_seconds, product
from service.core import counters
from service.core.models import EntryRow, Letter, Match, Submission
from service.core.statuses import LetterStatus, SubmissionStatus
from tests.chaos.audit import finish, judged
from tests.chaos.machines import COUNT, SWEEP_EVERY, Machines, running
from tests.chaos.people import Person
from tests.chaos.site import Site
from tests.support.postgresql import Cluster

MOVES = 240
TABLES = 4
PATIENCE = 900.0

WARM_UP, TURNS, CLIENTS = 16, 120, 8
DELAY = 0.2
"""Seconds that a slow mail server takes over a letter."""


class Load(msgspec.Struct, frozen=True):
    """What turns came to: per second, and of each part the CPU of one turn in milliseconds."""

    what: str
    per_second: float
    p50: float
    cpu: dict[str, float]


def main(words: list[str]) -> int:
    """Play, compare, measure, print; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m bench growth")
    parser.add_argument("--moves", type=int, default=MOVES, help="moves before all is played out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("machines", "processes"))
    given = parser.parse_args(words)
    broken: list[str] = []
    cluster = Cluster(durable=True)
    try:
        if given.only != "processes":
            broken = _machines(cluster, given.moves, given.seed)
        if given.only != "machines":
            _show(list(_loads(cluster)))
    finally:
        cluster.stop()
    return int(bool(broken))


def _machines(cluster: Cluster, moves: int, seed: int) -> list[str]:
    """Play on two machines; each promise that was not kept, in words."""
    began = time.monotonic()
    with running(cluster) as site:
        people = [Person(site, n, seed + n) for n in range(TABLES)]
        for person in people:
            person.start()
        _wait_for(site, moves // 2)
        print("half-way: one machine is stopped and started again", file=sys.stderr)
        site.machines[0].stop()
        away = time.monotonic()
        _wait_for(site, site.applied() + moves // 8)
        site.machines[0].start()
        print(f"it was away for {time.monotonic() - away:.0f} s", file=sys.stderr)
        _wait_for(site, moves)
        finish(site, people)
        seconds = time.monotonic() - began
        broken = [*judged(site).broken, *_told(site, seconds)]
    for sentence in broken:
        print(f"BROKEN: {sentence}")
    return broken


def _told(site: Machines, seconds: float) -> list[str]:
    """Print what was counted; what is there twice, in words."""
    with site.service.database.read() as session:

        def count(table: type[EntryRow | Letter | Match | Submission], *which: object) -> int:
            query = select(func.count()).select_from(table)
            return session.scalar(query.where(*which)) or 0  # type: ignore[arg-type]

        played = count(Submission, Submission.status == SubmissionStatus.PLAYED)
        turns = count(EntryRow, EntryRow.decision.is_not(None))
        sent = count(Letter, Letter.status == LetterStatus.SENT)
        matches = count(Match)
        sweeps = sum(counters.totals(session)["sweep"].values())
    copies = Counter(copy.message_id for copy in site.sink.copies)
    by_mail = sum(ack.message_id is not None for ack in site.acks)
    lines = {
        "matches, all played out": matches,
        "moves acknowledged by pages": len(site.acks) - by_mail,
        "moves acknowledged by LMTP": by_mail,
        "turns played (bots' as well)": played,
        "entries of decisions in journals": turns,
        "letters sent": sent,
        "letters that came": len(copies),
        "second copies": copies.total() - len(copies),
        f"sweeps in {seconds:.0f} s, of {COUNT} beats of one every {SWEEP_EVERY} s": sweeps,
    }
    for what, number in lines.items():
        print(f"{what:55} {number:>7,}")
    broken = []
    if played != turns:
        broken.append(f"{played} turns were played, {turns} are in the journals")
    if len(copies) != copies.total() or len(copies) != sent:
        broken.append("letters were sent twice, or others than the database says")
    # Half as many again, for a machine that stumbles; two that do not share make twice as many.
    if sweeps > 1.5 * seconds / SWEEP_EVERY:
        broken.append(f"{sweeps} sweeps: more than one beat's")
    return broken


def _wait_for(site: Site, moves: int) -> None:
    until = time.monotonic() + PATIENCE
    while site.applied() < moves:
        if time.monotonic() > until:
            raise AssertionError(f"{site.applied()} moves in {PATIENCE:.0f} s")
        time.sleep(0.2)


def _loads(cluster: Cluster) -> Iterator[Load]:
    """The same turns with other numbers of worker and mailer processes."""
    for what, workers, mailers, delay in (
        ("1 worker process, 1 mailer process", 1, 1, 0.0),
        ("2 worker processes, 1 mailer process", 2, 1, 0.0),
        ("1 worker process, 2 mailer processes", 1, 2, 0.0),
        ("2 worker processes, 2 mailer processes", 2, 2, 0.0),
        (f"mail server {DELAY:g} s: 2 and 1", 2, 1, DELAY),
        (f"mail server {DELAY:g} s: 2 and 4", 2, 4, DELAY),
    ):
        print(what, file=sys.stderr, flush=True)
        yield _load(what, cluster, workers, mailers, delay)


def _load(what: str, cluster: Cluster, workers: int, mailers: int, delay: float) -> Load:
    env = {
        "DATABASE_URL": cluster.create(),
        "WORKER_CONCURRENCY": str(workers),
        "MAILER_CONCURRENCY": str(mailers),
    }
    with product(env, delay=delay) as running:
        running.turns(WARM_UP, CLIENTS)
        parts = {name: running.part(name) for name in ("web", "worker", "mailer")}
        parts |= {"database": cluster.pid, "broker": running.part("broker")}
        before = {name: cpu_seconds(pid) for name, pid in parts.items()}
        run = running.turns(TURNS, CLIENTS)
        spent = {
            name: (cpu_seconds(pid) - before[name]) / len(run.latencies) * 1e3
            for name, pid in parts.items()
        }
        return Load(what, run.per_second, run.ms(50), spent)


def _show(loads: list[Load]) -> None:
    names = list(loads[0].cpu)
    print(
        f"\n{'CPU of a turn in ms':42}{'turns/s':>9}{'p50 ms':>9}"
        + "".join(f"{n:>10}" for n in names)
    )
    for load in loads:
        print(
            f"{load.what:42}{load.per_second:>9.1f}{load.p50:>9.0f}"
            + "".join(f"{load.cpu[name]:>10.1f}" for name in names)
        )
