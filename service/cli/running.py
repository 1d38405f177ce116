"""The processes of production, as Procfile starts them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure
from service.core.settings import Settings
from service.ops import processes
from service.ops.processes import Serving, become
from service.render.boards import require_boards

if TYPE_CHECKING:
    from service.core.context import Service


def require_database(settings: Settings) -> None:
    """End in a sentence if the tables are of another version, or were used with another secret
    key.
    """
    from service.core import startup
    from service.core.schema import SchemaError

    try:
        startup.require_database(settings)
    except SchemaError as error:
        raise Failure(str(error)) from error


@click.command(epilog="Example: PORT=8001 paleopost web")
def web() -> None:
    """Serve the pages (gunicorn on HOST and PORT)."""
    settings = Settings.from_env(os.environ)
    require_boards(settings)
    require_database(settings)
    become(processes.web(Serving.from_env(os.environ, host="0.0.0.0")), os.environ)  # noqa: S104


@click.command(epilog="Example: WORKER_CONCURRENCY=4 paleopost worker")
def worker() -> None:
    """Play moves, watch the clocks and read mail that came in (Celery)."""
    require_database(Settings.from_env(os.environ))
    become(processes.worker(Serving.from_env(os.environ)), os.environ)


@click.command(epilog="Example: MAILER_CONCURRENCY=2 paleopost mailer")
def mailer() -> None:
    """Hand letters to the mail server (Celery)."""
    require_database(Settings.from_env(os.environ))
    become(processes.mailer(Serving.from_env(os.environ)), os.environ)


@click.command(epilog="Example: paleopost beat")
def beat() -> None:
    """Enqueue the sweep at its times (Celery beat)."""
    require_database(Settings.from_env(os.environ))
    become(processes.beat(), os.environ)


@click.command(epilog="Example: LMTP_LISTEN=127.0.0.1:8024 paleopost lmtp")
def lmtp() -> None:
    """Take mail in from an MTA (LMTP on LMTP_LISTEN), or straight (SMTP on SMTP_LISTEN)."""
    import asyncio

    from service.mail.receive.lmtp import serve

    with _running() as service:
        asyncio.run(serve(service))


@click.command(epilog="Example: IMAP_URL=imaps://play:secret@mail.example.org paleopost imap")
def imap() -> None:
    """Take mail in from an ordinary mailbox (IMAP_URL)."""
    from service.mail.receive.imap import watch

    with _running() as service:
        watch(service)


@contextmanager
def _running() -> Iterator[Service]:
    """The service in this very process, until it ends."""
    from service.core.context import Service
    from service.core.jobs import CeleryQueue, make_celery
    from service.core.logs import configure

    settings = Settings.from_env(os.environ)
    configure(settings.log_level)
    require_database(settings)
    service = Service(settings, CeleryQueue(make_celery(settings)))
    try:
        yield service
    finally:
        service.database.dispose()


@click.command(epilog="Example: paleopost mail-sink --port 2525")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", default=2525, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--keep-in",
    default="var",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The data directory that keeps the letters.",
)
def mail_sink(host: str, port: int, keep_in: Path) -> None:
    """Take every letter by SMTP and send none on."""
    from service.dev.embedded.ports import require_port

    require_port(host, port, "--port")
    become(processes.mail_sink(host, port, keep_in), os.environ)
