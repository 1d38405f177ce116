"""Playing matches of the toy game through the service."""

from __future__ import annotations

import datetime as dt
from typing import Any

from engine.chance import seed_hash, seed_of_number
from service.core import locks
from service.core.models import DecisionRow, Match
from service.matches import journal, reading
from service.matches.tables import Guest
from tests.support.snapshots import once
from tests.support.tables import World

BEGAN = dt.datetime(2026, 11, 23, 9, 0, tzinfo=dt.UTC)
NAMES = ("Bea", "Carl", "Dora", "Emil", "Fay")


def opened(world: World, game: str, seats: int, seed: int = 5, **more: Any) -> int:
    """A table of so many people that has begun; the same match each time."""
    if type(world) is not World:  # its clock goes
        return _open(world, game, seats, seed, **more)
    name = ("opened", game, seats, seed, repr(more))
    return once(world, name, lambda: _open(world, game, seats, seed, **more))


def _open(world: World, game: str, seats: int, seed: int, **more: Any) -> int:
    guests = [
        Guest(address=f"g{n}@example.org", name=name, lang="fr" if n % 2 else "en")
        for n, name in enumerate(NAMES[: seats - 1])
    ]
    number = world.open(guests, game, hold_minutes=0, **more)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, number)
        match.seed = seed_of_number(seed)
        match.seed_hash = seed_hash(match.seed)
    world.everybody_accepts(number)
    world.hear(mail=True)
    return number


def to_the_duel(world: World, number: int) -> None:
    """Everybody's turn of the round is played."""
    while world.awaited(number).kind != "duel":
        world.submit(number)
        world.hear(mail=True)


def lay(world: World, number: int, seat: int) -> None:
    """A seat plays its default card."""
    rows = {row.seat: row for row in asked(world, number)}
    text = world.legal_turn(number, seat, rows[seat].decision)
    world.submit(number, text, seat=seat, decision=rows[seat].decision)
    world.hear(mail=True)


def starve(world: World, number: int, *seats: int) -> None:
    """Play on until these seats are out of the game (T§6), or it is over: they do not rest, and
    play low; of several each plays high in its round.
    """
    while (match := world.match(number)).status == "playing":
        if all(match.seats[seat].is_out for seat in seats):
            break
        row = world.awaited(number)
        with world.service.database.read() as session:
            state = journal.position(session, match).state
        hand, hungry = state.hands[row.seat], row.seat in seats
        low = hungry and (len(seats) == 1 or seats[state.round % len(seats)] != row.seat)
        text = {
            "camp": f"camp hill, {'draw' if hungry else 'rest'}",
            "dig": "draw" if hungry else "rest",
            "bury": f"bury {max(hand, default=0)}",
            "duel": f"play {(min if low else max)(hand, default=0)}",
        }[row.kind]
        world.submit(number, text, seat=row.seat, decision=row.decision)
        world.hear()
    world.hear(mail=True)


def asked(world: World, number: int) -> list[DecisionRow]:
    """The decisions the match waits for."""
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        return [
            row
            for seat in match.seats
            if seat.seat is not None
            for row in reading.open_decisions(session, match, seat.seat)
            if row.blocks
        ]
