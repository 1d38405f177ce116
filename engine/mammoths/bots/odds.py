"""Exact chances of standard fights, to judge positions by (M§21)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.mammoths.components import WARRIORS


class Odds(NamedTuple):
    """The chance to win, and the pawns left on average, lost fights counted as none."""

    win: float
    left: float


def _round(lead: int) -> tuple[float, float]:
    """The chances that a side with such a lead wins and loses a round with a loser."""
    win = sum(1 for a in range(6) for b in range(6) if a + lead > b)
    tie = sum(1 for a in range(6) for b in range(6) if a + lead == b)
    return win / (36 - tie) if tie < 36 else 0.0, (36 - tie - win) / (36 - tie)


_ROUNDS = {lead: _round(lead) for lead in range(-40, 41)}


@lru_cache(maxsize=1 << 16)
def against_herd(w: int, f: int, extra: int, animals: int, hungry: int = 0) -> Odds:
    """All pawns against a herd; warriors die first, the last but one, then women (M§10.16)."""
    if not animals:
        return Odds(1.0, w + f)
    if not w + f:
        return Odds(0.0, 0.0)
    won, lost = _ROUNDS[max(-40, min(40, w + extra - animals - hungry))]
    after_win = against_herd(w, f, extra, animals - 1, hungry)
    if w > 1 or not f:
        after_loss = against_herd(w - 1, f, extra, animals, hungry)
    else:
        after_loss = against_herd(w, f - 1, extra, animals, hungry)
    return Odds(
        won * after_win.win + lost * after_loss.win, won * after_win.left + lost * after_loss.left
    )


@lru_cache(maxsize=1 << 14)
def against_tribe(mine: int, theirs: int, lead: int) -> Odds:
    """Warriors against warriors; `lead` is the difference of all other bonuses."""
    if not theirs:
        return Odds(1.0, mine)
    if not mine:
        return Odds(0.0, 0.0)
    mine, theirs = min(mine, WARRIORS + 1), min(theirs, 3 * WARRIORS)
    won, lost = _ROUNDS[max(-40, min(40, mine - theirs + lead))]
    after_win = against_tribe(mine, theirs - 1, lead)
    after_loss = against_tribe(mine - 1, theirs, lead)
    return Odds(
        won * after_win.win + lost * after_loss.win, won * after_win.left + lost * after_loss.left
    )
