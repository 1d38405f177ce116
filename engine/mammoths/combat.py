"""Fights of tribes and herds, conquest and capture: phase 5 (M§10, M§14.4, M§17.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from engine.kit.tuples import place_in
from engine.mammoths import losses
from engine.mammoths.actions import CampChoice, CombatCard, Fights, Herds, Retreat
from engine.mammoths.components import ANIMALS, SPECIES, Hex, Sex, Species
from engine.mammoths.state import Camp
from engine.mammoths.table import Facts, Table
from engine.protocol import Seat

Side: TypeAlias = Seat | None
"""A tribe in a fight by its seat; None are the animals."""
HOUSE: Final = dict(zip(SPECIES, (3, 5, 6, 3, 4, 6), strict=True))
"""Doubled values of the house variant (RULING A61)."""
AMBUSH_ROUNDS: Final = 2


def combats(table: Table) -> None:
    """All locations, in player order. Raises Over."""
    table.chapter = "combats"
    for seat in table.state.order:
        for at in in_order(table, seat):
            if is_contested(table, at, seat):
                resolve(table, seat, at)
                table.loss_check("combat")
                table.check_end()


def is_contested(table: Table, at: Hex, seat: Seat) -> bool:
    """True if the hex is a location the tribe is in (M§10.1)."""
    here = table.pawns.get(at, {})
    return seat in here and (len(here) > 1 or at in table.herds)


def locations(table: Table, seat: Seat) -> list[Hex]:
    return [at for at in table.hexes_of(seat) if is_contested(table, at, seat)]


def in_order(table: Table, seat: Seat) -> list[Hex]:
    """A tribe's locations in the order it wants, then by default (M§10.17, M§23.12)."""
    order = table.order_of(seat, Fights)
    wanted = order.hexes if order else ()

    def rank(at: Hex) -> tuple[int, bool, int, Hex]:
        tribes = [who for who in table.pawns[at] if who != seat]
        fight = Fight(table, at, "" if tribes else next(iter(table.herds[at])))
        mine = fight.bonus(seat)
        others = [fight.bonus(who) for who in tribes]
        others = others or [herd_bonus(table, at, s, seat) for s in table.herds[at]]
        return place_in(wanted, at), not tribes, max(others) - mine, at

    return sorted(locations(table, seat), key=rank)


def resolve(table: Table, seat: Seat, at: Hex) -> None:
    """One location: tribe stage, then herd stage (RULING A14)."""
    table.breath()
    pawns = tuple((who, *table.at(at, who)) for who in table.tribes_at(at))
    herds = tuple((s, len(n)) for s, n in table.herds.get(at, {}).items())
    table.tell("location_opened", None, (at,), by=seat, pawns=pawns, herds=herds)
    plans = {who: losses.loss_plan(table, at, who) for who in table.tribes_at(at)}
    if len(table.tribes_at(at)) > 1:
        _scatter(table, at)
        if len(table.tribes_at(at)) > 1:
            _tribe_stage(table, at, plans)
        table.loss_check("combat")
    for holder in table.tribes_at(at):
        for species in herds_in_order(table, at, holder):
            if table.count(at, holder):
                _scatter(table, at)
            if table.count(at, holder):
                _herd_fight(table, at, holder, species, plans[holder])
    table.tell("location_closed", None, (at,), holder=next(iter(table.tribes_at(at)), None))


