"""The bots: fair, the same every time, and each better than the one before."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.plans.filing import check_plan
from engine.fire_and_stone.reasons import Deed
from engine.fire_and_stone.state import Phase, State
from engine.play import submit, written
from engine.record import simulate
from tests.engine.fire_and_stone.positions import begun, forest, play, put, tile


def _asked(state: State, bot: str, number: int = 0) -> tuple[Any, ...]:
    decision = GAME.decisions(state)[0]
    chance = chance_of(seed_of_number(number), decision.seat, 1)
    return ask(GAME, bot, state, decision, chance)


def test_planner_files_a_plan_with_its_move() -> None:
    file, go = _asked(begun(), "planner")
    assert isinstance(file, do.File)
    assert isinstance(go, do.Go)
    assert file.plan is not None
    check_plan(None, file.plan)
    events = {line.event for line in file.plan.lines}
    assert {"forest", "hunt", "fire", "apple", "root", "return", "card", "other"} <= events


def test_f19_1_a_plan_is_written_behind_its_move_and_read_again() -> None:
    state = begun()
    actions: tuple[Any, ...] = _asked(state, "planner")
    text = "\n".join(written(GAME, state, 0, actions, "en"))
    assert text.startswith("go ")
    assert GAME.notation.parse(state, 0, text, "en") == actions


def test_planner_files_no_plan_with_what_is_secret() -> None:
    state = forest(tile(begun(), "namib", "forest"), "namib", 0, 1, 7)
    state = play(state, do.Go(place="namib"), do.Hunt())
    assert state.turn.phase == Phase.KEEP
    assert _asked(state, "planner") == (do.Keep(pieces=("mammoth",)),)


def test_explorers_that_find_nothing_hidden_go_first() -> None:
    state = put(begun(), explorers=("cape", "gaul"), columns=("nn", ""), inventions=("boats",))
    state = replace(tile(state, "rhine", "nut"), down=1 << INDEX["angola"])
    actions = [a for a in _asked(state, "planner") if type(a) is not do.File]
    assert actions[:4] == [
        do.Lead(explorer=2),
        do.Go(place="rhine"),
        do.Take(column="light"),
        do.Score(covers="boats"),
    ]
    assert isinstance(actions[-1], do.Go)


def test_in_a_last_turn_what_earns_no_point_stands_behind_what_does() -> None:
    """F§13.2: and each says what it earns, of what is hidden by public counts."""
    state = put(begun(), explorers=("cape",), food=2)
    state = put(tile(state, "limpopo", ""), seat=1, huts=("limpopo",) * 2)
    state = replace(tile(state, "namib", "nut"), turns_left=0, down=1 << INDEX["angola"])
    turns = GAME.suggestions(state, 0, 4)
    assert do.Build() in turns[0]
    assert GAME.suggestions(state, 0, 1) == turns[:1]
    whys = GAME.reasons(state, 0, turns)
    earned = [why.last for why in whys if isinstance(why, Deed) and why.last]
    assert [last[0] for last in earned] == sorted((last[0] for last in earned), reverse=True)
    assert earned[0] == (1, "", 0, 0, ())
    for turn, (points, place, earning, count, kinds) in zip(turns[1:], earned[1:], strict=True):
        assert (points, count) == (0, bool(place))
        assert (place == "angola") == (do.Go(place="angola") in turn)
        assert (earning > 0) == bool(kinds)


def test_f19_1_what_a_turn_earns_is_known_of_one_with_a_plan_too() -> None:
    """The answer to such a turn, in a last one, could not be written, and was never sent."""
    file, go = _asked(begun(), "planner")
    for state in (begun(), replace(begun(), turns_left=0)):
        alone, with_plan = GAME.reasons(state, 0, [(go,)]), GAME.reasons(state, 0, [(file, go)])
        assert with_plan == alone
        assert with_plan != (None,)


@pytest.mark.parametrize("bot", ["greedy", "planner"])
def test_a_bot_plays_the_same_whatever_it_cannot_know(bot: str) -> None:
    state = begun(3)
    for n in range(12):
        decision = next(d for d in GAME.decisions(state) if d.blocks)
        answers = {
            GAME.bots[bot](
                GAME.guess(state, decision.seat, SeededChance(seed_of_number(number))),
                decision,
                chance_of(seed_of_number(n), decision.seat, n),
            )
            for number in range(3)
        }
        assert len(answers) == 1
        (actions,) = answers
        chance = SeededChance(seed_of_number(n))
        state = submit(GAME, state, decision.seat, decision.id, actions, chance).state


@pytest.mark.parametrize("bot", ["random", "greedy", "planner"])
def test_a_bot_ranks_starting_inventions_once(bot: str) -> None:
    state = begun(4, starting_inventions=True)
    for seat in (2, 0, 3, 1):
        decision = GAME.decisions(state)[seat]
        actions = ask(GAME, bot, state, decision, chance_of(seed_of_number(1), seat, 1))
        chance = SeededChance(seed_of_number(1))
        state = submit(GAME, state, seat, decision.id, actions, chance).state
        if state.turn.number == 0:
            assert ask(GAME, "planner", state, GAME.decisions(state)[seat], chance) == ()
            assert GAME.suggestions(state, 1, 3)
    assert state.turn.number == 1


@pytest.mark.rarely("planner")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other"),
    [pytest.param("greedy", "random", marks=pytest.mark.rarely), ("planner", "greedy")],
)
def test_each_bot_beats_the_one_before(one: str, other: str) -> None:
    won = 0.0
    for number in range(4):
        names = (one, other) if number % 2 else (other, one)
        outcome = simulate(GAME, 2, seed_of_number(8000 + number), names).outcome
        assert outcome is not None
        won += sum(names[seat] == one for seat in outcome.winners) / len(outcome.winners)
    assert won > 2
