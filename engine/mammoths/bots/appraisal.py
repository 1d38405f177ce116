"""The worth of a position to a tribe whose move ends here, by what everybody can see."""

from __future__ import annotations

from typing import Final

from engine.mammoths.bots.odds import against_herd, against_tribe
from engine.mammoths.combat import Fight
from engine.mammoths.components import ANIMALS, Hex
from engine.mammoths.seasons import births_in, cost, fishes, forage
from engine.mammoths.table import Table
from engine.protocol import Seat

_WARRIOR: Final = 3.0
_WOMAN: Final = 5.0
_CAMP: Final = 12.0
_FIRE: Final = 4.0
_CARD: Final = 1.0
_CHILD: Final = 3.4
_FIELD: Final = 2.0
_FOOD_VALUE: Final = {animal.name: animal.food for animal in ANIMALS}


def worth(table: Table, seat: Seat, *, ahead: bool = False) -> float:
    """A sum of pawns, camps and food, as the fights and the hunger to come will leave them.

    Who looks `ahead` counts what the end of a season brings, too.
    """
    value, fed, food, hungry = 0.0, 0.0, 0.0, table.total(seat)
    camps = 0.0
    for at in table.hexes_of(seat):
        safe, pay, mine = _stand(table, at, seat)
        w, f = table.at(at, seat)
        value += safe * (_WARRIOR * w + _WOMAN * f)
        fed += safe * (fishes(table, at, seat) + forage(table, at))
        food += pay
        camps += mine * (1.0 if f else 0.0)
        value += _place(table, at, seat, w, f) * safe
        value -= _neighbours(table, at, seat)
        if ahead:
            value += safe * mine * _season(table, at, seat)
            food += safe * _harvest(table, at)
    store = table.tribes[seat].all_food + food + fed - cost(table, seat)
    short = min(0.0, store)
    value += 4.0 * short + 0.6 * min(store, hungry) + 0.15 * max(0.0, min(store - hungry, 30))
    value += 1.2 * fed
    value += _CAMP * camps + 5.0 * max(0.0, camps - 2)
    value += _FIRE * table.has_fire(seat) + _CARD * len(table.tribes[seat].hand)
    return value


def _stand(table: Table, at: Hex, seat: Seat) -> tuple[float, float, float]:
    """What is left of the pawns on a hex, food of hunts, and the camps held or taken there."""
    w, f = table.at(at, seat)
    own_camp = table.owns_camp(at, seat)
    left, pay, taken = 1.0, 0.0, float(own_camp)
    others = [who for who in table.pawns[at] if who != seat]
    if others:
        lead = Fight(table, at).bonus(seat) - w
        strong = max(others, key=lambda who: table.at(at, who)[0])
        theirs = sum(table.at(at, who)[0] for who in others)
        lead -= Fight(table, at).bonus(strong) - table.at(at, strong)[0]
        women = sum(table.at(at, who)[1] for who in others)
        odds = against_tribe(w, theirs, lead) if w else against_tribe(f, max(1, women), lead)
        left = odds.left / max(1, w if w else f)
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
    return left, pay, taken * (left if own_camp or others else 1.0)


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


def _harvest(table: Table, at: Hex) -> float:
    if table.state.season == "winter" or not table.state.last_turn:
        return 0.0
    return 4.0 * table.fields.get(at, 0)


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
