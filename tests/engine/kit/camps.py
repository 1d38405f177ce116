"""Camps: rules of a tiny game for lines: a turn of two steps, a reveal within it, secret orders.

A turn is `camp` at the hill or the ford, then `rest` for a point, or `draw` a card that others do
not see, and `bury` one. Who has ordered a `watch` catches another who camps there: all see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Asks, Decision, IllegalAction, Seat, Step

T = TypeVar("T")

Place = Literal["hill", "ford"]
PLACES: tuple[Place, ...] = ("hill", "ford")
WATCHED = (*PLACES, "none")


class Camp(msgspec.Struct, frozen=True, tag_field="do", tag="camp"):
    place: Place


class Rest(msgspec.Struct, frozen=True, tag_field="do", tag="rest"):
    pass


class Pick(msgspec.Struct, frozen=True, tag_field="do", tag="draw"):
    pass


class Bury(msgspec.Struct, frozen=True, tag_field="do", tag="bury"):
    card: int


class Watch(msgspec.Struct, frozen=True, tag_field="do", tag="watch"):
    place: Place


Action = Camp | Rest | Pick | Bury | Watch


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Other hands, the deck and the watches of others are hidden from a seat."""

    deck: tuple[int, ...] = tuple(range(9, 30))
    hands: tuple[tuple[int, ...], ...] = ((1, 2), (3, 4), (5, 6))
    watches: tuple[str, ...] = ("none", "none", "none")
    points: tuple[int, ...] = (3, 3, 3)
    turn: int = 0
    phase: Literal["camp", "dig", "bury"] = "camp"
    cut: bool = False

    @property
    def seat(self) -> Seat:
        return self.turn % len(self.hands)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The position as a seat knows it."""

    hand: tuple[int, ...]
    watch: str
    points: tuple[int, ...]
    turn: int
    phase: str


def decisions(state: State) -> tuple[Decision[Action], ...]:
    orders = (
        Decision[Action](
            id=order_id(seat),
            turn="",
            seat=seat,
            kind="watch",
            rule="C§2",
            choices=[Watch(place) for place in PLACES if place != watch],
            asks=Asks.MAY,
            sealed=True,
        )
        for seat, watch in enumerate(state.watches)
    )
    return (turn_of(state), *orders)


def turn_of(state: State) -> Decision[Action]:
    """What the seat to move must decide."""
    choices: dict[str, Sequence[Action]] = {
        "camp": [Camp(place) for place in PLACES],
        "dig": [Rest(), Pick()],
        "bury": [Bury(card) for card in state.hands[state.seat]],
    }
    return Decision(
        id=f"t{state.turn}.{state.phase}" if state.cut else f"t{state.turn}",
        turn=f"t{state.turn}",
        seat=state.seat,
        kind=state.phase,
        rule="C§1",
        choices=choices[state.phase],
    )


def order_id(seat: Seat) -> str:
    return f"w{seat}"


def order_of(state: State, seat: Seat) -> Decision[Action]:
    """The order that a seat may file."""
    return next(each for each in decisions(state) if each.id == order_id(seat))


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    if isinstance(action, Watch):
        if state.watches[seat] == action.place:
            raise IllegalAction("same_order", "C§2")
        return Step(state=replace(state, watches=_put(state.watches, seat, action.place)))
    if seat != state.seat or action not in turn_of(state).choices:
        raise IllegalAction("out_of_order", "C§1", phase=state.phase)
    if isinstance(action, Camp):
        caught = [s for s, w in enumerate(state.watches) if w == action.place and s != seat]
        cut = bool(caught)
        return Step(state=replace(state, phase="dig", cut=cut), reveals=cut)
    hand = state.hands[seat]
    if isinstance(action, Pick):
        hands = _put(state.hands, seat, (*hand, state.deck[0]))
        drawn = replace(state, deck=state.deck[1:], hands=hands, phase="bury", cut=True)
        return Step(state=drawn, reveals=True)
    if isinstance(action, Bury):
        left = tuple(card for card in hand if card != action.card)
        state = replace(state, hands=_put(state.hands, seat, left))
    else:
        state = replace(state, points=_put(state.points, seat, state.points[seat] + 1))
    return Step(state=replace(state, turn=state.turn + 1, phase="camp", cut=False))


def guess(state: State, seat: Seat, chance: Chance) -> State:
    """What a seat does not know drawn anew, from nothing but what it knows."""
    others = [s for s in range(len(state.hands)) if s != seat]
    hidden = sorted((*state.deck, *(card for s in others for card in state.hands[s])))
    cards = list(chance.shuffled("unseen", hidden))
    hands, watches = list(state.hands), list(state.watches)
    for other in others:
        hands[other] = tuple(cards.pop() for _ in hands[other])
        watches[other] = WATCHED[chance.below("watch", 3)]
    return replace(state, deck=tuple(cards), hands=tuple(hands), watches=tuple(watches))


def view(state: State, seat: Seat) -> View:
    return View(
        hand=state.hands[seat],
        watch=state.watches[seat],
        points=state.points,
        turn=state.turn,
        phase=state.phase,
    )


def meaning(state: State, seat: Seat, action: Action) -> Action:
    return action


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
