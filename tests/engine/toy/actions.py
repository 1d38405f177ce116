"""What can be done in Hill and Ford."""

from __future__ import annotations

from typing import Literal

import msgspec

Place = Literal["hill", "ford", "wood", "cave"]
Watched = Literal["hill", "ford", "wood", "cave", "none"]
Tile = Literal["berries", "wolf", "grass"]
When = Literal["always", "alone", "berries", "wolf", "grass", "late", "then"]
PLACES: tuple[Place, ...] = ("hill", "ford", "wood", "cave")
WATCHED: tuple[Watched, ...] = (*PLACES, "none")
TILES: tuple[Tile, ...] = ("berries", "berries", "wolf", "grass")
STONES = range(1, 101)
WISHES = range(1, 401)


class Camp(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="camp"):
    place: Place


class Rest(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="rest"):
    pass


class Pick(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="draw"):
    pass


class Bury(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="bury"):
    card: int


class Play(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="play"):
    card: int


class Watch(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="watch"):
    place: Watched


class BuryLow(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="low"):
    """A wish of a plan: the lowest card of the hand, whatever it will be."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a plan: what to do, and when."""

    when: When
    do: Camp | Rest | Pick | BuryLow


class File(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="file"):
    """A plan for the own turn of this round; without lines it withdraws the one on file."""

    lines: tuple[Line, ...]


class Carry(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="carry"):
    stones: int
    place: Place


class Wish(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="wish"):
    tiles: tuple[Tile, ...]


Action = Camp | Rest | Pick | Bury | Play | Watch | File | Carry | Wish
