"""The parts of a mail in which a player can have written, taken out of its MIME structure."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Any, cast

import msgspec

from service.mail.parse.charsets import decoded_as
from service.mail.parse.lines import Line, of_flowed, of_text

LONGEST = 200_000
"""Characters of all plain parts together."""
_LONGEST_HTML = 500_000
_MOST_PARTS = 200
_SIGNATURES = frozenset(
    {
        "application/pgp-signature",
        "application/pgp-keys",
        "application/pgp-encrypted",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
    }
)
_STUB = re.compile(
    r"(?:\[cid:[^\]]{0,200}\]|<!--.{0,200}-->|\s)*"
    r"(?:(?:this (?:is a |message |e-?mail )|your (?:e-?mail|mail) |ce (?:message|courriel) |"
    r"votre (?:client|logiciel|messagerie)).{0,160}\bhtml\b.{0,160})?\s*",
    re.IGNORECASE | re.DOTALL,
)
"""Plain parts of programs that only write HTML."""


_MARKUP = re.compile(r"\s{0,200}<(?:!doctype html|html|head|body|div|table|p)\b", re.IGNORECASE)
"""Some programs say that their HTML is plain text."""


class Bodies(msgspec.Struct, frozen=True, kw_only=True):
    """`plain` are the lines of the plain parts, `html` the HTML parts; `letters` counts whole mails
    that are attached.
    """

    plain: tuple[Line, ...]
    html: tuple[str, ...]
    attachments: int
    letters: int


class _Taken:
    """What has been found so far."""

    def __init__(self) -> None:
        self.plain: list[Line] = []
        self.html: list[str] = []
        self.attachments = 0
        self.letters = 0
        self.room = LONGEST
        self.room_html = _LONGEST_HTML


def bodies_of(message: EmailMessage) -> Bodies:
    """The bodies of a mail; several parts in a row (text, picture, text) are one body."""
    taken = _Taken()
    waiting: list[Any] = [message]
    for _ in range(_MOST_PARTS):
        if not waiting:
            break
        part = waiting.pop()
        kind = _kind(part)
        if kind == "message/rfc822":
            taken.letters += 1
            taken.attachments += 1
        elif part.is_multipart():
            waiting.extend(reversed(cast(list[Any], part.get_payload())))
        else:
            _take(part, kind, taken)
    return Bodies(
        plain=tuple(taken.plain),
        html=tuple(taken.html),
        attachments=taken.attachments,
        letters=taken.letters,
    )


def _take(part: Any, kind: str, taken: _Taken) -> None:
    if kind in ("text/plain", "text/html") and not _is_file(part):
        text = decoded_as(_bytes(part), _parameter(part, "charset") or "ascii")
        if kind == "text/html" or _MARKUP.match(text):
            taken.html.append(text[: taken.room_html])
            taken.room_html -= len(taken.html[-1])
            return
        if _STUB.fullmatch(text[:600]) and len(text) < 600:
            return
        text = text[: taken.room]
        taken.room -= len(text)
        if _parameter(part, "format").lower() == "flowed":
            taken.plain += of_flowed(text, delsp=_parameter(part, "delsp").lower() == "yes")
        else:
            taken.plain += of_text(text)
        taken.plain.append(Line(""))
    elif kind not in _SIGNATURES and not _is_inline_picture(part, kind):
        taken.attachments += 1


def _is_file(part: Any) -> bool:
    return _disposition(part) == "attachment" or bool(_parameter(part, "name"))


def _is_inline_picture(part: Any, kind: str) -> bool:
    """A picture that the HTML shows, often a copy of ours."""
    shown = any(field.lower() == "content-id" for field, _ in part.raw_items())
    return kind.startswith("image/") and shown and _disposition(part) != "attachment"


# The library raises on some broken fields; then a part is what it would be without that field.


def _kind(part: Any) -> str:
    try:
        return str(part.get_content_type())
    except Exception:  # noqa: BLE001
        return "application/octet-stream"


def _disposition(part: Any) -> str:
    try:
        return str(part.get_content_disposition() or "")
    except Exception:  # noqa: BLE001
        return ""


def _parameter(part: Any, name: str) -> str:
    try:
        value = part.get_param(name, "")
    except Exception:  # noqa: BLE001
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "")


def _bytes(part: Any) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001
        return b""
    return payload if isinstance(payload, bytes) else b""
