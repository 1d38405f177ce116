"""Opening a table, answering an invitation, starting the match when all seats are taken."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog
from sqlalchemy import select

from engine.chance import SEED_BYTES, SeededChance
from engine.fairness import SECRET_BYTES, commitment_of
from engine.games import games
from engine.protocol import Game, HasFirstPlayer, new_options
from service.core import randomness
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.keys import random_code
from service.core.letter_details import DeclinedDetails, InvitationDetails
from service.core.locks import LockedMatch, insert, lock_key, lock_number, locked
from service.core.models import Match, Player, SeatRow
from service.core.names import clean_name, printable
from service.core.statuses import UNANSWERED, LetterKind, MatchStatus, SeatStatus
from service.core.verdicts import JsonObject
from service.matches import fairness, join_links, journal, table_names, takeovers, transitions
from service.outgoing.access_tokens import open_guest, open_seat
from service.outgoing.outbox import owe_seat
from service.players.accounts import invite, language
from service.render import boards
from service.time.terms import Terms

log = structlog.get_logger(__name__)

LONGEST_GREETING = 300
FILL_FOR = dt.timedelta(days=2)
"""How long a table waits for its host to fill the seat of who has declined."""


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A seat for a person: the address, how the host calls them, their language."""

    address: str
    name: str = ""
    lang: str = "en"


class BotSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat for one of the game's bots, by its name."""

    bot: str
    name: str = ""


class OpenSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat for whoever takes it by the table's join link."""


Place = Guest | BotSeat | OpenSeat


def open_table(
    service: Service,
    work: Work,
    host: Player,
    game_key: str,
    others: Sequence[Place],
    terms: Terms | None = None,
    options: JsonObject | None = None,
    rematch_of: Match | None = None,
    *,
    name: str = "",
    greeting: str = "",
    part: bytes | None = None,
    secret: bytes | None = None,
) -> LockedMatch:
    """A table with the host at seat 0 and the others after them, clockwise; guests get an
    invitation, and a table with open seats a join link.

    `options` is plain data for the game's options struct. `name` is what the host calls the table
    ("": it is given a name), `greeting` what they say to their guests. `part` is what the host adds
    to the chance of the match (None: nothing), `secret` what we have committed to if the host was
    shown the hash of it before. With bots only, the match starts at once.
    Raises Refused: "unknown_game", "bad_seats", "bad_options", "long_greeting" (`most`
    characters), "unknown_bot", "bad_address", "same_address", "unwanted" (a guest wants no
    invitations), "no_letters" (none is sent to them), with the `seat`; and as `Terms.check`.
    """
    if game_key not in games():
        raise Refused("unknown_game", game=game_key)
    game = boards.game_for_tables(service.settings, game_key)
    if len(others) + 1 not in game.seats:
        least, most = game.seats.start, game.seats.stop - 1
        raise Refused("bad_seats", count=len(others) + 1, least=least, most=most)
    terms = terms or Terms()
    terms.check()
    greeting = _greeting(greeting)
    try:
        chosen = new_options(game, options)
        game.setup(len(others) + 1, chosen, SeededChance(bytes(SEED_BYTES)))
    except (msgspec.ValidationError, ValueError) as error:
        raise Refused("bad_options", reason=str(error)) from error

    now = service.now()
    secret = secret or randomness.token_bytes(SECRET_BYTES)
    opened = Match(
        code=random_code(),
        greeting=greeting or None,
        game=game_key,
        rules_version=game.rules_version,
        options=msgspec.json.encode(chosen),
        **msgspec.structs.asdict(terms),
        host_id=host.id,
        host=host,
        status=MatchStatus.INVITING,
        secret=secret,
        commitment=commitment_of(secret),
        seed=b"",
        seed_hash="",
        last_entry=0,
        rematch_of=rematch_of.id if rematch_of else None,
        created_at=now,
    )
    match = insert(work, opened)
    host.suppressed_at = None
    _sit(
        match, 0, player=host, name=host.name, lang=host.lang, status=SeatStatus.ACCEPTED, part=part
    )
    for seat, other in enumerate(others, start=1):
        try:
            _take_seat(service, work, match, game, seat, other)
        except Refused as error:
            raise Refused(error.code, **error.context, seat=seat) from error
    match.name = table_names.name_for(
        work.session, match.code, host, [row.player for row in match.invitees], name
    )
    work.session.flush()
    if match.empty_seats:
        join_links.make(service, work, match)
    service.keys.issue(work.session, "watch", match.id, match_id=match.id)
    for row in match.invitees:
        if row.status == SeatStatus.INVITED:
            assert row.player is not None
            open_guest(service, work.session, match, row.player.id)
            # Of the same table again its host has written no address.
            other = others[(row.seat or 0) - 1]
            written = None
            if isinstance(other, Guest) and rematch_of is None:
                written = InvitationDetails(address=other.address.strip())
            owe_seat(service, work, LetterKind.INVITATION, match, row, details=written)
    start_if_answered(service, work, match)
    return match


