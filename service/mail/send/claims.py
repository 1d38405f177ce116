"""Claims on letters: one sender's numbered right to one, with its bytes.

The bytes are kept with the letter when it is taken up, before the server hears of it. So a letter
that was surely not taken is written anew at the next try, with the true date, and one that may have
been is sent as it was. What another has claimed since is not touched.

Who plays a turn claims the next player's letter ahead, in the same transaction, and names the claim
in the job: whoever is given that job first, and soon, sends what is kept.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable

import msgspec
import structlog
from sqlalchemy import ScalarResult, Select, bindparam, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, joinedload, lazyload
from zlib_ng import zlib_ng

from service.core import locks, retriable
from service.core.context import Service
from service.core.db import MatchOf, Work
from service.core.letter_details import DigestDetails
from service.core.models import Letter, Match, SeatRow
from service.core.statuses import HoldReason, LetterKind, LetterStatus
from service.mail.render import receiver_of, render
from service.mail.send import circuit_breaker, digests
from service.mail.send.asked import asked_for, matches_of, spare
from service.mail.send.delivery_decision import CLAIM_FOR, DeliveryDecision, decide_delivery
from service.mail.send.smtp import (
    TIMEOUTS,
    SmtpFailure,
)
from service.outgoing import access_tokens, calendars, copies, identity, outbox
from service.time import lost_time

log = structlog.get_logger(__name__)

PROMPT = CLAIM_FOR - dt.timedelta(seconds=TIMEOUTS.reply + 60)
"""Whoever comes to the end of the text later than this after claiming it prolongs the claim, for
that reply to fit into it."""

SOON = dt.timedelta(seconds=TIMEOUTS.prompt)
"""A claim made ahead is only begun on within this time, and prolonged if the server is slower."""

AHEAD_FOR = dt.timedelta(seconds=90)
"""How long it lasts: more than SOON twice and the minute that clocks of machines may be apart. So
long a letter waits whose job was lost."""


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


CLAIMED = (
    Letter.id == bindparam("letter"),
    Letter.status == LetterStatus.SENDING,
    Letter.claim == bindparam("number"),
)


_CLAIMED_AHEAD = select(Letter).where(*CLAIMED).options(lazyload(Letter.match))


_PROLONGED = (
    update(Letter)
    .where(*CLAIMED)
    .values(due_at=bindparam("until"))
    .execution_options(synchronize_session=False)
)


class ClaimLost(Exception):
    """Somebody else has taken the letter up meanwhile."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One sender's claim on a letter, and what is to be sent. Whoever comes to the end of the text
    after `prompt` prolongs it. `ahead`: another may have been given it, too; `kept`: its bytes may
    have been handed over before; `late`: its clocks may stand, so that they are to be looked at
    when it is taken; `failures` of the server in a row came before it.
    """

    letter: int
    kind: LetterKind
    number: int
    since: dt.datetime
    prompt: dt.datetime
    sender: str
    to: str
    message: bytes
    ahead: bool = False
    kept: bool = False
    late: bool = False
    failures: int = 0


def take_up(service: Service, letter_id: int) -> Claim | None:
    """Claim a letter to send it now and keep its bytes, or settle what else becomes of it."""
    now = service.now()
    with service.database.write() as work:
        session = work.session
        letter = _locked(service, work, letter_id, now)
        if letter is None:
            return None
        for match_id in matches_of(letter):
            match = locks.locked(service, work, session.get_one(Match, match_id))
            lost_time.give_back(service, work, match)
        if letter.due_at is None or letter.due_at > now:
            return None
        asked = asked_for(session, letter)
        decided = decide_delivery(session, letter, now)
        sending = decided.status == LetterStatus.SENDING
        failures = circuit_breaker.failures_before(session, now) if sending else 0
        if failures is None:
            return None  # the server is left alone: the letter waits as it is
        unsettled = letter.kind == LetterKind.DIGEST and letter.message is None
        if sending and unsettled and not digests.settle(session, letter):
            decided = DeliveryDecision(LetterStatus.DROPPED)
        ready = outbox.ready_at(letter)
        late = letter.failure is not None or letter.attempts > 0 or now - ready >= outbox.LATE
        # A copy of a letter that was refused has not been tried, and the clock stands all the same.
        late |= any(row.held == HoldReason.UNSENT for row in asked)
        letter.status, letter.due_at = decided.status, decided.until
        if decided.status != LetterStatus.SENDING:
            _put_aside(service, work, letter, late=late, ready=ready)
            return None
        kept = letter.message is not None
        message = _begin(service, work, letter, now, late=late, ready=ready)
        if message is None:
            return None
        return Claim(
            letter=letter_id,
            kind=letter.kind,
            number=letter.claim,
            since=now,
            prompt=now + PROMPT,
            kept=kept,
            late=late,
            failures=failures,
            sender=_return_path(service, letter),
            to=receiver_of(letter),
            message=message,
        )


def _put_aside(
    service: Service, work: Work, letter: Letter, *, late: bool, ready: dt.datetime
) -> None:
    """Leave a letter that is not to be sent now, or ever."""
    log.info("letter_not_sent", letter=letter.id, kind=letter.kind, decided=letter.status)
    if late:
        spare(service, work, letter, ready)
    if letter.status != LetterStatus.DUE:
        lost_time.take_back(work.session, letter)
    if letter.status in (LetterStatus.GATHERED, LetterStatus.SUPPRESSED):
        # Its reader's wish: what was tried before is over.
        letter.ready_at, letter.failure, letter.attempts = None, None, 0


def _begin(
    service: Service,
    work: Work,
    letter: Letter,
    now: dt.datetime,
    *,
    late: bool,
    ready: dt.datetime,
) -> bytes | None:
    """Count one more try at a letter, and keep its bytes: what is to be sent. None if its senders
    have died too often, or if it has become another letter.
    """
    given_up = letter.faults >= retriable.LETTERS.limit
    letter.attempts += 1
    letter.faults += 1  # until it is known that its sender has lived
    letter.claim += 1
    letter.ready_at = ready
    if given_up:
        retriable.give_up(retriable.LETTERS, letter)
        letter.failure, letter.error = SmtpFailure.OURS, "every sender that tried has died"
        log.error("letter_given_up", letter=letter.id, reason=letter.error)
    if given_up or late:
        # What it asks begins anew now, for it to tell the true date.
        spare(service, work, letter, ready)
    if given_up:
        return None
    if letter.message is None and letter.sent_at is None:
        letter.written_at = now
    message = _message(service, work.session, letter)
    if _is_another(letter, message):
        # Other bytes go under another Message-ID: the letter stays as it was.
        letter.status, letter.due_at, letter.faults = LetterStatus.SENT, None, 0
        copies.copy(service, work, letter)
        return None
    # From the end of the text on the server may have them, and we may die at any time.
    letter.message = letter.message or _packed(message)
    return message


def claim_ahead(service: Service, work: Work) -> None:
    """Claim and write the first letter that this unit of work owes, for whoever gets its job.

    One that is to wait, or that cannot be written, is left as it is: the mailer sees to it.
    """
    at = next((n for n, (task, _) in enumerate(work.jobs) if task == "mail.deliver"), None)
    if at is None:
        return
    letter_id = work.jobs[at][1][0]
    work.session.flush()  # what fails here is the turn's own fault, and no letter's
    try:
        with work.session.begin_nested():
            number = _claim_ahead(service, work, letter_id)
    except OperationalError:
        raise  # of the database, not of this letter
    except Exception:
        log.exception("letter_not_written_ahead", letter=letter_id)
        return
    if number is not None:
        work.jobs[at] = ("mail.deliver", (letter_id, number))


def _claim_ahead(service: Service, work: Work, letter_id: int) -> int | None:
    session, now = work.session, service.now()
    # Who reads it, and what of, has been read already.
    letter = session.get_one(Letter, letter_id, options=[lazyload(Letter.player)])
    if letter.claim or letter.match is None or not service.database.holds(session, letter.match.id):
        return None
    lost_time.give_back(service, work, locks.locked(service, work, letter.match))
    decided = decide_delivery(session, letter, now)
    if decided.status != LetterStatus.SENDING or not circuit_breaker.is_quiet(session):
        return None
    letter.status, letter.claim = LetterStatus.SENDING, 1
    letter.ready_at = letter.written_at = now
    letter.due_at = now + AHEAD_FOR
    letter.message = _packed(_message(service, session, letter))
    return letter.claim


def claimed_ahead(service: Service, letter_id: int, number: int) -> Claim | None:
    """The claim that was made ahead, for who is the first to be given its job; None if it holds no
    more. It is given back if it is old by now, and the letter is written anew.
    """
    values, now = {"letter": letter_id, "number": number}, service.now()
    with service.database.read() as session:
        letter = session.scalars(_CLAIMED_AHEAD, values).first()
    if letter is None or letter.message is None or letter.written_at is None:
        return None
    if abs(now - letter.written_at) > SOON:
        with service.database.write() as work:
            _give_back(work, values)
        return None
    return Claim(
        letter=letter_id,
        kind=letter.kind,
        number=number,
        since=letter.written_at,
        prompt=letter.written_at + SOON,
        ahead=True,
        sender=_return_path(service, letter),
        to=receiver_of(letter),
        message=zlib_ng.decompress(letter.message),
    )


def _give_back(work: Work, values: dict[str, int]) -> None:
    """Have a letter that was claimed ahead written anew. Most likely nobody has begun on it; but a
    broker that was set back gives a job twice and does not know it, so that the text before may
    have left, and its Message-ID is not used again.
    """
    letter = work.session.scalars(_CLAIMED_AHEAD.with_for_update(of=Letter), values).first()
    if letter is not None:
        letter.status, letter.due_at, letter.message = LetterStatus.DUE, letter.ready_at, None
        identity.rename(letter)


def _locked(service: Service, work: Work, letter_id: int, now: dt.datetime) -> Letter | None:
    """A letter that is due now, locked with the matches it is of; None if there is nothing to take
    up, or if it was gathered and its digest has been put together here.

    Its matches come before it: a move of a match locks both in this order, too.
    """
    session, database = work.session, service.database
    if database.is_shared:
        database.lock_match_of(session, MatchOf.LETTER, letter_id)
        letter = _found(session, letter_id, _OF_ONE_MATCH).first()
        if letter is not None:
            # Else it was gathered until just now: whoever has ended that has enqueued it.
            held = all(database.holds(session, number) for number in matches_of(letter))
            return letter if held else None
    seen = _found(session, letter_id).first()
    if seen is None or seen.due_at is None or seen.due_at > now:
        return None
    if not database.is_shared and seen.status != LetterStatus.GATHERED:
        return seen
    if database.holds_any(session):
        return None  # it has been gathered while we waited for its match
    if seen.status == LetterStatus.GATHERED:
        digests.compose(service, work, seen.player)
        return None
    for match_id in matches_of(seen):
        database.lock_match(session, match_id)
    return locked_letter(session, letter_id)


def locked_letter(session: Session, letter_id: int) -> Letter | None:
    """The letter, locked. Its matches have to be before it."""
    return _found(session, letter_id, _LOCKED).first()


def _found(
    session: Session, letter_id: int, query: Select[Letter] = _LETTER
) -> ScalarResult[Letter]:
    return session.scalars(query, {"letter": letter_id}).unique()


def _message(service: Service, session: Session, letter: Letter) -> bytes:
    """The bytes of a letter that is taken up, with the links that they hold opened."""
    identity.stamp(service, letter)
    with session.no_autoflush:  # what is looked up here has nothing to do with what changes
        # A match, or a letter that waited, may be older than the keys it is sent with.
        access_tokens.open_letter(service, session, letter)
        if letter.message is not None:
            return zlib_ng.decompress(letter.message)
        if letter.sent_at is not None:
            pass  # what it says is settled
        elif letter.kind == LetterKind.DIGEST:
            boards = letter.details_as(DigestDetails).boards
            calendars.note_digest(session, letter, boards)
            lost_time.tell(session, letter, boards)
        else:
            calendars.note(session, letter)
            lost_time.tell(session, letter)
        return render(service, session, letter)


def _packed(message: bytes) -> bytes:
    """A letter's bytes for the database. Most of them are pictures, packed already and written in
    64 letters: there is nothing to be found twice in them, only these letters to be written shorter
    (Z_HUFFMAN_ONLY), which takes a third of the time.
    """
    packer = zlib_ng.compressobj(1, strategy=zlib_ng.Z_HUFFMAN_ONLY)
    return packer.compress(message) + packer.flush()


def holding(service: Service, claim: Claim) -> Callable[[], None]:
    """The call for just before the end of the text, as from then on the server may have it, and for
    when its reply is not prompt: it prolongs a claim that the reply may outlast. Raises ClaimLost.
    """

    def hold() -> None:
        now = service.now()
        if claim.since <= now <= claim.prompt:
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


def is_ours(letter: Letter, claim: Claim) -> bool:
    """True if nobody else has claimed the letter since."""
    return (letter.status, letter.claim) == (LetterStatus.SENDING, claim.number)
