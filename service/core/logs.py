"""Structured logs: one line of JSON per event on standard error, addresses and keys redacted.

Use cases log numbers of rows and codes, never what somebody wrote.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

from service.core.settings import Settings

_ADDRESS = re.compile(r"[^\s@<>\"',;:()]+@([A-Za-z0-9.-]+)")


# What opens a link or a reply address (`service.core.keys`)
_KEY = re.compile(r"(?<![A-Za-z0-9])[a-z2-7]{26}(?![A-Za-z0-9])")


def _redact(value: Any) -> Any:
    if isinstance(value, str):
        return _KEY.sub("***", _ADDRESS.sub(r"***@\1", value))
    if isinstance(value, dict):
        return {_redact(key): _redact(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact(each) for each in value]
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return value if isinstance(value, int | float | None) else _redact(str(value))


def redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Keep only the domain of every mail address in the event, and nothing of a key."""
    return {key: _redact(value) for key, value in event.items()}


def configure(level: str) -> None:
    """Send our own and the libraries' logs through the same processors."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        # What is not wanted is not put together.
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redact,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    # It tells at each look at the database's version what kind of database that is.
    logging.getLogger("alembic").setLevel(logging.WARNING)


UNCHECKED = (
    "no AUTHSERV_ID is set, so nothing is checked: whoever knows a reply address and its player's "
    "address can play for them (docs/operating.md, “Who has really sent it”)"
)


def warn_of_unchecked_senders(settings: Settings) -> None:
    """Say at the start that a check is asked for which cannot be made."""
    if settings.believes_any_sender:
        structlog.get_logger(__name__).warning(
            "senders_not_checked", sender_check=settings.sender_check, reason=UNCHECKED
        )
