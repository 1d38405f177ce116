"""Systematic changes to a record: every kind of place, every kind of change that fits there."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

Path = tuple[Any, ...]
Plain = dict[str, Any]

_TWICE = "\x01"
_RAW = "\x02"


class Mutation(NamedTuple):
    """`where` is the way to what was changed, `how` the kind of change, `data` the document."""

    where: Path
    how: str
    data: bytes

    @property
    def kind(self) -> Path:
        """The way without the places in lists."""
        return tuple("*" if isinstance(step, int) else step for step in self.where)


class _Dropped:
    pass


DROPPED = _Dropped()


def mutations(record: Plain, *, last: bool = False) -> Iterator[Mutation]:
    """Changes at the first place (and the `last`) of each kind that the record has, and of its
    entries as a whole.
    """
    places: dict[Path, list[Path]] = {}
    for path in ways(record):
        places.setdefault(Mutation(path, "", b"").kind, []).append(path)
    for same in places.values():
        for path in dict.fromkeys((same[0], same[-1] if last else same[0])):
            value = at(record, path)
            for how, changed in changes(value):
                yield Mutation(path, how, written(put(record, path, changed)))
            if isinstance(path[-1], str):
                twice = put(record, (*path[:-1], path[-1] + _TWICE), value)
                yield Mutation(path, "key twice", written(twice))
    yield from of_entries(record)


def of_entries(record: Plain) -> Iterator[Mutation]:
    """The record cut, and its entries left out, doubled and in another order."""
    entries = record["entries"]
    for n in range(len(entries)):
        for how, kept, outcome in (
            ("cut", entries[:n], record["outcome"]),
            ("cut, without outcome", entries[:n], None),
            ("left out", entries[:n] + entries[n + 1 :], record["outcome"]),
            ("doubled", [*entries[:n], entries[n], *entries[n:]], record["outcome"]),
        ):
            changed = {**record, "entries": kept, "outcome": outcome}
            yield Mutation(("entries", n), how, written(changed))
        if n:
            swapped = [*entries[: n - 1], entries[n], entries[n - 1], *entries[n + 1 :]]
            yield Mutation(("entries", n), "swapped", written({**record, "entries": swapped}))
        for cause in ("player", "plan", "default", "bot:greedy", "bot:planner"):
            if entries[n]["cause"] != cause:
                changed = put(record, ("entries", n, "cause"), cause)
                yield Mutation(("entries", n, "cause"), cause, written(changed))
    for n, leaving in enumerate(record["leavings"]):
        for why in ("resigned", "dropped", "removed"):
            if leaving["why"] != why:
                changed = put(record, ("leavings", n, "why"), why)
                yield Mutation(("leavings", n, "why"), why, written(changed))
    for seat in range(record["seats"]):
        for after in (0, len(entries) - 1, len(entries)):
            left = {"seat": seat, "why": "resigned", "after": after}
            changed = {**record, "leavings": [*record["leavings"], left]}
            yield Mutation(("leavings",), f"seat {seat} after {after}", written(changed))


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values in the place of this one, with the kind of change."""
    yield "left out", DROPPED
    for name, other in (("null", None), ("false", False), ("zero", 0), ("no text", "")):
        if type(other) is not type(value) or other != value:
            yield name, other
    if isinstance(value, bool):
        yield "other", not value
        yield "number", int(value)
    elif isinstance(value, int):
        yield "one more", value + 1
        yield "one less", value - 1
        yield "far", 10**15
        yield "truth", bool(value)
        yield "text", str(value)
        for raw in (f"{value}.0", f"{value}e0", f"0{value}", f"+{value}", "NaN", "1" + "0" * 40):
            yield f"raw {raw[:6]}", _RAW + raw
        if value == 0:
            yield "raw -0", _RAW + "-0"
    elif isinstance(value, str):
        for name, other in (
            ("space behind", value + " "),
            ("space before", " " + value),
            ("upper case", value.upper()),
            ("title case", value.title()),
            ("longer", value + "x"),
            ("shorter", value[:-1]),
            ("full width", value.replace("1", "\uff11")),
            ("other", "?"),
        ):
            if other != value:
                yield name, other
    elif isinstance(value, list):
        yield "one more null", [*value, None]
        yield "an object", {}
        if value:
            yield "empty", []
            yield "first twice", [value[0], *value]
            yield "last gone", value[:-1]
            if value[::-1] != value:
                yield "reversed", value[::-1]
    elif isinstance(value, dict):
        yield "unknown key", {**value, "extra": 0}
        yield "a list", []
        if value:
            yield "empty", {}


def ways(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to everything in a JSON value."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for step, inner in inside:
        yield (*path, step)
        yield from ways(inner, (*path, step))


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def put(record: Plain, path: Path, value: Any) -> Plain:
    """The record with this value there; what is not changed is shared."""
    made = copy.copy(record)
    inner: Any = made
    for step in path[:-1]:
        inner[step] = copy.copy(inner[step])
        inner = inner[step]
    if value is DROPPED:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


def written(record: Plain) -> bytes:
    """The document, with keys that come twice and numbers as they are to be spelled."""
    text = json.dumps(record).replace("\\u0001", "")
    return re.sub(r'"\\u0002([^"]*)"', r"\1", text).encode()
