"""The journal: its fold, and the first thing that is wrong in one that was tampered with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import Draw, seed_of_number
from engine.journal import Entry, ReplayError, Setup, begin, canonical, digest, fold, replay, start
from tests.engine.core.matches import SEED, match
from tests.engine.toy import GAME

Journal = tuple[Setup, list[Entry]]


def _journal() -> Journal:
    setup, entries, _ = match()
    return setup, list(entries)


def test_the_fold_of_the_journal_is_the_match() -> None:
    setup, entries, positions = match()
    assert tuple(replay(GAME, setup, entries)) == positions
    assert tuple(replay(GAME, setup, entries, SEED)) == positions
    assert GAME.outcome(positions[-1].state) is not None


def test_a_fold_goes_on_from_any_position() -> None:
    _, entries, positions = match()
    middle = len(entries) // 2
    rest = [position for position, _ in fold(GAME, positions[middle], entries[middle:], SEED)]
    assert rest == list(positions[middle + 1 :])


def test_what_was_secret_is_known_from_the_fold() -> None:
    setup, entries, _ = match()
    sealed = {
        entry.decision
        for entry, (_, played) in zip(entries, fold(GAME, start(GAME, setup), entries), strict=True)
        if played.sealed
    }
    assert {decision.split(".")[1] for decision in sealed} == {"duel", "bury"}


def test_orders_and_turns_are_known_from_the_fold() -> None:
    setup, entries, _ = match()
    folded = list(zip(entries, fold(GAME, start(GAME, setup), entries), strict=True))
    orders = [entry.decision for entry, (_, played) in folded if played.orders]
    assert orders == ["0.watch.2", "0.watch.2", "2.file.2"]
    assert [played.turn for _, (_, played) in folded[:3]] == ["", "", "1"]
    assert {played.turn for _, (_, played) in folded} == {"", "1", "2", "3"}
    second = [e.cause for e, (_, played) in folded if (e.seat, played.turn) == (2, "2")]
    assert second[:3] == ["player", "plan", "plan"], "entries of one turn"


def test_the_journal_goes_through_json() -> None:
    setup, entries, positions = match()
    setup = msgspec.json.decode(msgspec.json.encode(setup), type=Setup)
    entries = msgspec.json.decode(msgspec.json.encode(entries), type=tuple[Entry, ...])
    assert tuple(replay(GAME, setup, entries)) == positions


def test_the_set_up_needs_possible_seats_and_options() -> None:
    with pytest.raises(ValueError, match="7 seats"):
        begin(GAME, 7, GAME.options_type(), SEED, "")
    with pytest.raises(ValueError, match="0 rounds"):
        begin(GAME, 2, GAME.options_type(rounds=0), SEED, "")


def test_canonical_json_is_what_other_languages_write_too() -> None:
    value = {"b": [1, None, True], "a": {"é": "ü\n", "_": ""}}
    assert canonical(value) == '{"a":{"_":"","é":"ü\\n"},"b":[1,null,true]}'.encode()
    view = GAME.view(match()[2][0].state, None)
    assert digest(GAME, match()[2][0].state) == match()[0].digest
    assert list(msgspec.json.decode(canonical(view))) == sorted(view.__struct_fields__)


def _change(number: int, /, **fields: Any) -> Callable[[Journal], None]:
    def tamper(journal: Journal) -> None:
        journal[1][number - 1] = replace(journal[1][number - 1], **fields)

    return tamper


def _with_draw(n: int) -> Callable[[Journal], None]:
    extra = Draw(index=0, what="die", kind="below", n=6, result=(1,))
    return _change(n, draws=(extra,))


def _drop(n: int) -> Callable[[Journal], None]:
    return lambda journal: journal[1].__delitem__(n - 1)


# DUEL is the entry that resolves the first duel, TURN a turn of two actions.
SETUP, ENTRIES, _POSITIONS = match()
DUEL = next(e.n for e in ENTRIES if e.draws)
TURN = next(e for e in ENTRIES if {"do": "rest"} in e.actions and len(e.actions) == 2)

CAMP, REST, DRAW = TURN.actions[0], {"do": "rest"}, {"do": "draw"}


@pytest.mark.parametrize(
    ("tamper", "n", "place"),
    [
        (_change(3, digest="0" * 64), 3, "digest"),
        (_change(TURN.n, actions=(CAMP, DRAW)), TURN.n, "digest"),
        (_change(TURN.n, actions=(CAMP,)), TURN.n, "actions[1]"),
        (_change(TURN.n, actions=(REST, CAMP)), TURN.n, "actions[0]"),
        (_change(TURN.n, actions=()), TURN.n, "actions[0]"),
        (_change(TURN.n, actions=({"do": "fly"},)), TURN.n, "actions[0]"),
        (_change(TURN.n, actions=({"do": "camp", "place": "moon"},)), TURN.n, "actions[0]"),
        (_change(TURN.n, actions=(CAMP, REST, CAMP)), TURN.n, "actions[2]"),
        (_change(TURN.n, actions=(CAMP, DRAW, CAMP)), TURN.n, "actions[2]"),
        (_change(TURN.n, seat=(TURN.seat + 1) % 3), TURN.n, "decision"),
        (_change(TURN.n, decision="t0.0"), TURN.n, "decision"),
        (_change(TURN.n, n=TURN.n + 1), TURN.n, "n"),
        (_with_draw(TURN.n), TURN.n, "draws[0]"),
        (_change(DUEL, draws=()), DUEL, "draws[0]"),
        (_drop(TURN.n), TURN.n, "n"),
        (_drop(1), 1, "n"),
    ],
)
def test_the_first_divergence_is_found(
    tamper: Callable[[Journal], None], n: int, place: str
) -> None:
    journal = _journal()
    tamper(journal)
    with pytest.raises(ReplayError) as caught:
        list(replay(GAME, *journal))
    assert (caught.value.n, caught.value.place) == (n, place)
    assert caught.value.expected != caught.value.found
    assert f"entry {n}" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"index": 99}, "draws[0].index"),
        ({"what": "loot"}, "draws[0].what"),
        ({"kind": "shuffle"}, "draws[0].kind"),
        ({"n": 4}, "draws[0].n"),
        ({"result": (3,)}, "draws[0].result"),
    ],
)
def test_a_tampered_draw_is_found(fields: dict[str, Any], place: str) -> None:
    setup, entries = _journal()
    (made,) = entries[DUEL - 1].draws
    _change(DUEL, draws=(replace(made, **fields),))((setup, entries))
    with pytest.raises(ReplayError) as caught:
        list(replay(GAME, setup, entries))
    assert (caught.value.n, caught.value.place) == (DUEL, place)


def test_another_result_is_found_by_the_digest_or_by_the_seed() -> None:
    setup, entries = _journal()
    (made,) = entries[DUEL - 1].draws
    other = (made.result[0] + 1) % 3
    _change(DUEL, draws=(replace(made, result=(other,)),))((setup, entries))
    for seed, place in ((None, "digest"), (SEED, "draws[0].result[0]")):
        with pytest.raises(ReplayError) as caught:
            list(replay(GAME, setup, entries, seed))
        assert (caught.value.n, caught.value.place) == (DUEL, place)


def test_a_stacked_deck_is_found_at_once_by_the_seed() -> None:
    """Without the seed it cannot be: what is hidden looks alike."""
    setup, entries = _journal()
    deck = setup.draws[0]
    swapped = (*deck.result[:-2], deck.result[-1], deck.result[-2])
    stacked = replace(setup, draws=(replace(deck, result=swapped), *setup.draws[1:]))
    assert next(replay(GAME, stacked, entries)).n == 0
    with pytest.raises(ReplayError) as caught:
        next(replay(GAME, stacked, entries, SEED))
    assert (caught.value.n, caught.value.place) == (0, f"draws[0].result[{len(swapped) - 2}]")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"rules_version": 2}, "rules_version"),
        ({"game": "chess"}, "rules_version"),
        ({"seats": 7}, "options"),
        ({"options": {"rounds": "three"}}, "options"),
        ({"options": {"rounds": 4}}, "draws[0].n"),
        ({"draws": ()}, "draws[0]"),
        ({"draws": (*SETUP.draws, SETUP.draws[0])}, "draws[3]"),
        ({"digest": "0" * 64}, "digest"),
    ],
)
def test_a_tampered_set_up_is_found(fields: dict[str, Any], place: str) -> None:
    setup, entries = _journal()
    with pytest.raises(ReplayError, match="set-up") as caught:
        list(replay(GAME, replace(setup, **fields), entries))
    assert (caught.value.n, caught.value.place) == (0, place)


def test_another_seed_is_found() -> None:
    setup, entries = _journal()
    with pytest.raises(ReplayError) as caught:
        list(replay(GAME, setup, entries, seed_of_number(8)))
    assert caught.value.place.startswith("draws[0].result[")


def test_long_values_are_shortened_in_the_message() -> None:
    error = ReplayError(4, "state", list(range(1000)), None)
    assert len(str(error)) < 200
    assert error.expected == list(range(1000))
