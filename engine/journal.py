"""The journal of a match: its set-up and its entries. The state is their fold.

A snapshot of the state may be kept anywhere for speed and thrown away at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.chance import Divergence, Draw, RecordedChance, SeededChance
from engine.play import Played, submit
from engine.protocol import Event, Game, IllegalAction, Seat

S = TypeVar("S")
A = TypeVar("A")


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """How a match began. `options` is the game's options struct as plain data."""

    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    seed_hash: str
    draws: tuple[Draw, ...]
    digest: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission as it was played. `n` counts from 1.

    `actions` are plain data (the tagged JSON of the game's actions). `cause` says who
    decided: "player", "bot:NAME", "default". `digest` is that of the public view after it.
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
    """The first entry (0: the set-up) whose replay is not what the journal says."""

    def __init__(self, n: int, reason: str) -> None:
        super().__init__(f"entry {n}: {reason}" if n else f"set-up: {reason}")
        self.n = n
        self.reason = reason


def canonical(value: Any) -> bytes:
    """Canonical JSON: UTF-8, keys sorted, no spaces. Digests are taken over it."""
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted")


def digest(game: Game[S, A], state: S) -> str:
    """Hexadecimal SHA-256 of the canonical JSON of the public view."""
    return hashlib.sha256(canonical(game.view(state, None))).hexdigest()


def begin(
    game: Game[S, A], seats: int, options: Any, seed: bytes, seed_hash: str
) -> tuple[Setup, Position[S]]:
    """Set a match up. Raises ValueError for seats or options out of range."""
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
    entry = Entry(
        n=position.n + 1,
        seat=seat,
        decision=decision,
        actions=tuple(msgspec.to_builtins(a) for a in played.actions),
        draws=tuple(chance.draws),
        cause=cause,
        digest=digest(game, played.state),
    )
    reached = Position(
        n=entry.n, state=played.state, events=played.events, next_draw=chance.next
    )
    return entry, reached, played


def replay(
    game: Game[S, A], setup: Setup, entries: Sequence[Entry]
) -> Iterator[Position[S]]:
    """Every position from the set-up on, by the recorded draws. Raises ReplayError at the first divergence."""
    if (setup.game, setup.rules_version) != (game.key, game.rules_version):
        raise ReplayError(
            0,
            f"made for {setup.game} rules {setup.rules_version},"
            f" not {game.key} rules {game.rules_version}",
        )
    chance = RecordedChance(setup.draws)
    try:
        options = msgspec.convert(setup.options, game.options_type)
        step = game.setup(setup.seats, options, chance)
    except (Divergence, ValueError, msgspec.ValidationError) as error:
        raise ReplayError(0, str(error)) from error
    _check(0, game, step.state, setup.digest, chance, setup.draws)
    position = Position(n=0, state=step.state, events=step.events, next_draw=chance.next)
    yield position
    for entry in entries:
        if entry.n != position.n + 1:
            raise ReplayError(entry.n, f"follows entry {position.n}")
        chance = RecordedChance(entry.draws, position.next_draw)
        try:
            actions = msgspec.convert(entry.actions, tuple[game.action_type, ...])  # type: ignore[name-defined]
            played = submit(game, position.state, entry.seat, entry.decision, actions, chance)
        except (IllegalAction, Divergence, msgspec.ValidationError) as error:
            raise ReplayError(entry.n, str(error)) from error
        except Exception as error:
            raise ReplayError(entry.n, f"{type(error).__name__}: {error}") from error
        if played.unplayed:
            raise ReplayError(entry.n, "actions after a reveal")
        _check(entry.n, game, played.state, entry.digest, chance, entry.draws)
        position = Position(
            n=entry.n, state=played.state, events=played.events, next_draw=chance.next
        )
        yield position


def _check(
    n: int,
    game: Game[S, A],
    state: S,
    expected: str,
    chance: RecordedChance,
    recorded: Sequence[Draw],
) -> None:
    if len(chance.draws) != len(recorded):
        raise ReplayError(n, f"{len(recorded) - len(chance.draws)} recorded draws are not used")
    if digest(game, state) != expected:
        raise ReplayError(n, "the public state is another than recorded")
