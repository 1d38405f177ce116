"""Telling a turn from prose, one turn from two, and a slip from nothing."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance
from engine.games import games
from engine.play import texts
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Found, Mend, Nothing, NotOffered, Several, Turn, Unsure
from service.mail.commands.orders import Finder
from service.mail.commands.reading import read
from tests.support.games import KNOWN

SEAT = 0
NAMES = ["Ana", "Bruno", "Camille"]


class Reply:
    """Replies about the first turn of a known deal."""

    def __init__(self, key: str) -> None:
        self.game = games()[key]
        for seed in range(50):
            chance = SeededChance(bytes([seed]) * 32)
            state = self.game.setup(2, self.game.options_type(), chance).state
            decision = self.game.decisions(state)[0]
            if decision.seat == SEAT:
                break
        self.state, self.decision = state, decision.id
        suggested = self.game.suggestions(state, SEAT, 4)
        self.turns = {
            lang: [
                texts(self.game, state, SEAT, actions, lang)[: len(actions)]
                for actions in suggested
            ]
            for lang in ("en", "fr")
        }

    def choices(self) -> list[Printed]:
        return [Printed(text=text) for text in self.offered()]

    def offered(self) -> list[str]:
        return [", ".join(lines) for lines in self.turns["en"]]

    def find(self, text: str, *, numbers: bool = True) -> Found:
        asked = Asked(self.game, self.state, SEAT, self.decision, "en")
        finder = Finder(asked, self.choices if numbers else None, NAMES)
        return finder.find(read(text, NAMES).paragraphs)


@pytest.fixture(scope="module")
def reply() -> Reply:
    return Reply(KNOWN)


WRAPPED = (
    "{}",
    "Hello,\n\n{}\n\nThanks!",
    "Salut Bruno !\n{}\nBises, Ana",
    "My move: {}",
    "Ok, {}, thanks!",
    "- {}",
    "1. {}",
    "> {}",
    "**{}**",
    "{}.",
    "I {}",
    "Je {}",
    "Nice move! I did not see the fire in your camp coming.\n\n{}\n\nSee you on Monday",
    "{}\n\nA+",
    "{}\n\nTake care",
    "{}\n\nPrends soin de toi\nCamille",
    "{}\n-\nAna",
)


@pytest.mark.parametrize("around", WRAPPED)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_prose_around_a_turn_does_not_hinder_it(reply: Reply, around: str, lang: str) -> None:
    turn = ", ".join(reply.turns[lang][0])
    found = reply.find(around.format(turn))
    assert isinstance(found, Turn), found
    assert found.text.rstrip(".") == turn


@pytest.mark.parametrize("between", ["\n", "\n\n", ",\n", "; ", "\n\n\n"])
def test_a_turn_over_several_lines_is_one(reply: Reply, between: str) -> None:
    turn = reply.turns["en"][0]
    assert isinstance(reply.find(between.join(turn)), Turn)


def test_actions_in_a_list_are_one_turn(reply: Reply) -> None:
    turn = reply.turns["fr"][0]
    listed = "\n".join(f"{n}. {line}" for n, line in enumerate(turn, 1))
    assert isinstance(reply.find(listed), Turn)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("2.", 2),
        ("  3 ", 3),
        ("no 2", 2),
        ("N° 2", 2),
        ("Le 2 !", 2),
        ("choix 4", 4),
        ("Le 2 svp", 2),
        ("deux", 2),
        ("je choisis le 2", 2),
        ("option 2 please", 2),
        ("je voudrais le 2 finalement", 2),
        ("option 3, please", 3),
        ("Hi\n\n2\n\nAna", 2),
        ("2)", 2),
        ("#2", 2),
        ("choice 2", 2),
        ("choix n° 2", 2),
        ("number two", 2),
        ("numéro deux", 2),
        ("the second one", 2),
        ("la deuxième", 2),
        ("le second, svp", 2),
        ("2 please", 2),
        ("2, merci", 2),
        ("2 - Anna", 2),
        ("2 — Camille", 2),
        ("２。", 2),
        ("Hi Bruno, 2", 2),
        ("2, merci et bonne semaine", 2),
        ("2\n\nAna Morel\n06 12 34 56 78", 2),
    ],
)
def test_a_number_alone_is_a_choice(reply: Reply, text: str, number: int) -> None:
    assert reply.find(text) == Turn(reply.offered()[number - 1])


@pytest.mark.parametrize(
    "text",
    [
        *("1 hour ago", "I am 3 years old", "at 2 pm", "on 12/12", "<3", "+1", ":3", "2:0", "2-1"),
        *("(1/1)", "2 more days", "2 jours de plus", "Ещё 2 дня", "あと2日", "עוד 2 ימים", "2%"),
        *("2 - Weeks", "2, plus tard"),
        *("3 - 1", "06 12 34 56 78", "2, ещё день", "2 - No", "½", "2 ou 3 jours"),
    ],
)
def test_a_number_in_prose_is_none(reply: Reply, text: str) -> None:
    assert reply.find(text) == Nothing()


@pytest.mark.parametrize(
    "text",
    [
        *("2?", "2nd", "second", "maybe 2", "no, 2", "je joue le 2", "2 for me", "take 2"),
        *("Nice game!\n\n2", "Подожди!\n2", "2\nmore days would be nice"),
        *("2, later", "2, plus", "2, day", "2, week", "2, semaine", "2, thanks a day"),
    ],
)
def test_what_may_be_a_choice_is_asked(reply: Reply, text: str) -> None:
    assert reply.find(text) == Unsure((2,), (reply.offered()[1],))


def test_numbers_beyond_the_choices(reply: Reply) -> None:
    offered = len(reply.offered())
    assert reply.find("9") == NotOffered(9, offered)
    assert reply.find("0") == NotOffered(0, offered)
    assert reply.find("1", numbers=False) == NotOffered(1, 0)


@pytest.mark.parametrize("text", ["1 or 2", "1 ou 2", "1, 2", "1\n2", "1 et 2"])
def test_two_numbers_are_two_turns(reply: Reply, text: str) -> None:
    found = reply.find(text)
    assert isinstance(found, Several)
    assert found.texts == tuple(reply.offered()[:2])


def test_a_number_and_its_own_turn_are_one(reply: Reply) -> None:
    assert isinstance(reply.find(f"1\n\n{reply.offered()[0]}"), Turn)
    assert isinstance(reply.find(f"2\n\n{reply.offered()[0]}"), Several)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n\nor rather\n\n", "\nou\n"])
def test_two_legal_turns_are_asked_back(reply: Reply, between: str) -> None:
    one, other = reply.offered()[:2]
    found = reply.find(f"{one}{between}{other}")
    assert isinstance(found, Several)
    assert set(found.texts) == {one, other}


def test_the_same_turn_twice_is_one(reply: Reply) -> None:
    english, french = (", ".join(reply.turns[lang][0]) for lang in ("en", "fr"))
    assert isinstance(reply.find(f"{english}\n\n{french}"), Turn)


@pytest.mark.parametrize("around", WRAPPED)
def test_a_slip_is_never_left_out(reply: Reply, around: str) -> None:
    """Whatever is garbled, nothing of the turn is played without it."""
    turn = reply.turns["en"][0]
    for at in range(len(turn)):
        for garbled in _garbled(turn[at]):
            lines = [*turn[:at], garbled, *turn[at + 1 :]]
            for between in (", ", "\n"):
                found = reply.find(around.format(between.join(lines)))
                assert not isinstance(found, Turn), garbled


@pytest.mark.parametrize("line", ["xqzw jkl", "the other one", "hunt zzz qqq www"])
def test_what_stands_within_a_turn_is_of_it(reply: Reply, line: str) -> None:
    first, *rest = reply.turns["en"][0]
    found = reply.find("\n".join([first, line, *rest]))
    assert isinstance(found, Mend)


def test_what_begins_like_an_action_beside_a_turn_is_of_it(reply: Reply) -> None:
    turn = "\n".join(reply.turns["en"][0])
    for text in (f"{turn}\nhunt zzz qqq www", f"hunt zzz qqq www\n{turn}"):
        assert isinstance(reply.find(text), Mend)
    assert isinstance(reply.find(f"{turn}\n\nTake your tiles, all of you lovely people!"), Turn)


def _garbled(line: str) -> list[str]:
    words = line.split()
    swapped = words[0][1] + words[0][0] + words[0][2:]
    return [
        " ".join([swapped, *words[1:]]),
        " ".join([*words[:1], words[1] + "x", *words[2:]]),
        " ".join([*words, "Z9"]),
        f"{line}?",
        f"not {line}",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "What a lovely game!",
        "I was afraid of the fire in your camp, but then I could hunt.",
        "Sorry, I will play tomorrow.",
        "Je jouerai demain, promis.",
        "Good hunt!",
        "Could you remind me how the ritual works?",
    ],
)
def test_prose_is_nothing(reply: Reply, text: str) -> None:
    assert reply.find(text) == Nothing()


def test_a_huge_text_is_looked_at_quickly(reply: Reply) -> None:
    lines = "\n".join("lay hunt-fire c4 d4, water camp fire red" for _ in range(5000))
    assert isinstance(reply.find(lines), Mend)


def test_a_turn_with_a_slip_is_offered_mended(reply: Reply) -> None:
    turn = ", ".join(reply.turns["en"][0])
    first = turn.split()[0]
    found = reply.find(turn.replace(first, first + first[-1], 1))
    assert isinstance(found, Mend)
    assert [reply.find(text) for text in found.instead] == [Turn(text) for text in found.instead]
    assert turn in found.instead


def test_half_a_turn_is_offered_complete(reply: Reply) -> None:
    whole = reply.turns["en"][0]
    assert len(whole) > 1
    found = reply.find(whole[0])
    assert isinstance(found, Mend)
    assert len(found.instead) > 1
    assert all(text.startswith(whole[0]) for text in found.instead)
    assert all(isinstance(reply.find(text), Turn) for text in found.instead)
