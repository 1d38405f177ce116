"""The record of a match: everything an independent referee needs, as one JSON document.

docs/record.md describes it for programs in any language. Reading and writing files is the caller's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from engine.bots import ask, chance_of
from engine.chance import Draw, seed_hash
from engine.difference import first_difference
from engine.journal import (
    Entry,
    Position,
    ReplayError,
    Setup,
    begin,
    canonical,
    extend,
    fold,
    start,
)
from engine.leaving import Leaving
from engine.leaving import outcome as outcome_of
from engine.play import texts
from engine.protocol import Game, Outcome, Seat

S = TypeVar("S")
A = TypeVar("A")

FORMAT = "paleopost record"
VERSION = 2
FIRST_VERSION = 1
"""Records of this version know nothing of players who left; they are read as what they are now."""

LANGUAGE = "en"
_CAUSE = re.compile(r"player|default|bot:\S+")


class BadRecord(Exception):
    """This is no record that can be checked: `place` says where, `reason` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class _Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PublicEvent(_Shape, frozen=True):
    """An event that everybody was told."""

    kind: str
    seat: Seat | None
    data: dict[str, Any]


class RecordedSetup(_Shape, frozen=True):
    """The position before the first decision. `draws` is None while the match runs."""

    draws: tuple[Draw, ...] | None
    events: tuple[PublicEvent, ...]
    state: dict[str, Any]
    digest: str


class RecordedEntry(_Shape, frozen=True):
    """One submission and the public position it led to.

    While the match runs `draws` is None, and so are `actions` and `text` where they are secret.
    """

    n: int
    seat: Seat
    decision: str
    cause: str
    actions: tuple[dict[str, Any], ...] | None
    text: tuple[str, ...] | None
    draws: tuple[Draw, ...] | None
    events: tuple[PublicEvent, ...]
    state: dict[str, Any]
    digest: str


class Record(_Shape, frozen=True):
    """A match. `names` is empty or has one for each seat; `seed` is None while the match runs."""

    format: str
    version: int
    game: str
    rules_version: int
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any]
    seed_hash: str
    seed: str | None
    setup: RecordedSetup
    entries: tuple[RecordedEntry, ...]
    leavings: tuple[Leaving, ...]
    outcome: Outcome | None


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


def encode(record: Record) -> bytes:
    """The record as UTF-8 JSON."""
    return msgspec.json.encode(record)


def decode(data: bytes) -> Record:
    """Read a record. Raises BadRecord naming what is wrong with it and where."""
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise BadRecord("format", f"{head.format!r} is not {FORMAT!r}")
        if head.version not in (FIRST_VERSION, VERSION):
            readable = f"{FIRST_VERSION} and {VERSION}"
            raise BadRecord("version", f"{head.version} cannot be read here, only {readable}")
        if head.version == FIRST_VERSION:
            return _first_version(msgspec.json.decode(data))
        return msgspec.json.decode(data, type=Record)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        raise BadRecord(place.strip("`").removeprefix("$.") or "record", reason) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord("record", f"not JSON: {error}") from error
    except RecursionError as error:
        raise BadRecord("record", "nested too deeply") from error


def _first_version(plain: dict[str, Any]) -> Record:
    if "leavings" in plain:
        raise BadRecord("record", "Object contains unknown field `leavings`")
    return msgspec.convert({**plain, "version": VERSION, "leavings": []}, Record)


def export(
    game: Game[S, A],
    setup: Setup,
    entries: Sequence[Entry],
    seed: bytes | None = None,
    names: Sequence[str] = (),
    leavings: Sequence[Leaving] = (),
) -> Record:
    """The record of a match from its journal, and of those who left it. Raises ReplayError if the
    journal does not fold.

    Give the seed only once the match is over. Without it the record holds nothing hidden: no
    draws, and no actions that were secret.
    """
    over = seed is not None
    position = start(game, setup, seed)
    first = RecordedSetup(draws=setup.draws if over else None, **_public(game, position))
    recorded = []
    for entry, (reached, played) in zip(entries, fold(game, position, entries, seed), strict=True):
        shown = over or not played.sealed
        written = texts(game, position.state, entry.seat, played.actions, LANGUAGE)
        recorded.append(
            RecordedEntry(
                n=entry.n,
                seat=entry.seat,
                decision=entry.decision,
                cause=entry.cause,
                actions=entry.actions if shown else None,
                text=written if shown else None,
                draws=entry.draws if over else None,
                **_public(game, reached),
            )
        )
        position = reached
    return Record(
        format=FORMAT,
        version=VERSION,
        game=setup.game,
        rules_version=setup.rules_version,
        seats=setup.seats,
        names=tuple(names),
        options=setup.options,
        seed_hash=setup.seed_hash,
        seed=seed.hex() if seed is not None else None,
        setup=first,
        entries=tuple(recorded),
        leavings=tuple(leavings),
        outcome=outcome_of(game, position.state, leavings, over=over),
    )


