"""The notation over whole games: every offered action both ways, and any text at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import NoChance, SeededChance
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from engine.sapiens import flow
from engine.sapiens.actions import Action
from engine.sapiens.bots import chancer
from engine.sapiens.legality import Choices
from engine.sapiens.notation import NOTATION
from engine.sapiens.notation.naming import signature
from engine.sapiens.notation.words import SCENES
from engine.sapiens.setup import Options, setup
from engine.sapiens.state import State
from tests.support.cases import cases

GAMES = [(seats, number) for seats in (2, 3, 4) for number in range(3)]


def positions_of(seats: int, number: int) -> Iterator[State]:
    """Every position of a game of random turns, in the middle of turns too."""
    chance = SeededChance(number.to_bytes(32, "big"))
    state = setup(seats, Options(), chance).state
    while decisions := flow.decisions(state):
        for action in chancer.play(state, decisions[0], chance):
            yield state
            state = flow.apply(state, state.turn.seat, action, NoChance()).state


@pytest.mark.parametrize(("seats", "number"), GAMES)
def test_every_offered_action_is_read_back_from_its_text(seats: int, number: int) -> None:
    for state in positions_of(seats, number):
        seat = state.turn.seat
        for lang in ("en", "fr"):
            texts: dict[str, Action] = {}
            for action in Choices(state):
                text = NOTATION.format(state, seat, action, lang)
                assert NOTATION.parse(state, seat, text, lang) == (action,)
                assert texts.setdefault(text, action) == action


@cache
def sample() -> tuple[State, ...]:
    return tuple(state for seats, number in GAMES for state in positions_of(seats, number))


@st.composite
def offered(draw: st.DrawFn) -> tuple[State, Action]:
    """A position and one of its choices, every kind of action as likely as any other."""
    state = draw(st.sampled_from(sample()))
    kinds: dict[type[Action], list[Action]] = {}
    for action in Choices(state):
        kinds.setdefault(type(action), []).append(action)
    kind = draw(st.sampled_from(sorted(kinds, key=str)))
    return state, draw(st.sampled_from(kinds[kind]))


ACCENTED = str.maketrans("aeiou", "àéîöù")
FORMS: list[Callable[[str], str]] = [
    str.upper,
    str.title,
    lambda text: text.translate(ACCENTED),
    lambda text: text.replace("-", " "),
    lambda text: text.replace("-", "/"),
    lambda text: text.replace("-", " – "),
    lambda text: text.replace(" ", "  \t"),
    lambda text: f" {text}. ",
    lambda text: f"\n;{text}\r\n,",
    lambda text: re.sub(r"\b([A-H])([1-5])\b", r"\2\1", text),
    lambda text: re.sub(r"\b([A-H][1-5][NESW]?) ([A-H])", r"\1-\2", text),
    lambda text: re.sub(r"\b([A-H])([1-5])", r"\1 \2", text),
]


@given(offered(), st.sampled_from(["en", "fr"]), st.lists(st.sampled_from(FORMS), max_size=3))
def test_form_never_matters(
    case: tuple[State, Action], lang: str, forms: list[Callable[[str], str]]
) -> None:
    state, action = case
    text = NOTATION.format(state, state.turn.seat, action, lang)
    if re.match(r"ritual |rituel |token ritual |jeton rituel ", text):
        forms = [form for form in forms if form("a b") == "a b"]  # "ritual-hunt" is a tile
    for form in forms:
        text = form(text)
    assert NOTATION.parse(state, state.turn.seat, text, "fr") == (action,)


@settings(max_examples=cases(300))
@given(offered(), st.sampled_from(["en", "fr"]), st.data())
def test_shortened_words_mean_the_same_or_are_refused(
    case: tuple[State, Action], lang: str, data: st.DataObject
) -> None:
    """Whatever is cut off words, what is read is what was written, or nothing."""
    state, action = case
    seat = state.turn.seat
    text = NOTATION.format(state, seat, action, lang)

    def cut(word: re.Match[str]) -> str:
        return word.group()[: data.draw(st.integers(1, len(word.group())))]

    short = re.sub(r"[a-z]{2,}", cut, text)
    try:
        (read,) = NOTATION.parse(state, seat, short, lang)
    except (Ambiguous, Unreadable, IllegalAction):
        refused = True
    else:
        refused = False
    assert not (refused and short == text)
    assert refused or signature(state, read) == signature(state, action)


WORDS = re.findall(
    r"\S+",
    """
    lay pose abandon feast festin picking ritual hunt chasse fire feu fight water camp token jeton
    take prends done fini remove retire retrieve reprends out hunt-fire chasse-feu feast-camp
    ritual-hunt fe fi re c h f C4 d4 4E C1N A2W WL CD red rouge yellow pay paie from for 0 3 12
    .2 - / , ; . ? lay,pose C4D4
    """,
)


@settings(max_examples=cases(500))
@given(
    st.sampled_from(sample()),
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)),
    st.sampled_from(["en", "fr"]),
)
def test_any_text_is_read_as_legal_actions_or_refused_with_one_of_three_errors(
    state: State, text: str, lang: str
) -> None:
    seat = state.turn.seat
    try:
        actions = NOTATION.parse(state, seat, text, lang)
    except (Unreadable, Ambiguous, IllegalAction) as error:
        check_refusal(error)
        return
    assert actions
    said = []
    for action in actions:
        assert action in Choices(state)
        said.append(NOTATION.format(state, seat, action, "en"))
        state = flow.apply(state, seat, action, NoChance()).state
    named_in(text, " ".join(said))


def check_refusal(error: Unreadable | Ambiguous | IllegalAction) -> None:
    """Every error says which action it is about and what would be right."""
    assert isinstance(error.context["text"], str)
    assert error.context["index"] >= 0
    if isinstance(error, Unreadable):
        assert error.fragment in error.context["text"]
        assert isinstance(error.context["expected"], tuple)
    elif isinstance(error, Ambiguous):
        assert 1 <= len(error.readings) <= error.context["total"]
    else:
        assert error.context["index"] == error.index
        assert isinstance(error.context["nearest"], tuple)


ENGLISH = {word: names["en"] for names in SCENES.values() for word in names.values()}


def named_in(text: str, said: str) -> None:
    """Every scene, square and cave written out in the text is in what was read."""
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in ENGLISH:
            assert ENGLISH[word] in said
    for column, row, row_first, column_last in re.findall(
        r"\b(?:([A-Ha-h])([1-5])|([1-5])([A-Ha-h]))\b", text
    ):
        assert f"{column or column_last}{row or row_first}".upper() in said
