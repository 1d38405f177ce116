"""The choices of decisions: every line of a move, examples of what nobody could list (M§24.12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

from msgspec.structs import replace

from engine.chance import NoChance
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.mammoths import actions as do
from engine.mammoths.combat import in_order, locations
from engine.mammoths.components import TRICKS, Hex
from engine.mammoths.moving import allows, legal_lines, play_line, ready
from engine.mammoths.reasons import home
from engine.mammoths.state import Moving, State
from engine.mammoths.table import Table
from engine.protocol import Seat


def of_move(state: State, seat: Seat) -> Iterator[do.Action]:
    yield do.Done()
    yield from legal_lines(Table(state, NoChance()), seat)


def of_setup(state: State, seat: Seat) -> Iterator[do.Action]:
    forests = [at for at in state.map.land if state.map.places[at].terrain == "forest"]
    plains = [at for at in state.map.land if state.map.places[at].terrain == "plain"]
    for at in (*forests[:3], *plains[:3]):
        yield do.Place(hexes=(at,))
    yield do.Place(hexes=(plains[0], forests[0]), sow=False)


def of_orders(state: State, seat: Seat) -> Iterator[do.Action]:
    """Orders that may matter, none of them what happens anyway, first those that are no plan of
    fights: of fights the order of those there are, of losses where both kinds stand. Who has no
    pawns any more comes back, no more."""
    hand, own = state.tribes[seat].hand, list(state.pawns_of(seat))
    if own or state.phase == "setup":
        for at in [group.hex for group in own[:1]]:
            near = state.map.places[at].neighbours[:2]
            tricks = (do.Spirits(hexes=(at,)), do.Retreat(at=at, to=near))
            yield from (each for each in tricks if do.title_of(each) in hand)
        yield from (do.Stores(title=t, trigger="always") for t in ("T14", "T15") if t in hand)
        yield do.CampChoice(at=0, burn=True)
        fights = in_order(Table(state, NoChance()), seat)
        yield from [do.Fights(hexes=tuple(reversed(fights)))] if len(fights) > 1 else ()
        yield do.EventLoss(sex="f")
        yield from (each for each in combat_cards(hand) if each.trigger == "behind")
        yield from _women_first(state, seat)
        yield do.Sow(hexes=())
    yield do.Reenter(hexes=state.map.border[:2])
    yield do.Forget(word="all")


def _women_first(state: State, seat: Seat) -> list[do.Loss]:
    """Women fall first where most of those stand who have warriors to save, and no camp goes."""
    camps = [camp.hex for camp in state.camps]
    mixed = [each for each in state.pawns_of(seat) if each.w and each.f > (each.hex in camps)]
    mixed.sort(key=lambda each: -each.w - each.f)
    return [do.Loss(at=each.hex, letters="f" + "w" * min(each.w, 2)) for each in mixed[:1]]


def of_answer(state: State, seat: Seat) -> Iterator[do.Action]:
    """Orders that decide something: who falls first where both kinds can (M§10.3, M§10.12), tricks
    in hand, the order of several fights, and what becomes of a conquered camp (M§10.10).
    """
    yield do.Answer()
    table = Table(state, NoChance())
    here = locations(table, seat)
    orders: list[do.FightOrder] = [order for at in here for order in _for_fight(table, seat, at)]
    if len(here) > 1:
        orders.append(do.Fights(hexes=tuple(reversed(in_order(table, seat)))))
    # Who has answered has a choice, too: what is on file is none.
    changing = not orders and state.tribes[seat].answer is not None
    if changing or any(at in table.camps and table.camps[at].seat != seat for at in here):
        orders.append(do.CampChoice(at=0, burn=True))
    yield from (do.Answer(orders=(order,)) for order in orders)


def _for_fight(table: Table, seat: Seat, at: Hex) -> Iterator[do.FightOrder]:
    w, f = table.at(at, seat)
    hunts = at in table.herds
    if hunts and w and f > table.owns_camp(at, seat):
        yield do.Loss(at=at, letters="w" * w)
        yield do.Loss(at=at, letters="f")
    for title in _for_fights(table.tribes[seat].hand):
        if hunts or title != "T09":
            yield do.CombatCard(title=title, at=at, trigger="start")


def _for_fights(hand: Sequence[str]) -> list[str]:
    """The tricks of a hand that go with a fight."""
    return [
        title for title in dict.fromkeys(hand) if TRICKS[title].window == "C" and title != "T20"
    ]


def combat_cards(hand: Sequence[str]) -> tuple[do.CombatCard, ...]:
    """An order for each of them: when it is needed; a pit trap from the start, and last."""
    return tuple(
        do.CombatCard(title=title, trigger="start" if title == "T09" else "behind")
        for title in sorted(_for_fights(hand), key="T09".__eq__)
    )


def _worth_planning(table: Table, seat: Seat) -> Iterator[tuple[do.Line, do.Condition]]:
    """Lines of different kinds that do not exclude each other, each with its condition: a warrior
    who helps against beasts in a camp, a camp founded, a warrior and a woman who may found one
    where they go (M§9.1), warriors who go where there is more to eat; none else to opponents or
    where their own stand, and none that gives up a camp (M§8.6). They depend on what everybody
    sees."""
    camps = ready(table, seat)

    def feeds(at: Hex) -> int:
        here = home(table.board, at)
        return here.water if table.state.season == "winter" else here.food

    def left(move: do.Move) -> int:
        """What feeds nobody any more where all of them leave."""
        return feeds(move.path[0]) * (table.count(move.path[0], seat) == move.w)

    def rank(move: do.Move) -> tuple[bool, int, bool]:
        end = move.path[-1]
        return (move.w, move.f) != (1, 1), -feeds(end), home(table.board, end).lava

    beset = [at for at in table.camps_of(seat) if at in table.herds]
    moves = (each for each in legal_lines(table, seat) if isinstance(each, do.Move))
    ones = (each for each in moves if beset and (each.w, each.f) == (1, 0))
    helps = (e for e in ones if e.path[-1] in beset and not table.opponents(e.path[0], seat))
    for each in sorted(helps, key=left)[:1]:
        yield each, do.Condition(what="opponents", hexes=each.path[-1:], number=1)
    lines = (each for each in legal_lines(table, seat) if _is_safe(each, table, seat))
    safe = sorted((each for each in lines if each.path[0] not in camps), key=rank)
    same = do.Condition(what="same")
    yield from ((do.Found(hex=at), same) for at in camps[:1])
    first = [e for e in safe[:1] if e.f or (not camps and feeds(e.path[-1]) > left(e))]
    yield from ((each, same) for each in first)
    ends = {each.path[-1] for each in first}
    others = (each for each in safe if not each.f and each.path[-1] not in ends)
    for each in [o for o in others if feeds(o.path[-1]) > left(o)][:1]:
        yield each, do.Condition(what="free", hexes=each.path[-1:])


def _is_safe(line: do.Line, table: Table, seat: Seat) -> TypeGuard[do.Move]:
    """True for a move to a free hex without own pawns; it weakens no fight and leaves no camp."""
    if not isinstance(line, do.Move) or not table.is_free(line.path[-1], seat):
        return False
    start, end = line.path[0], line.path[-1]
    keeps = line.f < table.at(start, seat)[1] or not table.owns_camp(start, seat)
    return keeps and not table.count(end, seat) and not table.opponents(start, seat)


def is_worth_filing(state: State, seat: Seat) -> bool:
    """True if there is a line to propose to who may file ahead; nobody learns anything by that."""
    table = Table(replace(state, moving=Moving()), NoChance())
    # Asked after each line: that there is one is enough, and they are not ranked.
    lines = legal_lines(table, seat)
    return bool(ready(table, seat)) or any(_is_safe(each, table, seat) for each in lines)


def of_file(state: State, seat: Seat) -> Iterator[do.Action]:
    """Plans of the next move, the one of all that is worth planning first; of who is to move now
    what they fall back on, for a plan of theirs would be played at once."""
    here = replace(state, moving=Moving())
    table = Table(here, NoChance())
    now = state.to_move == seat and not state.moving.lines
    lines = list(_worth_planning(table, seat))
    every = tuple(each for each, _ in lines)
    together = len(every) > 1 and all(allows(play_line, table, seat, each) for each in every)
    ways = [(every, do.Condition(what="same"))] * together
    ways += [((each,), condition) for each, condition in lines]
    for each, condition in ways:
        one = Alternative(conditions=(If(condition=condition),), lines=each)
        yield do.Draft(lines=each) if now else do.PlanMove(plan=Alternatives(alternatives=(one,)))
    if not (now and lines):
        always = If(condition=do.Condition(what="always"))
        stay: Alternative[Any, Any] = Alternative(conditions=(always,))
        yield do.PlanMove(plan=Alternatives(alternatives=(stay,), otherwise=Otherwise.STAY))
    yield do.Withdraw(plan="move")


def of_prepare(state: State, seat: Seat) -> Iterator[do.Action]:
    """Plans of tricks in hand and of women who fall first, else of conquered camps."""
    cards = combat_cards(state.tribes[seat].hand)
    falls = _women_first(state, seat)
    both = [(each, fall) for each in cards[:1] for fall in falls]
    single = [*cards, *falls] or [do.CampChoice(at=0, burn=True)]
    # Together first: one alone can be a standing order as well.
    for way in (*[cards] * (len(cards) > 1), *both, *((each,) for each in single)):
        one: Alternative[Any, Any] = Alternative(lines=way)
        yield do.PlanFight(plan=Alternatives(alternatives=(one,)))
    yield do.Withdraw(plan="combat")
