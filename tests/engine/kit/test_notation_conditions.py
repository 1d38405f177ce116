"""Conditional lines of a made-up game: whole lines, read by the kit without a position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit.notation.lines import WholeLines
from engine.kit.notation.syntax import pattern
from engine.protocol import IllegalAction, Unreadable
from tests.engine.kit.hike import (
    NOTATION,
    PLANS,
    Branch,
    Condition,
    Go,
    Plan,
    Rest,
    State,
    Wish,
    write_line,
)

STATE = State(seen=("forest", "upper_cave"))


def line(text: str) -> Plan:
    _, lines = PLANS.cut(text)
    (plan,) = PLANS.read(lines, "en")
    return plan


HUNT = Plan("forest", (Branch((), ((Wish("hunt"),),)),))
LONG = Plan(
    "forest",
    (
        Branch(
            (Condition("apples", "most", 1), Condition("day", "is", 2)),
            ((Wish("hunt"), Wish("take", 2)), (Wish("go", "old_hut"), Wish("ask"))),
        ),
        Branch((Condition("day", "least", 1),), ((Wish("rest"),),)),
        Branch((), ((Wish("ask"),),)),
    ),
)


FORMS = """
when forest if apples at most 1 and day is 2: hunt or 2 apples then go old hut or ask else
  if day at least 1: rest else ask

quand forêt si pommes au plus 1 et jour est 2 : chasse ou 2 pommes puis va vieille hutte ou
  demande sinon si jour au moins 1 : repos sinon demande

When forest if apples<=1 and day=2: hunt>2 apples then go old-hut>ask else
  if day >= 1: rest else ask

quand foret si pommes au plus 1 et jour = 2 alors chasse > 2 pommes puis va vieille hutte > demande
  sinon si jour >= 1 : repos sinon demande