def _greeting(text: str) -> str:
    """What a host says to their guests, on one line. Raises Refused."""
    line = printable(text)
    if len(line) > LONGEST_GREETING:
        raise Refused("long_greeting", most=LONGEST_GREETING, length=len(line))
    return line


def _take_seat(
    service: Service,
    work: Work,
    match: LockedMatch,
    game: Game[Any, Any],
    seat: int,
    other: Place,
) -> None:
    if isinstance(other, OpenSeat):
        _sit(match, seat, name="", lang=match.host.lang, status=SeatStatus.EMPTY)
        return
    if isinstance(other, BotSeat):
        if other.bot not in game.bots:
            raise Refused("unknown_bot", bot=other.bot, bots=sorted(game.bots))
        name = clean_name(other.name, other.bot.title())
        _sit(
            match, seat, bot=other.bot, name=name, lang=match.host.lang, status=SeatStatus.ACCEPTED
        )
        return
    # Friends mostly live by one clock; each can change theirs.
    player = invite(
        service, work.session, other.address, other.name, language(other.lang), match.host.zone
    )
    if any(row.player is player for row in match.invitees):
        raise Refused("same_address", address=other.address.strip())
    if player.suppressed_at is not None:
        raise Refused("unwanted", address=other.address.strip())
    if player.stopped_at is not None:
        raise Refused("no_letters", address=other.address.strip())
    name = clean_name(other.name, player.name)
    _sit(
        match, seat, player=player, name=name, lang=language(other.lang), status=SeatStatus.INVITED
    )


def _sit(
    match: LockedMatch,
    seat: int,
    *,
    name: str,
    lang: str,
    status: str,
    player: Player | None = None,
    bot: str | None = None,
    part: bytes | None = None,
) -> None:
    match.invitees.append(
        SeatRow(seat=seat, player=player, bot=bot, name=name, lang=lang, status=status, part=part)
    )


