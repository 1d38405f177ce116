"""A turn chosen on the picture: touch by touch, by links alone or quicker with the script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from sqlalchemy import select

from service.models import Submission
from service.web import taps
from tests.web.conftest import Site
from tests.web.test_browser import DESK, PHONE, Served
from tests.web.test_browser import served as served

WAY: taps.Path = ("tile:a", "C3", ("x", "x", "y"), "C4")


@pytest.mark.parametrize(
    ("touched", "following"),
    [
        ([], ["tile:a"]),
        (["tile:a"], ["C3"]),
        (["tile:a", "C3"], ["x", "y"]),
        (["tile:a", "C3", "y"], ["x"]),
        (["tile:a", "C3", "x", "y"], ["x"]),
        (["tile:a", "C3", "x", "y", "x"], ["C4"]),
        (["tile:a", "C3", "x", "y", "x", "C4"], []),
    ],
)
def test_a_path_is_touched_in_order_and_a_group_in_any(
    touched: list[str], following: list[str]
) -> None:
    assert taps.fits(WAY, touched)
    assert taps.next_of(WAY, touched) == following


@pytest.mark.parametrize("touched", [["C3"], ["tile:a", "y"], ["tile:a", "C3", "y", "y"]])
def test_other_touches_do_not_fit(touched: list[str]) -> None:
    assert not taps.fits(WAY, touched)
    assert taps.next_of(WAY, touched) == []


def spots(page: Any) -> list[str]:
    """Where the lit things of a page lead."""
    return [href for _, href in page.links if "tap=" in href or "a=" in href]


def test_touching_leads_to_a_whole_turn_without_a_script(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    assert 'class="spot"' in page.source
    for _ in range(12):
        if 'class="spot"' not in page.source:
            break
        start = page.source.index('class="spot"')
        href = page.source.rindex('href="', 0, start) + 6
        page = reader.get(page.source[href : page.source.index('"', href)].replace("&amp;", "&"))
        assert page.status == 200
    form = page.form("/play/")
    chosen = form.all("a")
    assert chosen
    assert parse_qs(urlsplit(reader.at).query)["a"] == chosen
    reader.press(form, "Play this turn")
    assert site.match(match.id).last_entry == 1


def test_every_choice_can_be_touched_or_named(site: Site) -> None:
    """Nothing of the list is lost on the picture: what a spot leads to, and what is in words."""
    match = site.table(guests=1)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    wanted = set(page.form("/play/").choices[0][1])
    found: set[str] = set()
    asked = [reader.at]
    seen: set[str] = set()
    while asked:
        address = asked.pop()
        if address in seen:
            continue
        seen.add(address)
        source = reader.get(address).source
        for part in source.split('href="')[1:]:
            href = part[: part.index('"')].replace("&amp;", "&")
            query = parse_qs(urlsplit(href).query)
            if len(query.get("a", ())) == 1 and "own" not in query:
                found.add(query["a"][0])
            elif "tap" in query and "a" not in query:
                asked.append(href.partition("#")[0])
    assert wanted <= found


def test_touches_that_lead_nowhere_are_left_out(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    reader.get(site.turn_link(match))
    there = reader.at.partition("?")[0]
    page = reader.get(f"{there}?tap=nothing&tap=board:99&tap=C3&tap=%00")
    assert page.status == 200
    assert "Chosen:" not in page.text


def open_turn(served: Served, context: BrowserContext) -> tuple[int, Page, list[str]]:
    """The page of a first turn, and what the browser complains of."""
    match = served.site.table(guests=1)
    page = context.new_page()
    page.set_default_timeout(15_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    row = served.site.awaited(match.id)
    page.goto(served.site.links.turn(match, row.seat, row.decision))
    return match.id, page, faults


def settled(page: Page) -> None:
    page.wait_for_selector("#plan:not([aria-busy])")


def played(served: Served, match_id: int) -> list[str]:
    with served.site.service.database.read() as session:
        bodies = session.scalars(select(Submission.body).where(Submission.match_id == match_id))
        return list(bodies)


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield made
    made.close()


@pytest.fixture
def desk(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=DESK)
    yield made
    made.close()


def test_a_turn_is_played_by_mouse_without_loading_a_page(
    served: Served, desk: BrowserContext
) -> None:
    match_id, page, faults = open_turn(served, desk)
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    while page.locator("a.spot:not(.faint)").count():
        page.locator("a.spot:not(.faint)").last.click()
        settled(page)
    assert not loads
    expected = [option.input_value() for option in page.locator("select[name=a]").all()]
    page.get_by_role("button", name="Play this turn").click()
    page.wait_for_url("**/verdict/**")
    assert played(served, match_id) == ["\n".join(expected)]
    assert not faults


def test_a_turn_is_played_by_touch_on_a_phone(served: Served, phone: BrowserContext) -> None:
    match_id, page, faults = open_turn(served, phone)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    while page.locator("a.spot:not(.faint)").count():
        page.locator("a.spot:not(.faint)").first.tap()
        settled(page)
    page.get_by_role("button", name="Play this turn").tap()
    page.wait_for_url("**/verdict/**")
    assert played(served, match_id)
    assert not faults


def test_a_turn_is_played_by_keyboard_alone(served: Served, desk: BrowserContext) -> None:
    match_id, page, faults = open_turn(served, desk)
    where = "document.activeElement.getAttribute('data-spot')"
    while page.evaluate(where) is None:
        page.keyboard.press("Tab")
    first = page.evaluate(where)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(where) not in (None, first)
    # Something that leads to several ways to go on.
    while "tap=" not in page.evaluate("document.activeElement.getAttribute('href')"):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**tap=**")
    settled(page)
    assert page.locator("#said").text_content()
    # One touch back, and on again another way.
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "tap=" not in url)
    settled(page)
    page.keyboard.press("ArrowRight")
    for _ in range(8):
        if not page.locator("a.spot:not(.faint)").count():
            break
        at = page.url
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(f"^(?!{re.escape(at)}$)"))
        settled(page)
    # The last step is taken back, and made again.
    steps = page.url.count("a=")
    page.keyboard.press("Backspace")
    page.wait_for_url(lambda url: url.count("a=") == steps - 1)
    settled(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url.count("a=") == steps)
    settled(page)
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    page.keyboard.press("Enter")
    page.wait_for_url("**/verdict/**")
    assert played(served, match_id)
    assert not faults


def test_the_browser_goes_back_step_by_step(served: Served, desk: BrowserContext) -> None:
    _, page, _ = open_turn(served, desk)
    before = page.locator("#after").inner_text()
    page.locator("a.spot[href*='tap=']").first.click()
    page.wait_for_url("**tap=**")
    settled(page)
    page.go_back()
    page.wait_for_url(lambda url: "tap=" not in url)
    settled(page)
    assert page.locator("#after").inner_text() == before
    assert not page.get_by_text("Chosen:").count()


def test_script_and_style_are_small(served: Served, desk: BrowserContext) -> None:
    _, page, _ = open_turn(served, desk)
    sizes = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter(r => /\\.(js|css)/.test(r.name)).map(r => r.decodedBodySize)"
    )
    assert len(sizes) >= 2
    assert sum(sizes) < 60_000
