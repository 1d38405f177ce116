"""The raw mail as the body (message/rfc822), signed with a secret we share with the sender.

`X-Paleopost-Timestamp` is the time in seconds since 1970, `X-Paleopost-Signature` the HMAC-SHA256
of the timestamp, a dot and the body, in hexadecimal. Envelope addresses are in the mail itself, as
a delivering MTA writes them: Delivered-To and Return-Path.
"""

from __future__ import annotations

import hashlib
import hmac

from service.core.settings import Settings
from service.mail.receive.recipients import reverse_path
from service.mail.receive.webhooks.post import Mail, Post, Unsigned, Unusable

UNKNOWN = 422
# Seconds by which a clock may be wrong, and within which a post that was listened to could be
# sent again: it would be the same mail, which is stored once
WINDOW = 300


def key(settings: Settings) -> str | None:
    """INBOUND_SECRET."""
    return settings.inbound_secret


def read(post: Post, key: str) -> list[Mail]:
    """The mail in the body."""
    timestamp = post.headers.get("X-Paleopost-Timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16):
        raise Unsigned("no timestamp")
    expected = sign(key, timestamp, post.body)
    given = post.headers.get("X-Paleopost-Signature", "").strip().lower()
    if not hmac.compare_digest(expected.encode(), given.encode()):
        raise Unsigned("wrong signature")
    if abs(post.now - int(timestamp)) > WINDOW:
        raise Unsigned("too old")
    if not post.body:
        raise Unusable("the body is empty")
    return [Mail(raw=post.body, sender=reverse_path(post.body))]


def sign(key: str, timestamp: str, body: bytes) -> str:
    """The signature of a body that is sent at this time."""
    return hmac.new(key.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
