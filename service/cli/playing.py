"""The whole product on one machine."""

from __future__ import annotations

import os

import click

from service.dev.embedded.play import play as run


@click.command(epilog="Example: PORT=8001 paleopost play")
def play() -> None:
    """Run everything on this machine: pages, worker, beat, broker and a mailbox that keeps letters.

    Data lives in PALEOPOST_DATA (var/), pages are at HOST and PORT (127.0.0.1, 8000). With SMTP_URL
    set, letters go out for real. Ctrl-C stops it; starting again goes on from there.
    """
    run(os.environ, click.echo)
