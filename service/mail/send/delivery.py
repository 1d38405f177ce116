"""Sending what is owed: taken up, rendered from the journal, handed to the MTA, marked.

At least once, and always the same bytes under the same Message-ID (RFC 5322 §3.6.4): a reader's
client shows a repeated letter once. The bytes are kept with the letter when it is taken up, before
the server hears of it, and dropped when it is known what the server did with them. So a letter that
was surely not taken is written anew at the next try, with the true date, and one that may have been
is sent as it was. Whoever sends a letter has a claim on it, with a number: what another has
claimed since is not touched.

What can wait waits for the end of the reader's quiet hours or for their digest; what nobody needs
or wants any more is not sent (`service.outgoing.policies`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import random
import time
import zlib
from collections.abc import Callable

import msgspec
import structlog
from sqlalchemy import ScalarResult, Select, bindparam, select, update
from sqlalchemy.orm import Session, joinedload, lazyload

from service.core import counters, locks, retriable
from service.core.context import Service
from service.core.db import MatchOf, Work
from service.core.letter_details import DigestDetails, Unsent
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Letter, Match, SeatRow
from service.core.statuses import HoldReason, LetterKind, LetterStatus, MatchStatus, SeatStatus
from service.mail.render import receiver_of, render
from service.mail.send import circuit_breaker, digests
from service.mail.send.smtp import (
    OF_THE_SERVER,
    TIMEOUTS,
    Refusal,
    SmtpFailure,
    Transport,
    failure_of,
)
from service.outgoing import access_tokens, calendars, copies, identity, news, outbox
from service.outgoing.outbox import is_asked, is_unwanted, seat_of
from service.outgoing.policies import policy_of
from service.players import bounces
from service.time import deadlines, lost_time, reminders
from service.time.daytime import awake, digest_hour, next_time

log = structlog.get_logger(__name__)

CLAIM_FOR = dt.timedelta(minutes=15)
"""A sender that has not come back by now has died, and the letter may be claimed again:
longer than the server's reply to a text may take (`smtp.Timeouts`)."""

PROMPT = CLAIM_FOR - dt.timedelta(seconds=TIMEOUTS.reply + 60)
"""Whoever comes to the end of the text later than this after claiming it prolongs the claim, for
that reply to fit into it."""

LONGEST_WAIT = dt.timedelta(hours=4)
AFTER_DATA_WAIT = dt.timedelta(minutes=15)
"""At least, before a text is sent again whose reply was not heard: a server that is slow to say 250
has most likely taken it."""

NOTICED = dt.timedelta(minutes=1)
"""A handing over that takes less is not taken off anybody's clock: letters tell minutes."""


# With who sits at its table, of whom everything below wants to know something.
_LETTER = (
    select(Letter)
    .where(Letter.id == bindparam("letter"))
    .options(
        joinedload(Letter.match).options(
            lazyload(Match.host), joinedload(Match.invitees).lazyload(SeatRow.player)
        )
    )
)
_LOCKED = _LETTER.with_for_update(of=Letter).execution_options(populate_existing=True)
# Those that are locked after the one match they are of (`MatchOf.LETTER`).
_OF_ONE_MATCH = _LOCKED.where(
    Letter.kind != LetterKind.DIGEST, Letter.status != LetterStatus.GATHERED
)
_CLAIMED = (
    Letter.id == bindparam("letter"),
    Letter.status == LetterStatus.SENDING,
    Letter.claim == bindparam("number"),
)
_PROLONGED = (
    update(Letter)
    .where(*_CLAIMED)
    .values(due_at=bindparam("until"))
    .execution_options(synchronize_session=False)
)
_SENT = (
    update(Letter)
    .where(*_CLAIMED)
    .values(
        status=LetterStatus.SENT,
        due_at=None,
        failure=None,
        error=None,
        faults=0,
        message=None,
        fingerprint=bindparam("digest"),
        sent_at=bindparam("now"),
    )
    .execution_options(synchronize_session=False)
)


