"""Moves of animals: phase 3 (M§7)."""

from __future__ import annotations

from itertools import permutations
from typing import Final, NamedTuple

from engine.mammoths.actions import Bait, Beaters
from engine.mammoths.components import ANIMALS, Animal, Hex, Species
from engine.mammoths.dawn import trample
from engine.mammoths.table import Facts, Table
from engine.protocol import Seat

MOST_TRIED: Final = 7
"""So many movers of one stretch are tried in every order."""


class _Mover(NamedTuple):
    """A herd that moves: where it starts, and its direction."""

    start: Hex
    direction: int
    reversed: bool


def move_herds(table: Table) -> None:
    """The D cards, the direction die, and each species in turn."""
    table.chapter = "herds"
    table.breath()
    if table.state.event in ("S12", "N07"):
        for at in sorted(table.herds):
            for species in table.herds[at]:
                _tell_held(table, at, species, table.state.event)
        return
    driven: dict[Species, int] = {}
    baited: set[tuple[Hex, Species]] = set()
    # Cards of a tribe that has just come back count from its move on (RULING A32).
    for seat in table.on_map():
        if table.tribes[seat].back != table.state.turn:
            _beat(table, seat, driven)
            for order in table.orders_of(seat):
                if isinstance(order, Bait):
                    _bait(table, seat, order, baited)
    die = table.chance.below("direction", 6)
    table.set(die=die + 1)
    table.breath()
    table.tell("direction_die", die=die + 1)
    for animal in ANIMALS:
        table.breath()
        _move_species(table, animal, driven.get(animal.name, die), baited)


def _tell_held(table: Table, at: Hex, species: Species, cause: str) -> None:
    number = len(table.herds[at][species])
    table.tell("herd_held", None, (at,), species=species, number=number, cause=cause)


def _beat(table: Table, seat: Seat, driven: dict[Species, int]) -> None:
    """T11: the last in player order wins (M§14.5)."""
    order = table.order_of(seat, Beaters)
    if order is None or "T11" not in table.tribes[seat].hand:
        return
    if order.herd is not None and not any(
        order.herd in herds and table.board.distance(order.near, at) <= order.distance
        for at, herds in table.herds.items()
    ):
        return
    species = order.species[: 2 if table.has_fire(seat) else 1]
    target = {"species": species, "direction": order.direction + 1}
    table.play_card(seat, "T11", (), target, order.drop)
    driven.update(dict.fromkeys(species, order.direction))


def _bait(table: Table, seat: Seat, order: Bait, baited: set[tuple[Hex, Species]]) -> None:
    """T12: the first species of the list of which a herd is near, its largest herd."""
    if "T12" not in table.tribes[seat].hand:
        return
    own = table.hexes_of(seat)
    for species in order.species:
        near = [
            at
            for at, herds in sorted(table.herds.items())
            if species in herds
            and at not in table.pawns
            and (at, species) not in baited
            and table.board.distance(order.at, at) <= order.distance
            and any(table.board.distance(at, mine) <= 2 for mine in own)
        ]
        if near:
            at = max(near, key=lambda at: (len(table.herds[at][species]), -at))
            table.play_card(seat, "T12", (at,), {"species": species, "hex": at}, order.drop)
            baited.add((at, species))
            return


def _enters(table: Table, animal: Animal, at: Hex) -> bool:
    if not at or at in table.closed:
        return False
    terrain = table.board.places[at].terrain
    return terrain != "lake" and (animal.mountains or terrain != "mountain")


def _is_open(table: Table, animal: Animal, start: Hex, direction: int) -> bool:
    """True if a step may be made (M§7.2)."""
    place = table.board.places[start]
    crosses = animal.rivers or table.state.event == "N01" or direction not in place.rivers
    return crosses and _enters(table, animal, place.sides[direction])


def _move_species(
    table: Table, animal: Animal, direction: int, baited: set[tuple[Hex, Species]]
) -> None:
    species = animal.name
    held: set[Hex] = set()
    movers: dict[Hex, _Mover] = {}
    for at in sorted(at for at, herds in table.herds.items() if species in herds):
        ways = (way for way in (direction, (direction + 3) % 6) if _is_open(table, animal, at, way))
        way = next(ways, None)
        cause = (
            "pawns" if at in table.pawns
            else "T12" if (at, species) in baited
            else "N04" if at in table.frozen
            else "obstacle" if way is None
            else ""
        )  # fmt: skip
        if cause or way is None:
            held.add(at)
            _tell_held(table, at, species, cause)
        else:
            movers[at] = _Mover(at, way, reversed=way != direction)
    while movers:
        stretch = _stretch(table, animal, next(iter(movers)), direction)
        together = [movers.pop(at) for at in sorted(stretch) if at in movers]
        _move_together(table, animal, together, held & stretch)


def _stretch(table: Table, animal: Animal, start: Hex, direction: int) -> set[Hex]:
    """The hexes of one line that no obstacle parts."""
    found = {start}
    for way in (direction, (direction + 3) % 6):
        at = start
        while _is_open(table, animal, at, way):
            at = table.board.places[at].sides[way]
            found.add(at)
    return found


def _move_together(table: Table, animal: Animal, movers: list[_Mover], held: set[Hex]) -> None:
    """The movers of a stretch in the order that leaves the fewest herds (M§7.5)."""
    orders = permutations(movers) if len(movers) <= MOST_TRIED else iter([tuple(movers)])
    best = min(
        orders,
        key=lambda order: (
            len(held | {path[-1] for path in _paths(table, animal, order, held)}),
            [mover.start for mover in order],
        ),
    )
    lifted = {mover.start: table.herds[mover.start].pop(animal.name) for mover in movers}
    for mover in movers:
        if not table.herds[mover.start]:
            del table.herds[mover.start]
    for mover, path in zip(best, _paths(table, animal, best, held), strict=True):
        counters, end = lifted[mover.start], path[-1]
        number, way = len(counters), (mover.start, *path)
        moved: Facts = {"species": animal.name, "number": number, "path": way}
        moved |= {"reversed": mover.reversed, "joined": animal.name in table.herds.get(end, {})}
        table.put_herd(end, animal.name, counters)
        table.tell("herd_moved", None, (mover.start, end), **moved)
        for entered in path:
            trample(table, entered, animal.name, "trampled")


def _paths(
    table: Table, animal: Animal, order: tuple[_Mover, ...], held: set[Hex]
) -> list[list[Hex]]:
    """The hexes that each mover enters, moving in this order (M§7.4)."""
    fast = table.state.event == "N09" and animal.name in ("wolf", "tiger")
    ended, paths = set(held), []
    for mover in order:
        at, path = mover.start, []
        for _ in range(4 if fast else animal.move):
            if not _is_open(table, animal, at, mover.direction):
                break
            at = table.board.places[at].sides[mover.direction]
            path.append(at)
            if at in table.pawns or at in ended:
                break
        ended.add(at)
        paths.append(path)
    return paths
