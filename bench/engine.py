"""The engine against python-chess (a mature move generator) and against bare msgspec."""

from __future__ import annotations

import random
from typing import Any

import chess
import msgspec

from bench.table import Row, median_seconds
from engine.chance import NoChance, SeededChance
from engine.games import games
from engine.play import complete
from engine.protocol import Decision, Game

SEED = bytes(range(32))
MATCHES = 12
MOST = 60
"""Decisions of a match: default turns alone need not bring every game to its end."""


def rows() -> list[Row]:
    """The rows of every game's engine."""
    found = []
    for game in games().values():
        positions = _positions(game)
        found += [_move(game, positions), _stored(game, positions)]
    return found


def _positions(game: Game[Any, Any]) -> list[tuple[Any, int, tuple[Any, ...]]]:
    """Positions at the start of a turn from whole matches, with the seat and the turn played."""
    found = []
    for number in range(MATCHES):
        chance = SeededChance(SEED[:-1] + bytes([number]))
        state = game.setup(2 + number % 3, game.options_type(), chance).state
        for _ in range(MOST):
            asked = _asked(game, state)
            if asked is None:
                break
            seat = asked.seat
            turn = complete(game, state, seat, asked.id, chance)
            found.append((state, seat, turn))
            for action in turn:
                state = game.apply(state, seat, action, chance).state
    return found


def _asked(game: Game[Any, Any], state: Any) -> Decision[Any] | None:
    """The decision that the match waits for, None at its end."""
    return next((decision for decision in game.decisions(state) if decision.blocks), None)


def _move(game: Game[Any, Any], positions: list[tuple[Any, int, tuple[Any, ...]]]) -> Row:
    """Legal list, one action, and the view after it; python-chess: legal list and a random push."""

    def ours() -> None:
        for state, seat, turn in positions:
            decision = _asked(game, state)
            assert decision is not None
            for _ in decision.choices:
                pass
            after = game.apply(state, seat, turn[0], NoChance()).state
            game.view(after, None)

    def theirs() -> int:
        moves, pick = 0, random.Random(1)
        for _ in range(10):
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 120:
                board.push(pick.choice(list(board.legal_moves)))
                moves += 1
        return moves

    count = theirs()
    # In turn, so that a machine that slows down slows both.
    pairs = [
        (median_seconds(ours, 1) / len(positions), median_seconds(theirs, 1) / count)
        for _ in range(7)
    ]
    mine, anchor = (sorted(p[i] for p in pairs)[3] * 1e6 for i in (0, 1))
    return Row(
        what=f"{game.key}: legal list + apply + view",
        ours=mine,
        anchor=anchor,
        unit="us",
        against="python-chess random move with its legal list",
        most=1.5,
        stretch=0.8,
    )


def _stored(game: Game[Any, Any], positions: list[tuple[Any, int, tuple[Any, ...]]]) -> Row:
    """Decode a stored state, apply one action, encode; the anchor only decodes and encodes."""
    stored = [(msgspec.json.encode(state), seat, turn[0]) for state, seat, turn in positions]
    decoder = msgspec.json.Decoder(game.state_type)

    def ours() -> None:
        for raw, seat, action in stored:
            msgspec.json.encode(game.apply(decoder.decode(raw), seat, action, NoChance()).state)

    def theirs() -> None:
        for raw, _, _ in stored:
            msgspec.json.encode(decoder.decode(raw))

    pairs = [(median_seconds(ours, 1), median_seconds(theirs, 1)) for _ in range(9)]
    mine, anchor = (sorted(p[i] for p in pairs)[4] / len(stored) * 1e6 for i in (0, 1))
    return Row(
        what=f"{game.key}: decode + apply + encode of a stored state",
        ours=mine,
        anchor=anchor,
        unit="us",
        against="msgspec decode + encode of the same bytes",
        most=4,
        stretch=2,
    )
