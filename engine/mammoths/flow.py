"""The sequence of play: who may decide what now, and what follows from it (M§4, M§19, M§24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.chance import Chance, NoChance
from engine.kit.choices import Offered
from engine.kit.tuples import put
from engine.mammoths import actions as do
from engine.mammoths import choices, filing, plans
from engine.mammoths.combat import combats, locations
from engine.mammoths.dawn import dawn
from engine.mammoths.errors import illegal
from engine.mammoths.herds import move_herds
from engine.mammoths.moving import finish, legal_lines, play_line
from engine.mammoths.seasons import rest_of_turn, tell_end
from engine.mammoths.setup import settle
from engine.mammoths.state import State, Tribe
from engine.mammoths.table import Over, Table
from engine.protocol import Asks, Decision, Event, Filed, Seat, Step

_ORDERS = do.Order.__args__


# Who may decide what


class _Open(NamedTuple):
    """A kind of decision that lists examples; a withdrawal in it is of this plan."""

    rule: str
    types: tuple[type, ...]
    listed: Callable[[State, Seat], Iterable[do.Action]]
    plan: str = ""


_OPEN: Final = {
    "setup": _Open("M§3.5", (do.Place,), choices.of_setup),
    "file": _Open("M§24.1", (do.PlanMove, do.Withdraw, do.Draft), choices.of_file, "move"),
    "prepare": _Open("M§24.2", (do.PlanFight, do.Withdraw), choices.of_prepare, "combat"),
    "combat": _Open("M§19.1", (do.Answer,), choices.of_answer),
    "orders": _Open("M§19.4", (*_ORDERS, do.Forget), choices.of_orders),
}


@lru_cache(maxsize=16)
def decisions(state: State) -> tuple[Decision[do.Action], ...]:
    if state.phase == "over":
        return ()
    turn, tribes = str(state.turn), state.tribes
    there = {group.seat for group in state.groups}
    found: list[Decision[do.Action]] = []
    if state.phase == "setup":
        for seat, tribe in enumerate(tribes):
            found.append(_open(state, seat, "setup", turn, Asks.MAY if tribe.wishes else Asks.MUST))
    elif state.phase == "move":
        found.append(move_decision(state))
        for seat in state.order[state.mover :]:
            if seat in there:
                invited = seat != state.to_move and choices.is_worth_filing(state, seat)
                asks = Asks.INVITE if invited else Asks.MAY
                found.append(_open(state, seat, "file", turn, asks))
        found += [_open(state, seat, "prepare", turn) for seat in sorted(there)]
    else:
        for seat in state.asked:
            asks = Asks.MAY if tribes[seat].answer else Asks.MUST
            found.append(_open(state, seat, "combat", turn, asks))
    for seat, tribe in enumerate(tribes):
        if tribe.status != "out":
            found.append(_open(state, seat, "orders", ""))
    return tuple(found)


def move_decision(state: State) -> Decision[do.Action]:
    """The move of the tribe whose turn it is to move."""
    seat = state.to_move

    def check(action: do.Line | do.Done) -> None:
        if not isinstance(action, do.Done):
            play_line(Table(state, NoChance()), seat, action)

    offered = Offered(partial(choices.of_move, state, seat), (*do.LINES, do.Done), check)
    return _decision(seat, "move", str(state.turn), rule="M§8.2", choices=offered)


def _open(
    state: State, seat: Seat, kind: str, turn: str, asks: Asks = Asks.MAY
) -> Decision[do.Action]:
    rule, types, listed, plan = _OPEN[kind]

    def check(action: do.Action) -> None:
        if isinstance(action, do.Withdraw) and action.plan != plan:
            raise illegal("nothing_to_withdraw", plan=action.plan)
        _file(state, seat, action)

    offered: Offered[do.Action] = Offered(
        lambda: filter(offered.__contains__, listed(state, seat)), types, check
    )
    return _decision(
        seat, kind, turn, rule=rule, choices=offered, asks=asks, open=True, sealed=True
    )


def _decision(seat: Seat, kind: str, turn: str, **about: Any) -> Decision[do.Action]:
    return Decision(id=f"{turn or 0}.{kind}.{seat}", seat=seat, kind=kind, turn=turn, **about)


def filed(state: State, seat: Seat) -> tuple[Filed, ...]:
    """The orders on file of a seat, by the decision they are filed for."""
    tribe = state.tribes[seat]
    kept = {
        "setup": (tribe.wishes,),
        "file": (tribe.plan_move, tribe.draft),
        "prepare": (tribe.plan_fight,),
        "combat": (tribe.answer,),
        "orders": tribe.orders,
    }
    found = []
    for decision in decisions(state):
        actions = kept.get(decision.kind, ()) if decision.seat == seat else ()
        actions = tuple(action for action in actions if action is not None)
        if actions:
            found.append(Filed(decision=decision.id, actions=actions))
    return tuple(found)


# What is done


def apply(state: State, seat: Seat, action: do.Action, chance: Chance) -> Step[State]:
    if state.phase == "over":
        raise illegal("game_over")
    if state.tribes[seat].status == "out":
        raise illegal("out_of_play")
    if isinstance(action, (*do.LINES, do.Done)):
        if state.phase != "move":
            raise illegal("not_now", phase=state.phase)
        if seat != state.to_move:
            raise illegal("not_your_turn", to_move=state.to_move)
        table = Table(state, chance)
        if isinstance(action, do.Done):
            return _done(table, seat)
        play_line(table, seat, action)
        return table.step()
    after, told = _file(state, seat, action)
    if isinstance(action, do.Place) and all(tribe.wishes for tribe in after.tribes):
        return _begin(after, told, chance)
    if isinstance(action, do.Answer) and all(after.tribes[who].answer for who in after.asked):
        table = Table(after, chance)
        _go_on(table, from_combat=True)
        return Step(state=table.freeze(), events=(told, *table.events), reveals=True)
    return Step(state=after, events=(told,))


def _file(state: State, seat: Seat, action: do.Action) -> tuple[State, Event]:
    """The position with something filed, of which nobody else learns. Raises IllegalAction."""
    tribe = state.tribes[seat]
    match action:
        case do.Place():
            if state.phase != "setup":
                raise illegal("not_now", phase=state.phase)
            filing.check_place(state, action)
            after = replace(tribe, wishes=action)
            told = _told(state, seat, "placed", wishes=action.hexes, sow=action.sow)
        case do.Answer():
            if state.phase != "combat" or seat not in state.asked:
                raise illegal("not_asked")
            filing.check_answer(state, action)
            after = replace(tribe, answer=action)
            told = _told(state, seat, "answered", orders=len(action.orders))
        case do.PlanMove() | do.Draft() | do.PlanFight() | do.Withdraw():
            after, told = _plan(state, seat, action)
        case do.Forget(word=word, title=title):
            after = replace(tribe, orders=filing.forgotten(state, seat, action))
            told = _told(state, seat, "ordered", word="forget", title=title or word)
        case _:
            if not isinstance(action, _ORDERS):
                raise illegal("not_now", phase=state.phase)
            after = replace(tribe, orders=filing.filed(state, seat, action))
            told = _told(state, seat, "ordered", word=do.word_of(action), title=do.title_of(action))
    if after == tribe:
        raise illegal("same_order")
    return replace(state, tribes=put(state.tribes, seat, after)), told


def _plan(
    state: State, seat: Seat, action: do.PlanMove | do.PlanFight | do.Withdraw | do.Draft
) -> tuple[Tribe, Event]:
    """The tribe with a plan, a draft, or without the plan."""
    tribe, later = state.tribes[seat], seat in state.order[state.mover :]
    needs_move = isinstance(action, do.PlanMove | do.Draft)
    if state.phase != "move" or not state.pawns_of(seat) or (needs_move and not later):
        raise illegal("not_now", phase=state.phase)
    kept: dict[str, Any]
    match action:
        case do.PlanMove() | do.PlanFight():
            filing.check_plan(state, seat, action)
            place, what = ("plan_move", "move") if needs_move else ("plan_fight", "combat")
            kept, size = {place: action}, len(action.plan.alternatives)
        case do.Withdraw(plan=what):
            kept = dict.fromkeys(("plan_move", "draft") if what == "move" else ("plan_fight",))
            size = 0
            if all(getattr(tribe, name) is None for name in kept):
                raise illegal("nothing_to_withdraw", plan=what)
        case do.Draft(lines=lines):
            if seat != state.to_move:
                raise illegal("not_your_turn", to_move=state.to_move)
            if not lines:
                raise illegal("nothing_named", word="draft")
            table = Table(state, NoChance())
            for line in lines:
                play_line(table, seat, line)
            kept, what, size = {"draft": action}, "draft", 1
    return replace(tribe, **kept), _told(state, seat, "filed", plan=what, alternatives=size)


def _told(state: State, seat: Seat, kind: str, **facts: Any) -> Event:
    data = facts | {"turn": state.turn, "unit": 0, "hexes": (), "concerns": (seat,)}
    return Event(kind=kind, seat=seat, data=data, audience=(seat,))


# What follows


def _begin(state: State, told: Event, chance: Chance) -> Step[State]:
    """All wish lists are in: the first turn."""
    table = Table(state, chance)
    settle(table)
    table.set(turn=1)
    _go_on(table)
    return Step(state=table.freeze(), events=(told, *table.events), reveals=True)


def _done(table: Table, seat: Seat) -> Step[State]:
    """A move is public and final; what follows of it draws and shows."""
    finish(table, seat)
    table.tribe(seat, plan_move=None, draft=None)
    table.note_reveal()
    table.set(mover=table.state.mover + 1, shown=(*table.state.shown, table.looks()))
    _go_on(table, from_move=True)
    return table.step()


def _go_on(table: Table, *, from_move: bool = False, from_combat: bool = False) -> None:
    """Play on until somebody is to be asked, or to the end."""
    try:
        while True:
            if not from_combat:
                if not from_move:
                    _open_turn(table)
                if _asks_mover(table) or _asks_fighters(table):
                    return
            from_move = from_combat = False
            combats(table)
            for seat in range(len(table.tribes)):
                table.tribe(seat, plan_fight=None, answer=None)
            table.set(asked=())
            rest_of_turn(table)
    except Over:
        for seat in range(len(table.tribes)):
            table.tribe(seat, plan_move=None, plan_fight=None, answer=None, draft=None)
        tell_end(table)


def _open_turn(table: Table) -> None:
    """From dawn to the first move."""
    dawn(table)
    move_herds(table)
    table.chapter = "moves"
    _set_order(table)
    table.set(phase="move", mover=0, tracks=(), shown=(table.looks(),))


def _set_order(table: Table) -> None:
    """Most camps, then pawns, then food, then by lot; the others clockwise (M§8.1)."""
    state = table.state
    table.breath()
    if state.turn == 1:
        table.tell("order_set", order=tuple(table.on_map()), by_lot=())
        return
    seats = [seat for seat in state.seating if table.total(seat)]
    wealth = {seat: table.wealth(seat) for seat in seats}
    tied = [seat for seat in seats if wealth[seat] == max(wealth.values())]
    if not tied:
        return
    first = tied[table.chance.below("first of the turn", len(tied)) if len(tied) > 1 else 0]
    at = state.seating.index(first)
    table.set(order=(*state.seating[at:], *state.seating[:at]))
    by_lot = tuple(tied) if len(tied) > 1 else ()
    table.tell("order_set", order=tuple(table.on_map()), by_lot=by_lot)


def _asks_mover(table: Table) -> bool:
    """True if somebody is to move; who has no choice is passed over (M§19.8)."""
    order = table.state.order
    while table.state.mover < len(order):
        seat = order[table.state.mover]
        if table.total(seat):
            table.breath()
            table.tell("move_began", seat)
            if table.tribes[seat].hand or next(legal_lines(table, seat), None) is not None:
                return True
            finish(table, seat, skipped=True)
            table.tribe(seat, plan_move=None, draft=None)
            table.set(shown=(*table.state.shown, table.looks()))
        table.set(mover=table.state.mover + 1)
    return False


def _asks_fighters(table: Table) -> bool:
    """True if tribes that meet are to be asked (M§19.2). Who is not asked and has a combat plan
    uses it (M§24.7)."""
    table.set(phase="combat")
    asked = tuple(seat for seat in sorted(table.on_map()) if _has_choice(table, seat))
    table.set(asked=asked)
    state = table.freeze()
    for seat in table.on_map():
        plan = table.tribes[seat].plan_fight
        if seat not in asked and plan is not None:
            table.tribe(seat, answer=plans.answer_of(state, seat, plan))
    return bool(asked)


def _has_choice(table: Table, seat: Seat) -> bool:
    """False also for who can order nothing that matters, by public facts alone (RULING A63)."""
    where = locations(table, seat)
    meeting = [at for at in where if len(table.pawns[at]) > 1]
    if not meeting:
        return False
    at = meeting[0]
    camp = table.camps.get(at)
    herds = table.herds.get(at, {})
    plain = len(where) == 1 and (camp is None or camp.seat == seat)
    plain = plain and len(herds) <= 1 and (not herds or 0 in table.at(at, seat))
    return bool(table.tribes[seat].hand) or not plain
