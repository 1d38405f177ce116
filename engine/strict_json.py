"""JSON that can be read in one way only (RFC 8259, section 4 leaves duplicate keys open): no key
comes twice, all numbers are whole and plainly spelled, all text is Unicode.
"""

from __future__ import annotations

import json
from typing import Any, Final

LEAST: Final = -(2**63)
MOST: Final = 2**64 - 1


class LooseJson(ValueError):
    """`place` is the way into the document ("entries[2].seat"; "" for the whole), `reason` says
    what is wrong there.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class _Loose:
    """Stands for a value that is not written as it should be."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def loads(data: bytes) -> Any:
    """Read a document. Raises LooseJson, and RecursionError for one that is nested too deeply."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise LooseJson("", "begins with a byte order mark")
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=lambda text: _Loose(f"{_cut(text)} is no whole number"),
            parse_constant=lambda text: _Loose(f"{text} is no number of JSON"),
        )
    except UnicodeDecodeError as error:
        raise LooseJson("", f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise LooseJson("", f"not JSON: {error}") from error
    _look(value, "")
    return value


def _object(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return _Loose(f"the key `{_cut(key)}` comes twice")
        seen.add(key)
    raise AssertionError("fewer keys than pairs, and none twice")


def _whole(text: str) -> int | _Loose:
    if len(text) > 20:
        return _Loose(f"{_cut(text)} is too long a number")
    number = int(text)
    if str(number) != text:
        return _Loose(f"{text} is to be written {number}")
    return number if LEAST <= number <= MOST else _Loose(f"{text} is out of range")


def _look(value: Any, place: str) -> None:
    """Raise LooseJson for the first thing that stands for a loosely written one."""
    if isinstance(value, _Loose):
        raise LooseJson(place, value.reason)
    if isinstance(value, str):
        _unicode(value, place)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _unicode(key, place)
            _look(inner, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _look(inner, f"{place}[{index}]")


def _unicode(text: str, place: str) -> None:
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise LooseJson(place, "half a character (a surrogate alone) is no text")


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
