"""What a reader may not know is in nothing that they are shown, and in no line of the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import structlog
from flask import Flask
from sqlalchemy import select

from engine.chance import SeededChance
from service.access.links import Links
from service.core.models import EntryRow, Match, Submission
from service.dev.app import create_app
from service.matches import journal, reading
from tests.conftest import DRAWS
from tests.games.playing import asked, lay, opened
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World

SEATS = 3
READERS = (0, 1, 2, None)
CSRF = re.compile(rb'name="csrf_token" value="[^"]+"')
PLACES = ("hill", "ford", "wood", "cave")


@pytest.fixture
def app(world: World) -> Iterator[Flask]:
    """The pages of this world."""
    made = create_app(world.service.settings, Jobs())
    yield made
    made.extensions["paleopost"].database.dispose()


@pytest.fixture
def shown(
    world: World, app: Flask, request: pytest.FixtureRequest
) -> Callable[[int, int | None], dict[str, bytes]]:
    """All that a reader (None: a spectator) of a match can open, and the letters they have got."""

    def collect(number: int, seat: int | None) -> dict[str, bytes]:
        # Keys that pages draw are the same each time.
        request.config.stash[DRAWS].again("pages")
        reader = app.test_client()
        match, links = world.match(number), Links(world.service)
        link = links.watch(match) if seat is None else links.seat(match, seat)
        found = {"match": reader.get(_path(link), follow_redirects=True).data}
        base = f"/m/{match.code}/{'watch' if seat is None else seat}"
        with world.service.database.read() as session:
            view = reading.match_view(session, session.get_one(Match, number), seat)
            own = [] if seat is None else reading.open_decisions(session, match, seat)
            # What the list of one's games is made of.
            newest = reading.last_round(session, [(session.get_one(Match, number), seat)])
            found["overview"] = repr(newest[number]).encode()
        pages = [f"{base}?n={view.turns - 1}", f"{base}?n={view.turns + 1}"]
        pages += [f"{base}/replay?n={view.turns}"]
        if seat is not None:
            pages += [f"{base}/time", *(f"{base}/turn/{row.decision}" for row in own)]
        if seat == 0:
            pages += [f"{base}/host"]
        pages += [f"/m/{match.code}/record.json", _path(links.watch_card(match, "en"))]
        for page in pages:
            answer = reader.get(page)
            found[page] = b"%d " % answer.status_code + answer.data
        # Flask-WTF draws these elsewhere.
        found = {page: CSRF.sub(b"", content) for page, content in found.items()}
        post = Correspondence(world, number)
        for letter in world.letters(number):
            if letter.seat == seat and letter.player_id is not None:
                found[f"letter {letter.id}"] = post.rendered(letter).raw
        return found

    return collect


def _path(link: str) -> str:
    return "/" + link.split("/", 3)[3]


def permute(world: World, number: int, reader: int | None) -> None:
    """Put what the reader cannot know another way, in all that is stored: positions that they
    cannot tell from the true ones, what others were told, did, drew and wrote.
    """
    with world.changing() as work:
        match = work.session.get_one(Match, number)
        game = journal.game_of(match)
        for row in work.session.scalars(select(EntryRow).where(EntryRow.match_id == number)):
            assert row.state is not None
            state = msgspec.json.decode(row.state, type=game.state_type)
            chance = SeededChance(b"another deal %d" % row.n)
            eyes = reader if reader is not None else SEATS - 1
            guessed = game.guess(state, eyes, chance)
            if reader is None:
                guessed = game.guess(guessed, 0, chance)
            row.state = msgspec.json.encode(guessed)
            events = [
                event
                if event.is_for(reader)
                else msgspec.structs.replace(event, kind="unseen", data={}, seat=None)
                for event in journal.decode_events(row.events)
            ]
            row.events = msgspec.json.encode(events)
        handed_in = select(Submission).where(Submission.match_id == number)
        for submission in work.session.scalars(handed_in):
            if submission.seat != reader:
                submission.body = "hidden"


def order(world: World, number: int, seat: int, text: str) -> None:
    """A seat files an order."""
    kind = text.split(" ", 1)[0].replace("plan", "file")
    with world.service.database.read() as session:
        rows = reading.open_decisions(session, session.get_one(Match, number), seat)
    row = next((row for row in rows if row.kind == kind), None)
    if row is not None:
        world.submit(number, text, seat=seat, decision=row.decision)
        world.hear(mail=True)


def moments(world: World, toy: str) -> Iterator[int]:
    """A match at several moments: orders on file, a reveal in mid-turn, cards laid in secret."""
    number = opened(world, toy, SEATS, options={"rounds": 2})
    for seat, place in enumerate(PLACES[:SEATS]):
        order(world, number, seat, f"watch {place}")
    order(world, number, (world.awaited(number).seat + 1) % SEATS, "plan late camp cave")
    yield number
    world.submit(number, "camp cave")
    world.hear(mail=True)
    yield number
    while world.awaited(number).kind != "duel":
        world.submit(number)
        world.hear(mail=True)
    lay(world, number, asked(world, number)[1].seat)
    yield number
    for row in asked(world, number):
        lay(world, number, row.seat)
    yield number


Shown = Callable[[int, int | None], dict[str, bytes]]


def _same(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    assert list(after) == list(before)
    for name, content in before.items():
        assert after[name] == content, name


PAIRED = [(0, None), (1, 2), (2, None), (0, 1)]
"""Readers who look at a moment: every seat and a spectator twice in all."""


@pytest.mark.parametrize(
    "readers",
    [PAIRED, pytest.param([READERS] * 4, marks=pytest.mark.rarely)],
    ids=["two at a time", "all"],
)
def test_what_is_unseen_is_in_no_page_and_no_letter(
    world: World, shown: Shown, toy: str, readers: list[tuple[int | None, ...]]
) -> None:
    for number, looking in zip(moments(world, toy), readers, strict=True):
        for reader in looking:
            before = shown(number, reader)
            kept = _stored(world, number)
            permute(world, number, reader)
            # The record is made of the journal, which is checked.
            _same(before, shown(number, reader))
            _restore(world, number, kept)


def test_what_is_unseen_of_a_map_is_in_no_page_and_no_letter(world: World, shown: Shown) -> None:
    """Tiles face down, objectives, decks, what a hunter saw, and a plan on file."""
    number = opened(world, "fire_and_stone", SEATS, options={"first": 0})
    world.submit(number, "go namib\nwhen forest: hunt then ask")
    world.hear(mail=True)
    while world.awaited(number).seat == 0:
        world.submit(number)
        world.hear(mail=True)
    world.submit(number, "when forest: hunt\nwhen fire: pass")
    world.hear(mail=True)
    for reader in READERS:
        before = shown(number, reader)
        kept = _stored(world, number)
        permute(world, number, reader)
        _same(before, shown(number, reader))
        _restore(world, number, kept)


@pytest.mark.parametrize(
    "looking",
    [PAIRED, pytest.param([READERS] * 4, marks=pytest.mark.rarely)],
    ids=["two at a time", "all"],
)
def test_nobody_sees_that_others_file_orders(
    world: World, shown: Shown, toy: str, looking: list[tuple[int | None, ...]]
) -> None:
    for moment, number in enumerate(moments(world, toy)):
        # Of each pair nobody is the one who files.
        filing = (2, 0, 1, 2)[moment]
        readers = [reader for reader in looking[moment] if reader != filing]
        before = {reader: shown(number, reader) for reader in readers}
        letters = {row.id for row in world.letters(number) if row.seat != filing}
        for place in ("wood", "none", "ford"):
            order(world, number, filing, f"watch {place}")
        assert {row.id for row in world.letters(number) if row.seat != filing} == letters
        for reader in readers:
            _same(before[reader], shown(number, reader))


def test_the_log_is_the_same_whatever_is_filed(world: World, toy: str) -> None:
    number = opened(world, toy, SEATS)
    seat = (world.awaited(number).seat + 1) % SEATS
    logs = []
    for text in ("watch hill", "watch ford", "watch cave"):
        with structlog.testing.capture_logs() as logged:
            order(world, number, seat, text)
        assert logged
        logs.append([{**line, "submission": None} for line in logged])
    assert logs[0] == logs[1] == logs[2]


Stored = list[tuple[int, Any, Any]]


def _stored(world: World, number: int) -> tuple[Stored, list[tuple[int, str]]]:
    with world.service.database.read() as session:
        entries = session.scalars(select(EntryRow).where(EntryRow.match_id == number)).all()
        turns = session.scalars(select(Submission).where(Submission.match_id == number)).all()
        return [(e.n, e.state, e.events) for e in entries], [(s.id, s.body) for s in turns]


def _restore(world: World, number: int, kept: tuple[Stored, list[tuple[int, str]]]) -> None:
    with world.changing() as work:
        for n, state, events in kept[0]:
            row = work.session.get_one(EntryRow, (number, n))
            row.state, row.events = state, events
        for at, body in kept[1]:
            work.session.get_one(Submission, at).body = body
