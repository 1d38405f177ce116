"""Nim through the service: a game for two with one board, without points, chance or secrets."""

from __future__ import annotations

import re

import pytest

from service.core.statuses import MatchStatus
from service.matches.tables import BotSeat, Guest
from tests.engine.nim import GAME
from tests.games.test_matches import begun, text_of
from tests.support.correspondence import Correspondence
from tests.web.conftest import Site, path

OF_POINTS = re.compile(r"\bpoints?\b", re.IGNORECASE)


def test_nothing_is_said_of_points(site: Site) -> None:
    number = begun(site, GAME.key, 2)
    match, pages = site.match(number), []
    while site.match(number).status == MatchStatus.PLAYING:
        reader = site.reader()
        pages.append(reader.get(site.turn_link(site.match(number))))
        site.submit(number)
        site.hear(mail=True)
    pages += [site.reader().get(path(site.links.seat(match, seat))) for seat in (0, 1)]
    pages.append(site.reader().get("/"))
    said = [page.text for page in pages] + [text_of(raw) for _, _, raw in site.post.sent]
    assert [text for text in said if OF_POINTS.search(text)] == []
    last = "\n".join(text_of(raw) for _, _, raw in site.post.sent[-2:])
    assert "You win." in last
    assert re.search(r"\b(Ana|Bea) wins\.", last)


@pytest.mark.parametrize("words", ["take 2 A", "prends 2 a", "2"])
def test_a_turn_is_played_by_a_reply(site: Site, words: str) -> None:
    number = begun(site, GAME.key, 2, hold_minutes=0)
    row = site.awaited(number)
    table = Correspondence(site, number)
    refused = table.reply(row.seat, "take 9 A", row.decision)
    assert "(rule 2)" in table.answer(refused).said
    assert table.reply(row.seat, words, row.decision).verdict == "played"
    assert site.awaited(number).seat == 1 - row.seat


def test_a_bot_answers(site: Site) -> None:
    number = site.open([BotSeat(bot="clever", name="Clever")], GAME.key, hold_minutes=0)
    site.hear(mail=True)
    assert site.awaited(number).seat == 0
    site.submit(number)
    site.hear(mail=True)
    assert site.match(number).last_entry >= 2


def test_guests_read_what_the_table_has_agreed_on(site: Site) -> None:
    site.open(
        [Guest(address="g@example.org", name="Gil", lang="fr")],
        GAME.key,
        options={"last_loses": True},
    )
    site.hear(mail=True)
    (_, _, raw), *_ = site.post.sent
    assert text_of(raw).count("Qui prend le dernier caillou perd.") == 2


def test_the_try_of_a_short_game_has_more_than_its_last_stone(site: Site) -> None:
    front = site.reader().get(f"/?game={GAME.key}")
    assert "A position from a game of Nim," in front.text
    assert len([1 for _, to in front.links if "tap=" in to]) > 1
