"""A player's move, line by line (M§8, M§9, M§16.2, cards of the window M)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.referee.draws import Wrong
from tests.referee.mammoths_herds import Herds
from tests.referee.mammoths_names import NEAR, Plain


class Moving:
    """What is remembered while one player moves."""

    def __init__(self) -> None:
        self.lines = 0
        self.moved: dict[int, dict[str, int]] = {}
        self.pinned: dict[int, dict[str, int]] = {}
        self.rafts: dict[int, int] = {}
        self.marches: dict[int, int] = {}
        self.goats: set[int] = set()
        self.robbed: set[int] = set()
        self.starts: set[int] = set()
        self.ends: set[int] = set()


def must(holds: Any, why: str) -> None:
    if not holds:
        raise Wrong(f"illegal: {why}")


class Moves(Herds):
    moving: Moving

    def unmoved(self, here: int, seat: int, sex: str) -> int:
        gone = self.moving.moved.get(here, {}).get(sex, 0)
        gone += self.moving.pinned.get(here, {}).get(sex, 0)
        return self.pawns(here, seat)[sex] - gone

    def pin(self, here: int, sex: str) -> None:
        self.moving.pinned.setdefault(here, {"w": 0, "f": 0})[sex] += 1

    def line(self, seat: int, action: Plain) -> None:
        self.new_unit()
        self.moving.lines += 1
        if action["do"] == "move":
            self.move_pawns(seat, action["w"], action["f"], action["path"])
        elif action["do"] == "found":
            self.found(seat, action["hex"])
        elif action["do"] == "fire":
            self.line_fire(seat, action["hex"], action["camp"])
        elif action["do"] == "card":
            self.move_card(seat, action)
        else:
            raise Wrong(f"{action['do']} is no line of a move")

    # Moving pawns

    def why_not(self, seat: int, w: int, f: int, path: list[int]) -> str:
        """Why the line is illegal; "" if it is not."""
        start, steps, moving = path[0], len(path) - 1, self.moving
        if w < 0 or f < 0 or w + f < 1 or steps < 1 or len(set(path)) != len(path):
            return "no such line"
        if self.unmoved(start, seat, "w") < w or self.unmoved(start, seat, "f") < f:
            return "not so many that have not moved"
        if start in self.closed or start in self.frozen:
            return "pawns here do not move"
        most = 3 if moving.marches.get(start, 0) >= w + f else 2
        if steps > (1 if self.event == "N06" else most):
            return "too far"
        floats = moving.rafts.get(start, 0) >= w + f
        for place, there in enumerate(path[1:]):
            here, terrain = path[place], self.board.terrain[there]
            if there not in NEAR[here]:
                return "not adjacent"
            if there in self.closed:
                return f"{there} is closed"
            if (terrain == "lake" or self.river(here, there)) and not floats:
                return f"water before {there}"
            if terrain == "mountain":
                if self.event == "N07":
                    return "deep snow"
                if place < steps - 1 and start not in moving.goats:
                    return "a mountain stops"
        if self.board.terrain[path[-1]] == "lake":
            return "ends on the lake"
        for here in path[:-1]:
            number = self.opponents(here, seat)
            own = self.count(here, seat) - (w + f if here == start else 0)
            if number and own < number:
                return f"{number} must stay on {here}"
        return ""

    def move_pawns(self, seat: int, w: int, f: int, path: list[int]) -> None:
        why, moving = self.why_not(seat, w, f, path), self.moving
        must(not why, why)
        start, end = path[0], path[-1]
        if len(path) == 4:
            moving.marches[start] -= w + f
        if any(self.river(a, b) or self.board.terrain[b] == "lake" for a, b in pairwise(path)):
            moving.rafts[start] -= w + f
        for sex, number in (("w", w), ("f", f)):
            self.shift(start, end, seat, sex, number)
            moving.moved.setdefault(end, {"w": 0, "f": 0})[sex] += number
        moving.starts.add(start)
        moving.ends.add(end)
        self.tell("pawns_moved", seat, [start, end], w=w, f=f, path=path)

    # Camps and fire

    def may_found(self, seat: int, here: int) -> bool:
        free = self.free(here, seat) and here not in self.camps
        return free and len(self.camps_of(seat)) < 5

    def founds(self, seat: int, here: int, quick: bool) -> None:
        self.camps[here] = [seat, False]
        self.tell("camp_founded", seat, [here], kind=self.board.kind(here), quick=quick)

    def found(self, seat: int, here: int) -> None:
        must(self.may_found(seat, here), f"no camp on {here}")
        for sex in "wf":
            must(self.unmoved(here, seat, sex), "a pair that has not moved")
            self.pin(here, sex)
        self.founds(seat, here, quick=False)

    def beside_fire(self, here: int) -> bool:
        burning = (self.closed.get(there) == "burn" for there in NEAR[here])
        return here in self.embers or any(burning)

    def may_take_fire(self, seat: int, here: int) -> bool:
        if not self.fiery or self.burning(seat) or not self.camps_of(seat):
            return False
        if (here, seat) not in self.groups or self.opponents(here, seat):
            return False
        if self.beside_fire(here):
            return True
        still = self.unmoved(here, seat, "w") + self.unmoved(here, seat, "f")
        return here in self.board.lava and here not in self.closed and still > 0

    def line_fire(self, seat: int, here: int, camp: int) -> None:
        must(self.may_take_fire(seat, here), f"no fire on {here}")
        must(not camp or self.own_camp(camp, seat), "no own camp")
        burning = self.beside_fire(here)
        if not burning:
            w, f = (self.unmoved(here, seat, sex) for sex in "wf")
            self.pin(here, "w" if w and w >= f else "f")
        self.take_fire(seat, "burning" if burning else "volcano", camp)

    # Cards

    def move_card(self, seat: int, action: Plain) -> None:
        title, hexes, tribe = action["title"], action["hexes"], self.tribes[seat]
        must(title in tribe.hand, f"{title} is not in hand")
        must(len(hexes) == len(set(hexes)), "a hex twice")
        one = {"T01", "T02", "T03", "T05", "T06", "T07", "T19"}
        must(len(hexes) == 1 or title not in one, "one hex")
        here = hexes[0] if hexes else 0
        target = action["tribe"] if title == "T16" else hexes
        why = self.card_refused(seat, title, hexes, here, action)
        must(not why, f"{title}: {why}")
        if title == "T16":
            self.plays(seat, title, target, action["drop"])
        else:
            self.plays(seat, title, target, action["drop"], *hexes)
        moving = self.moving
        if title == "T01":
            self.camps[here][1] = True
            self.tell("palisade_built", seat, [here])
        elif title in ("T02", "T03"):
            sex = "w" if title == "T02" else "f"
            self.put(here, seat, sex)
            self.neutral[sex] = (seat, here)
            self.tell("pawn_joined", seat, [here], sex=sex)
            if title == "T03" and self.fiery and not tribe.fire and self.camps_of(seat):
                self.take_fire(seat, "T03")
        elif title == "T05":
            moving.rafts[here] = 4
        elif title == "T06":
            moving.marches[here] = 7 if self.burning(seat) else 5
        elif title == "T07":
            moving.goats.add(here)
        elif title == "T16":
            self.robs(seat, action)
        elif title == "T18":
            for there in sorted(hexes):
                self.fields[there] = 2
                food = tribe.food
                self.tell("field_sown", seat, [there], paid=0, before=food, after=food)
            if self.season == "winter":
                self.sown.add(seat)
        elif title == "T19":
            for sex in "wf":
                if not moving.moved.get(here, {}).get(sex, 0):
                    self.pin(here, sex)
            self.founds(seat, here, quick=True)

    def card_refused(
        self, seat: int, title: str, hexes: list[int], here: int, action: Plain
    ) -> str:
        moving = self.moving
        own_camp = self.own_camp(here, seat)
        if title == "T01":
            free = sum(bool(camp[1]) for camp in self.camps.values()) < 2
            return "" if own_camp and not self.camps[here][1] and free else "no camp for it"
        if title in ("T02", "T03"):
            if own_camp:
                return ""
            volcano = any(there in self.board.lava for there in NEAR[here])
            if title == "T02" and self.fiery and self.free(here, seat) and volcano:
                return ""
            return "not there"
        if title in ("T05", "T06", "T07"):
            used = {"T05": moving.rafts, "T06": moving.marches, "T07": moving.goats}[title]
            still = self.unmoved(here, seat, "w") + self.unmoved(here, seat, "f")
            if title == "T06" and self.event == "N06":
                return "blizzard"
            return "" if still and here not in used else "no pawns for it"
        if title == "T16":
            return self.cannot_rob(seat, action)
        if title == "T18":
            if not 1 <= len(hexes) <= 2 or not all(self.may_sow(h, seat) for h in hexes):
                return "no villages to sow"
            ash = self.fiery and self.burning(seat) and self.last_turn
            return "" if self.season == "summer" or ash else "not in winter"
        if title == "T19":
            group = self.pawns(here, seat)
            return "" if all(group.values()) and self.may_found(seat, here) else "no camp there"
        return "no card of a move"

    def cannot_rob(self, seat: int, action: Plain) -> str:
        victim = action["tribe"]
        around = {there for here in self.where(seat) for there in (here, *NEAR[here])}
        if victim in (None, seat) or victim in self.moving.robbed:
            return "not this tribe"
        if not around & set(self.where(victim)):
            return "nobody near"
        if action["fire"]:
            able = self.fiery and self.burning(victim) and not self.burning(seat)
            return "" if able and self.camps_of(seat) else "no fire to take"
        return "" if self.tribes[victim].food else "no food"

    def robs(self, seat: int, action: Plain) -> None:
        victim = action["tribe"]
        self.moving.robbed.add(victim)
        if action["fire"]:
            self.take_fire(seat, "T16")
        else:
            self.food_passes(victim, seat, min(3, self.tribes[victim].food), "T16")

    def food_passes(self, loser: int, gainer: int, number: int, cause: str) -> None:
        before = self.tribes[loser].food
        farm = self.pay(loser, number)
        data = {"cause": cause, "lost": number, "before": before, "after": before - number}
        also = [gainer] if cause == "T16" else []
        self.tell("food_lost", loser, (), also, **data)
        before = self.tribes[gainer].food
        self.gain(gainer, number - farm)
        self.gain(gainer, farm, farm=True)
        data = {"cause": cause, "gained": number, "before": before, "after": before + number}
        self.tell("food_gained", gainer, **data)

    # The end of a move

    def done(self, seat: int, skipped: bool = False) -> None:
        self.camps_without_woman("abandoned", [seat])
        self.new_unit()
        moving, tribe = self.moving, self.tribes[seat]
        self.tell("move_done", seat, lines=moving.lines, skipped=skipped)
        self.tracks.append(
            {"seat": seat, "starts": sorted(moving.starts), "ends": sorted(moving.ends)}
        )
        self.moving = Moving()
        tribe.draft = None
        tribe.plans.pop("move", None)

    def can_do_something(self, seat: int) -> bool:
        """Whether there is a legal line without a card."""
        for here in self.where(seat):
            for there in NEAR[here]:
                for w, f in ((1, 0), (0, 1)):
                    if not self.why_not(seat, w, f, [here, there]):
                        return True
            pair = all(self.unmoved(here, seat, sex) for sex in "wf")
            if (pair and self.may_found(seat, here)) or self.may_take_fire(seat, here):
                return True
        return False
