"""Sending what is owed: taken up, rendered from the journal, handed to the MTA, marked.

At least once, and always the same bytes under the same Message-ID (RFC 5322 §3.6.4): a reader's
client shows a repeated letter once. What can wait waits for the end of the reader's quiet hours or
for their digest; what nobody needs or wants any more is not sent (`service.letters.manners`).
"""

from __future__ import annotations

import datetime as dt
import time

import msgspec
import structlog
from sqlalchemy import ScalarResult, Select, bindparam, select, update
from sqlalchemy.orm import Session, joinedload, lazyload

from service import tallies
from service.addresses import Addresses
from service.context import Service
from service.daytime import awake, digest_hour, next_time
from service.letters import receiver_of, render, unsubscribing
from service.letters.manners import manner_of
from service.models import DecisionRow, Letter, Match, SeatRow
from service.smtp import FailureKind, Refusal, Transport, kind_of
from service.usecases import bounces, calendars, digests, doors, locks, reminders
from service.usecases.outbox import is_asked, is_unwanted, seat_of

log = structlog.get_logger(__name__)

ATTEMPTS = 8
# A sender that has not come back by now has died, and the letter may be claimed again.
CLAIM_FOR = dt.timedelta(minutes=5)


# With who sits at its table, of whom everything below wants to know something.
_LETTER = (
    select(Letter)
    .where(Letter.id == bindparam("letter"))
    .options(
        joinedload(Letter.match).options(
            lazyload(Match.host), joinedload(Match.guests).lazyload(SeatRow.player)
        )
    )
)
_LOCKED = _LETTER.with_for_update(of=Letter).execution_options(populate_existing=True)
_SENT = (
    update(Letter)
    .where(Letter.id == bindparam("letter"))
    .values(status="sent", due_at=None, error=None, sent_at=bindparam("now"))
    .execution_options(synchronize_session=False)
)


class Fate(msgspec.Struct, frozen=True):
    """What is done with a letter that is due: its new status, and until when that holds."""

    status: str
    until: dt.datetime | None = None


def deliver(service: Service, transport: Transport, letter_id: int) -> bool:
    """Send one letter if it is due, wanted, and nobody else is at it. True if it is now with the
    MTA.

    A temporary failure makes it due again later (the wait doubles from a minute); a permanent
    refusal, or ATTEMPTS failures, shelve it for the operator.
    """
    try:
        if not _take_up(service, letter_id):
            return False
    except Exception as error:
        _not_taken_up(service, letter_id, f"{type(error).__name__}: {error}")
        raise
    try:
        with service.database.read() as session:
            letter = _letter(session, letter_id).one()
            if letter.attempts > ATTEMPTS:
                raise Refusal("every sender that tried has died over it")
            message = render(service, session, letter)
            sender, to = _return_path(service, letter_id), receiver_of(letter)
        began = time.perf_counter()
        transport.send(sender, to, message)
        took = time.perf_counter() - began
    except Refusal as error:
        kind = kind_of(error)
        _failed(service, letter_id, str(error), kind, final=True, recipient=error.recipient)
        return False
    except OSError as error:
        _failed(service, letter_id, str(error), kind_of(error), final=False)
        return False
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        _failed(service, letter_id, reason, FailureKind.OURS, final=False)
        raise
    _sent(service, letter_id, letter.kind, took)
    return True


def _return_path(service: Service, letter_id: int) -> str:
    """The envelope sender: where a report goes, naming the letter by itself (VERP)."""
    if not service.settings.verp:
        return service.settings.mail_from
    return Addresses(service.settings).bounce(letter_id)


def _take_up(service: Service, letter_id: int) -> bool:
    """Claim a letter to send it now, or settle what else becomes of it."""
    now = service.now()
    with service.database.write() as work:
        session = work.session
        seen = _letter(session, letter_id).first()
        if seen is None or seen.due_at is None or seen.due_at > now:
            return False
        if seen.status == "gathered":
            digests.compose(service, work, seen.player)
            return False
        # Before the letter: a move of the match locks both in this order, too.
        for match_id in _matches_of(seen):
            service.database.lock_match(session, match_id)
        letter = (
            _letter(session, letter_id, _LOCKED).first() if service.database.is_shared else seen
        )
        if letter is None or letter.due_at is None or letter.due_at > now:
            return False
        fate = fate_of(session, letter, now)
        if letter.kind == "digest" and fate.status == "sending":
            fate = fate if digests.settle(session, letter) else Fate("dropped")
        letter.status, letter.due_at = fate.status, fate.until
        if fate.status != "sending":
            log.info("letter_not_sent", letter=letter_id, kind=letter.kind, fate=fate.status)
            return False
        letter.attempts += 1
        with session.no_autoflush:  # what is looked up here has nothing to do with what changes
            # A match, or a letter that waited, may be older than the keys it is sent with.
            doors.open_replies(service, session, letter)
            unsubscribing.issue(service, session, letter.kind, letter.player_id, letter.match_id)
            if letter.kind == "digest":
                calendars.note_digest(session, letter, letter.details["boards"])
            else:
                calendars.note(session, letter)
        return True


