"""Header fields of mail that may hold anything (RFC 5322, RFC 2047).

The values are taken as they stand and decoded here: the parsers of `email.headerregistry` raise on
some wrong values and take quadratic time for long ones.
"""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import EmailMessage
from email.utils import getaddresses

from service.mail.parse.charsets import decoded, decoded_as

RECIPIENTS = (
    *("Delivered-To", "X-Delivered-To", "X-Original-To", "X-Rcpt-To"),
    *("Envelope-To", "X-Envelope-To", "To", "Cc"),
)
"""Where a delivering server notes the address, the surest first; then whom the writer wrote to."""
LONGEST = 8_000
"""Characters of one field that are looked at."""
_MOST_COMMENTS = 20
"""The library reads comments within comments by recursion."""
_ID = re.compile(r"<([^<>\s]{1,900})>")
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?")
_SPACE = re.compile(r"\s+")


def raw_values(message: EmailMessage, name: str) -> list[str]:
    """The values of every field of that name, as they stand, unfolded."""
    wanted = name.lower()
    return [
        _SPACE.sub(" ", _characters(str(value)[:LONGEST])).strip()
        for field, value in message.raw_items()
        if field.lower() == wanted
    ]


def text_of(message: EmailMessage, name: str) -> str:
    """The first field of that name, encoded words decoded (RFC 2047); empty without one."""
    values = raw_values(message, name)
    return decode_words(values[0]) if values else ""


def decode_words(value: str) -> str:
    """The text of a value that may hold encoded words, in one line without control characters."""
    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError):
        parts = [(value, None)]
    said = "".join(
        part if isinstance(part, str) else decoded_as(part, charset or "ascii")
        for part, charset in parts
    )
    return " ".join("".join(c if c.isprintable() else " " for c in said).split())


def ids(message: EmailMessage, name: str) -> tuple[str, ...]:
    """The message ids in the fields of that name, without their brackets, each once."""
    found = [i for value in raw_values(message, name) for i in _ID.findall(value)]
    return tuple(dict.fromkeys(found))


def message_id(message: EmailMessage) -> str | None:
    """The id of this message. Some programs forget the brackets: then it is the whole value."""
    if found := ids(message, "Message-ID"):
        return found[0]
    whole = next(iter(raw_values(message, "Message-ID")), "").strip("<> ")
    return whole[:900] if whole and " " not in whole else None


def addresses(message: EmailMessage, name: str) -> list[tuple[str, str]]:
    """(display name, lower-case address) of every usable mailbox in the fields of that name."""
    found = []
    for value in raw_values(message, name):
        if value.count("(") > _MOST_COMMENTS:
            continue
        # Taken apart before encoded words are decoded: a name can pretend to be an address.
        for person, address in getaddresses([value]):
            address = address.strip().lower()
            if _ADDRESS.fullmatch(address):
                found.append((decode_words(person), address))
    return found


def _characters(value: str) -> str:
    """Eight-bit bytes in a header were kept as surrogates by the parser."""
    if value.isascii():
        return value
    return decoded(value.encode("utf-8", "surrogateescape"))
