"""Verification of a record: the match played again by the rules and the seed, and compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from engine.chance import SeededChance, seed_hash
from engine.difference import first_difference
from engine.fairness import commitment_of, seed_of
from engine.journal import Position, ReplayError, fold, start
from engine.leaving import outcome as outcome_of
from engine.play import Played, complete, texts
from engine.protocol import Game, Seat, later_options
from engine.record import (
    LANGUAGE,
    OPTIONS_SINCE,
    TURNS_SINCE,
    BadRecord,
    Record,
    RecordedEntry,
    Shape,
    as_plain,
    bytes_of,
    digest_of,
    journal_of,
    shown_to_all,
)

_CAUSE = re.compile(r"player|plan|default|bot:[a-z][a-z0-9_]*")


class Unfinished(Exception):
    """The record ends before the match does, and nothing in it is wrong so far: after `n` entries.

    `running`: it was made while the match ran, so it has no seed and cannot be checked yet. Else
    all was checked that there is: what came after was cut off.
    """

    def __init__(self, n: int, *, running: bool) -> None:
        super().__init__(f"unfinished after entry {n}")
        self.n = n
        self.running = running


def verify(record: Record, games: Mapping[str, Game[Any, Any]]) -> None:
    """Play the record again by the rules and the seed and compare all that it says.

    Raises BadRecord if it cannot be checked (another game or version, no record of ours),
    `engine.journal.ReplayError` naming the first thing that is not as it should be, and Unfinished
    for a record of a match that goes on.
    """
    try:
        _verify(record, games)
    except RecursionError as error:
        # What `decode` could just read may be too deep to be compared.
        raise BadRecord("record", "nested too deeply") from error


def _verify(record: Record, games: Mapping[str, Game[Any, Any]]) -> None:
    game = games.get(record.game)
    if game is None:
        raise BadRecord("game", f"{record.game!r} is not known here")
    if record.rules_version != game.rules_version:
        ours = game.rules_version
        raise BadRecord("rules_version", f"{record.rules_version} cannot be checked by {ours}")
    if record.seats not in game.seats:
        raise BadRecord("seats", f"{record.seats} cannot play {record.game}")
    if record.names and len(record.names) != record.seats:
        raise BadRecord("names", f"{len(record.names)} names for {record.seats} seats")
    for place, entry in enumerate(record.entries):
        if entry.cause is not None and not _CAUSE.fullmatch(entry.cause):
            raise BadRecord(f"entries[{place}].cause", f"{entry.cause!r} is no cause of a turn")
    if record.seed is None:
        _check_running(record)
        raise Unfinished(len(record.entries), running=True)
    setup, entries, seed = journal_of(record)
    if seed_hash(seed) != record.seed_hash:
        raise ReplayError(0, "seed_hash", seed_hash(seed), record.seed_hash)
    _check_fairness(record, seed)
    _check_leavings(record)
    position = start(game, setup, seed)
    _check_options(game, record)
    _compare(0, shown_to_all(game, position), record.setup)
    for entry, (reached, played) in zip(
        record.entries, fold(game, position, entries, seed), strict=True
    ):
        _check_actions(game, position, entry, played, seed)
        assert entry.seat is not None
        written = texts(game, position.state, entry.seat, played.actions, LANGUAGE)
        expected = {"text": written, **shown_to_all(game, reached)}
        if record.version >= TURNS_SINCE:
            expected["turn"] = played.turn
        _compare(entry.n, expected, entry)
        position = reached
    _check_end(game, position, record)


def _check_running(record: Record) -> None:
    """A record made while the match ran tells no secrets, and no outcome."""
    parts: dict[str, Any] = {"outcome": record.outcome, "setup.draws": record.setup.draws}
    if record.fairness is not None:
        parts["fairness.secret"] = record.fairness.secret
    for place, entry in enumerate(record.entries):
        parts[f"entries[{place}].draws"] = entry.draws
        if entry.text is None:
            parts[f"entries[{place}].actions"] = entry.actions
        elif entry.actions is None or None in (entry.seat, entry.decision, entry.cause):
            parts[f"entries[{place}].text"] = entry.text
    for where, told in parts.items():
        if told is not None:
            raise BadRecord(where, "stands there though `seed` does not")
    _compare(0, {"digest": digest_of(record.setup.state)}, record.setup)
    for n, entry in enumerate(record.entries, 1):
        _compare(n, {"n": n, "digest": digest_of(entry.state)}, entry)


def _check_fairness(record: Record, seed: bytes) -> None:
    """The seed was made of the secret that was committed to, and of the parts."""
    fairness = record.fairness
    if fairness is None:
        return
    if fairness.secret is None:
        raise BadRecord("fairness.secret", "null though `seed` is told")
    secret = bytes_of(fairness.secret, "fairness.secret")
    latest = -1
    for place, part in enumerate(fairness.parts):
        if part.seat not in range(latest + 1, record.seats):
            raise BadRecord(f"fairness.parts[{place}].seat", f"seat {part.seat} cannot stand here")
        bytes_of(part.part, f"fairness.parts[{place}].part")
        latest = part.seat
    if commitment_of(secret) != fairness.commitment:
        expected = commitment_of(secret)
        raise ReplayError(0, "fairness.commitment", expected, fairness.commitment)
    made = seed_of(secret, fairness.parts)
    if made != seed:
        raise ReplayError(0, "seed", made.hex(), record.seed)


def _check_options(game: Game[Any, Any], record: Record) -> None:
    """All options are there and written as the game writes them. Those that came to a game later
    may be missing in records of before.
    """
    chosen = msgspec.convert(record.options, game.options_type)
    expected, found = as_plain(chosen), as_plain(record.options)
    may_lack = expected if record.version < OPTIONS_SINCE else later_options(game)
    found = {**{name: expected[name] for name in may_lack}, **found}
    difference = first_difference(expected, found, "options")
    if difference is not None:
        raise ReplayError(0, difference.place, difference.expected, difference.found)


def _check_actions(
    game: Game[Any, Any],
    position: Position[Any],
    entry: RecordedEntry,
    played: Played[Any, Any],
    seed: bytes,
) -> None:
    """The actions are written in full; those of a default turn are the default turn. (Those by a
    plan are what it says, or it would not fold.)
    """
    _compare(entry.n, {"actions": played.actions}, entry)
    if entry.cause != "default":
        return
    assert entry.seat is not None
    assert entry.decision is not None
    chance = SeededChance(seed, position.next_draw)
    by_default = complete(game, position.state, entry.seat, entry.decision, chance)
    found = as_plain(entry.actions)
    difference = first_difference(as_plain(by_default), found, "default turn: actions")
    if difference is not None:
        raise ReplayError(entry.n, difference.place, difference.expected, difference.found)


def _check_leavings(record: Record) -> None:
    """Who left is named once, in order, somebody stayed, and no player decided in their place."""
    gone: dict[Seat, int] = {}
    latest = 0
    for place, leaving in enumerate(record.leavings):
        if leaving.seat in gone or leaving.seat not in range(record.seats):
            raise BadRecord(f"leavings[{place}].seat", f"seat {leaving.seat} cannot leave")
        if leaving.after not in range(latest, len(record.entries) + 1):
            raise BadRecord(f"leavings[{place}].after", f"not after entry {leaving.after}")
        gone[leaving.seat] = latest = leaving.after
    if len(gone) == record.seats:
        raise BadRecord("leavings", "nobody stayed")
    for entry in record.entries:
        left = entry.n if entry.seat is None else gone.get(entry.seat, entry.n)
        if entry.cause in ("player", "plan") and entry.n > left:
            raise ReplayError(entry.n, "cause", "default", entry.cause)


def _check_end(game: Game[Any, Any], position: Position[Any], record: Record) -> None:
    """It ended by the rules, or when the last of those who left did, and as it says."""
    over = game.outcome(position.state) is not None
    last = len(record.leavings) - 1
    at_the_end = last >= 0 and record.leavings[last].after == position.n
    if over and at_the_end:
        leaving = as_plain(record.leavings[last])
        raise ReplayError(
            position.n, f"leavings[{last}]", "nobody leaves when all is over", leaving
        )
    if not over and not at_the_end:
        raise Unfinished(position.n, running=False)
    outcome = {"outcome": outcome_of(game, position.state, record.leavings, over=True)}
    _compare(position.n, outcome, record)


def _compare(n: int, expected: Mapping[str, Any], recorded: Shape) -> None:
    for field, value in expected.items():
        difference = first_difference(as_plain(value), as_plain(getattr(recorded, field)), field)
        if difference is not None:
            raise ReplayError(n, difference.place, difference.expected, difference.found)
