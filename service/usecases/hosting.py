"""What the host of a table can do for it: before it begins, and when somebody is in its way.

Everything here is told to the table. Nobody is asked twice to the same table, and a stranger's
address gets no second letter: an invitation is never sent again.
"""

from __future__ import annotations

import datetime as dt

import structlog

from engine.protocol import Seat
from service import journal, replies
from service.context import Service
from service.db import Work
from service.models import DecisionRow, Match, SeatRow
from service.names import clean_name
from service.usecases import clocks, copies, leaving, news, resending, takeovers
from service.usecases.errors import Refused
from service.usecases.outbox import owe_seat
from service.usecases.players import invite, language
from service.usecases.tables import Guest, start_if_answered

log = structlog.get_logger(__name__)

AGAIN_AFTER = dt.timedelta(hours=1)


def withdraw(service: Service, work: Work, match: Match) -> None:
    """Call off a table that has not begun; those who had accepted are told.

    Raises Refused: "has_begun". Done again it changes nothing.
    """
    _lock(service, work, match)
    if match.status == "cancelled":
        return
    if match.status != "inviting":
        raise Refused("has_begun")
    match.status = "cancelled"
    _note(match, "withdraw")
    for row in match.guests:
        if row.status == "accepted" and row.player_id != match.host_id:
            owe_seat(service, work, "cancelled", match, row, details={"why": "withdrawn"})


def start_without(service: Service, work: Work, match: Match) -> None:
    """Begin with those who have accepted: who has not answered is no longer asked.

    Raises Refused: "has_begun", "too_few".
    """
    _lock(service, work, match)
    silent = [row for row in match.guests if row.status == "invited"]
    _take_off(service, work, match, silent, "start_without")


def remove_guest(service: Service, work: Work, match: Match, guest_id: int) -> None:
    """Take a guest (or a bot) off a table that has not begun, whether they have answered or not.

    Who had accepted is told. The match begins if the others are only waiting for this. Raises
    Refused: "has_begun", "own_seat", "no_such_guest", "too_few".
    """
    _lock(service, work, match)
    row = next((row for row in match.guests if row.id == guest_id), None)
    if row is None or row.status not in ("invited", "accepted"):
        raise Refused("no_such_guest")
    if row.player_id == match.host_id:
        raise Refused("own_seat")
    _take_off(service, work, match, [row], "remove_guest")


def _take_off(service: Service, work: Work, match: Match, rows: list[SeatRow], act: str) -> None:
    if match.status != "inviting":
        raise Refused("has_begun")
    least = journal.game_of(match).seats.start
    left = [r for r in match.guests if r.status in ("invited", "accepted") and r not in rows]
    if len(left) < least:
        raise Refused("too_few", least=least)
    _note(match, act, guests=[row.id for row in rows])
    for row in rows:
        told = row.status == "accepted"
        row.status = "withdrawn"
        if told:
            owe_seat(service, work, "cancelled", match, row, details={"why": "removed"})
    work.session.flush()
    start_if_answered(service, work, match)


