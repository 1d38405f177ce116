"""An installation of an earlier version is upgraded in the middle of its matches, and goes on.

`tests/fixtures/databases` has what programs of earlier versions left, each by its newest migration:
0002 of 21 November 2026 and 0010 of the day after, with matches of Sapiens; 0021 of the hour in
which the last of the other games was offered, with matches of one of these. A copy
(`service.ops.backup`) has all rows as they wrote them; beside it stands what was outside, which
nobody can change any more: the links and addresses of letters they had sent.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from email import message_from_bytes
from itertools import count
from pathlib import Path

import msgspec
import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select

from engine.games import games
from engine.record import decode
from engine.verification import verify
from service.access.addresses import Addresses
from service.core import schema
from service.core.db import Database
from service.core.models import InboundMail, Letter, Match, Submission
from service.core.statuses import LetterStatus, MatchStatus, SubmissionStatus
from service.mail.receive import inbound
from service.matches import records
from service.ops import backup, upkeep
from service.outgoing import identity
from service.web.app import create_app
from tests.support.cases import all_of_them
from tests.support.correspondence import Correspondence
from tests.support.postgresql import Cluster
from tests.support.reader import Reader
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import Days, days

LEFT = Path(__file__).resolve().parents[2] / "fixtures" / "databases"
pytestmark = pytest.mark.rarely("0010", "0021-fire_and_stone")

VERSIONS = ("0002", "0010", "0021-fire_and_stone", "0021-mammoths")
KEEN = "greedy"
"""The bot that writes turns here: the default player of some games only waits."""
AWAY = dt.timedelta(minutes=5)
"""How long the upgrade took: too short to be an outage."""
PLAYED_OUT = {
    ("0002", "sqlite"),
    ("0021-fire_and_stone", "sqlite"),
    ("0021-mammoths", "postgresql"),
}
"""Where `make test` plays a match of each game to its end, as `make test-all` does everywhere."""
WRITTEN = 4
"""Turns after which letters are sent at the end alone, those that are still wanted."""


class Table(msgspec.Struct, frozen=True):
    """A match as the earlier program left it, and the letter that its player has: to whom, its
    Message-ID, and where its links, replies and reports lead.
    """

    id: int
    seat: int = 0
    decision: str = ""
    submission: int = 0
    mail: int = 0
    to: str = ""
    message_id: str = ""
    reply_to: str = ""
    bounces_to: str = ""
    links: dict[str, str] = {}


class Left(msgspec.Struct, frozen=True):
    """The newest migration of the earlier program, when it stopped, and its matches by what is to
    be seen in each.
    """

    version: str
    at: dt.datetime
    matches: dict[str, Table]


class Upgraded(World):
    """An installation after its upgrade, and what was there before."""

    def __init__(self, app: Flask, jobs: Jobs, left: Left) -> None:
        super().__init__(app.extensions["paleopost"], jobs)
        self.app = app
        self.left = left

    def entries(self, name: str) -> int:
        """How many entries this match has."""
        return self.match(self.left.matches[name].id).last_entry

    def letter_names(self) -> Counter[str]:
        """The Message-IDs that went out since, and how often."""
        return Counter(str(message_from_bytes(raw)["Message-ID"]) for *_, raw in self.post.sent)


def of_version(version: str, url: str) -> Left:
    """Put what was left into an empty database, at its version."""
    path = LEFT / f"{version}.gz"
    left = msgspec.json.decode((LEFT / f"{version}.json").read_bytes(), type=Left)
    database = Database(url, Jobs())
    with database.write() as work:
        connection = work.session.connection()
        schema.bring_to(connection, left.version)
        backup.load(path, backup.check(path), connection)
    database.dispose()
    return left


class Installations:
    """Earlier installations, each upgraded once, as docs/operating.md has it, a few minutes after
    it was stopped; nothing has run since. Tests have copies.
    """

    def __init__(self, folder: Path, cluster: Callable[[], Cluster]) -> None:
        self._folder = folder
        self._cluster = cluster
        self._upgraded: dict[tuple[str, str], tuple[str, Left]] = {}

    def copy(self, version: str, kind: str, folder: Path) -> tuple[str, Left]:
        """The URL of a database of this kind that was of this version, and what was left."""
        if (version, kind) not in self._upgraded:
            if kind == "sqlite":
                url = f"sqlite:///{self._folder}/{version}.db"
            else:
                url = self._cluster().create()
            self._upgraded[version, kind] = (url, self._upgrade(version, url))
        known, left = self._upgraded[version, kind]
        if kind == "sqlite":
            shutil.copy(known.removeprefix("sqlite:///"), folder / "upgraded.db")
            return f"sqlite:///{folder}/upgraded.db", left
        return self._cluster().create(known.rpartition("/")[2]), left

    @staticmethod
    def _upgrade(version: str, url: str) -> Left:
        left = of_version(version, url)
        with time_machine.travel(left.at + AWAY, tick=False):
            assert upkeep.upgrade(settings_for(url)) == (left.version, schema.newest())
        return left


@pytest.fixture(scope="session")
def installations(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installations:
    return Installations(
        tmp_path_factory.mktemp("installations"), lambda: request.getfixturevalue("postgresql")
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Which kind of database it was."""
    kind: str = request.param
    if kind == "postgresql":
        request.getfixturevalue("postgresql")
    return kind