def _letter(
    session: Session, letter_id: int, query: Select[Letter] = _LETTER
) -> ScalarResult[Letter]:
    return session.scalars(query, {"letter": letter_id}).unique()


def _matches_of(letter: Letter) -> list[int]:
    if letter.kind == "digest":
        return digests.matches_of(letter)
    return [] if letter.match_id is None else [letter.match_id]


def fate_of(session: Session, letter: Letter, now: dt.datetime) -> Fate:
    """What is to be done with a letter that is due now."""
    manner = manner_of(letter.kind)
    seat = seat_of(letter.match, letter.player)
    if is_unwanted(letter.kind, letter.player, seat):
        return Fate("suppressed")
    if _is_of_another(letter):
        return Fate("dropped")
    if manner.consent == "stranger" and not _is_open(session, letter):
        return Fate("suppressed")
    if manner.dated and not is_asked(session, letter):
        return Fate("dropped")
    if letter.kind in reminders.REMINDING and not reminders.is_wanted(session, letter):
        return Fate("dropped")
    if manner.gathers:
        hour = digest_hour(letter.player, seat)
        if hour is not None:
            at = awake(letter.player, next_time(letter.player.zone, hour, now))
            if not _presses(session, letter, at):
                return Fate("gathered", at)
    if manner.waits and (at := awake(letter.player, now)) > now:
        return Fate("due", at)
    return Fate("sending", now + CLAIM_FOR)


def _is_of_another(letter: Letter) -> bool:
    """Whether it tells of the match from a seat that its reader has given up since."""
    if letter.match is None or letter.seat is None or letter.entry is None:
        return False
    return letter.match.seats[letter.seat].player_id != letter.player_id


def _presses(session: Session, letter: Letter, at: dt.datetime) -> bool:
    """Whether the deadline of what is asked comes before this moment."""
    if letter.match_id is None or letter.decision is None:
        return False
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    return row is not None and row.deadline is not None and row.deadline <= at


def _is_open(session: Session, letter: Letter) -> bool:
    """Whether an invitation still asks something."""
    waiting = session.scalar(
        select(SeatRow.id)
        .join(Match)
        .where(
            SeatRow.match_id == letter.match_id,
            SeatRow.player_id == letter.player_id,
            SeatRow.status == "invited",
            (Match.status == "inviting")
            | (SeatRow.successor_of.is_not(None) & (Match.status == "playing")),
        )
    )
    return waiting is not None


def _sent(service: Service, letter_id: int, kind: str, took: float) -> None:
    with service.database.write() as work:
        work.session.execute(_SENT, {"letter": letter_id, "now": service.now()})
        tallies.count(work.session, "letters", kind, "sent")
        tallies.time(work.session, "smtp", took)
    log.info("letter_sent", letter=letter_id, kind=kind, seconds=round(took, 3))


def _failed(
    service: Service,
    letter_id: int,
    reason: str,
    kind: FailureKind,
    *,
    final: bool,
    recipient: bool = False,
) -> None:
    with service.database.write() as work:
        tallies.count(work.session, "smtp_failures", kind)
        letter = work.session.get_one(Letter, letter_id)
        if recipient:
            # Before the letter, as everybody does: their clocks may have to stand.
            locks.lock_all(service, work, letter.player)
        letter.error = reason[:500]
        if final or letter.attempts >= ATTEMPTS:
            letter.status, letter.due_at = "shelved", None
            log.error("letter_shelved", letter=letter_id, reason=reason)
            if recipient:
                bounces.count(service, work, letter, [bounces.refused(reason)])
            return
        wait = _wait(letter)
        letter.status, letter.due_at = "due", service.now() + wait
        log.warning("letter_waits", letter=letter_id, reason=reason, minutes=wait.seconds // 60)


def _not_taken_up(service: Service, letter_id: int, reason: str) -> None:
    """An error of ours before it was even claimed: it is tried again as one that failed."""
    with service.database.write() as work:
        letter = work.session.get(Letter, letter_id, with_for_update={"of": Letter})
        now = service.now()
        if letter is None or letter.due_at is None or letter.due_at > now:
            return
        letter.attempts += 1
        letter.error = reason[:500]
        if letter.attempts >= ATTEMPTS:
            letter.status, letter.due_at = "shelved", None
            log.error("letter_shelved", letter=letter_id, reason=reason)
            return
        wait = _wait(letter)
        letter.due_at = now + wait
        log.warning("letter_waits", letter=letter_id, reason=reason, minutes=wait.seconds // 60)


def _wait(letter: Letter) -> dt.timedelta:
    """How long until the next attempt: the wait doubles from a minute."""
    return dt.timedelta(minutes=2 ** (letter.attempts - 1))
