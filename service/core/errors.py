"""Refusals to a player, by a code with a sentence in the wording; and what keeps a process from
starting.
"""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """The request cannot be done. `code` is stable and worded by templates/wording/errors.txt."""

    def __init__(self, code: str, **context: Any) -> None:
        super().__init__(f"{code} {context}" if context else code)
        self.code = code
        self.context = context


class CannotStart(Exception):
    """The product cannot start, or not go on; the text is the sentence for the operator."""
