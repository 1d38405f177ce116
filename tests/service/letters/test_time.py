"""What letters say of clocks that stand, and of news: every state and code in both languages."""

from __future__ import annotations

import re
from html import unescape

import msgspec
import pytest

from service.core import locks
from service.core.letter_details import AnyNews, News
from service.core.models import DecisionRow, Letter
from service.mail.render import render
from service.mail.render.letter_context import mail_environment
from service.matches.tables import BotSeat
from service.outgoing import news
from service.render.templating import LANGUAGES
from service.time import deadlines, pausing
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

DETAILS = {"days": 2, "until": "2026-12-01T10:00:00+00:00", "bot": "any"}


def turn_letter(world: World, match_id: int) -> tuple[str, str]:
    """The text and the HTML of the newest turn letter."""
    with world.service.database.read() as session:
        letter = session.get_one(Letter, world.letters(match_id, "turn")[-1].id)
        _, text, html, _ = parts_of(render(world.service, session, letter))
    return " ".join(text.split()), " ".join(html.split())


@pytest.fixture
def asked(own_world: World) -> tuple[World, int]:
    """A match that waits for Ana."""
    match_id = own_world.open([BotSeat(bot="random")], "sapiens")
    own_world.hear()
    return own_world, match_id


def test_a_deadline_is_said_absolute_with_its_zone_and_distance(asked: tuple[World, int]) -> None:
    text, html = turn_letter(*asked)
    assert re.match(r"Your turn, by \w+ \d+ \w+, \d\d:\d\d \(Europe/Paris\), in 3 days\.", text)
    assert "in 3 days" in html


def test_a_pause_is_said(asked: tuple[World, int]) -> None:
    world, match_id = asked
    with world.service.database.write() as work:
        pausing.ask(world.service, work, locks.lock_number(world.service, work, match_id), 0, 5)
    text, html = turn_letter(world, match_id)
    assert text.startswith("Your turn. The game is paused: no clock runs.")
    assert html.count("The game is paused: no clock runs.") == 2, "in the preview and on top"


def test_a_clock_that_is_held_is_said(asked: tuple[World, int]) -> None:
    world, match_id = asked
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        match.host.stopped_at = world.service.now()
        deadlines.refresh(world.service, work, match)
    text, _ = turn_letter(world, match_id)
    assert text.startswith("Your turn. Your clock is stopped until letters reach you again.")


def test_a_turn_without_a_deadline_is_said(asked: tuple[World, int]) -> None:
    world, match_id = asked
    decision = world.awaited(match_id).decision
    with world.changing() as work:
        row = work.session.get_one(DecisionRow, (match_id, decision))
        row.deadline, row.expired_at = None, world.service.now()
    text, _ = turn_letter(world, match_id)
    assert text.startswith("Your turn, without a deadline.")


def told_codes() -> set[str]:
    """The codes that the wording has a macro for."""
    module = mail_environment("en").get_template("wording/news.txt").module
    return set(module.TOLD)  # type: ignore[attr-defined]


def test_every_event_has_its_words() -> None:
    assert {str(event.__struct_config__.tag) for event in News.__subclasses__()} == told_codes()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_makes_a_letter(own_world: World, lang: str) -> None:
    """To those it is about and to the others."""
    match_id = own_world.open([BotSeat(bot="random")] * 2, "sapiens")
    codes = {"time_up", "played_default", "stand_in", "back", "everybody_away", "resumed"}
    codes |= {code for code in told_codes() if code.startswith("pause")}
    with own_world.service.database.write() as work:
        match = locks.lock_number(own_world.service, work, match_id)
        match.host.lang = lang
        for about in (0, 1):
            for code in sorted(codes):
                event = msgspec.convert(DETAILS | {"code": code, "about": about}, AnyNews)
                news.tell(own_world.service, work, match, event, about, to=[match.seats[0]])
        work.session.flush()
        threads = set()
        for letter in work.session.query(Letter).filter_by(match_id=match_id, kind="news"):
            message, text, html, _ = parts_of(render(own_world.service, work.session, letter))
            threads.add(message["References"])
            sentence = text.partition("\n")[0]
            assert sentence[:20] in unescape(" ".join(html.split()))
            assert len(html) < 20_000
    assert len(threads) == 1, "one conversation"
