"""The address a letter was asked for with, so that the page after the form can name it."""

from __future__ import annotations

from flask import session

_KEY = "mailed"
LONGEST = 254


def note(address: str) -> None:
    """Keep the address that was typed, in this browser's signed session alone."""
    session[_KEY] = address[:LONGEST]


def to() -> str | None:
    """The address typed last in this browser; None if none was, or somebody has signed in since."""
    found = session.get(_KEY)
    return found if isinstance(found, str) else None
