"""Shapes of the names in addresses: what does not fit is not found, and looked for nowhere."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter


class _Key(BaseConverter):
    """What may be a token (`service.core.keys`), or one that was mangled on the way."""

    regex = r"[A-Za-z0-9]{1,64}"


class _Code(BaseConverter):
    """The name of a match."""

    regex = r"[a-z0-9]{4,16}"


class _Decision(BaseConverter):
    """The id of a decision, as games write them."""

    regex = r"[A-Za-z0-9._:-]{1,32}"


class _Submission(BaseConverter):
    """The name of a submission."""

    regex = r"[0-9a-f]{32}"


class _Nonce(BaseConverter):
    """What a form was given to be known again by."""

    regex = r"[0-9a-f]{8,64}"


class _Seat(BaseConverter):
    """A seat, from 0."""

    regex = r"[0-9]"

    def to_python(self, value: str) -> int:
        return int(value)


def register(app: Flask) -> None:
    """Make the shapes known to the addresses of an application."""
    app.url_map.converters.update(
        key=_Key, code=_Code, decision=_Decision, submission=_Submission, nonce=_Nonce, seat=_Seat
    )
