"""The bots: random, greedy (the best next line, as long as there is one), planner (a beam)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any, Final

from msgspec.structs import replace

from engine.chance import Chance, NoChance
from engine.kit.bots import chancer
from engine.kit.bots.lines import Line
from engine.kit.bots.search import Stage, Worth, search
from engine.kit.bots.suggesting import suggest
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.mammoths import actions as do
from engine.mammoths.battles import battles
from engine.mammoths.bots.appraisal import Appraisal
from engine.mammoths.bots.trying import RULES, as_mover, better_lines, of_move
from engine.mammoths.choices import combat_cards
from engine.mammoths.components import CAMPS_TO_WIN
from engine.mammoths.moving import ready
from engine.mammoths.reasons import answered, home, ideas
from engine.mammoths.state import State
from engine.mammoths.table import Table
from engine.protocol import Bot, Decision, Seat

Chooser = Callable[[State, Decision[do.Action]], tuple[do.Action, ...]]

_MOST_LINES: Final = 8
_LEAST_GAIN: Final = 0.25
_WIDTH: Final = 3
_STAGES: Final = 4
_BUDGET: Final = 100
_WISHES: Final = 6
_ALL: Final = 999
_FARTHER: Final = ("T05", "T06", "T07")
"""Tricks that lead where nobody could go without them."""
_KEPT: Final = 5
"""Percent by which an order has to better a fight to be named."""


# A whole move


def greedy_move(state: State, decision: Decision[do.Action]) -> tuple[do.Action, ...]:
    """The line that is worth most, again and again, as long as it gains something."""
    line = _greedily(of_move(state, decision), Appraisal(decision.seat))
    return (*line.actions, do.Done())


def _greedily(
    line: Line[State, do.Action], worth: Appraisal, better: Sequence[tuple[float, do.Action]] = ()
) -> Line[State, do.Action]:
    """The best line again and again; `better` are the first ones, where they are known."""
    for _ in range(_MOST_LINES):
        best = better or better_lines(line, 1, worth)
        if not best or best[0][0] < worth.of(line) + _LEAST_GAIN:
            break
        line, better = line.play(best[0][1]), ()
    return line


def planned_move(state: State, decision: Decision[do.Action]) -> tuple[do.Action, ...]:
    """The best of a beam of moves, each of which goes on greedily at last; it looks ahead."""
    worth = Appraisal(decision.seat, ahead=True)

    def grow(line: Line[State, do.Action]) -> Iterable[Line[State, do.Action]]:
        return (line.play(action) for _, action in better_lines(line, _WIDTH, worth))

    stage = Stage(grow=grow, judge=partial(_judge, worth=worth), width=_WIDTH, keep=True)
    best = search(of_move(state, decision), [stage] * _STAGES, _BUDGET).line
    return (*_greedily(best, worth).actions, do.Done())


def _judge(line: Line[State, do.Action], worth: Appraisal) -> Worth:
    return Worth(worth.of(line) - _LEAST_GAIN * len(line.actions))


# Orders


def _standing(state: State, seat: Seat) -> tuple[do.Action, ...]:
    """An order for each card in hand that has none yet, and that waits for its day."""
    hand = state.tribes[seat].hand
    ordered = {do.title_of(order) for order in state.tribes[seat].orders}
    found: list[do.Action] = [each for each in combat_cards(hand) if each.title not in ordered]
    if "T13" in hand and "T13" not in ordered:
        found.append(do.Spirits())
    camps = [camp.hex for camp in state.camps_of(seat)]
    if state.last_turn and camps and "T17" in hand and "T17" not in ordered:
        found.append(do.Feast(at=camps[0], sex="f"))
    return tuple(found)


def _fought(state: State, seat: Seat, limit: int) -> list[tuple[do.FightOrder, ...]]:
    """Orders for the fights there are, the best first: the cards that work in them, together and
    each alone, none, and women to fall first where beasts are met outside a camp (M§10.16)."""
    fights = battles(Table(state, NoChance()), seat)
    women, herds = any(each.own.f for each in fights), any(each.herds for each in fights)
    hand = state.tribes[seat].hand
    works = {"T04": women, "T08": True, "T09": herds, "T10": True}
    only = fights[0].hex if len(fights) == 1 else 0
    cards = tuple(replace(card, at=only) for card in combat_cards(hand) if works[card.title])
    if not all(each.own.fights for each in fights):
        # Women alone are captured before they are behind.
        cards = tuple(replace(o, trigger="start") if o.title == "T04" else o for o in cards)
    kept: list[tuple[do.FightOrder, ...]] = [()]
    for each in fights:
        if each.own.w and each.own.f and each.herds and each.camp != seat:
            kept = [(), (do.Loss(at=each.hex, letters="f" * each.own.f),)]

    def worth(orders: tuple[do.FightOrder, ...]) -> float:
        told = battles(Table(answered(state, seat, orders), NoChance()), seat)
        return sum(each.chance or 0 for each in told) - _KEPT * len(orders)

    ways = (cards, *((card,) for card in cards))
    played = sorted((way for way in ways if worth(way) > worth(())), key=worth, reverse=True)
    found = dict.fromkeys((*played[: max(1, limit - len(kept))], *kept))
    return sorted(found, key=worth, reverse=True)[:limit]


def _wishes(state: State) -> tuple[int, ...]:
    """Hexes for the first camp: what feeds it there, then what feeds it beside."""

    def rank(at: int) -> tuple[int, int, bool, int]:
        place = home(state.map, at)
        return -place.food, -place.near, place.lava, at

    return tuple(sorted(state.map.land, key=rank)[:_WISHES])


def _ahead(state: State, seat: Seat, move: Chooser) -> tuple[do.Action, ...]:
    """The move of this board, or the beginning of it, filed for as much of this board as it names
    (M§24.5)."""
    tribe = state.tribes[seat]
    if tribe.plan_move is not None or state.to_move == seat:
        return ()
    here, decision = as_mover(state, seat)
    lines: Any = move(here, decision)[:-1]
    shorter = dict.fromkeys((lines, lines[:-1], lines[:1]))
    ways: Any = tuple(Alternative(lines=each) for each in shorter if each)
    if not ways:
        ways = (Alternative(conditions=(If(condition=do.Condition(what="same")),)),)
    return (do.PlanMove(plan=Alternatives(alternatives=ways), shown=len(state.shown) - 1),)


def _combat_plan(state: State, seat: Seat) -> tuple[do.Action, ...]:
    """Combat orders that hold whatever comes."""
    lines = combat_cards(state.tribes[seat].hand)
    one: Alternative[Any, Any] = Alternative(lines=lines)
    plan = do.PlanFight(plan=Alternatives(alternatives=(one,), otherwise=Otherwise.ORDERS))
    return () if state.tribes[seat].plan_fight is not None else (plan,)


def _player(move: Chooser, *, orders: bool = False) -> Bot[State, do.Action]:
    """A bot by its moves; with `orders` it files one for each card with its move."""

    def play(state: State, decision: Decision[do.Action], chance: Chance) -> tuple[do.Action, ...]:
        seat = decision.seat
        match decision.kind:
            case "move":
                filed = _standing(state, seat) if orders else ()
                return (*filed, *move(state, decision))
            case "setup":
                wishes = _wishes(state)
                at = chance.below("first wish", 3)
                return (do.Place(hexes=(*wishes[at:], *wishes[:at])),) if decision.blocks else ()
            case "combat":
                cards = do.Answer(orders=combat_cards(state.tribes[seat].hand))
                return (cards,) if decision.blocks else ()
            case "file":
                return _ahead(state, seat, move)
            case "prepare":
                return _combat_plan(state, seat)
        return _standing(state, seat)[:1]

    return play


def random(state: State, decision: Decision[do.Action], chance: Chance) -> tuple[do.Action, ...]:
    """Any legal submission; it files an order as often as it leaves it."""
    if decision.kind == "move":
        return chancer.draw(of_move(state, decision), chance).actions
    if not decision.blocks and chance.below("whether to file", 2):
        return ()
    offered = [each for each in decision.choices if not isinstance(each, do.Draft)]
    return (offered[chance.below("which", len(offered))],) if offered else ()


BOTS: Final[dict[str, Bot[State, do.Action]]] = {
    "random": random,
    "greedy": _player(greedy_move),
    "planner": _player(planned_move, orders=True),
}


# Advice


def default(state: State, seat: Seat) -> do.Action:
    """The next action of the default turn (M§19.6): nobody moves, standing orders fight."""
    if state.phase == "setup":
        return do.Place(hexes=())
    return do.Done() if state.phase == "move" else do.Answer()


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[do.Action, ...]]:
    """Submissions for what the seat must decide, best first."""
    asked = next(d for d in RULES.decisions(state) if d.seat == seat and d.blocks)
    if asked.kind == "setup":
        wishes = _wishes(state)
        lists = [dict.fromkeys((at, *wishes)) for at in wishes]
        return [(do.Place(hexes=tuple(hexes)),) for hexes in lists[:limit]]
    if asked.kind == "combat":
        return [(do.Answer(orders=orders),) for orders in _fought(state, seat, limit)]
    worth = Appraisal(seat)
    start = of_move(state, asked)
    better = better_lines(start, 4 * _WIDTH, worth)
    lines = [_greedily(start, worth, better)]
    while (before := lines[-1].before) is not None:
        lines.append(before)
    lines += (start.play(action) for _, action in better)

    known = cache(partial(ideas, state, seat))

    def value(line: Line[State, do.Action]) -> float:
        return _judge(line, worth).value

    def brings_nothing(line: Line[State, do.Action], other: Line[State, do.Action]) -> bool:
        """True if another that is worth more does all of it already, or less."""
        mine, done = known(line.actions), known(other.actions)
        return mine <= done or done <= mine

    whole = [_whole(line) for line in lines if value(line) >= value(start)]
    found = suggest(whole, value, limit, lambda state, seat, action: action, brings_nothing)
    raid = _raid(start, worth)
    if raid is None or any(known(raid) <= known(each) for each in found):
        return found
    kept = (*found[: max(1, limit - 1)], raid)[:limit]
    return sorted(kept, key=lambda each: each == (do.Done(),))


def _raid(start: Line[State, do.Action], worth: Appraisal) -> tuple[do.Action, ...] | None:
    """The best attack on a camp of a tribe that may win by its camps (M§15.4), by a trick if need
    be; None where none is in reach."""
    table = Table(start.state, NoChance())
    camps = [table.camps_of(who) for who in table.on_map() if who != start.seat]
    near = {at for each in camps if len(each) >= CAMPS_TO_WIN for at in each}
    if not near:
        return None
    first = [action for _, action in better_lines(start, _ALL, worth)]
    farther = (each for each in first if isinstance(each, do.Card) and each.title in _FARTHER)
    raids = [
        way.play(move)
        for way in (start, *map(start.play, farther))
        for _, move in better_lines(way, _ALL, worth)
        if isinstance(move, do.Move) and move.w and move.path[-1] in near
    ]
    best = max(raids, key=worth.of, default=None)
    return None if best is None else _whole(best).actions


def _whole(line: Line[State, do.Action]) -> Line[State, do.Action]:
    """The move to its end, with the camps that it leaves pawns for; to move nobody is none."""
    while line.actions and (camps := ready(Table(line.state, NoChance()), line.seat)):
        line = line.play(do.Found(hex=camps[0]))
    return line.play(do.Done())
