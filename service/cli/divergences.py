"""Divergences of a record, in words: which entry of whom, and which of its claims does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from engine.journal import ReplayError
from engine.record import Record

_CLAIMS = (
    (r"seed_hash", "the fingerprint of the seed (seed_hash) is not that of the seed"),
    (r"fairness\.commitment", "the fingerprint of the secret number is not that of the number"),
    (r"seed", "the seed is not what the secret number and the players' parts make"),
    (r"options.*", "the options are not written as the game writes them"),
    (r"rules_version", "the record is of other rules"),
    (r"n", "the entries are not numbered one after the other"),
    (r"turn", "it names another turn than the rules do"),
    (r"decision", "its seat was not asked for this decision"),
    (r"cause", "its player had left, so nobody but a bot or the clock could decide"),
    (r"default turn: actions.*", "it is said to be the default turn and is another"),
    (r"by plan: actions.*", "it is said to follow the plan on file and does not"),
    (r"actions.*", "the rules do not allow what it says was done"),
    (r"text.*", "the turn in words is not the turn that was played"),
    (r"draws.*", "what it says was drawn by chance is not what the seed gives"),
    (r"events.*", "what it says has happened is not what follows from the turn"),
    (r"state.*", "the position it shows is not the one that the turn leads to"),
    (r"digest", "its fingerprint (digest) is not that of the position"),
    (r"leavings.*", "somebody is said to have left where nobody could"),
    (r"outcome.*", "the result is not the one that the game came to"),
)


def told(error: ReplayError, record: Record | None = None) -> str:
    """The place where a replay stops and what is wrong there, on several lines."""
    lines = [f"{_where(error.n, record)}: {_claim(error.place)}."]
    lines.append(f"  where in it:      {error.place}")
    lines.append(f"  the record says:  {_value(error.found)}")
    # What the rules say of an action that they do not allow is a code, not what would be right.
    label = "the rules say:" if isinstance(error.expected, str) else "it should be:"
    lines.append(f"  {label.ljust(16)}  {_value(error.expected)}")
    return "\n".join(lines)


def _where(n: int, record: Record | None) -> str:
    if not n:
        return "at the set-up"
    entry = next((e for e in record.entries if e.n == n), None) if record is not None else None
    if entry is None or entry.seat is None:
        return f"at entry {n}"
    names: Iterable[str] = record.names if record is not None else ()
    name = dict(enumerate(names)).get(entry.seat)
    who = f"seat {entry.seat}" + (f", {name}" if name else "")
    return f"at entry {n} ({who}; decision {entry.decision})"


def _claim(place: str) -> str:
    for pattern, claim in _CLAIMS:
        if re.fullmatch(pattern, place):
            return claim
    return "what stands there does not follow from the rules and the seed"


def _value(value: Any) -> str:
    """The value as JSON, as in the record; in words if there is none."""
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else f"{text[:157]}..."
