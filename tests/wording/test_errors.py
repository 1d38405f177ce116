"""Refusals that belong to no game: every code the service or the core raises has a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.core.verdicts import AnyVerdict, Illegal, Verdict, leaves
from service.render.templating import environment

ROOT = Path(__file__).resolve().parents[2]

MOVES: dict[str, list[dict[str, Any]]] = {
    "unreadable": [
        {"fragment": "dance", "expected": None},
        {"fragment": "dance", "line": "when forest: dance", "expected": ["hunt"]},
        {"fragment": "xyzzy", "line": "xyzzy", "expected": None},
    ],
    "ambiguous": [{"fragment": "lay fi C4 D4", "readings": ["lay fire-hunt C4 D4", "lay fight-x"]}],
    "incomplete": [{"kind": "refill", "rule": "S§10.1"}],
    "turn_over": [{"index": 3}],
    "other_decision": [{"kind": "refill", "rule": "S§10.1"}],
    "no_order": [{"text": "camp hill\nrest"}],
    "long_text": [{"length": 9000, "most": 8000}],
    "long_line": [{"text": "camp hill and…", "length": 300, "most": 200}],
    "many_lines": [{"most": 60}],
    "stale": [{"entry": 7}, {"entry": None}],
    "not_yours": [{}],
    "match_over": [{"status": "ended"}, {"status": "inviting"}],
    "seat_left": [{}],
    "given_up": [{}],
}

ENGINE = {"turn_over", "other_decision", "no_order", "long_text", "long_line", "many_lines"}
"""Codes that are raised for every game, as illegal actions."""

REQUESTS: dict[str, list[dict[str, Any]]] = {
    "already_answered": [{"status": "accepted"}],
    "bad_address": [{"address": "anna(at)example"}, {"address": ""}],
    "away_budget": [{"left": 3, "year": 2026}, {"left": 1, "year": 2026}],
    "bad_answer": [{}],
    "bad_bank": [{"least": 1, "most": 90}],
    "bad_dates": [{}],
    "bad_days": [{"least": 1, "most": 30}],
    "bad_hold": [{"most": 120}],
    "bad_increment": [{"most": 336}],
    "bad_timeout": [{}],
    "bad_form": [
        {"problem": problem, "field": "name"}
        for problem in ("missing", "doubled", "foreign", "long")
    ],
    "bad_language": [{"languages": ["en", "fr"]}],
    "bad_name": [{}],
    "bad_options": [{"reason": "faces"}],
    "bad_part": [{}],
    "bad_pace": [{"least": 1, "most": 30}],
    "bad_seats": [{"count": 5, "least": 2, "most": 4}, {"count": 3, "least": 2, "most": 2}],
    "bad_zone": [{"zone": "Mars/Olympus"}, {"zone": "Pariss", "near": ["Europe/Paris"]}],
    "empty_seat": [{"address": "anna@example.org"}],
    "expired_link": [{}],
    "match_cancelled": [{}],
    "no_clock": [{}],
    "no_guest": [{}],
    "no_pause_asked": [{}],
    "no_playing_day": [{}],
    "nobody_to_nudge": [{}],
    "not_away": [{}],
    "not_paused": [{}],
    "not_playing": [{}],
    "pause_asked": [{"days": 5}, {"days": 1}],
    "paused": [{}],
    "ended": [{}],
    "no_table": [{}],
    "not_begun": [{}],
    "not_over": [{}],
    "nothing_held": [{}],
    "same_address": [{"address": "anna@example.org"}],
    "stale_form": [{}],
    "too_soon": [{"again_at": "2026-11-22T09:00:00+00:00"}],
    "unknown_bot": [{"bot": "hal", "bots": ["greedy", "random"]}],
    "unknown_game": [{"game": "chess"}],
    "unknown_link": [{}],
    "erasure_busy": [{}],
    "unwanted": [{"address": "anna@example.org"}],
    "used_link": [{}],
    "bad_time": [{"time": "25:00"}],
    "bad_quiet": [{"most": 20}],
    "half_quiet": [{}],
    "bad_reminder": [{"reminder": "soon", "most": 6}],
    "bad_thread": [{}],
    "own_address": [{"address": "anna@example.org"}],
    "closed_address": [{"address": "anna@example.org"}],
    "many_addresses": [{"most": 5}],
    "many_letters": [{"most": 5}],
    "asked_enough": [{"address": "anna@example.org", "most": 3}],
    "no_player": [{}],
    "bot_was_faster": [{}],
    "asked_already": [{}],
    "asked_before": [{"address": "anna@example.org"}],
    "blank_message": [{}],
    "has_begun": [{}],
    "invitation_withdrawn": [{}],
    "long_message": [{"length": 2100, "most": 2000}],
    "long_greeting": [{"length": 301, "most": 300}],
    "long_line_said": [{"length": 300, "most": 280}],
    "line_tells": [{}],
    "long_note": [{"length": 2100, "most": 2000}, {"length": 2100, "most": 2000, "kept": 1990}],
    "note_changed": [{"note": "Grain"}],
    "no_such_guest": [{}],
    "has_answered": [{"name": "Ben"}],
    "begun_without": [{}],
    "join_expired": [{}],
    "join_revoked": [{}],
    "joined_often": [{}],
    "no_empty_seat": [{}],
    "not_empty": [{}],
    "not_sent": [{}],
    "remind_later": [{}],
    "reminded": [{}],
    "seat_kept": [{}],
    "seats_held": [{}],
    "table_full": [{}],
    "no_letters": [{"address": "anna@example.org"}],
    "nobody_asked": [{}],
    "nothing_to_resend": [{}],
    "nothing_to_undo": [{}],
    "nothing_on_file": [{}],
    "which_order": [{"most": 2}],
    "no_such_order": [{"number": 4, "most": 2}],
    "withdraw_alone": [{}],
    "own_seat": [{}],
    "resent_lately": [{}],
    "out_of_game": [{}],
    "not_in_play": [{}],
    "seat_left": [{}],
    "too_few": [{"least": 2}],
    "too_late_revealed": [{}],
    "too_late_shown": [{}],
    "too_many_messages": [{"most": 12, "again_at": "2026-11-22T09:00:00+00:00"}],
}


def is_of_a_game(parts: Sequence[str]) -> bool:
    """Whether a module is in the folder of one game, which words its codes itself."""
    return parts[0] == "engine" and len(parts) > 2 and parts[1] != "kit"


def raised(pattern: str, *folders: str) -> set[str]:
    """The codes that the sources name where they refuse something; not those of games, which have
    sentences of their own (tests/games).
    """
    return {
        code
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if not is_of_a_game(path.relative_to(ROOT).parts)
        for code in re.findall(pattern, path.read_text(encoding="utf-8"))
    }


@pytest.fixture
def general(lang: str) -> Any:
    return environment(lang).get_template("wording/errors.txt").module


def test_every_refused_move_of_the_service_is_here() -> None:
    codes = {str(kind.__struct_config__.tag) for kind in leaves(Verdict)}
    shown_otherwise = {"played", "filed", "held", "illegal", "withdrawn", "replaced", "taken_back"}
    assert codes - shown_otherwise == set(MOVES) - ENGINE
    assert raised(r'IllegalAction\(\s*"(\w+)"', "engine", "service") == ENGINE


def test_every_refused_request_is_here() -> None:
    undoing = raised(r'return "(bot_was_faster|nothing_to_undo|too_late_\w+)"', "service")
    assert raised(r'Refused\(\s*"(\w+)"', "service") | undoing == set(REQUESTS)


@pytest.mark.parametrize("code", MOVES)
def test_every_refused_move_is_worded(
    general: Any, say: Callable[..., str], lang: str, code: str
) -> None:
    wording = environment(lang).get_template("games/sapiens/wording.txt").module
    for context in MOVES[code]:
        told = say("error", code, context.get("rule", ""), context, ["Anna", "Marc"], 0)
        assert re.fullmatch(r"\S[^\n]*\.", told)
        plain = {"code": code, **context}
        if code in ENGINE:
            plain = {"code": "illegal", "error": code, "rule": context.get("rule", "")}
            plain["context"] = context
        verdict = msgspec.convert(plain, AnyVerdict)
        assert general.verdict(verdict, ["Anna", "Marc"], 0, wording) == told


@pytest.mark.parametrize("code", REQUESTS)
def test_every_refused_request_is_worded(general: Any, code: str) -> None:
    told = {general.refused(code, context) for context in REQUESTS[code]}
    assert len(told) == len(REQUESTS[code])
    for text in told:
        assert re.fullmatch(r"\S[^\n]*\.", text)


def test_a_game_words_its_own_refusals(general: Any, lang: str) -> None:
    wording = environment(lang).get_template("games/sapiens/wording.txt").module
    context = {"square": "C4"}
    verdict = Illegal(error="under_bear", rule="S§5.1", context=context)
    told = general.verdict(verdict, ["Anna", "Marc"], 0, wording)
    assert "C4" in told
    assert told.endswith("(S§5.1)")


def test_a_game_may_say_by_itself_that_it_is_over(say: Callable[..., str]) -> None:
    of_service = say("error", "match_over", "", {"status": "ended"}, ["Anna", "Marc"], 0)
    assert say("error", "match_over", "S§12.1", {}, ["Anna", "Marc"], 0) == of_service


def test_what_is_left_is_named(say: Callable[..., str]) -> None:
    told = say("error", "incomplete", "S§10.1", {"kind": "refill"}, ["Anna"], 0)
    assert say("phase", "refill") in told
    assert "S§10.1" in told


def test_an_unknown_code_is_an_error_of_ours(general: Any) -> None:
    with pytest.raises(Exception, match="no_such_code"):
        general.refused("no_such_code", {})


def test_a_whole_line_that_is_not_understood_is_quoted_once() -> None:
    errors: Any = environment("en").get_template("wording/errors.txt").module
    context = {"fragment": "xyzzy", "line": "xyzzy", "expected": None}
    assert str(errors.error("unreadable", "", context, (), 0, str)).count("xyzzy") == 1
