"""A person's mail: whose it is, what it asks for, and the one answer to it.

Whoever has a reply address and sends from an address of its player is that player; everybody else
gets nothing, and the player is told of it at most once a day. A mail may hold words and one turn:
the words are done first, and everything is told in one answer.
"""

from __future__ import annotations

import datetime as dt
from email.message import EmailMessage
from typing import Literal

import structlog
from msgspec.structs import replace
from sqlalchemy import ScalarSelect, func, select, text
from sqlalchemy.orm import Session, aliased, joinedload

from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.keys import Outdated
from service.core.letter_details import MailDetails
from service.core.models import Alias, InboundMail, Key, Letter, Match, Player, SeatRow, Submission
from service.core.results import (
    EnoughMails,
    ForeignSender,
    LineUnsaid,
    Result,
    SetBackLost,
    SeveralBoards,
    TablesListed,
    TurnHeld,
    TurnPlayed,
    UnknownAddress,
)
from service.core.statuses import MailStatus, MailVerdict
from service.mail.commands.about import tables_listed
from service.mail.parse import authentication, message
from service.mail.parse.message import Incoming
from service.mail.receive import process_reply
from service.mail.receive.mail_verdict import verdict_of
from service.mail.render.quotable import Quotable, answered_by
from service.matches import answering, telling
from service.players import bounces

log = structlog.get_logger(__name__)

ANSWERS_PER_HOUR = 60
"""What a player gets in answer at most. Then one letter says that it is enough, and none follows:
two machines that answer each other come to rest.
"""


LOST_PER_HOUR = 5
"""What of these is for mails that reach no place of the player's. Anybody may have written their
address into From: nobody shall use up another's answers, or send them letters by the dozen.
"""


def reply(
    service: Service, work: Work, mail: InboundMail, parsed: EmailMessage, token: str | None
) -> Submission | None:
    """Do what a person's mail asks, and owe the answer; a turn in it is only stored, and given back
    (`mail.details.submission` is its id): `conclude` answers once it is played.
    """
    incoming = message.read_parsed(parsed)
    key = _key(service, work, token) if token else None
    outdated = _outdated(service, work, token, key) if token else None
    if key is None and outdated is not None:
        key = _key_of(outdated)
    match = _match(work, key) if key is not None and key.match_id is not None else None
    row = _row(match, key) if match is not None and key is not None else None
    trusted = _is_trusted(service, parsed, incoming.sender)
    if row is None or row.player is None:
        several = key is not None and key.match_id is None
        why: Result = SeveralBoards() if several else UnknownAddress()
        if key is None and outdated is not None:
            why = SetBackLost(copied_at=outdated.copied_at)
        owner = key.player_id if key is not None and several else None
        _lost(service, work, mail, incoming, why, trusted=trusted, owner=owner)
        return None
    player, match = row.player, row.match
    whose = {"player_id": player.id, "match_id": match.id}
    with work.session.no_autoflush:
        own = incoming.sender in addresses_of(work.session, player)
        if not own or not trusted:
            _set(mail, **whose)
            _foreign(service, work, mail, incoming, row, why="authentication" if own else "sender")
            return None
        if not _may_be_answered(service, work, mail, player):
            _set(mail, **whose)
            return None
    if incoming.sender == player.email:
        bounces.revive(service, work, player)
    with work.session.no_autoflush:
        letters = answered_by(service, work.session, row, _answered(incoming))
        quotable = Quotable(service, work.session, row, letters, mail.received_at)
        incoming = message.read_parsed(parsed, quotable.answered())
        if incoming.may_quote:
            incoming = message.read_parsed(parsed, quotable.all())
    done = process_reply.do(service, work, mail, incoming, row, key, outdated, letters[:1])
    _set(mail, **whose)  # not before: it would be written by itself
    mail.details = replace(
        _threaded(mail, incoming),
        results=tuple(done.results),
        words=done.words,
        submission=done.submission.id if done.submission is not None else None,
    )
    if done.submission is not None:
        return done.submission
    answering.answer(service, work, mail, player, done.results, match=match, row=row)
    settle(service, mail, verdict_of(done.results))
    return None


def _set(mail: InboundMail, *, player_id: int, match_id: int) -> None:
    mail.player_id, mail.match_id = player_id, match_id


