"""Letters that were not taken: when they are tried again, and what follows if they are not."""

from __future__ import annotations

import datetime as dt

import structlog

from service.core import counters, locks, randomness, retriable
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import Unsent
from service.core.models import Letter
from service.core.statuses import LetterStatus
from service.mail.send import circuit_breaker
from service.mail.send.asked import asked_first, matches_of
from service.mail.send.claims import Claim, is_ours, locked_letter
from service.mail.send.smtp import (
    OF_THE_SERVER,
    SmtpFailure,
)
from service.outgoing import identity, news, outbox
from service.players import bounces
from service.time import deadlines

log = structlog.get_logger(__name__)

LONGEST_WAIT = dt.timedelta(hours=4)


AFTER_DATA_WAIT = dt.timedelta(minutes=15)
"""At least, before a text is sent again whose reply was not heard: a server that is slow to say 250
has most likely taken it."""


def failed(
    service: Service, claim: Claim, failure: SmtpFailure, reason: str, *, final: bool = False
) -> None:
    """Note that a claimed letter was not taken, and why; `final` if it will never be."""
    with service.database.write() as work:
        session = work.session
        seen = session.get(Letter, claim.letter)
        if seen is not None:
            if final and failure is SmtpFailure.RECIPIENT:
                # Before the letter, as everybody does: their clocks may have to stand.
                locks.lock_numbers(service, work, seen.player_id, seen.match_id)
            else:
                for match_id in matches_of(seen):
                    service.database.lock_match(session, match_id)
        letter = locked_letter(session, claim.letter)
        counters.count(session, "smtp_failures", failure)
        if letter is None or not is_ours(letter, claim):
            log.warning("letter_claimed_by_another", letter=claim.letter, claim=claim.number)
        else:
            if not claim.kept and failure not in (SmtpFailure.AFTER_DATA, SmtpFailure.OURS):
                letter.message = None  # it was surely not taken
                if claim.ahead:
                    identity.rename(letter)  # of us: a broker may give its job to two at once
            if failure is not SmtpFailure.OURS:
                letter.faults = 0
            _put_off(service, work, letter, failure, reason, final=final)
    if failure in OF_THE_SERVER:
        circuit_breaker.failed(service)
    elif claim.failures and failure is not SmtpFailure.OURS:
        circuit_breaker.answered(service, claim.failures)


def count_death(service: Service, letter_id: int) -> None:
    """Note that a sender has died over a letter before it was claimed: enough of them end the
    tries.
    """
    not_taken_up(service, letter_id, "every sender that tried has died", died=True)


def not_taken_up(service: Service, letter_id: int, reason: str, *, died: bool = False) -> None:
    """Note an error of ours before a letter was even claimed: it is tried again as one that failed;
    at once if its sender has died, as that may have had any cause.
    """
    with service.database.write() as work:
        seen = work.session.get(Letter, letter_id)
        for match_id in matches_of(seen) if seen is not None else ():
            service.database.lock_match(work.session, match_id)
        letter = locked_letter(work.session, letter_id)
        if letter is None or letter.due_at is None or letter.due_at > service.now():
            return
        if not retriable.failed(retriable.LETTERS, letter) and died:
            return
        letter.ready_at = outbox.ready_at(letter)
        letter.attempts += 1
        _put_off(service, work, letter, SmtpFailure.OURS, reason)


def _put_off(
    service: Service,
    work: Work,
    letter: Letter,
    failure: SmtpFailure,
    reason: str,
    *,
    final: bool = False,
) -> None:
    """Have a letter that was not taken wait for the next try, or make it a dead letter. The clocks
    of what it asks stand.
    """
    letter.failure, letter.error = failure, reason[:500]
    if final or letter.faults >= retriable.LETTERS.limit:
        retriable.give_up(retriable.LETTERS, letter)
        log.error("letter_given_up", letter=letter.id, failure=failure, reason=reason)
    else:
        wait = _wait(letter, failure)
        if letter.status == LetterStatus.SENDING:
            letter.status = LetterStatus.DUE
        letter.due_at = service.now() + wait
        # What is wrong with our login or sender mends nobody but the operator.
        ours = failure in (SmtpFailure.LOGIN, SmtpFailure.SENDER)
        (log.error if ours else log.warning)(
            "letter_waits",
            letter=letter.id,
            failure=failure,
            reason=reason,
            minutes=wait.total_seconds() // 60,
        )
    asked = asked_first(service, work, letter)
    for match, row in asked:
        deadlines.spare(service, work, match, row, outbox.ready_at(letter))
    if not final:
        return
    if failure is SmtpFailure.RECIPIENT:
        bounces.count(service, work, letter, [bounces.refused(reason)])
    if letter.player.stopped_at is not None:
        return  # their tables have been told
    for match, row in asked:
        asking = outbox.untaken(work.session, row, letter.player_id)
        if asking is not None and asking.id != letter.id:
            continue  # it is another letter that asks
        others = [each for each in news.in_play(match) if each.seat != row.seat]
        key = f"{row.seat}.{letter.id}.{letter.claim}"
        news.tell(service, work, match, Unsent(about=row.seat), key, to=others)


def _wait(letter: Letter, failure: SmtpFailure) -> dt.timedelta:
    """How long until the next try: twice as long each time, from a minute; a little more or less,
    so that what failed together does not come together.
    """
    wait = min(dt.timedelta(minutes=2 ** min(letter.attempts - 1, 10)), LONGEST_WAIT)
    if failure is SmtpFailure.AFTER_DATA:
        wait = max(wait, AFTER_DATA_WAIT)
    return wait * randomness.uniform(1.0, 1.1)
