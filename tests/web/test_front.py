"""The front page: what the product is, and a board to try it at, which keeps nothing."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qs, urlsplit
from xml.etree.ElementTree import fromstring

import pytest

from engine.games import games
from service.render.templating import LANGUAGES
from service.web.front.sample import tried
from tests.support.games import KNOWN
from tests.support.reader import Page
from tests.web.conftest import Site, path

WHOLE = {"en": "A whole turn.", "fr": "Un tour complet."}


def spots(page: Page, *, lit: bool = True) -> list[str]:
    """The links on what can be touched."""
    found = re.findall(r'<a [^>]*class="spot( faint)?"[^>]*>', page.source)
    links = re.findall(r"<a [^>]*class=\"spot(?: faint)?\"[^>]*>", page.source)
    return [
        unescape(re.search(r'href="([^"]+)"', link)[1])  # type: ignore[index]
        for link, faint in zip(links, found, strict=True)
        if not (lit and faint)
    ]


def choices(page: Page) -> list[str]:
    """The links on what is chosen by a word."""
    listed = re.search(r'<ul class="chips choices".*?</ul>', page.source, re.DOTALL)
    return [unescape(link) for link in re.findall(r'href="([^"]+)"', listed[0])] if listed else []


def address(link: str) -> str:
    return link.split("#")[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_turn_is_tried_by_links_alone_and_nothing_is_kept(site: Site, lang: str) -> None:
    reader, before = site.reader(lang), site.counts()
    page = reader.get("/")
    gains = []
    for _ in range(20):
        following = spots(page) or choices(page)
        if not following:
            break
        page = reader.get(address(following[0]))
        gains += re.findall(r'<p class="total" role="status">([^<]+)</p>', page.source)
    assert WHOLE[lang] in page.text
    assert gains
    assert "<form" not in page.source.split('id="plan"')[1].split("</section>")[0]
    assert site.counts() == before


def test_what_is_won_is_what_the_board_shows(site: Site) -> None:
    reader, shown = site.reader(), KNOWN
    start = tried(shown, (), (), "/").plan.lines[0].view
    page = reader.get("/")
    won = 0
    for _ in range(20):
        following = spots(page) or choices(page)
        if not following:
            break
        to = address(following[0])
        page = reader.get(to)
        at = tried(shown, parse_qs(urlsplit(to).query).get("a", []), (), "/")
        plan = at.plan
        board = plan.lines[plan.own].view if at.touch else plan.view
        said = re.search(r'class="total"[^>]*>\+(\d+) food', page.source)
        won = board["players"][at.seat]["fp"] - start["players"][at.seat]["fp"]
        assert won == (int(said[1]) if said else 0)
    assert won


def test_every_step_can_be_taken_back(site: Site) -> None:
    reader = site.reader()
    first = reader.get("/")
    touched = reader.get(address(spots(first)[0]))
    assert touched.source != first.source
    back = re.search(r'id="back"[^>]* href="([^"]+)"', touched.source)
    assert back
    assert spots(reader.get(address(unescape(back[1])))) == spots(first)
    page = touched
    while 'id="undo"' not in page.source:
        page = reader.get(address((spots(page) or choices(page))[0]))
    undo = re.search(r'id="undo"[^>]* href="([^"]+)"', page.source)
    assert undo
    assert spots(reader.get(address(unescape(undo[1])))) == spots(first)


def test_everybody_tries_the_same_position(site: Site) -> None:
    assert spots(site.reader().get("/")) == spots(site.reader("fr").get("/"))


@pytest.mark.parametrize(
    "query", ["a=nonsense", "tap=nothing&tap=", "a=" + "x" * 3000, "a=%00&tap=%F0%9F%A6%A3"]
)
def test_what_does_not_fit_is_left_out(site: Site, query: str) -> None:
    page = site.reader().get(f"/?{query}")
    assert page.status == 200
    assert spots(page)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_shows_a_letter_and_what_links_to_it_look_like(site: Site, lang: str) -> None:
    reader = site.reader(lang)
    source = reader.get("/").source
    letter = re.search(rf'src="(/static/letters/{KNOWN}\.{lang}\.webp[^"]*)"', source)
    assert letter
    assert reader.client.get(letter[1]).mimetype == "image/webp"
    image = re.search(r'property="og:image" content="([^"]+)"', source)
    assert image
    address = path(unescape(image[1]))
    assert f"lang={lang}" in address
    assert reader.client.get(address).mimetype == "image/png"


def test_its_picture_may_be_kept_for_everybody_by_its_address(site: Site) -> None:
    client = site.app.test_client()
    english, french = {"Accept-Language": "en"}, {"Accept-Language": "fr"}
    client.get("/?lang=fr")
    pictures = {}
    for lang in LANGUAGES:
        answers = [client.get(f"/board.png?lang={lang}", headers=h) for h in (english, french)]
        assert answers[0].data == answers[1].data
        pictures[lang] = answers[0].data
        for answer in answers:
            assert answer.headers["Cache-Control"].startswith("public")
            assert "Vary" not in answer.headers
            assert "Set-Cookie" not in answer.headers
    assert len(set(pictures.values())) == len(LANGUAGES)


@pytest.mark.parametrize("game", games())
def test_the_board_of_a_game_is_drawn_by_day_and_by_night(site: Site, game: str) -> None:
    where = f"/board.svg?game={game}&lang=fr"
    assert f"/board.svg?game={game}" in site.reader().get("/").source
    client = site.app.test_client()
    packed = client.get(where, headers={"Accept-Encoding": "gzip"})
    plain = client.get(where)
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < 30_000
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    drawn = fromstring(plain.text)  # noqa: S314 - our own
    assert "prefers-color-scheme: dark" in plain.text
    known = {each.get("id") for each in drawn.iter()}
    used = {each.get("href") for each in drawn.iter("{http://www.w3.org/2000/svg}use")}
    assert {f"#{name}" for name in known} >= used


def test_what_is_said_of_night_is_the_same_in_pages_and_pictures(site: Site) -> None:
    rule = re.compile(r"\.dusk (\{[^}]+\})")
    client = site.app.test_client()
    sheet = client.get("/static/style.css").text
    assert rule.findall(client.get("/board.svg").text)[0] in rule.findall(sheet)


def test_what_links_to_it_look_like_is_found_below_a_path_too(
    make_site: Callable[..., Site],
) -> None:
    below = make_site(BASE_URL="http://paleopost.test/below")
    source = below.app.test_client().get("/", base_url="http://paleopost.test/below").text
    said = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', source))
    assert said["url"] == "http://paleopost.test/below/"
    assert said["image"].startswith("http://paleopost.test/below/board.png?")


def test_who_has_tables_sees_them_first(site: Site) -> None:
    match = site.table(guests=1)
    asked = site.awaited(match.id)
    mover, other = ("ana", "g1") if asked.seat == 0 else ("g1", "ana")
    page = site.signed_in(f"{mover}@example.org").get("/")
    assert f"Your turn in {match.name}" in page.text
    assert f'class="button main" href="/m/{match.code}/{asked.seat}/turn/' in page.source
    for sold in ("How it works", "Try a turn here", "A real letter"):
        assert sold not in page.text
    page = site.signed_in(f"{other}@example.org").get("/")
    assert "Nobody waits for you" in page.text
    assert 'class="button main" href="/matches"' in page.source
    assert "How it works" in site.signed_in("new@example.org").get("/").text
