"""Why suggestions stand in their order (engine/sapiens/bots/reasons.py)."""

from __future__ import annotations

from operator import gt, lt

from msgspec.structs import astuple

from engine.chance import SeededChance, seed_of_number
from engine.sapiens import GAME
from engine.sapiens.actions import Lay, Take
from engine.sapiens.bots.line import begin
from engine.sapiens.bots.reasons import Reason
from engine.sapiens.bots.standing import foreseen, parts, turns_left
from engine.sapiens.components import TILES
from engine.sapiens.placing import LAYING, placements
from engine.sapiens.scoring import connected
from engine.sapiens.state import START
from tests.engine.sapiens.positions import board, position


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
                assert isinstance(why, Reason)
                fits = placements(end.players[seat], LAYING, picking_on_plains=False)
                assert why.stuck == (turns > 0 and not end.players[seat].out and not fits)
                assert (why.following is None) == (state.turn.phase != START or not fits)
                if why.following:
                    assert why.following.fitting == len({each.tile for each in fits})
                    assert why.following.tile in {TILES[each.tile] for each in fits}
                if len(suggested) == 1:
                    assert not why.other
                    continue
                other = ends[why.other - 1]
                assert why.other == 2 if number == 1 else 1 <= why.other < number
                apart = foreseen(end, seat, turns) - foreseen(other, seat, turns)
                assert why.level == (abs(apart) < 0.5)
                mine, theirs = parts(end, seat, turns), parts(other, seat, turns)
                if why.better:
                    assert any(map(gt, mine[why.better], theirs[why.better]))
                if why.worse:
                    assert any(map(lt, mine[why.worse], theirs[why.worse]))
                if not why.level and apart < 0 and why.better:
                    assert why.worse, "an advantage alone does not say why it stands behind"
                if why.points or why.fitting:
                    assert "tiles" in (why.better, why.worse)
                    assert {why.points >= 0, why.fitting >= 0} == {True} or why.worse == "tiles"
                said.add((why.level, why.better, why.worse))
            assert len(set(map(astuple, found))) == len(found) or len(found) == 1
            for action in suggested[0]:
                state = GAME.apply(state, seat, action, chance).state
    assert len(said) > 10, "and not always the same"


def test_the_parts_of_a_standing_are_all_of_it() -> None:
    state = GAME.setup(3, GAME.options_type(), SeededChance(b"\1" * 32)).state
    turns = turns_left(state)
    fp, sp = map(sum, zip(*parts(state, 0, turns).values(), strict=True))
    low, high = sorted((fp, sp))
    assert low <= foreseen(state, 0, turns) <= (low + high) / 2


def test_the_first_tile_is_one_that_the_next_can_go_on_with() -> None:
    """All four tiles open the one cave; a tile comes up that goes on with water."""
    state = position(
        board(
            pool=["picking-fight.1", "picking-fire.1", "picking-ritual.1", "picking-water.1"],
            tokens={"H2E": "picking"},
        ),
        board(),
        common=["water-camp.1", "feast-camp.1", "camp-hunt.1", "feast-hunt.1", "feast-hunt.2"],
        phase=START,
    )
    best, second = GAME.suggestions(state, 0, 4)
    assert best[0] == Lay(tile="picking-water.1", first="H2E", second="H2")
    assert best[1] == Take(tiles=("water-camp.1",))
    assert second[0] != best[0], "another is offered, but with a warning"
    assert [why.stuck for why in GAME.reasons(state, 0, (best, second))] == [False, True]
    assert [why.stuck for why in GAME.reasons(state, 0, (second,))] == [True]
    told = [why.following for why in GAME.reasons(state, 0, (best, second))]
    assert told[1] is None
    assert told[0] is not None
    assert told[0].tile == "water-camp.1"
    assert told[0].fitting == 1
    assert told[0].scenes == ("water",)
    done = begin(state).follow(best).state.players[0]
    ways = placements(done, LAYING, picking_on_plains=False)
    assert told[0].fp == max(sum(food for _, _, food in connected(done, way)) for way in ways)


def test_no_first_tile_is_suggested_after_which_none_fits() -> None:
    """It would be left in the next turn (S§11.1), whatever it brings in this one."""
    left = 0
    for seed in range(12):
        state = GAME.setup(2, GAME.options_type(), SeededChance(seed_of_number(seed))).state
        seat = GAME.decisions(state)[0].seat
        suggested = GAME.suggestions(state, seat, 4)
        why = GAME.reasons(state, seat, suggested)
        assert len(suggested) > 1
        left += 4 - len(suggested)
        assert not any(each is not None and each.stuck for each in why)
    assert left, "some were left out"
