"""The view of a position: everything but the stack and the tiles set aside (S§2.4)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.protocol import Seat
from engine.sapiens.components import ENTRANCE, PLACES, SCENE_OR_NONE, SCENE_SETS, TILES, names
from engine.sapiens.state import OVER, State, Valley, unpack
from engine.sapiens.state import Player as PlayerState


class PoolTile(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A tile in a pool; `tokens` are the owners of the fight tokens on it, ascending."""

    tile: str
    tokens: tuple[Seat, ...] = ()


class Cave(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A cave on the rim (S§1.4): `token` is the scene of the mountain token lying there, if any."""

    name: str
    entrance: str
    high: int
    low: int
    token: str | None


class PlacedTile(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A tile on a board. `tribe` counts the player's tribes from 0; `turn` is that of the whole
    game.
    """

    tile: str
    first: str
    second: str
    tribe: int
    turn: int


class Board(msgspec.Struct, frozen=True, gc=False, kw_only=True):
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


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
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


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The public position.

    `turn` counts all turns from 1, `round` the rounds. `phase` is the sub-decision that is open:
    "start", "lay", "stuck", "bonus", "refill" or "remove", and "over" at the end. `bonuses` are
    scenes still to be used; `token_played` and `picking_on_plains` hold for the current turn;
    `ending` is S§12.1's trigger."""

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


def view(state: State) -> View:
    """The public position, which is all that any seat or spectator may know."""
    turn = state.turn
    marked = _marked(state)
    return View(
        players=tuple([_player(player, marked) for player in state.players]),
        common=_pool(state.common, marked),
        stack=len(state.stack),
        aside=len(state.aside),
        steaks=state.steaks,
        bears=state.bears,
        first=state.first,
        to_move=None if turn.phase == OVER else turn.seat,
        turn=turn.number,
        round=state.round,
        phase=turn.phase,
        bonuses=SCENE_SETS[turn.bonuses],
        token_played=turn.token_played,
        picking_on_plains=turn.picking_on_plains,
        ending=state.ending,
    )


def _player(player: PlayerState, marked: dict[int, PoolTile]) -> Player:
    valley = player.valley
    *_, left, right = player.mountain
    board = Board(
        left=valley.left,
        right=valley.right,
        rows=valley.rows,
        caves=_caves(valley, player.mountain),
        waterfalls={"WL": SCENE_OR_NONE[left], "WR": SCENE_OR_NONE[right]},
        tiles=tuple([_PLACED[laid] for laid in player.laid]),
        bears=names(player.bears) if player.bears else (),
        tribe=player.tribe,
    )
    return Player(
        fp=player.fp,
        sp=player.sp,
        board=board,
        pool=_pool(player.pool, marked),
        claimed=SCENE_SETS[player.claimed],
        used=SCENE_SETS[player.used],
        lost=SCENE_SETS[player.lost],
        steaks=player.steaks,
        fight_tokens=player.fight_tokens,
        out=player.out,
    )


@lru_cache(maxsize=4096)
def _caves(valley: Valley, mountain: tuple[int, ...]) -> tuple[Cave, ...]:
    """The caves of a board with their tokens, which seldom change."""
    return tuple(
        Cave(
            name=PLACES[site.place],
            entrance=PLACES[ENTRANCE[site.place]],
            high=site.high,
            low=site.low,
            token=SCENE_OR_NONE[token],
        )
        for site, token in zip(valley.caves, mountain, strict=False)
    )


class _PlacedTiles(dict[int, PlacedTile]):
    """The tiles on boards as they are shown, by their packed number: each is made once."""

    LIMIT = 50_000

    def __missing__(self, number: int) -> PlacedTile:
        if len(self) >= self.LIMIT:
            self.clear()
        tile, first, second, tribe, turn = unpack(number)
        placed = self[number] = PlacedTile(
            tile=TILES[tile],
            first=PLACES[first],
            second=PLACES[second],
            tribe=tribe,
            turn=turn,
        )
        return placed


_PLACED = _PlacedTiles()
_UNMARKED: tuple[PoolTile, ...] = tuple(PoolTile(tile=tile) for tile in TILES)


def _marked(state: State) -> dict[int, PoolTile]:
    """The tiles with fight tokens on them."""
    owners: dict[int, list[Seat]] = {}
    for seat, player in enumerate(state.players):
        for tile in player.fights:
            owners.setdefault(tile, []).append(seat)
    return {tile: PoolTile(tile=TILES[tile], tokens=tuple(seats)) for tile, seats in owners.items()}


def _pool(tiles: tuple[int, ...], marked: dict[int, PoolTile]) -> tuple[PoolTile, ...]:
    if marked:
        return tuple([marked.get(tile) or _UNMARKED[tile] for tile in tiles])
    return tuple([_UNMARKED[tile] for tile in tiles])
