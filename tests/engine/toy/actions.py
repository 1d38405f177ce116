"""What can be done in Hill and Ford."""

from __future__ import annotations

from typing import Literal

import msgspec

Place = Literal["hill", "ford"]
Watched = Literal["hill", "ford", "none"]
PLACES: tuple[Place, ...] = ("hill", "ford")
WATCHED: tuple[Watched, ...] = ("hill", "ford", "none")


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


Action = Camp | Rest | Pick | Bury | Play | Watch
