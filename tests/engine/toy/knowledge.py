"""What each seat knows of a position of Hill and Ford."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Seat
from tests.engine.toy.actions import WATCHED
from tests.engine.toy.state import State


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What only the seat itself knows."""

    hand: tuple[int, ...]
    heap: tuple[int, ...]
    watch: str
    play: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """`played` says who has a sealed card on the table; `own` is None for everybody's view."""

    deck: int
    hands: tuple[int, ...]
    heaps: tuple[int, ...]
    discard: tuple[int, ...]
    points: tuple[int, ...]
    played: tuple[bool, ...]
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
            play=state.plays[seat],
        )
    return View(
        deck=len(state.deck),
        hands=tuple(len(hand) for hand in state.hands),
        heaps=tuple(len(heap) for heap in state.heaps),
        discard=state.discard,
        points=state.points,
        played=tuple(bool(card) for card in state.plays),
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
    watches, orders = list(state.watches), list(state.orders)
    for other in others:
        hands[other] = tuple(next(unseen) for _ in hands[other])
        heaps[other] = tuple(next(unseen) for _ in heaps[other])
        plays[other] = next(unseen) if plays[other] else 0
        watches[other] = WATCHED[chance.below("unseen watch", 3)]
        orders[other] = 0
    return replace(
        state,
        deck=tuple(unseen),
        hands=tuple(hands),
        heaps=tuple(heaps),
        plays=tuple(plays),
        watches=tuple(watches),
        orders=tuple(orders),
    )
