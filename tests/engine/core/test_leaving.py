"""Players who leave: who wins then, and what a record says and does not get away with."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.journal import ReplayError
from engine.leaving import Leaving, outcome
from engine.record import BadRecord, decode, encode, export, simulate
from engine.verification import Unfinished, verify
from tests.engine.core.matches import SEED, match
from tests.engine.toy import GAME

GAMES = {GAME.key: GAME}
Plain = dict[str, Any]


def _left(*seats: int, after: int, why: Any = "resigned") -> list[Leaving]:
    return [Leaving(seat=seat, why=why, after=after) for seat in seats]


def _record(entries_played: int | None, leavings: list[Leaving]) -> Plain:
    """A whole match, or its beginning, that these left."""
    setup, entries, _ = match()
    kept = entries if entries_played is None else entries[:entries_played]
    plain: Plain = json.loads(encode(export(GAME, setup, kept, SEED, (), leavings)))
    return plain


def _check(plain: Plain) -> None:
    verify(decode(json.dumps(plain).encode()), GAMES)


def _scores(n: int) -> tuple[int, ...]:
    _, _, positions = match()
    return GAME.scores(positions[n].state)


def test_a_match_goes_on_without_who_left() -> None:
    _, _, positions = match()
    state = positions[3].state
    assert outcome(GAME, state, _left(1, after=2), over=False) is None
    assert outcome(GAME, state, [], over=True) is None


def test_who_left_cannot_win_at_the_end() -> None:
    *_, positions = match()
    last = positions[-1].state
    ended = GAME.outcome(last)
    assert ended is not None
    (best,) = ended.winners
    found = outcome(GAME, last, _left(best, after=1), over=True)
    assert found is not None
    others = [score for seat, score in enumerate(ended.scores) if seat != best]
    assert [found.scores[seat] for seat in found.winners] == [max(others)] * len(found.winners)
    assert best not in found.winners
    assert (found.scores, found.termination) == (ended.scores, ended.termination)
    loser = ended.scores.index(min(ended.scores))
    assert outcome(GAME, last, _left(loser, after=1), over=True) == ended


def test_a_match_that_too_few_are_left_for_ends_at_once() -> None:
    _, _, positions = match()
    state = positions[5].state
    leavings = [*_left(1, after=2), *_left(0, after=5, why="dropped")]
    found = outcome(GAME, state, leavings, over=True)
    assert found is not None
    assert (found.winners, found.scores, found.termination) == ((2,), _scores(5), "dropped")


def test_nobody_wins_a_match_that_its_host_ended() -> None:
    *_, positions = match()
    state, last = positions[5].state, positions[-1].state
    leavings = [*_left(1, after=2), *_left(0, after=5, why="removed")]
    found = outcome(GAME, state, leavings, over=True)
    assert found is not None
    assert (found.winners, found.scores, found.termination) == ((), _scores(5), "removed")
    leavings.reverse()
    found = outcome(GAME, state, leavings, over=True)
    assert found is not None
    assert found.winners == (2,), "who gave up after that has lost"
    ended = outcome(GAME, last, _left(1, after=2, why="removed"), over=True)
    assert ended is not None
    assert ended.winners, "and a match that went on to its end has been won"
    record = _record(5, _left(1, after=5, why="removed"))
    assert record["outcome"]["winners"] == []
    _check(record)


def test_nobody_wins_where_all_have_lost() -> None:
    """T§8: whoever left, the others did not survive either."""
    *_, positions = match()
    state = replace(positions[-1].state, out=(2, 0, 1))
    assert GAME.outcome(state) is not None
    for leavings in ([], _left(1, after=2)):
        found = outcome(GAME, state, leavings, over=True)
        assert found is not None
        assert (found.winners, found.scores, found.termination) == ((), (0, 0, 0), "starved")


def test_who_is_eliminated_does_not_win_when_others_leave() -> None:
    *_, positions = match()
    state = replace(positions[5].state, out=(0,), points=(9, 1, 2))
    found = outcome(GAME, state, _left(2, after=5), over=True)
    assert found is not None
    assert found.winners == (1,)
    found = outcome(GAME, state, [*_left(2, after=5), *_left(1, after=5)], over=True)
    assert found is not None
    assert (found.winners, found.termination) == ((), "resigned")
    ended = replace(positions[-1].state, out=(0,), points=(0, 1, 2), heaps=((), (), ()))
    found = outcome(GAME, ended, _left(2, after=5), over=True)
    assert found is not None
    assert (found.winners, found.scores) == ((1,), (0, 1, 2))


def test_somebody_has_to_stay() -> None:
    _, _, positions = match()
    with pytest.raises(ValueError, match="nobody stayed"):
        outcome(GAME, positions[5].state, _left(0, 1, 2, after=5), over=True)


@pytest.mark.parametrize("entries", [None, 5, 0])
def test_a_record_tells_who_left_and_verifies(entries: int | None) -> None:
    after = 5 if entries is None else entries
    record = _record(entries, _left(1, after=after))
    assert record["version"] == 4
    assert record["leavings"] == [{"seat": 1, "why": "resigned", "after": after}]
    assert 1 not in record["outcome"]["winners"]
    assert record["outcome"]["termination"] == ("normal" if entries is None else "resigned")
    _check(record)


def test_a_running_match_tells_who_left_and_no_result() -> None:
    setup, entries, _ = match()
    made = export(GAME, setup, entries[:5], None, (), _left(1, after=5))
    assert (made.outcome, made.seed) == (None, None)
    assert msgspec.to_builtins(made.leavings) == ({"seat": 1, "why": "resigned", "after": 3},)
    assert len(made.entries) == 3, "two were orders, that nobody learns of"


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"seat": 2}, "outcome"),
        ({"why": "dropped"}, "outcome.termination"),
    ],
)
def test_another_leaving_is_found(changes: Plain, place: str) -> None:
    record = _record(5, _left(1, after=5))
    # Seat 1 would not have won anyhow; make the one who is said to have left matter.
    record["leavings"][0].update(changes)
    record["outcome"]["winners"] = [0, 2] if "seat" in changes else record["outcome"]["winners"]
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert caught.value.place.startswith(place)


def test_an_open_game_that_nobody_has_ended_is_unfinished() -> None:
    record = _record(5, _left(1, after=5))
    record["leavings"][0]["after"] = 4
    with pytest.raises(Unfinished) as caught:
        _check(record)
    assert (caught.value.n, caught.value.running) == (5, False)


def test_nobody_leaves_after_the_rules_have_ended_the_game() -> None:
    record = _record(None, [])
    last = len(record["entries"])
    loser = next(s for s in range(3) if s not in record["outcome"]["winners"])
    record["leavings"] = [{"seat": loser, "why": "resigned", "after": last - 1}]
    _check(record)
    record["leavings"][0]["after"] = last
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (last, "leavings[0]")


def test_a_turn_of_who_had_left_is_found() -> None:
    record = _record(None, _left(1, after=2))
    _check(record)
    entry = next(e for e in record["entries"] if e["seat"] == 1 and e["n"] > 2)
    entry["cause"] = "player"
    with pytest.raises(ReplayError) as caught:
        _check(record)
    assert (caught.value.n, caught.value.place) == (entry["n"], "cause")


@pytest.mark.parametrize(
    ("leavings", "place"),
    [
        ([{"seat": 3, "why": "resigned", "after": 1}], "leavings[0].seat"),
        ([{"seat": 1, "why": "resigned", "after": 999}], "leavings[0].after"),
        ([{"seat": 1, "why": "resigned", "after": -1}], "leavings[0].after"),
        ([{"seat": 1, "why": "resigned", "after": 3}] * 2, "leavings[1].seat"),
        (
            [{"seat": s, "why": "resigned", "after": 3 - s} for s in (1, 2)],
            "leavings[1].after",
        ),
        ([{"seat": s, "why": "resigned", "after": 3} for s in (0, 1, 2)], "leavings"),
        ([{"seat": 1, "why": "bored", "after": 3}], "leavings[0].why"),
        ([{"seat": 1, "why": "resigned", "after": 3, "more": 1}], "leavings[0]"),
    ],
)
def test_leavings_that_cannot_be(leavings: list[Plain], place: str) -> None:
    record = _record(None, [])
    record["leavings"] = leavings
    with pytest.raises(BadRecord) as refused:
        _check(record)
    assert refused.value.place == place


@pytest.mark.parametrize("version", [1, 2])
def test_records_of_earlier_versions_are_read(version: int) -> None:
    record = json.loads(encode(simulate(GAME, 3, SEED, ["random"])))
    record["version"] = version
    for entry in record["entries"]:
        del entry["turn"]
    with pytest.raises(BadRecord, match=r"unknown field `(fairness|leavings)`"):
        _check(record)
    del record["fairness"]
    if version == 1:
        del record["leavings"]
    _check(record)
    assert decode(json.dumps(record).encode()).leavings == ()
    assert decode(json.dumps(record).encode()).fairness is None
    if version == 2:
        return
    record["leavings"] = []
    with pytest.raises(BadRecord, match="unknown field `leavings`"):
        _check(record)


def test_a_record_of_today_says_who_left_even_if_nobody_did() -> None:
    record = _record(None, [])
    del record["leavings"]
    with pytest.raises(BadRecord, match="missing required field `leavings`"):
        _check(record)
