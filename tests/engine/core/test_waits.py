"""Counting how often somebody was waited for."""

from __future__ import annotations

from engine.chance import seed_hash, seed_of_number
from engine.journal import Entry, begin, extend, follow_plans
from engine.protocol import Seat
from engine.waits import Waits, count
from tests.engine.core.matches import match
from tests.engine.toy import GAME
from tests.engine.toy.actions import Action, Camp, File, Line, Play, Rest, Watch

SEED = seed_of_number(7)
TURN = (Camp(place="hill"), Rest())
PLAN = File(lines=(Line(when="always", do=Camp(place="hill")), Line(when="always", do=Rest())))


class _Match:
    """Two players in the first round; `first` begins."""

    def __init__(self) -> None:
        self.setup, self._position = begin(GAME, 2, GAME.options_type(), SEED, seed_hash(SEED))
        self.first: Seat = self._position.state.first
        self.entries: list[Entry] = []

    def play(self, seat: Seat, kind: str, *actions: Action, turn: int = 1) -> None:
        made = extend(GAME, self._position, seat, f"{turn}.{kind}.{seat}", actions, "player", SEED)
        for entry, reached, _ in (made, *follow_plans(GAME, made[1], SEED)):
            self.entries.append(entry)
            self._position = reached

    def duel(self, seat: Seat) -> None:
        self.play(seat, "duel", Play(card=self._position.state.hands[seat][0]))

    @property
    def waits(self) -> Waits:
        return count(GAME, self.setup, self.entries)


def test_each_answer_to_what_must_be_decided_is_a_wait() -> None:
    """The first to camp turns a tile over, and is waited for a second time within the turn."""
    match = _Match()
    one, other = match.first, 1 - match.first
    assert match.waits == Waits(waits=0, turns=0, by_seat=(0, 0))
    assert match.waits.percent == 0
    match.play(one, "turn", *TURN)
    match.play(one, "dig", Rest())
    assert (match.waits.waits, match.waits.turns, match.waits.percent) == (2, 1, 200)
    match.play(other, "turn", *TURN)
    match.duel(other)
    match.duel(one)
    assert match.waits.turns == 2, "the duel is of the same turn"
    assert match.waits.by_seat[one] == 3
    assert match.waits.by_seat[other] == 2
    assert match.waits.percent == 250


def test_orders_and_what_a_plan_says_are_no_waits() -> None:
    match = _Match()
    one, other = match.first, 1 - match.first
    match.play(other, "watch", Watch(place="cave"), turn=0)
    match.play(other, "file", PLAN)
    match.play(one, "turn", *TURN, PLAN)
    assert [entry.cause for entry in match.entries] == [
        "player",
        "player",
        "player",
        "plan",
        "plan",
    ]
    assert match.waits.waits == 1
    assert match.waits.turns == 2, "who had a plan had a turn, and nobody waited"
    assert match.waits.by_seat[other] == 0
    assert match.waits.percent == 50


def test_a_changed_answer_is_waited_for_once() -> None:
    match = _Match()
    one, other = match.first, 1 - match.first
    match.play(other, "file", PLAN)
    match.play(one, "turn", *TURN, PLAN)
    before = match.waits.waits
    match.duel(one)
    match.duel(one)
    assert match.waits.waits == before + 1


def test_a_whole_match_is_counted() -> None:
    setup, entries, _ = match()
    found = count(GAME, setup, entries)
    assert found.turns == 9, "three rounds of three"
    assert found.waits == sum(found.by_seat)
    answered = [e for e in entries if e.decision.split(".")[1] not in ("watch", "file")]
    assert found.waits == len([e for e in answered if e.cause != "plan"])
