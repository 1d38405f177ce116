"""The processes of production, as Procfile starts them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from service import processes
from service.boards import require_boards
from service.processes import Serving, become
from service.settings import Settings


@click.command()
def web() -> None:
    """Serve the pages (gunicorn on HOST and PORT)."""
    require_boards(Settings.from_env(os.environ))
    become(processes.web(Serving.from_env(os.environ, host="0.0.0.0")), os.environ)  # noqa: S104


@click.command()
def worker() -> None:
    """Play moves and send letters (Celery)."""
    Settings.from_env(os.environ)
    become(processes.worker(Serving.from_env(os.environ)), os.environ)


@click.command()
def beat() -> None:
    """Ring the sweep at its times (Celery beat)."""
    Settings.from_env(os.environ)
    become(processes.beat(), os.environ)


@click.command()
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
    from service.embedded.ports import require_port

    require_port(host, port, "--port")
    become(processes.mail_sink(host, port, keep_in), os.environ)