class Fight:
    """One fight: at a hex against a species, or of tribes ("")."""

    def __init__(self, table: Table, at: Hex, species: Species | str = "") -> None:
        self.table = table
        self.at = at
        self.species = species
        self.unit = 2 if table.options.combat_values == "house" else 1
        self.played: dict[Seat, set[str]] = {}
        self.ambush: dict[Seat, int] = {}
        self.women_fight = False

    def cries(self, seat: Seat) -> bool:
        return "T04" in self.played.get(seat, ())

    def fighters(self, seat: Seat) -> int:
        """The participants of a tribe."""
        w, f = self.table.at(self.at, seat)
        return w + f if self.species or self.women_fight or self.cries(seat) else w

    def bonus(self, seat: Seat, against: Iterable[Seat] = ()) -> int:
        """The bonus of a tribe; `against` are the other tribes that roll."""
        table, at, unit = self.table, self.at, self.unit
        w, f = table.at(at, seat)
        woman = unit if self.cries(seat) else unit - 1
        total = unit * w + woman * f + self.camp_bonus(seat, against)
        total += unit * (self.species != "" and table.has_fire(seat))
        total += 2 * unit * (self.ambush.get(seat, 0) > 0)
        return total + self.flint(seat) * ("T10" in self.played.get(seat, ()))

    def flint(self, seat: Seat) -> int:
        """The part of a bonus that T10 brings."""
        return self.unit * (2 if self.species and self.table.has_fire(seat) else 1)

    def camp_bonus(self, seat: Seat, against: Iterable[Seat] = ()) -> int:
        """The part of a bonus that a camp of the tribe's own brings, with its palisade."""
        table, at, options = self.table, self.at, self.table.options
        if not table.owns_camp(at, seat):
            return 0
        burnt = not self.species and any(table.has_fire(other) for other in against)
        camp = options.village_bonus if table.board.camp_on(at) == "village" else options.cave_bonus
        return self.unit * (camp + (table.camps[at].palisade and not burnt))

    def play_cards(
        self, seats: Sequence[Seat], titles: tuple[str, ...], strongest: int | None, *, first: bool
    ) -> None:
        """Cards whose trigger has come, all looked at before any is played (M§14.4). `strongest` is
        the best bonus of a herd, None in a fight of tribes."""
        bonuses = {seat: self.bonus(seat, (o for o in seats if o != seat)) for seat in seats}
        chosen = []
        for seat in seats:
            others = [bonuses[other] for other in seats if other != seat]
            best = max(others, default=0) if strongest is None else strongest
            for title in titles:
                order = self.order(seat, title)
                if order is not None and self.is_due(order, seat, bonuses[seat], best, first):
                    chosen.append((seat, order))
        for seat, order in chosen:
            self.played.setdefault(seat, set()).add(order.title)
            self.table.play_card(seat, order.title, (self.at,), self.species, order.drop)
            if order.title == "T08":
                self.ambush[seat] = AMBUSH_ROUNDS

    def order(self, seat: Seat, title: str) -> CombatCard | None:
        """The order for this title, the most particular one, if the card may be played."""
        if title not in self.table.tribes[seat].hand or title in self.played.get(seat, ()):
            return None
        if title == "T04" and not self.table.at(self.at, seat)[1]:
            return None
        against = self.species or "tribes"
        fitting = [
            order
            for order in self.table.orders_of(seat)
            if isinstance(order, CombatCard)
            and order.title == title
            and order.at in (0, self.at)
            and order.against in ("", against)
        ]
        return min(fitting, key=lambda order: (not order.at, not order.against), default=None)

    def is_due(self, order: CombatCard, seat: Seat, own: int, best: int, first: bool) -> bool:
        """True if the trigger of an order for a trick has come."""
        match order.trigger:
            case "start":
                return first
            case "behind":
                return own < best
            case "fighters":
                return self.fighters(seat) <= order.most
        return False

    def round_over(self) -> None:
        """A round had a loser: ambushes wear off."""
        self.ambush = {seat: left - 1 for seat, left in self.ambush.items() if left > 1}


# Tribes


def _tribe_stage(table: Table, at: Hex, plans: dict[Seat, list[Sex]]) -> None:
    fight = Fight(table, at)
    sides = table.tribes_at(at)
    fight.play_cards(sides, ("T04",), None, first=True)
    fight.women_fight = not any(table.at(at, seat)[0] for seat in sides)
    winner = _contest(fight, [s for s in sides if fight.fighters(s)], plans)
    if not table.at(at, winner)[0] and not fight.women_fight:
        # Women who fought do not capture those who have not without a fight (RULING A25).
        rivals = [s for s in table.tribes_at(at) if s == winner or not fight.cries(s)]
        fight.women_fight = True
        winner = _contest(fight, rivals, plans)
    _conquer(table, at, winner)
    for victim in table.tribes_at(at):
        if victim != winner:
            _capture(table, at, victim, winner)


def _contest(fight: Fight, sides: list[Seat], plans: dict[Seat, list[Sex]]) -> Seat:
    """Rounds until one side is left: the winner."""
    table, at = fight.table, fight.at
    if len(sides) > 1:
        facts: Facts = {"sides": tuple((s, fight.fighters(s)) for s in sides), "against": "tribes"}
        table.tell("fight_began", None, (at,), tribes=sides, **facts)
    first = True
    while len(sides) > 1:
        fight.play_cards(sides, ("T04", "T08", "T10"), None, first=first)
        first = False
        losers = _roll(
            fight, [(who, fight.bonus(who, (o for o in sides if o != who))) for who in sides]
        )
        for seat in filter(losers.__contains__, sides):
            table.kill(at, seat, _tribe_loss(fight, seat, plans[seat]), "combat")
        if losers:
            fight.round_over()
            table.loss_check("combat", waiting=at)
            _abandon(fight)
        sides = [seat for seat in sides if fight.fighters(seat)]
    return sides[0]