def remove(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Take a player off a match that is being played: a bot plays on, or the match ends.

    Raises Refused: "own_seat", "not_playing", "no_such_guest".
    """
    _lock(service, work, match)
    row = _other(match, seat)
    gone = row.left_at is not None
    leaving.remove(service, work, match, seat)
    if not gone:
        _note(match, "remove", seat=seat, player=row.player_id)


def extend(service: Service, work: Work, match: Match, seat: Seat, days: int) -> DecisionRow:
    """Give a player more days for what they are asked; the table is told.

    Raises Refused: "no_such_guest", and as `clocks.extend`: "bad_days", "no_clock".
    """
    _lock(service, work, match)
    if seat not in range(len(match.seats)):
        raise Refused("no_such_guest")
    row = clocks.extend(service, work, match, seat, days)
    _note(match, "extend", seat=seat, decision=row.decision, days=days)
    deadline = row.deadline.isoformat() if row.deadline is not None else None
    key = f"{row.decision}.{service.now():%Y%m%d%H%M%S}"
    news.tell(service, work, match, "extended", key, about=seat, days=days, deadline=deadline)
    return row


def replace(service: Service, work: Work, match: Match, seat: Seat, guest: Guest) -> SeatRow:
    """Ask somebody new to take over a seat of a match that is being played.

    Until they answer its clock stands; who sits there may play on meanwhile. Raises Refused:
    "own_seat", "not_playing", "no_such_guest", "asked_already", "asked_before" (`address`),
    "same_address", "bad_address", "unwanted".
    """
    _lock(service, work, match)
    _other(match, seat)
    if match.status != "playing":
        raise Refused("not_playing")
    if takeovers.successor(match, seat) is not None:
        raise Refused("asked_already")
    player = invite(
        service, work.session, guest.address, guest.name, language(guest.lang), match.host.zone
    )
    known = next((row for row in match.guests if row.player_id == player.id), None)
    if known is not None:
        if known.seat is not None:
            raise Refused("same_address", address=guest.address.strip())
        raise Refused("asked_before", address=guest.address.strip())
    if player.suppressed_at is not None or player.stopped_at is not None:
        raise Refused("unwanted", address=guest.address.strip())
    row = SeatRow(
        seat=None,
        successor_of=seat,
        player=player,
        name=clean_name(guest.name, player.name),
        lang=language(guest.lang),
        status="invited",
    )
    match.guests.append(row)
    work.session.flush()
    service.keys.issue(
        work.session,
        "invitation",
        match.id,
        player.id,
        match_id=match.id,
        player_id=player.id,
    )
    replies.open_guest(service.keys, work.session, match.id, player.id)
    # Everybody who is asked to this table has their own letter, whatever seat it is about.
    owe_seat(service, work, "invitation", match, row, dedupe=f"{seat}.successor.{row.id}")
    clocks.refresh(service, work, match)
    _note(match, "replace", seat=seat, guest=row.id, player=player.id)
    news.tell(service, work, match, "replacing", row.id, about=seat, guest=row.name)
    return row


def stop_replacing(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Take the question back. Raises Refused: "nobody_asked"."""
    _lock(service, work, match)
    row = takeovers.successor(match, seat)
    if row is None:
        raise Refused("nobody_asked")
    row.status = "withdrawn"
    _note(match, "stop_replacing", seat=seat, guest=row.id)
    takeovers.call_off(service, work, match, row)


def resend(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Send the letter a seat needs most once more: that of what it is asked, else its last.

    It is a new letter with a name (Message-ID) of its own: many mailboxes drop a second one of the
    same name unseen, and who asks for this has not seen the first. Raises Refused:
    "nothing_to_resend", "resent_lately".
    """
    _lock(service, work, match)
    if seat not in range(len(match.seats)):
        raise Refused("no_such_guest")
    row = match.seats[seat]
    if row.player is None or (row.left_at is not None and match.status == "playing"):
        raise Refused("nothing_to_resend")
    lately = service.now() - AGAIN_AFTER
    letters = resending.of_seat(work.session, match, seat)
    if any(x.created_at > lately and copies.is_copy(x) for x in letters):
        raise Refused("resent_lately")
    letter = resending.needed(work.session, match, seat)
    if letter is None:
        raise Refused("nothing_to_resend")
    copies.copy(service, work, letter)
    _note(match, "resend", seat=seat, letter=letter.id)


def _note(match: Match, act: str, **of: object) -> None:
    """Log what was done in the host's place; the command line adds that an operator did (`by`)."""
    log.info("host_acted", act=act, match=match.id, host=match.host_id, **of)


def _other(match: Match, seat: Seat) -> SeatRow:
    """The seat of another player. Raises Refused: "own_seat", "no_such_guest"."""
    if seat not in range(len(match.seats)) or match.seats[seat].player is None:
        raise Refused("no_such_guest")
    if match.seats[seat].player_id == match.host_id:
        raise Refused("own_seat")
    return match.seats[seat]


def _lock(service: Service, work: Work, match: Match) -> None:
    if service.database.lock_match(work.session, match.id):
        work.session.refresh(match)
        for row in match.guests:
            work.session.refresh(row)
