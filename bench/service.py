"""One turn through the whole product: POST, commit, worker, letter with its picture at an SMTP
server.

The product runs as its operator runs it (`paleopost play`, SQLite with synchronous=FULL), sending
by SMTP to a server in this process. All seats are people, so that every turn has its letter.
"""

from __future__ import annotations

import statistics

from bench.anchors import commits_per_second, noop_seconds
from bench.product import Product, Run, Seated, cpu_seconds, megabytes, product
from bench.table import Row
from tests.support.processes import children

WARM_UP = 20
TURNS = 200
CLIENTS = 8
MATCHES, PLAYED_ON = 100, 8


def rows() -> list[Row]:
    """The rows of one turn."""
    commits = commits_per_second()
    noop = noop_seconds()
    with product() as running:
        start = {name: cpu_seconds(running.part(name)) for name in ("worker", "mailer")}
        running.turns(WARM_UP, 1)
        alone = running.turns(TURNS, 1)
        running.turns(WARM_UP, CLIENTS)
        together = running.turns(TURNS * 2, CLIENTS)
        few, many = _scattered(running)
        memory = _memory(running)
    return [
        Row(
            what="POST of a move to its letter, 1 client, p50",
            ours=alone.ms(50),
            anchor=statistics.median(noop) * 1e3,
            unit="ms",
            against="Celery no-op, enqueue to body, p50",
            most=10,
            stretch=5,
        ),
        *(
            Row(
                what=f"the same, {clients} client{'s' if clients > 1 else ''}, p99",
                ours=run.ms(99),
                anchor=run.ms(50),
                unit="ms",
                against="its own p50",
                most=2.5,
                stretch=1.7,
            )
            for clients, run in ((1, alone), (CLIENTS, together))
        ),
        Row(
            what=f"turns, {CLIENTS} clients",
            ours=together.per_second,
            anchor=commits,
            unit="/s",
            against="durable commits (SQLite FULL, Core)",
            least=0.03,
            stretch=0.08,
        ),
        Row(
            what=f"turns of {MATCHES} matches, one each, 1 client, p50",
            ours=many.ms(50),
            anchor=few.ms(50),
            unit="ms",
            against=f"turns of {PLAYED_ON} matches that are played on",
            most=1.2,
            stretch=1.0,
        ),
        *(
            Row(
                what=f"CPU to start the {name}",
                ours=start[name],
                anchor=1,
                unit="s",
                against="1 s",
                most=1,
                stretch=0.5,
            )
            for name in ("worker", "mailer")
        ),
        *(
            Row(
                what=f"memory of the {what}",
                ours=memory[name],
                anchor=most,
                unit="MB",
                against=f"{most} MB (proportional set size)",
                most=1,
                stretch=best / most,
            )
            for name, what, most, best in (
                ("web", "web server", 80, 60),
                ("worker", "Celery worker with 2 children", 215, 160),
                ("mailer", "mailer with 1 child", 215, 160),
                ("beat", "beat", 45, 40),
            )
        ),
    ]


def _scattered(running: Product) -> tuple[Run, Run]:
    """One client's turns of a few matches that are played on, and of many matches, one each. No
    letter of either was written before the few have warmed up.
    """
    few = [Seated(running) for _ in range(PLAYED_ON)]
    many = [Seated(running) for _ in range(MATCHES)]
    running.in_turn(few, 2 * PLAYED_ON)
    found = Run([], 0), Run([], 0)
    # In turn, so that a machine that slows down slows both.
    for first in range(0, MATCHES, PLAYED_ON):
        share = many[first : first + PLAYED_ON]
        found[0].latencies.extend(running.in_turn(few, len(share)))
        found[1].latencies.extend(running.in_turn(share, len(share)))
    return found


def _memory(running: Product) -> dict[str, float]:
    """Megabytes of each part with all its children."""
    found = {name: megabytes(running.part(name)) for name in ("worker", "mailer", "beat")}
    # The master only watches: the worker below it serves.
    return found | {"web": max(megabytes(one) for one in children(running.part("web")))}
