"""Animals move, and the order of the turn (M§7, M§8.1)."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from tests.referee.mammoths_dawn import Dawn
from tests.referee.mammoths_names import (
    BEAR,
    CLIMBS,
    FAR,
    MOVE,
    SPECIES,
    TRAMPLES,
    Plain,
    step,
)

MOST = 7
"""Movers of a stretch whose orders are all tried."""


class Mover(NamedTuple):
    start: int
    direction: int
    reversed: bool


class Walk(NamedTuple):
    start: int
    path: list[int]
    joined: bool


class Herds(Dawn):
    def move_animals(self) -> None:
        self.new_unit()
        if self.event in ("S12", "N07"):
            for here, species in sorted(self.herds):
                self.hold(here, species, self.event)
            return
        self.courses: dict[int, int] = {}
        self.baited: set[tuple[int, int]] = set()
        for seat in self.in_turn():
            if seat not in self.reentered:
                self.beaters(seat)
                for order in self.orders_of(seat):
                    if order["do"] == "bait":
                        self.bait(seat, order)
        die = self.draws.number("direction", 6)
        self.die = die + 1
        self.new_unit()
        self.tell("direction_die", die=self.die)
        for species in range(6):
            self.new_unit()
            self.move_species(species, self.courses.get(species, die))

    def hold(self, here: int, species: int, cause: str) -> None:
        number = len(self.herds[here, species])
        self.tell("herd_held", None, [here], species=SPECIES[species], number=number, cause=cause)

    # Cards of the dawn

    def beaters(self, seat: int) -> None:
        order = self.first_order(seat, "beaters")
        if order is None or "T11" not in self.tribes[seat].hand:
            return
        if order["herd"] is not None:
            wanted, near = SPECIES.index(order["herd"]), order["near"]
            if not any(k == wanted and FAR[near][h] <= order["distance"] for h, k in self.herds):
                return
        species = order["species"][: 2 if self.burning(seat) else 1]
        for name in species:
            self.courses[SPECIES.index(name)] = order["direction"]
        target = {"species": species, "direction": order["direction"] + 1}
        self.plays(seat, "T11", target, order["drop"])

    def bait(self, seat: int, order: Plain) -> None:
        if "T12" not in self.tribes[seat].hand:
            return
        own = self.where(seat)
        held = {h for h, _ in self.groups}
        for name in order["species"]:
            species = SPECIES.index(name)
            near = [
                h
                for h, k in self.herds
                if k == species
                and h not in held
                and (h, k) not in self.baited
                and FAR[h][order["at"]] <= order["distance"]
                and any(FAR[h][there] <= 2 for there in own)
            ]
            if near:
                here = min(near, key=lambda h: (-len(self.herds[h, species]), h))
                self.baited.add((here, species))
                self.plays(seat, "T12", {"species": name, "hex": here}, order["drop"], here)
                return

    # Movement

    def open_step(self, here: int, direction: int, species: int) -> int:
        """The next hex, or 0 if the step is not open."""
        there = step(here, direction)
        if not there or there in self.closed:
            return 0
        terrain = self.board.terrain[there]
        if terrain == "lake" or (terrain == "mountain" and not CLIMBS[species]):
            return 0
        return 0 if species != BEAR and self.river(here, there) else there

    def move_species(self, species: int, direction: int) -> None:
        held, movers = [], []
        pawns = {h for h, _ in self.groups}
        for here in sorted(h for h, k in self.herds if k == species):
            cause = ""
            if here in pawns:
                cause = "pawns"
            elif (here, species) in self.baited:
                cause = "T12"
            elif here in self.frozen:
                cause = "N04"
            elif self.open_step(here, direction, species):
                movers.append(Mover(here, direction, False))
            elif self.open_step(here, (direction + 3) % 6, species):
                movers.append(Mover(here, (direction + 3) % 6, True))
            else:
                cause = "obstacle"
            if cause:
                held.append(here)
                self.hold(here, species, cause)
        allowance = MOVE[species] + (self.event == "N09" and species <= 1)
        moving = {mover.start: self.herds.pop((mover.start, species)) for mover in movers}
        left = movers
        while left:
            stretch = self.stretch(left[0].start, direction, species)
            together = [mover for mover in left if mover.start in stretch]
            left = [mover for mover in left if mover.start not in stretch]
            ended = [h for h, k in self.herds if k == species]
            by_start = {mover.start: mover for mover in together}
            for walk in self.best_order(together, ended, species, allowance):
                number, end = len(moving[walk.start]), walk.path[-1]
                self.join(end, species, moving[walk.start])
                data = {"species": SPECIES[species], "number": number, "path": walk.path}
                data |= {"reversed": by_start[walk.start].reversed, "joined": walk.joined}
                self.tell("herd_moved", None, [walk.start, end], **data)
                for entered in walk.path[1:] if TRAMPLES[species] else ():
                    self.field_loses(entered, 1, "trampled")

    def stretch(self, here: int, direction: int, species: int) -> set[int]:
        found = {here}
        for way in (direction, (direction + 3) % 6):
            there = self.open_step(here, way, species)
            while there:
                found.add(there)
                there = self.open_step(there, way, species)
        return found

    def best_order(
        self, movers: list[Mover], ended: list[int], species: int, allowance: int
    ) -> list[Walk]:
        """M§7.5."""
        orders = [tuple(movers)] if len(movers) > MOST else list(permutations(movers))
        best: tuple[int, list[int], list[Walk]] | None = None
        for order in orders:
            herds, walks = set(ended), []
            for mover in order:
                walk = self.walk(mover, herds, species, allowance)
                herds.add(walk.path[-1])
                walks.append(walk)
            starts = [mover.start for mover in order]
            if best is None or (len(herds), starts) < best[:2]:
                best = len(herds), starts, walks
        assert best is not None
        return best[2]

    def walk(self, mover: Mover, ended: set[int], species: int, allowance: int) -> Walk:
        path, pawns = [mover.start], {h for h, _ in self.groups}
        for _ in range(allowance):
            there = self.open_step(path[-1], mover.direction, species)
            if not there:
                break
            path.append(there)
            if there in pawns or there in ended:
                break
        return Walk(mover.start, path, path[-1] in ended)

    # The order of the turn

    def set_order(self) -> None:
        self.new_unit()
        self.tracks = []
        lot: list[int] = []
        living = [seat for seat in self.seating if self.tribes[seat].status == "map"]
        if not living:
            return
        if self.turn > 1:
            best = max(self.score(seat) for seat in living)
            first = [seat for seat in living if self.score(seat) == best]
            if len(first) > 1:
                lot = first
                first = [first[self.draws.number("first of the turn", len(first))]]
            at = self.seating.index(first[0])
            self.order = self.seating[at:] + self.seating[:at]
        self.tell("order_set", order=self.in_turn(), by_lot=lot)

    def track(self, seat: int) -> Plain | None:
        return next((track for track in self.tracks if track["seat"] == seat), None)
