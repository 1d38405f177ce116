"""What a plan that was filed ahead says when its time comes (M§24)."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from tests.referee.draws import Wrong, same
from tests.referee.mammoths_match import Match
from tests.referee.mammoths_names import SPECIES, Plain

SAME: Plain = {"what": "same", "hexes": [], "tribe": None, "species": None}
SAME |= {"most": False, "number": 0}
DONE: Plain = {"do": "done"}


class Planned(Match):
    def asks(self) -> list[int]:
        """The seats that are waited for in this turn."""
        if self.phase == "move" and self.to_move is not None:
            return [self.to_move]
        if self.phase == "combat":
            return [seat for seat in self.asked if self.tribes[seat].answer is None]
        return []

    def plan_says(self, seat: int) -> list[Plain] | None:
        """The actions of the plan on file, or None if it has to ask."""
        if self.phase == "move":
            plan = self.tribes[seat].plans.get("move")
            return None if plan is None else self.move_planned(seat, plan)
        orders = self.answer_planned(seat)
        return None if orders is None else [{"do": "answer", "orders": orders}]

    def move_planned(self, seat: int, filed: Plain) -> list[Plain] | None:
        for alternative in self.holding(seat, filed):
            lines: list[Plain] = alternative["lines"]
            if len(self.legal_of(seat, lines)) == len(lines):
                return [*lines, DONE]
        return [DONE] if filed["plan"]["otherwise"] == "stay" else None

    def answer_planned(self, seat: int) -> list[Plain] | None:
        """The orders of the combat plan, or None if there is none or it has to ask."""
        filed = self.tribes[seat].plans.get("combat")
        if filed is None:
            return None
        for alternative in self.holding(seat, filed):
            orders: list[Plain] = alternative["lines"]
            return orders
        return [] if filed["plan"]["otherwise"] == "orders" else None

    def late(self, seat: int) -> list[list[Plain]]:
        """What may be done by a plan or draft when the time is up (M§19.6)."""
        tribe = self.tribes[seat]
        found = []
        if tribe.draft:
            found.append([*tribe.draft, DONE])
        filed = tribe.plans.get("move")
        for alternative in self.holding(seat, filed) if filed else ():
            found.append([*self.legal_of(seat, alternative["lines"]), DONE])
            break
        return found

    def see_plan(self, seat: int, actions: list[Plain]) -> None:
        """An entry with the cause "plan" is what the plan says."""
        said = self.plan_says(seat)
        if said != actions and (self.phase != "move" or actions not in self.late(seat)):
            same("plan", said, actions)

    def see_nothing_planned(self) -> None:
        """Whoever has a plan that runs is not asked otherwise."""
        for seat in self.asks():
            if self.plan_says(seat) is not None:
                raise Wrong(f"the plan of seat {seat} comes first")

    def legal_of(self, seat: int, lines: list[Plain]) -> list[Plain]:
        """The lines without those that are illegal when their turn comes."""
        kept: list[Plain] = []
        trial = self.on_trial()
        for line in lines:
            before = trial.on_trial()
            try:
                trial.line(seat, line)
            except Wrong:
                trial = before
            else:
                kept.append(line)
        return kept

    def on_trial(self) -> Planned:
        other = copy.copy(self)
        for name in ("groups", "neutral", "camps", "fields", "tribes", "moving"):
            setattr(other, name, copy.deepcopy(getattr(self, name)))
        other.events, other.discards, other.sown = [], list(self.discards), set(self.sown)
        return other

    # Conditions

    def holding(self, seat: int, filed: Plain) -> Iterator[Plain]:
        for alternative in filed["plan"]["alternatives"]:
            conditions = alternative["conditions"]
            if not conditions and filed["do"] == "plan_move":
                conditions = [{"condition": SAME, "negated": False}]
            if all(
                self.holds(seat, one["condition"], alternative, filed) != one["negated"]
                for one in conditions
            ):
                yield alternative

    def holds(self, seat: int, one: Plain, alternative: Plain, filed: Plain) -> bool:
        what, tribe, hexes = one["what"], one["tribe"], one["hexes"]
        here = hexes[0] if hexes else 0
        if what == "same":
            named = hexes or sorted(named_by(alternative["lines"]))
            shown = self.boards[filed["shown"]]
            return all(shown.get(h) == self.board_now().get(h) for h in named)
        if what in ("opponents", "mine", "animals", "herd", "food", "camps"):
            number = self.measured(seat, what, here, one)
            limit: int = one["number"]
            return number <= limit if one["most"] else number >= limit
        track = self.track(tribe) if tribe is not None else None
        if what == "came":
            return track is not None and here in track["ends"]
        if what == "left":
            return track is not None and here in track["starts"]
        if what == "still":
            return track is not None and not track["ends"]
        if what == "tribes":
            return any(other != seat for other in self.here_in_turn(here))
        if what == "free":
            return self.free(here, seat)
        return {
            "always": True,
            "closed": here in self.closed,
            "tribe": (here, tribe) in self.groups,
        }[str(what)]

    def measured(self, seat: int, what: str, here: int, one: Plain) -> int:
        if what == "opponents":
            return self.opponents(here, seat)
        if what == "mine":
            return self.count(here, seat)
        if what == "animals":
            return self.animals(here)
        if what == "herd":
            return len(self.herds.get((here, SPECIES.index(one["species"])), ""))
        return self.tribes[seat].food if what == "food" else len(self.camps_of(one["tribe"]))


def named_by(lines: list[Plain]) -> set[int]:
    named: set[int] = set()
    for line in lines:
        named |= {*line.get("path", ()), *line.get("hexes", ())}
        named |= {line.get("hex", 0), line.get("camp", 0)} - {0}
    return named
