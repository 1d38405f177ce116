"""Plans, for every game: whole, legal, honest about what is not known, and true to the reader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from operator import eq
from typing import Any

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.play import Incomplete, NotYourDecision, decision_of, submit
from engine.protocol import Decision
from service.matches.plans import Draft, Plan, TurnBuilder
from tests.engine.contract.walks import SHOWN as GAMES
from tests.engine.contract.walks import SHOWN_TABLES, at, frozen, sample

every_table = at(SHOWN_TABLES, ends=(0,))


def asked(key: str, seats: int, number: int, most: int) -> Iterator[tuple[Any, Decision[Any]]]:
    """Positions in which a decision begins, and the decision."""
    game = GAMES[key]
    for moment in sample(key, seats, number, most):
        for decision in game.decisions(moment.state):
            yield moment.state, decision


def plays(key: str, state: Any, decision: Decision[Any], texts: list[str]) -> bool:
    """Whether the rules take these texts as a whole submission, up to the first reveal."""
    game = GAMES[key]
    actions = game.notation.parse(state, decision.seat, "\n".join(texts), "en")
    chance = SeededChance(seed_of_number(1))
    try:
        played = submit(game, state, decision.seat, decision.id, actions, chance)
    except Incomplete:
        return False
    return played.unplayed == () or played.revealed


def shown(plan: Plan) -> tuple[str, ...]:
    return tuple(plan.texts)


@every_table
def test_the_plan_of_who_has_chosen_nothing_is_a_whole_legal_turn(key: str, seats: int) -> None:
    for state, decision in asked(key, seats, 0, 60):
        plan = TurnBuilder(GAMES[key], state, decision.seat, decision.id).write(Draft())
        assert plays(key, state, decision, plan.texts)
        assert plan.own == 0
        assert plan.dropped == []


@every_table
def test_every_choice_of_every_line_is_accepted_at_its_place(key: str, seats: int) -> None:
    whim = random.Random(f"{key} {seats}")
    for state, decision in asked(key, seats, 1, 12):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        plan = writer.write(Draft())
        for index, line in enumerate(plan.lines):
            for option in whim.sample(line.options, min(6, len(line.options))):
                chosen = (*plan.texts[:index], option.text)
                whole = writer.write(Draft(texts=chosen))
                assert shown(whole)[: index + 1] == chosen
                assert whole.dropped == []
                assert plays(key, state, decision, whole.texts)


@every_table
def test_a_line_offers_what_the_rules_offer_and_nothing_else(key: str, seats: int) -> None:
    game = GAMES[key]
    for state, decision in asked(key, seats, 2, 30):
        plan = TurnBuilder(game, state, decision.seat, decision.id).write(Draft())
        here = decision_of(game, state, decision.seat, decision.id)
        legal = {game.notation.meaning(state, decision.seat, a) for a in here.choices}
        read = [
            game.notation.parse(state, decision.seat, option.text, "en")[0]
            for option in plan.lines[0].options
        ]
        meant = [game.notation.meaning(state, decision.seat, action) for action in read]
        first = plan.lines[0]
        if not first.open:  # else both are examples of what can be written
            assert set(meant) <= legal if first.folded else set(meant) == legal
        assert len(meant) == len(set(meant)), "what comes to the same is listed once"
        for line in plan.lines:
            assert line.folded or line.chosen in line.options
            assert len({option.text for option in line.options}) == len(line.options)


@every_table
def test_sending_back_what_was_shown_changes_nothing(key: str, seats: int) -> None:
    for state, decision in asked(key, seats, 3, 20):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        plan = writer.write(Draft())
        same = writer.write(Draft(texts=shown(plan), shown=shown(plan), own=1))
        assert same.texts == plan.texts
        assert [line.suggested for line in same.lines] == [False] + [True] * (len(plan.lines) - 1)


@every_table
def test_changing_any_line_gives_a_whole_turn_that_keeps_it(key: str, seats: int) -> None:
    whim = random.Random(f"{key} {seats} change")
    for state, decision in asked(key, seats, 4, 15):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        plan = writer.write(Draft())
        for _ in range(8):
            index = whim.randrange(len(plan.lines))
            line = plan.lines[index]
            text = whim.choice(line.options or [line.chosen]).text
            texts = (*plan.texts[:index], text, *plan.texts[index + 1 :])
            after = writer.write(Draft(texts=texts, shown=shown(plan), own=plan.own))
            assert shown(after)[: index + 1] == texts[: index + 1]
            assert plays(key, state, decision, after.texts)
            plan = after


@every_table
def test_nonsense_is_left_out_and_named(key: str, seats: int) -> None:
    state, decision = next(asked(key, seats, 5, 5))
    writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
    plan = writer.write(Draft())
    texts = ("xyzzy", *plan.texts, "\N{BEAR FACE}", plan.texts[0])
    after = writer.write(Draft(texts=texts))
    assert after.texts == plan.texts
    assert after.dropped == ["xyzzy", "\N{BEAR FACE}", plan.texts[0]]


@every_table
def test_a_plan_tells_nothing_that_its_seat_does_not_know(key: str, seats: int) -> None:
    game = GAMES[key]
    for state, decision in asked(key, seats, 6, 20):
        plans = [
            TurnBuilder(game, guess, decision.seat, decision.id).write(Draft())
            for guess in (
                state,
                *(
                    game.guess(state, decision.seat, SeededChance(seed_of_number(n)))
                    for n in range(3)
                ),
            )
        ]
        assert len({frozen(plan) for plan in plans}) == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_taken_is_in_hand_before_anything_is_revealed(seats: int) -> None:
    found = 0
    for state, decision in asked("sapiens", seats, 3, 20):
        plan = TurnBuilder(GAMES["sapiens"], state, decision.seat, decision.id).write(Draft())
        if not plan.reveals:
            continue
        done = [line.chosen.action for line in plan.lines]
        taken = {tile for action in done if action["do"] == "take" for tile in action["tiles"]}
        gone = {action["tile"] for action in done if action["do"] == "remove"}
        found += bool(taken)
        assert bool(gone) == (seats == 2)
        assert taken <= tiles(plan.view["players"][decision.seat]["pool"])
        common = tiles(plan.view["common"])
        assert not common & (taken | gone)
        seen = plan.lines[0].view
        pools = (tiles(pool) for pool in (seen["common"], *(p["pool"] for p in seen["players"])))
        assert common <= set().union(*pools), "nothing is revealed"
        assert plan.view["stack"] == seen["stack"]
        assert [event["kind"] for event in plan.events][-1] == ("removed" if gone else "took")
    assert found


def tiles(pool: list[dict[str, Any]]) -> set[str]:
    return {item["tile"] for item in pool}


@every_table
def test_a_plan_leaves_the_position_alone(key: str, seats: int) -> None:
    for state, decision in asked(key, seats, 7, 10):
        before = frozen(state)
        TurnBuilder(GAMES[key], state, decision.seat, decision.id).write(Draft(texts=("x",)))
        assert frozen(state) == before


@every_table
def test_a_decision_of_another_seat_has_no_plan(key: str, seats: int) -> None:
    state, decision = next(asked(key, seats, 8, 5))
    with pytest.raises(NotYourDecision):
        TurnBuilder(GAMES[key], state, (decision.seat + 1) % seats, "no such decision")


@every_table
def test_the_text_of_a_plan_is_read_back_in_both_languages(key: str, seats: int) -> None:
    for state, decision in asked(key, seats, 9, 20):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        plan = writer.write(Draft())
        for lang in ("en", "fr"):
            draft = Draft(texts=shown(plan), shown=shown(plan))
            text = "\n".join(writer.localised(draft, plan.texts, lang))
            assert writer.read(text, lang) == plan.texts


def refills(plan: Plan, index: int) -> list[str]:
    return [o.text for o in plan.lines[index].options if o.text.startswith("take ")]


def test_a_bonus_put_in_before_the_refill_keeps_the_refill_that_was_chosen() -> None:
    met = 0
    for state, decision in asked("sapiens", 3, 10, 90):
        writer = TurnBuilder(GAMES["sapiens"], state, decision.seat, decision.id)
        for lay in writer.write(Draft()).lines[0].options:
            declined = writer.write(Draft(texts=(lay.text,)))
            if len(declined.lines) < 2 or declined.lines[1].kind != "bonus":
                continue
            take = refills(declined, 1)[-1]
            plan = writer.write(Draft(texts=(lay.text, take)))
            assert shown(plan) == (lay.text, take)
            for option in plan.lines[1].options:
                if option.text not in ("camp", "picking"):
                    continue
                changed = (lay.text, option.text)
                after = writer.write(Draft(texts=changed, shown=shown(plan), own=plan.own))
                assert shown(after)[:2] == changed
                assert after.texts[-1] == take, "the reader's own refill, not ours"
                assert after.dropped == []
                met += 1
    assert met > 5


@every_table
def test_what_was_only_suggested_is_suggested_anew_after_a_change(key: str, seats: int) -> None:
    for state, decision in asked(key, seats, 11, 10):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        plan = writer.write(Draft())
        for option in plan.lines[0].options[:10]:
            if option.text != plan.texts[0]:
                texts = (option.text, *plan.texts[1:])
                after = writer.write(Draft(texts=texts, shown=shown(plan), own=0))
                assert after == writer.write(Draft(texts=(option.text,)))


@every_table
def test_what_is_suggested_goes_on_from_what_was_touched(key: str, seats: int) -> None:
    """Whatever a decision may begin with: it is the next step, and the rest makes it whole."""
    whim = random.Random(f"{key} {seats} touched")
    for state, decision in asked(key, seats, 3, 6):
        writer = TurnBuilder(GAMES[key], state, decision.seat, decision.id)
        for action in whim.sample(found := list(decision.choices), min(4, len(found))):
            plan = writer.write(Draft(), towards=partial(eq, action))
            text = GAMES[key].notation.format(state, decision.seat, action, "en")
            assert (plan.texts[0], plan.own) == (text, 0)
            assert plays(key, state, decision, plan.texts)
        best = writer.write(Draft())
        assert shown(writer.write(Draft(), towards=lambda _: True)) == shown(best)
        assert shown(writer.write(Draft(), towards=lambda _: False)) == shown(best)