def _roll(
    fight: Fight, bonuses: Sequence[tuple[Side, int]], seat: Seat | None = None
) -> tuple[Side, ...]:
    """A round of these sides with their bonuses, None the animals: all below the best lose."""
    dice: list[tuple[Side, int, int, int]] = []
    for side, bonus in bonuses:
        die = fight.table.chance.below("die", 6) + 1
        dice.append((side, die, bonus, fight.unit * die + bonus))
    best = max(total for *_, total in dice)
    losers = tuple(side for side, _, _, total in dice if total < best)
    told = tuple(dict(zip(("seat", "die", "bonus", "total"), each, strict=True)) for each in dice)
    tribes = [side for side, _ in bonuses if side is not None]
    fight.table.tell("round_rolled", seat, (fight.at,), tribes=tribes, sides=told, losers=losers)
    return losers


def _tribe_loss(fight: Fight, seat: Seat, plan: list[Sex]) -> Sex:
    """Warriors alone, women where there are none or where they fight beside them."""
    w, f = fight.table.at(fight.at, seat)
    if fight.cries(seat) and w and f:
        return losses.combat_loss(fight.table, fight.at, seat, plan)
    return "w" if w else "f"


def _abandon(fight: Fight) -> None:
    """A camp whose last woman fell while others of her tribe fight on (RULING A15)."""
    camp = fight.table.camps.get(fight.at)
    left = camp is not None and not fight.table.at(fight.at, camp.seat)[1]
    if camp is not None and left and fight.fighters(camp.seat):
        fight.table.remove_camp(fight.at, "combat")


def _conquer(table: Table, at: Hex, winner: Seat) -> None:
    """The camp of a beaten tribe: loot, then taken or burnt (M§10.8 to M§10.10)."""
    camp = table.camps.get(at)
    if camp is None or camp.seat == winner:
        return
    victim = camp.seat
    last = table.camps_of(victim) == [at]
    had_fire = table.has_fire(victim)
    loot = table.tribes[victim].all_food // (2 if last else 4)
    women, joining = _captives(table, at, victim, winner)
    wanted = table.order_of(winner, CampChoice, at)
    burnt = (wanted is not None and wanted.burn) or not table.camp_markers(winner)
    burnt = burnt or not table.at(at, winner)[1] + joining
    facts: Facts = {"victim": victim, "burnt": burnt, "loot": loot, "last": last}
    table.tell("camp_conquered", winner, (at,), tribes=(victim,), **facts)
    if loot:
        food, farm = table.lose_food(victim, loot, "loot")
        table.gain_told("food_gained", winner, food, farm, cause="loot", gained=food + farm)
    table.remove_camp(at, "conquered")
    if burnt:
        for _ in range(women):
            table.kill(at, victim, "f", "burnt")
    else:
        table.camps[at] = Camp(hex=at, seat=winner)
        _capture(table, at, victim, winner)
    if had_fire and not table.has_fire(winner) and table.camps_of(winner):
        table.give_fire(winner, "conquest")


def _captives(table: Table, at: Hex, victim: Seat, winner: Seat) -> tuple[int, int]:
    """The women of a beaten tribe, and how many of them join the winner: as many as there are pawns
    in hand for (M§10.7), and the neutral one."""
    women = table.of_sex(at, victim, "f")
    neutral = table.neutral[1] == (victim, at)
    return women, min(women - neutral, table.in_hand(winner, "f")) + neutral


def _capture(table: Table, at: Hex, victim: Seat, winner: Seat) -> None:
    """Women join the winner; those who cannot die (M§10.7)."""
    women, joined = _captives(table, at, victim, winner)
    if not women:
        return
    for kind in table.take(at, victim, f=women):
        table.neutral[kind] = (winner, at)
    table.add(at, winner, f=joined)
    facts: Facts = {"victim": victim, "joined": joined, "died": women - joined}
    table.tell("women_captured", winner, (at,), tribes=(victim,), **facts)


# Retreat


def _scatter(table: Table, at: Hex) -> None:
    """T20, before every other card (M§23.9)."""
    played = False
    for seat in table.tribes_at(at):
        order = table.order_of(seat, Retreat, at)
        played = (order is not None and _leave(table, at, seat, order)) or played
    if played:
        table.loss_check("T20")