"""


@pytest.mark.parametrize("text", FORMS.split("\n\n"))
def test_a_line_is_read_in_both_languages_and_many_forms(text: str) -> None:
    assert line(" ".join(text.split())) == LONG


@pytest.mark.parametrize(
    "text",
    ["when forest: hunt", "quand forêt : chasse", "WHEN FORET:HUNT", "when forest then hunt"],
)
def test_a_short_line(text: str) -> None:
    assert line(text) == HUNT


def test_a_wrapped_line_goes_on_where_a_joining_word_begins() -> None:
    parts = write_line(LONG, "en").replace(" then", "\nthen").replace(" else", "\n  ELSE")
    assert "\n" in parts
    assert line(parts) == LONG


def test_words_may_be_shortened() -> None:
    assert line("when for if app at l 1: hu").branches[0].conditions == (
        Condition("apples", "least", 1),
    )


def test_it_is_written_in_either_language_and_read_back() -> None:
    first, *others = write_line(LONG, "fr").split(" sinon ")
    assert first.partition(" puis ") == (
        "quand forêt si pommes au plus 1 et jour est 2 : chasse ou 2 pommes",
        " puis ",
        "va Vieille hutte ou demande",
    )
    assert others == [
        "si jour au moins 1 : repos",
        "demande",
    ]
    for plan in (HUNT, LONG):
        for lang in ("en", "fr"):
            assert line(write_line(plan, lang)) == plan


wishes = st.one_of(
    st.builds(Wish, st.sampled_from(["look", "rest", "ask"])),
    st.builds(Wish, st.just("go"), st.sampled_from(["meadow", "old_hut", "upper_cave"])),
    st.builds(Wish, st.just("take"), st.integers(0, 99)),
)
conditions = st.builds(
    Condition,
    st.sampled_from(["apples", "day"]),
    st.sampled_from(["least", "most", "is"]),
    st.integers(0, 99),
)
branches = st.builds(
    Branch,
    st.lists(conditions, max_size=2).map(tuple),
    st.lists(st.lists(wishes, min_size=1, max_size=2).map(tuple), min_size=1, max_size=2).map(
        tuple
    ),
)


@given(
    st.builds(Plan, st.just("cave"), st.lists(branches, min_size=1, max_size=2).map(tuple)),
    st.sampled_from(["en", "fr"]),
)
def test_every_line_is_read_back(plan: Plan, lang: str) -> None:
    text = write_line(plan, lang)
    if len(text) <= 200:
        assert line(text) == plan


@pytest.mark.parametrize(
    ("text", "number", "fragment", "expected"),
    [
        ("when forest, hunt", 1, ",", {":", "if"}),
        ("when forest: look", 1, "look", {"hunt", "go", "rest", "ask"}),
        ("when river: hunt", 1, "river", {"forest", "cave"}),
        ("when forest: hunt\nwhen cave: look then go hut", 2, "hut", {"Old Hut", "Meadow"}),
        ("quand forêt : chasse\n\nquand grotte si pommes 3", 3, "3", {"au moins", "est"}),
        ("when forest if apples at most: hunt", 1, ":", set()),
        ("when cave: look\n  then", 1, "when cave: look then", {"look", "go"}),
    ],
)
def test_a_complaint_names_line_word_and_what_could_stand_there(
    text: str, number: int, fragment: str, expected: set[str]
) -> None:
    _, lines = PLANS.cut(text)
    lang = "fr" if "quand" in text else "en"
    with pytest.raises(Unreadable) as raised:
        PLANS.read(lines, lang)
    assert (raised.value.context["line"], raised.value.fragment) == (number, fragment)
    assert expected <= set(raised.value.context["expected"])
    assert raised.value.context["text"] in " ".join(text.split())


def test_the_kind_tells_the_wording_what_is_missing() -> None:
    for text, kind in [
        ("when forest: look", "wish"),
        ("when lake: look", "event"),
        ("when cave if apples at most: look", "number"),
        ("when cave if food at most 1: look", "amount"),
        ("when cave: look now", "word"),
    ]:
        with pytest.raises(Unreadable) as raised:
            line(text)
        assert raised.value.context["kind"] == kind


def test_too_many_and_too_long_lines_are_refused() -> None:
    for text, code in (
        ("when cave: look\n" * 4, "many_lines"),
        ("when cave: " + "look or " * 30 + "look", "long_line"),
    ):
        with pytest.raises(IllegalAction) as raised:
            PLANS.read(PLANS.cut(text)[1], "en")
        assert raised.value.code == code


def test_a_grammar_that_tells_nothing_still_has_an_answer() -> None:
    silent = WholeLines(pattern("a+", lambda match: match[0]), lambda said, lang: said)
    _, lines = silent.cut("aa\nb")
    with pytest.raises(Unreadable) as raised:
        silent.read(lines, "en")
    assert (raised.value.fragment, raised.value.context["line"]) == ("b", 2)
    assert raised.value.context["expected"] == ()


def test_words_that_mean_several_things_over_and_over_are_not_looked_through() -> None:
    """`re` is rest, repos or regarde: 38 of them can be read in more ways than anybody has time."""
    for end in ("re", "zz"):
        with pytest.raises(Unreadable):
            line("when cave: " + "re > " * 37 + end)


def test_lines_are_cut_out_before_actions_are_read() -> None:
    text = "go forest, rest\nwhen forest: hunt\nthen go old hut\n\nthen? no"
    rest, lines = PLANS.cut(text)
    assert rest.split("\n") == ["go forest, rest", "", "", "", "then? no"]
    assert [(each.number, each.text) for each in lines] == [
        (2, "when forest: hunt then go old hut")
    ]


def test_a_submission_holds_actions_and_lines() -> None:
    text = "go forest\nwhen forest: hunt\nrest"
    assert NOTATION.parse(STATE, 0, text, "en") == (HUNT, Go("forest"), Rest())
    assert NOTATION.parse(STATE, 0, "quand forêt : chasse", "fr") == (HUNT,)
    with pytest.raises(Unreadable) as raised:
        NOTATION.parse(STATE, 0, "go forest\nwhen forest: look", "en")
    assert raised.value.context["line"] == 2
