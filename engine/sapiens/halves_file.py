"""Reading half boards from a TOML text, with the line of whatever is wrong in it."""

from __future__ import annotations

import re
import tomllib

import msgspec

from engine.kit.data import text as text_of
from engine.protocol import DataError
from engine.sapiens.halves import Half, faults


def load_halves(text: str, name: str) -> tuple[Half, ...]:
    """The half boards in a TOML text: one `[[half]]` per face. `name` is that of the file.

    Raises DataError with the file's name and the line of the first thing that is wrong.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        at = int(line[1]) if line else text.count("\n") + 1
        raise DataError(name, at, "not_toml", detail=str(error)) from error
    for key in document:
        if key != "half":
            raise DataError(name, _line_of_key(text, key), "unknown_key", key=key)
    tables = document.get("half", [])
    if not isinstance(tables, list):
        raise DataError(name, _line_of_key(text, "half"), "not_a_list_of_halves")
    halves = []
    for index, table in enumerate(tables):
        try:
            halves.append(msgspec.convert(table, Half))
        except msgspec.ValidationError as error:
            at = _line_of(text, index, *_way(str(error)))
            raise DataError(name, at, "malformed", detail=str(error)) from error
    for fault in faults(halves):
        if fault.half is None:
            raise DataError(name, text.count("\n") + 1, fault.code, **fault.context)
        at = _line_of(text, fault.half, fault.key, fault.item)
        raise DataError(name, at, fault.code, half=halves[fault.half].id, **fault.context)
    return tuple(halves)


def _way(message: str) -> tuple[str, int | None]:
    """The key and item msgspec names: "... - at `$.rows[2]`", "... unknown field `row`"."""
    if found := re.search(r"`\$\.(\w+)(?:\[(\d+)\])?", message):
        return found[1], int(found[2]) if found[2] else None
    found = re.search(r"unknown field `(\w+)`", message)
    return (found[1], None) if found else ("", None)


_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*half[ \t]*\]\]", re.MULTILINE)
_TOKEN = re.compile(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|[{}\[\]]|[^\s,{}\[\]#\"']+")


def _line_of_key(text: str, key: str) -> int:
    found = re.search(rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start() if found else 0) + 1


def _line_of(text: str, half: int, key: str, item: int | None) -> int:
    """The line of a value, as near as its writing allows: of the item, the key or the header."""
    headers = [found.start() for found in _HEADER.finditer(text)]
    if half >= len(headers):
        return 1
    start = headers[half]
    end = headers[half + 1] if half + 1 < len(headers) else len(text)
    at = start
    table = re.compile(rf"^[ \t]*\[\[[ \t]*half\.{key}[ \t]*\]\]", re.MULTILINE)
    tables = [found.start() for found in table.finditer(text, start, end)] if key else []
    keyed = re.compile(rf"^[ \t]*{key}[ \t]*=[ \t]*", re.MULTILINE) if key else None
    if tables:
        at = tables[min(item or 0, len(tables) - 1)]
    elif keyed and (found := keyed.search(text, start, end)):
        at = found.start() if item is None else _item(text, found.end(), end, item)
    return text.count("\n", 0, at) + 1


def _item(text: str, start: int, end: int, item: int) -> int:
    """Where an item of the array beginning at `start` begins."""
    depth = count = 0
    for token in _TOKEN.finditer(text, start, end):
        mark = token[0]
        if mark[0] == "#":
            continue
        if depth == 1 and mark != "]":
            if count == item:
                return token.start()
            count += 1
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
            if depth == 0:
                break
    return start


SHIPPED_HALVES = load_halves(text_of(__package__, "half_boards.toml"), "half_boards.toml")
"""The half boards of `half_boards.toml`."""
