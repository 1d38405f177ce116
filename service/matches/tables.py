"""Opening a table, answering an invitation, starting the match when all have answered."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog
from sqlalchemy import select

from engine.chance import SEED_BYTES, SeededChance
from engine.fairness import SECRET_BYTES, commitment_of
from engine.games import games
from engine.protocol import Game, HasFirstPlayer
from service.access import reply_keys
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.keys import random_code
from service.core.letter_details import InvitationDetails
from service.core.locks import LockedMatch, insert, lock_key, locked
from service.core.models import Match, Player, SeatRow
from service.core.names import clean_name, printable
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.matches import fairness, journal, table_names, takeovers, transitions
from service.outgoing.access_tokens import open_seat
from service.outgoing.outbox import owe_seat
from service.players.accounts import invite, language
from service.render import boards
from service.time.terms import Terms

log = structlog.get_logger(__name__)

LONGEST_GREETING = 300


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A seat for a person: the address, how the host calls them, their language."""

    address: str
    name: str = ""
    lang: str = "en"


class BotSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat for one of the game's bots, by its name."""

    bot: str
    name: str = ""


def open_table(
    service: Service,
    work: Work,
    host: Player,
    game_key: str,
    others: Sequence[Guest | BotSeat],
    terms: Terms | None = None,
    options: dict[str, Any] | None = None,
    rematch_of: Match | None = None,
    *,
    name: str = "",
    greeting: str = "",
    part: bytes | None = None,
    secret: bytes | None = None,
) -> LockedMatch:
    """A table with the host at seat 0 and the others after them, clockwise; guests get an
    invitation.

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
        chosen = msgspec.convert(options or {}, game.options_type, strict=False)
        game.setup(len(others) + 1, chosen, SeededChance(bytes(SEED_BYTES)))
    except (msgspec.ValidationError, ValueError) as error:
        raise Refused("bad_options", reason=str(error)) from error

    now = service.now()
    secret = secret or secrets.token_bytes(SECRET_BYTES)
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
        work.session, match.code, [row.player for row in match.invitees], name
    )
    work.session.flush()
    service.keys.issue(work.session, "watch", match.id, match_id=match.id)
    for row in match.invitees:
        if row.status == SeatStatus.INVITED:
            assert row.player is not None
            service.keys.issue(
                work.session,
                "invitation",
                match.id,
                row.player.id,
                match_id=match.id,
                player_id=row.player.id,
            )
            reply = reply_keys.of_guest(service.keys, match.id, row.player.id)
            service.keys.issue_all(work.session, [reply])
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
    other: Guest | BotSeat,
) -> None:
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
    was asked to take a seat over in a running match (`takeovers`) answers the same way.
    Raises Refused: "unknown_link", "bad_answer", "already_answered", "invitation_withdrawn",
    "match_cancelled", "not_playing" (it is over).
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
        if seat.status != SeatStatus.INVITED:
            return seat  # the wish holds for later invitations; a seat taken stays taken
    if seat.status == wanted:
        return seat
    if seat.status == SeatStatus.WITHDRAWN:
        raise Refused("invitation_withdrawn")
    if seat.status != SeatStatus.INVITED:
        raise Refused("already_answered", status=seat.status)
    if match.status == MatchStatus.CANCELLED:
        raise Refused("match_cancelled")
    if seat.successor_of is not None and match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    seat.status, seat.answered_at = wanted, now
    log.info("invitation_answered", match=match.id, player=player.id, answer=reply)
    if reply == "accept":
        player.suppressed_at = None
        seat.part = part if seat.successor_of is None else None
    work.session.flush()
    if seat.successor_of is not None:
        return takeovers.answered(service, work, match, seat)
    start_if_answered(service, work, match)
    return seat


def start_if_answered(service: Service, work: Work, match: LockedMatch) -> None:
    """Start the match when every seat has answered; without enough players left, call it off.

    Who declined leaves no gap: the seats move up, in the same order.
    """
    if match.status != MatchStatus.INVITING or any(
        row.status == SeatStatus.INVITED for row in match.invitees
    ):
        return
    coming = [row for row in match.invitees if row.status == SeatStatus.ACCEPTED]
    people = [row for row in coming if row.player is not None]
    invited_somebody = any(row.answered_at is not None for row in match.invitees)
    nobody_came = invited_somebody and len(people) < 2
    if nobody_came or len(coming) not in journal.game_of(match).seats:
        match.status = MatchStatus.CANCELLED
        for row in people:
            owe_seat(service, work, LetterKind.CANCELLED, match, row)
        return
    _close_ranks(work, match)
    start(service, work, match)


def _close_ranks(work: Work, match: LockedMatch) -> None:
    """Number the seats anew without those who do not come; who is to begin is told anew by it.

    If the one who was to begin does not come, the next after them begins.
    """
    coming = [row for row in match.invitees if row.status == SeatStatus.ACCEPTED]
    _name_first(match, [row.seat for row in coming if row.seat is not None])
    for row in match.invitees:
        row.seat = None
    work.session.flush()  # the old numbers must be free before the new ones are given
    for seat, row in enumerate(coming):
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