class ClaimLost(Exception):
    """Somebody else has taken the letter up meanwhile."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One sender's claim on a letter, and what is to be sent. `kept`: its bytes may have been
    handed over before; `late`: its clocks may stand, so that they are to be looked at when it is
    taken; `failures` of the server in a row came before it.
    """

    letter: int
    kind: LetterKind
    number: int
    since: dt.datetime
    kept: bool
    late: bool
    failures: int
    sender: str
    to: str
    message: bytes


class DeliveryDecision(msgspec.Struct, frozen=True):
    """The decision on a letter that is due: its new status, and until when that holds."""

    status: LetterStatus
    until: dt.datetime | None = None


def deliver(service: Service, transport: Transport, letter_id: int) -> bool:
    """Send one letter if it is due, wanted, and nobody else is at it. True if it is now with the
    MTA.

    What the server does not take is due again later, for as long as it takes. A permanent refusal
    of its recipient or text, or `retriable.LETTERS.limit` errors of ours in a row, make it a dead
    letter.
    """
    try:
        claim = _take_up(service, letter_id)
    except Exception as error:
        _not_taken_up(service, letter_id, f"{type(error).__name__}: {error}")
        raise
    if claim is None:
        return False
    began = time.perf_counter()
    try:
        transport.send(claim.sender, claim.to, claim.message, _holding(service, claim))
    except ClaimLost:
        log.warning("letter_claimed_by_another", letter=letter_id, claim=claim.number)
        return False
    except Refusal as error:
        _failed(service, claim, error.failure, str(error), final=True)
        return False
    except OSError as error:
        _failed(service, claim, failure_of(error), str(error))
        return False
    except Exception as error:
        # It may have been handed over before, or not: what is kept is not dropped.
        _failed(service, claim, SmtpFailure.OURS, f"{type(error).__name__}: {error}")
        raise
    took = time.perf_counter() - began
    _sent(service, claim, took)
    return True


def _message(service: Service, session: Session, letter: Letter) -> bytes:
    if letter.message is not None:
        return zlib.decompress(letter.message)
    return render(service, session, letter)


def _holding(service: Service, claim: Claim) -> Callable[[], None]:
    """What is done just before the end of the text, as from then on the server may have it: a claim
    that the server's reply may outlast is prolonged. Raises ClaimLost.
    """

    def hold() -> None:
        now = service.now()
        if claim.since <= now <= claim.since + PROMPT:
            return  # nobody else can have taken it up
        with service.database.write() as work:
            until = now + CLAIM_FOR
            values = {"letter": claim.letter, "number": claim.number, "until": until}
            if work.session.execute(_PROLONGED, values).rowcount == 0:  # type: ignore[attr-defined]
                raise ClaimLost

    return hold


def _is_another(letter: Letter, message: bytes) -> bool:
    """True if a letter that was taken before, and is to be sent again, would not be the same."""
    known = letter.fingerprint
    return known is not None and hashlib.sha256(message).digest() != known


def _return_path(service: Service, letter: Letter) -> str:
    """The envelope sender: where a report goes, naming the letter by itself (VERP)."""
    if not service.settings.verp:
        return service.settings.mail_from
    return identity.bounce_address(service, letter)


