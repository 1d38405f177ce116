"""Who was replaced in a running match: what they are still told, and what they are not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from icalendar import Calendar

from service.access.links import Links
from service.core.letter_details import AnswerDetails, CancelledDetails
from service.core.models import InboundMail, Letter, Submission
from service.mail.receive import inbound
from service.mail.send import delivery
from service.matches import hosting, leaving, messages, moves, reading, tables
from service.matches.tables import Guest
from service.time import deadlines
from tests.support.correspondence import Answer, Correspondence
from tests.support.tables import World
from tests.support.time import at, row_of

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
CAM = Guest(address="cam@example.org", name="Cam")
DAN = Guest(address="dan@example.org", name="Dan")


def started(world: World, game_key: str) -> tuple[int, int]:
    """A match, and the seat of a guest of whom something is asked."""
    match_id = world.begun([BEN, CAM], game_key)
    while (seat := world.awaited(match_id).seat) == 0:
        moves.play(world.service, world.submit(match_id).id)
    return match_id, seat


def replace(world: World, match_id: int, seat: int) -> None:
    with at(world, match_id) as (work, match):
        player_id = hosting.replace(world.service, work, match, seat, DAN).player_id
    token = world.service.keys.token("invitation", match_id, player_id)
    with world.service.database.write() as work:
        tables.answer(world.service, work, token, "accept")


def deliver(world: World, letter: Letter) -> Answer:
    """A letter as it was sent."""
    assert delivery.deliver(world.service, world.post, letter.id)
    return Answer(world.post.sent[-1][2], letter)


@pytest.mark.on_postgresql
def test_the_answer_that_is_owed_is_sent_without_the_board(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    post = Correspondence(world, match_id)
    mail = post.reply(seat, "board")
    before = post.answer(mail)
    assert before.pictures
    other = post.reply(seat, "status\nhistory\nlang fr")
    replace(world, match_id, seat)
    (owed,) = post.answers(mail)
    assert (owed.status, owed.entry, owed.decision) == ("due", None, None)
    answer = deliver(world, owed)
    assert not answer.pictures
    (owed,) = post.answers(mail)
    assert [told.code for told in owed.details_as(AnswerDetails).results] == ["left"]
    (owed,) = post.answers(other)
    assert [told.code for told in owed.details_as(AnswerDetails).results] == ["status", "lang"]
    answer = deliver(world, owed)
    link = Links(world.service).seat(world.match(match_id), seat)
    assert link in deliver(world, world.letters(match_id, "start")[-1]).text, "the new player's"
    assert link not in answer.text + answer.html, "the table is theirs no more"


def test_who_leaves_still_gets_the_answer_that_is_owed(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    post = Correspondence(world, match_id)
    mail = post.reply(seat, "status")
    with at(world, match_id) as (work, match):
        leaving.remove(world.service, work, match, seat)
    world.hear(mail=True)
    (answer,) = post.answers(mail)
    assert answer.status == "sent"


def test_who_takes_over_is_not_told_that_the_game_begins(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    for _ in range(2):
        moves.play(world.service, world.submit(match_id).id)
    before = world.match(match_id)
    replace(world, match_id, seat)
    start = deliver(world, world.letters(match_id, "start")[-1])
    said = " ".join(start.text.split())
    assert f"You play on for {before.seats[seat].name} in the game" in said
    assert "begins." not in said
    assert "The first turn" not in said
    assert "The last turns" in said
    assert "/check" in said
    mover = world.awaited(match_id).seat
    turn = f"It is {before.seats[mover].name}’s turn."
    assert (turn if mover != seat else "It is your turn") in said


def test_old_turns_are_told_under_the_name_of_who_played_them(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    moves.play(world.service, world.submit(match_id).id)
    played, before = world.match(match_id).last_entry, world.match(match_id).seats[seat].name
    replace(world, match_id, seat)
    while world.awaited(match_id).seat != seat:
        moves.play(world.service, world.submit(match_id).id)
    moves.play(world.service, world.submit(match_id).id)
    match = world.match(match_id)
    with world.service.database.read() as session:
        told = {row.n: row for row in reading.history(session, match, seat)}
        others = {row.n: row for row in reading.history(session, match, 0)}
    assert told[played].seat == told[match.last_entry].seat == seat
    assert (told[played].names or [])[seat] == before
    assert told[played].me is None, "the newcomer did not play it"
    assert others[played].me == 0
    assert told[match.last_entry].names is None
    post = Correspondence(world, match_id)
    history = post.answer(post.reply(seat, "history")).text
    assert before in history
    assert reading.names(match)[seat] == DAN.name


def in_flight(world: World, match_id: int, seat: int) -> tuple[InboundMail, Submission]:
    """A mail with a turn that is stored, and not looked at yet."""
    post = Correspondence(world, match_id)
    row = world.awaited(match_id)
    player = world.match(match_id).seats[seat].player
    assert player is not None
    text = world.legal_turn(match_id, seat, row.decision)
    raw, to = post.written(player.email, post.address(seat), text), post.address(seat)
    stored = post.take(raw, to, player.email)
    assert stored is not None
    with world.service.database.write() as work:
        mail = inbound._get(work, stored)
        inbound._look(world.service, work, mail)
        turn = mail.details.submission
    with world.service.database.read() as session:
        return mail, session.get_one(Submission, turn)


@pytest.mark.on_postgresql
def test_a_mail_with_a_turn_is_answered_to_who_wrote_it(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    wrote = world.match(match_id).seats[seat].player_id
    mail, _ = in_flight(world, match_id, seat)
    replace(world, match_id, seat)
    inbound.handle(world.service, mail.id)
    (answer,) = Correspondence(world, match_id).answers(mail)
    assert (answer.player_id, answer.seat, answer.entry) == (wrote, None, None)
    assert deliver(world, answer).codes == ["withdrawn"]
    assert world.post.sent[-1][1] == answer.player.email
    assert world.awaited(match_id).seat == seat, "it was not played"


def test_who_is_replaced_is_told_and_their_calendar_is_put_right(
    world: World, game_key: str
) -> None:
    match_id, seat = started(world, game_key)
    world.hear(mail=True)
    asked = world.awaited(match_id)
    shown = row_of(world, match_id, asked.decision).calendar_at
    assert shown is not None
    before = world.match(match_id).seats[seat]
    with at(world, match_id) as (work, match):
        deadlines.extend(world.service, work, match, seat, 3)
    replace(world, match_id, seat)
    (told,) = world.letters(match_id, "cancelled")
    assert (told.player_id, told.seat, told.details_as(CancelledDetails).why) == (
        before.player_id,
        None,
        "replaced",
    )
    letter = deliver(world, told)
    assert "Dan" in letter.said
    assert letter["X-Paleopost"] == "cancelled"
    (event,) = dates(letter)
    assert (event["STATUS"], event["SEQUENCE"]) == ("CANCELLED", 1)
    assert event["DTEND"].dt == shown.replace(microsecond=0)
    assert "URL" not in event, "the page is another's"
    # What the new player's calendar shows is another matter.
    new = [x for x in world.letters(match_id, "turn") if x.decision == asked.decision][-1]
    (date,) = dates(deliver(world, new))
    assert (date["STATUS"], date["UID"]) == ("CONFIRMED", event["UID"])
    assert "URL" in date


def dates(letter: Answer) -> list[Any]:
    """The events of a letter's calendar file."""
    (part,) = [p for p in letter.message.walk() if p.get_content_type() == "text/calendar"]
    file = part.get_payload(decode=True)
    assert isinstance(file, bytes)
    return list(Calendar.from_ical(file).walk("VEVENT"))