@pytest.fixture(params=VERSIONS)
def upgraded(
    request: pytest.FixtureRequest,
    database_url: str,
    installations: Installations,
    tmp_path: Path,
) -> Iterator[tuple[Upgraded, Days]]:
    """An earlier installation after its upgrade."""
    url, left = installations.copy(request.param, database_url, tmp_path)
    jobs = Jobs()
    app = create_app(settings_for(url, REQUESTS_PER_MINUTE="1000000"), jobs)
    world = Upgraded(app, jobs, left)
    with days(world, left.at + AWAY) as clock:
        yield world, clock
    world.service.database.dispose()
    if database_url == "postgresql":
        request.getfixturevalue("postgresql").drop(url)


def play_by_link(world: Upgraded, link: str) -> None:
    """Play the first turn that the page of a letter's link offers."""
    reader = Reader(world.app.test_client())
    form = reader.whole(reader.get(link)).form("/play/")
    pressed = next(button for button in form.buttons if button.action)
    fields = [*form.fields, (pressed.name, pressed.value)]
    assert reader.post(pressed.action, fields, follow_redirects=False).status == 303


def play_on(world: Upgraded, clock: Days, match_id: int, turns: Iterable[int]) -> None:
    """Play so many turns of a match, or up to its end."""
    for turn in turns:
        if world.match(match_id).status == MatchStatus.ENDED:
            break
        entries = world.match(match_id).last_entry
        world.submit(match_id, world.bots_turn(match_id, KEEN))
        clock.pass_unnoticed(minutes=1)
        world.hear(mail=turn < WRITTEN)
        assert world.match(match_id).last_entry > entries
    world.hear(mail=True)


def play_to_the_end(world: Upgraded, clock: Days, match_id: int) -> None:
    """Play a match out and check its record."""
    play_on(world, clock, match_id, count())
    assert {letter.kind for letter in world.letters(match_id)} >= {"turn", "end"}
    with world.service.database.read() as session:
        record = decode(records.export(session, session.get_one(Match, match_id)))
    verify(record, games())


@pytest.mark.both_databases("0002")
def test_what_was_on_its_way_is_done_once(upgraded: tuple[Upgraded, Days]) -> None:
    """A turn and a mail that nobody had looked at, a letter that was owed, one that had failed."""
    world, clock = upgraded
    left = world.left.matches
    before = {name: world.entries(name) for name in left}
    clock.tick()
    assert set(world.jobs.take("inbound.handle")) == {(left["mailed"].mail,)}
    inbound.handle(world.service, left["mailed"].mail)
    clock.after(minutes=1)
    after = {name: world.entries(name) - before[name] for name in left}
    assert after == dict.fromkeys(left, 0) | {"received": 1, "mailed": 1}
    with world.service.database.read() as session:
        assert session.get_one(Submission, left["received"].submission).status == "played"
        mail = session.get_one(InboundMail, left["mailed"].mail)
        assert (mail.status, mail.verdict) == ("handled", "played")
        late = select(func.count()).where(
            Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)),
            Letter.due_at <= world.service.now(),
        )
        assert session.scalar(late) == 0
    sent = Counter(
        (name, letter.kind)
        for name in left
        for letter in world.letters(left[name].id)
        if letter.sent_at is not None and letter.sent_at > world.left.at
    )
    assert sent == {
        ("owed", "turn"): 1,
        ("tried", "turn"): 1,
        ("received", "turn"): 1,
        ("mailed", "turn"): 1,
        ("mailed", "answer"): 1,
    }
    names = world.letter_names()
    assert set(names.values()) == {1}
    assert not names.keys() & {table.message_id for table in left.values()}


