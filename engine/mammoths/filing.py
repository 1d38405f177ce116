"""Checks of what is filed: wish lists, orders for later, plans (M§19.4, M§24.8).

Lines that are illegal on the board shown are taken: they may become legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.kit.plans.alternatives import Otherwise
from engine.mammoths import actions as do
from engine.mammoths.components import SPECIES, TRICKS, Hex
from engine.mammoths.errors import illegal
from engine.mammoths.moving import check_known, check_named
from engine.mammoths.state import State
from engine.protocol import Seat

MOST_ALTERNATIVES: Final = 3
MOST_LINES: Final = 30
"""Of one alternative, and conditions of one; orders of one answer."""
MOST_PAWNS: Final = 17
MOST_NUMBER: Final = 99
ORDER_WORDS: Final = tuple(dict.fromkeys(map(do.word_of, do.Order.__args__)))
_COMBAT_TITLES: Final = ("T04", "T08", "T09", "T10")
_ANYWHERE: Final = (do.Loss, do.CampChoice, do.CombatCard)
"""Orders that may be for any hex."""
_MAY_BE_NONE: Final = (do.Sow, do.Spirits)


def check_place(state: State, action: do.Place) -> None:
    _hexes(state, action.hexes, "place", least=0)
    for at in action.hexes:
        if state.map.places[at].terrain == "lake":
            raise illegal("on_lake", hex=at)


def filed(state: State, seat: Seat, order: do.Order) -> tuple[do.Order, ...]:
    """The standing orders with this one. Raises IllegalAction."""
    check_order(state, order)
    return do.with_order(state.tribes[seat].orders, order)


def forgotten(state: State, seat: Seat, action: do.Forget) -> tuple[do.Order, ...]:
    """The standing orders without what is forgotten. Raises IllegalAction."""
    if action.word not in (*ORDER_WORDS, "all") or (action.title and action.word != "card"):
        raise illegal("nothing_to_forget", word=action.word, title=action.title)
    before = state.tribes[seat].orders
    after = tuple(
        order
        for order in before
        if action.word not in ("all", do.word_of(order))
        or (action.title and do.title_of(order) != action.title)
    )
    if after == before:
        raise illegal("nothing_to_forget", word=action.word, title=action.title)
    return after


def check_order(state: State, order: do.Order) -> None:
    """Raises IllegalAction for an order that names what is not there, or says nothing."""
    word = do.word_of(order)
    for name in order.__struct_fields__:
        value: Any = getattr(order, name)
        match name:
            case "at":
                if value or not isinstance(order, _ANYWHERE):
                    check_known(state.map, value)
            case "hexes" | "to":
                _hexes(state, value, word, least=0 if isinstance(order, _MAY_BE_NONE) else 1)
            case "letters" | "sex":
                _letters(value)
            case "species":
                if not value or len(set(value)) < len(value):
                    raise illegal("nothing_named", word=word)
            case "w" | "f" | "most":
                _number(value, MOST_PAWNS)
            case "pawns":
                _pawns(state, value, word)
            case "drop":
                _drop(state, value)
    match order:
        case do.CombatCard():
            _combat_card(order)
        case do.Retreat(at=at, to=to) if at in to:
            raise illegal("named_twice", hex=at)
        case do.Beaters():
            _beaters(state, order)
        case do.Bait(distance=distance):
            _number(distance, 2)
        case do.Stores(title=title) if title not in ("T14", "T15"):
            raise illegal("no_such_title", title=title)


def check_answer(state: State, action: do.Answer) -> None:
    if len(action.orders) > MOST_LINES:
        raise illegal("too_many_lines", most=MOST_LINES)
    for order in action.orders:
        check_order(state, order)
    if len(set(map(do.key_of, action.orders))) < len(action.orders):
        raise illegal("same_order")


def check_plan(state: State, seat: Seat, action: do.PlanMove | do.PlanFight) -> None:
    """Raises IllegalAction for a plan that cannot be understood on this board."""
    plan: Any = action.plan
    moves = isinstance(action, do.PlanMove)
    if not plan.alternatives:
        raise illegal("no_alternative")
    if len(plan.alternatives) > MOST_ALTERNATIVES:
        raise illegal("too_many_alternatives", most=MOST_ALTERNATIVES)
    if plan.otherwise not in (Otherwise.ASK, Otherwise.STAY if moves else Otherwise.ORDERS):
        raise illegal("bad_otherwise", otherwise=plan.otherwise)
    if action.shown not in range(len(state.shown)):
        raise illegal("board_not_shown", shown=action.shown)
    for alternative in plan.alternatives:
        if max(len(alternative.lines), len(alternative.conditions)) > MOST_LINES:
            raise illegal("too_many_lines", most=MOST_LINES)
        for each in alternative.conditions:
            _condition(state, each.condition)
        if moves:
            for line in alternative.lines:
                _line(state, seat, line)
        else:
            check_answer(state, do.Answer(orders=alternative.lines))


def _line(state: State, seat: Seat, line: do.Line) -> None:
    check_known(state.map, *do.hexes_of(line))
    match line:
        case do.Move(w=w, f=f, path=path):
            if not w + f:
                raise illegal("nobody_moves")
            for number in (w, f):
                _number(number, MOST_PAWNS)
            if not 2 <= len(path) <= 4:
                raise illegal("path_too_long", steps=len(path) - 1, most=3)
        case do.Card():
            check_named(state.tribes[seat].hand, line)
            if line.tribe is not None:
                _tribe(state, line.tribe)
            _drop(state, line.drop)


def _condition(state: State, condition: do.Condition) -> None:
    needed = do.CONDITION_FIELDS[condition.what]
    counted = "number" in needed or not (condition.number or condition.most)
    if (
        (condition.what != "same" and len(condition.hexes) != ("hexes" in needed))
        or (condition.tribe is None) == ("tribe" in needed)
        or (condition.species is None) == ("species" in needed)
        or not counted
    ):
        raise illegal("bad_condition", what=condition.what)
    check_known(state.map, *condition.hexes)
    if condition.tribe is not None:
        _tribe(state, condition.tribe)
    _number(condition.number, MOST_NUMBER)


def _combat_card(order: do.CombatCard) -> None:
    if order.title not in _COMBAT_TITLES:
        raise illegal("no_such_title", title=order.title)
    if order.against not in ("", "tribes", *SPECIES):
        raise illegal("bad_against", against=order.against)
    pit = order.title == "T09"
    wrong = pit and (order.trigger not in ("start", "never") or order.against == "tribes")
    if wrong or (order.trigger == "fighters") != bool(order.most):
        raise illegal("bad_trigger", trigger=order.trigger)


def _beaters(state: State, order: do.Beaters) -> None:
    if len(order.species) > 2:
        raise illegal("nothing_named", word="card")
    if order.direction not in range(6):
        raise illegal("bad_direction", direction=order.direction)
    if order.herd is not None:
        check_known(state.map, order.near)
        _number(order.distance, 6)
    elif order.near or order.distance:
        raise illegal("bad_hex_there", word="card")


# Parts


def _hexes(state: State, hexes: Sequence[Hex], word: str, least: int = 1) -> None:
    if len(hexes) < least:
        raise illegal("nothing_named", word=word)
    check_known(state.map, *hexes)
    for number, at in enumerate(hexes):
        if at in hexes[:number]:
            raise illegal("named_twice", hex=at)


def _pawns(state: State, pawns: Sequence[tuple[Hex, str]], word: str) -> None:
    if not 1 <= len(pawns) <= MOST_LINES:
        raise illegal("nothing_named", word=word)
    for at, letters in pawns:
        check_known(state.map, at)
        _letters(letters)


def _letters(letters: str) -> None:
    if not 1 <= len(letters) <= MOST_PAWNS or set(letters) - {"w", "f"}:
        raise illegal("bad_letters", letters=letters)


def _number(number: int, most: int) -> None:
    if not 0 <= number <= most:
        raise illegal("bad_number", number=number, most=most)


def _tribe(state: State, seat: Seat) -> None:
    if seat not in range(state.seats):
        raise illegal("no_such_tribe", seat=seat)


def _drop(state: State, title: str) -> None:
    if not title:
        return
    if not state.options.extra_discard:
        raise illegal("no_extra_discard")
    if title not in TRICKS:
        raise illegal("no_such_title", title=title)
