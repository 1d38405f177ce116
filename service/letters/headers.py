"""The header block of a letter (RFC 5322, 2047, 2369, 2919, 3834).

Only names and subjects hold what people typed. They are encoded by `email.header.Header`: the newer
`email.headerregistry` loses or doubles spaces when an encoded text takes several words. All other
values are ours, and refused unless they are one line of printable ASCII.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache

import msgspec

from service.names import clean_name

SENDER = "Paleopost"

_LINE = 78

_ASCII_LINE = re.compile(r"[\x20-\x7e]{1,900}")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.\[\]:-]+")
_SPACES = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]+")
_DOT_ATOM = re.compile(r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*")


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What the headers are made of. `dedupe` and `thread` become message ids at `domain`."""

    sender: str
    to: str
    name: str
    subject: str
    date: dt.datetime
    lang: str
    domain: str
    dedupe: str
    thread: str | None
    group: str | None
    unsubscribe: str | None


def local_id(text: str) -> str:
    """The text itself if it can stand before the @ of a message id, else its hash."""
    if _DOT_ATOM.fullmatch(text):
        return text
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def lines(heading: Heading) -> list[str]:
    """The header fields in order, folded, without the MIME ones. Raises ValueError for a value that
    cannot stand in a header.
    """
    domain = _plain("domain", heading.domain)
    fields = [
        f"From: {mailbox('From', SENDER, heading.sender)}",
        f"To: {mailbox('To', heading.name, heading.to)}",
        f"Subject: {unstructured('Subject', heading.subject)}",
        f"Date: {format_datetime(heading.date)}",
        f"Message-ID: <{local_id(heading.dedupe)}@{domain}>",
    ]
    if heading.thread is not None:
        root = f"<{local_id(heading.thread)}@{domain}>"
        # No letter has this id: it is the root all of them answer, so that none has to be the
        # first.
        fields += [f"In-Reply-To: {root}", f"References: {root}"]
    if heading.group is not None:
        fields.append(f"List-Id: <{local_id(heading.group)}.{domain}>")
    if heading.unsubscribe is not None:
        fields.append(f"List-Unsubscribe: <{_plain('unsubscribe', heading.unsubscribe)}>")
    return [
        *fields,
        f"Content-Language: {_plain('lang', heading.lang)}",
        "Auto-Submitted: auto-generated",
        "X-Auto-Response-Suppress: All",
    ]


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
    """Whether it can stand as it is: a text that looks like an encoded word would be decoded."""
    return _ASCII_LINE.fullmatch(text) is not None and "=?" not in text


def _encoded(field: str, text: str) -> str:
    return Header(text, "utf-8", maxlinelen=_LINE - 2, header_name=field).encode(linesep="\r\n")


def _plain(what: str, value: str) -> str:
    if not _ASCII_LINE.fullmatch(value):
        raise ValueError(f"{what}: {value!r} cannot stand in a header")
    return value
