"""Positions and dice for tests about the rules: board 1 (W1 + E1) unless said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from engine.chance import SeededChance
from engine.mammoths import flow
from engine.mammoths.actions import Action, Done
from engine.mammoths.components import ANIMALS, DECK, EVENTS, SPECIES
from engine.mammoths.state import Camp, Closed, Field, Group, Herd, Options, State, Tribe
from engine.mammoths.table import Over, Table, in_order
from engine.protocol import Event, IllegalAction

T = TypeVar("T")

A, B, C, D, E = range(5)
"""Seats, as the scenarios call the tribes."""


class Rolls:
    """Dice that fall as said, by what they are for; the others are drawn. Shuffles keep the order.

    Faces count from 1; `lot` and `counter` are numbers from 0.
    """

    def __init__(self, **faces: Sequence[int]) -> None:
        self._faces = {what: list(queue) for what, queue in faces.items()}
        self._others = SeededChance(b"\x07" * 32)

    def below(self, what: str, n: int) -> int:
        key = "event" if what.startswith("event ") else what.partition(" ")[0]
        queue = self._faces.get(key)
        if queue:
            face = queue.pop(0)
            return face if key in ("first", "counter") else face - 1
        return self._others.below(what, n)

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items)

    @property
    def left(self) -> int:
        """The dice that were never rolled."""
        return sum(map(len, self._faces.values()))


def position(
    groups: Mapping[tuple[int, int], tuple[int, int]],
    *,
    herds: Mapping[tuple[int, str], int] | None = None,
    camps: Mapping[int, int] | None = None,
    fields: Mapping[int, int] | None = None,
    closed: Mapping[int, Any] | None = None,
    palisades: Sequence[int] = (),
    seats: int = 2,
    food: Mapping[int, int] | None = None,
    hands: Mapping[int, Sequence[str]] | None = None,
    orders: Mapping[int, Sequence[Any]] | None = None,
    fire: Mapping[int, int] | None = None,
    tribes: Mapping[int, Mapping[str, Any]] | None = None,
    options: Options | None = None,
    **fields_of_state: Any,
) -> State:
    """A position in the phase of moves, the first turn of a summer, with all that is named: groups
    and herds by (hex, seat or species). Who has no pawns is out.
    """
    options = options or Options(board=1)
    bag = {animal.name: in_order(animal.letters) for animal in ANIMALS}
    laid = []
    for (at, species), number in (herds or {}).items():
        name = next(s for s in SPECIES if s == species)
        counters, bag[name] = bag[name][:number], bag[name][number:]
        laid.append(Herd(hex=at, species=name, counters=counters))
    there = {seat for _, seat in groups}
    made = [
        Tribe(
            food=(food or {}).get(seat, 10),
            hand=tuple((hands or {}).get(seat, ())),
            orders=tuple((orders or {}).get(seat, ())),
            fire=(fire or {}).get(seat, 0),
            status="map" if seat in there else "out",
        )
        for seat in range(seats)
    ]
    for seat, changed in (tribes or {}).items():
        made[seat] = replace(made[seat], **changed)
    state = State(
        options=options,
        board=options.board or 1,
        seating=tuple(range(seats)),
        tribes=tuple(made),
        order=tuple(range(seats)),
        groups=tuple(
            Group(hex=at, seat=seat, w=w, f=f) for (at, seat), (w, f) in sorted(groups.items())
        ),
        herds=tuple(sorted(laid, key=lambda herd: (herd.hex, SPECIES.index(herd.species)))),
        camps=tuple(
            Camp(hex=at, seat=seat, palisade=at in palisades)
            for at, seat in sorted((camps or {}).items())
        ),
        fields=tuple(Field(hex=at, ears=ears) for at, ears in sorted((fields or {}).items())),
        closed=tuple(Closed(hex=at, cause=cause) for at, cause in sorted((closed or {}).items())),
        bag=tuple(bag[species] for species in SPECIES),
        aside=8,
        piles=(EVENTS["summer"], EVENTS["winter"]),
        deck=DECK,
        phase="move",
        turn=10,
        season="summer",
        number=1,
        first_year=False,
    )
    state = replace(state, **fields_of_state)
    return replace(state, shown=(Table(state, Rolls()).looks(),))


def run(state: State, phase: Callable[[Table], None], rolls: Rolls | None = None) -> Table:
    """The table after a phase, and after the end of the game if that comes."""
    table = Table(state, rolls or Rolls())
    try:
        phase(table)
    except Over:
        table.chapter = "dusk"
    return table


def play(state: State, seat: int, *actions: Action, rolls: Rolls | None = None) -> State:
    """The position after actions of one seat."""
    for action in actions:
        state = flow.apply(state, seat, action, rolls or Rolls()).state
    return state


def refusal(state: State, seat: int, *actions: Action) -> IllegalAction:
    """The error of the last of these actions."""
    before = play(state, seat, *actions[:-1])
    with pytest.raises(IllegalAction) as refused:
        flow.apply(before, seat, actions[-1], Rolls())
    return refused.value


def done(state: State, *seats: int, rolls: Rolls | None = None) -> State:
    """The position after these seats have moved nobody."""
    for seat in seats:
        state = flow.apply(state, seat, Done(), rolls or Rolls()).state
    return state


def herds(state: State | Table) -> dict[tuple[int, str], int]:
    """The number of animals by hex and species."""
    if isinstance(state, Table):
        state = state.freeze()
    return {(herd.hex, herd.species): len(herd.counters) for herd in state.herds}


def pawns(state: State | Table) -> dict[tuple[int, int], tuple[int, int]]:
    """Warriors and women by hex and seat."""
    if isinstance(state, Table):
        state = state.freeze()
    return {(group.hex, group.seat): (group.w, group.f) for group in state.groups}


def camps(state: State | Table) -> dict[int, int]:
    """The owners of camps by hex."""
    if isinstance(state, Table):
        state = state.freeze()
    return {camp.hex: camp.seat for camp in state.camps}


def of_kind(told: Sequence[Event], kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in told if event.kind == kind]


def kinds(told: Sequence[Event]) -> list[str]:
    return [event.kind for event in told]
