"""The header block of a letter (RFC 5322, 2047, 2369, 2919, 3834, 8058).

Only names and subjects hold what people typed. They are encoded by `email.header.Header`: the newer
`email.headerregistry` loses or doubles spaces when an encoded text takes several words. All other
values are ours, and refused unless they are one line of printable ASCII.
"""

from __future__ import annotations

import datetime as dt
import re
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache

import msgspec

from service.core.names import NAME_LENGTH, clean_name
from service.core.statuses import LetterKind
from service.mail.render.defused import defused
from service.outgoing.identity import local_id

SENDER = "Paleopost"

_LINE = 78

_ASCII_LINE = re.compile(r"[\x20-\x7e]{1,900}")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.\[\]:-]+")
_SPACES = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]+")


OURS = "X-Paleopost"
"""Marks our own letters, for when one of them comes back: its value is the kind of the letter."""

# A Message-ID as others write it (RFC 5322 §3.6.4, generously)
_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>")
_LONGEST_THREAD = 10


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The values that the headers are made of. `message_id` is without its angle brackets; `thread`
    becomes a message id at `domain`.

    `in_reply_to` and `references` are message ids of the reader's own mail; they go before
    `thread`.
    `unsubscribe` are the addresses of the one click: first the page, then that of a mail.
    `speaker` is the player whose words a letter brings; the address is ours all the same.
    `published` are values that prove later that chance was fair, by their names behind OURS.
    """

    sender: str
    to: str
    name: str
    subject: str
    date: dt.datetime
    lang: str
    domain: str
    message_id: str
    kind: LetterKind
    thread: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    replying: bool = False
    reply_to: str | None = None
    group: str | None = None
    unsubscribe: tuple[str, ...] = ()
    published: tuple[tuple[str, str], ...] = ()
    speaker: str | None = None

    @property
    def from_name(self) -> str:
        """The name beside our address: a speaker's with ours behind it. One that looks like an
        address is left out: readers would trust it, and filters take it for a forgery.
        """
        if self.speaker is None or "@" in self.speaker or defused(self.speaker) != self.speaker:
            return SENDER
        ours = f" ({SENDER})"
        return clean_name(self.speaker, "?", NAME_LENGTH - len(ours)) + ours


def lines(heading: Heading) -> list[str]:
    """The header fields in order, folded, without the MIME ones. Raises ValueError for a value that
    cannot stand in a header.
    """
    domain = _plain("domain", heading.domain)
    fields = [
        f"From: {mailbox('From', heading.from_name, heading.sender)}",
        f"To: {mailbox('To', heading.name, heading.to)}",
        f"Subject: {unstructured('Subject', heading.subject)}",
        f"Date: {format_datetime(heading.date)}",
        f"Message-ID: <{_plain('message id', heading.message_id)}>",
    ]
    if heading.reply_to is not None:
        fields.insert(1, f"Reply-To: {mailbox('Reply-To', SENDER, heading.reply_to)}")
    fields += _conversation(heading, domain)
    if heading.group is not None:
        fields.append(f"List-Id: <{local_id(heading.group)}.{domain}>")
    if heading.unsubscribe:
        # RFC 2369: the one that serves best first. RFC 8058: one click by HTTPS only.
        ways = [f"<{_plain('unsubscribe', address)}>" for address in heading.unsubscribe]
        fields.append("List-Unsubscribe: " + ",\r\n ".join(ways))
        if heading.unsubscribe[0].startswith("https:"):
            fields.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    return [
        *fields,
        f"Content-Language: {_plain('lang', heading.lang)}",
        f"Auto-Submitted: {'auto-replied' if heading.replying else 'auto-generated'}",
        "X-Auto-Response-Suppress: All",
        f"{OURS}: {_plain('kind', heading.kind)}",
        *(f"{OURS}-{name}:\r\n {_plain(name, value)}" for name, value in heading.published),
    ]


def _conversation(heading: Heading, domain: str) -> list[str]:
    """What the letter follows: the reader's mail that it answers, or the root of its thread."""
    if heading.in_reply_to is not None and _ID.fullmatch(heading.in_reply_to):
        before = [i for i in heading.references if _ID.fullmatch(i) and i != heading.in_reply_to]
        known = list(
            dict.fromkeys([*before[:1], *before[1:][-_LONGEST_THREAD:], heading.in_reply_to])
        )
        return [f"In-Reply-To: {heading.in_reply_to}", "References: " + "\r\n ".join(known)]
    if heading.thread is None:
        return []
    # No letter has this id: it is the root all of them answer, so that none has to be the first.
    root = f"<{local_id(heading.thread)}@{domain}>"
    return [f"In-Reply-To: {root}", f"References: {root}"]


@lru_cache(maxsize=4096)
def mailbox(field: str, name: str, address: str) -> str:
    """A display name and an address, as the value of a field. Raises ValueError for no address."""
    if not _ADDRESS.fullmatch(address):
        raise ValueError(f"{field}: {address!r} is no address")
    name = clean_name(name)
    if not name:
        return f"<{address}>"
    if _is_plain(name):
        escaped = re.sub(r'([\\"])', r"\\\1", name)
        phrase = f'"{escaped}"'
    else:
        phrase = _encoded(field, name)
    last = f"{field}: {phrase}".rpartition("\r\n")[2]
    return f"{phrase}{_fold(last, f'<{address}>')}<{address}>"


@lru_cache(maxsize=4096)
def unstructured(field: str, text: str) -> str:
    """A text as the value of the field, folded. Line breaks in it become spaces."""
    text = _SPACES.sub(" ", text).strip()
    if _is_plain(text) and len(text) <= 900:
        return Header(text, "us-ascii", header_name=field).encode(linesep="\r\n")
    return _encoded(field, text)


def _fold(before: str, after: str) -> str:
    """What stands between two parts of a field: a space, in a new line if they do not fit one."""
    return " " if len(before) + 1 + len(after) <= _LINE else "\r\n "


def _is_plain(text: str) -> bool:
    """True if it can stand as it is: a text that looks like an encoded word would be decoded."""
    return _ASCII_LINE.fullmatch(text) is not None and "=?" not in text


def _encoded(field: str, text: str) -> str:
    return Header(text, "utf-8", maxlinelen=_LINE - 2, header_name=field).encode(linesep="\r\n")


def _plain(what: str, value: str) -> str:
    if not _ASCII_LINE.fullmatch(value):
        raise ValueError(f"{what}: {value!r} cannot stand in a header")
    return value
