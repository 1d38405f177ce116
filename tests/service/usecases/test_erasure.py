"""Erasing a player: nothing is left of them, and the matches of others stay what they were."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import time_machine
from sqlalchemy import select, text
from zlib_ng import zlib_ng

from engine import record, verification
from engine.games import games
from service.access.links import Links
from service.core.db import Database, NoQueue
from service.core.keys import seat_scope
from service.core.letter_details import DeclinedDetails, details_of
from service.core.models import Base, InboundMail, Key, Letter, Match, Player, Submission
from service.core.statuses import (
    LeaveReason,
    LetterStatus,
    MatchStatus,
    SeatStatus,
    StopReason,
    SubmissionStatus,
)
from service.mail.receive import inbound
from service.mail.send import delivery
from service.mail.send.smtp import NotTaken, SmtpFailure
from service.matches import (
    erasure,
    hosting,
    messages,
    moves,
    own_data,
    private_notes,
    records,
    seating,
    tables,
)
from service.matches.tables import Guest, OpenSeat
from service.outgoing import identity
from service.players import aliases
from service.render.bots import shown_name
from service.time import absence
from tests.support.correspondence import Correspondence
from tests.support.snapshots import once
from tests.support.tables import World

pytestmark = pytest.mark.on_postgresql

BEGAN = dt.datetime(2026, 11, 23, 9, 0, tzinfo=dt.UTC)
ZOE, ZOE_NAME, ALIAS = "zoe.quill@example.org", "Zoé Quill", "quill@work.example.com"
OTHERS = [
    Guest(address=ZOE, name=ZOE_NAME),
    Guest(address="ben@example.org", name="Ben"),
]


@pytest.fixture(autouse=True)
def still() -> Iterator[None]:
    """The clock stands still, so that what is lived once can be copied."""
    with time_machine.travel(BEGAN, tick=False):
        yield


def everything(world: World) -> list[tuple[str, str, str]]:
    """Every value of every column of every table as text, packed letters unpacked."""
    found = []
    with world.service.database.read() as session:
        for table in Base.metadata.sorted_tables:
            query = f'SELECT * FROM "{table.name}"'  # noqa: S608 (as stored, not as we read it)
            for row in session.connection().exec_driver_sql(query):
                for column, value in row._mapping.items():
                    if isinstance(value, memoryview):
                        value = bytes(value)
                    if (table.name, column) == ("letter", "message") and value is not None:
                        value = zlib_ng.decompress(value)
                    if isinstance(value, bytes):
                        value = value.decode(errors="replace")
                    if isinstance(value, str) and "\\u" in value:
                        with suppress(ValueError):  # drawn bytes may look like an escape, too
                            value += json.dumps(json.loads(value), ensure_ascii=False)
                    found.append((table.name, column, str(value)))
    return found


def traces(world: World, *words: str) -> set[tuple[str, str]]:
    """The columns that hold one of these words, in whatever case."""
    return {
        (table, column)
        for table, column, text in everything(world)
        if any(word.lower() in text.lower() for word in words)
    }


def start(world: World, game_key: str) -> int:
    """A match to whose chance everybody has added something."""
    match_id = world.open(OTHERS, game_key, part=bytes(32))
    for guest in OTHERS:
        token = world.service.keys.token("invitation", match_id, world.player(guest.address).id)
        with world.service.database.write() as work:
            tables.answer(world.service, work, token, "accept", bytes(32))
    world.hear(mail=True)
    return match_id


def play(world: World, match_id: int, turns: int) -> None:
    while turns and world.match(match_id).status == MatchStatus.PLAYING:
        world.submit(match_id, said=f"{ZOE_NAME} was here")
        world.hear(mail=True)
        turns -= 1


def say(world: World, match_id: int, seat: int, text: str) -> None:
    with world.service.database.write() as work:
        match = work.session.get_one(Match, match_id)
        messages.say(world.service, work, match, seat, text, f"{match_id}.{seat}.{text[:9]}")


def lived(world: World, game_key: str) -> tuple[int, int]:
    """Zoé everywhere: a match that is over and one that goes on, words of hers and about her,
    mails, another address, days away. Both matches.
    """
    name = ("Zoé everywhere", game_key)
    ended = once(world, name, lambda: _live(world, game_key), on_postgresql=True)
    return ended, ended + 1


def _live(world: World, game_key: str) -> int:
    ended, playing = start(world, game_key), start(world, game_key)
    assert playing == ended + 1
    zoe = world.player(ZOE)
    with world.service.database.write() as work:
        me = work.session.get_one(Player, zoe.id)
        aliases.add(world.service, work, me, ALIAS)
        today = world.service.now().date()
        absence.add(world.service, work, me, today.replace(day=28), today.replace(day=28))
    play(world, ended, 1000)
    play(world, playing, 4)
    for match_id in (ended, playing):
        say(world, match_id, 1, f"I am {ZOE_NAME}, of {ZOE}")
        say(world, match_id, 2, f"Hello {ZOE_NAME}! ({ZOE})")
        mails = Correspondence(world, match_id)
        mails.reply(1, f"note ask {ZOE_NAME} about the cave")
        mails.reply(2, f"note {ZOE_NAME} bluffs")
        mails.reply(2, f"xyzzy {ZOE_NAME}")
        mails.send(ZOE, "nobody@paleopost.test", "Hello?")
        with world.service.database.write() as work:
            match = work.session.get_one(Match, match_id)
            private_notes.add(world.service, work, match, 1, f"{ZOE_NAME} notes")
            private_notes.add(world.service, work, match, 2, f"watch {ZOE_NAME}")
    world.hear(mail=True)
    return ended


def record_of(world: World, match_id: int) -> record.Record:
    with world.service.database.read() as session:
        made = record.decode(records.export(session, session.get_one(Match, match_id)))
    with suppress(verification.Unfinished):
        verification.verify(made, games())
    return made


def erase(world: World, address: str = ZOE) -> bool:
    with world.service.database.read() as session:
        number = session.scalar(select(Player.id).where(Player.email == address))
    return number is not None and erasure.erase(world.service, number)


def test_nothing_is_left_and_records_verify(world: World, game_key: str) -> None:
    ended, playing = lived(world, game_key)
    assert len(traces(world, ZOE, "Zoé Quill", ALIAS)) > 8, "else there was nothing to erase"
    before = record_of(world, ended)
    old = world.match(playing).seats[1]
    seat_link = world.service.keys.token("seat", *seat_scope(old))

    assert erase(world)
    assert traces(world, ZOE, "Zoé Quill", ALIAS, "quill") == set()
    assert not erase(world), "again there is nobody"

    after = record_of(world, ended)
    assert (after.seed, after.entries, after.outcome) == (
        before.seed,
        before.entries,
        before.outcome,
    )
    assert [e.digest for e in after.entries] == [e.digest for e in before.entries]
    assert after.names == ("Ana", "Former player", "Ben")
    assert after.fairness is not None
    assert [part.name for part in after.fairness.parts] == ["Ana", "Former player", "Ben"]
    assert shown_name(game_key, None, "Former player", "fr") == "Ancien joueur"

    # The match goes on without her, to an end that verifies.
    row = world.match(playing).seats[1]
    assert (row.left_why, row.stand_in is not None) == (LeaveReason.RESIGNED, True)
    assert row.player is not None
    assert row.player.stopped_why is StopReason.ERASED
    with world.service.database.read() as session:
        assert world.service.keys.find(session, seat_link, "seat") is None
        for letter in session.scalars(select(Letter)):
            details_of(letter.kind, letter.stored_details)
    world.hear(mail=True)
    play(world, playing, 1000)
    world.hear(mail=True)
    assert record_of(world, playing).outcome is not None
    assert traces(world, ZOE, ALIAS) == set()
    owed = [x for x in world.letters() if x.player_id == row.player_id]
    assert {x.status for x in owed} <= {LetterStatus.SUPPRESSED}
    assert not any(to == ZOE for _, to, _ in world.post.sent[-20:])


def test_the_file_keeps_nothing_that_was_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where SQLite was built to leave in its free pages what was there."""
    path, secret = tmp_path / "paleopost.db", ZOE * 100
    known = sqlite3.dbapi2.connect

    def built_otherwise(*args: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = known(*args, **options)
        connection.execute("PRAGMA secure_delete=OFF")
        return connection

    monkeypatch.setattr(sqlite3.dbapi2, "connect", built_otherwise)
    database = Database(f"sqlite:///{path}", NoQueue())
    with database.write() as work:
        work.session.execute(text("CREATE TABLE kept (said TEXT)"))
        work.session.execute(text("INSERT INTO kept VALUES (:said)"), {"said": secret})
    database.dispose()
    assert ZOE.encode() in path.read_bytes()
    with database.write() as work:
        work.session.execute(text("DELETE FROM kept"))
    database.dispose()
    assert ZOE.encode() not in path.read_bytes()


def test_a_mail_from_an_erased_address_is_a_strangers(world: World, game_key: str) -> None:
    match_id = start(world, game_key)
    mails = Correspondence(world, match_id)
    to = mails.address(1)
    erase(world)
    letters = len(world.letters())
    mail = mails.send(ZOE, to, "status")
    assert mail.verdict == "stranger"
    assert len(world.letters()) == letters, "nobody is answered"
    # Whoever has the address can begin anew, as somebody else.
    assert world.player(ZOE).name != ZOE_NAME


def test_a_turn_of_somebody_else_that_names_them_is_played_and_then_forgotten(
    world: World, game_key: str
) -> None:
    match_id = start(world, game_key)
    while world.awaited(match_id).seat != 2:
        play(world, match_id, 1)
    mails = Correspondence(world, match_id)
    decision = world.awaited(match_id).decision
    turn, to = world.legal_turn(match_id, 2, decision), mails.address(2, decision)
    raw = mails.written("ben@example.org", to, f"{turn}\n\n> {ZOE_NAME} <{ZOE}> wrote:\n> Hm.")
    taken = mails.take(raw, to, "ben@example.org")
    before = world.match(match_id).last_entry
    erase(world)
    assert taken is not None
    assert inbound.handle(world.service, taken).verdict == "played"
    assert world.match(match_id).last_entry > before
    world.hear(mail=True)
    assert traces(world, ZOE, ZOE_NAME) == set()


def test_tables_that_have_not_begun(world: World, game_key: str) -> None:
    invited = world.open([OTHERS[0], OTHERS[1]], game_key)
    accepted = world.open([OTHERS[0], OTHERS[1]], game_key)
    zoe = world.player(ZOE)
    with world.service.database.write() as work:
        token = world.service.keys.token("invitation", accepted, zoe.id)
        tables.answer(world.service, work, token, "accept")
        host = work.session.get_one(Player, zoe.id)
        own = tables.open_table(
            world.service,
            work,
            host,
            game_key,
            [Guest(address="ben@example.org", name="Ben"), OpenSeat()],
            greeting=f"Yours, {ZOE_NAME}",
        ).id
        seating.make_join_link(world.service, work, work.session.get_one(Match, own))
    erase(world)
    for match_id in (invited, accepted):
        match = world.match(match_id)
        assert match.status == MatchStatus.INVITING
        assert len(match.empty_seats) == 1
        assert [
            x.details_as(DeclinedDetails).guest for x in world.letters(match_id, "declined")
        ] == ["Former player"]
    match = world.match(own)
    assert (match.status, match.join_until, match.greeting) == ("cancelled", None, None)
    assert traces(world, ZOE, ZOE_NAME) == set()


def test_who_was_replaced_before_and_two_who_are_erased(world: World, game_key: str) -> None:
    match_id = start(world, game_key)
    play(world, match_id, 3)
    with world.service.database.write() as work:
        match = work.session.get_one(Match, match_id)
        hosting.replace(
            world.service, work, match, 1, Guest(address="carl@example.org", name="Carl")
        )
    with world.service.database.write() as work:
        carl = work.session.scalars(select(Player).where(Player.email == "carl@example.org")).one()
        token = world.service.keys.token("invitation", match_id, carl.id)
        tables.answer(world.service, work, token, "accept")
    play(world, match_id, 2)
    erase(world)
    assert traces(world, ZOE, ZOE_NAME) == set()
    row = world.match(match_id).seats[1]
    assert (row.name, row.left_at, set((row.former or {}).values())) == (
        "Carl",
        None,
        {"Former player"},
    )
    erase(world, "ben@example.org")
    assert world.match(match_id).seats[2].name == "Former player 2"
    assert record_of(world, match_id).seats == 3


def test_a_turn_that_waits_is_played_whatever_the_erased_player_was_called(
    world: World, game_key: str
) -> None:
    match_id = start(world, game_key)
    while world.awaited(match_id).seat == 1:
        play(world, match_id, 1)
    waiting = world.submit(match_id)
    word = max(re.findall(r"[a-z]+", waiting.body), key=len)
    with world.changing() as work:
        row = work.session.get_one(Match, match_id).seats[1]
        row.name = word
        assert row.player is not None
        row.player.name = word
    before = world.match(match_id).last_entry
    erase(world)
    with world.service.database.read() as session:
        assert session.get_one(Submission, waiting.id).body == waiting.body
    world.hear()
    assert world.match(match_id).last_entry > before
    with world.service.database.read() as session:
        assert session.get_one(Submission, waiting.id).status == SubmissionStatus.PLAYED


def test_what_may_have_left_is_written_anew_under_another_message_id(
    world: World, game_key: str
) -> None:
    match_id = start(world, game_key)
    world.hear(mail=True)
    world.post.fail_after = NotTaken(SmtpFailure.AFTER_DATA, "no reply to the text")
    while not any(letter.message for letter in others(world, match_id)):
        moves.play(world.service, world.submit(match_id).id)
        for job in world.jobs.take("mail.deliver"):
            delivery.deliver(world.service, world.post, *job)
    before = {
        letter.id: identity.message_id(world.service, letter)
        for letter in others(world, match_id)
        if letter.message
    }
    erase(world)
    after = [letter for letter in others(world, match_id) if letter.id in before]
    assert after
    for letter in after:
        assert letter.message is None
        assert identity.message_id(world.service, letter) != before[letter.id]


def others(world: World, match_id: int) -> list[Letter]:
    """The letters of a match that are not Zoe's."""
    return [letter for letter in world.letters(match_id) if letter.player.email != ZOE]


def test_broken_off_it_has_not_happened(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(world, game_key)
    before = everything(world)

    def dies(*_: object) -> None:
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as broken:
        broken.setattr(erasure, "_forget_letters", dies)
        with pytest.raises(RuntimeError):
            erase(world)
    assert everything(world) == before
    assert erase(world)


def test_the_export_has_what_is_theirs_alone(world: World, game_key: str) -> None:
    lived(world, game_key)
    with world.service.database.read() as session:
        zoe = session.scalars(select(Player).where(Player.email == ZOE)).one()
        data = own_data.collect(session, zoe, world.service.now())
        received = len(session.scalars(select(Letter).where(Letter.player_id == zoe.id)).all())
        secrets = [
            value.hex()
            for match in session.scalars(select(Match))
            for value in (match.seed, match.secret or b"")
        ]
        assert session.scalars(select(InboundMail).where(InboundMail.player_id == zoe.id)).all()
        assert session.scalars(select(Key).where(Key.player_id == zoe.id)).all()
    text = own_data.encode(data).decode()
    assert msgspec.json.decode(text, type=own_data.OwnData) == data
    assert data.profile.address == ZOE
    assert [each.address for each in data.profile.other_addresses] == [ALIAS]
    assert len(data.profile.days_away) == 1
    ended, playing = data.places
    assert (ended.status, playing.status) == ("ended", "playing")
    assert ended.score is not None
    assert (playing.score, playing.won) == (None, None)
    assert f"{ZOE_NAME} notes" in (playing.note or "")
    assert {turn.seat for turn in data.turns} == {1}
    assert any(turn.line for turn in data.turns)
    assert [each.text for each in data.messages] == [f"I am {ZOE_NAME}, of {ZOE}"] * 2
    assert len(data.letters) == received
    assert "bluffs" not in text
    assert "Hello Zo" not in text
    assert "ana@" not in text
    assert "ben@" not in text
    assert not any(secret in text for secret in secrets if secret)
    assert SeatStatus.ACCEPTED in {place.answer for place in data.places}
    assert Links(world.service).seat(world.match(2), 1).rpartition("/")[2] not in text