def _take_up(service: Service, letter_id: int) -> Claim | None:
    """Claim a letter to send it now and keep its bytes, or settle what else becomes of it."""
    now = service.now()
    with service.database.write() as work:
        session = work.session
        letter = _locked(service, work, letter_id, now)
        if letter is None:
            return None
        for match_id in _matches_of(letter):
            match = locks.locked(service, work, session.get_one(Match, match_id))
            lost_time.give_back(service, work, match)
        if letter.due_at is None or letter.due_at > now:
            return None
        asked = _asked_for(session, letter)
        decided = decide_delivery(session, letter, now)
        failures = (
            circuit_breaker.failures_before(session, now)
            if decided.status == LetterStatus.SENDING
            else 0
        )
        if failures is None:
            return None  # the server is left alone: the letter waits as it is
        if (
            letter.kind == LetterKind.DIGEST
            and decided.status == LetterStatus.SENDING
            and letter.message is None
        ):
            decided = (
                decided
                if digests.settle(session, letter)
                else DeliveryDecision(LetterStatus.DROPPED)
            )
        ready = outbox.ready_at(letter)
        late = letter.failure is not None or letter.attempts > 0 or now - ready >= outbox.LATE
        # A copy of a letter that was refused has not been tried, and the clock stands all the same.
        late |= any(row.held == HoldReason.UNSENT for row in asked)
        letter.status, letter.due_at = decided.status, decided.until
        if decided.status != LetterStatus.SENDING:
            log.info("letter_not_sent", letter=letter_id, kind=letter.kind, decided=decided.status)
            if late:
                _spare(service, work, letter, ready)
            if decided.status != LetterStatus.DUE:
                lost_time.take_back(session, letter)
            if decided.status in (LetterStatus.GATHERED, LetterStatus.SUPPRESSED):
                # Its reader's wish: what was tried before is over.
                letter.ready_at, letter.failure, letter.attempts = None, None, 0
            return None
        given_up = letter.faults >= retriable.LETTERS.limit
        letter.attempts += 1
        letter.faults += 1  # until it is known that its sender has lived
        letter.claim += 1
        letter.ready_at = ready
        if given_up:
            retriable.give_up(retriable.LETTERS, letter)
            letter.failure, letter.error = SmtpFailure.OURS, "every sender that tried has died"
            log.error("letter_given_up", letter=letter_id, reason=letter.error)
            _spare(service, work, letter, ready)
            return None
        if late:
            # What it asks begins anew now, for it to tell the true date.
            _spare(service, work, letter, ready)
        if letter.message is None and letter.sent_at is None:
            letter.written_at = now
        identity.stamp(service, letter)
        with session.no_autoflush:  # what is looked up here has nothing to do with what changes
            # A match, or a letter that waited, may be older than the keys it is sent with.
            access_tokens.open_letter(service, session, letter)
            if letter.message is not None or letter.sent_at is not None:
                pass  # what it says is settled
            elif letter.kind == LetterKind.DIGEST:
                boards = letter.details_as(DigestDetails).boards
                calendars.note_digest(session, letter, boards)
                lost_time.tell(session, letter, boards)
            else:
                calendars.note(session, letter)
                lost_time.tell(session, letter)
            kept = letter.message is not None
            message = _message(service, session, letter)
        if _is_another(letter, message):
            # Other bytes go under another Message-ID: the letter stays as it was.
            letter.status, letter.due_at, letter.faults = LetterStatus.SENT, None, 0
            copies.copy(service, work, letter)
            return None
        # From the end of the text on the server may have them, and we may die at any time.
        letter.message = letter.message or zlib.compress(message)
        return Claim(
            letter=letter_id,
            kind=letter.kind,
            number=letter.claim,
            since=now,
            kept=kept,
            late=late,
            failures=failures,
            sender=_return_path(service, letter),
            to=receiver_of(letter),
            message=message,
        )


def _locked(service: Service, work: Work, letter_id: int, now: dt.datetime) -> Letter | None:
    """A letter that is due now, locked with the matches it is of; None if there is nothing to take
    up, or if it was gathered and its digest has been put together here.

    Its matches come before it: a move of a match locks both in this order, too.
    """
    session, database = work.session, service.database
    if database.is_shared:
        database.lock_match_of(session, MatchOf.LETTER, letter_id)
        letter = _letter(session, letter_id, _OF_ONE_MATCH).first()
        if letter is not None:
            # Else it was gathered until just now: whoever has ended that has enqueued it.
            held = all(database.holds(session, number) for number in _matches_of(letter))
            return letter if held else None
    seen = _letter(session, letter_id).first()
    if seen is None or seen.due_at is None or seen.due_at > now:
        return None
    if not database.is_shared and seen.status != LetterStatus.GATHERED:
        return seen
    if database.holds_any(session):
        return None  # it has been gathered while we waited for its match
    if seen.status == LetterStatus.GATHERED:
        digests.compose(service, work, seen.player)
        return None
    for match_id in _matches_of(seen):
        database.lock_match(session, match_id)
    return _letter(session, letter_id, _LOCKED).first()


