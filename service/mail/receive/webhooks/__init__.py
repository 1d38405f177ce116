"""Mail that providers post to us: one module for each, which knows its form and its signature.

A module has `key(settings)`, what its sender proves itself with (None: that way is closed), and
`read(post, key)`, which checks the proof and takes the mails out; `UNKNOWN` is the status that lets
this sender stop when none of the addresses is ours.
"""

from __future__ import annotations

from typing import Protocol

from service.core.settings import Settings
from service.mail.receive.webhooks import generic, mailgun, postmark, ses
from service.mail.receive.webhooks.post import Mail, Post


class Adapter(Protocol):
    """The interface of each module."""

    UNKNOWN: int

    def key(self, settings: Settings) -> str | None:
        """The secret, or whatever else tells the right sender; None if it is not set."""
        ...

    def read(self, post: Post, key: str) -> list[Mail]:
        """The mails in a post. Raises Unsigned or Unusable."""
        ...


ADAPTERS: dict[str, Adapter] = {
    "raw": generic,
    "mailgun": mailgun,
    "postmark": postmark,
    "ses": ses,
}


def open_to(settings: Settings) -> list[str]:
    """Those of ADAPTERS whose setting is there."""
    return [name for name, adapter in ADAPTERS.items() if adapter.key(settings) is not None]
