"""The refusals of a game: every way an action can break a rule, in one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.protocol import IllegalAction


class Refusals:
    """The errors that a game raises, each of a code, its rule and the keys of its context."""

    def __init__(self, codes: Iterable[tuple[str, str, tuple[str, ...]]]) -> None:
        self._of = {code: (rule, frozenset(keys)) for code, rule, keys in codes}

    def __call__(self, code: str, rule: str = "", **context: Any) -> IllegalAction:
        """The error of this code, with its rule or another. Raises KeyError for a code or context
        that is not in the table.
        """
        its_rule, keys = self._of[code]
        if context.keys() != keys:
            raise KeyError(f"{code} takes {sorted(keys)}, not {sorted(context)}")
        return IllegalAction(code, rule or its_rule, **context)
