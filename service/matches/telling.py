"""Telling what became of a turn, for the letter that answers it."""

from __future__ import annotations

from sqlalchemy import select

from service.core import verdicts
from service.core.context import Service
from service.core.db import Work
from service.core.models import Letter, Match, Submission
from service.core.results import (
    GameOver,
    LineUnsaid,
    NotAfterAll,
    OrderFiled,
    Result,
    TurnGivenUp,
    TurnHeld,
    TurnPlayed,
    TurnStale,
    TurnWithdrawn,
    TurnWrong,
)
from service.matches import answering

OVERTAKEN = (verdicts.MatchOver, verdicts.SeatLeft, verdicts.NotYours)
"""Why a turn was refused that its player knows already, or gets another letter of."""


def told(submission: Submission) -> Result:
    """The outcome of a turn, as a result to tell. Raises ValueError for one that nobody has looked
    at.
    """
    match submission.verdict:
        case verdicts.Played(answer=True) as played:
            return OrderFiled(
                entry=submission.entry,
                orders=(*played.orders, submission.decision),
                actions=played.filed,
                answer=True,
            )
        case verdicts.Played() as played:
            return TurnPlayed(
                entry=submission.entry,
                turn=played.turn,
                unplayed=played.unplayed,
                orders=played.orders,
                filed=played.filed,
                said=submission.said or "",
            )
        case verdicts.Filed() as filed:
            return OrderFiled(
                entry=submission.entry,
                orders=filed.orders,
                actions=filed.actions,
                answer=filed.answer,
                replaced=filed.replaced,
                withdrawn=filed.withdrawn,
            )
        case verdicts.Held(replaced=replaced) if submission.held_until is not None:
            return TurnHeld(
                until=submission.held_until,
                text=submission.body,
                replaced=replaced,
                said=submission.said or "",
            )
        case verdicts.Withdrawn() | verdicts.Replaced() | verdicts.TakenBack():
            return TurnWithdrawn()
        case verdicts.Stale(entry=entry):
            return TurnStale(entry=entry)
        case verdicts.MatchOver():
            return GameOver()
        case verdicts.GivenUp():
            return TurnGivenUp()
        case None | verdicts.Held():
            raise ValueError(f"submission {submission.id} is still to be looked at")
        case verdict:
            return TurnWrong(text=submission.body[:500], verdict=verdict)


def tell_failed(service: Service, work: Work, match: Match, submission: Submission) -> None:
    """Tell a player whose turn had been held that it was not played in the end. Nobody sits before
    a page then, or waits for an answer, so there is one letter of it.
    """
    row = match.seats[submission.seat]
    if row.player is None or isinstance(submission.verdict, OVERTAKEN):
        return
    results: list[Result] = [NotAfterAll(), told(submission)]
    if submission.said:
        results.append(LineUnsaid(text=submission.said))
    answering.report(service, work, row, results, _name(submission))


def has_told(work: Work, submission: Submission) -> bool:
    """True if that letter is owed already."""
    dedupe = answering.dedupe_of(_name(submission))
    return work.session.scalar(select(Letter.id).where(Letter.dedupe == dedupe)) is not None


def _name(submission: Submission) -> str:
    return f"turn.{submission.id}"