def answer(
    service: Service, work: Work, token: str, reply: str, part: bytes | None = None
) -> SeatRow:
    """Answer an invitation: "accept", "decline", or "never" (decline, and no invitation ever
    again).

    `part` is what who accepts adds to the chance of the match; the first one counts, and none of
    who takes a seat over: all is drawn by then. Answering again the same way changes nothing. Who
    was asked to take a seat over in a running match (`takeovers`), and who has asked for a seat by
    a join link, answers the same way. The seat of who declines is empty from then on; the host is
    told, and can fill it.
    Raises Refused: "unknown_link", "bad_answer", "already_answered", "invitation_withdrawn",
    "match_cancelled", "not_playing" (it is over), "table_full" and "begun_without" (of who joins).
    """
    if reply not in ("accept", "decline", "never"):
        raise Refused("bad_answer")
    key = lock_key(service, work, token, "invitation")
    seat = work.session.scalar(
        select(SeatRow).where(SeatRow.match_id == key.match_id, SeatRow.player_id == key.player_id)
    )
    if seat is None:
        raise Refused("unknown_link")  # their seat is another's by now
    match, player, now = locked(service, work, seat.match), seat.player, service.now()
    assert player is not None
    wanted = SeatStatus.ACCEPTED if reply == "accept" else SeatStatus.DECLINED
    if reply == "never":
        player.suppressed_at = player.suppressed_at or now
        if seat.status not in UNANSWERED:
            return seat  # the wish holds for later invitations; a seat taken stays taken
    if seat.status == wanted:
        return seat
    if seat.status == SeatStatus.WITHDRAWN:
        raise Refused("invitation_withdrawn")
    if seat.status not in UNANSWERED:
        raise Refused("already_answered", status=seat.status)
    if match.status == MatchStatus.CANCELLED:
        raise Refused("match_cancelled")
    if seat.successor_of is not None and match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    if seat.status == SeatStatus.JOINING and reply == "accept":
        take_empty_seat(work, match, seat, now)
    seat.status, seat.answered_at = wanted, now
    log.info("invitation_answered", match=match.id, player=player.id, answer=reply)
    if reply == "accept":
        player.suppressed_at = None
        seat.part = part if seat.successor_of is None else None
    else:
        seat.stop_holding(now)
    work.session.flush()
    if seat.successor_of is not None:
        return takeovers.answered(service, work, match, seat)
    if reply != "accept" and seat.seat is not None:
        _decline(service, work, match, seat)
    start_if_answered(service, work, match)
    return seat


def held_seats(match: Match, now: dt.datetime, besides: SeatRow | None = None) -> list[dt.datetime]:
    """Until when empty seats are kept for those (but `besides`) who have asked for one by a join
    link, each in turn.

    Somebody may have asked for who has a seat already, or will get none: who types an address is
    not to learn that from the number of seats that are left.
    """
    return [
        row.held_until
        for row in match.invitees
        if row is not besides and row.held_until is not None and row.held_until > now
    ]


def seats_left(match: Match, now: dt.datetime, besides: SeatRow | None = None) -> int:
    """The number of empty seats that are kept for nobody (but `besides`) who has asked for one."""
    return max(0, len(match.empty_seats) - len(held_seats(match, now, besides)))


def take_empty_seat(work: Work, match: LockedMatch, guest: SeatRow, now: dt.datetime) -> None:
    """Let a guest without a seat sit down on an empty one: that which is kept for them, else one
    that is kept for nobody. Raises Refused: "begun_without", "table_full".
    """
    if match.status != MatchStatus.INVITING:
        raise Refused("begun_without")
    kept = guest.held_until is not None and guest.held_until > now
    if not match.empty_seats or not (kept or seats_left(match, now, guest)):
        raise Refused("table_full")
    taken = match.empty_seats[0]
    seat = taken.seat
    _drop(work, match, [taken])
    guest.seat, guest.status, guest.held_until = seat, SeatStatus.ACCEPTED, None
    work.session.flush()


def vacate(work: Work, match: LockedMatch, row: SeatRow) -> None:
    """Take a guest off their seat, which is empty then and keeps its place in the order."""
    seat, row.seat, row.held_until = row.seat, None, None
    assert seat is not None
    work.session.flush()
    _sit(match, seat, name="", lang=match.host.lang, status=SeatStatus.EMPTY)
    work.session.flush()


def wait_for_host(service: Service, match: LockedMatch) -> None:
    """Have the table wait for its empty seats for FILL_FOR at least."""
    until = service.now() + FILL_FOR
    match.fill_until = max(until, match.fill_until or until)


def give_seat_back(service: Service, work: Work, match: LockedMatch, guest: SeatRow) -> None:
    """Have a guest of a table that has not begun come no more, whether they had accepted or not:
    their seat is empty, and the host is told.
    """
    guest.status, guest.answered_at = SeatStatus.DECLINED, service.now()
    guest.stop_holding(service.now())
    work.session.flush()
    if guest.seat is not None:
        _decline(service, work, match, guest)


