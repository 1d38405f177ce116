"""The course of a match: who is asked, orders, and what follows (docs/record.md, part 4)."""

from __future__ import annotations

from tests.referee.draws import Wrong, same
from tests.referee.mammoths_conquest import Conquest
from tests.referee.mammoths_moves import Moving
from tests.referee.mammoths_names import Plain
from tests.referee.mammoths_position import place_of, title_of, word

FILED = ("plan_move", "plan_fight", "withdraw", "draft")
LINES = ("move", "found", "fire", "card")


class Match(Conquest):
    boards: list[dict[int, object]]
    """The board after each finished move of this turn, the first before any."""

    def begin(self) -> None:
        self.moving, self.sown = Moving(), set()
        self.set_up()

    # What players say

    def place(self, seat: int, wish: Plain) -> None:
        if self.wishes.get(seat) == wish:
            raise Wrong("the same list again")
        self.wishes[seat] = wish
        if len(self.wishes) == len(self.tribes):
            self.settle()
            self.turn_begins(held=False)

    def order_filed(self, seat: int, order: Plain) -> None:
        """A standing order, or one for this turn."""
        tribe = self.tribes[seat]
        if order["do"] in FILED:
            self.filed(seat, order)
        elif order["do"] == "forget":
            self.forget(seat, order)
        else:
            if tribe.status == "out":
                raise Wrong("out for good")
            put(tribe.orders, order)

    def forget(self, seat: int, order: Plain) -> None:
        tribe, said = self.tribes[seat], order["word"]

        def goes(one: Plain) -> bool:
            if said == "all":
                return True
            return word(one) == said and order["title"] in ("", title_of(one))

        kept = [one for one in tribe.orders if not goes(one)]
        if len(kept) == len(tribe.orders):
            raise Wrong("nothing to forget")
        tribe.orders = kept

    def filed(self, seat: int, order: Plain) -> None:
        tribe, do = self.tribes[seat], order["do"]
        if self.phase != "move":
            raise Wrong("nothing is filed now")
        if do == "draft":
            tribe.draft = order["lines"]
        elif do == "withdraw":
            if order["plan"] == "move":
                tribe.draft = None
            tribe.plans.pop(order["plan"], None)
        else:
            tribe.plans["move" if do == "plan_move" else "combat"] = order

    def whole_move(self, seat: int, lines: list[Plain]) -> None:
        same("seat", self.to_move, seat)
        *before, last = lines
        for line in before:
            if self.moving.lines >= 60:
                raise Wrong("too many lines")
            self.line(seat, line)
        if last["do"] != "done":
            raise Wrong("a move ends with done")
        self.done(seat)
        self.boards.append(self.board_now())
        self.next_move()

    def answer(self, seat: int, orders: list[Plain]) -> None:
        if seat not in self.asked:
            raise Wrong(f"seat {seat} is not asked")
        tribe = self.tribes[seat]
        if tribe.answer == orders:
            raise Wrong("the same answer again")
        tribe.answer = orders
        if all(self.tribes[one].answer is not None for one in self.asked):
            self.go_on()

    # The course of a turn

    def turn_begins(self, held: bool) -> None:
        self.held, self.phase, self.sown = False, "move", set()
        self.dawn(held)
        if self.over:
            return
        self.arrivals()
        self.move_animals()
        self.set_order()
        self.waiting = self.in_turn()
        self.boards = [self.board_now()]
        self.next_move()

    def next_move(self) -> None:
        while self.waiting:
            seat = self.waiting.pop(0)
            if not self.total(seat):
                continue
            self.new_unit()
            self.tell("move_began", seat)
            self.to_move = seat
            if self.tribes[seat].hand or self.can_do_something(seat):
                return
            self.done(seat, skipped=True)
            self.boards.append(self.board_now())
        self.to_move = None
        self.opens_w3()

    def opens_w3(self) -> None:
        self.asked = [
            tribe.seat
            for tribe in self.tribes
            if any(len(self.here_in_turn(h)) > 1 for h in self.where(tribe.seat))
            and not self.passed_over(tribe.seat)
        ]
        for tribe in self.tribes:
            if tribe.seat not in self.asked and self.total(tribe.seat):
                tribe.answer = self.answer_planned(tribe.seat)
        if self.asked:
            self.phase = "combat"
        else:
            self.go_on()

    def answer_planned(self, seat: int) -> list[Plain] | None:
        raise NotImplementedError

    def board_now(self) -> dict[int, object]:
        """What a plan may compare of each hex (M§24.5)."""
        board: dict[int, list[object]] = {}
        for (here, seat), group in sorted(self.groups.items()):
            board.setdefault(here, []).append((seat, *group.values()))
        for (here, species), herd in sorted(self.herds.items()):
            board.setdefault(here, []).append((species, len(herd)))
        for here, (seat, palisade) in self.camps.items():
            board.setdefault(here, []).append(("camp", seat, palisade))
        for here, ears in self.fields.items():
            board.setdefault(here, []).append(("field", ears))
        for here in (*self.closed, *self.frozen):
            board.setdefault(here, []).append("marked")
        return dict(board)

    def passed_over(self, seat: int) -> bool:
        """M§19.8."""
        places = self.locations(seat)
        if self.tribes[seat].hand or len(places) != 1:
            return False
        here = places[0]
        if here in self.camps and self.camps[here][0] != seat:
            return False
        herds, group = self.herds_at(here), self.pawns(here, seat)
        return len(herds) <= 1 and not (herds and group["w"] and group["f"])

    def go_on(self) -> None:
        """From the last answer to the next stop."""
        self.combat()
        if not self.over:
            self.asked = []
            for tribe in self.tribes:
                tribe.answer = None
                tribe.plans.pop("combat", None)
            self.survive()
        if not self.over and self.last_turn:
            self.births()
        if not self.over:
            held = self.held
            self.dusk()
            if not self.over:
                self.turn_begins(held)


def put(orders: list[Plain], order: Plain) -> None:
    """Place of one with the same word, title and place, or behind."""

    def key(one: Plain) -> object:
        return word(one), title_of(one), place_of(one)

    for n, one in enumerate(orders):
        if key(one) == key(order):
            if one == order:
                raise Wrong("on file already")
            orders[n] = order
            return
    orders.append(order)
