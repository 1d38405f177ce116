"""Which lines of a reply are words, in both languages, and which are prose."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import asdict

from service.mail.commands.arguments import DaysAway, dated
from service.mail.commands.reading import WORDS, read
from service.mail.parse.text import LONGEST
from service.render.templating import environment

NAMES = ["Ana", "Bruno Le Goff"]

LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "status": ("status", {}),
    "Statut": ("status", {}),
    "état": ("status", {}),
    "  STATUS.  ": ("status", {}),
    "status please": ("status", {}),
    "statut stp": ("status", {}),
    "- help": ("help", {}),
    "Aide !": ("help", {}),
    "rules": ("rules", {}),
    "Règles ?": ("rules", {}),
    "board": ("board", {}),
    "plateaux": ("board", {}),
    "history": ("history", {}),
    "Historique": ("history", {}),
    "orders": ("orders", {}),
    "Consignes ?": ("orders", {}),
    "withdraw": ("withdraw", {"which": None}),
    "withdraw 2 please": ("withdraw", {"which": 2}),
    "retirer tout": ("withdraw", {"which": "all"}),
    "undo": ("undo", {}),
    "annuler": ("undo", {}),
    "play": ("play", {}),
    "jouer maintenant": ("play", {}),
    "resign": ("resign", {}),
    "resign yes": ("resign", {}),
    "Abandonner": ("resign", {}),
    "abandonner oui": ("resign", {}),
    "pause 5 days": ("pause", {"days": 5}),
    "pause 5": ("pause", {"days": 5}),
    "Pause de 3 jours": ("pause", {"days": 3}),
    "pause une semaine": ("pause", {"days": 7}),
    "resume": ("resume", {}),
    "reprendre": ("resume", {}),
    "nudge": ("nudge", {}),
    "relancer": ("nudge", {}),
    "back": ("back", {}),
    "retour": ("back", {}),
    "remind 12h": ("remind", {"when": ["12h"]}),
    "rappel mi-temps 24 h, 90 min": ("remind", {"when": ["half", "24h", "90m"]}),
    "remind half and 2 days before": ("remind", {"when": ["half", "48h"]}),
    "rappels jamais": ("remind", {"when": []}),
    "quiet 22:00 7:00": ("quiet", {"first": 1320, "last": 420}),
    "quiet from 10pm to 7am": ("quiet", {"first": 1320, "last": 420}),
    "calme 22h 7h": ("quiet", {"first": 1320, "last": 420}),
    "calme de 22h30 à 7h": ("quiet", {"first": 1350, "last": 420}),
    "quiet off": ("quiet", {"first": None, "last": None}),
    "calme non": ("quiet", {"first": None, "last": None}),
    "zone Europe/Paris": ("zone", {"zone": "Europe/Paris"}),
    "fuseau America/New York": ("zone", {"zone": "America/New_York"}),
    "digest 8:00": ("digest", {"at": 480}),
    "Résumé 8h": ("digest", {"at": 480}),
    "résumé non": ("digest", {"at": None}),
    "thread turn": ("thread", {"choice": "turn"}),
    "fil partie": ("thread", {"choice": "match"}),
    "lang fr": ("lang", {"choice": "fr"}),
    "langue anglais": ("lang", {"choice": "en"}),
    "mute": ("mute", {}),
    "muet": ("mute", {}),
    "STOP": ("mute", {}),
    "unmute": ("unmute", {}),
    "parle": ("unmute", {}),
    "rematch": ("rematch", {}),
    "revanche !": ("rematch", {}),
    "accept": ("accept", {}),
    "J’accepte": ("accept", {}),
    "refuser": ("decline", {}),
    "decline": ("decline", {}),
    "never again": ("never", {}),
    "jamais": ("never", {}),
    "yes": ("yes", {}),
    "Oui, merci": ("yes", {}),
    "d'accord": ("yes", {}),
    "no": ("no", {}),
    "Non.": ("no", {}),
    "no, sorry": ("no", {}),
    "Désolé, non": ("no", {}),
    "Oui, Bruno !": ("yes", {}),
    "Avec plaisir !": ("yes", {}),
    "Sure, count me in!": ("accept", {}),
    "Désolée, pas cette fois": ("decline", {}),
    "STATUT ?": ("status", {}),
    "help?": ("help", {}),
    "pause 5 jours ?": ("pause", {"days": 5}),
}

PROSE = (
    "help me, I cannot see the board",
    "I need help",
    "status of what?",
    "undo, or should I?",
    "resign?",
    "oui ?",
    "play?",
    "no luck",
    "no hurry",
    "oui mais le 3",
    "The board is beautiful",
    "board games are fun",
    "undo that I cannot",
    "play well",
    "blocked",
    "yes we can",
    "pause for thought",
    "remind me of it",
    "back in a minute",
    "lang may yer lum reek",
    "away we go",
    "never mind",
    "retour à la case départ",
    "stop it",
)


@pytest.mark.parametrize("line", LINES)
def test_a_word_is_the_first_of_its_line(line: str) -> None:
    script = read(f"Hello\n\n{line}\n\nBye", NAMES)
    assert [(s.word.name, asdict(s.arguments)) for s in script.words] == [LINES[line]]
    assert script.paragraphs == []


@pytest.mark.parametrize("line", PROSE)
def test_a_word_in_prose_is_none(line: str) -> None:
    assert read(line).words == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("langue xx", "lang"),
        ("pause lundi", "pause"),
        ("absence bientôt", "away"),
        ("remind me", "remind"),
        ("zone 7", "zone"),
    ],
)
def test_a_word_with_a_slip_is_noticed_and_not_done(line: str, word: str) -> None:
    script = read(line)
    assert script.words == []
    assert [(missed.word.name, missed.line) for missed in script.missed] == [(word, line)]
    assert script.paragraphs == [[line]]


def test_prose_that_begins_like_a_word_is_no_slip() -> None:
    assert read("help me think\naway from home I have no time for it before next week").missed == []


def test_every_word_is_tried_in_both_languages() -> None:
    tried = {name for name, _ in LINES.values()} | {"away", "check", "message", "note", "ps"}
    assert tried == {word.name for word in WORDS}


@pytest.mark.parametrize(
    ("line", "first", "last", "days"),
    [
        ("away 2026-12-20 2027-01-03", "2026-12-20", "2027-01-03", None),
        ("absent du 20/12/2026 au 3/1/2027", "2026-12-20", "2027-01-03", None),
        ("away from 20.12.2026 to 03.01.2027", "2026-12-20", "2027-01-03", None),
        ("absence le 24/12/2026", "2026-12-24", "2026-12-24", None),
        ("away until 2026-12-24", None, "2026-12-24", None),
        ("absente jusqu’au 24/12/2026", None, "2026-12-24", None),
        ("away 5 days", None, None, 5),
        ("vacances 2 semaines", None, None, 14),
    ],
)
def test_days_away(line: str, first: str | None, last: str | None, days: int | None) -> None:
    (said,) = read(line).words
    date = dt.date.fromisoformat
    assert asdict(said.arguments) == {
        "over": False,
        "first": date(first) if first else None,
        "last": date(last) if last else None,
        "days": days,
    }


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("absence 20 décembre - 3 janvier", "2026-12-20", "2027-01-03"),
        ("absent du 20 déc. au 3 janv. 2027", "2026-12-20", "2027-01-03"),
        ("away Dec 20 to Jan 3", "2026-12-20", "2027-01-03"),
        ("away from December 20th, 2026 until January 3rd, 2027", "2026-12-20", "2027-01-03"),
        ("absence du 1er au 12 mars", "2027-03-01", "2027-03-12"),
        ("away 24 Dec", "2026-12-24", "2026-12-24"),
        ("absente jusqu’au 3 janvier", "2026-12-10", "2027-01-03"),
        ("away 1 December to 13 December", "2026-12-10", "2026-12-13"),
        ("vacances 1/1/2027 15 janvier", "2027-01-01", "2027-01-15"),
    ],
)
def test_days_away_in_words(line: str, first: str, last: str) -> None:
    """The months by name, in both languages; without a year it is the next such day."""
    (said,) = read(line).words
    days = said.arguments
    assert isinstance(days, DaysAway)
    assert days.last is not None
    meant = dated(days.first, days.last, dt.date(2026, 12, 10))
    assert [day.isoformat() for day in meant] == [first, last]


@pytest.mark.parametrize("line", ["away off", "absence fini", "absent non"])
def test_days_away_are_over(line: str) -> None:
    (said,) = read(line).words
    assert said.arguments == DaysAway(over=True)


@pytest.mark.parametrize(
    "line",
    ["away 2026-02-30 2026-03-02", "away soon", "away 20/12 3/1", "away 31 June", "away 12 to 3"],
)
def test_days_that_are_none(line: str) -> None:
    assert read(line).words == []


def test_a_message_takes_all_that_stands_below() -> None:
    script = read("status\nmessage: Hello\neverybody!\n\nhelp\nAna")
    assert [s.word.name for s in script.words] == ["status", "message"]
    assert asdict(script.words[1].arguments) == {"text": "Hello\neverybody!\n\nhelp\nAna"}
    assert script.words[1].below == ("everybody!", "", "help", "Ana")


def test_a_line_takes_its_paragraph_and_no_greeting() -> None:
    script = read("lay fire C4\nPS: sorry,\nno other way!\nbest wishes,\nAna\n\nhelp", ["Ana"])
    assert [s.word.name for s in script.words] == ["ps", "help"]
    assert asdict(script.words[0].arguments) == {"text": "sorry,\nno other way!"}
    assert script.paragraphs == [["lay fire C4"]]
    assert asdict(read("P.S. désolé !").words[0].arguments) == {"text": "désolé !"}


def test_a_message_may_begin_below_its_word() -> None:
    (said,) = read("Message\n\nBien joué !").words
    assert asdict(said.arguments) == {"text": "Bien joué !"}


def test_the_same_word_twice_is_one() -> None:
    assert len(read("status\nstatut\nStatus").words) == 1


def test_greetings_and_names_say_nothing() -> None:
    text = "Salut à tous !\n\nMerci beaucoup,\nBonne soirée\n\nBises\nBruno\nA+\n:-)\nTake care"
    assert read(text, NAMES).paragraphs == []


def test_everything_else_is_left_as_it_was() -> None:
    script = read("My move is:\nlay a, take b\n\nSee you on Monday then", NAMES)
    assert script.paragraphs == [["My move is:", "lay a, take b"], ["See you on Monday then"]]


def test_the_longest_reply_is_read_whole() -> None:
    lines = LONGEST // len("word word word\n")
    script = read("word word word\n" * lines + "status")
    assert sum(map(len, script.paragraphs)) == lines
    assert [spoken.word.name for spoken in script.words] == ["status"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_word_of_the_help_works_as_it_is_written(lang: str) -> None:
    answers: Any = environment(lang).get_template("wording/answers.txt").module
    named = set()
    for line, _ in (*answers.WORDS, *answers.ORDER_WORDS):
        (said,) = read(line).words
        named.add(said.word.name)
    left_out = {"accept", "decline", "never", "yes", "no", "help", "resume", "unmute"}
    assert named == {word.name for word in WORDS} - left_out


def test_a_number_is_nobodys_name() -> None:
    assert read("1\n\nGuest 1", ["Guest 1"]).paragraphs == [["1"]]
