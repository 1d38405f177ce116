"""A mail that came in: stored whole, then looked at by a worker, and answered at most once.

`take` only stores; `handle` does what the mail asks, and may be called any number of times for the
same mail. What is done by words is done in one transaction with the note that it is done; a turn
goes the way of all turns (`service.matches.moves`) under a dedupe key of the mail, and the answer
is owed in one transaction with the end of the mail. So a worker may die anywhere.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from email.message import EmailMessage

import structlog
from msgspec.structs import replace
from sqlalchemy import select

from service.access import reply_keys
from service.access.addresses import Addresses, Tag
from service.core import locks, retriable
from service.core.context import Service
from service.core.db import Work, insert_once
from service.core.letter_details import MailDetails
from service.core.models import InboundMail, Match, Submission
from service.core.statuses import MailStatus, MailVerdict
from service.mail.parse import headers, message
from service.mail.parse.classify import Kind, classify
from service.mail.parse.reports import report_of
from service.mail.receive import complaints, replying
from service.matches import moves
from service.outgoing import identity
from service.players import bounces

log = structlog.get_logger(__name__)

LARGEST = 25_000_000
"""Bytes of a mail that are kept. The ways in refuse less; what a player wrote stands at the top."""

REPORTED_FOR = dt.timedelta(days=14)
"""How long after a letter was sent a report of its failure is believed: servers give up within five
days or so (RFC 5321 §4.5.4.1), and who has had a letter forwarded whole knows its bounce address.
"""

_LONGEST_HEAD = 256_000
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


def take(
    service: Service,
    work: Work,
    raw: bytes,
    *,
    source: str,
    envelope_from: str | None = None,
    recipient: str | None = None,
) -> int | None:
    """Store a mail and enqueue its job; its id, or None if it is there already.

    The same mail is the same Message-ID to the same address of ours, whatever way it came; without
    a Message-ID, the same bytes. `recipient` is the address it was delivered to; where the way in
    does not know, the headers say.
    """
    raw = raw[:LARGEST]
    head = message.parse(_head(raw))
    tag = _tag(Addresses(service.settings), recipient, head)
    message_id = headers.message_id(head)
    at = f"{tag.purpose}+{tag.text}" if tag else (recipient or "").strip().lower()
    named = f"id\0{message_id}\0{at}".encode(errors="replace")
    what = named if message_id else b"raw\0" + at.encode(errors="replace") + b"\0" + raw
    now = service.now()
    stored: int | None = insert_once(
        work.session,
        InboundMail,
        dedupe=hashlib.sha256(what).hexdigest(),
        source=source,
        envelope_from=_storable(envelope_from),
        recipient=_storable(recipient),
        raw=raw,
        status=MailStatus.RECEIVED,
        details=MailDetails(),
        match_id=_match_of(service, work, tag),
        attempts=0,
        received_at=now,
        pending_since=now,
    )
    if stored is not None:
        work.enqueue_after_commit("inbound.handle", stored)
        log.info("mail_taken", mail=stored, source=source, bytes=len(raw))
    return stored


def _match_of(service: Service, work: Work, tag: Tag | None) -> int | None:
    """The match a reply is about: no clock of it runs out while it waits to be looked at."""
    key = reply_keys.find(service.keys, work.session, tag.text) if tag else None
    return key.match_id if key is not None else None


def _head(raw: bytes) -> bytes:
    """The headers of a mail: more is not needed to store it."""
    end = _EMPTY_LINE.search(raw, 0, _LONGEST_HEAD)
    return raw[: end.end() if end else _LONGEST_HEAD]


def _tag(addresses: Addresses, recipient: str | None, head: EmailMessage) -> Tag | None:
    """The tag it was sent to: of the envelope, else the first address of ours in the headers."""
    if recipient is not None and (tag := addresses.tag_of(recipient)) is not None:
        return tag
    for name in headers.RECIPIENTS:
        for _, address in headers.addresses(head, name):
            if (tag := addresses.tag_of(address)) is not None:
                return tag
    return None


def _storable(address: str | None) -> str | None:
    """An address as both databases keep it: no NUL, nothing undecodable, not too long."""
    if address is None:
        return None
    return address.replace("\0", "").encode(errors="replace").decode()[:320]


def handle(service: Service, inbound_id: int) -> InboundMail:
    """Look at a stored mail and do what it asks. Calling it again changes nothing.

    An error of ours counts as an attempt and is raised; after `retriable.MAILS.limit` of them the
    mail is a dead letter, for the operator. A turn in it counts its own: it is all done at once,
    and what fails is done again step by step.
    """
    done = _at_once(service, inbound_id)
    return done if done is not None else _in_steps(service, inbound_id)


def _at_once(service: Service, inbound_id: int) -> InboundMail | None:
    """Read a mail, play its turn and answer it in one transaction; None if that fails, or somebody
    has tried before.
    """
    try:
        with service.database.write() as work:
            mail = _get(work, inbound_id)
            begun = mail.details.submission is not None
            if mail.attempts or (mail.status == MailStatus.RECEIVED and begun):
                return None
            turn = _look(service, work, mail)
            if turn is not None:
                match = locks.locked(service, work, work.session.get_one(Match, turn.match_id))
                moves.play_locked(service, work, match, turn)
                replying.conclude_locked(service, work, mail, match, turn)
                service.claim_ahead(work)
            return mail
    except Exception as error:  # noqa: BLE001 (what it is shows in the step that has it)
        log.warning("mail_in_steps", mail=inbound_id, error=type(error).__name__)
        return None


def _in_steps(service: Service, inbound_id: int) -> InboundMail:
    """The same in three, each of which counts its own errors."""
    try:
        with service.database.write() as work:
            mail = _get(work, inbound_id)
            _look(service, work, mail)
            turn = mail.details.submission if mail.status == MailStatus.RECEIVED else None
        if turn is None:
            return mail
    except Exception:
        count_attempt(service, inbound_id)
        raise
    moves.play(service, turn, ahead=False)
    try:
        with service.database.write() as work:
            mail = _get(work, inbound_id)
            if mail.status == MailStatus.RECEIVED:
                submission = work.session.get_one(Submission, turn, populate_existing=True)
                replying.conclude(service, work, mail, submission)
            return mail
    except Exception:
        count_attempt(service, inbound_id)
        raise


def _get(work: Work, inbound_id: int) -> InboundMail:
    return work.session.scalars(
        select(InboundMail)
        .where(InboundMail.id == inbound_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def _look(service: Service, work: Work, mail: InboundMail) -> Submission | None:
    """Do what a mail asks, all but playing a turn: the turn that is to be played, whose match is
    locked.
    """
    if mail.status != MailStatus.RECEIVED or mail.details.submission is not None:
        return None
    parsed = message.parse(mail.raw)
    found = classify(parsed, mail.envelope_from, service.settings.mail_domain)
    tag = _tag(Addresses(service.settings), mail.recipient, parsed)
    if found.kind in ("report", "complaint"):
        _heed(service, work, mail, parsed, tag, found.kind)
    elif found.kind != "person":
        replying.settle(
            service, mail, MailVerdict(found.kind), replace(mail.details, why=found.why)
        )
    elif tag is not None and tag.purpose == "bounce":
        replying.settle(service, mail, MailVerdict.MISDIRECTED)
    else:
        return replying.reply(service, work, mail, parsed, tag.text if tag else None)
    return None


def _heed(
    service: Service,
    work: Work,
    mail: InboundMail,
    parsed: EmailMessage,
    tag: Tag | None,
    kind: Kind,
) -> None:
    """A letter that did not arrive ("report"), or was not wanted ("complaint"), and what follows.

    Believed is only what comes to the letter's own bounce address: nobody but who got the letter,
    and the servers it passed, can know it. Everybody can write such a mail, or quote a Message-ID:
    anything else is kept for the operator, and changes nothing.
    """
    report = report_of(parsed, mail.envelope_from)
    if tag is None or not identity.is_bounce_address(service, tag):
        claimed = report.original_message_id if report is not None else None
        _distrust(service, mail, kind, "address", about=f"<{claimed[:200]}>" if claimed else None)
        return
    letter = identity.letter_bounced(service, work.session, tag)
    if letter is None:
        replying.settle(service, mail, MailVerdict(kind), replace(mail.details, why="of no letter"))
        return
    mail.player_id, mail.match_id = letter.player_id, letter.match_id
    if kind == "complaint":
        ended = complaints.heed(service, work, letter)
        details = replace(mail.details, letter=letter.id, ended=ended)
        replying.settle(service, mail, MailVerdict.COMPLAINT, details)
    elif letter.sent_at is not None and service.now() - letter.sent_at > REPORTED_FOR:
        _distrust(service, mail, kind, "late", about=f"letter {letter.id}")
    else:
        bounces.count(service, work, letter, report.failures if report is not None else ())
        replying.settle(service, mail, MailVerdict.REPORT, replace(mail.details, letter=letter.id))


def _distrust(
    service: Service, mail: InboundMail, kind: Kind, why: str, *, about: str | None
) -> None:
    details = replace(mail.details, kind=kind, why=why, about=about)
    replying.settle(service, mail, MailVerdict.UNTRUSTED_REPORT, details)


def count_attempt(service: Service, inbound_id: int) -> None:
    """Note an attempt that failed: an exception, or a worker that died over it."""
    with service.database.write() as work:
        mail = work.session.get(InboundMail, inbound_id)
        if mail is None or mail.status != MailStatus.RECEIVED:
            return
        if retriable.failed(retriable.MAILS, mail):
            retriable.give_up(retriable.MAILS, mail)
            mail.verdict, mail.done_at = MailVerdict.DEAD_LETTER, service.now()
            log.error("mail_given_up", mail=inbound_id)