def _decline(service: Service, work: Work, match: LockedMatch, guest: SeatRow) -> None:
    vacate(work, match, guest)
    wait_for_host(service, match)
    told = DeclinedDetails(guest=guest.name)
    # Who was invited by name declines once: what they ask for by a join link is no such seat.
    owe_seat(
        service,
        work,
        LetterKind.DECLINED,
        match,
        match.host_row,
        dedupe=f"{guest.id}",
        details=told,
    )


def _drop(work: Work, match: LockedMatch, rows: list[SeatRow]) -> None:
    for row in rows:
        match.invitees.remove(row)
        work.session.delete(row)
    work.session.flush()


def stop_waiting(service: Service, match_id: int) -> None:
    """Begin a table that has waited long enough for its empty seats, with those who come, or call
    it off. Nothing happens to one that has begun, or that still waits.
    """
    with service.database.write() as work:
        match = lock_number(service, work, match_id)
        if match.fill_until is None or match.fill_until > service.now():
            return
        if match.status == MatchStatus.INVITING:
            start_if_answered(service, work, match)
        if match.status == MatchStatus.INVITING and match.fill_until is not None:
            # It still waits for guests who were asked by name, and then no longer.
            match.join_until = match.fill_until = None


def start_if_answered(
    service: Service, work: Work, match: LockedMatch, *, waits: bool = True
) -> None:
    """Start the match when every seat is taken, or its empty ones were waited for long enough (or
    are not waited for, as its host wants it); without enough players left, call it off.

    An empty seat leaves no gap: the others move up, in the same order. Who has asked for company
    gets no match against bots alone, unless they have put them all there themselves.
    """
    if match.status != MatchStatus.INVITING or any(
        row.status == SeatStatus.INVITED for row in match.invitees
    ):
        return
    empty = match.empty_seats
    if empty and waits and match.fill_until is not None and service.now() < match.fill_until:
        return
    coming = [row for row in match.invitees if row.status == SeatStatus.ACCEPTED]
    people = [row for row in coming if row.player is not None]
    nobody_came = bool(empty) and waits and len(people) < 2
    _drop(work, match, empty)
    match.join_until = match.fill_until = None
    if nobody_came or len(coming) not in journal.game_of(match).seats:
        match.status = MatchStatus.CANCELLED
        for row in people:
            owe_seat(service, work, LetterKind.CANCELLED, match, row)
        return
    close_ranks(work, match)
    start(service, work, match)


def close_ranks(work: Work, match: LockedMatch) -> None:
    """Number the seats of a table that has not begun anew, in the same order, without those who
    declined or were taken off; who is to begin is told anew by it.

    If the one who was to begin does not come, the next after them begins.
    """
    counted = (SeatStatus.INVITED, SeatStatus.ACCEPTED, SeatStatus.EMPTY)
    staying = [row for row in match.seats if row.status in counted]
    _name_first(match, [row.seat for row in staying if row.seat is not None])
    for row in match.invitees:
        row.seat = None
    work.session.flush()  # the old numbers must be free before the new ones are given
    for seat, row in enumerate(staying):
        row.seat = seat
    work.session.flush()


def _name_first(match: LockedMatch, kept: list[int]) -> None:
    """Say in the options who begins, when only the seats `kept` are left, in that order."""
    game = journal.game_of(match)
    if not isinstance(game, HasFirstPlayer):
        return
    options = msgspec.json.decode(match.options, type=game.options_type)
    first = game.begun_by(options)
    if first is None:
        return
    following = next((at for at, seat in enumerate(kept) if seat >= first), 0)
    match.options = msgspec.json.encode(game.with_first(options, following))


def start(service: Service, work: Work, match: LockedMatch) -> None:
    """Make the seed, deal, and ask the first decisions."""
    now = service.now()
    match.status, match.started_at = MatchStatus.PLAYING, now
    fairness.make_seed(match)
    reached = journal.begin(work.session, match, now)
    for row in match.seats:
        open_seat(service, work.session, row)
    transitions.begin(service, work, match, reached)
