"""Parts of bots, tried on rules that reveal in mid-turn and have orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from engine.chance import Chance, Divergence, SeededChance, seed_of_number
from engine.kit.bots import chancer
from engine.kit.bots.lines import Line, begin
from engine.kit.bots.search import Stage, Worth, search
from engine.kit.bots.suggesting import suggest
from engine.play import NotYourDecision
from engine.protocol import Asks, Decision, IllegalAction, Seat, Step
from tests.engine.kit import camps
from tests.engine.kit.camps import Action, Bury, Camp, Pick, Rest, State, Watch

SEED = seed_of_number(3)
ToyLine = Line[State, Action]


def start() -> tuple[State, Decision[Action]]:
    """The set-up and the first turn."""
    state = State()
    return state, camps.turn_of(state)


def turn() -> ToyLine:
    return begin(camps, *start())


def test_a_line_holds_the_submission_and_the_position_it_leads_to() -> None:
    state, decision = start()
    line = begin(camps, state, decision)
    assert (line.actions, line.steps, line.state, line.made) == ((), (), state, False)
    camped = line.play(Camp("hill"))
    assert camped.remaining is not None
    assert list(camped.remaining.choices) == [Rest(), Pick()]
    rested = camped.play(Rest())
    assert rested.made
    assert rested.actions == (Camp("hill"), Rest())
    assert rested.steps == ((state, Camp("hill")), (camped.state, Rest()))
    assert line.actions == ()


def test_a_line_ends_at_a_reveal() -> None:
    drawn = turn().play(Camp("ford")).play(Pick())
    assert drawn.revealed
    assert drawn.made
    for action in (Bury(1), Rest()):
        with pytest.raises(IllegalAction, match="turn_over"):
            drawn.play(action)
    assert turn().follow([Camp("ford"), Pick(), Rest()]).actions == drawn.actions


def test_a_line_goes_on_from_within_a_turn() -> None:
    camped = turn().play(Camp("hill"))
    line = begin(camps, camped.state, camps.turn_of(camped.state))
    assert line.play(Rest()).made


def test_a_line_keeps_to_its_decision() -> None:
    state, decision = start()
    line = begin(camps, state, decision)
    with pytest.raises(IllegalAction, match="other_decision"):
        line.play(Watch("hill"))
    with pytest.raises(IllegalAction, match="out_of_order"):
        line.play(Rest())
    order = begin(camps, state, camps.order_of(state, decision.seat))
    assert order.play(Watch("hill")).made
    with pytest.raises(NotYourDecision):
        begin(camps, state, replace(decision, id="t9.9"))


class Dice:
    """Rules that draw."""

    def decisions(self, state: int) -> tuple[Decision[str], ...]:
        return (
            Decision(id=f"r{state}", turn="1", seat=0, kind="roll", rule="D§2", choices=["roll"]),
        )

    def apply(self, state: int, seat: Seat, action: str, chance: Chance) -> Step[int]:
        return Step(state=state + 1 + chance.below("die", 6), reveals=True)


def test_a_line_draws_only_from_the_chance_it_is_given() -> None:
    dice = Dice()
    (decision,) = dice.decisions(0)
    with pytest.raises(Divergence):
        begin(dice, 0, decision).play("roll")
    assert begin(dice, 0, decision, SeededChance(SEED)).play("roll").revealed


class Diary:
    """Rules with one order that stays open under its id, and takes two steps."""

    def decisions(self, state: tuple[str, ...]) -> tuple[Decision[str], ...]:
        begun = len(state) % 2 == 1
        word = "until" if begun else "from"
        asks = Asks.MUST if begun else Asks.MAY
        return (
            Decision(id="away", turn="1", seat=0, kind=word, rule="D§1", choices=[word], asks=asks),
        )

    def apply(
        self, state: tuple[str, ...], seat: Seat, action: str, chance: Chance
    ) -> Step[tuple[str, ...]]:
        return Step(state=(*state, action))


def test_an_order_that_stays_open_is_made_once_it_is_whole() -> None:
    """It can be replaced, but by another submission."""
    diary = Diary()
    line = begin(diary, (), diary.decisions(())[0])
    assert not line.made
    begun = line.play("from")
    assert not begun.made
    filed = begun.play("until")
    assert filed.made
    with pytest.raises(IllegalAction, match="turn_over"):
        filed.play("from")
    again = begin(diary, filed.state, diary.decisions(filed.state)[0])
    drawn = {chancer.draw(again, SeededChance(seed_of_number(n))).actions for n in range(20)}
    assert drawn == {(), ("from", "until")}


def grow(line: ToyLine) -> Iterator[ToyLine]:
    assert line.remaining is not None
    for action in line.remaining.choices:
        yield line.play(action)


def judge(line: ToyLine) -> Worth:
    """Resting is better than drawing, the ford than the hill; two positions each."""
    liked = {Rest(): 2.0, Camp("ford"): 1.0}
    return Worth(sum(liked.get(action, 0.0) for action in line.actions), 2)


FIRST: Stage[State, Action] = Stage(grow=grow, judge=judge, width=2)


def test_a_search_hands_the_best_lines_on_from_stage_to_stage() -> None:
    found = search(turn(), [FIRST, FIRST], 100)
    assert found.line.actions == (Camp("ford"), Rest())
    assert found.visited == 2 * 2 + 4 * 2
    narrow = search(turn(), [replace(FIRST, width=1), FIRST], 100)
    assert narrow.line.actions == found.line.actions
    assert narrow.visited == 2 * 2 + 2 * 2


def test_of_equal_lines_the_first_is_the_better() -> None:
    alike = Stage(grow=grow, judge=lambda line: Worth(0.0))
    assert search(turn(), [alike, alike], 9).line.actions == (Camp("hill"), Rest())


def test_a_search_spends_positions() -> None:
    """Nothing is grown once the budget is spent, but one line is always handed on."""
    frugal = replace(FIRST, share=1.0)
    assert search(turn(), [frugal], 1).visited == 2
    assert search(turn(), [frugal], 2).visited == 4
    assert search(turn(), [FIRST], 1).visited == 4
    assert search(turn(), [FIRST, replace(FIRST, share=0.5)], 6).visited == 4 + 2
    assert search(turn(), [FIRST, frugal], 0).line.made


def test_a_stage_may_compare_what_is_grown_from_one_line() -> None:
    """All of them are looked at before the budget is, and the best go on."""
    family = replace(FIRST, of_one=1, share=1.0)
    found = search(turn(), [FIRST, family], 5)
    assert found.visited == 4 + 2 * 2
    assert found.line.actions == (Camp("ford"), Rest())


@pytest.mark.parametrize(("of_one", "handed_on"), [(None, 3), (2, 3), (1, 2)])
def test_a_stage_may_hand_on_few_of_one_line(of_one: int | None, handed_on: int) -> None:
    seen: list[ToyLine] = []

    def note(line: ToyLine) -> Iterable[ToyLine]:
        seen.append(line)
        return ()

    family = replace(FIRST, of_one=of_one, width=3)
    with pytest.raises(ValueError, match="no line"):
        search(turn(), [FIRST, family, Stage(grow=note, judge=judge)], 9)
    assert len(seen) == handed_on


def test_a_stage_may_keep_what_it_is_given() -> None:
    poor = Stage(grow=grow, judge=lambda line: Worth(-1.0), keep=True, share=1.0)
    kept = search(turn(), [FIRST, poor], 100)
    assert kept.line.actions == (Camp("ford"),)
    assert kept.visited == 2 * 2 + 4
    spent = search(turn(), [FIRST, poor], 3)
    assert (spent.line.actions, spent.visited) == (kept.line.actions, 4)


def test_a_random_bot_draws_a_kind_first() -> None:
    """One way to rest is as likely as all the ways to bury together."""
    camped = turn().play(Camp("hill"))
    state = replace(camped.state, phase="bury", cut=True)
    crowd = replace(state, hands=((*range(50, 90),),) * 3)
    decision = camps.turn_of(crowd)
    chance = SeededChance(SEED)

    def kind(action: Action) -> bool:
        return isinstance(action, Bury) and action.card == 50

    drawn = [chancer.draw(begin(camps, crowd, decision), chance, kind).actions for _ in range(200)]
    counted = Counter(actions[0] == Bury(50) for actions in drawn)
    assert 70 < counted[True] < 130
    assert {len(actions) for actions in drawn} == {1}


def test_a_random_bot_plays_up_to_a_reveal() -> None:
    drawn = {chancer.draw(turn(), SeededChance(seed_of_number(n))).actions for n in range(40)}
    dug = (Rest(), Pick())
    assert drawn == {(Camp(p), dig) for p in ("hill", "ford") for dig in dug}


def test_a_random_bot_leaves_an_order_as_often_as_it_files_one() -> None:
    state, decision = start()
    order = camps.order_of(state, decision.seat)
    line = begin(camps, state, order)
    drawn = [chancer.draw(line, SeededChance(seed_of_number(n))).actions for n in range(200)]
    assert 70 < drawn.count(()) < 130
    assert set(drawn) == {(), (Watch("hill"),), (Watch("ford"),)}


def turns() -> list[ToyLine]:
    return [end for camped in grow(turn()) for end in grow(camped)]


def meaning(state: State, seat: int, action: Action) -> object:
    """To camp anywhere is the same."""
    return Camp if isinstance(action, Camp) else action


def value(line: ToyLine) -> float:
    return judge(line).value


def test_suggestions_are_the_best_first() -> None:
    found = suggest(turns(), value, 3, camps.meaning)
    assert found == (
        (Camp("ford"), Rest()),
        (Camp("hill"), Rest()),
        (Camp("ford"), Pick()),
    )
    assert suggest(turns(), value, 0, camps.meaning) == ()


def test_of_suggestions_that_mean_the_same_the_best_is_listed() -> None:
    found = suggest(turns(), value, 4, meaning)
    assert found == ((Camp("ford"), Rest()), (Camp("ford"), Pick()))


def test_near_twins_are_none_to_choose_from() -> None:
    def alike(line: ToyLine, other: ToyLine) -> bool:
        return line.actions[1] == other.actions[1]

    found = suggest(turns(), value, 3, camps.meaning, alike)
    assert found == ((Camp("ford"), Rest()), (Camp("ford"), Pick()))
    assert suggest(turns(), value, 1, camps.meaning, alike) == found[:1]
    twins = suggest(turns(), value, 3, camps.meaning, lambda line, other: True)
    assert len(twins) == 2, "but for a second"
