"""Delivery reports and complaints that come by mail: which are believed, and what they do."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from service.core import locks
from service.core.models import InboundMail, Letter, Player, SeatRow
from service.core.statuses import LetterStatus
from service.mail.receive import inbound
from service.mail.send import delivery
from service.matches.tables import Guest
from service.ops.listing import mails
from service.outgoing import identity
from service.players import aliases, preferences
from service.players.accounts import ask_sign_in
from tests.support.correspondence import Correspondence
from tests.support.tables import World

ANA, BRUNO = "ana@example.org", "bruno@example.org"
NOON = dt.datetime(2026, 11, 21, 11, 0, tzinfo=dt.UTC)


@pytest.fixture
def table(world: World, game_key: str) -> Correspondence:
    return begun(world, game_key)


def begun(world: World, game_key: str) -> Correspondence:
    """A match of Ana and Bruno that has begun."""
    match_id = world.begun([Guest(address=BRUNO, name="Bruno", lang="fr")], game_key, seed=1)
    return Correspondence(world, match_id)


def message_id(letter: Letter) -> str:
    """The Message-ID of a letter, as its reader sees it."""
    return f"<{letter.dedupe}@paleopost.test>"


def bounce(letter: Letter, to: str, number: int = 1) -> bytes:
    """What a server says of a letter to nobody (RFC 3464), with the head of what it returns."""
    return (
        f"From: MAILER-DAEMON@example.org\r\nTo: {to}\r\nSubject: Undelivered Mail\r\n"
        f"Message-ID: <r{number}@example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {letter.player.email}\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
        "Content-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {message_id(letter)}\r\n\r\n--b--\r\n"
    ).encode()


def complaint(letter: Letter, to: str, number: int = 1) -> bytes:
    """What a provider says of a letter that its reader marked as unwanted (RFC 5965)."""
    return (
        f"From: feedback@example.org\r\nTo: {to}\r\nSubject: complaint\r\n"
        f"Message-ID: <c{number}@example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nspam\r\n--b\r\n"
        "Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n"
        "User-Agent: x/1\r\nVersion: 1\r\n\r\n--b\r\n"
        "Content-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {message_id(letter)}\r\n\r\n--b--\r\n"
    ).encode()


def bounce_address(world: World, letter: Letter) -> str:
    return identity.bounce_address(world.service, letter)


def handled(table: Correspondence, raw: bytes, to: str) -> InboundMail:
    """A report that came in to this address, and what became of it."""
    stored = table.take(raw, to, sender="")
    assert stored is not None
    return inbound.handle(table.world.service, stored)


def complained(table: Correspondence, letter: Letter, number: int = 1) -> InboundMail:
    """A complaint about this letter, at its own bounce address."""
    to = bounce_address(table.world, letter)
    return handled(table, complaint(letter, to, number), to)


def letter_to(table: Correspondence, seat: int) -> Letter:
    """A letter of the match to who sits there."""
    player = table.world.match(table.match_id).seats[seat].player_id
    found = table.world.letters(table.match_id)
    return next(x for x in found if x.player_id == player and x.kind != "invitation")


def as_it_is(world: World, letter: Letter) -> Player:
    with world.service.database.read() as session:
        return session.get_one(Player, letter.player_id)


def row_of(world: World, match_id: int | None, player_id: int) -> SeatRow:
    assert match_id is not None
    return next(r for r in world.match(match_id).invitees if r.player_id == player_id)


@pytest.mark.on_postgresql
@pytest.mark.parametrize("write", [bounce, complaint])
def test_what_comes_to_a_reply_address_changes_nothing(
    table: Correspondence,
    world: World,
    write: object,
) -> None:
    """Everybody has a reply address, and knows Message-IDs from what others quote."""
    assert callable(write)
    about_bruno = [x for x in world.letters(table.match_id) if x.player.email == BRUNO]
    of_ana = table.address(0)
    for number, letter in enumerate(about_bruno * 4):
        for to in (of_ana, table.address(1)):
            mail = handled(table, write(letter, to, 2 * number + (to == of_ana)), to)
            assert (mail.status, mail.verdict) == ("handled", "untrusted-report")
    bruno = world.player(BRUNO)
    assert (bruno.stopped_at, bruno.bounce_score, bruno.suppressed_at) == (None, 0.0, None)
    assert [row.muted_at for row in world.match(table.match_id).seats] == [None, None]
    assert table.answers() == []
    # Kept, and shown to who runs the server, with what it claims.
    with world.service.database.read() as session:
        newest = mails(session, 1)[0]
    assert newest.status == "untrusted-report"
    assert newest.note is not None
    assert message_id(about_bruno[-1]) in newest.note or write is complaint


def test_a_made_up_bounce_address_is_none(table: Correspondence, world: World) -> None:
    letter = world.letters(table.match_id, "turn")[0]
    to = f"bounce+{letter.id:x}-{'a' * 16}@paleopost.test"
    assert handled(table, bounce(letter, to), to).verdict == "untrusted-report"
    assert as_it_is(world, letter).bounce_score == 0


@pytest.mark.on_postgresql
def test_a_report_that_comes_weeks_later_is_none(table: Correspondence, world: World) -> None:
    """No server tries for so long (RFC 5321 §4.5.4.1), but a letter may have been forwarded."""
    with time_machine.travel(NOON, tick=False) as clock:
        number = world.letters(table.match_id, "turn")[0].id
        with world.service.database.write() as work:
            letter = work.session.get_one(Letter, number)
            letter.status, letter.sent_at = LetterStatus.SENT, world.service.now()
        to = bounce_address(world, letter)
        clock.shift(dt.timedelta(days=15))
        mail = handled(table, bounce(letter, to), to)
        assert (mail.verdict, mail.details.why) == ("untrusted-report", "late")
        assert as_it_is(world, letter).bounce_score == 0


def test_one_complaint_mutes_its_table_alone(
    table: Correspondence, world: World, game_key: str
) -> None:
    other = world.begun([Guest(address=BRUNO, name="Bruno")], game_key)
    letter = world.letters(table.match_id, "turn")[0]
    assert complained(table, letter).verdict == "complaint"
    player = as_it_is(world, letter)
    assert (player.stopped_at, player.suppressed_at) == (None, None)
    row = row_of(world, table.match_id, player.id)
    assert (row.muted_why, row.left_at) == ("complaint", None)
    assert row.muted_at is not None
    assert row_of(world, other, player.id).muted_at is None
    now = world.match(table.match_id)
    assert [r.muted_at is not None for r in now.seats].count(True) == 1
    assert now.status == "playing"
    # Letters of the other table go on.
    there = [x for x in world.letters(other) if x.player_id == player.id]
    assert any(delivery.deliver(world.service, world.post, x.id) for x in there)
    assert not delivery.deliver(world.service, world.post, letter.id)
    assert [x.status for x in world.letters(table.match_id) if x.id == letter.id] == ["suppressed"]


@pytest.mark.on_postgresql
@pytest.mark.parametrize(
    ("who", "told"),
    [
        (0, "your mail service told us that you do not want them. Reply “unmute”"),
        (1, "ta messagerie nous a dit que tu n’en voulais pas. Réponds « parle »"),
    ],
)
def test_the_next_answer_says_how_letters_come_back(
    table: Correspondence, world: World, who: int, told: str
) -> None:
    complained(table, letter_to(table, who))
    answer = table.answer(table.reply(who, "status"))
    plain = answer.said.replace("\u202f", " ").replace("\xa0", " ")
    assert told in plain
    assert "unmute" in answer.html or "parle" in answer.html
    back = table.answer(table.reply(who, "unmute"))
    assert back.codes == ["unmuted"]
    assert told not in back.said.replace("\u202f", " ").replace("\xa0", " ")
    row = world.match(table.match_id).seats[who]
    assert (row.muted_at, row.muted_why) == (None, None)


def test_a_wish_of_ones_own_is_not_laid_at_the_mail_service(
    table: Correspondence, world: World
) -> None:
    assert "mail service" not in table.answer(table.reply(0, "mute")).said
    complained(table, letter_to(table, 0))
    assert world.match(table.match_id).seats[0].muted_why is None


def test_a_complaint_about_an_invitation_is_never_again(world: World, game_key: str) -> None:
    match_id = world.open(
        [Guest(address=BRUNO, name="Bruno"), Guest(address="cleo@example.org")], game_key
    )
    table = Correspondence(world, match_id)
    letter = next(x for x in world.letters(match_id, "invitation") if x.player.email == BRUNO)
    assert complained(table, letter).verdict == "complaint"
    bruno = world.player(BRUNO)
    assert bruno.suppressed_at is not None
    assert bruno.stopped_at is None
    assert row_of(world, match_id, bruno.id).status == "declined"


@pytest.mark.on_postgresql
def test_a_complaint_about_a_digest_mutes_what_comes_in_it(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        table = begun(world, game_key)
        seats = world.match(table.match_id).seats
        with world.service.database.write() as work:
            for row in seats:
                player = work.session.get_one(Player, row.player_id)
                preferences.change(world.service, work, player, digest=20 * 60)
        for hours in (24, 24, 1, 24, 1):
            clock.shift(3600 * hours)
            for letter in world.letters():
                delivery.deliver(world.service, world.post, letter.id)
        digest = world.letters(kind="digest")[0]
        assert complained(table, digest).verdict == "complaint"
        seats = world.match(table.match_id).seats
        assert [r.player_id for r in seats if r.muted_at is not None] == [digest.player_id]


def test_a_complaint_about_what_was_asked_for_locks_nobody_out(
    table: Correspondence, world: World
) -> None:
    """A sign-in letter is the way back in; it came because somebody asked for it."""
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, BRUNO, "fr")
    letter = world.letters(kind="signin")[-1]
    mail = complained(table, letter)
    assert (mail.verdict, mail.details.ended) == ("complaint", "nothing")
    bruno = as_it_is(world, letter)
    assert (bruno.stopped_at, bruno.suppressed_at) == (None, None)
    assert all(row.muted_at is None for row in world.match(table.match_id).seats)
    assert delivery.deliver(world.service, world.post, letter.id)


def test_a_complaint_about_an_answer_of_no_match_ends_nothing(
    table: Correspondence, world: World
) -> None:
    bruno = world.player(BRUNO)
    with world.service.database.write() as work:
        asking = work.session.get_one(Player, bruno.id)
        preferences.change(world.service, work, asking, digest=20 * 60)
    lost = table.send(BRUNO, f"r+{'a' * 26}@paleopost.test", "1")
    (letter,) = table.answers(lost)
    mail = complained(table, letter)
    assert (mail.verdict, mail.details.ended) == ("complaint", "nothing")
    assert all(row.muted_at is None for row in world.match(table.match_id).seats)


@pytest.mark.on_postgresql
def test_a_complaint_about_a_second_address_asks_no_more(
    table: Correspondence, world: World
) -> None:
    """The address may be a stranger's: their complaint is not Ana's."""
    ana = world.player(ANA)
    with world.service.database.write() as work:
        asking = work.session.get_one(Player, ana.id)
        aliases.add(world.service, work, asking, "stranger@example.org")
    letter = world.letters(kind="alias")[-1]
    assert complained(table, letter).details.ended == "address"
    ana, stranger = world.player(ANA), world.player("stranger@example.org")
    assert (ana.stopped_at, ana.suppressed_at) == (None, None)
    assert stranger.suppressed_at is not None
    with world.service.database.read() as session:
        assert aliases.of(session, ana) == []


@pytest.mark.on_postgresql
def test_who_has_given_a_seat_up_mutes_nobody(table: Correspondence, world: World) -> None:
    letter, zoe = letter_to(table, 1), world.player("zoe@example.org").id
    with world.service.database.write() as work:
        row = locks.lock_number(world.service, work, table.match_id).seats[1]
        row.player_id, row.occupancy = zoe, 1
    mail = complained(table, letter)
    assert (mail.verdict, mail.details.ended) == ("complaint", "nothing")
    assert all(row.muted_at is None for row in world.match(table.match_id).seats)
