"""Combat: locations, the cards of fights, retreats and rounds (M§10, M§14)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from tests.referee.mammoths_moves import Moves
from tests.referee.mammoths_names import HOUSE, NEAR, SPECIES, Plain


class Fight:
    """One fight of a location: a stage of tribes, or one herd."""

    def __init__(self, here: int, species: int | None) -> None:
        self.here, self.species = here, species
        self.played: set[tuple[int, str]] = set()
        self.looked: set[tuple[int, str]] = set()
        self.ambush: dict[int, int] = {}
        self.women: set[int] = set()
        """Tribes whose women fight as women."""

    def cried(self, seat: int) -> bool:
        return (seat, "T04") in self.played

    @property
    def against(self) -> str:
        return "tribes" if self.species is None else SPECIES[self.species]


class Fights(Moves):
    plans_here: dict[int, list[str]]
    """What is left of the loss plans at the present location."""

    # Bonuses

    def camp_bonus(self, here: int, seat: int, rolling: Iterable[int] = ()) -> int:
        """With the palisade, which is void while another that rolls has fire."""
        if not self.own_camp(here, seat):
            return 0
        kind = self.board.kind(here)
        bonus: int = self.options[f"{kind}_bonus"]
        void = any(self.burning(other) for other in rolling if other != seat)
        return bonus + (1 if self.camps[here][1] and not void else 0)

    def bonus(self, fight: Fight, seat: int, rolling: Iterable[int]) -> int:
        group, here = self.pawns(fight.here, seat), fight.here
        herd = fight.species is not None
        warriors = group["w"] + (group["f"] if fight.cried(seat) else 0)
        women = 0 if fight.cried(seat) else group["f"]
        rest = self.camp_bonus(here, seat, () if herd else rolling)
        if herd:
            rest += self.burning(seat)
        if fight.ambush.get(seat, 0):
            rest += 2
        if (seat, "T10") in fight.played:
            rest += 2 if herd and self.burning(seat) else 1
        if self.house:
            return 2 * warriors + women + 2 * rest
        return warriors + rest

    def herd_bonus(self, here: int, species: int, seat: int) -> int:
        number = len(self.herds[here, species])
        angry = self.event == "N09" and species <= 1 and not self.burning(seat)
        return HOUSE[species] * number + 2 * angry if self.house else number + angry

    def fighters(self, fight: Fight, seat: int) -> int:
        group = self.pawns(fight.here, seat)
        if fight.species is not None or fight.cried(seat):
            return sum(group.values())
        return group["f"] if seat in fight.women else group["w"]

    # Locations

    def is_location(self, here: int) -> bool:
        tribes = self.here_in_turn(here)
        return len(tribes) > 1 or (bool(tribes) and bool(self.herds_at(here)))

    def locations(self, seat: int) -> list[int]:
        return [here for here in self.where(seat) if self.is_location(here)]

    def odds(self, here: int, seat: int) -> tuple[bool, int]:
        """The default place of a location: tribes first, then the best difference."""
        tribes = self.here_in_turn(here)
        if len(tribes) > 1:
            stage = Fight(here, None)
            own = self.bonus(stage, seat, ())
            others = [self.bonus(stage, one, ()) for one in tribes if one != seat]
            return False, max(others) - own
        herds = self.herds_at(here)
        worst = max(self.herd_bonus(here, species, seat) for species in herds)
        return True, worst - self.bonus(Fight(here, herds[0]), seat, ())

    def combat(self) -> None:
        for seat in list(self.order):
            order = self.first_order(seat, "fights")
            named: list[int] = order["hexes"] if order else []
            todo = [
                (named.index(h) if h in named else len(named), self.odds(h, seat), h)
                for h in self.locations(seat)
            ]
            for _, _, here in sorted(todo):
                if self.is_location(here):
                    self.resolve(here, seat)
                    if self.over:
                        return

    def resolve(self, here: int, by: int) -> None:
        self.new_unit()
        tribes = self.here_in_turn(here)
        pawns = [[s, self.pawns(here, s)["w"], self.pawns(here, s)["f"]] for s in tribes]
        herds = [[SPECIES[k], len(self.herds[here, k])] for k in self.herds_at(here)]
        self.tell("location_opened", None, [here], by=by, pawns=pawns, herds=herds)
        self.plans_here = {}
        for seat in tribes:
            order = self.order_at(seat, "loss", here)
            self.plans_here[seat] = list(order["letters"]) if order else []
        if len(tribes) > 1:
            self.retreats(here)
            if len(self.here_in_turn(here)) > 1:
                self.tribe_stage(here)
            self.loss_check("combat")
        self.herd_stage(here)
        left = self.here_in_turn(here)
        self.tell("location_closed", None, [here], holder=left[0] if left else None)
        self.loss_check("combat")
        self.end_check()

    def tribe_stage(self, here: int) -> None:
        raise NotImplementedError

    # Retreats

    def retreats(self, here: int) -> None:
        played = False
        for seat in self.here_in_turn(here):
            order = self.first_order(seat, "retreat", lambda one: one["at"] == here)
            if order is None or "T20" not in self.tribes[seat].hand:
                continue
            if here in self.frozen or here in self.closed:
                continue
            there = next((h for h in order["to"] if self.may_flee(here, h, seat)), 0)
            if not there:
                continue
            group = self.pawns(here, seat)
            numbers = {sex: min(order[sex], group[sex]) for sex in "wf"}
            if not order["w"] and not order["f"]:
                numbers = dict(group)
            if not any(numbers.values()):
                continue
            self.plays(seat, "T20", there, order["drop"], here, there)
            for sex, number in numbers.items():
                self.shift(here, there, seat, sex, number)
            self.tell("pawns_scattered", seat, [here, there], **numbers, to=there)
            played = True
        if played:
            self.loss_check("T20")

    def may_flee(self, here: int, there: int, seat: int) -> bool:
        if there == here:
            return False
        near = self.flights(here, seat)
        if there in near:
            return True
        return self.burning(seat) and any(there in self.flights(h, seat) for h in near)

    def flights(self, here: int, seat: int) -> list[int]:
        return [
            there
            for there in NEAR[here]
            if self.free(there, seat)
            and not self.river(here, there)
            and not (self.event == "N07" and self.board.terrain[there] == "mountain")
        ]

    # Cards of a fight

    def fight_cards(self, fight: Fight, titles: tuple[str, ...], sides: list[int]) -> None:
        due: list[tuple[int, str, Plain]] = []
        for seat in sides:
            for title in titles:
                order = self.card_order(fight, seat, title)
                first = (seat, title) not in fight.looked
                fight.looked.add((seat, title))
                if order is None or title not in self.tribes[seat].hand:
                    continue
                if title == "T04" and not self.pawns(fight.here, seat)["f"]:
                    continue
                if (seat, title) in fight.played:
                    continue
                if self.triggered(fight, seat, order, first, sides):
                    due.append((seat, title, order))
        target = "" if fight.species is None else SPECIES[fight.species]
        for seat, title, order in due:
            self.plays(seat, title, target, order["drop"], fight.here)
            fight.played.add((seat, title))
            if title == "T08":
                fight.ambush[seat] = 2

    def card_order(self, fight: Fight, seat: int, title: str) -> Plain | None:
        fitting = [
            order
            for order in self.orders_of(seat)
            if order["do"] == "combat_card"
            and order["title"] == title
            and order["at"] in (0, fight.here)
            and order["against"] in ("", fight.against)
        ]
        rank = sorted(fitting, key=lambda order: (order["at"] == 0, order["against"] == ""))
        return rank[0] if rank else None

    def triggered(
        self, fight: Fight, seat: int, order: Plain, first: bool, sides: list[int]
    ) -> bool:
        if order["trigger"] == "start":
            return first
        if order["trigger"] == "behind":
            if fight.species is not None:
                best = self.herd_bonus(fight.here, fight.species, seat)
            else:
                best = max(self.bonus(fight, one, sides) for one in sides if one != seat)
            return self.bonus(fight, seat, sides) < best
        if order["trigger"] == "fighters":
            return self.fighters(fight, seat) <= int(order["most"])
        return False

    # Losses

    def by_plan(self, here: int, seat: int) -> str:
        """The kind of pawn that is lost next (M§10.16)."""
        group, plan = self.pawns(here, seat), self.plans_here.get(seat, [])
        w, f = group["w"], group["f"]
        if plan:
            sex = plan.pop(0)
            return sex if group[sex] else "w" if sex == "f" else "f"
        if w > 1:
            return "w"
        if f > (1 if self.own_camp(here, seat) else 0):
            return "f"
        return "w" if w else "f"

    # Herds

    def herd_stage(self, here: int) -> None:
        tribes = self.here_in_turn(here)
        if not tribes:
            return
        seat = tribes[0]
        order = self.first_order(seat, "herds", lambda one: one["at"] == here)
        named = [SPECIES.index(name) for name in order["species"]] if order else []
        herds = self.herds_at(here)
        rest = sorted(herds, key=lambda k: (self.herd_bonus(here, k, seat), k))
        fixed = [k for k in named if k in herds]
        for species in dict.fromkeys(chain(fixed, rest)):
            if (here, seat) in self.groups:
                self.retreats(here)
            if (here, seat) not in self.groups:
                return
            self.herd_fight(Fight(here, species), seat)

    def kill(self, fight: Fight, cause: str) -> None:
        assert fight.species is not None
        left = self.animals_back(fight.here, fight.species, 1)
        name = SPECIES[fight.species]
        self.tell("animal_killed", None, [fight.here], species=name, left=left, cause=cause)

    def herd_fight(self, fight: Fight, seat: int) -> None:
        here, species = fight.here, fight.species
        assert species is not None
        number = size = len(self.herds[here, species])
        sides: list[list[int | None]] = [[seat, self.fighters(fight, seat)], [None, size]]
        self.tell("fight_began", seat, [here], sides=sides, against=fight.against)
        self.fight_cards(fight, ("T04",), [seat])
        self.fight_cards(fight, ("T09",), [seat])
        if (seat, "T09") in fight.played:
            for _ in range(2 if self.burning(seat) and size >= 3 else 1):
                self.kill(fight, "T09")
        while (here, species) in self.herds and (here, seat) in self.groups:
            self.fight_cards(fight, ("T04", "T08", "T10"), [seat])
            bonuses = [self.bonus(fight, seat, ()), self.herd_bonus(here, species, seat)]
            rolls = [
                self.rolled(one, bonus) for one, bonus in zip((seat, None), bonuses, strict=True)
            ]
            own, theirs = (roll["total"] for roll in rolls)
            losers = [] if own == theirs else [seat] if own < theirs else [None]
            self.tell("round_rolled", seat, [here], sides=rolls, losers=losers)
            if losers and fight.ambush.get(seat, 0):
                fight.ambush[seat] -= 1
            if own > theirs:
                self.kill(fight, "combat")
            elif own < theirs:
                self.lose(here, seat, self.by_plan(here, seat), "combat")
                self.loss_check("combat")
        if (here, species) not in self.herds:
            self.hunt_pays(fight, seat, number)

    def rolled(self, seat: int | None, bonus: int) -> Plain:
        die = self.draws.number("die", 6) + 1
        total = (2 if self.house else 1) * die + bonus
        return {"seat": seat, "die": die, "bonus": bonus, "total": total}

    def hunt_pays(self, fight: Fight, seat: int, number: int) -> None:
        assert fight.species is not None
        each = fight.species + 1 + (self.event == "S14")
        if "N05" in self.lasting and not self.burning(seat):
            each = max(0, each - 1)
        before = self.tribes[seat].food
        self.gain(seat, number * each)
        data = {"species": SPECIES[fight.species], "number": number, "each": each}
        data |= {"before": before, "after": before + number * each}
        self.tell("hunt_paid", seat, [fight.here], **data)
