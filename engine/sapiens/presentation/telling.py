"""Gains and places that events bring and fill, and tiles of a board sorted as they are told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from engine.presentation import Plain
from engine.protocol import Seat

_USED_BY: Final = {
    "picked": "picking",
    "token_recalled": "ritual",
    "fight_placed": "fight",
    "swapped": "water",
    "camped": "camp",
    "hunted": "hunt",
    "bear_put": "fire",
    "bear_removed": "fire",
}
"""The scene whose bonus an event is the use of (S§8)."""


class Gain(NamedTuple):
    """Gains of who acts by events: points, the scenes of tokens claimed, and of bonuses that are
    still to be used.
    """

    fp: int
    sp: int
    claimed: list[str]
    open: list[str]


def gain(events: Iterable[Plain]) -> Gain:
    """Sum up what events bring who acts."""
    fp = sp = 0
    claimed: list[str] = []
    still_open: list[str] = []
    for event in events:
        kind, data = event["kind"], event["data"]
        used: list[str] = []
        if kind in ("laid", "picked", "hunted"):
            fp += data["fp"]
        elif kind == "fight_paid":
            fp -= 1
        if kind in ("cave_scored", "camped", "bear_put"):
            sp += data["sp"]
        if kind == "token_claimed":
            claimed.append(data["scene"])
        if kind == "laid" and data["how"] != "feast":
            still_open = [each["scene"] for each in data["connected"]]
        elif kind == "laid":
            used = ["feast"]
        elif kind == "token_claimed":
            used = ["ritual"] if data["by"] == "ritual" else []
        elif kind == "declined":
            used = data["scenes"]
        elif kind in _USED_BY:
            used = [_USED_BY[kind]]
        still_open = [scene for scene in still_open if scene not in used]
    return Gain(fp, sp, claimed, still_open)


def brought(events: Iterable[Plain]) -> int:
    """Food that the places of these events bring, or else shelter."""
    fp = sp = 0
    for event in events:
        kind, data = event["kind"], event["data"]
        if kind == "laid":
            fp += data["fp"]
        elif kind == "fight_paid":
            fp -= 1
        elif kind in ("cave_scored", "bear_put"):
            sp += data["sp"]
    return fp or sp


def filled(events: Iterable[Plain]) -> Iterator[tuple[Seat, str]]:
    """The places that events have filled: tiles on one's own board, bears on others'."""
    for event in events:
        data = event["data"]
        if event["kind"] == "laid":
            yield event["seat"], data["first"]
            yield event["seat"], data["second"]
        elif event["kind"] == "bear_put":
            yield data["board"], data["square"]


class SortedTiles(NamedTuple):
    """The tiles of a board: filled last, of the tribe that lives there, of those before it; and
    whether all of the tribe's are in its list.
    """

    new: list[Plain]
    tribe: list[Plain]
    abandoned: list[Plain]
    whole: bool


def sorted_tiles(board: Plain, last: Collection[str], *, once: bool = False) -> SortedTiles:
    """The tiles of a board. `once` lists a new one as such only."""
    tiles = board["tiles"]
    new = [tile for tile in tiles if tile["first"] in last or tile["second"] in last]
    tribe = [tile for tile in tiles if tile["tribe"] == board["tribe"]]
    abandoned = [tile for tile in tiles if tile["tribe"] != board["tribe"]]
    whole = not once or not any(tile in new for tile in tribe)
    if once:
        tribe = [tile for tile in tribe if tile not in new]
        abandoned = [tile for tile in abandoned if tile not in new]
    return SortedTiles(new, tribe, abandoned, whole)
