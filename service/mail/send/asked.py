"""The decisions that a letter asks for, and their clocks."""

from __future__ import annotations

import datetime as dt

from sqlalchemy.orm import Session

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import DigestDetails
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Letter, Match
from service.core.statuses import HoldReason, LetterKind, MatchStatus
from service.mail.send import digests
from service.outgoing import outbox
from service.time import deadlines


def matches_of(letter: Letter) -> list[int]:
    """The matches that a letter, or a digest, is of."""
    if letter.kind == LetterKind.DIGEST:
        return digests.matches_of(letter)
    return [] if letter.match_id is None else [letter.match_id]


def _asks(letter: Letter) -> list[tuple[int, str]]:
    """The decisions that a letter, or a digest, asks for: match and name of each."""
    if letter.kind == LetterKind.DIGEST:
        boards = letter.details_as(DigestDetails).boards
        return [(board.match, board.decision) for board in boards]
    # An answer shows what is asked as well; after a restore it is the letter that asks.
    asks = letter.kind in (LetterKind.TURN, LetterKind.ANSWER)
    if asks and letter.match_id is not None and letter.decision is not None:
        return [(letter.match_id, letter.decision)]
    return []


def asked_for(session: Session, letter: Letter) -> list[DecisionRow]:
    """The rows of what a letter asks."""
    rows = (session.get(DecisionRow, asked) for asked in _asks(letter))
    return [row for row in rows if row is not None]


def asked_first(
    service: Service, work: Work, letter: Letter
) -> list[tuple[LockedMatch, DecisionRow]]:
    """The decisions that this letter is the first to ask its reader for, or whose clocks stand for
    it, with their matches.
    """
    found, session = [], work.session
    for match_id, decision in _asks(letter):
        row = session.get(DecisionRow, (match_id, decision), populate_existing=True)
        match = session.get(Match, match_id, populate_existing=True)
        if row is None or match is None or match.status != MatchStatus.PLAYING:
            continue
        if match.seats[row.seat].player_id != letter.player_id:
            continue
        asking = outbox.untaken(session, row, letter.player_id)
        if row.held == HoldReason.UNSENT or (asking is not None and asking.id == letter.id):
            found.append((locks.lock(service, work, match), row))
    return found


def spare(service: Service, work: Work, letter: Letter, since: dt.datetime) -> None:
    """Take the time since then off the clocks of what this letter asks. Its matches are locked."""
    for match, row in asked_first(service, work, letter):
        deadlines.spare(service, work, match, row, since)
