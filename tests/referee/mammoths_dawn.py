"""Set-up, events and arrivals of La Vallée des Mammouths (M§3, M§5, M§6)."""

from __future__ import annotations

from collections.abc import Iterable

from tests.referee.mammoths_hunger import Hunger
from tests.referee.mammoths_names import (
    BORDER,
    FAR,
    HEXES,
    NEAR,
    SPECIES,
    SUMMER,
    TRAMPLES,
    TRICKS,
    WINTER,
    Board,
    Plain,
)

ROLLS = {"S05": "forest", "N03": "forest", "S08": "plain", "S10": "plain"}
ROLLS |= {"S13": "mountain", "N04": "mountain"}
FLOODS = {"S06": "great", "S07": "small"}
LASTING = ("S03", "S08", "S11", "N05")


class Dawn(Hunger):
    # Set-up

    def set_up(self) -> None:
        seats = len(self.tribes)
        number = self.options["board"] or self.draws.number("board", 4) + 1
        self.board_number, self.board = number, Board(number)
        self.seating = self.draws.shuffled("seating", range(seats))
        first = self.draws.number("first player", seats)
        self.order = self.seating[first:] + self.seating[:first]
        self.piles["summer"] = self.draws.shuffled("summer events", SUMMER)
        self.piles["winter"] = self.draws.shuffled("winter events", WINTER)
        self.deck = self.draws.shuffled("tricks", TRICKS)
        self.wishes: dict[int, Plain] = {}
        for tribe in self.tribes:
            self.gain(tribe.seat, 15 if self.options["beginner_food"] else 12, farm=True)
        data = {"board": self.board.name, "seating": self.seating, "first": self.order[0]}
        self.tell("begun", None, (), range(seats), **data)

    def may_settle(self, here: int, seat: int) -> bool:
        """M§3.2."""
        if not self.free(here, seat) or here in self.camps:
            return False
        return all(
            there not in self.camps or frozenset((here, there)) in self.board.edges
            for there in NEAR[here]
        )

    def settle(self) -> None:
        """Every wish list is in (M§3.5)."""
        for seat in self.order:
            wish, tribe = self.wishes[seat], self.tribes[seat]
            wished = next((h for h in wish["hexes"] if self.may_settle(h, seat)), 0)
            here = wished or self.best_place(seat)
            self.camps[here] = [seat, False]
            self.groups[here, seat] = {"w": 5, "f": 2}
            sown = wish["sow"] and self.board.terrain[here] == "plain" and tribe.food >= 1
            if sown:
                self.pay(seat, 1)
                self.fields[here] = 2
            self.new_unit()
            self.tell("settled_down", seat, [here], camp=here, sown=sown, by_default=not wished)
        for seat in self.order:
            self.deal(seat, self.limit)
        self.turn, self.phase = 1, "move"
        self.held = False

    def best_place(self, seat: int) -> int:
        """RULING A2."""
        board = self.board

        def rank(here: int) -> int:
            terrain, water = board.terrain[here], board.on_water(here)
            if terrain == "mountain":
                return 4
            return (0 if water else 2) + (terrain == "plain")

        return min((h for h in HEXES if self.may_settle(h, seat)), key=lambda h: (rank(h), h))

    # The event

    def dawn(self, held: bool) -> None:
        """Phase 1; the game may be over afterwards."""
        self.new_unit()
        self.tell("turn_began", season=self.season, number=self.number, held=held)
        marked = sorted({*self.closed, *self.frozen})
        self.closed, self.frozen, self.embers = {}, set(), []
        self.event, self.die = "", 0
        self.protected: list[int] = []
        self.keepers: set[int] = set()
        self.reentered: set[int] = set()
        self.region: list[int] = []
        self.woods: list[int] = []
        self.sick = -1
        if marked:
            self.tell("markers_cleared", None, marked)
        if self.turn >= 3:
            self.draw_event()
        self.draw_counters()
        self.new_unit()
        if self.event:
            self.hit = self.hit_hexes(self.event)
            self.spirits()
            self.new_unit()
            if self.hit or self.protected:
                self.tell("event_hit", None, self.hit, card=self.event, protected=self.protected)
            if self.event in LASTING:
                self.lasting.append(self.event)
            self.effect(self.event)
            self.loss_check(self.event)
            self.end_check()

    def draw_event(self) -> None:
        pile = self.piles[self.season]
        if not pile:
            pile[:] = self.draws.shuffled("event discards", self.spent[self.season])
            self.spent[self.season] = []
        card = self.event = pile.pop(0)
        self.spent[self.season].append(card)
        self.new_unit()
        self.tell("event_drawn", card=card)
        if card == "S01":
            self.sick = self.draws.number("event species", 6)
            data = {"die": self.sick + 1, "what": "species", "result": SPECIES[self.sick]}
            self.tell("event_die", None, (), **data)
        if card in ROLLS:
            self.region = self.roll_region(ROLLS[card])
        if card == "S08" and self.fiery:
            self.woods = self.roll_region("forest")

    def roll_region(self, terrain: str) -> list[int]:
        die = self.draws.number(f"event {terrain}", 6) + 1
        hexes = list(self.board.regions[terrain, die])
        self.tell("event_die", None, hexes, die=die, what=terrain, result=terrain)
        return hexes

    def draw_counters(self) -> None:
        count = sum(tribe.status != "out" for tribe in self.tribes)
        first, summer, winter = (6, 4, 2) if count >= 4 else (5, 3, 1)
        number = first if self.turn == 1 else summer if self.season == "summer" else winter
        number += 2 if self.event == "S09" else 0
        self.drawn: list[tuple[int, str]] = []
        for _ in range(min(number, sum(map(len, self.bag)))):
            at = self.draws.number("counter", sum(map(len, self.bag)))
            species = 0
            while at >= len(self.bag[species]):
                at -= len(self.bag[species])
                species += 1
            self.drawn.append((species, self.bag[species][at]))
            self.bag[species] = self.bag[species][:at] + self.bag[species][at + 1 :]
        self.new_unit()
        self.tell("counters_drawn", counters=[[SPECIES[k], letter] for k, letter in self.drawn])

    def hit_hexes(self, card: str) -> list[int]:
        board = self.board
        hexes: set[int] = set()
        if card == "S04":
            hexes = set(board.lava).union(*board.lava.values())
        elif card in FLOODS:
            dry = ("mountain", "lake")
            hexes = {h for h in HEXES if board.touches(h, FLOODS[card])}
            hexes = {h for h in hexes if board.terrain[h] not in dry}
        elif card == "S13":
            hexes = set(self.region)
            if self.fiery:
                hexes |= {h for v in self.region for h in board.lava.get(v, ())}
        elif card == "S03" and self.fiery:
            hexes = {tribe.fire for tribe in self.tribes if tribe.fire}
        elif card == "N03":
            hexes = set(self.pack_places()[:1])
        elif card in ("S05", "S08", "S10", "N04"):
            hexes = {*self.region, *self.woods}
        return sorted(hexes)

    def pack_places(self) -> list[int]:
        return [
            h
            for h in self.region
            if h not in self.protected
            and not any(self.burning(seat) for seat in self.here_in_turn(h))
        ]

    def spirits(self) -> None:
        for seat in self.in_turn():
            order = self.first_order(seat, "spirits")
            if order is None or "T13" not in self.tribes[seat].hand:
                continue
            places = order["hexes"] or self.camps_of(seat)
            here = next((h for h in places if h in self.hit and (h, seat) in self.groups), 0)
            if here:
                self.plays(seat, "T13", here, order["drop"], here)
                self.hit.remove(here)
                self.protected.append(here)
                self.keepers.add(seat)

    # Its effect

    def effect(self, card: str) -> None:
        for here in self.hit:
            if card == "S05" or (card == "S04" and here in self.board.lava):
                self.kills_all(here, card)
            elif card == "S04":
                self.beasts_flee(here)
                self.each_loses_one(here)
                self.field_loses(here, 2, card)
                self.embers.append(here)
            elif card in FLOODS:
                self.beasts_flee(here)
                self.each_loses_one(here)
                if here in self.camps:
                    owner = self.camps[here][0]
                    self.camp_goes(here, card, drowns=owner not in self.keepers)
                self.field_loses(here, 2, card)
                self.closes(here, "flood")
            elif card == "S08" and here in self.region:
                self.field_loses(here, 1, card)
            elif card == "S10":
                holder = any(self.burning(seat) for seat in self.here_in_turn(here))
                self.field_loses(here, 1 if holder else 2, card)
            elif card == "S13":
                self.each_loses_one(here)
                if here not in self.region:
                    self.embers.append(here)
                elif here in self.camps:
                    self.camp_goes(here, card)
            elif card == "N04":
                for species in self.herds_at(here):
                    left = self.animals_back(here, species, 1)
                    data = {"species": SPECIES[species], "number": 1, "left": left}
                    self.tell("herd_returned", None, [here], **data)
                self.each_loses_one(here)
                self.frozen.add(here)
                self.tell("hex_frozen", None, [here])
        self.wide_effect(card)

    def wide_effect(self, card: str) -> None:
        if card == "S01":
            for here in sorted(h for h, k in self.herds if k == self.sick):
                self.herd_flees(here, self.sick)
            for species, letter in [one for one in self.drawn if one[0] == self.sick]:
                self.drawn.remove((species, letter))
                self.counter_returns(species, letter, "S01", ())
        elif card in ("S02", "N12") and not self.lengthened:
            self.held = self.lengthened = True
        elif card == "S03" and self.fiery:
            for tribe in self.tribes:
                if tribe.fire and tribe.seat not in self.keepers:
                    self.fire_goes(tribe.seat, card)
        elif card in ("S08", "S10"):
            for seat in self.in_turn():
                if card == "S10":
                    lost = [h for h in self.camps_of(seat) if h in self.hit]
                else:
                    places = self.hit if self.burning(seat) else []
                    lost = [h for h in places if h in self.woods and (h, seat) in self.groups]
                self.rots(seat, len(lost), lost)
        elif card == "N10":
            for seat in self.in_turn():
                food = self.tribes[seat].food
                self.rots(seat, food // (8 if self.burning(seat) else 4), ())
        elif card == "N13":
            for seat in self.in_turn():
                pawns = self.total(seat)
                number = (2 if pawns >= 9 else 1 if pawns >= 5 else 0) - self.burning(seat)
                self.starve(seat, number, card)
        elif card == "N03":
            places, number = self.pack_places(), min(3, self.aside)
            if places and number:
                self.aside -= number
                self.join(places[0], 0, "*" * number)
                self.tell("wolves_placed", None, places[:1], number=number)

    def closes(self, here: int, cause: str) -> None:
        self.closed[here] = cause
        self.tell("hex_closed", None, [here], cause=cause)

    def herd_flees(self, here: int, species: int) -> None:
        number = len(self.herds[here, species])
        self.animals_back(here, species, number)
        self.tell("herd_returned", None, [here], species=SPECIES[species], number=number, left=0)

    def beasts_flee(self, here: int) -> None:
        for species in self.herds_at(here):
            self.herd_flees(here, species)

    def each_loses_one(self, here: int) -> None:
        for seat in self.here_in_turn(here):
            group = self.pawns(here, seat)
            order = self.first_order(seat, "event_loss")
            sex = order["sex"] if order else "f" if group["f"] >= 3 else "w"
            if not group[sex]:
                sex = "w" if sex == "f" else "f"
            self.lose(here, seat, sex, self.event)

    def kills_all(self, here: int, card: str) -> None:
        self.beasts_flee(here)
        for seat in self.here_in_turn(here):
            for sex in "wf":
                for _ in range(self.pawns(here, seat)[sex]):
                    self.lose(here, seat, sex, card)
        if here in self.camps:
            self.camp_goes(here, card)
        self.field_loses(here, 2, card)
        self.closes(here, "burn" if card == "S05" else "volcano")

    def rots(self, seat: int, number: int, hexes: Iterable[int]) -> None:
        """Food lost by the event."""
        before = self.tribes[seat].food
        lost = min(number, before)
        if lost:
            self.pay(seat, lost)
            data = {"cause": self.event, "lost": lost, "before": before, "after": before - lost}
            self.tell("food_lost", seat, hexes, **data)

    # Arrivals

    def counter_returns(self, species: int, letter: str, cause: str, hexes: Iterable[int]) -> None:
        self.into_bag(species, letter)
        data = {"species": SPECIES[species], "letter": letter, "cause": cause}
        self.tell("counter_returned", None, hexes, **data)

    def arrivals(self) -> None:
        arrived: dict[tuple[int, int], str] = {}
        for species, letter in self.drawn:
            here = self.board.letters[letter]
            fire = self.event == "S09" and any(map(self.burning, self.here_in_turn(here)))
            if here in self.closed or fire:
                self.new_unit()
                self.counter_returns(species, letter, self.closed.get(here, "fire"), [here])
            else:
                arrived[here, species] = arrived.get((here, species), "") + letter
        for (here, species), letters in arrived.items():
            self.new_unit()
            self.join(here, species, letters)
            data = {"species": SPECIES[species], "number": len(letters)}
            data["herd"] = len(self.herds[here, species])
            self.tell("herd_arrived", None, [here], **data)
            if TRAMPLES[species]:
                self.field_loses(here, 1, "arrival")
        for seat in self.order:
            tribe = self.tribes[seat]
            if tribe.status == "due" and tribe.due <= self.turn:
                self.new_unit()
                self.reenters(seat)

    def reenters(self, seat: int) -> None:
        tribe = self.tribes[seat]
        free = [h for h in BORDER if self.free(h, seat)]
        if not free:
            self.tell("reentry_waits", seat)
            return
        order = self.first_order(seat, "reenter")
        wished = [h for h in (order["hexes"] if order else ()) if h in free]
        beasts = {h for h, _ in self.herds}

        def near(here: int) -> int:
            return min((FAR[here][there] for there in beasts), default=0)

        here = wished[0] if wished else min(free, key=lambda h: (-near(h), h))
        self.groups[here, seat] = {"w": 3, "f": 1}
        tribe.status, tribe.due = "map", 0
        self.gain(seat, 8, farm=True)
        self.refill(3)
        tricks = self.deal(seat, 3)
        self.reentered.add(seat)
        self.tell("tribe_reentered", seat, [here], food=8, tricks=tricks)
