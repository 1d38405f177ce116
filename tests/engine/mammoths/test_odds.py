"""The chances of fights are those of the rules (M§21), within what so many fights may differ."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from engine.chance import NoChance, SeededChance
from engine.mammoths import combat
from engine.mammoths.actions import CombatCard
from engine.mammoths.odds import against_herd, against_tribe, chance
from engine.mammoths.state import State
from engine.mammoths.table import Table
from tests.engine.mammoths.positions import A, B, C, position

FIGHTS, MANY = 500, 100_000
AMBUSH = CombatCard(title="T08", trigger="start")


class Case(NamedTuple):
    """A fight at hex 35, of which `chance` is that of the first tribe."""

    name: str
    chance: float
    state: State


def _tribes(
    mine: tuple[int, int], theirs: tuple[int, int], village: bool = False, cave: int = 0
) -> State:
    """Two tribes meet; a village or a cave worth `cave` is the first tribe's."""
    at = 24 if cave else 35
    own = {at: A} if village or cave else {}
    state = position({(at, A): mine, (at, B): theirs, (71, A): (1, 0), (72, B): (1, 0)}, camps=own)
    return replace(state, options=replace(state.options, cave_bonus=cave))


def _herd(w: int, f: int, animals: int, village: bool = False) -> State:
    camps = {35: A} if village else {}
    return position(
        {(35, A): (w, f), (71, A): (1, 0), (72, B): (1, 0)},
        herds={(35, "wolf"): animals},
        camps=camps,
    )


def _with_ambush() -> State:
    state = _tribes((2, 0), (3, 0))
    first = replace(state.tribes[A], hand=("T08",), orders=(AMBUSH,))
    return replace(state, tribes=(first, *state.tribes[1:]))


CASES = (
    Case("3 v 2", 12581 / 15376, _tribes((3, 0), (2, 0))),
    Case("5 v 3", 0.9624, _tribes((5, 0), (3, 0))),
    Case("2 v 3", 2795 / 15376, _tribes((2, 0), (3, 0))),
    Case("2 v 3, +1", 6573 / 15376, _tribes((2, 1), (3, 0), cave=1)),
    Case("2 v 3, +2", 236691 / 338272, _tribes((2, 1), (3, 0), cave=2)),
    Case("5 v 5, +2", 0.9566, _tribes((5, 1), (5, 0), cave=2)),
    Case("5 v 5, +1", 0.8054, _tribes((5, 1), (5, 0), cave=1)),
    Case("1 v 1", 0.5, _tribes((1, 0), (1, 0))),
    Case("2 v 1", 26 / 31, _tribes((2, 0), (1, 0))),
    Case("2 v 3, ambush at start", 7813 / 15376, _with_ambush()),
    Case("1 woman v 1 animal, no camp", 10 / 31, _herd(0, 1, 1)),
    Case("2 women v 1 animal, village", 0.75, _herd(0, 2, 1, village=True)),
    Case("2 women, village, v 2 women", 0.7550, _tribes((0, 2), (0, 2), village=True)),
    Case("2 warriors, 1 woman, village, v 3", 0.5, _herd(2, 1, 3, village=True)),
    Case("the same without camp", 0.2662, _herd(2, 1, 3)),
    Case(
        "three tribes",
        0.7188,
        position({(35, A): (3, 0), (35, B): (2, 0), (35, C): (2, 0)}, seats=3),
    ),
)


def share_won(state: State, fights: int, seed: bytes) -> float:
    """The share of fights after which the first tribe holds the hex."""
    chance = SeededChance(seed)
    at = next(group.hex for group in state.groups if group.seat == A)
    won = 0
    for _ in range(fights):
        table = Table(state, chance)
        combat.resolve(table, A, at)
        won += A in table.pawns.get(at, ()) and at not in table.herds
        chance.draws.clear()
    return won / fights


@pytest.mark.parametrize("fights", [FIGHTS, pytest.param(MANY, marks=pytest.mark.rarely)])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_m21_the_chance_to_win(case: Case, fights: int) -> None:
    spread = sqrt(case.chance * (1 - case.chance) / fights)
    assert abs(share_won(case.state, fights, b"\x01" * 32) - case.chance) < 4 * spread


def test_m21_what_bots_reckon_with() -> None:
    assert against_tribe(3, 2, 0).win == pytest.approx(12581 / 15376)
    assert against_tribe(2, 3, 2).win == pytest.approx(236691 / 338272)
    assert against_herd(0, 1, 0, 1).win == pytest.approx(10 / 31)
    assert against_herd(2, 1, 0, 3).win == pytest.approx(0.2662, abs=5e-5)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_m21_what_players_are_told(case: Case) -> None:
    """In percent, of one opponent; tricks count that are ordered and in hand."""
    at = next(group.hex for group in case.state.groups if group.seat == A)
    told = chance(Table(case.state, NoChance()), at, A)
    assert (told is None) == (case.name == "three tribes")
    assert told is None or told == pytest.approx(100 * case.chance, abs=0.6)


def test_m10_5_women_alone_are_lost_but_for_a_war_cry() -> None:
    """A war cry that waits until it is behind comes too late for a woman in a cave (M§14.4)."""
    state = position(
        {(24, A): (0, 1), (24, B): (1, 0), (71, A): (1, 0), (72, B): (1, 0)}, camps={24: A}
    )

    def told(*orders: CombatCard) -> int | None:
        first = replace(state.tribes[A], hand=("T04",), orders=orders)
        here = replace(state, tribes=(first, *state.tribes[1:]))
        return chance(Table(here, NoChance()), 24, A)

    assert told() == told(CombatCard(title="T04", trigger="behind")) == 0
    assert told(CombatCard(title="T04", trigger="start")) == 81
