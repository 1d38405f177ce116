"""Mailgun's routes with forward() to an address that ends with "mime": a form with the raw mail.

documentation.mailgun.com: "Receiving Messages via HTTP" (fields, what 406 does, retries for eight
hours) and "Securing Webhooks" (the signature is over timestamp and token).
"""

from __future__ import annotations

import hashlib
import hmac

from service.core.settings import Settings
from service.mail.receive.webhooks.post import Mail, Post, Unsigned, Unusable

# "Determined to be rejected, not retried"
UNKNOWN = 406
# A post may be retried for eight hours under the timestamp it had first.
WINDOW = 9 * 3600


def key(settings: Settings) -> str | None:
    """MAILGUN_SIGNING_KEY: the "HTTP webhook signing key" of the account."""
    return settings.mailgun_signing_key


def read(post: Post, key: str) -> list[Mail]:
    """The mail in `body-mime`."""
    timestamp, token = _field(post, "timestamp"), _field(post, "token")
    signed = f"{timestamp}{token}".encode(errors="replace")
    expected = hmac.new(key.encode(), signed, hashlib.sha256).hexdigest()
    given = _field(post, "signature").encode(errors="replace")
    if not token or not hmac.compare_digest(expected.encode(), given):
        raise Unsigned("wrong signature")
    is_time = timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16
    if not is_time or abs(post.now - int(timestamp)) > WINDOW:
        raise Unsigned("too old")
    raw = post.form.get("body-mime")
    if not raw:
        raise Unusable("there is no body-mime: the address in the route has to end with /mime")
    recipients = (r.strip() for r in _field(post, "recipient").split(","))
    return [
        Mail(
            raw=raw if isinstance(raw, bytes) else raw.encode(errors="surrogateescape"),
            sender=_field(post, "sender"),
            recipients=tuple(r for r in recipients if r),
        )
    ]


def _field(post: Post, name: str) -> str:
    value = post.form.get(name, "")
    return value if isinstance(value, str) else value.decode(errors="replace")
