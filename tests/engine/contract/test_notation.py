"""What every game promises about the text of its actions."""

from __future__ import annotations

import re
import unicodedata

import pytest

from engine.chance import SeededChance
from engine.play import submit, texts
from engine.protocol import IllegalAction, NotationError, Unreadable
from tests.engine.contract.walks import GAMES, at_every_table, met, sample

pytestmark = at_every_table
LANGUAGES = ("en", "fr")
SPARE = b"drawn and thrown away"


def test_every_offered_action_is_read_back(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 0, 12):
        for decision in game.decisions(moment.state):
            for action in list(decision.choices)[:60]:
                for lang in LANGUAGES:
                    text = game.notation.format(moment.state, decision.seat, action, lang)
                    assert text == " ".join(text.split())
                    for spoken in LANGUAGES:
                        read = game.notation.parse(moment.state, decision.seat, text, spoken)
                        assert read == (action,)


def test_every_word_of_a_text_is_among_the_words(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 1, 20):
        for decision in game.decisions(moment.state):
            for action in list(decision.choices)[:60]:
                for lang in LANGUAGES:
                    text = game.notation.format(moment.state, decision.seat, action, lang)
                    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore")
                    written = set(re.findall(r"[a-z0-9]*[a-z][a-z0-9]*", plain.decode()))
                    assert written <= game.notation.words


def test_two_actions_never_share_a_text(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 1, 20):
        for decision in game.decisions(moment.state):
            offered = list(decision.choices)
            for lang in LANGUAGES:
                written = {
                    game.notation.format(moment.state, decision.seat, a, lang) for a in offered
                }
                assert len(written) == len(offered)


def test_a_whole_submission_is_read_back(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 2, 20):
        decision = next(d for d in game.decisions(moment.state) if d.blocks)
        for actions in game.suggestions(moment.state, decision.seat, 3):
            played = submit(
                game, moment.state, decision.seat, decision.id, actions, SeededChance(SPARE)
            )
            for lang in LANGUAGES:
                written = texts(game, moment.state, decision.seat, played.actions, lang)
                for between in (", ", ";", "\n"):
                    read = game.notation.parse(
                        moment.state, decision.seat, between.join(written), lang
                    )
                    assert read == played.actions


def test_letters_of_either_case_are_read(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 3, 10):
        decision = next(d for d in game.decisions(moment.state) if d.blocks)
        action = next(iter(decision.choices))
        for lang in LANGUAGES:
            text = game.notation.format(moment.state, decision.seat, action, lang)
            for spelt in (text.upper(), text.lower(), f"  {text} "):
                assert game.notation.parse(moment.state, decision.seat, spelt, lang) == (action,)


@pytest.mark.parametrize("text", ["", "   ", "xyzzy", "42", "\x00", "ô" * 150])
def test_nonsense_is_unreadable(key: str, seats: int, text: str) -> None:
    moment = sample(key, seats, 0, 5)[0]
    assert moment.decision is not None
    with pytest.raises(NotationError) as refused:
        GAMES[key].notation.parse(moment.state, moment.decision.seat, text, "en")
    assert isinstance(refused.value, Unreadable)


def test_what_is_too_long_is_refused(key: str, seats: int) -> None:
    moment = sample(key, seats, 0, 5)[0]
    assert moment.decision is not None
    with pytest.raises((Unreadable, IllegalAction)) as refused:
        GAMES[key].notation.parse(moment.state, moment.decision.seat, "ô" * 5000, "en")
    if isinstance(refused.value, IllegalAction):
        assert refused.value.code == "long_line"


def test_the_nearest_to_an_illegal_action_are_legal(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 1, 10):
        for decision in game.decisions(moment.state):
            if not decision.blocks:
                continue
            choices = [d.choices for d in game.decisions(moment.state) if d.seat == decision.seat]
            for action in met(key)[::5]:
                if action in decision.choices:
                    continue
                near = game.notation.nearest(moment.state, decision.seat, action, 3)
                assert 1 <= len(near) <= 3
                assert all(any(a in offered for offered in choices) for a in near)
