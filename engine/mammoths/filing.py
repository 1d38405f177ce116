"""Checks of what is filed: wish lists, orders for later, plans (M§19.4, M§24.8).

Lines that are illegal on the board shown are taken: they may become legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.kit.plans.alternatives import Otherwise
from engine.mammoths import actions as do
from engine.mammoths.components import SPECIES, TRICKS, Hex
from engine.mammoths.errors import illegal
from engine.mammoths.state import State
from engine.protocol import Seat

MOST_ALTERNATIVES: Final = 3
MOST_LINES: Final = 30
"""Of one alternative, and conditions of one; orders of one answer."""
MOST_PAWNS: Final = 17
MOST_NUMBER: Final = 99
ORDER_WORDS: Final = (
    "loss",
    "event_loss",
    "fights",
    "herds",
    "camp",
    "card",
    "starve",
    "unfed",
    "births",
    "sow",
    "reenter",
)
_COMBAT_TITLES: Final = ("T04", "T08", "T09", "T10")
_WITH_HEX: Final = ("free", "closed", "opponents", "mine", "animals", "herd")
_WITH_TRIBE_AND_HEX: Final = ("tribe", "came", "left")
_WITH_NUMBER: Final = ("opponents", "mine", "animals", "herd", "food", "camps")


def check_place(state: State, action: do.Place) -> None:
    _hexes(state, action.hexes, "place", least=0)
    for at in action.hexes:
        if state.map.places[at].terrain == "lake":
            raise illegal("on_lake", hex=at)


def filed(state: State, seat: Seat, order: do.Order) -> tuple[do.Order, ...]:
    """The standing orders with this one. Raises IllegalAction."""
    check_order(state, order)
    before = state.tribes[seat].orders
    after = do.with_order(before, order)
    if after == before:
        raise illegal("same_order")
    return after


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
    if isinstance(order, do.CARD_ORDERS):
        _drop(state, order.drop)
    match order:
        case do.Loss(at=at, letters=letters):
            _hexes(state, [at] if at else [], "loss", least=0)
            _letters(letters)
        case do.EventLoss(sex=sex):
            _letters(sex)
        case do.Fights(hexes=hexes):
            _hexes(state, hexes, "fights")
        case do.Births(hexes=hexes):
            _hexes(state, hexes, "births")
        case do.Reenter(hexes=hexes):
            _hexes(state, hexes, "reenter")
        case do.Sow(hexes=hexes):
            _hexes(state, hexes, "sow", least=0)
        case do.Herds(at=at, species=species):
            _hexes(state, [at], "herds")
            _species(species, "herds")
        case do.CampChoice(at=at):
            _hexes(state, [at] if at else [], "camp", least=0)
        case do.CombatCard():
            _combat_card(state, order)
        case do.Retreat(at=at, to=to, w=w, f=f):
            _hexes(state, [at], "card")
            _hexes(state, to, "card")
            if at in to:
                raise illegal("named_twice", hex=at)
            for number in (w, f):
                _number(number, MOST_PAWNS)
        case do.Spirits(hexes=hexes):
            _hexes(state, hexes, "card", least=0)
        case do.Beaters():
            _beaters(state, order)
        case do.Bait(at=at, distance=distance, species=species):
            _hexes(state, [at], "card")
            _number(distance, 2)
            _species(species, "card")
        case do.Stores(title=title):
            if title not in ("T14", "T15"):
                raise illegal("no_such_title", title=title)
        case do.Feast(at=at, sex=sex):
            _hexes(state, [at], "card")
            _letters(sex)
        case do.Starve(pawns=pawns) | do.Unfed(pawns=pawns):
            if not 1 <= len(pawns) <= MOST_LINES:
                raise illegal("nothing_named", word=do.word_of(order))
            for at, letters in pawns:
                _known(state, [at])
                _letters(letters)


def check_answer(state: State, action: do.Answer) -> None:
    if len(action.orders) > MOST_LINES:
        raise illegal("too_many_lines", most=MOST_LINES)
    merged: tuple[do.Order, ...] = ()
    for order in action.orders:
        check_order(state, order)
        merged = do.with_order(merged, order)
    if len(merged) != len(action.orders):
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
    match line:
        case do.Move(w=w, f=f, path=path):
            if not w + f:
                raise illegal("nobody_moves")
            for number in (w, f):
                _number(number, MOST_PAWNS)
            _known(state, path)
            if not 2 <= len(path) <= 4:
                raise illegal("path_too_long", steps=len(path) - 1, most=3)
        case do.Found(hex=at):
            _known(state, [at])
        case do.TakeFire(hex=at, camp=camp):
            _known(state, [at, camp] if camp else [at])
        case do.Card(title=title, hexes=hexes, tribe=tribe, drop=drop):
            if title not in TRICKS:
                raise illegal("no_such_title", title=title)
            if TRICKS[title].window != "M":
                raise illegal("wrong_window", title=title, window=TRICKS[title].window)
            if title not in state.tribes[seat].hand:
                raise illegal("not_in_hand", title=title)
            if (tribe is None) == (title == "T16") or bool(hexes) == (title == "T16"):
                raise illegal("wrong_target", title=title)
            if len(hexes) > (2 if title == "T18" else 1) or (line.fire and title != "T16"):
                raise illegal("wrong_target", title=title)
            _known(state, hexes)
            if tribe is not None:
                _tribe(state, tribe)
            _drop(state, drop)


def _condition(state: State, condition: do.Condition) -> None:
    what = condition.what
    hexes = len(condition.hexes)
    one_hex = what in (*_WITH_HEX, *_WITH_TRIBE_AND_HEX, "tribes")
    a_tribe = what in (*_WITH_TRIBE_AND_HEX, "still", "camps")
    numbered = what in _WITH_NUMBER
    if (
        (hexes != 1 if one_hex else hexes and what != "same")
        or (condition.tribe is None) == a_tribe
        or (condition.species is None) == (what == "herd")
        or (not numbered and (condition.number or condition.most))
    ):
        raise illegal("bad_condition", what=what)
    _known(state, condition.hexes)
    if condition.tribe is not None:
        _tribe(state, condition.tribe)
    _number(condition.number, MOST_NUMBER)


def _combat_card(state: State, order: do.CombatCard) -> None:
    _hexes(state, [order.at] if order.at else [], "card", least=0)
    if order.title not in _COMBAT_TITLES:
        raise illegal("no_such_title", title=order.title)
    if order.against not in ("", "tribes", *SPECIES):
        raise illegal("bad_against", against=order.against)
    pit = order.title == "T09"
    if (pit and order.trigger not in ("start", "never")) or (pit and order.against == "tribes"):
        raise illegal("bad_trigger", trigger=order.trigger)
    _number(order.most, MOST_PAWNS)
    if (order.trigger == "fighters") != bool(order.most):
        raise illegal("bad_trigger", trigger=order.trigger)


def _beaters(state: State, order: do.Beaters) -> None:
    if not 1 <= len(order.species) <= 2:
        raise illegal("nothing_named", word="card")
    _species(order.species, "card")
    if order.direction not in range(6):
        raise illegal("bad_direction", direction=order.direction)
    if order.herd is None:
        if order.near or order.distance:
            raise illegal("bad_hex_there", word="card")
    else:
        _hexes(state, [order.near], "card")
        _number(order.distance, 6)


# Parts


def _known(state: State, hexes: Iterable[Hex]) -> None:
    for at in hexes:
        if at not in state.map.places:
            raise illegal("no_such_hex", hex=at)


def _hexes(state: State, hexes: Sequence[Hex], word: str, least: int = 1) -> None:
    if len(hexes) < least:
        raise illegal("nothing_named", word=word)
    _known(state, hexes)
    for number, at in enumerate(hexes):
        if at in hexes[:number]:
            raise illegal("named_twice", hex=at)


def _species(species: Sequence[str], word: str) -> None:
    if not species or len(set(species)) < len(species):
        raise illegal("nothing_named", word=word)


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
