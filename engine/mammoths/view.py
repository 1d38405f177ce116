"""Views of a position by seat, and positions a seat cannot tell apart (M§18.2, M§18.3)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.mammoths.actions import Answer, Draft, Order, Place, PlanFight, PlanMove
from engine.mammoths.components import Hex
from engine.mammoths.ranking import Row, standing
from engine.mammoths.state import (
    Camp,
    Closed,
    Field,
    Group,
    Herd,
    Moving,
    Options,
    State,
    Track,
    Tribe,
)
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


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """Things that only the seat itself knows."""

    hand: tuple[str, ...]
    orders: tuple[Order, ...]
    wishes: Place | None
    plan_move: PlanMove | None
    plan_fight: PlanFight | None
    draft: Draft | None
    answer: Answer | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """`own` is None for everybody's view; `rows` are the final standing, empty before the end."""

    options: Options
    board: int
    seating: tuple[Seat, ...]
    order: tuple[Seat, ...]
    tribes: tuple[TribeView, ...]
    groups: tuple[Group, ...]
    herds: tuple[Herd, ...]
    camps: tuple[Camp, ...]
    fields: tuple[Field, ...]
    closed: tuple[Closed, ...]
    frozen: tuple[Hex, ...]
    embers: tuple[Hex, ...]
    neutral: tuple[tuple[Seat, Hex] | None, tuple[Seat, Hex] | None]
    bag: tuple[str, ...]
    aside: int
    piles: tuple[int, int]
    spent: tuple[tuple[str, ...], tuple[str, ...]]
    deck: int
    discards: tuple[str, ...]
    phase: str
    turn: int
    season: str
    number: int
    held: bool
    lengthened: bool
    first_year: bool
    event: str
    lasting: tuple[str, ...]
    die: int
    to_move: Seat | None
    moving: Moving
    tracks: tuple[Track, ...]
    asked: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    termination: str
    rows: tuple[Row, ...]
    own: Own | None


_AS_IT_IS = (
    *("options", "board", "seating", "order", "groups", "herds", "camps", "fields", "closed"),
    *("frozen", "embers", "neutral", "bag", "aside", "spent", "phase", "turn", "season", "number"),
    *("held", "lengthened", "first_year", "event", "lasting", "die", "moving", "tracks", "asked"),
    *("winners", "termination"),
)
"""The fields of a position that everybody may see as they are."""


def view(state: State, seat: Seat | None) -> View:
    return View(
        **{name: getattr(state, name) for name in _AS_IT_IS},
        tribes=tuple(_tribe(state, who) for who in range(state.seats)),
        piles=(len(state.piles[0]), len(state.piles[1])),
        deck=len(state.deck),
        discards=tuple(sorted(state.discards)),
        to_move=state.to_move if state.phase == "move" else None,
        rows=standing(state) if state.phase == "over" else (),
        own=None if seat is None else _own(state.tribes[seat]),
    )


def _tribe(state: State, seat: Seat) -> TribeView:
    tribe = state.tribes[seat]
    return TribeView(
        hand=len(tribe.hand),
        food=tribe.food,
        farm=tribe.farm,
        fire=tribe.fire,
        status=tribe.status,
        due=tribe.due,
        announced=tribe.announced,
        place=state.order.index(seat),
        pawns=sum(group.w + group.f for group in state.pawns_of(seat)),
        camps=len(state.camps_of(seat)),
    )


def _own(tribe: Tribe) -> Own:
    return Own(**{name: getattr(tribe, name) for name in Own.__struct_fields__})


def guess(state: State, seat: Seat, chance: Chance) -> State:
    """The unseen cards in another order; what others have filed, or whether, is not known, and
    nothing of it is there."""
    others = [who for who in range(state.seats) if who != seat]
    unseen = [*state.deck, *(title for who in others for title in state.tribes[who].hand)]
    titles = iter(chance.shuffled("unseen tricks", sorted(unseen)) if unseen else ())
    tribes = list(state.tribes)
    for who in others:
        tribes[who] = replace(
            tribes[who],
            hand=tuple(next(titles) for _ in tribes[who].hand),
            orders=(),
            wishes=None,
            plan_move=None,
            plan_fight=None,
            draft=None,
            answer=None,
        )
    piles = tuple(
        chance.shuffled("unseen events", sorted(pile)) if pile else () for pile in state.piles
    )
    return replace(state, tribes=tuple(tribes), deck=tuple(titles), piles=(piles[0], piles[1]))