def conclude(service: Service, work: Work, mail: InboundMail, submission: Submission) -> None:
    """Answer a mail whose turn has been looked at: to who wrote it, whoever sits there by now."""
    # What the answer shows is the match's newest position, and nobody takes that back meanwhile.
    match = locks.lock_number(service, work, submission.match_id)
    conclude_locked(service, work, mail, match, submission)


def conclude_locked(
    service: Service, work: Work, mail: InboundMail, match: Match, submission: Submission
) -> None:
    """The same in a transaction that has locked the match."""
    row = match.seats[submission.seat]
    told = telling.told(submission)
    results = [*mail.details.results, told]
    if submission.said and not isinstance(told, TurnPlayed | TurnHeld):
        results.append(LineUnsaid(text=submission.said))
    player = work.session.get(Player, mail.player_id) if mail.player_id is not None else None
    if player is not None and any(isinstance(each, TablesListed) for each in results):
        # Asked for beside a turn: how things stand after it.
        results = [each for each in results if not isinstance(each, TablesListed)]
        results.append(tables_listed(work.session, player))
    # A held turn that could not be played before we came to tell of it has had its letter.
    answered = submission.held_until is not None and telling.has_told(work, submission)
    if player is not None and not answered:
        own = row if row.player_id == player.id else None
        said = results if own is not None else answering.of_no_seat(results)
        answering.answer(service, work, mail, player, said, match=match, row=own)
    settle(service, mail, verdict_of([told]))


def settle(
    service: Service, mail: InboundMail, verdict: MailVerdict, details: MailDetails | None = None
) -> None:
    """Nothing more is to be done about this mail; `details` are what is known of it by now."""
    first = mail.details.first
    # Handled again, its turn is found to be made already: by itself.
    mail.status, mail.verdict = (
        MailStatus.HANDLED,
        first if first in (MailVerdict.PLAYED, MailVerdict.HELD) else verdict,
    )
    mail.details = details or mail.details
    mail.done_at, mail.pending_since = service.now(), None
    if mail.purged_at is not None:
        # It names somebody who has been erased since it came.
        mail.raw, mail.envelope_from, mail.details = b"", None, MailDetails()
    log.info("mail_handled", mail=mail.id, verdict=mail.verdict, source=mail.source)


def addresses_of(session: Session, player: Player) -> set[str]:
    """The addresses a player writes from: their own, and those they have confirmed."""
    confirmed = session.scalars(
        select(Alias.email).where(Alias.player_id == player.id, Alias.confirmed_at.is_not(None))
    )
    return {address.lower() for address in (player.email, *confirmed)}


def _player_at(session: Session, address: str) -> Player | None:
    """The player who writes from this address; None if it is nobody's or could be two people's."""
    found = session.scalars(
        select(Player.id)
        .outerjoin(Alias, (Alias.player_id == Player.id) & Alias.confirmed_at.is_not(None))
        .where((func.lower(Player.email) == address) | (func.lower(Alias.email) == address))
        .distinct()
        .limit(2)
    ).all()
    return session.get(Player, found[0]) if len(found) == 1 else None


def _key(service: Service, work: Work, token: str) -> Key | None:
    """What a reply address opens, of a match that nobody else changes meanwhile. As a mail may be
    about all the player's matches, all are locked.
    """
    key = reply_keys.find(service.keys, work.session, token)
    if key is None or key.match_id is None:
        return key
    locks.lock_numbers(service, work, _holder(key), also=key.match_id)
    # Whoever had the match may have taken the key back.
    return reply_keys.find(service.keys, work.session, token)


def _outdated(service: Service, work: Work, token: str, key: Key | None) -> Outdated | None:
    """What there is to say of an address of an earlier epoch, of a match that nobody else changes
    meanwhile (nor another of the player's): if no key of it is known, nothing is locked yet.
    """
    found = reply_keys.outdated(service.keys, work.session, token)
    meant = _key_of(found) if key is None and found is not None else None
    if meant is None:
        return found
    locks.lock_numbers(service, work, _holder(meant), also=meant.match_id)
    # Whoever had the match may have given the seat to another.
    return reply_keys.outdated(service.keys, work.session, token)


def _key_of(outdated: Outdated) -> Key | None:
    """What an address of an earlier epoch was for; None if it is for nothing that we know."""
    if outdated.match is None:
        return None
    return Key(match_id=outdated.match, seat=outdated.seat, occupancy=outdated.occupancy)


def _match(work: Work, key: Key) -> Match:
    """The match a key is of, with who sits there."""
    query = select(Match).where(Match.id == key.match_id).options(joinedload(Match.invitees))
    query = query.execution_options(populate_existing=True)
    return work.session.scalars(query).unique().one()