def _leave(table: Table, at: Hex, seat: Seat, order: Retreat) -> bool:
    if "T20" not in table.tribes[seat].hand or at in table.frozen or at in table.closed:
        return False
    w, f = table.at(at, seat)
    if order.w or order.f:
        w, f = min(w, order.w), min(f, order.f)
    to = next((h for h in order.to if h in refuges(table, at, seat)), 0)
    if not to or not w + f:
        return False
    table.play_card(seat, "T20", (at, to), to, order.drop)
    table.shift(seat, at, to, w, f)
    table.tell("pawns_scattered", seat, (at, to), w=w, f=f, to=to)
    return True


def refuges(table: Table, at: Hex, seat: Seat) -> set[Hex]:
    """The hexes T20 leads to; with fire two steps, each legal (M§14.5)."""

    def steps(start: Hex) -> Iterator[Hex]:
        for to in table.board.places[start].neighbours:
            mountain = table.board.places[to].terrain == "mountain"
            dry = table.state.event == "N01" or not table.board.river_between(start, to)
            barred = mountain and table.state.event == "N07"
            if table.is_free(to, seat) and dry and not barred:
                yield to

    found = set(steps(at))
    if table.has_fire(seat):
        found |= {far for near in list(found) for far in steps(near)}
    return found - {at}


# Herds


def herd_bonus(table: Table, at: Hex, species: Species, seat: Seat) -> int:
    """The bonus of a herd against a tribe."""
    house = table.options.combat_values == "house"
    number = len(table.herds[at][species])
    total = number * (HOUSE[species] if house else 1)
    hungry = table.state.event == "N09" and species in ("wolf", "tiger")
    if hungry and not table.has_fire(seat):
        total += 2 if house else 1
    return total


def herds_in_order(table: Table, at: Hex, seat: Seat) -> list[Species]:
    """By the tribe's order, then the best difference; equal ones as in M§2.3."""
    order = table.order_of(seat, Herds, at)
    wanted = order.species if order else ()
    return sorted(
        table.herds.get(at, {}),
        key=lambda species: (
            place_in(wanted, species),
            herd_bonus(table, at, species, seat),
            SPECIES.index(species),
        ),
    )


def _herd_fight(table: Table, at: Hex, seat: Seat, species: Species, plan: list[Sex]) -> None:
    fight = Fight(table, at, species)
    sides = ((seat, fight.fighters(seat)), (None, len(table.herds[at][species])))
    table.tell("fight_began", seat, (at,), sides=sides, against=species)
    killed = _pit(fight, seat, species)
    first = True
    while species in table.herds.get(at, {}) and table.count(at, seat):
        strongest = herd_bonus(table, at, species, seat)
        fight.play_cards([seat], ("T04", "T08", "T10"), strongest, first=first)
        first = False
        losers = _roll(fight, [(seat, fight.bonus(seat)), (None, strongest)], seat)
        if None in losers:
            _slay(table, at, species, 1, "combat")
            killed += 1
        elif losers:
            table.kill(at, seat, losses.combat_loss(table, at, seat, plan), "combat")
            table.loss_check("combat")
        if losers:
            fight.round_over()
    if species not in table.herds.get(at, {}):
        # For all its dead (M§10.14).
        told: Facts = {"species": species, "number": killed, "each": prey(table, seat, species)}
        table.gain_told("hunt_paid", seat, told["each"] * killed, 0, at, **told)


def _pit(fight: Fight, seat: Seat, species: Species) -> int:
    """T09, after T04: the animals that die before the first roll."""
    table, at = fight.table, fight.at
    strongest = herd_bonus(table, at, species, seat)
    fight.play_cards([seat], ("T04",), strongest, first=True)
    fight.play_cards([seat], ("T09",), strongest, first=True)
    if "T09" not in fight.played.get(seat, ()):
        return 0
    dying = 2 if table.has_fire(seat) and len(table.herds[at][species]) >= 3 else 1
    _slay(table, at, species, dying, "T09")
    return dying


def _slay(table: Table, at: Hex, species: Species, number: int, cause: str) -> None:
    table.put_back(at, species, number)
    left = len(table.herds.get(at, {}).get(species, ""))
    for gone in range(number):
        facts: Facts = {"species": species, "left": left + number - gone - 1, "cause": cause}
        table.tell("animal_killed", None, (at,), **facts)


def prey(table: Table, seat: Seat, species: Species) -> int:
    """The food that an animal brings now (M§10.14)."""
    each = next(animal.food for animal in ANIMALS if animal.name == species)
    each += table.state.event == "S14"
    if "N05" in table.state.lasting and not table.has_fire(seat):
        each = max(0, each - 1)
    return each
