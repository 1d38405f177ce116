"""What became of a mail: a sentence for each result, in both languages."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import msgspec
import pytest

from service.core.results import AnyResult, Result
from service.render.templating import environment
from service.time.display import Clock

NOW = dt.datetime(2026, 11, 21, 9, 0, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(hours=5)

SAMPLES: dict[str, list[dict[str, Any]]] = {
    "played": [{"entry": 7}],
    "filed": [
        {"orders": ["a"]},
        {"orders": ["a"], "replaced": True},
        {"orders": ["a", "b"]},
        {"orders": ["a"], "withdrawn": True},
        {"orders": ["a", "b"], "withdrawn": True},
        {"orders": ["a"], "answer": True},
        {"orders": ["a"], "answer": True, "replaced": True},
    ],
    "orders": [{"some": True}, {"some": False}],
    "held": [{"until": LATER}, {"until": LATER, "replaced": True}],
    "checked": [{"text": "lay a"}],
    "withdrawn": [{}],
    "mend": [
        {"verdict": {"code": "unreadable", "fragment": "dance"}},
        {"verdict": {"code": "unreadable", "fragment": "dance"}, "order": True},
    ],
    "several": [{"texts": ["lay a", "lay b"]}],
    "no_such_choice": [{"number": 9}, {"number": 9, "offered": 1}, {"number": 9, "offered": 4}],
    "number_asked": [{"numbers": [2], "texts": ["lay a"]}],
    "word_meant": [{"text": "pause 3 days"}],
    "unsure": [{"text": "resign yes"}, {"text": "resign yes", "choices": True}],
    "nothing": [
        {"wish": "leave"},
        {"wish": "rest"},
        {"wish": "pass"},
        {"wish": "pass", "passing": "done"},
        {"wish": "pass", "meant": {"example": "lay a"}},
        {"forwarded": False},
        {"forwarded": True},
        {"forwarded": False, "marked": True},
        {"yes": True},
    ],
    "usage": [
        {"text": "It will do", "name": name}
        for name in ("pause", "away", "remind", "quiet", "digest", "thread", "zone", "lang")
    ],
    "no_question": [{"text": "oui"}],
    "stale": [{"entry": 3}, {"entry": 3, "orders": True}, {"entry": 3, "wish": "leave"}],
    "waiting": [{}, {"orders": True}, {"wish": "rest"}],
    "over": [{}],
    "cancelled": [{}],
    "not_begun": [{"invited": True}, {"invited": False}],
    "left": [{"why": "resigned"}],
    "given_up": [{}],
    "not_after_all": [{}],
    "order_in_message": [{}],
    "seat_back": [{}],
    "unknown_address": [{}],
    "several_boards": [{}],
    "set_back": [{"copied_at": LATER}, {"copied_at": LATER, "reply": True}],
    "set_back_lost": [{"copied_at": LATER}],
    "new_links": [{}],
    "foreign": [{"why": w, "sender": "eve@example.org"} for w in ("sender", "authentication")],
    "enough": [{"most": 60}],
    "refused": [{"error": "nothing_held", "context": {}}],
    "pause": [
        {"status": "asked", "days": 5, "until": None, "asked_by_me": True, "waits": ["Bruno"]},
        {"status": "asked", "days": 5, "until": None, "asked_by_me": False, "waits": ["Bruno"]},
        {"status": "asked", "days": 5, "until": None, "asked_by_me": False, "waits": ["A", "B"]},
        {"status": "running", "days": 5, "until": LATER},
        {"status": "refused", "days": 5, "until": None},
    ],
    "resumed": [{}],
    "away": [
        {"first": NOW.date(), "last": LATER.date(), "left": 12, "year": 2026},
        {"first": NOW.date(), "last": LATER.date(), "left": None, "year": 2026},
    ],
    "not_away": [{}],
    "nudged": [{}],
    "here_already": [{}],
    "back": [{"took": True}, {"took": False}],
    "undone": [{"how": "withdrawn"}, {"how": "taken back"}],
    "resign_sure": [{"question": "q", "until": LATER}],
    "resign_kept": [{}],
    "resigned": [{}],
    "said": [{"text": "Hello", "readers": 2}, {"text": "Hello", "readers": 0}],
    "note": [{}, {"text": "Grain"}, {"text": "Grain", "added": True}],
    "note_erased": [{}, {"text": "Grain"}],
    "unsaid": [{"text": "sorry!"}],
    "rematch": [{"match": 1, "host": True}, {"match": 1, "host": False}],
    "rules": [{}, {"question": True}],
    "muted": [{}],
    "unmuted": [{}],
    "lang": [{"lang": "en"}, {"lang": "fr"}],
    "reminders": [{"when": ["half", "12h"]}, {"when": []}],
    "quiet": [{"first": 1320, "last": 420}, {"first": None, "last": None}],
    "zone": [{"zone": "Asia/Tokyo"}],
    "digest": [{"at": 480}, {"at": None}],
    "thread": [{"by": "match"}, {"by": "turn"}],
    "answered": [
        {"reply": "accept", "status": "inviting", "waits": ["Cleo"]},
        {"reply": "accept", "status": "playing", "waits": []},
        {"reply": "accept", "status": "playing", "waits": [], "takes_over": True},
        {"reply": "accept", "status": "cancelled", "waits": []},
        {"reply": "decline", "status": "inviting", "waits": []},
        {"reply": "never", "status": "inviting", "waits": []},
    ],
}
SHOWN = {"status", "help", "board", "history"}
"""Results that the letter shows instead of a sentence."""
NEVER_TOLD = {"released"}
"""A result that becomes another before the letter is owed."""


def test_every_result_is_here() -> None:
    codes = {str(kind.__struct_config__.tag) for kind in Result.__subclasses__()}
    assert codes == set(SAMPLES) | SHOWN | NEVER_TOLD


def result(code: str, more: dict[str, Any]) -> Result:
    """A result as it comes back from where it is stored."""
    return msgspec.convert({"code": code, **more}, AnyResult)


@pytest.mark.parametrize("code", SAMPLES)
def test_every_result_is_worded(lang: str, code: str) -> None:
    env = environment(lang)
    answers: Any = env.get_template("wording/answers.txt").module
    game = env.get_template("games/sapiens/wording.txt").module
    clock = Clock("Europe/Paris", lang, NOW)
    said = [
        " ".join(answers.say(result(code, more), ["Ana", "Bruno"], 0, clock, game).split())
        for more in SAMPLES[code]
    ]
    assert len(set(said)) == len(said)
    for sentence in said:
        assert re.fullmatch(r"\S.*[.?:”»]", sentence), sentence
    assert answers.heading({code})


@pytest.mark.parametrize("code", sorted(SHOWN))
def test_what_is_shown_has_a_heading(lang: str, code: str) -> None:
    answers: Any = environment(lang).get_template("wording/answers.txt").module
    assert answers.heading({code}) != answers.heading({"lang"})
