"""The names of a letter: its Message-ID, and the address its reports come back to.

Both hold a mark that only we can make, of the letter, its epoch and the secret key it was taken up
with: nobody can name a letter they have not got, and no name ever means another letter, though a
restored database gives the same numbers again.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.access.addresses import Addresses, Tag
from service.core.context import Service
from service.core.models import Letter

_DOT_ATOM = re.compile(r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*")


def stamp(service: Service, letter: Letter) -> None:
    """Note the epoch and secret key of a letter that is taken up, unless it has them: it keeps them
    as long as that key is there.
    """
    if letter.epoch is None or letter.secret is None or not service.keys.has(letter.secret):
        letter.epoch, letter.secret = service.keys.era.number, service.keys.secret


def local_id(text: str) -> str:
    """The text itself if it can stand before the @ of a message id, else its hash."""
    if _DOT_ATOM.fullmatch(text):
        return text
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def message_id(service: Service, letter: Letter) -> str:
    """The Message-ID (RFC 5322 §3.6.4), without its angle brackets: the same at every try, and
    another for an edition with other bytes.
    """
    return _message_id(service, letter, letter.notes.edition)


def rename(letter: Letter) -> None:
    """Have what is written of a letter from here on go under another Message-ID: somebody may have
    it as it was.
    """
    letter.notes = replace(letter.notes, edition=letter.notes.edition + 1)


def _message_id(service: Service, letter: Letter, edition: int) -> str:
    keys = service.keys.of(letter.epoch, letter.secret)
    scope = (letter.dedupe, edition) if edition else (letter.dedupe,)
    mark = keys.mark("message-id", *scope)[:12]  # 60 bits: header lines are short
    return f"{local_id(letter.dedupe)}.{mark}@{service.settings.mail_domain}"


def letter_named(service: Service, session: Session, name: str) -> Letter | None:
    """The letter with this Message-ID (without angle brackets); None if it is none of ours."""
    left, _, domain = name.rpartition("@")
    dedupe = left.rpartition(".")[0]
    if not dedupe or domain.lower() != service.settings.mail_domain.lower():
        return None
    letter = session.scalar(select(Letter).where(Letter.dedupe == dedupe))
    if letter is None:
        return None
    given = left.encode(errors="replace")
    names = (_message_id(service, letter, n) for n in range(letter.notes.edition + 1))
    ours = [hmac.compare_digest(each.rpartition("@")[0].encode(), given) for each in names]
    return letter if any(ours) else None


def bounce_address(service: Service, letter: Letter) -> str:
    """The envelope sender of a letter (VERP)."""
    mark = service.keys.of(letter.epoch, letter.secret).mark("bounce", letter.id)
    return Addresses(service.settings).bounce(letter.id, mark)


def is_bounce_address(service: Service, tag: Tag) -> bool:
    """True if we have made this address for a letter, in whatever epoch."""
    found = Addresses.bounced(tag)
    return found is not None and service.keys.is_mark(found[1], "bounce", found[0])


def letter_bounced(service: Service, session: Session, tag: Tag) -> Letter | None:
    """The letter whose reports come to this address; None for a forged one, and for that of a
    letter that a restored database does not know.
    """
    found = Addresses.bounced(tag)
    letter = session.get(Letter, found[0]) if found is not None else None
    if found is None or letter is None:
        return None
    mark = service.keys.of(letter.epoch, letter.secret).mark("bounce", letter.id)
    return letter if hmac.compare_digest(mark, found[1]) else None
