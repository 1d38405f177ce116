"""Words of a reply that the notation keeps: read as orders before they can be anything else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.games import games
from engine.protocol import LONGEST_TEXT, IllegalAction, Unreadable
from service.core import verdicts
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.courtesy import says_nothing
from service.mail.commands.found import Found, Mend, Several, Turn, Unsure
from service.mail.commands.numbers import choice_of
from service.mail.commands.orders import Finder
from service.mail.commands.reading import read
from tests.engine.kit.hike import GAME, NOTATION, Branch, Condition, Go, Plan, State, Take, Wish

NAMES = ["Ana", "Bruno"]
STATE = State(seen=("forest", "upper_cave"))
OFFERED = ["take 3, rest", "go forest, rest", "rest"]
CHOICES = [Printed(text=text) for text in OFFERED]


class _Keeping:
    """The notation of Hike with other words to keep."""

    def __init__(self, keeps: frozenset[str]) -> None:
        self.keeps = keeps
        self.words = NOTATION.words
        self.parse = NOTATION.parse
        self.format = NOTATION.format


class _Game:
    def __init__(self, keeps: frozenset[str]) -> None:
        self.notation = _Keeping(keeps)
        self.guess = GAME.guess
        self.decisions = GAME.decisions
        self.apply = GAME.apply
        self.default = GAME.default


def find(text: str, keeps: frozenset[str] = NOTATION.keeps) -> Found:
    asked = Asked(_Game(keeps), STATE, 0, "1", "en")  # type: ignore[arg-type]
    finder = Finder(asked, lambda: CHOICES, NAMES)
    return finder.find(read(text, NAMES, keeps).paragraphs)


def played(text: str) -> Sequence[object]:
    found = find(text)
    assert isinstance(found, Turn), found
    return NOTATION.parse(STATE, 0, found.text, "en")


def test_a_number_behind_a_kept_word_is_no_choice() -> None:
    assert choice_of("take 2") is not None
    assert find("take 2\nrest") == Turn("take 2\nrest")
    for text in (
        "take 2\nrest",
        "prends 2\nrepos",
        "Hello,\n\ntake 2\nrest\n\nAna",
        "- take 2\n- rest",
    ):
        assert played(text)[0] == Take(2)


def test_a_number_alone_still_is_one() -> None:
    for text in ("2", "choice 2", "I'd like option 2", "the 2nd"):
        assert find(text) == Turn(OFFERED[1])
    assert find("take the second one") == find("take the second one", frozenset())


def test_without_kept_words_a_number_in_company_may_be_a_choice() -> None:
    assert isinstance(find("take 2", frozenset()), Unsure)


PLANNED = Plan(
    "forest",
    (
        Branch(
            (Condition("apples", "most", 1),),
            ((Wish("hunt"), Wish("take", 2)), (Wish("go", "old_hut"),)),
        ),
        Branch((), ((Wish("ask"),),)),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        """
        when forest if apples at most 1: hunt or 2 apples then go old hut else ask
        rest
        """,
        """
        when forest if apples at most 1: hunt
        or 2 apples
        then go old hut
        else ask
        rest
        """,
        """
        Hi Bruno!

        - rest
        - When forest if apples at most 1: hunt
          or 2 apples
        Then go old hut
        **Else ask**

        Thanks, Ana
        """,
        """
        repos
        quand forêt si pommes au plus 1 : chasse ou 2 pommes
        puis va vieille hutte
        sinon demande

        Merci
        """,
    ],
)
def test_joining_words_stay_with_their_lines(text: str) -> None:
    assert played(text)[0] == PLANNED


def test_a_long_turn_is_taken_whole_or_not_at_all() -> None:
    line = "take 1" + ", take 1" * 7 + "\n"
    assert find(line * 75 + "rest") == Turn(line * 75 + "rest")
    text = line * 150 + "rest"
    found = find(text)
    assert isinstance(found, Mend)
    assert isinstance(found.error, IllegalAction)
    told = {"most": LONGEST_TEXT, "length": len(text)}
    assert (found.error.code, found.error.context) == ("long_text", told)


def test_the_last_of_many_lines_is_read_like_the_first() -> None:
    prose = "The weather here is fine, and nobody has seen a bear.\n\n" * 300
    assert find(prose + "take 2\nrest") == Turn("take 2\nrest")


def test_a_line_that_only_joins_makes_no_alternatives() -> None:
    text = "rest\nwhen forest: hunt\nelse"
    found = find(text)
    assert isinstance(found, Mend)
    assert found.text == text
    assert isinstance(found.error, Unreadable)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert (fault.fragment, fault.line) == (found.error.fragment, "when forest: hunt else")
    assert "ask" in (fault.expected or ())
    assert find(text, frozenset()) == Turn("rest\nwhen forest: hunt")
    assert isinstance(find("go forest, rest\nor\ntake 3, rest", frozenset()), Several)


def test_a_kept_word_is_no_command_and_no_politeness() -> None:
    assert read("play").words
    assert not read("play", keeps=frozenset({"play"})).words
    assert says_nothing("et")
    assert read("et").paragraphs == []
    for line in ("et", "- et", "1. Et"):
        assert read(line, keeps=frozenset({"et"})).paragraphs == [[line]]


def test_politeness_around_a_kept_order_is_still_none_of_it() -> None:
    for text in ("ok, take 2, thanks!\nrest", "take 2 please\nrest", "**take 2**\nrest."):
        assert played(text)[0] == Take(2)
    assert played("so go forest\nrest")[0] == Go("forest")


@pytest.mark.parametrize("key", list(games()))
def test_games_of_the_product_keep_words_of_their_own(key: str) -> None:
    notation = games()[key].notation
    assert notation.keeps <= notation.words


def test_sapiens_keeps_none() -> None:
    assert games()["sapiens"].notation.keeps == frozenset()
