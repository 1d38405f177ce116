"""Postmark's inbound webhook: JSON, with the raw mail if "Include raw email content" is ticked.

postmarkapp.com/developer/webhooks/inbound-webhook. It does not sign: the address it posts to holds
a password (https://paleopost:PASSWORD@host/inbound/postmark).
"""

from __future__ import annotations

import hmac

from service.inbound.recipients import reverse_path
from service.inbound.webhooks.post import Mail, Post, Unsigned, text_of
from service.settings import Settings

# The one answer after which it does not try again
UNKNOWN = 403


def key(settings: Settings) -> str | None:
    """POSTMARK_SECRET: the password."""
    return settings.postmark_secret


def read(post: Post, key: str) -> list[Mail]:
    """The mail in `RawEmail`."""
    if not hmac.compare_digest((post.password or "").encode(), key.encode()):
        raise Unsigned("wrong password")
    found = post.json()
    raw = text_of(found, "RawEmail").encode(errors="surrogateescape")
    return [
        Mail(
            raw=raw,
            sender=reverse_path(raw),
            recipients=(text_of(found, "OriginalRecipient"),),
        )
    ]
