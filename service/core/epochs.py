"""The epochs of a database: from its beginning, or from a restore, to the next restore.

A restored database knows nothing of what was sent after its copy was taken, and gives the same
numbers again. So Message-IDs, links and addresses are of an epoch: those of an earlier one that the
database does not know are answered ("set back"), and are never mistaken for its own.
"""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core import randomness
from service.core.models import Epoch, SecretKey


class Era(msgspec.Struct, frozen=True):
    """One epoch as processes remember it. `last_match` and `last_player` are the newest in the copy
    that it went on from: higher numbers of earlier epochs mean others.
    """

    number: int
    mark: str
    copied_at: dt.datetime | None = None
    last_match: int = 0
    last_player: int = 0

    @property
    def tag(self) -> int:
        """A byte of the mark, different from those of all earlier epochs that are known."""
        return int(self.mark[:2], 16)


class History(msgspec.Struct, frozen=True):
    """All epochs of a database, the oldest first, and the fingerprint of its secret key (None: of
    one that no process has started on yet).
    """

    eras: tuple[Era, ...]
    secret: str | None = None

    @property
    def now(self) -> Era:
        """The present epoch."""
        return self.eras[-1]

    def after(self, tag: int) -> tuple[Era, ...]:
        """The epochs that came after the one with this tag; if it is not known, all that went on
        from a copy.
        """
        number = next((era.number for era in self.eras if era.tag == tag), 0)
        return tuple(era for era in self.eras if era.number > number and era.copied_at is not None)

    def knew(self, tag: int, *, match: int = 0, player: int = 0) -> bool:
        """True if these numbers of an epoch mean the same match and player now."""
        return all(match <= era.last_match and player <= era.last_player for era in self.after(tag))


def read(session: Session) -> History:
    """The history of this database."""
    eras = tuple(
        Era(row.number, row.mark, row.copied_at, row.last_match or 0, row.last_player or 0)
        for row in session.scalars(select(Epoch).order_by(Epoch.number))
    )
    newest = select(SecretKey.fingerprint).order_by(SecretKey.accepted_at.desc()).limit(1)
    return History(eras, session.scalar(newest))


def new_mark(before: tuple[Era, ...]) -> str:
    """A random mark whose tag none of these has."""
    taken = {era.tag for era in before}
    while len(taken) < 256:
        mark = randomness.token_hex(16)
        if int(mark[:2], 16) not in taken:
            return mark
    return randomness.token_hex(16)