def _letter(
    session: Session, letter_id: int, query: Select[Letter] = _LETTER
) -> ScalarResult[Letter]:
    return session.scalars(query, {"letter": letter_id}).unique()


def _matches_of(letter: Letter) -> list[int]:
    if letter.kind == LetterKind.DIGEST:
        return digests.matches_of(letter)
    return [] if letter.match_id is None else [letter.match_id]


def decide_delivery(session: Session, letter: Letter, now: dt.datetime) -> DeliveryDecision:
    """Decide what is to be done with a letter that is due now."""
    policy = policy_of(letter.kind)
    seat = seat_of(letter.match, letter.player)
    if is_unwanted(letter.kind, letter.player, seat):
        return DeliveryDecision(LetterStatus.SUPPRESSED)
    if _is_of_another(letter):
        return DeliveryDecision(LetterStatus.DROPPED)
    if policy.consent == "stranger" and not _is_open(session, letter):
        return DeliveryDecision(LetterStatus.SUPPRESSED)
    if policy.dated and not is_asked(session, letter):
        return DeliveryDecision(LetterStatus.DROPPED)
    if letter.kind in reminders.REMINDING:
        if not reminders.is_wanted(session, letter):
            return DeliveryDecision(LetterStatus.DROPPED)
        if letter.kind == LetterKind.REMINDER and reminders.is_too_late(session, letter, now):
            return DeliveryDecision(LetterStatus.DROPPED)
        if _comes_before_its_turn(session, letter):
            return DeliveryDecision(LetterStatus.DUE, now + outbox.LATE)
    if policy.gathers:
        hour = digest_hour(letter.player, seat)
        if hour is not None:
            at = awake(letter.player, next_time(letter.player.zone, hour, now))
            if not _presses(session, letter, at):
                return DeliveryDecision(LetterStatus.GATHERED, at)
    if policy.waits and (at := awake(letter.player, now)) > now:
        return DeliveryDecision(LetterStatus.DUE, at)
    return DeliveryDecision(LetterStatus.SENDING, now + CLAIM_FOR)


def _is_of_another(letter: Letter) -> bool:
    """True if it tells of the match from a seat that its reader has given up since."""
    if letter.match is None or letter.seat is None or letter.entry is None:
        return False
    return letter.match.seats[letter.seat].player_id != letter.player_id


def _comes_before_its_turn(session: Session, letter: Letter) -> bool:
    """True if the letter that this one reminds of has not been taken yet."""
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    return row is not None and outbox.untaken(session, row, letter.player_id) is not None


def _presses(session: Session, letter: Letter, at: dt.datetime) -> bool:
    """True if the deadline of what is asked comes before this moment."""
    if letter.match_id is None or letter.decision is None:
        return False
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    return row is not None and row.deadline is not None and row.deadline <= at


def _is_open(session: Session, letter: Letter) -> bool:
    """True if an invitation still asks something."""
    waiting = session.scalar(
        select(SeatRow.id)
        .join(Match)
        .where(
            SeatRow.match_id == letter.match_id,
            SeatRow.player_id == letter.player_id,
            SeatRow.status == SeatStatus.INVITED,
            (Match.status == MatchStatus.INVITING)
            | (SeatRow.successor_of.is_not(None) & (Match.status == MatchStatus.PLAYING)),
        )
    )
    return waiting is not None


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


def _asked_for(session: Session, letter: Letter) -> list[DecisionRow]:
    rows = (session.get(DecisionRow, asked) for asked in _asks(letter))
    return [row for row in rows if row is not None]


def _asked_first(
    service: Service, work: Work, letter: Letter
) -> list[tuple[LockedMatch, DecisionRow]]:
    """What a letter asks that no other has asked its reader yet, or whose clock stands for it."""
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


