"""Small parts that positions are made of: sets, tuples, changes, guesses, and stories of them."""

from __future__ import annotations

import msgspec
import pytest

from engine.chance import SeededChance, seed_of_number
from engine.kit.change import Change
from engine.kit.guessing import dealt_anew
from engine.kit.sets import mask, members
from engine.kit.telling import sentences
from engine.kit.tuples import put, with_player, without


class Position(msgspec.Struct, frozen=True):
    players: tuple[int, ...] = (1, 2, 3)
    shown: bool = False


def test_sets_of_numbers_are_ints() -> None:
    assert mask((5, 0, 5)) == 0b100001
    assert members(mask((67, 3, 12))) == (3, 12, 67)
    assert (mask(()), members(0)) == (0, ())


def test_tuples_are_changed_in_one_place() -> None:
    assert put((1, 2, 3), 1, 9) == (1, 9, 3)
    assert without((1, 2, 1), 1) == (2, 1)
    assert with_player(Position(), 2, 7).players == (1, 2, 7)
    with pytest.raises(ValueError, match="not in tuple"):
        without((1,), 2)


def test_a_change_remembers_the_position_before_what_was_hidden() -> None:
    change = Change(Position())
    assert not change.step().reveals
    change.set(players=(4, 5))
    change.note_reveal()
    change.set(shown=True)
    change.note_reveal()
    step = change.step()
    assert (step.state, step.reveals) == (Position((4, 5), shown=True), True)
    assert (step.state_before_reveal, step.events_before_reveal) == (Position((4, 5)), 0)


def test_what_is_hidden_is_dealt_anew_in_groups_of_the_same_size() -> None:
    groups = [(1, 2), (), (3, 4, 5)]
    dealt = [dealt_anew(SeededChance(seed_of_number(n)), "x", groups) for n in range(20)]
    assert all(list(map(len, each)) == [2, 0, 3] for each in dealt)
    assert all(sorted(sum(each, ())) == [1, 2, 3, 4, 5] for each in dealt)
    assert len({tuple(each) for each in dealt}) > 5
    assert dealt_anew(SeededChance(seed_of_number(0)), "x", [()]) == [()]


def test_deeds_of_one_seat_are_one_sentence() -> None:
    kinds = [(0, "go"), (0, "take"), (1, "go"), (1, "won"), (1, "won"), (1, "go"), (0, "dealt")]
    events = [{"seat": seat, "kind": kind} for seat, kind in kinds]
    told = sentences(events, own=("won",), quiet=("dealt",))
    assert [(each.seat, each.own, [e["kind"] for e in each.events]) for each in told] == [
        (0, False, ["go", "take"]),
        (1, False, ["go"]),
        (1, True, ["won"]),
        (1, True, ["won"]),
        (1, False, ["go"]),
    ]
