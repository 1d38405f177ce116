"""The secret key a database is used with: its fingerprint is noted there, so that a lost or changed
one is noticed before links and addresses stop working unseen.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.core import schema
from service.core.keys import fingerprint
from service.core.models import Key, SecretKey
from service.core.settings import Settings


class WrongSecretKey(schema.SchemaError):
    """The secret key is not the one that the database was used with."""

    def __init__(self, noted: str, given: str) -> None:
        super().__init__(
            "The secret key is not the one this database was used with (fingerprint "
            f"{noted}; that of the given one is {given}): the links and reply addresses of all "
            "letters would stop working. Put the right one back (SECRET_KEY), or list it after the "
            "new one (SECRET_KEYS). If it is lost, `paleopost accept-key` goes on with the new one."
        )


def noted(session: Session) -> str | None:
    """The fingerprint of the key the database was last used with; None before its first use."""
    newest = select(SecretKey.fingerprint).order_by(SecretKey.accepted_at.desc()).limit(1)
    return session.scalar(newest)


def is_right(settings: Settings, secret: str | None) -> bool:
    """True if the key with this fingerprint is one of those in the settings."""
    return secret is None or secret in {fingerprint(key) for key in settings.secret_keys}


def accept(session: Session, settings: Settings, now: dt.datetime) -> bool:
    """Note that the database is used with the newest key of the settings from now on; whether that
    is another than before.
    """
    newest, before = fingerprint(settings.secret_key), noted(session)
    if before == newest:
        return False
    if before is None:
        # They were derived before anything was noted, with the only key there was.
        session.execute(update(Key).where(Key.secret.is_(None)).values(secret=newest))
    known = session.get(SecretKey, newest)
    if known is None:
        session.add(SecretKey(fingerprint=newest, accepted_at=now))
    else:
        known.accepted_at = now
    session.flush()
    return True
