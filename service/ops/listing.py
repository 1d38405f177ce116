"""Letters and mails as an operator looks for them: the newest, of a match or to an address."""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import InboundMail, Letter, Match, Player
from service.core.statuses import MailVerdict

_NOT_BELIEVED = {
    "address": "it did not come to the bounce address of a letter",
    "late": "the letter was sent long before",
}


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A letter or mail. `kind` is the letter's, or the way the mail came in; `status` its status or
    verdict; `note` what went wrong with it, or what a report that is not believed was about.
    """

    id: int
    at: dt.datetime
    kind: str
    match: str | None
    seat: int | None = None
    status: str
    note: str | None = None


def letters(
    session: Session, last: int, *, match: str | None = None, address: str | None = None
) -> list[Listed]:
    """The newest letters, of a match, to an address, or of all; the newest last."""
    query = select(Letter, Match.code).outerjoin(Match, Match.id == Letter.match_id)
    if match is not None:
        query = query.where(Match.code == match)
    if address is not None:
        query = query.join(Player, Player.id == Letter.player_id).where(
            Player.email == address.strip().lower()
        )
    found = session.execute(query.order_by(Letter.id.desc()).limit(last)).all()
    return [
        Listed(
            id=letter.id,
            at=letter.sent_at or letter.created_at,
            kind=letter.kind,
            match=code,
            seat=letter.seat,
            status=letter.status,
            note=letter.error,
        )
        for letter, code in reversed(found)
    ]


def mails(session: Session, last: int, *, match: str | None = None) -> list[Listed]:
    """The newest mails that came in, about a match or of all; the newest last."""
    query = select(InboundMail, Match.code).outerjoin(Match, Match.id == InboundMail.match_id)
    if match is not None:
        query = query.where(Match.code == match)
    found = session.execute(query.order_by(InboundMail.id.desc()).limit(last)).all()
    return [
        Listed(
            id=mail.id,
            at=mail.received_at,
            kind=mail.source,
            match=code,
            status=mail.verdict or mail.status,
            note=_note(mail),
        )
        for mail, code in reversed(found)
    ]


def _note(mail: InboundMail) -> str | None:
    if mail.verdict is not MailVerdict.UNTRUSTED_REPORT:
        return None
    said = mail.details
    if said.why is None:
        return None  # what it said has been thrown away
    about = f" of {said.about}" if said.about else ""
    return f"{said.kind}{about}, not believed: {_NOT_BELIEVED[said.why]}"
