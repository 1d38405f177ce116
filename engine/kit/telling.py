"""Stories as sentences: which events are told together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import NamedTuple

from engine.kit.presentation import Plain
from engine.protocol import Seat


class Sentence(NamedTuple):
    """Events that make one sentence: deeds of one seat, or one event that has its `own`."""

    seat: Seat | None
    own: bool
    events: tuple[Plain, ...]


def sentences(
    events: Iterable[Plain], own: Collection[str], quiet: Collection[str] = ()
) -> list[Sentence]:
    """Deeds of one seat that follow each other together; of kinds in `own` each by itself, of
    `quiet` ones nothing.
    """
    found: list[Sentence] = []
    told = (event for event in events if event["kind"] not in quiet)
    for (seat, alone), run in groupby(told, lambda e: (e["seat"], e["kind"] in own)):
        deeds = tuple(run)
        parts = [(each,) for each in deeds] if alone else [deeds]
        found += (Sentence(seat, alone, part) for part in parts)
    return found
