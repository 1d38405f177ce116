"""Dead letters: turns, letters and mails that failed too often, for the operator to retry."""

from __future__ import annotations

import datetime as dt
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from service.core import locks, retriable
from service.core.context import Service
from service.core.db import Work
from service.core.models import InboundMail, Letter, Submission
from service.core.plain import whole_number
from service.core.retriable import KINDS, Kind


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A dead letter. `name` is what `retry` calls it, e.g. "move-7", "letter-12" or "mail-3"."""

    name: str
    match: str | None
    since: dt.datetime
    reason: str


class NoDeadLetter(Exception):
    """There is no dead letter of that name."""


def dead_letters(session: Session) -> list[DeadLetter]:
    """All dead letters: moves, letters, mails that came in; each oldest first."""
    return [
        _dead_letter(f"{kind.name}-{item.id}", code, item)
        for kind in KINDS
        for item, code in retriable.dead_letters(session, kind)
    ]


def _dead_letter(
    name: str, match: str | None, item: Submission | Letter | InboundMail
) -> DeadLetter:
    if isinstance(item, Letter):
        return DeadLetter(name=name, match=match, since=item.created_at, reason=item.error or "")
    reason = f"failed {item.attempts} times: the worker's log says how"
    return DeadLetter(name=name, match=match, since=item.received_at, reason=reason)


def retry(service: Service, work: Work, name: str) -> None:
    """Retry a dead move, letter or mail, as if for the first time. Raises NoDeadLetter.

    A move whose decision has been made meanwhile is then answered so, like any late one.
    """
    called, _, number = name.partition("-")
    key = whole_number(number, 18) or 0
    for kind in KINDS:
        if kind.name == called and _retry(service, work, kind, key):
            return
    raise NoDeadLetter(name)


def _retry(service: Service, work: Work, kind: Kind[Any], key: int) -> bool:
    item = work.session.get(kind.row, key)
    if item is None:
        return False
    # A move is its match's; the others are taken up by who locks their row.
    if isinstance(item, Submission):
        locks.lock_number(service, work, item.match_id)
    else:
        work.session.refresh(item, with_for_update={"of": kind.row})
    if item.status != kind.dead:
        return False
    retriable.retry(work, kind, item, service.now())
    return True
