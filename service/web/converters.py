"""Shapes of the names in addresses: what does not fit is not found, and looked for nowhere."""

from __future__ import annotations

from typing import Final

from flask import Flask
from werkzeug.routing import BaseConverter


class _Seat(BaseConverter):
    """A seat, from 0."""

    regex = r"[0-9]"

    def to_python(self, value: str) -> int:
        return int(value)


SHAPES: Final = {
    # A token (`service.core.keys`), or one that was mangled on the way.
    "key": r"[A-Za-z0-9]{1,64}",
    # The name of a match.
    "code": r"[a-z0-9]{4,16}",
    # The id of a decision, as games write them.
    "decision": r"[A-Za-z0-9._:-]{1,32}",
    # The name of a submission.
    "submission": r"[0-9a-f]{32}",
    # What a form was given to be known again by.
    "nonce": r"[0-9a-f]{8,64}",
}
_CONVERTERS: Final = {
    name: type(name, (BaseConverter,), {"regex": regex}) for name, regex in SHAPES.items()
}


def register(app: Flask) -> None:
    """Make the shapes known to the addresses of an application."""
    app.url_map.converters.update(_CONVERTERS, seat=_Seat)
