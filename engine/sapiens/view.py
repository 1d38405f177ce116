"""What may be known of a position: everything but the stack and the tiles set aside (S§2.4)."""

from __future__ import annotations

import msgspec

from engine.protocol import Seat


class PoolTile(msgspec.Struct, frozen=True, kw_only=True):
    """A tile in a pool; `tokens` are the owners of the fight tokens on it, ascending."""

    tile: str
    tokens: tuple[Seat, ...] = ()


class Cave(msgspec.Struct, frozen=True, kw_only=True):
    """A cave on the rim (S§1.4): `token` is the scene of the mountain token lying there, if any."""

    name: str
    entrance: str
    high: int
    low: int
    token: str | None


class PlacedTile(msgspec.Struct, frozen=True, kw_only=True):
    """A tile on a board. `tribe` counts the player's tribes from 0; `turn` is that of the whole
    game.
    """

    tile: str
    first: str
    second: str
    tribe: int
    turn: int


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One valley (S§1.3). `rows` are five strings of eight squares, e.g. "f3 p1 ..." from A1 to
    H1.
    """

    left: str
    right: str
    rows: tuple[str, ...]
    caves: tuple[Cave, ...]
    waterfalls: dict[str, str | None]
    tiles: tuple[PlacedTile, ...]
    bears: tuple[str, ...]
    tribe: int


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player's public things. `fight_tokens` are those at home; `used` and `lost` mountain
    tokens are those played (S§9.1) and those discarded by abandoning (S§11.2).
    """

    fp: int
    sp: int
    board: Board
    pool: tuple[PoolTile, ...]
    claimed: tuple[str, ...]
    used: tuple[str, ...]
    lost: tuple[str, ...]
    steaks: int
    fight_tokens: int
    out: bool


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The public position. `turn` counts all turns from 1, `round` the rounds; `phase` is the
    sub-decision that is open ("lay", "bonus", "refill", "remove", "over"); `bonuses` are scenes
    still to be used; `token_played` and `picking_on_plains` hold for the current turn; `ending` is
    S§12.1's trigger.
    """

    players: tuple[Player, ...]
    common: tuple[PoolTile, ...]
    stack: int
    aside: int
    steaks: int
    bears: int
    first: Seat
    to_move: Seat | None
    turn: int
    round: int
    phase: str
    bonuses: tuple[str, ...]
    token_played: bool
    picking_on_plains: bool
    ending: bool
