"""The journal of a match: its set-up and its entries. The state is their fold.

A snapshot of the state may be kept anywhere for speed and thrown away at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.chance import Divergence, Draw, RecordedChance, SeededChance
from engine.play import Incomplete, NotYourDecision, Played, planned, submit, submit_planned
from engine.protocol import Event, Game, IllegalAction, PlanStep, Seat, seats_to_wait_for

S = TypeVar("S")
A = TypeVar("A")


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The beginning of a match. `options` is the game's options struct as plain data."""

    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    seed_hash: str
    draws: tuple[Draw, ...]
    digest: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission as it was played. `n` counts from 1.

    `actions` are plain data (the tagged JSON of the game's actions), orders first. `cause` says who
    decided: "player", "plan", "bot:NAME", "default". Several entries may be of one turn
    (`engine.protocol.Decision.turn`), and some, such as orders, of none. `digest` is that of the
    public view after it. Actions and draws may be secret and are there for replay: what a reader is
    told comes from the events alone. `engine.record.export` knows what may leave a running match.
    """

    n: int
    seat: Seat
    decision: str
    actions: tuple[dict[str, Any], ...]
    draws: tuple[Draw, ...]
    cause: str
    digest: str


class Position(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A state reached in a fold, with the events that led to it. `n` is 0 after the set-up."""

    n: int
    state: S
    events: tuple[Event, ...]
    next_draw: int


class ReplayError(Exception):
    """The first place where a replay is not what the journal or the record says.

    `n` is the number of the entry (0: the set-up), `place` the way into it ("draws[0].result[3]"),
    `expected` what the rules give there and `found` what is written, both as plain JSON values.
    """

    def __init__(self, n: int, place: str, expected: Any, found: Any) -> None:
        where = f"entry {n}" if n else "set-up"
        super().__init__(f"{where}: {place}: expected {_short(expected)}, found {_short(found)}")
        self.n = n
        self.place = place
        self.expected = expected
        self.found = found


def _short(value: Any) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 120 else text[:117] + "..."


def canonical(value: Any) -> bytes:
    """Canonical JSON: UTF-8, keys sorted, no spaces. Digests are taken over it."""
    return msgspec.json.encode(value, order="sorted")


def digest(game: Game[S, A], state: S) -> str:
    """Hexadecimal SHA-256 of the canonical JSON of the public view."""
    return hashlib.sha256(canonical(game.view(state, None))).hexdigest()


def begin(
    game: Game[S, A], seats: int, options: Any, seed: bytes, seed_hash: str
) -> tuple[Setup, Position[S]]:
    """Set a match up: its journal's head and the first position.

    `options` is a `game.options_type`; `seed_hash` is the commitment published for the seed. Raises
    ValueError for seats or options out of range.
    """
    chance = SeededChance(seed)
    step = game.setup(seats, options, chance)
    setup = Setup(
        game=game.key,
        rules_version=game.rules_version,
        seats=seats,
        options=msgspec.to_builtins(options),
        seed_hash=seed_hash,
        draws=tuple(chance.draws),
        digest=digest(game, step.state),
    )
    return setup, Position(n=0, state=step.state, events=step.events, next_draw=chance.next)


def extend(
    game: Game[S, A],
    position: Position[S],
    seat: Seat,
    decision: str,
    actions: Sequence[A],
    cause: str,
    seed: bytes,
) -> tuple[Entry, Position[S], Played[S, A]]:
    """Play a submission on a position. Raises what `engine.play.submit` raises."""
    chance = SeededChance(seed, position.next_draw)
    played = submit(game, position.state, seat, decision, actions, chance)
    return _written(game, position, seat, decision, played, cause, chance)


def _written(
    game: Game[S, A],
    position: Position[S],
    seat: Seat,
    decision: str,
    played: Played[S, A],
    cause: str,
    chance: SeededChance,
) -> tuple[Entry, Position[S], Played[S, A]]:
    entry = Entry(
        n=position.n + 1,
        seat=seat,
        decision=decision,
        actions=tuple(msgspec.to_builtins(a) for a in played.actions),
        draws=tuple(chance.draws),
        cause=cause,
        digest=digest(game, played.state),
    )
    reached = Position(n=entry.n, state=played.state, events=played.events, next_draw=chance.next)
    return entry, reached, played


def follow_plans(
    game: Game[S, A],
    position: Position[S],
    seed: bytes,
    *,
    expired: Collection[Seat] = (),
    left: Collection[Seat] = (),
) -> Iterator[tuple[Entry, Position[S], Played[S, A]]]:
    """The entries that filed plans make from here, one for each reveal, until none has an answer.

    To be played after every entry, before anybody is asked. `expired` are seats whose time is up,
    `left` those whose player has gone: their plans are not consulted.
    """
    while made := _by_plan(game, position, seed, expired, left):
        yield made
        _, position, _ = made


def _by_plan(
    game: Game[S, A],
    position: Position[S],
    seed: bytes,
    expired: Collection[Seat],
    left: Collection[Seat],
) -> tuple[Entry, Position[S], Played[S, A]] | None:
    state = position.state
    decisions = game.decisions(state)
    for seat in seats_to_wait_for(decisions):
        if seat in left:
            continue
        steps = planned(game, state, seat, expired=seat in expired)
        if not steps:
            continue
        decision = next(d.id for d in decisions if d.seat == seat and d.blocks)
        chance = SeededChance(seed, position.next_draw)
        played = submit_planned(game, state, seat, decision, steps, chance)
        return _written(game, position, seat, decision, played, "plan", chance)
    return None


def start(game: Game[S, A], setup: Setup, seed: bytes | None = None) -> Position[S]:
    """The position before the first entry, by the recorded draws; with a seed they are checked.

    Raises ReplayError if the rules do not give this set-up. The digest is left to the caller.
    """
    if (setup.game, setup.rules_version) != (game.key, game.rules_version):
        ours, theirs = (game.key, game.rules_version), (setup.game, setup.rules_version)
        raise ReplayError(0, "rules_version", " ".join(map(str, ours)), " ".join(map(str, theirs)))
    chance = RecordedChance(setup.draws, seed=seed)
    try:
        options = msgspec.convert(setup.options, game.options_type)
        step = game.setup(setup.seats, options, chance)
    except Divergence as error:
        raise _diverged(0, 0, error) from error
    except ValueError as error:  # msgspec.ValidationError is one
        raise ReplayError(0, "options", str(error), setup.options) from error
    _all_used(0, chance, setup.draws)
    return Position(n=0, state=step.state, events=step.events, next_draw=chance.next)


def fold(
    game: Game[S, A], position: Position[S], entries: Iterable[Entry], seed: bytes | None = None
) -> Iterator[tuple[Position[S], Played[S, A]]]:
    """The entries after `position` played again: each position and the submission that led to it.

    Raises ReplayError at the first thing the rules do not allow. Digests are left to the caller.
    """
    for entry in entries:
        if entry.n != position.n + 1:
            raise ReplayError(position.n + 1, "n", position.n + 1, entry.n)
        chance = RecordedChance(entry.draws, position.next_draw, seed)
        played = _replayed(game, position, entry, chance)
        _all_used(entry.n, chance, entry.draws)
        position = Position(
            n=entry.n, state=played.state, events=played.events, next_draw=chance.next
        )
        yield position, played


def replay(
    game: Game[S, A], setup: Setup, entries: Iterable[Entry], seed: bytes | None = None
) -> Iterator[Position[S]]:
    """Every position from the set-up on. Raises ReplayError at the first divergence.

    Digests are checked, and with a seed the draws against it.
    """
    position = start(game, setup, seed)
    _check_digest(game, position, setup.digest)
    yield position
    yield from replay_from(game, position, entries, seed)


def replay_from(
    game: Game[S, A], position: Position[S], entries: Iterable[Entry], seed: bytes | None = None
) -> Iterator[Position[S]]:
    """Every position after this one, which is a snapshot. Raises as `replay`."""
    for entry in entries:
        ((position, _),) = fold(game, position, [entry], seed)
        _check_digest(game, position, entry.digest)
        yield position


def _check_digest(game: Game[S, A], position: Position[S], recorded: str) -> None:
    expected = digest(game, position.state)
    if expected != recorded:
        raise ReplayError(position.n, "digest", expected, recorded)


def _replayed(
    game: Game[S, A], position: Position[S], entry: Entry, chance: RecordedChance
) -> Played[S, A]:
    """The entry played again; what stops it is told as a ReplayError."""
    actions = []
    for index, plain in enumerate(entry.actions):
        try:
            actions.append(msgspec.convert(plain, game.action_type))
        except msgspec.ValidationError as error:
            raise ReplayError(entry.n, f"actions[{index}]", str(error), plain) from error
    state = position.state
    try:
        if entry.cause == "plan":
            steps = _steps(game, state, entry, actions)
            played = submit_planned(game, state, entry.seat, entry.decision, steps, chance)
        else:
            played = submit(game, state, entry.seat, entry.decision, actions, chance)
    except NotYourDecision as error:
        open_ = [d.id for d in game.decisions(position.state) if d.seat == entry.seat]
        raise ReplayError(entry.n, "decision", open_, entry.decision) from error
    except Incomplete as error:
        rest = f"actions[{len(actions)}]"
        raise ReplayError(entry.n, rest, error.remaining.kind, None) from error
    except IllegalAction as error:
        place = f"actions[{error.index}]"
        raise ReplayError(entry.n, place, str(error), entry.actions[error.index]) from error
    except Divergence as error:
        raise _diverged(entry.n, position.next_draw, error) from error
    if played.unplayed:
        index = len(played.actions)
        raise ReplayError(entry.n, f"actions[{index}]", None, entry.actions[index])
    return played


def _steps(game: Game[S, A], state: S, entry: Entry, actions: Sequence[A]) -> tuple[PlanStep, ...]:
    """The steps of the plan on file that are these actions, in time or when the time was up."""
    said = []
    for expired in (False, True):
        steps = planned(game, state, entry.seat, expired=expired)
        said.append([action for step in steps for action in step.actions])
        if said[-1] == list(actions):
            return steps
    expected = msgspec.to_builtins(said[0] or said[1])
    raise ReplayError(entry.n, "by plan: actions", expected, list(entry.actions))


def _diverged(n: int, start: int, error: Divergence) -> ReplayError:
    place = f"draws[{error.index - start}]"
    if error.field:
        place = f"{place}.{error.field}"
    return ReplayError(n, place, error.expected, error.found)


def _all_used(n: int, chance: RecordedChance, recorded: Sequence[Draw]) -> None:
    used = len(chance.draws)
    if used < len(recorded):
        raise ReplayError(n, f"draws[{used}]", None, msgspec.to_builtins(recorded[used]))
