"""What became of a turn, for the letter that answers it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from service.context import Service
from service.db import Work
from service.models import Letter, Match, Submission
from service.usecases import answering
from service.words.word import result

OVERTAKEN = frozenset({"match_over", "seat_left", "not_yours"})
"""Why a turn was refused that its player knows already, or gets another letter of."""


def told(submission: Submission) -> dict[str, Any]:
    """What became of a turn, as a result to tell."""
    verdict = submission.verdict or {}
    if submission.status == "played":
        return result("played", entry=submission.entry, unplayed=verdict.get("unplayed", []))
    if submission.status == "received" and submission.held_until is not None:
        return result(
            "held",
            until=submission.held_until.isoformat(),
            text=submission.body,
            replaced=verdict.get("replaced", False),
        )
    if submission.status == "withdrawn":
        return result("withdrawn")
    if verdict.get("code") == "stale":
        return result("stale", entry=verdict.get("entry"))
    if verdict.get("code") == "match_over":
        return result("over")
    if submission.status == "shelved":
        return result("shelved")
    return result("mend", text=submission.body[:500], verdict=verdict)


def tell_failed(service: Service, work: Work, match: Match, submission: Submission) -> None:
    """Tell a player whose turn had been held that it was not played in the end. Nobody sits before
    a page then, or waits for an answer, so there is one letter of it.
    """
    row = match.seats[submission.seat]
    if row.player is None or (submission.verdict or {}).get("code") in OVERTAKEN:
        return
    results = [result("not_after_all"), told(submission)]
    answering.report(service, work, row, results, _name(submission))


def has_told(work: Work, submission: Submission) -> bool:
    """Whether that letter is owed already."""
    dedupe = answering.dedupe_of(_name(submission))
    return work.session.scalar(select(Letter.id).where(Letter.dedupe == dedupe)) is not None


def _name(submission: Submission) -> str:
    return f"turn.{submission.id}"
