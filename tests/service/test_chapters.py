"""Stories by chapters: what concerns the reader first, the rest after it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import msgspec

from service.core.statuses import Cause
from service.matches.reading import HistoryEntry
from service.render.stories import by_chapters, by_turns
from service.web.drawings import last_turns


class Entry(msgspec.Struct):
    """An entry as far as chapters go."""

    events: list[dict[str, Any]]


class Step(msgspec.Struct):
    """An entry as far as turns go."""

    n: int
    turn: int
    events: list[int]
    begins: bool = True
    seat: int = 0
    cause: str = ""
    names: None = None
    me: None = None
    said: str = ""
    made_at: int = 0


def event(chapter: str, seat: int | None, *, mine: bool = False) -> dict[str, Any]:
    """An event of a chapter."""
    return {"kind": "told", "seat": seat, "data": {}, "chapter": chapter, "mine": mine}


def test_a_story_without_chapters_is_told_as_ever() -> None:
    assert by_chapters([Entry([event("", 0, mine=True)]), Entry([event("", 1)])]) is None


def test_what_concerns_the_reader_comes_first_where_there_is_much_else() -> None:
    many = [event("hunt", seat) for seat in range(1, 6)]
    story = by_chapters([Entry([*many, event("hunger", 0, mine=True), event("hunger", 3)])])
    assert story is not None
    assert story.parted
    assert [chapter.name for chapter in story.own] == ["hunger"]
    assert [(c.name, [line.seat for line in c.lines]) for c in story.rest] == [
        ("hunt", [None]),
        ("hunger", [3]),
    ]
    assert [event["seat"] for event in story.others] == [1, 2, 3, 4, 5, 3]
    assert story.length == 6


def test_little_is_told_in_its_order() -> None:
    story = by_chapters([Entry([event("hunt", 1), event("hunt", 0, mine=True)])])
    assert story is not None
    assert not story.parted
    assert not story.headed
    assert [event["seat"] for event in story.whole[0].lines[0].events] == [1, 0]


def test_chapters_go_on_over_entries_but_lines_do_not() -> None:
    first, second = Entry([event("hunt", 1), event("hunt", 1)]), Entry([event("hunt", 1)])
    story = by_chapters([first, second])
    assert story is not None
    assert [[len(line.events) for line in chapter.lines] for chapter in story.whole] == [[2, 1]]


def test_the_steps_of_a_turn_are_told_as_one_unless_something_was_said_between() -> None:
    walked, hunted = Step(4, 3, [1]), Step(5, 3, [2], begins=False)
    kept, other = Step(6, 4, [3]), Step(7, 5, [4], seat=1)
    whole, last = by_turns([walked, hunted, kept, other])
    assert (whole.n, whole.turn, whole.begins, whole.events) == (6, 4, True, [1, 2, 3])
    assert last == other
    parted = by_turns([walked, hunted, kept, other], {5: "Well done"})
    assert [each.n for each in parted] == [5, 6, 7]


def test_all_of_somebodys_last_turn_is_marked_also_before_a_secret_choice() -> None:
    at = dt.datetime(2026, 3, 4, tzinfo=dt.UTC)
    told = [
        HistoryEntry(n=n, turn=turn, seat=seat, cause=Cause(), made_at=at, events=[{"kind": n}])
        for n, turn, seat in ((0, 0, None), (1, 1, 1), (2, 2, 0), (3, 3, 1), (4, 3, 1), (5, 4, 1))
    ]
    told.insert(5, msgspec.structs.replace(told[0], n=4, turn=None, seat=0))  # An order.
    marked = [[event["kind"] for event in events] for events in last_turns(told, 5)]
    assert sorted(marked) == [[2], [3, 4, 5]]
    assert [[event["kind"] for event in events] for events in last_turns(told, 1)] == [[1]]
