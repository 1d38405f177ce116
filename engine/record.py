"""The record of a match: everything an independent referee needs, as one JSON document.

docs/record.md describes it for programs in any language. Reading and writing files is the caller's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import msgspec

from engine.bots import ask, chance_of
from engine.chance import Draw, seed_hash
from engine.difference import first_difference
from engine.fairness import Fairness
from engine.journal import (
    Entry,
    Position,
    Setup,
    begin,
    canonical,
    extend,
    fold,
    follow_plans,
    start,
)
from engine.leaving import Leaving
from engine.leaving import outcome as outcome_of
from engine.play import Played, texts
from engine.protocol import Decision, Game, HasPlans, Outcome, Seat, new_options
from engine.strict_json import LooseJson, loads

S = TypeVar("S")
A = TypeVar("A")

FORMAT = "paleopost record"
VERSION = 4
_SINCE: dict[str, tuple[int, Any]] = {"leavings": (2, []), "fairness": (3, None)}
"""What came to records later: since which version, and what it is in those before."""
OPTIONS_SINCE = 3
"""The version since which options are written in full."""
TURNS_SINCE = 4
"""The version since which entries say their turn, may be by a plan, and may keep back whose they
are."""

LANGUAGE = "en"
_BYTES_32 = re.compile(r"[0-9a-f]{64}")


class BadRecord(Exception):
    """This is no record that can be checked: `place` says where, `reason` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PublicEvent(Shape, frozen=True):
    """An event that everybody was told."""

    kind: str
    seat: Seat | None
    data: dict[str, Any]


class RecordedSetup(Shape, frozen=True):
    """The position before the first decision. `draws` is None while the match runs."""

    draws: tuple[Draw, ...] | None
    events: tuple[PublicEvent, ...]
    state: dict[str, Any]
    digest: str


class RecordedEntry(Shape, frozen=True):
    """One submission and the public position it led to. `turn` is None in records from before
    entries said it.

    While the match runs `draws` is None, and so are `seat`, `decision`, `cause`, `actions` and
    `text` where what was chosen is secret.
    """

    n: int
    turn: str | None
    seat: Seat | None
    decision: str | None
    cause: str | None
    actions: tuple[dict[str, Any], ...] | None
    text: tuple[str, ...] | None
    draws: tuple[Draw, ...] | None
    events: tuple[PublicEvent, ...]
    state: dict[str, Any]
    digest: str


class Record(Shape, frozen=True):
    """A match. `names` is empty or has one for each seat; `seed` is None while the match runs.

    `fairness` is None where the seed was not made of parts: a simulation, or a table opened before
    there were any.
    """

    format: str
    version: int
    game: str
    rules_version: int
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any]
    seed_hash: str
    seed: str | None
    fairness: Fairness | None
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
    """Read a record of this version or one before. Raises BadRecord naming what is wrong with it
    and where: a document that could be read in two ways is none.
    """
    try:
        plain = loads(data)
        head = msgspec.convert(plain, _Head)
        if head.format != FORMAT:
            raise BadRecord("format", f"{head.format!r} is not {FORMAT!r}")
        if head.version not in range(1, VERSION + 1):
            raise BadRecord("version", f"{head.version} cannot be read here, only 1 to {VERSION}")
        later = {key: value for key, (since, value) in _SINCE.items() if head.version < since}
        for key in later.keys() & plain.keys():
            raise BadRecord("record", f"Object contains unknown field `{key}`")
        plain = {**plain, **later}
        if head.version < TURNS_SINCE and "entries" in plain:
            plain["entries"] = _without_turns(plain["entries"])
        record = msgspec.convert(plain, Record)
        _written_plainly(record, plain)
        return record
    except LooseJson as error:
        raise BadRecord(error.place or "record", error.reason) from error
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        raise BadRecord(place.strip("`").removeprefix("$.") or "record", reason) from error
    except RecursionError as error:
        raise BadRecord("record", "nested too deeply") from error


def _without_turns(entries: Any) -> Any:
    """Entries from before they said their turn, as they are read today."""
    if not isinstance(entries, list):
        return entries
    read = []
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict):
            return entries
        if "turn" in entry:
            raise BadRecord(f"entries[{place}]", "Object contains unknown field `turn`")
        for field in ("seat", "decision", "cause"):
            if field in entry and entry[field] is None:
                raise BadRecord(f"entries[{place}].{field}", "null in a record of that version")
        if entry.get("cause") == "plan":
            raise BadRecord(f"entries[{place}].cause", "'plan' is no cause of a turn yet")
        read.append({**entry, "turn": None})
    return read


def _written_plainly(record: Record, plain: dict[str, Any]) -> None:
    """What was read, written again, is what stands there: nothing was passed over."""
    difference = first_difference(as_plain(record), plain)
    if difference is None:
        return
    where, _, key = difference.place.rpartition(".")
    raise BadRecord(where or "record", f"Object contains unknown field `{key}`")


