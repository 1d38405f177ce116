"""The numbers of the service as Prometheus reads them.

They are read from the database when they are asked for: every process of every machine gives the
same, and a restart loses none. Counters only grow (`service.core.counters`).
"""

from __future__ import annotations

from collections.abc import Iterator

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
        yield from _gauges(state)
        if state.census is not None:
            yield from _counted(state.census)
        yield from _disk(self._service)
        yield from _workers(self._service)
        swept = GaugeMetricFamily(
            "paleopost_last_sweep_timestamp_seconds", "When the sweep was last there"
        )
        swept.add_metric([], state.swept.timestamp() if state.swept else 0.0)
        yield swept


def registry(service: Service) -> CollectorRegistry:
    """The registry that `prometheus_client` writes out."""
    found = CollectorRegistry()
    found.register(Numbers(service))
    return found


def _gauges(state: watching.State) -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "paleopost_queue_waiting", "What should be done by now and is not", labels=["queue"]
    )
    oldest = GaugeMetricFamily(
        "paleopost_queue_oldest_seconds", "How long the first of them has waited", labels=["queue"]
    )
    for name, queue in state.queues.items():
        waiting.add_metric([name], queue.waiting)
        oldest.add_metric([name], queue.oldest)
    dead = GaugeMetricFamily(
        "paleopost_dead_letters", "What was given up and waits for the operator", labels=["queue"]
    )
    for name, number in state.dead_letters.items():
        dead.add_metric([name], number)
    retried = GaugeMetricFamily(
        "paleopost_letters_retried", "Letters that were tried more than once and are not sent"
    )
    retried.add_metric([], state.unsent.retried)
    age = GaugeMetricFamily(
        "paleopost_letters_oldest_seconds",
        "Age, since it was written, of the oldest letter that should have left",
    )
    age.add_metric([], state.unsent.oldest)
    stopped = GaugeMetricFamily(
        "paleopost_addresses_stopped", "Addresses that get no mail any more"
    )
    stopped.add_metric([], state.stopped)
    yield from (waiting, oldest, dead, retried, age, stopped)


def _counted(census: Census) -> Iterator[Metric]:
    """What the newest census has counted."""
    at = GaugeMetricFamily(
        "paleopost_census_timestamp_seconds", "When tables, decisions and matches were counted"
    )
    at.add_metric([], census.at.timestamp())
    tables = GaugeMetricFamily("paleopost_tables_open", "Tables then", labels=["status"])
    for name, number in census.tables.items():
        tables.add_metric([name], number)
    waits = GaugeMetricFamily(
        "paleopost_decisions_waiting",
        "Decisions a table waits for, by how long and why their clock stands",
        labels=["age", "held"],
    )
    for wait in census.waits:
        waits.add_metric([wait.age, wait.held], wait.decisions)
    matches = GaugeMetricFamily(
        "paleopost_matches_waiting",
        "Matches, by the age of the first decision they wait for",
        labels=["age"],
    )
    for name, number in census.matches.items():
        matches.add_metric([name], number)
    of_game = ["game", "status"]
    waited = GaugeMetricFamily(
        "paleopost_player_turn_waits",
        "How often somebody was waited for, in matches that run or ended in the last 30 days",
        labels=of_game,
    )
    turns = GaugeMetricFamily(
        "paleopost_player_turns", "The player turns of these matches", labels=of_game
    )
    for played in census.turns:
        waited.add_metric([played.game, played.status], played.waits)
        turns.add_metric([played.game, played.status], played.turns)
    yield from (at, tables, waits, matches, waited, turns)


def _disk(service: Service) -> Iterator[Metric]:
    """Room for the database. Of PostgreSQL it is its own machine that knows."""
    room = service.room()
    for name, said, number in (
        ("disk_free_bytes", "Free where the SQLite database is", room.free),
        ("wal_bytes", "Size of SQLite's write-ahead log", room.log),
    ):
        if number is not None:
            gauge = GaugeMetricFamily(f"paleopost_{name}", said)
            gauge.add_metric([], number)
            yield gauge


def _workers(service: Service) -> Iterator[Metric]:
    processes = GaugeMetricFamily(
        "paleopost_worker_processes", "Processes of workers", labels=["queues"]
    )
    busy = GaugeMetricFamily(
        "paleopost_worker_processes_busy", "Those of them that are at a task", labels=["queues"]
    )
    for queues, staff in presence.staff(service.settings.redis_url).items():
        processes.add_metric([queues], staff.processes)
        busy.add_metric([queues], staff.busy)
    yield from (processes, busy)


def _classes(counts: dict[tuple[str, ...], int]) -> list[tuple[str, float]]:
    """Each bound with how many lie below it, as Prometheus counts."""
    below, found = 0, []
    for bound in (*map(str, BOUNDS), "+Inf"):
        below += counts.get((bound,), 0)
        found.append((bound, float(below)))
    return found
