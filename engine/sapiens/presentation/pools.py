"""Tiles in pools: whose they are, and which are interchangeable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.kit.presentation import Plain
from engine.protocol import Seat
from engine.sapiens.presentation.layout import AT, scenes


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


class Due(NamedTuple):
    """The owners of the fight tokens on a tile that get food of who lays it, and those for whom
    none is left (S§8.4).
    """

    paid: Sequence[Seat]
    unpaid: Sequence[Seat]


def due(tile: str, order: Sequence[Seat], view: Plain) -> Due:
    """The food that the tokens on a tile cost who is to move: it is taken before the tile earns
    any, in this `order` if it matters.
    """
    mover = view["to_move"]
    player = view["players"][mover]
    tokens = copies(tile, player["pool"]).tokens
    owners = order or [seat for seat in tokens if seat != mover]
    return Due(owners[: player["fp"]], owners[player["fp"] :])


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


def bear_shelter(square: str, seat: Seat, view: Plain) -> int:
    """The shelter that a bear on this square of a seat's board brings: one for each tile it touches
    (S§8.8).
    """
    column, row = AT[square]
    beside = {(column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)}
    return sum(
        not beside.isdisjoint({AT[tile["first"]], AT[tile["second"]]})
        for tile in view["players"][seat]["board"]["tiles"]
    )


def alike(item: Plain, pool: Sequence[Plain]) -> tuple[str, ...]:
    """The things touched for the copies of a tile with the same tokens, itself too: they lead to
    the same.
    """
    both = scenes(item["tile"])
    return tuple(
        f"tile:{other['tile']}"
        for other in pool
        if scenes(other["tile"]) == both and other["tokens"] == item["tokens"]
    )
