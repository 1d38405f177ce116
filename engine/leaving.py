"""Players who leave a match before its end, and how a match ends that too few are left to play.

Leaving is no move: the position stays as it is. Somebody else (a bot, or another player) makes the
decisions of the seat from then on, or the match is over at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.protocol import Game, Outcome, Seat

Why = Literal["resigned", "dropped", "removed"]
"""Of their own will; because their time was up; by the host."""


class Leaving(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's leaving: which seat, why, and after which entry of the journal."""

    seat: Seat
    why: Why
    after: int


def outcome(
    game: Game[Any, Any], state: Any, leavings: Sequence[Leaving], *, over: bool
) -> Outcome | None:
    """The end of the match; None while it goes on. Who left cannot win, nor who is eliminated; and
    where all have lost by the rules, nobody wins because others left.

    A match may be `over` before the rules end it: then each seat scores what it would have now, the
    best of those who stayed in play win, and the termination is why the last one left. If the host
    took that one off, nobody wins: the points stand, and no host wins by removing who was ahead.
    Raises ValueError if nobody stayed.
    """
    ended = game.outcome(state)
    by_host = False
    if ended is None:
        if not over or not leavings:
            return None
        ended = Outcome(winners=(), scores=game.scores(state), termination=leavings[-1].why)
        by_host = leavings[-1].why == "removed"
    elif not leavings or not ended.winners:
        return ended
    left = {leaving.seat for leaving in leavings}
    if left.issuperset(range(len(ended.scores))):
        raise ValueError("nobody stayed")
    stayed = [seat for seat in game.in_play(state) if seat not in left]
    # A game may have more to say about its winners than their scores.
    winners = tuple(seat for seat in ended.winners if seat in stayed)
    if not winners and stayed and not by_host:
        best = max(ended.scores[seat] for seat in stayed)
        winners = tuple(seat for seat in stayed if ended.scores[seat] == best)
    return Outcome(winners=winners, scores=ended.scores, termination=ended.termination)
