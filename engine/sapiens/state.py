"""The position of a match: immutable values, small enough to be read and written at every turn.

Scenes, tiles and places are numbers and sets are ints (see `components`). Everything is public but
`stack` (save its `known` last tiles) and `aside`. No value here can be part of a cycle, so the
garbage collector need not follow them (`gc=False`).
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from engine.protocol import Seat
from engine.sapiens.components import ENTRANCE, FIGHT_TOKENS, is_square

NONE = -1
"""No scene, no place."""

START, LAY, STUCK, BONUS, REFILL, REMOVE, OVER = (
    "start",
    "lay",
    "stuck",
    "bonus",
    "refill",
    "remove",
    "over",
)
"""The phases of a turn: the starting tile (S§3), before laying (S§4), neither tile nor cave
possible (S§11.4), bonuses of the tile just laid (S§6.3), ready to refill (S§10), removal with two
players (S§13), and the end.
"""


class CaveSite(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A cave of a board (S§1.4): its place on the rim and its two shelter values."""

    place: int
    high: int
    low: int

    @property
    def entrance(self) -> int:
        return ENTRANCE[self.place]


class Valley(msgspec.Struct, frozen=True, gc=False, kw_only=True, cache_hash=True):
    """The printed contents of a board (S§1.3-4): constant through a match.

    `rows` are five strings of eight squares such as "f3 p1 ..."; `plains` is the set of plains.
    """

    left: str
    right: str
    rows: tuple[str, ...]
    caves: tuple[CaveSite, ...]
    plains: int

    def food(self, square: int) -> int:
        """The food points printed on a square."""
        return int(self.rows[square >> 3][3 * (square & 7) + 1])


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One player.

    `mountain` are the scenes of the tokens on the six caves, in the order of `valley.caves`, then
    on the left and right waterfall (NONE: no token). `laid` are the tiles on the board as packed
    by `pack`, in the order they were laid. `covered` and `bears` are the squares under tiles and
    bears. `near[s]` are the squares touching a scene `s` of the active tribe, `apart` those
    touching an abandoned tribe. `fights` are the tiles the own fight tokens lie on, ascending, one
    entry per token. `claimed`, `used` and `lost` are sets of scenes: mountain tokens in hand,
    played (S§9.1), discarded by abandoning (S§11.2)."""

    fp: int = 0
    sp: int = 0
    valley: Valley
    mountain: tuple[int, ...]
    laid: tuple[int, ...] = ()
    covered: int = 0
    bears: int = 0
    near: tuple[int, int, int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0, 0, 0)
    apart: int = 0
    tribe: int = 0
    pool: tuple[int, ...] = ()
    fights: tuple[int, ...] = ()
    claimed: int = 0
    used: int = 0
    lost: int = 0
    steaks: int = 0
    out: bool = False

    @property
    def fight_tokens(self) -> int:
        """The fight tokens at home."""
        return FIGHT_TOKENS - len(self.fights)


class Turn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The turn being played. `number` counts all turns of the match from 1.

    In the phase "bonus" `bonuses` is the set of scenes still to be used and `cave` the index in
    `valley.caves` of the cave the tile lies on, scored when the bonuses are done (S§6.4), or NONE.
    """

    number: int
    seat: Seat
    phase: str
    bonuses: int = 0
    cave: int = NONE
    token_played: bool = False
    picking_on_plains: bool = False


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole position. The stack is drawn from its front; its last `known` tiles were seen
    (S§2.6).

    `ending` is the trigger of S§12.1; `termination` is empty until the game is over.
    """

    players: tuple[Player, ...]
    common: tuple[int, ...]
    stack: tuple[int, ...]
    aside: tuple[int, ...]
    known: int = 0
    steaks: int
    bears: int
    first: Seat
    round: int = 1
    turn: Turn
    ending: bool = False
    termination: str = ""

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn.seat]


class Laid(NamedTuple):
    """A tile on a board: the places of its first- and second-named scene, which of the owner's
    tribes it belongs to (from 0) and the turn it was laid in.
    """

    tile: int
    first: int
    second: int
    tribe: int
    turn: int

    @property
    def squares(self) -> int:
        """The squares under it: two, or one with a cave."""
        return sum(1 << place for place in (self.first, self.second) if is_square(place))


def pack(tile: int, first: int, second: int, tribe: int, turn: int) -> int:
    """One number for a laid tile: two decimal digits each for turn, tribe, tile, first, second.

    A board of twelve tiles is then twelve numbers: quick to store, and to look up for a view.
    """
    return (((turn * 100 + tribe) * 100 + tile) * 100 + first) * 100 + second


def unpack(number: int) -> Laid:
    """The inverse of `pack`."""
    number, second = divmod(number, 100)
    number, first = divmod(number, 100)
    number, tile = divmod(number, 100)
    turn, tribe = divmod(number, 100)
    return Laid(tile, first, second, tribe, turn)


def laid_tiles(player: Player) -> tuple[Laid, ...]:
    """The tiles on a player's board, in the order they were laid."""
    return tuple(unpack(number) for number in player.laid)


def fight_owners(state: State, tile: int) -> tuple[Seat, ...]:
    """The owners of the fight tokens on a tile, ascending, one entry per token."""
    owners: tuple[Seat, ...] = ()
    for seat, player in enumerate(state.players):
        if tile in player.fights:
            owners += (seat,) * player.fights.count(tile)
    return owners


def holder(state: State, tile: int) -> Seat | None:
    """The seat whose personal pool a tile lies in; None for the common pool. Raises KeyError if in
    no pool.
    """
    for seat, player in enumerate(state.players):
        if tile in player.pool:
            return seat
    if tile in state.common:
        return None
    raise KeyError(tile)
