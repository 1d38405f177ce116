"""A mail that came in: stored whole, then looked at by a worker, and answered at most once."""

from __future__ import annotations

import email.parser
import email.policy
import hashlib
import re
from email.message import Message

import structlog

from service.addresses import Addresses, Tag
from service.context import Service
from service.db import Work, insert_once
from service.models import InboundMail

log = structlog.get_logger(__name__)

ATTEMPTS = 5
# What is longer is cut: the ways in refuse it before, and what a player wrote stands at the top.
LARGEST = 25_000_000
_HEADERS = 256_000
_RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]]+@[^\s<>,;:\"()\[\]]+")


def take(
    service: Service,
    work: Work,
    raw: bytes,
    *,
    source: str,
    envelope_from: str | None = None,
    recipient: str | None = None,
) -> int | None:
    """Store a mail and ring for a worker; its id, or None if it is there already.

    The same mail is the same Message-ID to the same address of ours, whatever way it came; without
    a Message-ID, the same bytes. `recipient` is the address it was delivered to; where the way in
    does not know, the headers say.
    """
    raw = raw[:LARGEST]
    headers = email.parser.BytesHeaderParser(policy=email.policy.compat32).parsebytes(
        raw[:_HEADERS]
    )
    tag = _tag(Addresses(service.settings), recipient, headers)
    message_id = _message_id(headers)
    at = f"{tag.purpose}+{tag.text}" if tag else (recipient or "").strip().lower()
    named = f"id\0{message_id}\0{at}".encode(errors="replace")
    what = named if message_id else b"raw\0" + raw
    now = service.now()
    stored: int | None = insert_once(
        work.session,
        InboundMail,
        dedupe=hashlib.sha256(what).hexdigest(),
        source=source,
        envelope_from=_storable(envelope_from),
        recipient=_storable(recipient),
        raw=raw,
        status="received",
        details={},
        attempts=0,
        received_at=now,
        pending_since=now,
    )
    if stored is not None:
        work.ring_after_commit("inbound.handle", stored)
    return stored


def _tag(addresses: Addresses, recipient: str | None, headers: Message) -> Tag | None:
    """The tag it was sent to: of the envelope, else the first address of ours in the headers."""
    if recipient is not None and (tag := addresses.tag_of(recipient)) is not None:
        return tag
    for name in _RECIPIENTS:
        for value in headers.get_all(name, []):
            for address in _ADDRESS.findall(str(value)):
                if (tag := addresses.tag_of(address)) is not None:
                    return tag
    return None


def _message_id(headers: Message) -> str:
    value = headers.get("Message-ID", "")
    return " ".join(str(value).split())


def _storable(address: str | None) -> str | None:
    """An address as both databases keep it: no NUL, nothing undecodable, not too long."""
    if address is None:
        return None
    return address.replace("\0", "").encode(errors="replace").decode()[:320]


def handle(service: Service, inbound_id: int) -> InboundMail:
    """Look at a stored mail and do what it asks. Calling it again changes nothing."""
    with service.database.write() as work:
        return work.session.get_one(InboundMail, inbound_id)
