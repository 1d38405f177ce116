"""Food and hunger, births, sowing and the end of a turn (M§11 to M§13, M§15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from tests.referee.mammoths_names import Plain
from tests.referee.mammoths_position import Position

Done: TypeAlias = Callable[[], bool]


class Hunger(Position):
    sown: set[int]
    """Who has sown by T18, which takes the place of phase 8."""

    # Income and cost

    def fishes(self, here: int, seat: int) -> bool:
        """Whether there is fish at an occupied hex."""
        holder = self.burning(seat)
        if self.event == "N02" and not holder:
            return False
        if self.board.lakeside(here):
            return True
        if self.event == "N01" and not holder:
            return False
        small = self.board.touches(here, "small") and "S08" not in self.lasting
        return small or self.board.touches(here, "great")

    def forages(self, here: int) -> int:
        warm = self.season == "summer" or self.event == "N11"
        if not warm or self.board.terrain[here] != "forest" or self.closed.get(here) == "flood":
            return 0
        return 2 if "S11" in self.lasting else 1

    def reaps(self, here: int) -> int:
        if self.season != "summer" or not self.last_turn:
            return 0
        kind = "S03" in self.lasting
        return {0: 0, 1: 5 if kind else 4, 2: 10 if kind else 8}[self.fields.get(here, 0)]

    @property
    def last_turn(self) -> bool:
        return self.number == 3 and not self.held

    def cost(self, seat: int, spared: int) -> int:
        pawns = self.total(seat)
        holder = self.burning(seat)
        outside = sum(self.count(h, seat) for h in self.where(seat) if not self.own_camp(h, seat))
        bitter = outside if self.event == "N08" and not holder else 0
        fed = max(0, pawns - spared)
        if self.fiery and self.season == "winter" and not holder:
            fed = fed * 3 // 2
        return fed + max(0, bitter - spared)

    # Survival

    def survive(self) -> None:
        for seat in self.in_turn():
            self.new_unit()
            self.settle_food(seat)
        if self.season == "summer" and self.last_turn:
            for here in sorted(self.fields):
                self.field_loses(here, 2, "harvest")
        self.loss_check("starvation")
        self.end_check()

    def settle_food(self, seat: int) -> None:
        tribe, hexes = self.tribes[seat], self.where(seat)
        before = tribe.food
        fishing = sum(self.fishes(h, seat) for h in hexes)
        fish, forage = fishing, sum(map(self.forages, hexes))
        harvest = sum(map(self.reaps, hexes))
        unfed = self.first_order(seat, "unfed")
        for here, sex in self.listed(unfed):
            if self.pawns(here, seat)[sex]:
                self.lose(here, seat, sex, "unfed")
        spared = 0

        def short() -> bool:
            return before + fish + forage + harvest < self.cost(seat, spared)

        for title in ("T15", "T14"):
            order = self.stores_order(seat, title)
            trigger, drop = (order["trigger"], order["drop"]) if order else ("starving", "")
            always = trigger == "always"
            while title in tribe.hand and trigger != "never" and (always or short()):
                if title == "T15" and not fishing:
                    break
                self.plays(seat, title, None, drop)
                always = False
                if title == "T15":
                    fish += min(4, fishing)
                    break
                spared += 6 if self.burning(seat) else 4
        starve = self.first_order(seat, "starve")
        self.starve_until(seat, lambda: not short(), starve, "starved")
        cost = self.cost(seat, spared)
        fed = self.total(seat)
        self.gain(seat, fish + forage)
        self.gain(seat, harvest, farm=True)
        self.pay(seat, cost)
        data = {"before": before, "fish": fish, "forage": forage, "harvest": harvest}
        data |= {"cost": cost, "fed": fed, "after": tribe.food, "spared": min(spared, fed)}
        self.tell("settled", seat, **data)

    def stores_order(self, seat: int, title: str) -> Plain | None:
        return self.first_order(seat, "stores", lambda order: order["title"] == title)

    def listed(self, order: Plain | None) -> Iterator[tuple[int, str]]:
        for here, letters in order["pawns"] if order else ():
            for sex in letters:
                yield here, sex

    def starve(self, seat: int, number: int, cause: str) -> None:
        """So many pawns die in the order of hunger."""
        left = self.total(seat) - number
        order = self.first_order(seat, "starve")
        self.starve_until(seat, lambda: self.total(seat) <= left, order, cause)

    def starve_until(self, seat: int, done: Done, order: Plain | None, cause: str) -> None:
        plan = self.listed(order)
        while not done():
            planned = next((one for one in plan if self.pawns(one[0], seat)[one[1]]), None)
            here, sex = planned or self.next_to_starve(seat)
            self.lose(here, seat, sex, cause)

    def next_to_starve(self, seat: int) -> tuple[int, str]:
        """RULING A19."""
        out = [h for h in self.where(seat) if not self.own_camp(h, seat)]
        inside = [h for h in self.where(seat) if self.own_camp(h, seat)]
        for hexes, sex, kept in (
            (out, "w", 0),
            (out, "f", 0),
            (inside, "f", 1),
            (inside, "w", 0),
            (inside, "f", 0),
        ):
            there = [h for h in hexes if self.pawns(h, seat)[sex] > kept]
            if there:
                return min(there, key=lambda h: (-self.count(h, seat), h)), sex
        raise AssertionError("nobody is left")

    # Births

    def births(self) -> None:
        for seat in self.in_turn():
            order = self.first_order(seat, "births")
            wished: list[int] = order["hexes"] if order else []
            due = []
            for here in self.camps_of(seat):
                group = self.pawns(here, seat)
                number = min(2, group["f"])
                if self.options["births_need_man"]:
                    number = group["f"] if group["w"] else 0
                place = wished.index(here) if here in wished else len(wished)
                due.append((place, group["f"], here, number))
            for _, _, here, number in sorted(due):
                self.new_unit()
                self.births_of(seat, here, number)

    def births_of(self, seat: int, here: int, number: int) -> None:
        tribe = self.tribes[seat]
        feast = self.first_order(seat, "feast", lambda order: order["at"] == here)
        if feast and "T17" in tribe.hand and number:
            self.plays(seat, "T17", here, feast["drop"], here)
            sex = feast["sex"]
            if not self.in_hand(seat, sex):
                sex = "w" if sex == "f" else "f"
            self.child(seat, here, sex, "T17")
        for _ in range(number):
            die = self.draws.number("birth", 6) + 1
            twins = []
            if die == 6:
                twins = [self.draws.number("twin", 6) + 1 for _ in range(2)]
            self.tell("birth_rolled", seat, [here], die=die, twins=twins)
            for face in twins or [die]:
                self.child(seat, here, "f" if face <= 2 else "w", "twin" if twins else "die")

    def child(self, seat: int, here: int, sex: str, how: str) -> None:
        if self.in_hand(seat, sex):
            self.put(here, seat, sex)
            self.tell("child_born", seat, [here], sex=sex, how=how)
        else:
            self.tell("birth_cancelled", seat, [here], sex=sex)

    # Dusk

    def sow(self) -> None:
        for seat in self.in_turn():
            if seat in self.sown:
                continue
            self.new_unit()
            tribe = self.tribes[seat]
            order = self.first_order(seat, "sow")
            for here in order["hexes"] if order else self.camps_of(seat):
                if self.may_sow(here, seat) and tribe.food >= (1 if order else 3):
                    before = tribe.food
                    self.pay(seat, 1)
                    self.fields[here] = 2
                    data = {"paid": 1, "before": before, "after": tribe.food}
                    self.tell("field_sown", seat, [here], **data)

    def may_sow(self, here: int, seat: int) -> bool:
        own_village = self.own_camp(here, seat) and self.board.terrain[here] == "plain"
        return own_village and here not in self.fields

    def draw_tricks(self) -> None:
        due = [s for s in self.in_turn() if len(self.tribes[s].hand) < self.limit]
        self.refill(len(due))
        drawn = [[seat, 1] for seat in due if self.deal(seat, 1)]
        self.new_unit()
        self.tell("tricks_counted", drawn=drawn, pile=len(self.deck))

    def dusk(self) -> None:
        """Phases 8 to 10."""
        if self.season == "winter" and self.last_turn:
            self.sow()
        if self.last_turn:
            self.draw_tricks()
        if self.options["food_spoils"]:
            for seat in self.in_turn():
                tribe = self.tribes[seat]
                before, tribe.food = tribe.food, tribe.farm
                if before > tribe.food:
                    self.new_unit()
                    data = {"lost": before - tribe.food, "before": before, "after": tribe.food}
                    self.tell("food_spoiled", seat, **data)
        winning = []
        for seat in self.in_turn():
            tribe, camps = self.tribes[seat], len(self.camps_of(seat))
            if camps >= 4:
                self.new_unit()
                self.tell("tribe_announced", seat, camps=camps)
                if tribe.announced and (tribe.fire or not self.fiery):
                    winning.append(seat)
        if winning:
            best = max(self.score(seat) for seat in winning)
            self.end("camps", sorted(s for s in winning if self.score(s) == best))
            return
        for tribe in self.tribes:
            tribe.announced = len(self.camps_of(tribe.seat)) >= 4
        self.advance()

    def advance(self) -> None:
        if not self.held:
            self.number += 1
            if self.number == 4:
                self.number = 1
                self.first_year = self.first_year and self.season == "summer"
                self.season = "winter" if self.season == "summer" else "summer"
                self.lasting, self.lengthened = [], False
        data = {"season": self.season, "number": self.number, "held": self.held}
        self.new_unit()
        self.tell("season_turned", **data)
        self.turn += 1
