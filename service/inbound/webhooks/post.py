"""What a provider posts, without the framework it came through, and what is taken out of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A request. `form` are the fields of a form, files among them as their bytes."""

    headers: Mapping[str, str]
    body: bytes
    form: Mapping[str, str | bytes]
    password: str | None
    # Seconds since 1970, by our clock
    now: float

    def json(self) -> dict[str, Any]:
        """The body as an object. Raises Unusable."""
        return parsed(self.body)


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail with what is known of its envelope. Without recipients the headers name them."""

    raw: bytes
    sender: str | None = None
    recipients: tuple[str, ...] = ()


class Unsigned(Exception):
    """Not from whom it says. The text is for the log."""


class Unusable(Exception):
    """From the right sender, but without a mail in it. The text is told to the sender."""


def parsed(text: bytes | str) -> dict[str, Any]:
    """JSON that is an object. Raises Unusable."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Unusable("the body is no JSON") from error
    if not isinstance(found, dict):
        raise Unusable("the body is no JSON object")
    return found


def text_of(found: Mapping[str, Any], name: str) -> str:
    """A field that has to be text. Raises Unusable."""
    value = found.get(name)
    if not isinstance(value, str) or not value:
        raise Unusable(f"there is no {name}")
    return value
