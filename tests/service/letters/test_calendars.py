"""The calendar file of a deadline: put there, moved and taken out by later letters."""

from __future__ import annotations

import datetime as dt
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
import time_machine
from icalendar import Calendar

from service.core import locks
from service.core.letter_details import PauseBegun
from service.core.statuses import LetterStatus
from service.mail.send import delivery
from service.matches.tables import Guest
from service.outgoing import news
from service.time import deadlines
from tests.support.tables import World

STRICT = policy.SMTP.clone(raise_on_defect=True)
NOON = dt.datetime(2026, 11, 21, 11, 0, tzinfo=dt.UTC)


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


def table(world: World, game_key: str) -> int:
    """A match of two people; its id."""
    return world.begun([Guest(address="ben@example.org", name="Benoît, né Ünlü")], game_key)


def send(world: World, match_id: int) -> None:
    """Deliver all that is due."""
    for letter in world.letters(match_id):
        delivery.deliver(world.service, world.post, letter.id)


def events(raw: bytes) -> list[Any]:
    """The events of a letter's file, read by another than its writer where that matters."""
    message = message_from_bytes(raw, policy=STRICT)
    assert isinstance(message, EmailMessage)
    files = [p for p in message.walk() if p.get_content_type() == "text/calendar"]
    if not files:
        return []
    (part,) = files
    assert part["Content-Type"].params["method"] == "PUBLISH"
    assert part.get_content_disposition() == "attachment"
    raw_file = part.get_payload(decode=True)
    assert isinstance(raw_file, bytes)
    # RFC 5545 §3.1: lines of 75 octets at most, all ended by CRLF
    lines = raw_file.split(b"\r\n")
    assert lines[-1] == b""
    assert max(map(len, lines)) <= 75
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    calendar = Calendar.from_ical(raw_file)
    assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
    assert calendar["PRODID"]
    found: list[Any] = list(calendar.walk("VEVENT"))
    for event in found:
        assert not event.errors
        for name in ("UID", "DTSTAMP", "DTSTART", "DTEND", "SEQUENCE", "SUMMARY", "URL", "STATUS"):
            assert name in event
        for name in ("DTSTART", "DTEND", "DTSTAMP"):
            assert event[name].dt.utcoffset() == dt.timedelta(0)
    return found


def to(world: World, seat: int, match_id: int) -> list[bytes]:
    """What was sent to this seat."""
    player = world.match(match_id).seats[seat].player
    assert player is not None
    return [raw for _, whom, raw in world.post.sent if whom == player.email]


def test_a_deadline_is_put_moved_and_taken_out(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        row = world.awaited(match_id)
        me = row.seat
        send(world, match_id)
        (event,) = events(to(world, me, match_id)[-1])
        assert event["DTEND"].dt == row.deadline
        assert event["DTSTART"].dt == row.deadline - dt.timedelta(minutes=30)
        assert (event["SEQUENCE"], event["STATUS"]) == (0, "CONFIRMED")
        assert event["UID"].startswith(f"{world.match(match_id).code}.{me}.")
        (alarm,) = event.walk("VALARM")
        assert alarm["TRIGGER"].dt == dt.timedelta(hours=-3, minutes=-30)
        assert world.match(match_id).seats[1 - me].name in event["SUMMARY"]

        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, match_id)
            deadlines.extend(world.service, work, match, me, 2)
        moved = world.awaited(match_id).deadline
        assert moved is not None
        clock.move_to(moved - dt.timedelta(hours=20))
        send(world, match_id)
        (again,) = events(to(world, me, match_id)[-1])
        assert again["UID"] == event["UID"]
        assert (again["DTEND"].dt, again["SEQUENCE"], again["STATUS"]) == (moved, 1, "CONFIRMED")

        world.submit(match_id)
        world.hear()
        world.submit(match_id)
        world.hear()
        send(world, match_id)
        over, new = events(to(world, me, match_id)[-1])
        assert (over["UID"], over["SEQUENCE"], over["STATUS"]) == (event["UID"], 2, "CANCELLED")
        assert over.walk("VALARM") == []
        assert (new["SEQUENCE"], new["STATUS"]) == (0, "CONFIRMED")
        assert new["UID"] != event["UID"]


def test_a_letter_sent_again_holds_the_same_file(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        letter = next(x for x in world.letters(match_id, "turn"))
        sent = []
        for _ in range(3):
            assert delivery.deliver(world.service, world.post, letter.id)
            sent.append(world.post.sent[-1][2])
            with world.service.database.write() as work:
                # A sender that died before it could say so
                found = work.session.get_one(type(letter), letter.id)
                found.status, found.due_at = LetterStatus.SENDING, world.service.now()
            clock.shift(600)
        assert events(sent[0])
        assert sent[0] == sent[1] == sent[2]


def test_a_clock_that_is_held_is_taken_out(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        me = world.awaited(match_id).seat
        send(world, match_id)
        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, match_id)
            match.paused_at = world.service.now()
            work.session.flush()
            deadlines.refresh(world.service, work, match)
            news.tell(world.service, work, match, PauseBegun(until=world.service.now()), 1)
        clock.shift(60)
        send(world, match_id)
        (event,) = events(to(world, me, match_id)[-1])
        assert (event["SEQUENCE"], event["STATUS"]) == (1, "CANCELLED")
        other = to(world, 1 - me, match_id)[-1]
        assert events(other) == [], "nothing was in that calendar"


def test_the_letter_comes_before_the_file(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False):
        match_id = table(world, game_key)
        send(world, match_id)
        raw = to(world, world.awaited(match_id).seat, match_id)[-1]
    message = message_from_bytes(raw, policy=STRICT)
    kinds = [part.get_content_type() for part in message.walk()]
    # The board's picture, and those of the choices
    assert kinds.count("image/png") > 1
    assert list(dict.fromkeys(kinds)) == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
    ]
    assert max(len(x) for x in raw.split(b"\r\n") if not x.startswith((b"List-", b" <mail"))) <= 78
