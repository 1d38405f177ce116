"""Choices of who dies, by standing order or by default (M§5.5, M§10.16, M§11.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.mammoths.actions import EventLoss, Loss, Starve
from engine.mammoths.components import Hex, Sex
from engine.mammoths.table import Table
from engine.protocol import Seat


def event_loss(table: Table, at: Hex, seat: Seat) -> Sex:
    """The pawn that an event takes (M§5.5)."""
    order = table.order_of(seat, EventLoss)
    wanted: Sex = order.sex if order else "f" if table.at(at, seat)[1] >= 3 else "w"
    return table.loss_of(at, seat, wanted)


def loss_plan(table: Table, at: Hex, seat: Seat) -> list[Sex]:
    """The letters of the loss plan for a hex, to be used up at one location (M§23.10)."""
    order = table.order_of(seat, Loss, at)
    return list(order.letters) if order else []


def combat_loss(table: Table, at: Hex, seat: Seat, plan: list[Sex]) -> Sex:
    """The pawn a fight takes where women take part; uses the plan up (M§10.16)."""
    if plan:
        return table.loss_of(at, seat, plan.pop(0))
    w, f = table.at(at, seat)
    return "f" if not w or (w == 1 and f > table.owns_camp(at, seat)) else "w"


def starve(table: Table, seat: Seat, number: int, cause: str) -> None:
    """So many pawns die in the order of the starvation plan (M§11.4)."""
    plan = starvation_plan(table, seat)
    for _ in range(min(number, table.total(seat))):
        at, sex = next_to_starve(table, seat, plan)
        table.kill(at, seat, sex, cause)


def starvation_plan(table: Table, seat: Seat) -> list[tuple[Hex, Sex]]:
    """The order `starve` of a tribe, pawn by pawn, to be used up."""
    order = table.order_of(seat, Starve)
    return pawn_by_pawn(order.pawns) if order else []


def pawn_by_pawn(pawns: tuple[tuple[Hex, str], ...]) -> list[tuple[Hex, Sex]]:
    """Hexes with letters as single pawns."""
    return [(at, cast(Sex, letter)) for at, letters in pawns for letter in letters]


def next_to_starve(table: Table, seat: Seat, plan: list[tuple[Hex, Sex]]) -> tuple[Hex, Sex]:
    """The pawn that starves next, by the plan as far as its pawns are there (RULING A19)."""
    while plan:
        at, sex = plan.pop(0)
        if table.of_sex(at, seat, sex):
            return at, sex
    return next(_by_default(table, seat))


def _by_default(table: Table, seat: Seat) -> Iterator[tuple[Hex, Sex]]:
    hexes = sorted(table.hexes_of(seat), key=lambda at: (-table.count(at, seat), at))
    camps = [at for at in hexes if table.owns_camp(at, seat)]
    outside = [at for at in hexes if at not in camps]
    classes: tuple[tuple[Sex, list[Hex], int], ...] = (
        ("w", outside, 0),
        ("f", outside, 0),
        ("f", camps, 1),
        ("w", camps, 0),
        ("f", camps, 0),
    )
    for sex, where, least in classes:
        for at in where:
            if table.of_sex(at, seat, sex) > least:
                yield at, sex
