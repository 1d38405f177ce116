"""The numbers of the service as Prometheus reads them.

They are read from the database when they are asked for: every process of every machine gives the
same, and a restart loses none. Counters only grow (`service.core.counters`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from service.core import presence
from service.core.context import Service
from service.core.counters import BOUNDS, totals
from service.ops import watching
from service.ops.census import Census

# Name, what it says, labels: in the order in which a tally has them.
_COUNTERS = (
    (
        "turns",
        "Turns that were handed in, by who did and what became of them",
        ("source", "status"),
    ),
    ("letters", "Letters, by kind and what became of them", ("kind", "status")),
    ("mails", "Mails that came in, by the way they came and the verdict", ("source", "verdict")),
    ("tables", "Tables, by game and the status they have come to", ("game", "status")),
    ("smtp_failures", "Tries to hand a letter over that failed, by kind", ("kind",)),
    ("clocks_expired", "Clocks that ran out, by what followed", ("policy",)),
    ("gaps", "Times in which no sweep was there for two minutes or more", ()),
    ("gap_seconds", "How long those were together", ()),
)
_HISTOGRAMS = (
    ("smtp", "Seconds it took to hand a letter to the mail server"),
    ("sweep", "Seconds a sweep took"),
)


class Numbers(Collector):
    """Reads them all."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """All metrics, as they are now."""
        now = self._service.now()
        with self._service.database.read() as session:
            found = totals(session)
            state = watching.look(session, now)
        for name, said, labels in _COUNTERS:
            amounts = found[name] or ({} if labels else {("",): 0})
            counter = CounterMetricFamily(f"paleopost_{name}", said, labels=labels)
            for values, amount in sorted(amounts.items()):
                counter.add_metric(values[: len(labels)], amount)
            yield counter
        for name, said in _HISTOGRAMS:
            histogram = HistogramMetricFamily(f"paleopost_{name}_seconds", said)
            total = sum(found[f"{name}_sum"].values()) / 1000
            histogram.add_metric([], _classes(found[name]), total)
            yield histogram
        yield from _waiting(state)
        if state.census is not None:
            yield from _counted(state.census)
        yield from _disk(self._service)
        yield from _workers(self._service)
        swept = state.swept.timestamp() if state.swept else 0.0
        yield _gauge("last_sweep_timestamp_seconds", "When the sweep was last there", swept)


def registry(service: Service) -> CollectorRegistry:
    """The registry that `prometheus_client` writes out."""
    found = CollectorRegistry()
    found.register(Numbers(service))
    return found


def _gauge(name: str, said: str, number: float) -> Metric:
    """A number without labels."""
    return GaugeMetricFamily(f"paleopost_{name}", said, value=number)


def _gauges(
    name: str, said: str, labels: Sequence[str], numbers: Iterable[tuple[Sequence[str], float]]
) -> Metric:
    """A number for each of the values that these labels have."""
    found = GaugeMetricFamily(f"paleopost_{name}", said, labels=labels)
    for values, number in numbers:
        found.add_metric(values, number)
    return found


def _waiting(state: watching.State) -> Iterator[Metric]:
    """What waits, or was given up."""
    queues = state.queues.items()
    yield _gauges(
        "queue_waiting",
        "What should be done by now and is not",
        ["queue"],
        (([name], queue.waiting) for name, queue in queues),
    )
    yield _gauges(
        "queue_oldest_seconds",
        "How long the first of them has waited",
        ["queue"],
        (([name], queue.oldest) for name, queue in queues),
    )
    yield _gauges(
        "dead_letters",
        "What was given up and waits for the operator",
        ["queue"],
        (([name], number) for name, number in state.dead_letters.items()),
    )
    yield _gauge(
        "letters_retried",
        "Letters that were tried more than once and are not sent",
        state.unsent.retried,
    )
    yield _gauge(
        "letters_oldest_seconds",
        "Age, since it was written, of the oldest letter that should have left",
        state.unsent.oldest,
    )
    yield _gauge("addresses_stopped", "Addresses that get no mail any more", state.stopped)


def _counted(census: Census) -> Iterator[Metric]:
    """What the newest census has counted."""
    yield _gauge(
        "census_timestamp_seconds",
        "When tables, decisions and matches were counted",
        census.at.timestamp(),
    )
    yield _gauges(
        "tables_open",
        "Tables then",
        ["status"],
        (([name], number) for name, number in census.tables.items()),
    )
    yield _gauges(
        "decisions_waiting",
        "Decisions a table waits for, by how long and why their clock stands",
        ["age", "held"],
        (([wait.age, wait.held], wait.decisions) for wait in census.waits),
    )
    yield _gauges(
        "matches_waiting",
        "Matches, by the age of the first decision they wait for",
        ["age"],
        (([name], number) for name, number in census.matches.items()),
    )
    yield _gauges(
        "player_turn_waits",
        "How often somebody was waited for, in matches that run or ended in the last 30 days",
        ["game", "status"],
        (([played.game, played.status], played.waits) for played in census.turns),
    )
    yield _gauges(
        "player_turns",
        "The player turns of these matches",
        ["game", "status"],
        (([played.game, played.status], played.turns) for played in census.turns),
    )


def _disk(service: Service) -> Iterator[Metric]:
    """Room for the database. Of PostgreSQL it is its own machine that knows."""
    room = service.room()
    if room.free is not None:
        yield _gauge("disk_free_bytes", "Free where the SQLite database is", room.free)
    if room.log is not None:
        yield _gauge("wal_bytes", "Size of SQLite's write-ahead log", room.log)


def _workers(service: Service) -> Iterator[Metric]:
    staff = presence.staff(service.settings.redis_url).items()
    yield _gauges(
        "worker_processes",
        "Processes of workers",
        ["queues"],
        (([queues], each.processes) for queues, each in staff),
    )
    yield _gauges(
        "worker_processes_busy",
        "Those of them that are at a task",
        ["queues"],
        (([queues], each.busy) for queues, each in staff),
    )


def _classes(counts: dict[tuple[str, ...], int]) -> list[tuple[str, float]]:
    """Each bound with how many lie below it, as Prometheus counts."""
    below, found = 0, []
    for bound in (*map(str, BOUNDS), "+Inf"):
        below += counts.get((bound,), 0)
        found.append((bound, float(below)))
    return found
