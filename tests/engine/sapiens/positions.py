"""Chosen positions of Sapiens, told in names, and what must hold in any position.

    state = position(
        board(["hunt-fire.1 C1N C1", "fire-camp.1 D1 D2"], pool=["feast-hunt.1"], fp=3),
        board(pool=["ritual-hunt.1"]),
        common=["fight-camp.1"],
    )
    state, told = play(state, Lay(tile="feast-hunt.1", first="C2", second="B2"))
    error = refusal(state, Camp())

What is not said is filled up, so that nothing is missing: boards without other halves are L1a and
R1a,

        A  B  C  D  E  F  G  H      caves
    1   f3 f2 p1 p1 f3 p1 p1 p1     C1N 8|6  A2W 6|4  C5S 7|4
    2   f2 p1 f3 f2 p1 f2 f2 p1     E1N 6|5  H2E 8|4  H5S 7|5
    3   f2 p1 p1 p1 p1 f2 f2 f3
    4   f3 p1 f2 f2 f2 p1 f2 f2
    5   f2 p1 f2 f2 p1 p1 f3 f2

pools are dealt from the tiles that are nowhere else, and the mountain tokens nobody holds lie on
the places of the board that have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance
from engine.protocol import Event, IllegalAction, Seat
from engine.sapiens import flow
from engine.sapiens.actions import Action
from engine.sapiens.components import (
    BEARS,
    COMMON_POOL,
    NEIGHBOURS,
    PERSONAL_POOL,
    PLACE_INDEX,
    PLACES,
    SCENE_INDEX,
    SCENES,
    SET_ASIDE,
    SQUARES,
    STEAKS,
    TILE_INDEX,
    TILE_SCENES,
    TILES,
)
from engine.sapiens.events import EVENT_KINDS
from engine.sapiens.halves import valley
from engine.sapiens.halves_file import SHIPPED_HALVES
from engine.sapiens.legality import Choices
from engine.sapiens.state import LAY, NONE, Laid, Player, State, Turn, laid_tiles, pack

HALVES = {half.id: half for half in SHIPPED_HALVES}
PLACES_OF_TOKENS = ("C1N", "A2W", "C5S", "E1N", "H2E", "H5S", "WL", "WR")
"""Of the default board, in the order of `Player.mountain`."""


class Sketch(msgspec.Struct, frozen=True, kw_only=True):
    """A player as far as the test says; see `board`."""

    tribes: tuple[tuple[str, ...], ...]
    pool: tuple[str, ...] | None
    bears: tuple[str, ...]
    tokens: dict[str, str] | None
    claimed: tuple[str, ...]
    used: tuple[str, ...]
    lost: tuple[str, ...]
    fights: tuple[str, ...]
    fp: int
    sp: int
    steaks: int
    out: bool
    halves: tuple[str, str]


def board(
    tiles: Sequence[str] = (),
    *,
    abandoned: Sequence[Sequence[str]] = (),
    pool: Sequence[str] | None = None,
    bears: Sequence[str] = (),
    tokens: dict[str, str] | None = None,
    claimed: Sequence[str] = (),
    used: Sequence[str] = (),
    fights: Sequence[str] = (),
    fp: int = 0,
    sp: int = 0,
    steaks: int = 0,
    out: bool = False,
    halves: tuple[str, str] = ("L1a", "R1a"),
) -> Sketch:
    """One player. Tiles are "hunt-fire.1 C1N C1" in the order they were laid, those of the active
    tribe in `tiles`. `tokens` are the mountain tokens on the board by place; with them given, the
    others not held are lost. `fights` are the tiles the own fight tokens lie on.
    """
    return Sketch(
        tribes=(*(tuple(tribe) for tribe in abandoned), tuple(tiles)),
        pool=None if pool is None else tuple(pool),
        bears=tuple(bears),
        tokens=tokens,
        claimed=tuple(claimed),
        used=tuple(used),
        lost=(),
        fights=tuple(fights),
        fp=fp,
        sp=sp,
        steaks=steaks,
        out=out,
        halves=halves,
    )


def position(
    *sketches: Sketch,
    common: Sequence[str] | None = None,
    stack: int | None = None,
    phase: str = LAY,
    mover: Seat = 0,
    first: Seat = 0,
    round: int = 3,
    number: int = 20,
    ending: bool = False,
    **turn: Any,
) -> State:
    """A position with these players. `stack` is its height (default: all but as many tiles as are
    set aside), `turn` further fields of the turn. The supplies hold what nobody has.
    """
    named = [tile for s in sketches for tile in (*_laid_names(s), *(s.pool or ()))]
    named += common or ()
    assert len(named) == len(set(named)), "the same tile in two places"
    spare = [tile for tile in TILES if tile not in named]
    spare.sort(key=lambda tile: tile.endswith(".1"))  # leave first copies to what tests name
    pools = [s.pool if s.pool is not None else _deal(spare, PERSONAL_POOL) for s in sketches]
    numbers = count(1)
    players = tuple(
        _player(sketch, pool, numbers) for sketch, pool in zip(sketches, pools, strict=True)
    )
    shared = tuple(common) if common is not None else _deal(spare, COMMON_POOL)
    height = max(0, len(spare) - SET_ASIDE[len(sketches)]) if stack is None else stack
    held = sum(player.steaks for player in players)
    placed = sum(player.bears.bit_count() for player in players)
    return State(
        players=players,
        common=_tiles(shared),
        stack=_tiles(spare[:height]),
        aside=_tiles(spare[height:]),
        steaks=STEAKS - held,
        bears=BEARS - placed,
        first=first,
        round=round,
        ending=ending,
        turn=Turn(number=number, seat=mover, phase=phase, **turn),
    )


def _deal(spare: list[str], number: int) -> tuple[str, ...]:
    dealt = tuple(spare[:number])
    del spare[:number]
    return dealt


def _tiles(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(TILE_INDEX[name] for name in names)


def _laid_names(sketch: Sketch) -> list[str]:
    return [line.split()[0] for tribe in sketch.tribes for line in tribe]


def _player(sketch: Sketch, pool: Sequence[str], numbers: Iterator[int]) -> Player:
    laid = [
        Laid(TILE_INDEX[tile], PLACE_INDEX[first], PLACE_INDEX[second], tribe, next(numbers))
        for tribe, lines in enumerate(sketch.tribes)
        for tile, first, second in map(str.split, lines)
    ]
    left, right = sketch.halves
    ground = valley(HALVES[left], HALVES[right])
    places = [*(PLACES[site.place] for site in ground.caves), "WL", "WR"]
    held = {*sketch.claimed, *sketch.used}
    tokens = sketch.tokens
    if tokens is None:
        covered = {PLACES[place] for tile in laid for place in (tile.first, tile.second)}
        bare = [place for place in places if place not in covered]
        free = [scene for scene in SCENES if scene not in held]
        tokens = dict(zip(bare, free, strict=False))
    lost = [scene for scene in SCENES if scene not in {*held, *tokens.values()}]
    near, apart, on_tiles = squares(laid, len(sketch.tribes) - 1)
    return Player(
        fp=sketch.fp,
        sp=sketch.sp,
        valley=ground,
        mountain=tuple(SCENE_INDEX[tokens[place]] if place in tokens else NONE for place in places),
        laid=tuple(pack(*tile) for tile in laid),
        covered=on_tiles,
        bears=sum(1 << PLACE_INDEX[square] for square in sketch.bears),
        near=near,
        apart=apart,
        tribe=len(sketch.tribes) - 1,
        pool=_tiles(pool),
        fights=tuple(sorted(_tiles(sketch.fights))),
        claimed=_scenes(sketch.claimed),
        used=_scenes(sketch.used),
        lost=_scenes(lost),
        steaks=sketch.steaks,
        out=sketch.out,
    )


def _scenes(names: Sequence[str]) -> int:
    return sum(1 << SCENE_INDEX[name] for name in names)


def squares(laid: Sequence[Laid], tribe: int) -> tuple[Any, int, int]:
    """What a player's sets of squares have to be by the tiles: near, apart, covered."""
    near, apart, covered = [0] * 8, 0, 0
    for tile in laid:
        for scene, place in zip(TILE_SCENES[tile.tile], (tile.first, tile.second), strict=True):
            if place < SQUARES:
                covered |= 1 << place
                if tile.tribe == tribe:
                    near[scene] |= NEIGHBOURS[place]
                else:
                    apart |= NEIGHBOURS[place]
    return tuple(near), apart, covered


