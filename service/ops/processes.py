"""The processes of the product as commands: the same in production and embedded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from service.core.settings import SettingsError

QUEUES = ("moves", "time", "inbound")
MAIL_QUEUE = "mail"
"""Letters wait for a server of others: nothing else may wait behind them."""


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """The place where the web server listens, and how many processes do the work."""

    host: str
    port: int
    web_processes: int
    web_threads: int
    worker_processes: int
    mailer_processes: int

    @property
    def reachable_host(self) -> str:
        """An address of this machine at which the server answers."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104

    @classmethod
    def from_env(cls, env: Mapping[str, str], host: str = "127.0.0.1") -> Serving:
        """Read HOST (default `host`), PORT, WEB_CONCURRENCY, WEB_THREADS, WORKER_CONCURRENCY
        and MAILER_CONCURRENCY.

        Raises SettingsError naming the first that is unusable.
        """
        return cls(
            host=env.get("HOST") or host,
            port=_number(env, "PORT", 8000, 65535),
            web_processes=_number(env, "WEB_CONCURRENCY", 1, 64),
            web_threads=_number(env, "WEB_THREADS", 8, 256),
            worker_processes=_number(env, "WORKER_CONCURRENCY", 2, 64),
            mailer_processes=_number(env, "MAILER_CONCURRENCY", 1, 64),
        )


def web(serving: Serving) -> tuple[str, ...]:
    """gunicorn. Its threads let a page wait for its verdict without holding up another."""
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    command = [
        *_module("gunicorn"),
        f"--bind={host}:{serving.port}",
        f"--workers={serving.web_processes}",
        f"--threads={serving.web_threads}",
        "--graceful-timeout=10",
        # Its processes share what is read once. Who replaces the code starts it anew.
        "--preload",
        # As long as it can be: a turn that somebody writes goes through the address.
        "--limit-request-line=8190",
        "--no-control-socket",
        "--access-logfile=-",
        # Addresses carry tokens: neither the path nor the referrer is logged.
        "--access-logformat=%(t)s %(m)s %(s)s %(B)s %(M)sms",
    ]
    if Path("/dev/shm").is_dir():  # noqa: S108 (the heartbeat must not wait for a disk)
        command.append("--worker-tmp-dir=/dev/shm")
    return (*command, "wsgi:app")


def worker(serving: Serving) -> tuple[str, ...]:
    """The Celery worker for all queues but that of letters."""
    return _celery(QUEUES, serving.worker_processes)


def mailer(serving: Serving) -> tuple[str, ...]:
    """The Celery worker that hands letters to the mail server, and does nothing else."""
    return _celery((MAIL_QUEUE,), serving.mailer_processes)


def _celery(queues: tuple[str, ...], processes: int) -> tuple[str, ...]:
    """A Celery worker. Nobody else is asked about: no gossip, no mingle."""
    return (
        *_module("celery"),
        "--app=workers.celery",
        "worker",
        "--pool=prefork",
        f"--concurrency={processes}",
        f"--queues={','.join(queues)}",
        f"--hostname={'mailer' if MAIL_QUEUE in queues else 'worker'}@%h",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        "--loglevel=INFO",
    )


def beat() -> tuple[str, ...]:
    """The clock that enqueues the sweep. It remembers nothing: there is no file to be damaged."""
    return (
        *_module("celery"),
        "--app=workers.schedule",
        "beat",
        "--scheduler=celery.beat.Scheduler",
        "--pidfile=",
        "--loglevel=INFO",
    )


def lmtp() -> tuple[str, ...]:
    """The server that takes mail in by LMTP or SMTP."""
    return (*_module("service.cli"), "lmtp")


def imap() -> tuple[str, ...]:
    """The process that looks through a mailbox for mail to us."""
    return (*_module("service.cli"), "imap")


def mail_sink(host: str, port: int, directory: Path) -> tuple[str, ...]:
    """The SMTP server that keeps every letter in `directory` and sends none on."""
    return (*_module("service.dev.mailbox.sink"), host, str(port), str(directory))


def become(command: tuple[str, ...], env: Mapping[str, str]) -> None:
    """Replace this process by the command: signals and exit status are then its own."""
    os.execve(command[0], command, dict(env))  # noqa: S606 (no shell is wanted)


def _module(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", name)


def _number(env: Mapping[str, str], name: str, default: int, most: int) -> int:
    text = env.get(name) or str(default)
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= most:
        raise SettingsError(name, f"{text!r} is no whole number from 1 to {most}")
    return int(text)
