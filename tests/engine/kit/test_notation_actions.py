"""Actions of a made-up game, read by the kit: one after another, forgiving, never guessing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.kit.notation.actions import ActionNotation
from engine.kit.notation.text import LINE_ENDS, OF_ACTIONS, Folding
from engine.protocol import Ambiguous, Decision, IllegalAction, Unreadable
from tests.engine.kit.hike import (
    GRAMMAR,
    NOTATION,
    Action,
    Eat,
    Go,
    Order,
    Rest,
    State,
    Take,
    apply,
    decisions,
    meanings,
    write,
)

START = State()
SEEN = State(seen=("forest", "upper_cave"))


def read(text: str, state: State = SEEN, lang: str = "en") -> tuple[object, ...]:
    return NOTATION.parse(state, 0, text, lang)


@pytest.mark.parametrize("state", [START, State(place="forest"), State(apples=(2,))])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_offered_action_is_read_back(state: State, lang: str) -> None:
    for action in decisions(state)[0].choices:
        text = NOTATION.format(state, 0, action, lang)
        (found,) = NOTATION.parse(state, 0, text, "en")
        assert NOTATION.meaning(state, 0, found) == NOTATION.meaning(state, 0, action)


@pytest.mark.parametrize(
    "text",
    [
        "go upper cave",
        "GO Upper-Cave",
        "va grotte d'en haut",
        "Va GROTTE d’en  haut.",
        "go upper",
        "g up ca",
        "va grotte",
    ],
)
def test_names_of_several_words_are_read_in_both_languages(text: str) -> None:
    assert read(text) == (Go("upper_cave"),)


def test_actions_are_read_one_after_the_other_in_their_positions() -> None:
    assert read("go forest, go old hut; take 2\nrest") == (
        Go("forest"),
        Go("old_hut"),
        Take(2),
        Rest(),
    )
    with pytest.raises(IllegalAction) as raised:
        read("go old hut, go forest")
    assert (raised.value.code, raised.value.index) == ("no_way", 0)
    with pytest.raises(IllegalAction) as raised:
        read("rest, rest, go forest, go upper cave")
    assert (raised.value.code, raised.value.context["index"]) == ("turn_over", 1)


def test_what_stands_between_commas_and_is_no_action_belongs_to_the_one_before() -> None:
    assert read("take, 2, rest") == (Take(2), Rest())


def test_what_follows_a_reveal_is_read_but_not_checked() -> None:
    """Nobody learns from an error what is there: apples to eat are still expected."""
    assert read("go forest, go upper cave, take 9", START) == (
        Go("forest"),
        Go("upper_cave"),
        Take(9),
    )
    with pytest.raises(Unreadable) as raised:
        read("go forest, xyzzy", START)
    assert raised.value.context["index"] == 1
    assert raised.value.context["expected"] == ("go", "take", "eat", "rest")


def test_pieces_alike_are_no_choice_and_others_are_asked_about() -> None:
    assert read("eat red") == (Eat(2),)
    assert read("mange v") == (Eat(1),)
    with pytest.raises(Ambiguous) as raised:
        read("mange", lang="fr")
    assert raised.value.readings == ("mange verte", "mange rouge")
    assert read("eat", State(apples=(2, 4))) == (Eat(2),)


def test_what_is_left_out_is_completed_or_asked_about() -> None:
    assert read("go", State(place="upper_cave")) == (Go("meadow"),)
    with pytest.raises(Ambiguous) as raised:
        read("va", lang="fr")
    assert raised.value.readings == ("va Forêt", "va Grotte d'en haut")


@pytest.mark.parametrize(
    ("text", "fragment", "kind", "expected"),
    [
        ("", "", "verb", ("go", "take", "eat", "rest")),
        ("walk to the forest", "walk", "verb", ("go", "take", "eat", "rest")),
        ("go forst", "forst", "place", ("Meadow", "Forest", "Upper Cave", "Old Hut")),
        ("take some", "some", "number", ()),
        ("eat blue", "blue", "colour", ("red", "green")),
        ("rest now", "now", "end", ()),
    ],
)
def test_a_complaint_names_the_word_and_what_could_stand_there(
    text: str, fragment: str, kind: str, expected: tuple[str, ...]
) -> None:
    with pytest.raises(Unreadable) as raised:
        read(text)
    assert (raised.value.fragment, raised.value.context["kind"]) == (fragment, kind)
    assert raised.value.context["expected"] == expected


def test_a_complaint_is_in_the_readers_language() -> None:
    with pytest.raises(Unreadable) as raised:
        read("va foret-noire", lang="fr")
    assert raised.value.fragment == "foret-noire"
    assert raised.value.context["kind"] == "end"
    with pytest.raises(Unreadable) as raised:
        read("va nulle part", lang="fr")
    assert raised.value.context["expected"] == ("Pré", "Forêt", "Grotte d'en haut", "Vieille hutte")


def test_an_illegal_action_is_told_with_the_nearest_of_its_form() -> None:
    with pytest.raises(IllegalAction) as raised:
        read("prends 7", lang="fr")
    assert raised.value.code == "not_so_many"
    assert raised.value.context["nearest"] == ("prends 1", "prends 2", "prends 3")
    assert NOTATION.nearest(SEEN, 0, Go("old_hut"), 1) == (Go("forest"),)


def test_a_long_text_is_not_read() -> None:
    with pytest.raises(IllegalAction) as raised:
        read("go forest, eat red" + " " * 200 + "x")
    assert (raised.value.code, raised.value.index) == ("long_line", 1)
    assert raised.value.context["length"] > raised.value.context["most"]
    assert len(raised.value.begun) == 1, "what stands before it is known"


def test_words_are_those_of_every_vocabulary() -> None:
    assert {"go", "va", "upper", "haut", "au", "moins", "foret"} <= NOTATION.words
    assert not any(word.isdecimal() for word in NOTATION.words)


class Chosen:
    """Choices: some are listed, these and others are members."""

    def __init__(self, *listed: Action, members: tuple[type, ...] = ()) -> None:
        self.listed = listed
        self.members = members

    def __iter__(self) -> Iterator[Action]:
        return iter(self.listed)

    def __contains__(self, action: object) -> bool:
        return action in self.listed or isinstance(action, self.members)


def with_decisions(
    *decisions: Decision[Action], folding: Folding = OF_ACTIONS
) -> ActionNotation[State, Action, Order]:
    return ActionNotation(
        folding=folding,
        words=NOTATION.words,
        grammar=GRAMMAR,
        meanings=meanings,
        format=write,
        decisions=lambda state: decisions,
        apply=apply,
        kinds=("verb", "place", "number", "colour", "end"),
    )


def asked(kind: str, seat: int, choices: Chosen) -> Decision[Action]:
    return Decision(
        id=f"{kind}.{seat}",
        turn="1",
        seat=seat,
        kind=kind,
        rule="H§1",
        choices=choices,
        open=kind == "open",
    )


def test_all_open_decisions_of_the_seat_are_read_for_together() -> None:
    notation = with_decisions(
        asked("way", 0, Chosen(Go("forest"))),
        asked("meal", 0, Chosen(Eat(1))),
        asked("way", 1, Chosen(Go("upper_cave"))),
    )
    assert notation.parse(SEEN, 0, "eat, go", "en") == (Eat(1), Go("forest"))
    with pytest.raises(Unreadable) as raised:
        notation.parse(SEEN, 0, "walk", "en")
    assert raised.value.context["expected"] == ("go", "eat")
    assert notation.nearest(SEEN, 0, Rest()) == (Go("forest"), Eat(1))


def test_what_is_left_out_is_never_completed_by_an_example() -> None:
    examples = Chosen(Take(2), members=(Take,))
    assert with_decisions(asked("list", 0, examples)).parse(SEEN, 0, "take", "en") == (Take(2),)
    notation = with_decisions(asked("open", 0, examples))
    assert notation.parse(SEEN, 0, "take 3", "en") == (Take(3),)
    with pytest.raises(Unreadable) as raised:
        notation.parse(SEEN, 0, "take", "en")
    assert raised.value.context["kind"] == "number"
    with pytest.raises(IllegalAction) as refused:
        with_decisions(asked("open", 0, Chosen(Take(2)))).parse(SEEN, 0, "take 9", "en")
    assert refused.value.context["nearest"] == ("take 2",)


def test_actions_may_be_whole_lines() -> None:
    notation = with_decisions(*decisions(SEEN), folding=Folding(between=LINE_ENDS, blanks=","))
    assert notation.parse(SEEN, 0, "go, forest\n\ntake 2", "en") == (Go("forest"), Take(2))
    with pytest.raises(Unreadable) as raised:
        notation.parse(SEEN, 0, "take 2, take 3", "en")
    assert (raised.value.fragment, raised.value.context["line"]) == ("take", 1)
    with pytest.raises(Unreadable) as raised:
        notation.parse(SEEN, 0, "go forest\n\nold hut", "en")
    assert raised.value.context["line"] == 2
    with pytest.raises(IllegalAction) as refused:
        notation.parse(SEEN, 0, "take 2\ntake 9", "en")
    assert refused.value.context["line"] == 2