def verify(record: Record, games: Mapping[str, Game[Any, Any]]) -> None:
    """Play the record again by the rules and the seed and compare all that it says.

    Raises BadRecord if it cannot be checked (another game or version, no seed), and
    `engine.journal.ReplayError` naming the first thing that is not as it should be.
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
    setup, entries, seed = _journal(record)
    if seed_hash(seed) != record.seed_hash:
        raise ReplayError(0, "seed_hash", seed_hash(seed), record.seed_hash)
    for place, entry in enumerate(record.entries):
        if not _CAUSE.fullmatch(entry.cause):
            raise BadRecord(f"entries[{place}].cause", f"{entry.cause!r} is no cause of a turn")
    if record.names and len(record.names) != record.seats:
        raise BadRecord("names", f"{len(record.names)} names for {record.seats} seats")
    _check_leavings(record)
    position = start(game, setup, seed)
    _compare(0, _public(game, position), record.setup)
    for entry, (reached, played) in zip(
        record.entries, fold(game, position, entries, seed), strict=True
    ):
        written = texts(game, position.state, entry.seat, played.actions, LANGUAGE)
        _compare(entry.n, {"text": written, **_public(game, reached)}, entry)
        position = reached
    if game.outcome(position.state) is None and record.leavings:
        _ended_by_leaving(record)
    outcome = {"outcome": outcome_of(game, position.state, record.leavings, over=True)}
    _compare(len(entries), outcome, record)


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
        if entry.cause == "player" and entry.n > gone.get(entry.seat, entry.n):
            raise ReplayError(entry.n, "cause", "default", entry.cause)


def _ended_by_leaving(record: Record) -> None:
    """A match that its rules have not ended was over when the last of those who left did."""
    after = record.leavings[-1].after
    if after != len(record.entries):
        raise ReplayError(after, "outcome", None, _plain(record.outcome))


def simulate(
    game: Game[S, A], seats: int, seed: bytes, bots: Sequence[str], options: Any = None
) -> Record:
    """A game between bots from its set-up to its end. `bots` has a name per seat, or one for all.

    The bots' own chance (`engine.bots.chance_of`) and that of the game both derive from the seed,
    so the same arguments give the same record. Raises ValueError for seats, options or bots out
    of range.
    """
    names = tuple(bots) * seats if len(bots) == 1 else tuple(bots)
    if len(names) != seats:
        raise ValueError(f"{len(names)} bots for {seats} seats")
    unknown = next((name for name in names if name not in game.bots), None)
    if unknown is not None:
        raise ValueError(f"no bot {unknown}; there are {', '.join(sorted(game.bots))}")
    chosen = game.options_type() if options is None else options
    setup, position = begin(game, seats, chosen, seed, seed_hash(seed))
    entries: list[Entry] = []
    while decision := next((d for d in game.decisions(position.state) if d.blocking), None):
        seat = decision.seat
        actions = ask(
            game, names[seat], position.state, seat, chance_of(seed, seat, position.n + 1)
        )
        entry, position, _ = extend(
            game, position, seat, decision.id, actions, f"bot:{names[seat]}", seed
        )
        entries.append(entry)
    return export(game, setup, entries, seed)


def _public(game: Game[S, A], position: Position[S]) -> dict[str, Any]:
    """What the record tells of a position: events and state as everybody knows them."""
    state = canonical(game.view(position.state, None))
    return {
        "events": tuple(
            PublicEvent(kind=e.kind, seat=e.seat, data=e.data)
            for e in position.events
            if e.is_for(None)
        ),
        "state": msgspec.json.decode(state),
        "digest": hashlib.sha256(state).hexdigest(),
    }


def _journal(record: Record) -> tuple[Setup, tuple[Entry, ...], bytes]:
    """The journal the record was made from. Raises BadRecord if it tells too little."""
    hidden = record.setup.draws is None or any(
        e.draws is None or e.actions is None or e.text is None for e in record.entries
    )
    if record.seed is None or hidden:
        raise BadRecord(
            "seed", "the match was still running; a record made at its end can be checked"
        )
    try:
        seed = bytes.fromhex(record.seed)
    except ValueError as error:
        raise BadRecord("seed", "not hexadecimal") from error
    setup = Setup(
        game=record.game,
        rules_version=record.rules_version,
        seats=record.seats,
        options=record.options,
        seed_hash=record.seed_hash,
        draws=record.setup.draws or (),
        digest=record.setup.digest,
    )
    entries = tuple(
        Entry(
            n=e.n,
            seat=e.seat,
            decision=e.decision,
            actions=e.actions or (),
            draws=e.draws or (),
            cause=e.cause,
            digest=e.digest,
        )
        for e in record.entries
    )
    return setup, entries, seed


def _compare(n: int, expected: Mapping[str, Any], recorded: _Shape) -> None:
    for field, value in expected.items():
        difference = first_difference(_plain(value), _plain(getattr(recorded, field)), field)
        if difference is not None:
            raise ReplayError(n, difference.place, difference.expected, difference.found)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(canonical(value))
