"""What can go wrong. Each fault is put in, and taken away again before its function returns."""

from __future__ import annotations

import datetime as dt
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.exc import SQLAlchemyError

from service.core.models import Letter
from service.core.statuses import LetterStatus
from tests.chaos.bad_sink import Mood
from tests.chaos.one_machine import OneMachine
from tests.chaos.site import Site
from tests.support.processes import children, family

AWAY = dt.timedelta(hours=48)
BACK = dt.timedelta(hours=3)
LASTS = 3.0
"""Seconds that most faults last."""
RECOVERY = 600.0
"""Seconds after which a fault that is over counts as one that was not recovered from."""


def _smtp(mood: Mood, lasts: float = LASTS) -> Callable[[Site], None]:
    def fault(site: Site) -> None:
        site.sink.mood = mood
        time.sleep(lasts)
        site.sink.mood = Mood.GOOD

    return fault


def _smtp_refuses_to_connect(site: Site) -> None:
    site.sink.close()
    time.sleep(LASTS)
    site.sink.open()


def _killed(pattern: str) -> Callable[[Site], None]:
    def fault(site: Site) -> None:
        for process in site.processes(pattern):
            os.kill(process, signal.SIGKILL)

    return fault


def _child_killed(pattern: str) -> Callable[[Site], None]:
    """Who started it goes on, and starts another."""

    def fault(site: Site) -> None:
        for process in site.processes(pattern):
            for child in children(process)[:1]:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    return fault


def _frozen(pattern: str) -> Callable[[Site], None]:
    """Processes with all below them stand still for a while, whatever they are at."""
    return lambda site: _freeze([each for pid in site.processes(pattern) for each in family(pid)])