def play(state: State, *actions: Action) -> tuple[State, list[Event]]:
    """The position after these actions of whoever is to move, and what was told.

    Each has to be among the choices, and the position after it whole.
    """
    told: list[Event] = []
    for action in actions:
        assert action in Choices(state)
        assert action in list(Choices(state))
        step = flow.apply(state, state.turn.seat, action, NoChance())
        state = step.state
        told += step.events
        check_whole(state)
        check_told(step.events)
    return state, told


def refusal(state: State, action: Action, code: str, rule: str) -> dict[str, Any]:
    """The context of the error an action is refused with, which has to have this code and rule."""
    assert action not in Choices(state)
    assert action not in list(Choices(state))
    before = msgspec.json.encode(state)
    with pytest.raises(IllegalAction) as raised:
        flow.apply(state, state.turn.seat, action, NoChance())
    assert (raised.value.code, raised.value.rule) == (code, rule)
    assert msgspec.json.encode(state) == before
    return raised.value.context


def data(told: Sequence[Event], kind: str) -> dict[str, Any]:
    """The data of the one event of this kind."""
    (found,) = [event for event in told if event.kind == kind]
    return found.data


def kinds(told: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in told]


def check_told(told: Sequence[Event]) -> None:
    """Events are of the kinds and with the data listed in `events`, and go through JSON."""
    for event in told:
        assert set(event.data) == set(EVENT_KINDS[event.kind]), event
        assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


def check_whole(state: State) -> None:
    """Components are conserved (S§1), and sets of squares say what the tiles say."""
    tiles = Counter((*state.common, *state.stack, *state.aside))
    pools = set(state.common)
    for player in state.players:
        laid = laid_tiles(player)
        tiles.update(player.pool)
        tiles.update(tile.tile for tile in laid)
        pools.update(player.pool)
        assert squares(laid, player.tribe) == (player.near, player.apart, player.covered)
        assert not player.covered & player.bears
        assert player.covered.bit_count() == sum(tile.squares.bit_count() for tile in laid)
        tokens = [1 << scene for scene in player.mountain if scene != NONE]
        assert sum(tokens) + player.claimed + player.used + player.lost == 255
        assert sum(tokens) | player.claimed | player.used | player.lost == 255
        assert player.fp >= 0
        assert player.steaks >= 0
    assert set(tiles.values()) == {1}
    removed = 63 - len(tiles)
    assert removed == 0 or len(state.players) == 2
    for player in state.players:
        assert len(player.fights) <= 3
        assert pools.issuperset(player.fights)
    assert state.steaks + sum(player.steaks for player in state.players) == STEAKS
    assert state.bears + sum(player.bears.bit_count() for player in state.players) == BEARS
