"""Asking a bot for a submission, by the same road for a table and for a simulation."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from engine.chance import Chance, SeededChance
from engine.play import decision_of
from engine.protocol import Decision, Game, Seat

S = TypeVar("S")
A = TypeVar("A")


def chance_of(seed: bytes, seat: Seat, n: int) -> SeededChance:
    """The chance a seat's bot ponders entry number n with: its own, none of the match's draws.

    Its seed is SHA-256(seed || "paleopost bot" || seat || n), both numbers as 8 bytes big-endian.
    """
    place = seat.to_bytes(8, "big") + n.to_bytes(8, "big")
    return SeededChance(hashlib.sha256(seed + b"paleopost bot" + place).digest())


def ask(
    game: Game[S, A], name: str, state: S, decision: Decision[A], chance: Chance
) -> tuple[A, ...]:
    """The submission of the bot of this name for an open decision, whether it blocks or not.

    It sees a guess of the state, so it knows no more than a player in the decision's seat. Empty if
    it does not make a decision that does not block. Raises KeyError if the game has no such bot.
    """
    guess = game.guess(state, decision.seat, chance)
    asked = decision_of(game, guess, decision.seat, decision.id)
    return game.bots[name](guess, asked, chance)