@pytest.mark.on_postgresql
def test_who_muted_the_table_is_not_told(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    with at(world, match_id) as (_, match):
        match.seats[seat].muted_at = world.service.now()
    replace(world, match_id, seat)
    (told,) = world.letters(match_id, "cancelled")
    assert told.status == "suppressed"


def test_a_message_goes_out_under_the_name_of_who_said_it(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    before = world.match(match_id).seats[seat]
    with at(world, match_id) as (work, match):
        messages.say(world.service, work, match, seat, "I have to go", "first")
    replace(world, match_id, seat)
    with at(world, match_id) as (work, match):
        messages.say(world.service, work, match, seat, "Hello", "second")
        said = messages.of(work.session, match)
    after = world.match(match_id).seats[seat]
    assert [(x.player_id, x.name) for x in said] == [
        (before.player_id, before.name),
        (after.player_id, after.name),
    ]
    with time_machine.travel(world.service.now() + dt.timedelta(minutes=2)):
        letter = deliver(world, next(x for x in world.letters(match_id, "message") if x.seat == 0))
    assert f"{before.name} and Dan write to the table" in letter.said
    assert letter.said.index(f"{before.name} wrote") < letter.said.index("I have to go")
    assert letter.said.index("Dan wrote") < letter.said.index("Hello")


def test_who_sits_down_may_speak_as_much_as_anybody(world: World, game_key: str) -> None:
    match_id, seat = started(world, game_key)
    for n in range(messages.MOST + 1):
        if n == messages.MOST:
            replace(world, match_id, seat)
        with at(world, match_id) as (work, match):
            messages.say(world.service, work, match, seat, f"word {n}", f"word {n}")


@pytest.mark.on_postgresql
def test_who_takes_over_has_the_whole_bank_and_none_of_the_others_wishes(
    world: World, game_key: str
) -> None:
    match_id = world.begun([BEN, CAM], game_key, pace_days=0, bank_hours=48)
    while (seat := world.awaited(match_id).seat) == 0:
        moves.play(world.service, world.submit(match_id).id)
    with at(world, match_id) as (work, match):
        row = match.seats[seat]
        row.muted_at, row.digest, row.bank_left = world.service.now(), True, 3600
        row.seen_entry = match.last_entry
        deadlines.refresh(world.service, work, match)
    with time_machine.travel(world.service.now(), tick=False):
        replace(world, match_id, seat)
        row = world.match(match_id).seats[seat]
        assert (row.muted_at, row.digest, row.seen_entry) == (None, None, None)
        assert world.awaited(match_id).deadline == world.service.now() + dt.timedelta(hours=48)
    letters = [x for x in world.letters(match_id, "turn") if x.player_id == row.player_id]
    assert [x.status for x in letters] == ["due"]