@pytest.mark.both_databases("0021-mammoths")
@pytest.mark.slow
def test_links_of_letters_sent_before_lead_on(
    upgraded: tuple[Upgraded, Days], request: pytest.FixtureRequest, database_url: str
) -> None:
    world, clock = upgraded
    table, entries = world.left.matches["playing"], world.entries("playing")
    for place in ("s", "w", "u"):
        assert Reader(world.app.test_client()).get(table.links[place]).status == 200, place
    play_by_link(world, table.links["t"])
    world.hear(mail=True)
    assert world.entries("playing") == entries + 1
    if all_of_them() or (request.node.callspec.params["upgraded"], database_url) in PLAYED_OUT:
        play_to_the_end(world, clock, table.id)
    else:
        play_on(world, clock, table.id, range(WRITTEN))


@pytest.mark.slow
def test_replies_to_letters_sent_before_are_played(upgraded: tuple[Upgraded, Days]) -> None:
    world, clock = upgraded
    table = world.left.matches["answering"]
    turn = world.bots_turn(table.id, KEEN).replace("\n", ", ")
    post = Correspondence(world, table.id)
    assert post.send(table.to, table.reply_to, turn).verdict == "played"
    assert post.send(table.to, table.reply_to, turn).verdict != "played"
    world.hear(mail=True)
    play_on(world, clock, table.id, range(WRITTEN))


@pytest.mark.both_databases
def test_reports_about_letters_sent_before_find_them(upgraded: tuple[Upgraded, Days]) -> None:
    """But for those of versions before 0005, which proved a bounce address in another way."""
    world, _ = upgraded
    if world.left.version < "0005":
        return
    addresses = Addresses(world.service.settings)
    for table in world.left.matches.values():
        if table.bounces_to:
            tag = addresses.tag_of(table.bounces_to)
            assert tag is not None
            with world.service.database.read() as session:
                letter = identity.letter_bounced(world.service, session, tag)
                assert letter is not None
                assert letter.player.email == table.to


@pytest.mark.parametrize(
    "by", [pytest.param("time", marks=pytest.mark.both_databases("0021-mammoths")), "word"]
)
def test_a_held_turn_is_played_or_taken_back(upgraded: tuple[Upgraded, Days], by: str) -> None:
    world, clock = upgraded
    table = world.left.matches["held"]
    entries = world.entries("held")
    with world.service.database.read() as session:
        held = session.get_one(Submission, table.submission)
        assert held.status == SubmissionStatus.HELD
    clock.tick()
    assert world.entries("held") == entries
    if by == "word":
        Correspondence(world, table.id).send(table.to, table.reply_to, "undo")
        clock.after(hours=1)
        assert world.entries("held") == entries
        assert world.awaited(table.id).decision == table.decision
    else:
        clock.after(hours=1)
        assert world.entries("held") == entries + 1


@pytest.mark.parametrize("by", [pytest.param("link", marks=pytest.mark.both_databases), "reply"])
def test_an_invitation_sent_before_is_accepted(upgraded: tuple[Upgraded, Days], by: str) -> None:
    world, _ = upgraded
    table = world.left.matches["invited"]
    if by == "link":
        reader = Reader(world.app.test_client())
        reader.press(reader.get(table.links["i"]).form("/invitation/"))
    else:
        Correspondence(world, table.id).send(table.to, table.reply_to, "accept")
    assert world.match(table.id).status == MatchStatus.PLAYING
