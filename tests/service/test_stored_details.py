"""What versions before kept as JSON of letters, turns and mails is read, and nothing of it is lost.

`fixtures/stored.jsonl` has a row of each shape that they wrote: the table, the letter's kind or the
turn's status, and the JSON.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.core.letter_details import (
    KINDS,
    Forgotten,
    MailDetails,
    NoDetails,
    Notes,
    as_stored,
    details_of,
    notes_of,
)
from service.core.statuses import LetterKind
from service.core.verdicts import AnyVerdict

ROWS: list[tuple[str, str, dict[str, Any]]] = [
    msgspec.json.decode(line)
    for line in (Path(__file__).resolve().parents[1] / "fixtures" / "stored.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def written_again(table: str, kind: str, stored: dict[str, Any]) -> Any:
    """The JSON as this version writes it once it has read it."""
    if table == "letter":
        details = details_of(LetterKind(kind), stored)
        assert not isinstance(details, Forgotten) or not stored
        return as_stored(LetterKind(kind), details, notes_of(stored))
    wanted: Any = AnyVerdict if table == "verdict" else MailDetails
    return msgspec.to_builtins(msgspec.convert(stored, wanted))


def lost(before: Any, after: Any, place: str = "") -> list[str]:
    """What is not as it was, but for what stands at its default."""
    if isinstance(before, dict) and isinstance(after, dict):
        gone = [f"{place}.{key}" for key in before if before[key] and key not in after]
        kept = (key for key in before if key in after)
        return gone + [x for key in kept for x in lost(before[key], after[key], f"{place}.{key}")]
    if isinstance(before, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [x for i, (b, a) in pairs for x in lost(b, a, f"{place}[{i}]")]
    same = before == after or (moment(before) is not None and moment(before) == moment(after))
    return [] if same else [place]


def moment(text: Any) -> dt.datetime | None:
    """A time, however it is written."""
    try:
        return dt.datetime.fromisoformat(text).astimezone(dt.UTC)
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_what_was_stored_before_is_read_whole(number: int) -> None:
    table, kind, stored = ROWS[number]
    assert lost(stored, written_again(table, kind, stored)) == []


def test_there_is_a_row_of_every_kind() -> None:
    kinds = {kind for table, kind, _ in ROWS if table == "letter"}
    assert kinds == set(KINDS) == set(LetterKind)


def test_what_was_thrown_away_is_not_known() -> None:
    assert details_of(LetterKind.ANSWER, {}) == Forgotten()
    assert as_stored(LetterKind.ANSWER, Forgotten(), Notes(failed=True)) == {"failed": True}


def test_a_letter_has_details_of_its_own_kind() -> None:
    with pytest.raises(TypeError, match="'news' has no NoDetails"):
        as_stored(LetterKind.NEWS, NoDetails(), Notes())
