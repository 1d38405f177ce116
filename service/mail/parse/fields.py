"""Parts of a message and what stands in them, read so that nothing can raise or take long.

Parts are walked without recursion, and every text is cut where no honest one is as long.
"""

from __future__ import annotations

import binascii
import html
import quopri
import re
from collections.abc import Iterator
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.utils import collapse_rfc2231_value

from service.mail.parse.headers import raw_values

# What the standard library raises on headers, charsets and encodings that are not what they say.
UNREADABLE = (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError)

PARTS_LIMIT = 200
TEXT_LIMIT = 64_000
"""Characters of a text that are looked at: reports say what they say at their beginning."""

_TAG = re.compile(r"<[^<>]{0,2000}>")
_BREAK = re.compile(r"(?i)<(?:br|/p|/div|/tr|/li|/h\d)\b[^<>]{0,200}>")
_STYLE = re.compile(r"(?is)<(style|script)\b.*?(?:</\1\s*>|\Z)")
_ANGLED = re.compile(r"<\s*([^<>\s]*)\s*>")
_BARE = re.compile(r"[^\s<>,;:\"()\[\]]+")


def value(message: EmailMessage, name: str) -> str:
    """The topmost field of this name, unfolded; "" if there is none."""
    return next(iter(raw_values(message, name)), "")


def has(message: EmailMessage, name: str) -> bool:
    """True if there is such a field, and it says something."""
    return any(raw_values(message, name))


def address(text: str) -> str:
    """The first address of a field, in lower case, without its name; "" if it is `<>` or missing.

    An address without a domain (`MAILER-DAEMON`) counts.
    """
    angled = _ANGLED.search(text)
    if angled is not None:
        return angled[1].lower()
    words = _BARE.findall(text)
    return next((word for word in words if "@" in word), words[0] if words else "").lower()


def kind_of(part: EmailMessage) -> tuple[str, dict[str, str]]:
    """The media type of a part in lower case and its parameters (RFC 2045 §5.1)."""
    field: Message = Message()
    field["Content-Type"] = value(part, "Content-Type") or "text/plain"
    try:
        found = field.get_params(failobj=[])
        return field.get_content_type(), {
            key.lower(): collapse_rfc2231_value(text) for key, text in found[1:]
        }
    except UNREADABLE:
        return "text/plain", {}


def parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The message and its parts from the top, not what is inside a message it encloses: that is
    somebody else's. At most PARTS_LIMIT.
    """
    stack, seen = [message], 0
    while stack and seen < PARTS_LIMIT:
        part = stack.pop()
        seen += 1
        yield part
        if kind_of(part)[0].startswith("multipart/"):
            stack.extend(reversed(enclosed(part)))


def enclosed(part: EmailMessage) -> list[EmailMessage]:
    """The pieces a part is made of: parts, a message, or the blocks of a status; [] for a leaf."""
    inner = part.get_payload() if part.is_multipart() else []
    return (
        [p for p in inner[:PARTS_LIMIT] if isinstance(p, EmailMessage)]
        if isinstance(inner, list)
        else []
    )


def data(part: EmailMessage) -> bytes:
    """The bytes of a leaf with its transfer encoding undone (RFC 2045 §6), b"" if they cannot be
    had.
    """
    try:
        found = part.get_payload(decode=True)
    except UNREADABLE:
        return b""
    return found if isinstance(found, bytes) else b""


def body(part: EmailMessage) -> str:
    """The text of a leaf, at most TEXT_LIMIT characters, whatever its charset turns out to be."""
    raw = data(part)[: 4 * TEXT_LIMIT]
    try:
        text = raw.decode(kind_of(part)[1].get("charset", "utf-8"), "replace")
    except UNREADABLE:
        text = raw.decode("utf-8", "replace")
    return text[:TEXT_LIMIT]


def undone(raw: bytes, encoding: str) -> bytes:
    """The bytes behind a transfer encoding, for texts that the parser does not take as one."""
    match encoding.strip().lower():
        case "base64":
            letters = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
            whole = len(letters) // 4 * 4
            return binascii.a2b_base64(letters[:whole])
        case "quoted-printable":
            return quopri.decodestring(raw)
        case _:
            return raw


def words(message: EmailMessage) -> str:
    """The text a person would read first: the text parts, or the HTML ones without their tags."""
    plain, rich = [], []
    for part in parts(message):
        kind = kind_of(part)[0]
        if kind == "text/plain":
            plain.append(body(part))
        elif kind == "text/html":
            rich.append(untagged(body(part)))
    return "\n".join(plain if any(text.strip() for text in plain) else rich)[:TEXT_LIMIT]


def untagged(text: str) -> str:
    """HTML as lines of text. Good enough to look for words in, not to show."""
    text = _BREAK.sub("\n", _STYLE.sub(" ", text))
    return html.unescape(_TAG.sub("", text))
