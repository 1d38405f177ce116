"""Why suggestions stand in their order (engine/sapiens/bots/reasons.py)."""

from __future__ import annotations

from engine.chance import SeededChance
from engine.sapiens import GAME
from engine.sapiens.bots.line import begin
from engine.sapiens.bots.reasons import Reason
from engine.sapiens.bots.standing import parts, standing, turns_left


def test_every_suggestion_says_what_it_is_better_and_worse_for() -> None:
    """In games played by the first suggestion: nothing is said that the position does not bear."""
    said: set[tuple[bool, str, str]] = set()
    for seed in range(2):
        chance = SeededChance(bytes([seed]) * 32)
        state = GAME.setup(3, GAME.options_type(), chance).state
        while open_ := [each for each in GAME.decisions(state) if each.blocks]:
            seat = open_[0].seat
            suggested = GAME.suggestions(state, seat, 4)
            found = GAME.reasons(state, seat, suggested)
            assert len(found) == len(suggested)
            turns = turns_left(state)
            ends = [begin(state).follow(actions).state for actions in suggested]
            for number, (why, end) in enumerate(zip(found, ends, strict=True), start=1):
                assert (why is None) == (len(suggested) == 1)
                if why is None:
                    continue
                assert isinstance(why, Reason)
                other = ends[why.other - 1]
                assert why.other == (2 if number == 1 else 1)
                apart = standing(end, seat, turns)[0] - standing(other, seat, turns)[0]
                assert why.level == (abs(apart) < 0.5)
                mine, theirs = parts(end, seat, turns), parts(other, seat, turns)
                if why.better:
                    assert sum(mine[why.better]) > sum(theirs[why.better])
                if why.worse:
                    assert sum(mine[why.worse]) < sum(theirs[why.worse])
                said.add((why.level, why.better, why.worse))
            for action in suggested[0]:
                state = GAME.apply(state, seat, action, chance).state
    assert len(said) > 10, "and not always the same"


def test_the_parts_of_a_standing_are_all_of_it() -> None:
    state = GAME.setup(3, GAME.options_type(), SeededChance(b"\1" * 32)).state
    turns = turns_left(state)
    fp, sp = map(sum, zip(*parts(state, 0, turns).values(), strict=True))
    low, high = sorted((fp, sp))
    assert low <= standing(state, 0, turns)[0] <= (low + high) / 2