def _row(match: Match, key: Key) -> SeatRow | None:
    """The place a key is for; None if its player has it no more."""
    if key.seat is None:
        return match.row_of(key.player_id)
    row = next((row for row in match.seats if row.seat == key.seat), None)
    return row if row is not None and key.occupancy == row.occupancy else None


def _holder(key: Key) -> int | ScalarSelect[int | None] | None:
    """Who a reply address is for, as it stands before anything is locked."""
    if key.seat is None:
        return key.player_id
    held = aliased(SeatRow)
    return (
        select(held.player_id)
        .where(held.match_id == key.match_id, held.seat == key.seat)
        .scalar_subquery()
    )


def _is_trusted(service: Service, parsed: EmailMessage, sender: str | None) -> bool:
    """True if the sender may be who they say, by what our mail server found (`SENDER_CHECK`)."""
    found = authentication.verdict(parsed, service.settings.authserv_id, sender or "")
    match service.settings.sender_check:
        case "require":
            return found == "pass"
        case "prefer":
            return found != "fail"
        case _:
            return True


def _lost(
    service: Service,
    work: Work,
    mail: InboundMail,
    incoming: Incoming,
    why: Result,
    *,
    trusted: bool,
    owner: int | None,
) -> None:
    """To no address of ours, a dead one, or one of several boards, which is its `owner`'s: players
    are told `why` nothing is done, strangers are not answered.
    """
    player = _player_at(work.session, incoming.sender) if incoming.sender and trusted else None
    if player is None or owner not in (None, player.id):
        settle(service, mail, MailVerdict.STRANGER)
        return
    mail.player_id = player.id
    if _answers_lately(service, work, player, lost=True) >= LOST_PER_HOUR:
        log.warning("too_many_mails", player=player.id)
        settle(service, mail, MailVerdict.TOO_MANY)
        return
    if not _may_be_answered(service, work, mail, player):
        return
    mail.details = _threaded(mail, incoming)
    answering.answer(service, work, mail, player, [why])
    settle(service, mail, MailVerdict.UNKNOWN)


def _foreign(
    service: Service,
    work: Work,
    mail: InboundMail,
    incoming: Incoming,
    row: SeatRow,
    *,
    why: Literal["sender", "authentication"],
) -> None:
    """Not from the player, or not surely: they are told, once a day, at their own address (nothing
    of a mail that names nobody).
    """
    assert row.player is not None
    if incoming.sender:
        told = ForeignSender(why=why, sender=incoming.sender[:254])
        today = f"{service.now():%Y%m%d}"
        answering.warn(service, work, row.player, told, f"foreign.{row.player.id}.{today}", row)
    settle(service, mail, MailVerdict.FOREIGN, replace(mail.details, why=why))


def _may_be_answered(service: Service, work: Work, mail: InboundMail, player: Player) -> bool:
    """True if this player has not had too many answers in the last hour; the first beyond says so
    (and the mail is settled).
    """
    lately = _answers_lately(service, work, player)
    if lately < ANSWERS_PER_HOUR:
        return True
    if lately == ANSWERS_PER_HOUR:
        answering.answer(service, work, mail, player, [EnoughMails(most=lately)])
    log.warning("too_many_mails", player=player.id)
    settle(service, mail, MailVerdict.TOO_MANY)
    return False


def _answered(incoming: Incoming) -> list[str]:
    """The ids of what a mail answers, the nearest first."""
    named = [incoming.in_reply_to, *reversed(incoming.references)]
    return list(dict.fromkeys(name for name in named if name))


def _answers_lately(service: Service, work: Work, player: Player, *, lost: bool = False) -> int:
    """How many answers the player was owed in the last hour; if `lost`, of no match."""
    query = (
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.player_id == player.id,
            text("kind = 'answer'"),  # as its index has it
            Letter.created_at > service.now() - dt.timedelta(hours=1),
        )
    )
    if lost:
        query = query.where(Letter.match_id.is_(None))
    return work.session.scalar(query) or 0


def _threaded(mail: InboundMail, incoming: Incoming) -> MailDetails:
    """The mail's details with what the answer refers to, so that it stands below it."""
    return replace(
        mail.details,
        subject=incoming.subject[:200],
        message_id=incoming.message_id,
        references=tuple(incoming.references[-20:]),
    )
