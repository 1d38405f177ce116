"""The position before the first decision, and what the wish lists come to (M§3)."""

from __future__ import annotations

from typing import Final

from engine.chance import Chance
from engine.mammoths.actions import Place
from engine.mammoths.components import ANIMALS, BOARDS, DECK, EVENTS, START, UNLETTERED, Hex, board
from engine.mammoths.seasons import hand_limit
from engine.mammoths.state import Camp, Options, State, Tribe
from engine.mammoths.table import Facts, Table, in_order
from engine.protocol import Seat, Step

SEATS: Final = range(2, 7)
FOOD: Final = 12
BEGINNER_FOOD: Final = 15
_MOST_BONUS: Final = 3


def setup(seats: int, options: Options, chance: Chance) -> Step[State]:
    """Raises ValueError for seats or options out of range."""
    if seats not in SEATS:
        raise ValueError(f"{seats} seats")
    if options.board not in range(len(BOARDS) + 1):
        raise ValueError(f"board {options.board}")
    for bonus in (options.village_bonus, options.cave_bonus):
        if bonus not in range(_MOST_BONUS + 1):
            raise ValueError(f"a bonus of {bonus}")
    number = options.board or chance.below("board", len(BOARDS)) + 1
    seating = chance.shuffled("seating", range(seats))
    first = chance.below("first player", seats)
    order = (*seating[first:], *seating[:first])
    piles = (
        chance.shuffled("summer events", EVENTS["summer"]),
        chance.shuffled("winter events", EVENTS["winter"]),
    )
    food = BEGINNER_FOOD if options.beginner_food else FOOD
    tribe = Tribe(farm=food) if options.food_spoils else Tribe(food=food)
    state = State(
        options=options,
        board=number,
        seating=seating,
        tribes=(tribe,) * seats,
        order=order,
        bag=tuple(in_order(animal.letters) for animal in ANIMALS),
        aside=UNLETTERED,
        piles=piles,
        deck=chance.shuffled("tricks", DECK),
    )
    table = Table(state, chance)
    table.chapter = "dawn"
    told: Facts = {"board": board(number).name, "seating": seating, "first": order[0]}
    table.tell("begun", None, (), tribes=range(seats), **told)
    return Step(state=state, events=tuple(table.events), reveals=True)


def settle(table: Table) -> None:
    """The wish lists, applied in order, and the hands."""
    table.chapter = "dawn"
    for seat in table.state.order:
        table.breath()
        wishes = table.tribes[seat].wishes or Place(hexes=())
        wished = [at for at in wishes.hexes if may_settle(table, at, seat)]
        at = wished[0] if wished else by_default(table, seat)
        table.add(at, seat, *START)
        table.camps[at] = Camp(hex=at, seat=seat)
        plain = table.board.places[at].terrain == "plain"
        sown = plain and wishes.sow and table.tribes[seat].all_food > 0
        if sown:
            table.spend(seat, 1)
            table.fields[at] = 2
        table.tribe(seat, wishes=None)
        table.tell("settled_down", seat, (at,), camp=at, sown=sown, by_default=not wished)
    deck, limit = table.state.deck, hand_limit(len(table.tribes))
    for seat in table.state.order:
        table.tribe(seat, hand=deck[:limit])
        table.tell("dealt", seat, only=seat, titles=deck[:limit])
        deck = deck[limit:]
    table.set(deck=deck)


def may_settle(table: Table, at: Hex, seat: Seat) -> bool:
    """True if a first camp may stand there: not beside another tribe's, but across a river."""
    if not table.is_free(at, seat):
        return False
    return not any(
        near in table.camps and not table.board.river_between(at, near)
        for near in table.board.places[at].neighbours
    )


def by_default(table: Table, seat: Seat) -> Hex:
    """The best hex that is left (RULING A2)."""

    def rank(at: Hex) -> tuple[int, Hex]:
        place = table.board.places[at]
        if place.terrain == "mountain":
            return 4, at
        return (0 if place.terrain == "forest" else 1) + (0 if place.has_water else 2), at

    return min((at for at in table.board.land if may_settle(table, at, seat)), key=rank)