def _spare(service: Service, work: Work, letter: Letter, since: dt.datetime) -> None:
    """Take the time since then off the clocks of what this letter asks. Its matches are locked."""
    for match, row in _asked_first(service, work, letter):
        deadlines.spare(service, work, match, row, since)


def _is_ours(letter: Letter, claim: Claim) -> bool:
    return (letter.status, letter.claim) == (LetterStatus.SENDING, claim.number)


def _sent(service: Service, claim: Claim, took: float) -> None:
    """The server has taken it: mark it, and let the clocks run that stood."""
    digest = hashlib.sha256(claim.message).digest()
    with service.database.write() as work:
        session, now = work.session, service.now()
        asked, letter = [], None
        if claim.late or now - claim.since >= NOTICED:
            letter = session.get(Letter, claim.letter)
            for match_id in _matches_of(letter) if letter is not None else ():
                service.database.lock_match(session, match_id)
            asked = _asked_first(service, work, letter) if letter is not None else []
        values = {"letter": claim.letter, "number": claim.number, "now": now, "digest": digest}
        if session.execute(_SENT, values).rowcount == 0:  # type: ignore[attr-defined]
            log.warning("letter_claimed_by_another", letter=claim.letter, claim=claim.number)
            return
        counters.count(session, "letters", claim.kind, "sent")
        counters.time(session, "smtp", took)
        if letter is not None:
            session.refresh(letter)
        for match, row in asked:
            if row.held == HoldReason.UNSENT or now - claim.since >= NOTICED:
                deadlines.spare(service, work, match, row, claim.since)
    if claim.failures:
        circuit_breaker.answered(service, claim.failures)
    log.info("letter_sent", letter=claim.letter, kind=claim.kind, seconds=round(took, 3))


def _failed(
    service: Service, claim: Claim, failure: SmtpFailure, reason: str, *, final: bool = False
) -> None:
    with service.database.write() as work:
        session = work.session
        seen = session.get(Letter, claim.letter)
        if seen is not None:
            if final and failure is SmtpFailure.RECIPIENT:
                # Before the letter, as everybody does: their clocks may have to stand.
                locks.lock_numbers(service, work, seen.player_id, seen.match_id)
            else:
                for match_id in _matches_of(seen):
                    service.database.lock_match(session, match_id)
        letter = _letter(session, claim.letter, _LOCKED).first()
        counters.count(session, "smtp_failures", failure)
        if letter is None or not _is_ours(letter, claim):
            log.warning("letter_claimed_by_another", letter=claim.letter, claim=claim.number)
        else:
            if not claim.kept and failure not in (SmtpFailure.AFTER_DATA, SmtpFailure.OURS):
                letter.message = None  # it was surely not taken
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
    _not_taken_up(service, letter_id, "every sender that tried has died", died=True)


def _not_taken_up(service: Service, letter_id: int, reason: str, *, died: bool = False) -> None:
    """An error of ours before it was even claimed: it is tried again as one that failed; at once if
    its sender has died, as that may have had any cause.
    """
    with service.database.write() as work:
        seen = work.session.get(Letter, letter_id)
        for match_id in _matches_of(seen) if seen is not None else ():
            service.database.lock_match(work.session, match_id)
        letter = _letter(work.session, letter_id, _LOCKED).first()
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
    asked = _asked_first(service, work, letter)
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
        others = [each for each in news.people(match) if each.seat != row.seat]
        key = f"{row.seat}.{letter.id}.{letter.claim}"
        news.tell(service, work, match, Unsent(about=row.seat), key, to=others)


def _wait(letter: Letter, failure: SmtpFailure) -> dt.timedelta:
    """How long until the next try: twice as long each time, from a minute; a little more or less,
    so that what failed together does not come together.
    """
    wait = min(dt.timedelta(minutes=2 ** min(letter.attempts - 1, 10)), LONGEST_WAIT)
    if failure is SmtpFailure.AFTER_DATA:
        wait = max(wait, AFTER_DATA_WAIT)
    return wait * random.uniform(1.0, 1.1)  # noqa: S311 (nobody gains by knowing)
