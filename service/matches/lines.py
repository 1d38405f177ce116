"""The line a player says with a turn: handed in with it, and told wherever that turn is told.

Nobody gets a letter for it. It is kept with the submission, so a turn that is refused or taken back
brings it back to its player; it is told once, with the turn that is played in the end.
"""

from __future__ import annotations

from typing import Any

from engine.protocol import Game, Seat
from service.core.errors import Refused
from service.matches.messages import clean

LONGEST = 280


def line(text: str) -> str:
    """The text as it is told: one line, nothing in it that hides or turns text. Raises
    Refused("long_line_said") (`most` characters, `length` of them).
    """
    text = " ".join(clean(text).split())
    if len(text) > LONGEST:
        raise Refused("long_line_said", most=LONGEST, length=len(text))
    return text


def may_be_said(game: Game[Any, Any], state: Any, seat: Seat, decision: str) -> bool:
    """True if a line can go with this decision: not with an order, nor with what several decide at
    the same time or in secret, as it would tell that this seat has decided.
    """
    blocking = [each for each in game.decisions(state) if each.blocks]
    mine = next((each for each in blocking if each.id == decision), None)
    others = any(each.seat != seat for each in blocking)
    return mine is not None and not mine.sealed and not others


def check(game: Game[Any, Any], state: Any, seat: Seat, decision: str) -> None:
    """See that a line can go with a decision that is open. Raises Refused("line_tells")."""
    is_open = any(each.id == decision for each in game.decisions(state))
    if is_open and not may_be_said(game, state, seat, decision):
        raise Refused("line_tells")
