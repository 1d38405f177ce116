"""The fights that stand as the pawns stand now, with all that is open about them (M§10)."""

from __future__ import annotations

import msgspec

from engine.mammoths.combat import Fight, herd_bonus, locations, prey
from engine.mammoths.components import Hex, Species
from engine.mammoths.odds import chance
from engine.mammoths.table import Table
from engine.protocol import Seat


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A tribe in a fight; `bonus` is what it adds to its die in the first roll, without cards, and
    `camp` how much of that its camp there brings. Women alone do not roll against warriors: it
    `fights` no more than by a trick (M§10.5)."""

    seat: Seat
    w: int
    f: int
    bonus: int
    camp: int = 0
    fights: bool = True


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """A fight of a tribe: its own side, the others, and the beasts by species, number and bonus;
    `camp` is whose camp is there, `food` what they bring if all fall (M§10.14). A warrior adds
    `unit` to the die (M§10.4). `chance` is that to win in percent, against tribes if there are any;
    None where it is not known."""

    hex: Hex
    own: Side
    rivals: tuple[Side, ...]
    herds: tuple[tuple[Species, int, int], ...]
    camp: Seat | None
    food: int
    unit: int = 1
    chance: int | None = None


def battles(table: Table, seat: Seat) -> tuple[Battle, ...]:
    """The fights of a tribe, by hex."""
    return tuple(_battle(table, at, seat) for at in locations(table, seat))


def _battle(table: Table, at: Hex, seat: Seat) -> Battle:
    herds, tribes = table.herds.get(at, {}), table.tribes_at(at)
    fight = Fight(table, at, next(iter(herds)) if len(tribes) == 1 else "")
    fight.women_fight = not any(table.at(at, who)[0] for who in tribes)

    def side(who: Seat) -> Side:
        w, f = table.at(at, who)
        others = [other for other in tribes if other != who]
        camp = fight.camp_bonus(who, others)
        fights = fight.fighters(who) > 0
        return Side(seat=who, w=w, f=f, bonus=fight.bonus(who, others), camp=camp, fights=fights)

    return Battle(
        hex=at,
        own=side(seat),
        rivals=tuple(side(who) for who in tribes if who != seat),
        herds=tuple(
            (species, len(letters), herd_bonus(table, at, species, seat))
            for species, letters in herds.items()
        ),
        camp=table.camps[at].seat if at in table.camps else None,
        unit=fight.unit,
        chance=chance(table, at, seat),
        food=sum(prey(table, seat, species) * len(letters) for species, letters in herds.items()),
    )
