"""The worth of a position to a tribe whose move ends here, by what everybody can see."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final, NamedTuple

from engine.chance import NoChance
from engine.kit.bots.lines import Line
from engine.mammoths.actions import Action
from engine.mammoths.combat import Fight
from engine.mammoths.components import ANIMALS, CAMPS_TO_WIN, Hex
from engine.mammoths.odds import against_herd, against_tribe
from engine.mammoths.seasons import births_in, cost, fishes, forage
from engine.mammoths.state import State
from engine.mammoths.table import Table
from engine.protocol import Seat

_WARRIOR: Final = 3.0
_WOMAN: Final = 5.0
_CAMP: Final = 12.0
_FIRE: Final = 4.0
_CARD: Final = 1.0
_CHILD: Final = 3.4
_FIELD: Final = 2.0
_SECOND: Final = 40.0
_FOURTH: Final = 4.0
"""Four camps for the second time, and for the first."""
_RIVAL: Final = 2.0
"""A camp of the others, shared among them."""
_FOOD_VALUE: Final = {animal.name: animal.food for animal in ANIMALS}


class Hexed(NamedTuple):
    """A hex in the worth of a position: its value, the food it feeds with, the food it pays, and
    the chances to hold a camp there and to rid another tribe of one.
    """

    value: float
    fed: float
    food: float
    camp: float
    rid: float


class Appraisal:
    """The worth of positions of one move to its tribe: a sum of pawns, camps and food, as the
    fights and the hunger to come will leave them. During the move the others stand where they are,
    so a hex is worth the same as long as the own pawns and camp there are.

    Who looks `ahead` counts what the end of a season brings, women and camps taken, and how near
    each tribe is to its fourth camp.
    """

    def __init__(self, seat: Seat, *, ahead: bool = False) -> None:
        self._seat, self._ahead = seat, ahead
        self._hexes: dict[Hashable, Hexed] = {}

    def __call__(self, table: Table) -> float:
        seat = self._seat
        value, fed, food, camps, hungry = 0.0, 0.0, 0.0, 0.0, 0
        rid: dict[Seat, float] = {}
        fire, markers = table.has_fire(seat), table.camp_markers(seat) > 0
        for at in table.hexes_of(seat):
            w, f = table.at(at, seat)
            camp = table.camps.get(at)
            key = (at, w, f, camp, table.fields.get(at), fire, markers)
            here = self._hexes.get(key)
            if here is None:
                here = self._hexes[key] = self._hexed(table, at)
            hungry += w + f
            value += here.value
            fed += here.fed
            food += here.food
            camps += here.camp
            if here.rid and camp is not None:
                rid[camp.seat] = rid.get(camp.seat, 0.0) + here.rid
        store = table.tribes[seat].all_food + food + fed - cost(table, seat)
        value += 4.0 * min(0.0, store) + 0.6 * min(store, hungry)
        value += 0.15 * max(0.0, min(store - hungry, 30)) + 1.2 * fed
        value += _CAMP * camps + 5.0 * max(0.0, camps - 2)
        value += _FIRE * fire + _CARD * len(table.tribes[seat].hand)
        return value + self._victories(table, camps, rid) if self._ahead else value

    def of(self, line: Line[State, Action]) -> float:
        """The worth of the position that a line leads to."""
        return self(Table(line.state, NoChance()))

    def _victories(self, table: Table, camps: float, rid: Mapping[Seat, float]) -> float:
        """How near the tribes are to four camps, or to have them for the second time (M§15.4)."""
        value = 0.0
        for seat, tribe in enumerate(table.tribes):
            mine = seat == self._seat
            number = camps if mine else len(table.camps_of(seat)) - rid.get(seat, 0.0)
            enough = max(0.0, min(1.0, number - CAMPS_TO_WIN + 1))
            worth = enough * (_SECOND if tribe.announced else _FOURTH)
            value += worth if mine else -worth - _RIVAL * number / (len(table.tribes) - 1)
        return value

    def _hexed(self, table: Table, at: Hex) -> Hexed:
        seat, camp = self._seat, table.camps.get(at)
        w, f = table.at(at, seat)
        safe, pay, mine, won = _stand(table, at, seat)
        value = safe * (_WARRIOR * w + _WOMAN * f + _place(table, at, seat, w, f))
        fed = safe * (fishes(table, at, seat) + forage(table, at))
        value -= _neighbours(table, at, seat)
        if not self._ahead:
            return Hexed(value, fed, pay, mine if f else 0.0, 0.0)
        # Women captured join, and hold the camp they are in (M§10.7, M§10.10).
        women = sum(n[1] for who, n in table.pawns[at].items() if who != seat) if w else 0
        joining = won * min(women, table.in_hand(seat, "f"))
        rid = mine if camp is not None and camp.seat != seat else 0.0
        held = mine if f or joining else 0.0
        value += _WOMAN * joining + safe * held * _season(table, at, seat)
        reaped = table.state.season != "winter" and table.state.last_turn
        pay += safe * 4.0 * table.fields.get(at, 0) * reaped
        return Hexed(value, fed, pay, held, rid)


def _stand(table: Table, at: Hex, seat: Seat) -> tuple[float, float, float, float]:
    """What is left of the pawns on a hex, food of hunts, the camps held or taken there, and the
    chance to beat other tribes.
    """
    w, f = table.at(at, seat)
    own_camp = table.owns_camp(at, seat)
    left, pay, taken, won = 1.0, 0.0, float(own_camp), 0.0
    others = [who for who in table.pawns[at] if who != seat]
    if others:
        lead = Fight(table, at).bonus(seat) - w
        strong = max(others, key=lambda who: table.at(at, who)[0])
        theirs = sum(table.at(at, who)[0] for who in others)
        lead -= Fight(table, at).bonus(strong) - table.at(at, strong)[0]
        women = sum(table.at(at, who)[1] for who in others)
        odds = against_tribe(w, theirs, lead) if w else against_tribe(f, max(1, women), lead)
        left, won = odds.left / max(1, w if w else f), odds.win
        pay += odds.win * 2 * min(women, 2)
        camp = table.camps.get(at)
        if camp is not None:
            taken = odds.win
            if not own_camp:
                pay += odds.win * (table.tribes[camp.seat].all_food // 4 + 6)
    extra = Fight(table, at, "wolf").bonus(seat) - w
    for species, counters in table.herds.get(at, {}).items():
        hunt = against_herd(round(w * left), f, extra, len(counters))
        left *= hunt.left / max(1, round(w * left) + f)
        pay += hunt.win * len(counters) * _FOOD_VALUE[species]
    return left, pay, taken * (left if own_camp or others else 1.0), won


def _place(table: Table, at: Hex, seat: Seat, w: int, f: int) -> float:
    """What a hex promises: a site for a camp, danger from who can come."""
    value = 0.0
    camp = table.camps.get(at)
    site = camp is None and not table.opponents(at, seat) and table.camp_markers(seat)
    if site and f:
        value += 3.0 if w else 0.8
    if camp is not None and f:
        value += 1.0 * min(f, 2) + 0.5 * camp.palisade + 1.0 * (table.fields.get(at, 0) > 0)
    return value


def _season(table: Table, at: Hex, seat: Seat) -> float:
    """What a camp brings when the season ends: children, and a field to sow."""
    if not table.state.last_turn or not table.owns_camp(at, seat):
        return 0.15 * min(2, table.at(at, seat)[1])
    sows = table.state.season == "winter" and table.board.places[at].terrain == "plain"
    return _CHILD * births_in(table, at, seat) + _FIELD * (sows and at not in table.fields)


def _neighbours(table: Table, at: Hex, seat: Seat) -> float:
    """The danger from the strongest tribe beside a hex."""
    threat = 0
    for near in table.board.places[at].neighbours:
        for who in table.pawns.get(near, ()):
            if who != seat and not table.board.river_between(at, near):
                threat = max(threat, table.at(near, who)[0])
    w, f = table.at(at, seat)
    w += table.owns_camp(at, seat)
    return 0.2 * max(0, threat - w) * (1 + 2 * f + 3 * (at in table.camps))
