"""Tiles in pools: whose they are, and which are interchangeable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from engine.presentation import Plain
from engine.protocol import Seat
from engine.sapiens.presentation.layout import scenes


class Copies(NamedTuple):
    """The owners of the fight tokens on a tile; and whether copies with other tokens lie beside it,
    so that it is called by its number. Those with the same tokens are interchangeable.
    """

    tokens: Sequence[Seat]
    differ: bool


def copies(tile: str, pool: Sequence[Plain]) -> Copies:
    """The tokens and the number that tell a tile apart in this pool."""
    alike = [item for item in pool if scenes(item["tile"]) == scenes(tile)]
    tokens: Sequence[Seat] = next((item["tokens"] for item in alike if item["tile"] == tile), ())
    return Copies(tokens, any(list(item["tokens"]) != list(tokens) for item in alike))


def owner_of_tile(tile: str, view: Plain) -> Seat | None:
    """The seat in whose pool a tile is; None for the common pool."""
    for seat, player in enumerate(view["players"]):
        if any(item["tile"] == tile for item in player["pool"]):
            return seat
    return None


def mountain_token(place: str, view: Plain) -> str | None:
    """The scene of the mountain token on a place of who is to move; None where none lies."""
    board = view["players"][view["to_move"]]["board"]
    if place in board["waterfalls"]:
        token: str | None = board["waterfalls"][place]
        return token
    return next((cave["token"] for cave in board["caves"] if cave["name"] == place), None)


class Spot(Protocol):
    """Something on a picture that may be touched: already chosen, or not to be used."""

    @property
    def chosen(self) -> bool: ...

    @property
    def barred(self) -> bool: ...


def stand_ins(pool: Sequence[Plain], spots: Mapping[str, Spot]) -> list[str]:
    """The thing touched for each tile of a pool. Copies with the same tokens are alike: one that
    has not been chosen leads where the first of them leads that can be touched.
    """
    return [_stand_in(item, pool, spots) for item in pool]


def _stand_in(item: Plain, pool: Sequence[Plain], spots: Mapping[str, Spot]) -> str:
    own = f"tile:{item['tile']}"
    if own in spots and spots[own].chosen:
        return own
    for other in pool:
        there = spots.get(f"tile:{other['tile']}")
        alike = scenes(other["tile"]) == scenes(item["tile"]) and other["tokens"] == item["tokens"]
        if alike and there is not None and not there.chosen and not there.barred:
            return f"tile:{other['tile']}"
    return own
