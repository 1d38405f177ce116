"""What each seat knows of a position of Hill and Ford."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Seat
from tests.engine.toy.actions import WATCHED, Line, Place, Tile
from tests.engine.toy.state import State


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What only the seat itself knows."""

    hand: tuple[int, ...]
    heap: tuple[int, ...]
    watch: str
    plan: tuple[Line, ...]
    play: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """`hands` counts a sealed card that was laid; `tiles` has None for what lies face down; `own`
    is None for everybody's view.
    """

    deck: int
    hands: tuple[int, ...]
    heaps: tuple[int, ...]
    discard: tuple[int, ...]
    points: tuple[int, ...]
    tiles: tuple[Tile | None, ...]
    camps: tuple[Place, ...]
    out: tuple[Seat, ...]
    first: Seat
    round: int
    turns: int
    phase: str
    own: Own | None


def view(state: State, seat: Seat | None) -> View:
    own = None
    if seat is not None:
        own = Own(
            hand=state.hands[seat],
            heap=state.heaps[seat],
            watch=state.watches[seat],
            plan=state.plans[seat],
            play=state.plays[seat],
        )
    laid = zip(state.hands, state.plays, strict=True)
    return View(
        deck=len(state.deck),
        hands=tuple(len(hand) + bool(card) for hand, card in laid),
        heaps=tuple(len(heap) for heap in state.heaps),
        discard=state.discard,
        points=state.points,
        tiles=tuple(
            tile if turned else None for tile, turned in zip(state.tiles, state.turned, strict=True)
        ),
        camps=state.camps,
        out=state.out,
        first=state.first,
        round=state.round,
        turns=state.turns,
        phase=state.phase,
        own=own,
    )


def guess(state: State, seat: Seat, chance: Chance) -> State:
    others = [s for s in range(state.seats) if s != seat]
    hidden = [*state.deck]
    for other in others:
        played = (state.plays[other],) if state.plays[other] else ()
        hidden += [*state.hands[other], *state.heaps[other], *played]
    unseen = iter(chance.shuffled("unseen", sorted(hidden)) if hidden else ())
    hands, heaps, plays = list(state.hands), list(state.heaps), list(state.plays)
    watches, plans = list(state.watches), list(state.plans)
    for other in others:
        hands[other] = tuple(next(unseen) for _ in hands[other])
        heaps[other] = tuple(next(unseen) for _ in heaps[other])
        plays[other] = next(unseen) if plays[other] else 0
        plans[other] = ()
        if other in state.in_play:
            watches[other] = WATCHED[chance.below("unseen watch", len(WATCHED))]
    return replace(
        state,
        deck=tuple(unseen),
        hands=tuple(hands),
        heaps=tuple(heaps),
        plays=tuple(plays),
        watches=tuple(watches),
        plans=tuple(plans),
        tiles=_tiles(state, chance),
    )


def _tiles(state: State, chance: Chance) -> tuple[Tile, ...]:
    down = sorted(t for t, up in zip(state.tiles, state.turned, strict=True) if not up)
    unseen = iter(chance.shuffled("unseen tiles", down) if down else ())
    return tuple(
        tile if up else next(unseen) for tile, up in zip(state.tiles, state.turned, strict=True)
    )
