"""Postmark's inbound webhook: JSON, with the raw mail if "Include raw email content" is ticked.

postmarkapp.com/developer/webhooks/inbound-webhook. It does not sign: the address it posts to holds
a password (https://paleopost:PASSWORD@host/inbound/postmark).
"""

from __future__ import annotations

import hmac

import msgspec

from service.core.settings import Settings
from service.mail.receive.recipients import reverse_path
from service.mail.receive.webhooks.post import Mail, Post, Unsigned, Unusable, parsed

# The one answer after which it does not try again
UNKNOWN = 403


class _Received(msgspec.Struct, frozen=True, rename="pascal"):
    """What we read of a post."""

    original_recipient: str
    # Only if the box is ticked
    raw_email: str = ""


def key(settings: Settings) -> str | None:
    """POSTMARK_SECRET: the password."""
    return settings.postmark_secret


def read(post: Post, key: str) -> list[Mail]:
    """The mail in `RawEmail`."""
    if not hmac.compare_digest((post.password or "").encode(), key.encode()):
        raise Unsigned("wrong password")
    found = parsed(post.body, _Received)
    if not found.raw_email:
        raise Unusable("there is no RawEmail: tick “Include raw email content”")
    raw = found.raw_email.encode()
    return [Mail(raw=raw, sender=reverse_path(raw), recipients=(found.original_recipient,))]
