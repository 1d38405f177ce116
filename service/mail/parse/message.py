"""A mail as the fields that matter for a reply. Nothing here raises, whatever the bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import EmailPolicy
from itertools import islice
from typing import Any, Literal, cast

import msgspec

from service.mail.parse import headers
from service.mail.parse.bodies import Bodies, bodies_of
from service.mail.parse.language import hint
from service.mail.parse.markup import of_html
from service.mail.parse.sent import Sent
from service.mail.parse.text import Own, own_text

LONGEST = 8_000_000
"""Bytes of a mail that are looked at: what a player writes stands before their photographs."""
_MOST_LINES = 150_000
"""Lines that are looked at: more than LONGEST bytes of an attachment have. The library's parser
takes each by itself, however short.
"""
_MOST_MULTIPARTS = 30
_MOST_BORDERS = 2_000
"""Lines that may begin a part; making more of them than this takes seconds."""
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BORDER = re.compile(rb"^--", re.MULTILINE)
_MULTIPART = re.compile(rb"content-type:[ \t\r\n]*(?:multipart|message)/", re.IGNORECASE)
_RECIPIENTS = (
    "To",
    "Cc",
    "Delivered-To",
    "X-Delivered-To",
    "X-Original-To",
    "Original-Recipient",
    "Envelope-To",
    "X-Envelope-To",
    "X-Forwarded-To",
    "X-Rcpt-To",
    "Resent-To",
    "Apparently-To",
)
_FORWARDED = re.compile(r"(?:fwd?|tr|wg|rv|enc|doorst|i)\s?:", re.IGNORECASE)
_MOST_RECIPIENTS = 100


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a mail that matter for a reply. `own_text` is only what the player wrote
    themselves, line ends as `\\n`; `whole_text` is the same with "Thanks" and their name at its
    end. `sender` and `recipients` are lower case, `message_id` and its like without brackets.
    `marked`: a sample order of ours stands among the own words, where it does not count.
    `unmarked`: own words within the quote could not be told from it; `doubtful` are those that may
    be some. `length` are the characters of the own text before it was cut.
    """

    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    subject: str
    sender: str | None
    sender_name: str
    recipients: tuple[str, ...]
    own_text: str
    whole_text: str
    quoted: bool
    forwarded: bool
    marked: bool = False
    unmarked: bool = False
    doubtful: str = ""
    length: int = 0
    attachments: int
    lang_hint: Literal["en", "fr"] | None

    @property
    def may_quote(self) -> bool:
        """True if the own words may be those of a letter that was not known: they are more than a
        line, or some are doubtful. One line alone goes on with none, so it is no piece of one.
        """
        return "\n" in self.own_text.strip() or bool(self.doubtful) or self.unmarked


class _Policy(EmailPolicy):
    """Cuts every field, and gives one that cannot be understood as plain text: the library's
    parsers take quadratic time for long values and raise on some wrong ones.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[: headers.LONGEST]

    def header_fetch_parse(self, name: str, value: str) -> str:
        try:
            return cast(str, super().header_fetch_parse(name, value))
        except Exception:  # noqa: BLE001 (of many kinds, RecursionError too)
            return " ".join(str(value).split())


_POLICY = _Policy(raise_on_defect=False)


def parse(raw: bytes) -> EmailMessage:
    """The mail as the standard library has it. If its parts cannot be taken apart (nested beyond
    reason, fields that the parser stumbles over), headers alone, with an empty body.
    """
    raw = _few_parts(_few_lines(raw[:LONGEST]))
    if len(_MULTIPART.findall(raw)) <= _MOST_MULTIPARTS:
        with suppress(Exception):  # The library raises many kinds for broken fields.
            return message_from_bytes(raw, policy=cast(Any, _POLICY))
    message = BytesHeaderParser(policy=cast(Any, _POLICY)).parsebytes(raw, headersonly=True)
    message.set_payload("")
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        del message[name]
    return cast(EmailMessage, message)


def _few_lines(raw: bytes) -> bytes:
    if raw.count(b"\n") + raw.count(b"\r") <= _MOST_LINES:
        return raw
    end = next(islice(_LINE_END.finditer(raw), _MOST_LINES - 1, None), None)
    return raw[: end.end()] if end else raw


def _few_parts(raw: bytes) -> bytes:
    border = next(islice(_BORDER.finditer(raw), _MOST_BORDERS, None), None)
    return raw[: border.start()] if border else raw


def read(raw: bytes) -> Incoming:
    """The fields of a mail. Never raises."""
    return read_parsed(parse(raw))


def read_parsed(message: EmailMessage, sent: Sent | None = None) -> Incoming:
    """The same of a mail that `parse` has taken apart already. With what we `sent` to its writer,
    quotes of it are known without marks.
    """
    senders = dict.fromkeys(headers.addresses(message, "From"))
    # Two senders are nobody: a reply counts for one player.
    name, sender = next(iter(senders)) if len({a for _, a in senders}) == 1 else ("", None)
    bodies = bodies_of(message)
    own = _own(bodies, name, sent)
    subject = headers.text_of(message, "Subject")[:500]
    forwarded = own.forwarded or bodies.letters > 0
    if own.quoted and _FORWARDED.match(subject):
        forwarded = True
    recipients = (address for field in _RECIPIENTS for _, address in _named(message, field))
    in_reply_to = headers.ids(message, "In-Reply-To")
    return Incoming(
        message_id=headers.message_id(message),
        in_reply_to=in_reply_to[0] if in_reply_to else None,
        references=headers.ids(message, "References"),
        subject=subject,
        sender=sender,
        sender_name=name[:200],
        recipients=tuple(dict.fromkeys(recipients))[:_MOST_RECIPIENTS],
        own_text=own.text,
        whole_text=own.whole,
        quoted=own.quoted,
        forwarded=forwarded,
        marked=own.marked,
        unmarked=own.unmarked,
        doubtful=own.doubtful,
        length=own.length,
        attachments=bodies.attachments,
        lang_hint=cast(
            Literal["en", "fr"] | None,
            hint(own.text, (subject, *own.around), headers.text_of(message, "Content-Language")),
        ),
    )


def _named(message: EmailMessage, field: str) -> Sequence[tuple[str, str]]:
    found = headers.addresses(message, field)
    if found or field != "Original-Recipient":
        return found
    # RFC 3798 §2.3: "rfc822;address"
    values = headers.raw_values(message, field)
    return [("", v.partition(";")[2].strip().lower()) for v in values if "@" in v]


def _own(bodies: Bodies, sender_name: str, sent: Sent | None) -> Own:
    """The plain part's own words; the HTML part's if there are none (no part, a stub, or a quote
    that only HTML marks).
    """
    plain = own_text(bodies.plain, sender_name, sent)
    if plain.text or not bodies.html:
        return plain
    for signatures in (False, True):
        lines = [line for html in bodies.html for line in of_html(html, signatures=signatures)]
        rich = own_text(lines, sender_name, sent)
        if rich.text:
            break
    return Own(
        text=rich.text,
        length=rich.length,
        whole=rich.whole,
        quoted=plain.quoted or rich.quoted,
        forwarded=plain.forwarded or rich.forwarded,
        marked=plain.marked or rich.marked,
        unmarked=plain.unmarked and (rich.unmarked or not rich.quoted),
        around=plain.around + rich.around,
        doubtful=rich.doubtful or plain.doubtful,
    )
