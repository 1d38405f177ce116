"""Words that a game's notation keeps (`engine.protocol.Notation.keeps`): lines beginning with one
are the notation's, before they can be anything else.
"""

from __future__ import annotations

import re

from service.core.plain import tokens

_MARKER = re.compile(r"^\s*(?:(?:[-*•–—>]|\d{1,2}[.)])\s+)+")


def without_marker(line: str) -> str:
    """The line without what marks it as one of a list."""
    return _MARKER.sub("", line)


def is_kept(line: str, keeps: frozenset[str]) -> bool:
    """True if a line, or a part of one, begins with a word that the notation keeps."""
    return bool(keeps) and not keeps.isdisjoint(tokens(without_marker(line))[:1])
