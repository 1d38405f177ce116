"""The record of a match (docs/record.md): for verifying, for archives, for other programs."""

from __future__ import annotations

from sqlalchemy.orm import Session

from engine import record
from service.core.models import Match
from service.core.statuses import MatchStatus
from service.matches import journal
from service.matches.fairness import fairness_of
from service.matches.reading import names


def export(session: Session, match: Match) -> bytes:
    """The record as JSON; with the seed and the draws once the match is over, without before.

    Raises ValueError for a match that has not started.
    """
    over = match.status == MatchStatus.ENDED
    made = record.export(
        journal.game_of(match),
        journal.setup_of(match),
        [journal.entry_of(row) for row in journal.rows(session, match, 1)],
        match.seed if over else None,
        names(match),
        journal.leavings(match),
        fairness_of(match),
    )
    return record.encode(made)
