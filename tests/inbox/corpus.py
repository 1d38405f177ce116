"""The mails of the corpus and what must come out of each."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

REPLIES = Path(__file__).resolve().parent / "replies"
TOKEN = "tokentokentokentokentokent"
"""Stands where the token of a reply address does; a test may put a real one there."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a mail says and, at the known match, what must be answered to it."""

    sender: str
    own_text: str
    forwarded: bool
    lang: str
    outcome: str


@cache
def names() -> tuple[str, ...]:
    """The replies by name, in order."""
    return tuple(sorted(path.stem for path in REPLIES.glob("*.eml")))


@cache
def raw(name: str) -> bytes:
    """The mail as it came."""
    return (REPLIES / f"{name}.eml").read_bytes()


@cache
def expected(name: str) -> Expected:
    """What must come out of it."""
    text = (REPLIES / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Expected)
