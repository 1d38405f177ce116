"""Stories by chapters: what happened in a long turn, what concerns the reader first.

A game may tell its events in chapters (`engine.protocol.Event.chapter`); of one that does not,
nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

import msgspec

SHORT = 3
"""So many events besides the reader's own are told among them; more come after them."""


class Told(Protocol):
    """An entry as a reader is told it (`service.matches.reading.HistoryEntry`)."""

    @property
    def events(self) -> Sequence[Mapping[str, Any]]: ...


class Line(msgspec.Struct, frozen=True):
    """The events of one entry in a chapter; `seat` is that of all of them, or None."""

    entry: Any
    seat: int | None
    events: list[Mapping[str, Any]]


class Chapter(msgspec.Struct, frozen=True):
    """A part of a story; the game has words for its `name`."""

    name: str
    lines: list[Line]


class Story(msgspec.Struct, frozen=True):
    """A story in its order (`whole`); and in two parts, what concerns the reader (`own`) and the
    `rest`.
    """

    whole: list[Chapter]
    own: list[Chapter]
    rest: list[Chapter]

    @property
    def parted(self) -> bool:
        """True if it is long enough for what concerns the reader to be told first."""
        return bool(self.own) and self.length > SHORT

    @property
    def headed(self) -> bool:
        """True if it has several chapters."""
        return len({chapter.name for chapter in self.whole}) > 1

    @property
    def length(self) -> int:
        """The number of events that do not concern the reader."""
        return len(self.others)

    @property
    def others(self) -> list[Mapping[str, Any]]:
        """The events that do not concern the reader, in their order."""
        return [event for chapter in self.rest for line in chapter.lines for event in line.events]


def concerning(told: Iterable[Told]) -> list[Mapping[str, Any]]:
    """The events of a story that are its reader's own or concern them; all, if there are none."""
    events = [event for entry in told for event in entry.events]
    return [event for event in events if event.get("mine")] or events


def telling(told: Iterable[Any], words: Any, names: Sequence[str], me: int | None) -> list[Any]:
    """The entries that have something to say in these words of a game: a line or a story."""
    return [
        entry
        for entry in told
        if entry.said
        or words.story(entry.events, entry.names or names, entry.me if entry.names else me).strip()
    ]


def by_turns(told: Iterable[Any], parted: Container[int] = ()) -> list[Any]:
    """Entries, oldest first, with what a seat did without another between as one: what comes to
    light parts a turn, not its story. A line that was said with one ends it, and so do the entries
    that are `parted` from the next. It has the number of its last.
    """
    found: list[Any] = []
    for entry in told:
        last = found[-1] if found and entry.turn is not None else None
        if last and (last.said or last.n in parted):
            last = None
        same = ("seat", "cause", "names", "me")
        if last and all(getattr(last, name) == getattr(entry, name) for name in same):
            found[-1] = msgspec.structs.replace(
                entry,
                begins=last.begins or entry.begins,
                made_at=last.made_at,
                events=[*last.events, *entry.events],
            )
        else:
            found.append(entry)
    return found


def by_chapters(told: Iterable[Told], without: Collection[str] = ()) -> Story | None:
    """The story of these entries by chapters, without events of some kinds; None if the game tells
    none of these events in a chapter.
    """
    events = [
        (entry, event) for entry in told for event in entry.events if event["kind"] not in without
    ]
    if not any(event.get("chapter") for _, event in events):
        return None
    own = [(entry, event) for entry, event in events if event.get("mine")]
    rest = [(entry, event) for entry, event in events if not event.get("mine")]
    return Story(_chapters(events), _chapters(own), _chapters(rest))


def _chapters(events: Iterable[tuple[Told, Mapping[str, Any]]]) -> list[Chapter]:
    return [
        Chapter(name, list(_lines(some)))
        for name, some in groupby(events, lambda each: str(each[1].get("chapter", "")))
    ]


def _lines(events: Iterable[tuple[Told, Mapping[str, Any]]]) -> Iterable[Line]:
    for _, some in groupby(events, lambda each: id(each[0])):
        found = list(some)
        seats = {event["seat"] for _, event in found}
        seat = seats.pop() if len(seats) == 1 else None
        yield Line(found[0][0], seat, [event for _, event in found])
