"""The mails kept as files, and what the `.toml` beside each says must come of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

HERE = Path(__file__).parent
DOMAIN = "play.example.org"


class Kept(msgspec.Struct, frozen=True):
    """One mail: its file's name without ending, its bytes, what must come of it."""

    name: str
    raw: bytes
    facts: dict[str, Any]


def kept(*folders: str) -> list[Kept]:
    """The mails of these folders below tests/inbox, in order of their names."""
    return [
        Kept(
            f"{folder}/{path.stem}",
            path.read_bytes(),
            tomllib.loads(path.with_suffix(".toml").read_text()),
        )
        for folder in folders
        for path in sorted((HERE / folder).glob("*.eml"))
    ]
