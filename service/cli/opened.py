"""The service as the command line uses it: on the database that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from service.cli.root import Failure
from service.core.context import Service
from service.core.errors import Refused
from service.core.jobs import CeleryQueue, make_celery
from service.core.logs import configure
from service.core.schema import SchemaError, explained, require_newest
from service.core.settings import Settings
from service.core.startup import require_database
from service.dev.embedded.environment import with_embedded
from service.render.templating import environment


@contextmanager
def opened(env: Mapping[str, str]) -> Iterator[Service]:
    """The service, until the end of the command. What is refused ends it in a sentence."""
    settings = Settings.from_env(with_embedded(env))
    # On standard error: what a command says on standard output is for whoever called it.
    configure(settings.log_level)
    try:
        require_newest(settings.database_url)
        require_database(settings)
        service = Service(settings, CeleryQueue(make_celery(settings)))
        try:
            with explained(service.database):
                yield service
        finally:
            service.database.dispose()
    except SchemaError as error:
        raise Failure(str(error)) from error
    except Refused as error:
        raise Failure(_worded(error), 2) from error


def _worded(error: Refused) -> str:
    wording = environment("en").get_template("wording/errors.txt").module
    sentence = str(wording.refused(error.code, error.context))  # type: ignore[attr-defined]
    reason, seat = error.context.get("reason"), error.context.get("seat")
    whole = f"{sentence} ({reason})" if reason else sentence
    return f"seat {seat}: {whole}" if seat is not None else whole
