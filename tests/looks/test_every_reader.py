"""Pages for eyes and hands that are not the usual ones: lines spread out on a narrow screen, a
keyboard, paper, colours of the reader's own; and for any browser, because they are sound HTML.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import html5lib
import pytest
import zxingcpp
from html5lib.html5parser import ParseError
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.support.chromium import PATIENCE
from tests.support.tour import LANGS, SEEN_MOST, Stop, Tour

# The pages are those of the others that look at them in French: they are made once.
pytestmark = pytest.mark.xdist_group("looks-fr")

# WCAG 2.2: 1.4.10 (320 pixels) and 1.4.12 (how far a reader may spread letters, words and lines).
NARROW = 320
SPREAD = """
* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }
"""

# What has the focus, how wide the line around it is, and whether it is on the screen and on top.
FOCUS = """
(() => {
  // A tab that cannot be seen has its line around its label.
  const active = document.activeElement;
  const one = active?.matches(".tabs > input") ? active.nextElementSibling : active;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one), box = one.getBoundingClientRect();
  const drawn = [...one.querySelectorAll("rect")]
    .map((part) => parseFloat(getComputedStyle(part).strokeWidth));
  const line = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
  const at = document.elementFromPoint(
    (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2,
    (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2,
  );
  const own = at && (one.contains(at) || at.contains(one) || at.closest("label")?.contains(one));
  return {
    number: met.get(one) ?? met.set(one, met.size).get(one),
    tag: one.outerHTML.slice(0, 90),
    seen: Boolean(own) && Math.max(line, ...drawn) >= 3,
  };
})
"""
NOTED = f"""
() => {{
  // What has had the focus, by when it first had: a board has thousands of parts to count.
  const met = new Map();
  const focus = {FOCUS};
  window.noted = [];
  // When a key comes up, what it does is done.
  addEventListener("keyup", () => window.noted.push(focus()));
}}
"""
PRESSED = """
() => [...document.querySelectorAll(".masthead nav, .foot, button, .button, textarea, .spot")]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 90))
"""
# WCAG 2.2, 1.4.4: letters at twice their size. Lines of a few letters each are not read.
PHONE = 360
LARGE = "html { font-size: 200%; }"
THIN = """
() => [...document.querySelectorAll("main :is(p, li, dd, dt, h1, h2, h3, td, th, label)")]
  .filter((one) => {
    const size = parseFloat(getComputedStyle(one).fontSize);
    const { width, height } = one.getBoundingClientRect();
    return one.checkVisibility() && !one.closest("svg, .hidden") && one.innerText.length > 12
      && width < 3.5 * size && height > 6 * size;
  }).map((one) => one.outerHTML.slice(0, 90))
