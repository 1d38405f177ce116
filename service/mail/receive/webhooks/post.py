"""The request of a provider, without the framework it came through, and what is taken out of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

_Found = TypeVar("_Found")


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A request. `form` are the fields of a form, files among them as their bytes."""

    headers: Mapping[str, str]
    body: bytes
    form: Mapping[str, str | bytes]
    password: str | None
    # Seconds since 1970, by our clock
    now: float


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail with what is known of its envelope. Without recipients the headers name them."""

    raw: bytes
    sender: str | None = None
    recipients: tuple[str, ...] = ()


class Unsigned(Exception):
    """Not from whom it says. The text is for the log."""


class Unusable(Exception):
    """Not what this provider posts: no mail can be taken out. The text is told to the sender."""


def parsed(text: bytes | str, kind: type[_Found]) -> _Found:
    """JSON as a struct of this kind; fields that it does not have are passed over.

    Whatever else the text is, nested however deep or in no UTF-8, raises Unusable.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise Unusable(str(error)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unusable("this is no JSON") from error
