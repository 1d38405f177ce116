"""The daily letter: every board playable, and never so long that an inbox cuts it."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest
import time_machine

from service.access.addresses import Addresses
from service.core.models import Key, Player
from service.mail.render.digest import WHOLE
from service.mail.send import delivery
from service.matches.tables import BotSeat
from service.ops import sweep
from service.players import preferences
from tests.support.known_letters import BEGAN
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

TABLES = WHOLE + 3


@pytest.fixture
def digest(own_world: World, game_key: str) -> bytes:
    """The digest of somebody with many tables at which it is their move."""
    world = own_world
    with time_machine.travel(BEGAN, tick=False) as clock:
        ana = world.player("ana@example.org", name="Ana")
        with world.service.database.write() as work:
            player = work.session.get_one(Player, ana.id)
            preferences.change(world.service, work, player, digest=18 * 60, lang="fr")
        for _ in range(TABLES):
            match_id = world.open([BotSeat(bot="random")], game_key)
            while world.awaited(match_id).seat != 0:
                world.hear()
        for hours in (1, 10, 1):
            clock.shift(hours * 3600)
            sweep.sweep(world.service)
            for (letter,) in world.jobs.take("mail.deliver"):
                delivery.deliver(world.service, world.post, letter)
    (sent,) = world.post.sent
    return sent[2]


def test_it_is_whole_and_not_too_long(own_world: World, digest: bytes) -> None:
    message = message_from_bytes(digest, policy=policy.SMTP.clone(raise_on_defect=True))
    assert message["Subject"].startswith(f"{TABLES} parties t’attendent")
    _, text, html, pictures = parts_of(digest)
    to = message["Reply-To"].addresses[0].addr_spec
    assert to.startswith("r+")
    assert to not in text, "nobody could say which board a reply is about"
    # mail.md: never over 90 KB, clients clip
    assert len(html.encode()) < 90_000
    assert sum("board" in cid for cid in pictures) == WHOLE
    assert all(f"cid:{cid}" in html for cid in pictures)
    with own_world.service.database.read() as session:
        decisions = session.query(Key).filter_by(purpose="decision").count()
        assert decisions == TABLES
    assert len({link for link in text.split() if "/t/" in link and "?" not in link}) == TABLES
    addresses = Addresses(own_world.service.settings)
    replies = {word.rstrip(".,") for word in text.split() if word.startswith("r+")}
    assert len(replies) == WHOLE
    assert all(addresses.tag_of(address) for address in replies)


def wants_digests(world: World, lang: str = "en") -> None:
    """Ana wants one letter a day, at six in the evening."""
    ana = world.player("ana@example.org", name="Ana")
    with world.service.database.write() as work:
        player = work.session.get_one(Player, ana.id)
        preferences.change(world.service, work, player, digest=18 * 60, lang=lang)


def daily(world: World, clock: time_machine.Traveller) -> tuple[str, str]:
    """The text and the HTML of what has come by the evening."""
    for hours in (1, 10, 1):
        clock.shift(hours * 3600)
        sweep.sweep(world.service)
        for (letter,) in world.jobs.take("mail.deliver"):
            delivery.deliver(world.service, world.post, letter)
    _, text, html, _ = parts_of(world.post.sent[-1][2])
    return text, html


@pytest.mark.parametrize(
    ("lang", "alert"), [("en", "holds 4 camps"), ("fr", "tient 4 camps")], ids=["en", "fr"]
)
def test_what_decides_a_match_is_said_of_it_in_the_digest_as_in_its_letter(
    own_world: World, monkeypatch: pytest.MonkeyPatch, lang: str, alert: str
) -> None:
    """Of the boards, in the line that inboxes show, and of those that have no room."""
    near = lambda view: [(1, 4, True)]  # noqa: E731
    monkeypatch.setattr("engine.mammoths.presentation.telling.contenders", near)
    monkeypatch.setattr("service.mail.render.digest.WHOLE", 1)
    world = own_world
    with time_machine.travel(BEGAN, tick=False) as clock:
        wants_digests(world, lang)
        for _ in range(2):
            world.open([BotSeat(bot="random")], "mammoths")
            world.hear()
        text, html = daily(world, clock)
    assert " ".join(text.split()).count(alert) == 2
    preheader, _, body = html.partition("<h1")
    assert alert in preheader
    assert body.count(alert) == 2


def test_in_the_middle_of_a_turn_it_asks_for_the_rest(own_world: World) -> None:
    """What its reader has just done is no news "since your last turn", and there is no rest to
    plan; what they secretly aim at is said.
    """
    world = own_world
    with time_machine.travel(BEGAN, tick=False) as clock:
        wants_digests(world)
        match = world.open([BotSeat(bot="random")], "fire_and_stone")
        while (asked := world.awaited(match)).seat != 0 or asked.kind == "move":
            if asked.seat == 0:
                world.submit(match)
            world.hear()
        text, html = daily(world, clock)
    for letter in (text, html):
        assert "Your turn is not over." in letter
        assert "Finish my turn" in letter
        assert "So far in this turn" in letter
        assert "Plan the rest" not in letter
        assert "Your secret objective" in letter


def test_the_other_ways_to_answer_stand_with_the_choices(own_world: World) -> None:
    """Not below the cards of a board that stands under these."""
    world = own_world
    with time_machine.travel(BEGAN, tick=False) as clock:
        wants_digests(world)
        match = world.open([BotSeat(bot="random")], "fire_and_stone")
        while world.awaited(match).seat != 0:
            world.hear()
        _, html = daily(world, clock)
    ways = ("What you can do", "All other turns", "number of a choice<", "How you stand")
    assert sorted(map(html.index, ways)) == [html.index(way) for way in ways]


def test_every_board_has_its_date_in_the_calendar(digest: bytes) -> None:
    message = message_from_bytes(digest, policy=policy.SMTP)
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/calendar"]
    file = part.get_payload(decode=True)
    assert isinstance(file, bytes)
    assert file.count(b"BEGIN:VEVENT") == TABLES


def test_a_conversation_a_turn_has_the_turn_in_its_subject(own_world: World, game_key: str) -> None:
    subjects, roots = [], []
    with time_machine.travel(BEGAN, tick=False) as clock:
        ana = own_world.player("ana@example.org", name="Ana")
        with own_world.service.database.write() as work:
            player = work.session.get_one(Player, ana.id)
            preferences.change(own_world.service, work, player, thread="turn")
        match_id = own_world.open([BotSeat(bot="random")], game_key)
        for _ in range(2):
            while own_world.awaited(match_id).seat != 0:
                own_world.hear()
            clock.shift(60)
            letter = own_world.letters(match_id, "turn")[-1]
            assert delivery.deliver(own_world.service, own_world.post, letter.id)
            message = parts_of(own_world.post.sent[-1][2])[0]
            subjects.append(message["Subject"])
            roots.append(message["References"])
            assert f", turn {(letter.entry or 0) + 1}" in message["Subject"]
            own_world.submit(match_id)
            own_world.hear()
    assert len(set(subjects)) == len(set(roots)) == 2
    assert "your turn." in subjects[1]
