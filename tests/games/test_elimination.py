"""Who is out of the game by its rules: told at once, asked nothing, waited for by nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.chance import seed_hash
from service.access.links import Links
from service.core import locks
from service.core.errors import Refused
from service.core.models import DecisionRow, Match
from service.core.statuses import TimeoutPolicy
from service.dev.app import create_app
from service.matches import expiry, leaving, reading
from service.matches.tables import Guest
from service.time import nudging, pausing
from tests.games.playing import opened, starve
from tests.support.correspondence import Correspondence
from tests.support.letters_to_png import parts_of
from tests.support.reader import Reader
from tests.support.snapshots import once
from tests.support.tables import Jobs, World

GAMES = Path(__file__).resolve().parent.parent / "fixtures" / "games"


@pytest.fixture
def out(world: World, toy: str) -> int:
    """A match of four people, of whom seat 1 has just gone out."""

    def starved() -> int:
        number = opened(world, toy, 4, options={"rounds": 5})
        starve(world, number, 1)
        return number

    number = once(world, "seat 1 is out", starved)
    match = world.match(number)
    assert [row.is_out for row in match.seats] == [False, True, False, False]
    assert match.status == "playing"
    return number


def test_who_goes_out_is_told_at_once(world: World, out: int) -> None:
    letters = [letter for letter in world.letters(out) if letter.kind == "notice"]
    assert [(letter.seat, letter.entry) for letter in letters] == [
        (1, world.match(out).seats[1].out_entry)
    ]
    sent = [parts_of(raw) for _, to, raw in world.post.sent if to == "g0@example.org"]
    message, text, html, _ = sent[-1]
    assert message["Subject"].startswith(f"{world.match(out).name}: "), "as all of the match"
    assert text.startswith("You cannot eat and are out.")
    for said in (text, html):
        assert "The game goes on without you" in " ".join(said.split())


def test_who_plays_no_more_hears_of_the_end_to_come(world: World) -> None:
    """S§11.4: the turn of the one before shows that nothing can be laid any more."""
    record = json.loads((GAMES / "one-out-2.json").read_text(encoding="utf-8"))
    number = world.open([Guest(address="bob@example.org", name="Bob")], "sapiens")
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, number)
        match.seed = bytes.fromhex(record["seed"])
        match.seed_hash = seed_hash(match.seed)
    world.everybody_accepts(number)
    for entry in record["entries"]:
        assert not world.letters(number, "notice")
        world.submit(number, "\n".join(entry["text"]))
        world.hear()
        if any(event["kind"] == "out" for event in entry["events"]):
            break
    world.hear(mail=True)
    assert len(world.letters(number, "notice")) == 1
    (raw,) = [raw for _, _, raw in world.post.sent if b"X-Paleopost: notice" in raw]
    _, text, html, _ = parts_of(raw)
    for said in (" ".join(text.split()), html):
        assert "you keep your points and play no more" in said
        assert "your score stands, and may still win" in said
        assert "A letter comes when it is yours" not in said
        assert "To the end: " in said
        assert "To see how it is going, reply “status”" in said


def test_a_notice_is_no_letter_besides_one_that_tells_it(world: World, toy: str) -> None:
    """Two play; one starves; the game is over, and the last letter says so."""
    number = opened(world, toy, 2)
    starve(world, number, 1)
    assert world.match(number).status == "ended"
    assert not world.letters(number, "notice")


def test_nobody_waits_for_who_is_out(world: World, out: int) -> None:
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, out)
        pause = pausing.ask(world.service, work, match, 0, 3)
        assert [row.seat for row in pausing.waits_for(match, pause)] == [2, 3]
        told = [x.seat for x in world.letters(out, "news")]
        assert 1 not in told
        for change in (
            lambda: pausing.ask(world.service, work, match, 1, 3),
            lambda: pausing.answer(world.service, work, match, 1, agree=False),
            lambda: nudging.nudge(world.service, work, match, 1),
        ):
            with pytest.raises(Refused) as refused:
                change()
            assert refused.value.code == "out_of_game"


def test_who_is_out_sleeps_without_being_counted(world: World, out: int) -> None:
    """All who are in play have slept; that seat 1 was awake when it went out changes nothing."""
    with world.changing() as work:
        locked = locks.lock_number(world.service, work, out)
        locked.timeout = TimeoutPolicy.DEFAULT
    for _ in range(40):
        match = world.match(out)
        if match.paused_at is not None or match.status != "playing":
            break
        row = world.awaited(out)
        with world.changing() as work:
            asked = work.session.get_one(DecisionRow, (out, row.decision))
            asked.deadline = world.service.now()
        expiry.expire(world.service, out, row.decision)
        world.hear(mail=True)
    assert match.paused_at is not None


def test_giving_up_changes_nothing_for_who_is_out(world: World, out: int) -> None:
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, out)
        with pytest.raises(Refused) as refused:
            leaving.resign(world.service, work, match, 1)
    assert refused.value.code == "out_of_game"
    row = world.match(out).seats[1]
    assert (row.left_at, row.stand_in) == (None, None)


def test_two_are_left_when_one_is_out_and_one_gives_up(world: World, toy: str) -> None:
    """Of three, one is out: when another gives up, only one goes on, and has won."""
    number = opened(world, toy, 3)
    starve(world, number, 1)
    stays, goes = 0, 2
    with world.service.database.write() as work:
        leaving.resign(world.service, work, locks.lock_number(world.service, work, number), goes)
    match = world.match(number)
    outcome = reading.outcome_of(match)
    assert outcome is not None
    assert outcome.winners == (stays,)


def test_all_readers_see_who_is_out(world: World, out: int) -> None:
    with world.service.database.read() as session:
        match = session.get_one(Match, out)
        for reader in (None, 0, 1):
            assert reading.match_view(session, match, reader).out == (1,)
            before = (match.seats[1].out_entry or 0) - 1
            assert reading.match_view(session, match, reader, before).out == ()


def test_an_end_without_winners_is_told_as_one(world: World, toy: str) -> None:
    number = opened(world, toy, 2, seed=1, options={"rounds": 5})
    starve(world, number, 0, 1)
    match = world.match(number)
    outcome = reading.outcome_of(match)
    assert outcome is not None
    assert (outcome.winners, outcome.termination) == ((), "starved")
    ends = [parts_of(raw) for _, _, raw in world.post.sent][-2:]
    said = [" ".join(text.split()) for _, text, _, _ in ends]
    assert all("Nobody wins: all have lost. " in text for text in said)
    for link in (Links(world.service).seat(match, 0), Links(world.service).watch(match)):
        reader = Reader(create_app(world.service.settings, Jobs()).test_client())
        page = reader.look(link)
        assert page.status == 200
        assert "Nobody wins: all have lost." in page.text


def test_pages_say_who_is_out(world: World, out: int) -> None:
    match = world.match(out)
    links = Links(world.service)
    reader = Reader(create_app(world.service.settings, Jobs()).test_client())
    own = reader.look(links.seat(match, 1))
    assert "The game goes on without you" in own.text
    assert "Give up this game" not in own.text
    for page in (own, reader.look(links.seat(match, 0)), reader.look(links.watch(match))):
        assert "Bea (out)" in page.text


def test_replies_of_who_is_out_say_so(world: World, out: int) -> None:
    """What they ask for they get, but they have no say, and nothing to give up."""
    mail = Correspondence(world, out)
    for word in ("pause 3 days", "resign", "nudge"):
        said = mail.answer(mail.reply(1, word)).text
        assert "you have no say in how it goes on" in " ".join(said.split()), word
    listed = " ".join(mail.answer(mail.reply(1, "status")).text.split())
    assert "(you are out of it)" in listed
    assert "The game goes on without you, and nothing more is asked of you" in listed
    assert "Now it is the move of" not in listed
    told = " ".join(mail.answer(mail.reply(1, "history")).text.split())
    assert "You cannot eat and are out." in told