def _freeze(processes: Sequence[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
    time.sleep(LASTS)
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def _broker_frozen(site: Site) -> None:
    """Whoever asks it waits: nothing is refused."""
    with site.broker() as client:
        process = client.info("server")["process_id"]
    _freeze([process])


def _postgresql_frozen(site: Site) -> None:
    assert site.cluster is not None
    _freeze(family(site.cluster.pid))


def _broker_killed(site: Site) -> None:
    site.kill_broker()


def _broker_flushed(site: Site) -> None:
    with site.broker() as client:
        client.flushall()


def _broker_out_of_memory(site: Site) -> None:
    """It takes no more jobs, and says so (redis.conf, maxmemory-policy noeviction)."""
    with site.broker() as client:
        policy = client.config_get("maxmemory-policy")["maxmemory-policy"]
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "1")
        time.sleep(LASTS)
        client.config_set("maxmemory", "0")
        client.config_set("maxmemory-policy", policy)


def _postgresql_killed(site: Site) -> None:
    assert site.cluster is not None
    site.cluster.kill()
    time.sleep(LASTS)
    site.cluster.start()


def _postgresql_disk_full(site: Site) -> None:
    """No file of the server can grow or be written beyond its first 4 KB: it ends where it cannot
    write its log (WAL), and is started again once there is room.
    """
    assert site.cluster is not None
    for process in family(site.cluster.pid):
        _limit(process, 4096)
    time.sleep(LASTS)
    for process in family(site.cluster.pid):
        _limit(process, resource.RLIM_INFINITY)
    site.cluster.kill()
    site.cluster.start()


def _mailer_frozen_beyond_its_claim(site: Site) -> None:
    """Its letter is taken up by another meanwhile: its claim is made to have run out."""
    frozen = [child for mailer in site.processes("mailer@") for child in children(mailer)][:1]
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    try:
        for _ in range(int(LASTS)):
            time.sleep(1)
            # Frozen while it writes, it lets nobody else write to SQLite until it goes on.
            with (
                suppress(SQLAlchemyError, TimeoutError),
                site.service.database.write_within(1) as session,
            ):
                session.execute(
                    update(Letter)
                    .where(Letter.status == LetterStatus.SENDING)
                    .values(due_at=site.service.now() - dt.timedelta(minutes=1))
                )
    finally:
        for process in frozen:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def _away_for_two_days(machine: OneMachine) -> None:
    def set_forward() -> None:
        machine.ahead += AWAY

    machine.restart(set_forward)


def _clock_set_back(machine: OneMachine) -> None:
    def set_back() -> None:
        machine.ahead -= BACK

    machine.restart(set_back)


def _disk_full(machine: OneMachine) -> None:
    """No file of a Python process can grow or be written beyond its first 4 KB."""
    _limit_files(machine, 4096)
    time.sleep(LASTS)
    _limit_files(machine, resource.RLIM_INFINITY)


def _read_only(machine: OneMachine) -> None:
    """Started on a database that cannot be written, it refuses, or acknowledges nothing."""
    machine.restart(lambda: _write_version(machine, 3), in_vain=True)
    time.sleep(LASTS)
    machine.restart(lambda: _write_version(machine, 2))


_WRITE_VERSION = """\
import sqlite3, sys
path, version = sys.argv[1], int(sys.argv[2])
database = sqlite3.connect(path)
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.close()
with open(path, "r+b") as file:
    file.seek(18)
    file.write(bytes([version]))
"""


def _write_version(machine: OneMachine, version: int) -> None:
    """Above 2, SQLite takes the file for one of a later version, to be read only (its file format,
    section 1.3.3). By a process of its own: one that closes the file lets go of all locks that its
    other threads have on it (How To Corrupt An SQLite Database File, section 2.2).
    """
    path = machine.stack.data / "paleopost.db"
    subprocess.run([sys.executable, "-c", _WRITE_VERSION, str(path), str(version)], check=True)


def _restored(machine: OneMachine) -> None:
    """A copy is taken while it runs; what is acknowledged after that is known to be lost."""
    copy = machine.stack.data.parent / "backup"
    copy.unlink(missing_ok=True)
    began = len(machine.acks)
    taken = machine.stack.command("backup", str(copy))
    assert taken.returncode == 0, taken.stderr
    time.sleep(LASTS)

    def restore() -> None:
        done = machine.stack.command("restore", "--replace", str(copy))
        assert done.returncode == 0, done.stderr
        machine.forgotten |= set(range(began, len(machine.acks)))
        machine.open_anew()

    machine.restart(restore)


ANYWHERE: Mapping[str, Callable[[Site], None]] = {
    "smtp hangs": _smtp(Mood.HANG, 10),
    "smtp refuses connections": _smtp_refuses_to_connect,
    "smtp refuses the login": _smtp(Mood.LOGIN),
    "smtp 4xx": _smtp(Mood.LATER),
    "smtp 5xx recipient": _smtp(Mood.NO_SUCH_USER, 2),
    "smtp slow to say 250": _smtp(Mood.SLOW, 10),
    "smtp drops after DATA": _smtp(Mood.CUT),
    "smtp drops after the dot": _smtp(Mood.DROP),
    "web killed": _killed("gunicorn"),
    "child of web killed": _child_killed("gunicorn"),
    "worker killed": _killed(" worker "),
    "child of worker killed": _child_killed("worker@"),
    "mailer killed": _killed("mailer@"),
    "beat killed": _killed(" beat "),
    "LMTP server killed": _killed(" lmtp"),
    "broker killed": _broker_killed,
    "broker flushed": _broker_flushed,
    "broker out of memory": _broker_out_of_memory,
    "web frozen": _frozen("gunicorn"),
    "worker frozen": _frozen("worker@"),
    "beat frozen": _frozen(" beat "),
    "LMTP server frozen": _frozen(" lmtp"),
    "broker frozen": _broker_frozen,
    "mailer frozen beyond its claim": _mailer_frozen_beyond_its_claim,
}
ON_ONE_MACHINE: Mapping[str, Callable[[OneMachine], None]] = {
    "outage of 48 h": _away_for_two_days,
    "clock set back": _clock_set_back,
    "disk full": _disk_full,
}
ON_SQLITE: Mapping[str, Callable[[OneMachine], None]] = {
    "database read-only": _read_only,
    "restored": _restored,
}
ON_POSTGRESQL: Mapping[str, Callable[[Site], None]] = {
    "PostgreSQL killed": _postgresql_killed,
    "PostgreSQL frozen": _postgresql_frozen,
    "PostgreSQL without room": _postgresql_disk_full,
}


def possible(site: Site) -> dict[str, Callable[[], None]]:
    """The faults that can be put into a site, by their names."""
    found: dict[str, Callable[[], None]] = {
        name: partial(fault, site) for name, fault in ANYWHERE.items()
    }
    if site.cluster is not None:
        found |= {name: partial(fault, site) for name, fault in ON_POSTGRESQL.items()}
    if isinstance(site, OneMachine):
        found |= {name: partial(fault, site) for name, fault in ON_ONE_MACHINE.items()}
        if site.cluster is None:
            found |= {name: partial(fault, site) for name, fault in ON_SQLITE.items()}
    return found


def recovery(site: Site) -> float | None:
    """Seconds until a turn is played that was not before, and a letter comes; None if it takes too
    long.
    """
    began = time.monotonic()
    played: int | None = None
    while time.monotonic() < began + RECOVERY:
        with suppress(SQLAlchemyError):
            now = site.applied()
            played = now if played is None else played
            if now > played and any(copy.at > began for copy in site.sink.copies):
                return time.monotonic() - began
        time.sleep(0.1)
    return None


def _limit_files(machine: OneMachine, most: int) -> None:
    for process in family(machine.stack.pid):
        with suppress(OSError):
            if b"python" in Path(f"/proc/{process}/cmdline").read_bytes():
                _limit(process, most)


def _limit(process: int, most: int) -> None:
    with suppress(OSError):
        hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most, hard))
