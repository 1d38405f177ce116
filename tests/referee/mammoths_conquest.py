"""Tribes against tribes: contests, conquest and capture (M§10.3 to M§10.11)."""

from __future__ import annotations

from tests.referee.mammoths_fights import Fight, Fights


class Conquest(Fights):
    def tribe_stage(self, here: int) -> None:
        fight, tribes = Fight(here, None), self.here_in_turn(here)
        self.fight_cards(fight, ("T04",), tribes)
        if not any(self.pawns(here, seat)["w"] for seat in tribes):
            fight.women = {seat for seat in tribes if not fight.cried(seat)}
        winner = self.contest(fight, [s for s in tribes if self.fighters(fight, s)])
        if not self.pawns(here, winner)["w"] and winner not in fight.women:
            quiet = [s for s in self.here_in_turn(here) if s != winner and not fight.cried(s)]
            if quiet and not fight.women:
                fight.women = set(quiet)
                sides = [s for s in self.here_in_turn(here) if s in (winner, *quiet)]
                winner = self.contest(fight, sides)
        self.conquer(here, winner)

    def contest(self, fight: Fight, sides: list[int]) -> int:
        """Rounds until one side is left; that one."""
        here = fight.here
        if len(sides) > 1:
            numbers = [[seat, self.fighters(fight, seat)] for seat in sides]
            self.tell("fight_began", None, [here], sides, sides=numbers, against=fight.against)
        while len(sides) > 1:
            self.fight_cards(fight, ("T04", "T08", "T10"), sides)
            rolls = [self.rolled(seat, self.bonus(fight, seat, sides)) for seat in sides]
            best = max(roll["total"] for roll in rolls)
            losers = [roll["seat"] for roll in rolls if roll["total"] < best]
            self.tell("round_rolled", None, [here], sides, sides=rolls, losers=losers)
            for seat in losers:
                group = self.pawns(here, seat)
                if fight.cried(seat) and group["w"] and group["f"]:
                    sex = self.by_plan(here, seat)
                else:
                    sex = "w" if group["w"] else "f"
                self.lose(here, seat, sex, "combat")
            if losers:
                for seat in sides:
                    if fight.ambush.get(seat, 0):
                        fight.ambush[seat] -= 1
                self.forsaken(fight)
            sides = [seat for seat in sides if self.fighters(fight, seat)]
        return sides[0]

    def forsaken(self, fight: Fight) -> None:
        """Camps without a woman go; that of a beaten tribe here waits for the winner."""
        for here in sorted(self.camps):
            seat = self.camps[here][0]
            if self.pawns(here, seat)["f"]:
                continue
            if here != fight.here or self.fighters(fight, seat):
                self.camp_goes(here, "combat")

    def conquer(self, here: int, winner: int) -> None:
        if here in self.camps and self.camps[here][0] != winner:
            self.conquers_camp(here, winner)
        for seat in self.here_in_turn(here):
            if seat != winner:
                self.captures(here, winner, seat)

    def conquers_camp(self, here: int, winner: int) -> None:
        victim = self.camps[here][0]
        last = len(self.camps_of(victim)) == 1
        loot = self.tribes[victim].food // (2 if last else 4)
        burnt = not self.may_take_camp(here, winner, victim)
        order = self.order_at(winner, "camp", here)
        if order is not None and order["burn"]:
            burnt = True
        data = {"victim": victim, "burnt": burnt, "loot": loot, "last": last}
        self.tell("camp_conquered", winner, [here], [victim], **data)
        if loot:
            self.food_passes(victim, winner, loot, "loot")
        fire = self.burning(victim)
        self.camp_goes(here, "conquered")
        if burnt:
            for _ in range(self.pawns(here, victim)["f"]):
                self.lose(here, victim, "f", "burnt")
        else:
            self.camps[here] = [winner, False]
            self.captures(here, winner, victim)
        if fire and not self.burning(winner) and self.camps_of(winner):
            self.take_fire(winner, "conquest")

    def may_take_camp(self, here: int, winner: int, victim: int) -> bool:
        if len(self.camps_of(winner)) >= 5:
            return False
        women = self.pawns(here, victim)["f"]
        neutral = self.neutral["f"] == (victim, here)
        joining = min(women - neutral, self.in_hand(winner, "f")) + neutral
        return self.pawns(here, winner)["f"] + joining > 0

    def captures(self, here: int, winner: int, victim: int) -> None:
        women = self.pawns(here, victim)["f"]
        if not women:
            return
        neutral = self.take(here, victim, "f", women)
        joined = min(women - neutral, self.in_hand(winner, "f"))
        if neutral:
            joined += 1
            self.neutral["f"] = (winner, here)
        self.put(here, winner, "f", joined)
        data = {"victim": victim, "joined": joined, "died": women - joined}
        self.tell("women_captured", winner, [here], [victim], **data)
