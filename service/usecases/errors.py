"""Refusals: a code with a sentence in the wording, and what the sentence needs."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """The request cannot be done. `code` is stable and worded by templates/wording/errors.txt."""

    def __init__(self, code: str, **context: Any) -> None:
        super().__init__(f"{code} {context}" if context else code)
        self.code = code
        self.context = context
