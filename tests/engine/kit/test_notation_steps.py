"""One text that says all the steps of a choice made in steps."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from engine.kit.notation import syntax
from engine.kit.notation.actions import ActionNotation
from engine.kit.notation.meaning import Meaning, exactly
from engine.kit.notation.syntax import either, into, keyword, many
from engine.kit.notation.words import Vocabulary, words_of
from engine.protocol import Ambiguous, Decision, IllegalAction, Seat, Step, Unreadable


class Pick(msgspec.Struct, frozen=True, tag="pick"):
    """Name a berry."""

    berry: str


class Done(msgspec.Struct, frozen=True, tag="done"):
    """Eat those that were named."""


Action = Pick | Done
State = tuple[str, ...]
"""The berries named so far; two colours, two of each."""

WORDS = Vocabulary({"red": {"en": "red", "fr": "rouge"}, "blue": {"en": "blue", "fr": "bleue"}})
VERBS = Vocabulary(
    {
        "pick": {"en": "pick", "fr": "cueille"},
        "eat": {"en": "eat", "fr": "mange"},
        "done": {"en": "done", "fr": "fini"},
    }
)


class Order(msgspec.Struct, frozen=True):
    """An action as written."""

    verb: str
    berries: tuple[str, ...] = ()


BERRIES = many(syntax.each(WORDS, "berry"), 1)
GRAMMAR = either(
    syntax.by_word(
        VERBS,
        "verb",
        {
            "pick": into(lambda b: Order("pick", (b,)), syntax.each(WORDS, "berry")),
            "eat": into(lambda b: Order("eat", b), BERRIES),
            "done": syntax.leading(lambda: Order("done")),
        },
    ),
    into(lambda _: Order("any"), keyword({"en": "any", "fr": "une"})),
)


def offered(state: State) -> list[Action]:
    """The berries left, and the end once one is named."""
    left = [Pick(berry) for berry in ("red", "blue") if state.count(berry) < 2]
    return [*left, *([Done()] if state else [])]


def decisions(state: State) -> list[Decision[Action]]:
    return [
        Decision(id="1", turn="1", seat=0, kind="meal", rule="M§1", choices=tuple(offered(state)))
    ]


def apply(state: State, seat: Seat, action: Action) -> Step[State]:
    if action not in offered(state):
        raise IllegalAction("no_such_berry", "M§1")
    return Step(state=(*state, action.berry) if isinstance(action, Pick) else ())


def meanings(state: State, seat: Seat, order: Order) -> Iterator[Meaning[Action]]:
    if order.verb == "done":
        yield exactly(Done())
    elif order.verb == "any":
        for berry in ("red", "blue"):
            yield replace(exactly(Pick(berry)), then=(Done(),))
    else:
        steps: tuple[Action, ...] = tuple(map(Pick, order.berries))
        steps = (*steps, *([Done()] if order.verb == "eat" else []))
        yield replace(exactly(steps[0]), then=steps[1:])


def write(state: State, seat: Seat, action: Action, lang: str) -> str:
    if isinstance(action, Done):
        return VERBS.write("done", lang)
    return f"{VERBS.write('pick', lang)} {WORDS.write(action.berry, lang)}"


NOTATION = ActionNotation(
    words=words_of(WORDS, VERBS),
    grammar=GRAMMAR,
    meanings=meanings,
    format=write,
    decisions=decisions,
    apply=apply,
    kinds=("verb", "berry", "end"),
)


def test_one_text_says_all_the_steps() -> None:
    read = NOTATION.parse((), 0, "eat red blue", "en")
    assert read == (Pick("red"), Pick("blue"), Done())
    assert read == NOTATION.parse((), 0, "pick red, pick blue, done", "en")
    assert NOTATION.parse((), 0, "pick red, mange bleue", "fr") == read


def test_a_step_that_is_not_legal_after_those_before_it_is_refused() -> None:
    with pytest.raises(IllegalAction) as refused:
        NOTATION.parse((), 0, "eat red red red blue", "en")
    assert refused.value.code == "no_such_berry"
    assert refused.value.context["text"] == "eat red red red blue"
    assert refused.value.context["nearest"] == ("pick blue",)


def test_an_error_knows_all_steps_begun_before_it() -> None:
    with pytest.raises(Unreadable) as refused:
        NOTATION.parse((), 0, "eat red blue, pick green", "en")
    assert refused.value.begun == (Pick("red"), Pick("blue"), Done())


def test_two_meanings_of_several_steps_are_asked_about_with_all_of_them() -> None:
    with pytest.raises(Ambiguous) as asked:
        NOTATION.parse((), 0, "any", "en")
    assert asked.value.readings == ("pick red, done", "pick blue, done")
