"""Signing letters ourselves (RFC 6376), where a key is given; else the mail server does it.

The signature says when the letter was made and not when it is sent, so that a letter sent again
is the same bytes.
"""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

from service.core.settings import Settings

# RFC 6376 §5.4.1, and what RFC 8058 §4 asks for besides. Twice: nobody can add a second one.
_ONCE = (b"from", b"to", b"subject", b"date", b"message-id", b"reply-to")
_SIGNED = (
    *_ONCE,
    b"in-reply-to",
    b"references",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
    b"auto-submitted",
    b"mime-version",
    b"content-type",
)


def signed(message: bytes, settings: Settings, at: dt.datetime) -> bytes:
    """The message with our signature before it, or as it is without a key."""
    if settings.dkim_key is None:
        return message
    signer = _signer()(message, at)
    there = {name.lower() for name, _ in signer.headers}
    signature = signer.sign(
        settings.dkim_selector.encode(),
        settings.dkim_domain.encode(),
        settings.dkim_key.encode(),
        canonicalize=(b"relaxed", b"simple"),
        include_headers=[*(name for name in _SIGNED if name in there), *_ONCE],
    )
    return bytes(signature) + message


@cache
def _signer() -> Any:
    """What signs a message, with a time of its own. Made here: the library asks for one that looks
    names up, which takes megabytes, and most have their mail server sign.
    """
    import dkim

    class Signer(dkim.DKIM):  # type: ignore[misc]
        """The library's time (tag t=) is that of the signing."""

        def __init__(self, message: bytes, at: dt.datetime) -> None:
            super().__init__(message)
            self._at = str(int(at.timestamp())).encode()

        def gen_header(self, fields: list[tuple[bytes, bytes]], *args: Any, **kwargs: Any) -> Any:
            dated = [(tag, self._at if tag == b"t" else value) for tag, value in fields]
            return super().gen_header(dated, *args, **kwargs)

    return Signer
