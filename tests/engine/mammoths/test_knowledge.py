"""Nobody learns what another holds or has filed (M§18.2, M§24.9)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import SeededChance, seed_of_number
from engine.journal import canonical
from engine.kit.plans.alternatives import Alternative, Alternatives
from engine.mammoths.actions import (
    Answer,
    CombatCard,
    Loss,
    Move,
    Place,
    PlanFight,
    PlanMove,
    Spirits,
)
from engine.mammoths.choices import of_file, of_orders, of_prepare
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.state import State
from engine.play import planned
from engine.protocol import Asks
from tests.engine.mammoths.matches import played
from tests.engine.mammoths.positions import A, B, C, done, play, position
from tests.support.cases import part


def permuted(state: State, seat: int, number: int) -> State:
    """The position with all that the seat cannot know otherwise: cards, piles, and what others have
    filed, or whether."""
    whim = random.Random(f"{seat} {number}")
    unseen = [*state.deck]
    others = [who for who in range(state.seats) if who != seat]
    for who in others:
        unseen += state.tribes[who].hand
    whim.shuffle(unseen)
    tribes = list(state.tribes)
    for who in others:
        tribe = tribes[who]
        hand = tuple(unseen.pop() for _ in tribe.hand)
        filed: dict[str, Any] = {"orders": (), "plan_move": None, "plan_fight": None, "draft": None}
        if tribe.status != "out" and whim.random() < 0.7:
            filed["orders"] = tuple(
                order for order in of_orders(state, who) if not hasattr(order, "word")
            )[: whim.randrange(8)]
        if state.phase == "move" and state.pawns_of(who) and whim.random() < 0.7:
            offered = [each for each in of_file(state, who) if isinstance(each, PlanMove)]
            if offered and who in state.order[state.mover :]:
                filed["plan_move"] = whim.choice(offered)
            filed["plan_fight"] = next(
                each for each in of_prepare(state, who) if isinstance(each, PlanFight)
            )
        if state.phase == "combat" and who in state.asked:
            filed["answer"] = whim.choice(
                [None, Answer(), Answer(orders=(Loss(at=0, letters="f"),))]
            )
        if state.phase == "setup":
            filed["wishes"] = whim.choice([None, Place(hexes=(35,)), Place(hexes=())])
        tribes[who] = replace(tribe, hand=hand, **filed)
    piles = [list(pile) for pile in state.piles]
    for pile in piles:
        whim.shuffle(pile)
    return replace(
        state,
        tribes=tuple(tribes),
        deck=tuple(unseen),
        piles=(tuple(piles[0]), tuple(piles[1])),
    )


def known(state: State, seat: int) -> list[Any]:
    """All that a seat is shown, offered and told to do."""
    seen = [canonical(MAMMOTHS.view(state, who)) for who in (seat, None)]
    own = [d for d in MAMMOTHS.decisions(state) if d.seat == seat]
    asked = [(d.id, d.kind, d.asks, [msgspec.json.encode(each) for each in d.choices]) for d in own]
    advice: list[Any] = []
    if any(decision.blocks for decision in own):
        advice = [MAMMOTHS.default(state, seat), MAMMOTHS.suggestions(state, seat, 3)]
        advice += [planned(MAMMOTHS, state, seat, expired=late) for late in (False, True)]
    public = MAMMOTHS.in_play(state), MAMMOTHS.scores(state)
    return [seen, asked, advice, public]


def _positions(seats: int) -> Iterator[State]:
    for number, bot in enumerate(("random", "greedy")):
        positions = played(seats, (bot,), number, files=0.7).positions
        yield positions[0].state
        yield from (each.state for each in positions[1 :: max(1, len(positions) // part(12))])


@pytest.mark.parametrize("seats", [2, 5])
def test_m18_2_all_a_seat_sees_is_the_same_whatever_it_cannot_know(seats: int) -> None:
    for state in _positions(seats):
        for seat in range(seats):
            seen = known(state, seat)
            for number in range(3):
                assert known(permuted(state, seat, number), seat) == seen


def test_m24_9_filing_changes_nothing_for_others() -> None:
    at = position({(35, A): (2, 1), (46, B): (1, 1), (71, C): (1, 1)}, seats=3, hands={B: ["T08"]})
    before = [known(at, A), known(at, C)]
    file = next(d for d in MAMMOTHS.decisions(at) if d.id == f"10.file.{B}")
    assert file.asks is Asks.INVITE
    filed = at
    for plan in [next(iter(file.choices)), CombatCard(title="T08", trigger="start"), Spirits()]:
        step = MAMMOTHS.apply(filed, B, plan, SeededChance(b""))
        assert all(event.audience == (B,) for event in step.events)
        filed = step.state
    assert [known(filed, A), known(filed, C)] == before


def test_m19_1_nobody_learns_who_has_sealed_his_orders() -> None:
    groups = {(35, A): (2, 0), (35, B): (2, 0), (35, C): (1, 0), (71, A): (1, 0)}
    at = position(groups, seats=3, hands={A: ["T08"], B: ["T01"], C: ["T01"]}, phase="combat")
    at = replace(at, asked=(A, B, C))
    before = known(at, C)
    orders = (CombatCard(title="T08", at=35, trigger="start"),)
    sealed = play(at, A, Answer(orders=orders))
    assert known(sealed, C) == before
    changed = play(sealed, A, Answer())
    assert known(changed, C) == before
    mine = next(d for d in MAMMOTHS.decisions(sealed) if d.kind == "combat" and d.seat == A)
    assert (mine.id, mine.asks) == (f"10.combat.{A}", Asks.MAY)
    one = play(play(sealed, B, Answer()), C, Answer())
    other = play(play(play(at, C, Answer()), B, Answer()), A, Answer(orders=orders))
    assert one == other


def test_m24_7_who_is_not_asked_uses_a_combat_plan_too() -> None:
    at = position(
        {(35, A): (2, 0), (31, A): (1, 1), (71, B): (1, 1)},
        herds={(35, "bear"): 3},
        hands={A: ["T10"], B: ["T01"]},
    )
    lines = (CombatCard(title="T10", at=35, trigger="start"),)
    plan: Any = Alternatives(alternatives=(Alternative(lines=lines),))
    after = done(play(at, A, PlanFight(plan=plan)), A, B)
    assert "T10" in after.discards
    assert after.tribes[A].plan_fight is None


def test_m24_11_ids_stay_the_same() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)}, hands={A: ["T01"], B: ["T01"]})
    ids = {d.id for d in MAMMOTHS.decisions(at)}
    kinds = ("file", "prepare", "orders")
    assert ids == {"10.move.0"} | {
        f"{0 if kind == 'orders' else 10}.{kind}.{seat}" for kind in kinds for seat in (A, B)
    }
    later = play(at, A, Move(w=1, f=0, path=(35, 36)))
    assert {d.id for d in MAMMOTHS.decisions(later)} == ids


def test_a_guess_holds_nothing_that_others_filed() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)}, hands={A: ["T01"], B: ["T02"]})
    filed = play(at, B, Spirits())
    guess = MAMMOTHS.guess(filed, A, SeededChance(seed_of_number(1)))
    assert guess.tribes[B].orders == ()
    assert MAMMOTHS.view(guess, A) == MAMMOTHS.view(filed, A)