def export(
    game: Game[S, A],
    setup: Setup,
    entries: Sequence[Entry],
    seed: bytes | None = None,
    names: Sequence[str] = (),
    leavings: Sequence[Leaving] = (),
    fairness: Fairness | None = None,
) -> Record:
    """The record of a match from its journal, of those who left it, and of what its seed was made
    of. Raises ReplayError if the journal does not fold.

    Give the seed only once the match is over. Without it the record holds nothing hidden: no
    draws, no actions that were secret, nothing of orders (nor that there are any: entries are
    numbered without them), not who answered when several were asked in secret, and not the secret
    that the seed was made of.
    """
    over = seed is not None
    if fairness is not None and not over:
        fairness = msgspec.structs.replace(fairness, secret=None)
    position = start(game, setup, seed)
    first = RecordedSetup(draws=setup.draws if over else None, **shown_to_all(game, position))
    latest: RecordedSetup | RecordedEntry = first
    recorded: list[RecordedEntry] = []
    numbers = [0]
    for entry, (reached, played) in zip(entries, fold(game, position, entries, seed), strict=True):
        written = texts(game, position.state, entry.seat, played.actions, LANGUAGE)
        public = shown_to_all(game, reached)
        if over:
            latest = RecordedEntry(
                n=entry.n,
                turn=played.turn,
                seat=entry.seat,
                decision=entry.decision,
                cause=entry.cause,
                actions=entry.actions,
                text=written,
                draws=entry.draws,
                **public,
            )
            recorded.append(latest)
        elif public["events"] or public["digest"] != latest.digest or not _silent(played):
            shown = _shown(game, entry, played, written)
            latest = RecordedEntry(n=len(recorded) + 1, draws=None, **shown, **public)
            recorded.append(latest)
        numbers.append(len(recorded))
        position = reached
    if not over:
        leavings = [
            msgspec.structs.replace(leaving, after=numbers[leaving.after]) for leaving in leavings
        ]
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
        fairness=fairness,
        setup=first,
        entries=tuple(recorded),
        leavings=tuple(leavings),
        outcome=outcome_of(game, position.state, leavings, over=over),
    )


def _silent(played: Played[Any, Any]) -> bool:
    """True if nobody else may learn that this was done: orders, and what is sealed."""
    return played.sealed or len(played.actions) == played.orders


def _shown(
    game: Game[Any, Any], entry: Entry, played: Played[Any, Any], written: tuple[str, ...]
) -> dict[str, Any]:
    """What everybody may know of an entry while the match runs: nothing of its orders, and of what
    is sealed that it was done.
    """
    hidden = played.sealed
    by_plan = entry.cause == "plan" and not (isinstance(game, HasPlans) and game.tells_plans)
    return {
        "turn": played.turn,
        "seat": None if hidden else entry.seat,
        "decision": None if hidden else entry.decision,
        "cause": None if hidden else "player" if by_plan else entry.cause,
        "actions": None if hidden else entry.actions[played.orders :],
        "text": None if hidden else written[played.orders :],
    }


def bytes_of(text: str, place: str) -> bytes:
    """The 32 bytes written there. Raises BadRecord for any other spelling of them."""
    if not _BYTES_32.fullmatch(text):
        raise BadRecord(place, "not 64 hexadecimal digits in lower case")
    return bytes.fromhex(text)


def simulate(
    game: Game[S, A],
    seats: int,
    seed: bytes,
    bots: Sequence[str],
    options: Any = None,
    files: Collection[Seat] = (),
) -> Record:
    """A game between bots from its set-up to its end. `bots` has a name per seat, or one for all.
    The seats in `files` are also asked, once each, for what nobody waits for: orders and plans.

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
    chosen = new_options(game) if options is None else options
    setup, position = begin(game, seats, chosen, seed, seed_hash(seed))
    entries: list[Entry] = []
    offered: set[str] = set()
    while decision := _next_asked(game.decisions(position.state), files, offered):
        seat = decision.seat
        pondering = chance_of(seed, seat, position.n + 1)
        actions = ask(game, names[seat], position.state, decision, pondering)
        if not decision.blocks:
            offered.add(decision.id)
            if not actions:
                continue
        entry, position, _ = extend(
            game, position, seat, decision.id, actions, f"bot:{names[seat]}", seed
        )
        entries.append(entry)
        for by_plan, reached, _ in follow_plans(game, position, seed):
            entries.append(by_plan)
            position = reached
    return export(game, setup, entries, seed)


def _next_asked(
    decisions: Sequence[Decision[A]], files: Collection[Seat], offered: Collection[str]
) -> Decision[A] | None:
    """What may be filed and was not offered yet; else what is waited for."""
    free = (d for d in decisions if not d.blocks and d.seat in files and d.id not in offered)
    return next(free, None) or next((d for d in decisions if d.blocks), None)


def shown_to_all(game: Game[S, A], position: Position[S]) -> dict[str, Any]:
    """A position as the record tells it: events and state as everybody knows them."""
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


def digest_of(state: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(state)).hexdigest()


def journal_of(record: Record) -> tuple[Setup, tuple[Entry, ...], bytes]:
    """The journal the record was made from. Raises BadRecord if it tells too little."""
    assert record.seed is not None
    seed = bytes_of(record.seed, "seed")
    hidden = [] if record.setup.draws is not None else ["setup.draws"]
    hidden += [
        f"entries[{place}].{field}"
        for place, entry in enumerate(record.entries)
        for field in ("seat", "decision", "cause", "actions", "text", "draws")
        if getattr(entry, field) is None
    ]
    if hidden:
        raise BadRecord(hidden[0], "null though `seed` is told")
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
            seat=e.seat or 0,
            decision=e.decision or "",
            actions=e.actions or (),
            draws=e.draws or (),
            cause=e.cause or "",
            digest=e.digest,
        )
        for e in record.entries
    )
    return setup, entries, seed


def as_plain(value: Any) -> Any:
    return msgspec.json.decode(canonical(value))
