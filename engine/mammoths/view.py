"""Views of a position by seat, and positions a seat cannot tell apart (M§18.2, M§18.3)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.chance import Chance, NoChance
from engine.kit.guessing import dealt_anew
from engine.mammoths.battles import Battle, battles
from engine.mammoths.components import Hex
from engine.mammoths.ranking import Row, score, standing
from engine.mammoths.seasons import cost, income
from engine.mammoths.state import Own, Public, State
from engine.mammoths.table import Table
from engine.protocol import Seat


class TribeView(msgspec.Struct, frozen=True, kw_only=True):
    """A tribe as everybody sees it (M§26.4). `place` is its place in this turn's order."""

    hand: int
    food: int
    farm: int
    fire: Hex
    status: str
    due: int
    announced: bool
    place: int
    pawns: int
    camps: int


_SEEN: Final = ("food", "farm", "fire", "status", "due", "announced")


class OwnView(Own, frozen=True, kw_only=True):
    """The part of a tribe that its player alone sees, and the `fights` that stand until it has
    moved, or while orders for them are given (M§19.4); the `meal` is the fish and the forage its
    hexes give as its pawns stand, and what these eat."""

    fights: tuple[Battle, ...] = ()
    meal: tuple[int, int, int] = (0, 0, 0)


class View(Public, frozen=True, kw_only=True):
    """`own` is None for everybody's view; `rows` are the final standing, empty before the end."""

    tribes: tuple[TribeView, ...]
    piles: tuple[int, int]
    deck: int
    discards: tuple[str, ...]
    to_move: Seat | None
    rows: tuple[Row, ...]
    own: OwnView | None


def view(state: State, seat: Seat | None) -> View:
    return View(
        **_fields(state, Public),
        tribes=tuple(_tribe(state, who) for who in range(state.seats)),
        piles=(len(state.piles[0]), len(state.piles[1])),
        deck=len(state.deck),
        discards=tuple(sorted(state.discards)),
        to_move=state.to_move if state.phase == "move" else None,
        rows=standing(state) if state.phase == "over" else (),
        own=None if seat is None else _own(state, seat),
    )


def _own(state: State, seat: Seat) -> OwnView:
    table = Table(state, NoChance())
    moves = state.phase == "move" and seat in state.order[state.mover :]
    fights = battles(table, seat) if moves or state.phase == "combat" else ()
    meal = (*income(table, seat)[:2], cost(table, seat))
    return OwnView(**_fields(state.tribes[seat], Own), fights=fights, meal=meal)


def _fields(of: msgspec.Struct, kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {name: getattr(of, name) for name in kind.__struct_fields__}


def _tribe(state: State, seat: Seat) -> TribeView:
    tribe = state.tribes[seat]
    seen = {name: getattr(tribe, name) for name in _SEEN}
    camps, pawns, _ = score(state, seat)
    place = state.order.index(seat)
    return TribeView(hand=len(tribe.hand), place=place, camps=camps, pawns=pawns, **seen)


def guess(state: State, seat: Seat, chance: Chance) -> State:
    """The unseen cards in another order; what others have filed, or whether, is not known, and
    nothing of it is there."""
    others = [who for who in range(state.seats) if who != seat]
    hands = [state.tribes[who].hand for who in others]
    *dealt, deck = dealt_anew(chance, "unseen tricks", [*hands, state.deck])
    tribes = list(state.tribes)
    for who, hand in zip(others, dealt, strict=True):
        tribes[who] = replace(tribes[who], **_fields(Own(hand=hand), Own))
    summer, winter = (dealt_anew(chance, "unseen events", [pile])[0] for pile in state.piles)
    return replace(state, tribes=tuple(tribes), deck=deck, piles=(summer, winter))