"""
MOST = 200
"""Keys that are pressed on one page."""
AT_ONCE = 10
"""Keys that are pressed before it is asked where they have led."""


def opened(browser: Browser, width: int, **more: Any) -> Iterator[Page]:
    # Our policy lets in no style of others.
    context = browser.new_context(
        viewport={"width": width, "height": 640}, bypass_csp=True, reduced_motion="reduce", **more
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, NARROW)


@pytest.fixture(scope="module")
def night(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, 720, color_scheme="dark")


@pytest.fixture(scope="module")
def own_colours(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, 720, forced_colors="active")


class Walk(NamedTuple):
    """What a page was for a keyboard and on a narrow screen."""

    reached: int
    unseen: list[str]
    moving: int
    wide: int
    thin: list[str]


@pytest.fixture(
    scope="module",
    params=[True, pytest.param(False, marks=pytest.mark.rarely)],
    ids=["seen most", "others"],
)
def walks(tour: Tour, narrow: Page, request: pytest.FixtureRequest) -> dict[str, Walk]:
    """The pages that are seen most, in the language that has the longer words; or all others."""
    return {
        stop.name: _walk(tour, narrow, stop)
        for stop in tour.stops("fr")
        if (stop.name in SEEN_MOST) == request.param
    }


def _walk(tour: Tour, page: Page, stop: Stop) -> Walk:
    tour.show(page, stop, "fr")
    known: set[int] = set()
    unseen, last = [], 0
    for at in _focused(page):
        if at is None:
            continue  # behind the last one; who has made a slip begins in its field
        if at["number"] == last:
            continue  # a date has several parts
        if at["number"] in known:
            break
        last = at["number"]
        known.add(last)
        if not at["seen"]:
            unseen.append(at["tag"])
    moving = page.evaluate("document.getAnimations().length")
    spread = page.add_style_tag(content=SPREAD)
    wide = page.evaluate("document.documentElement.scrollWidth")
    spread.evaluate("style => style.remove()")
    page.add_style_tag(content=LARGE)
    page.set_viewport_size({"width": PHONE, "height": 640})
    thin = page.evaluate(THIN)
    page.set_viewport_size({"width": NARROW, "height": 640})
    return Walk(len(known), unseen, moving, wide, thin)


def _focused(page: Page) -> Iterator[dict[str, Any] | None]:
    """What has the focus after each press of the tabulator; None for nothing."""
    page.evaluate(NOTED)
    for _ in range(MOST // AT_ONCE):
        for _ in range(AT_ONCE):
            page.keyboard.press("Tab")
        yield from page.evaluate("window.noted.splice(0)")


def test_lines_spread_out_still_fit_a_narrow_screen(walks: dict[str, Walk]) -> None:
    assert {name: walk.wide for name, walk in walks.items() if walk.wide > NARROW} == {}


def test_letters_of_twice_the_size_have_room(walks: dict[str, Walk]) -> None:
    assert {name: walk.thin for name, walk in walks.items() if walk.thin} == {}


def test_where_the_keyboard_is_can_be_seen(walks: dict[str, Walk]) -> None:
    assert {name: walk.unseen for name, walk in walks.items() if walk.unseen} == {}
    assert {name: walk.reached for name, walk in walks.items() if walk.reached <= 5} == {}


def test_nothing_moves_for_who_asks_for_it(walks: dict[str, Walk]) -> None:
    assert {name for name, walk in walks.items() if walk.moving} == set()


def test_a_scanner_reads_the_code_of_a_join_link_by_night(tour: Tour, night: Page) -> None:
    """From the page as it is on the screen, and alone: with light around it."""
    stop = {stop.name: stop for stop in tour.stops("fr")}["host-open"]
    tour.show(night, stop, "fr")
    link, code = night.locator("#link"), night.locator(".qr")
    for shot in (night.screenshot(full_page=True), code.screenshot()):
        read = zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)).convert("L"))
        assert [found.text for found in read] == [link.input_value()]
    alone = Image.open(io.BytesIO(code.screenshot())).convert("L")
    sides = ((alone.width // 2, 4), (4, alone.height // 2))
    assert [alone.getpixel(side) for side in sides] == [255, 255]


def test_paper_shows_the_page_by_day_and_nothing_to_press(tour: Tour, night: Page) -> None:
    night.emulate_media(media="print")
    wrong = {}
    for stop in tour.stops("fr"):
        if stop.name in ("match", "match-ended", "replay", "rules-game", "turn", "matches"):
            tour.show(night, stop, "fr")
            ink = night.evaluate("getComputedStyle(document.body).color")
            left = night.evaluate(PRESSED)
            floating = night.evaluate(
                "[...document.querySelectorAll('main *')].filter((one) =>"
                " ['sticky', 'fixed'].includes(getComputedStyle(one).position)).length"
            )
            if (ink, left, floating) != ("rgb(43, 38, 34)", [], 0):
                wrong[stop.name] = (ink, left, floating)
    night.emulate_media(media="screen")
    assert not wrong


def test_the_one_button_stands_out_in_colours_of_ones_own(tour: Tour, own_colours: Page) -> None:
    stops = {stop.name: stop for stop in tour.stops("fr")}
    tour.show(own_colours, stops["turn-whole"], "fr")
    width = "(one) => parseFloat(getComputedStyle(one).borderTopWidth)"
    main = own_colours.locator("main .main:visible").first.evaluate(width)
    other = own_colours.locator("main .button:not(.main):visible").first.evaluate(width)
    assert main > other > 0


@pytest.mark.parametrize(
    # The languages have their templates in common.
    "lang",
    [pytest.param(lang, marks=[] if lang == "fr" else [pytest.mark.rarely]) for lang in LANGS],
)
def test_pages_are_read_without_an_error(tour: Tour, lang: str) -> None:
    for stop in tour.stops(lang):
        try:
            html5lib.HTMLParser(strict=True).parse(tour.source(stop, lang))
        except ParseError as error:
            pytest.fail(f"{stop.name}: {error}")
