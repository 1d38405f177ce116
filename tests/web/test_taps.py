"""A turn chosen on the picture: touch by touch, by links alone or quicker with the script."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from sqlalchemy import select

from service.core import locks
from service.core.models import Match, Submission
from service.matches import reading
from tests.looks.test_axe import faults as axe_faults
from tests.web.conftest import Site
from tests.web.test_browser import DESK, MEASURE, PHONE, ColorScheme, Served
from tests.web.test_browser import served as served

BONUSES, TURNS, TOUCHED = 7, 12, 5
ONE_OF_THREE, TWO_OF_TWO = 3, 11
"""Turns of that match of three and of two after which a tile earns a bonus, and two."""
ALIKE = 37
"""Who begins has two copies of a tile in the pool."""
UNCOVERED = """one => {
    const box = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""
NEXT = ".choices a, a.spot:not(.faint)"


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
    form = page.form("handing")
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
    wanted = set(page.form("handing").choices[0][1])
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
            elif "tap" in query and "a" not in query and "why" not in query:
                asked.append(href.partition("#")[0])
    assert wanted <= found


def hrefs(page: Any, kind: str) -> dict[str, str]:
    """Where the things of a page lead that have this class alone, by name."""
    found = re.findall(rf'<a href="([^"]*)" class="{kind}" data-spot="([^"]*)"', page.source)
    return {spot: unescape(href) for href, spot in found}


@pytest.mark.parametrize(
    ("lang", "wrong", "said", "rule"),
    [
        ("en", "WL", "No tile ever lies on the left waterfall.", "rule 1.5"),
        (
            "fr",
            "WL",
            "On ne pose jamais de tuile sur la cascade gauche",
            "règle\N{NO-BREAK SPACE}1.5",
        ),
        ("en", "taken", "lies on", "rule 5.1"),
        ("fr", "taken", "se trouve déjà sur", "règle\N{NO-BREAK SPACE}5.1"),
    ],
)
def test_what_cannot_be_touched_says_its_rule_and_keeps_the_touches(
    site: Site, lang: str, wrong: str, said: str, rule: str
) -> None:
    match = site.table(guests=1, lang=lang, seed=BONUSES, turns=2)
    reader = site.reader(lang)
    tile = None
    while tile is None:
        # The guest, whose language it is; and a tile that has several places.
        site.play_on(match, 2 if site.awaited(match.id).seat else 1)
        page = reader.get(site.turn_link(match))
        tile = next((href for href in hrefs(page, "spot").values() if "tap=tile" in href), None)
    turns = site.match(match.id).last_entry
    page = reader.get(tile)
    if wrong == "taken":
        wrong = match_view_of(site, match)[0]
    before = set(hrefs(page, "spot"))
    page = reader.get(hrefs(page, "barred")[wrong])
    assert page.status == 200
    told = page.source.partition('id="why">')[2].partition("</p>")[0]
    assert said in told
    assert rule in told
    assert set(hrefs(page, "spot")) == before, "what was touched is kept"
    assert site.match(match.id).last_entry == turns


def match_view_of(site: Site, match: Any) -> list[str]:
    """Squares of the mover's board on which tiles lie."""
    with site.service.database.read() as session:
        match = session.get_one(Match, match.id)
        view = reading.match_view(session, match, site.awaited(match.id).seat).view
    board = view["players"][site.awaited(match.id).seat]["board"]
    both = [tile[end] for tile in board["tiles"] for end in ("first", "second")]
    return [place for place in both if len(place) == 2]


def test_only_what_somebody_may_touch_is_explained(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    there = reader.at.partition("?")[0]
    tile = next(iter(hrefs(page, "spot")))
    for why in ("", "nothing", "tile:nothing-else.1", "board:0", "Z9", "<b>", "x" * 5000):
        page = reader.get(f"{there}?tap={tile}&why={quote(why)}")
        assert page.status == 200
        assert 'id="why"' not in page.source


def test_a_copy_of_a_tile_that_fits_is_not_said_to_fit_nowhere(site: Site) -> None:
    match = site.table(guests=1, seed=ALIKE)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    there = reader.at.partition("?")[0]
    with site.service.database.read() as session:
        seat = site.awaited(match.id).seat
        match_view = reading.match_view(session, session.get_one(Match, match.id), seat)
    pool = [item["tile"] for item in match_view.view["players"][seat]["pool"]]
    both = [tile for tile in pool if sum(t[:-2] == tile[:-2] for t in pool) == 2]
    touched = next(spot for spot in hrefs(page, "spot") if spot.removeprefix("tile:") in both)
    copy = next(f"tile:{tile}" for tile in both if f"tile:{tile}" != touched)
    page = reader.get(f"{there}?{urlencode({'tap': touched})}")
    assert f'chosen" data-spot="{touched}"' in page.source
    assert copy not in hrefs(page, "barred")
    page = reader.get(f"{there}?{urlencode({'tap': touched, 'why': copy})}")
    assert 'id="why"' not in page.source


def test_a_whole_turn_names_no_bonus_that_it_leaves(site: Site) -> None:
    match = site.table(guests=2, seed=BONUSES)
    reader = site.reader()
    site.play_on(match, ONE_OF_THREE)
    for _ in range(TURNS):
        site.play_on(match, 1)
        page = reader.get(site.turn_link(match))
        there = reader.at.partition("?")[0]
        for text in page.form("handing").choices[0][1]:
            page = reader.get(f"{there}?{urlencode({'a': text})}")
            choices = page.form("handing").choices
            takes = [one for one in choices[1][1] if one.startswith("take ")] if choices[1:] else []
            sums = page.source.partition('class="sums"')[2].partition("</span>")[0]
            if takes and "bonus:" in sums.partition("</b>")[0]:
                page = reader.get(f"{there}?{urlencode({'a': [text, takes[0]]}, doseq=True)}")
                assert 'class="suggested"' not in page.source
                sums = page.source.partition('class="sums"')[2].partition("</span>")[0]
                assert "bonus" not in sums
                return
    raise AssertionError("no turn with a bonus to leave")


def test_bonuses_are_chosen_by_name_in_the_order_of_the_player(site: Site) -> None:
    """What is earned is a word beside the board; tiles to take lie there as before."""
    match = site.table(guests=1, seed=BONUSES)
    reader = site.reader()
    site.play_on(match, TWO_OF_TWO)
    for _ in range(TURNS):
        site.play_on(match, 1)
        page = reader.get(site.turn_link(match))
        there = reader.at.partition("?")[0]
        first = page.form("handing").choices[0][1]
        for text in [one for one in first if one.startswith("lay ")]:
            page = reader.get(f"{there}?{urlencode({'a': text})}")
            named = re.findall(r'<a id="word[0-9]+" href="([^"]*)">(Bonus: [^<]*)</a>', page.source)
            if len(named) > 1:
                href, said = named[1]
                asked = reader.get(unescape(href))
                assert f"<b>{said}</b>" in asked.source
                assert hrefs(asked, "spot")
                return
    raise AssertionError("no turn with two bonuses to choose from")


def test_the_steps_suggested_are_of_the_tile_that_was_touched(site: Site) -> None:
    match = site.table(guests=1)
    site.play_on(match, 4)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    there = reader.at.partition("?")[0]
    tiles = [spot for spot in hrefs(page, "spot") if spot.startswith("tile:")]
    suggested = set()
    for tap in tiles:
        page = reader.get(f"{there}?{urlencode({'tap': tap})}")
        assert "Our suggestion for what you touched" in page.text
        first = page.form("handing").all("a")[0]
        assert tap.removeprefix("tile:").partition(".")[0] in first
        suggested.add(first)
    assert len(suggested) == len(tiles) > 1


def ways_on(page: Any) -> list[str]:
    """Where everything leads that is lit, or is a word beside the board."""
    words = re.findall(r'<a id="(?:word|option)\d+" href="([^"]*)">', page.source)
    return [*hrefs(page, "spot").values(), *map(unescape, words)]


@pytest.mark.parametrize(
    ("lang", "seed"), [pytest.param("en", 5, marks=pytest.mark.rarely), ("fr", 11)]
)
def test_whatever_is_touched_in_a_game_leads_on_or_says_why_not(
    site: Site, lang: str, seed: int
) -> None:
    match = site.table(guests=2, lang=lang, seed=seed)
    reader, chosen = site.reader(lang), random.Random(seed)
    asked: set[str] = set()
    for _ in range(TOUCHED):
        page = reader.get(site.turn_link(match))
        reader.get(reader.at.partition("?")[0])
        while ways := ways_on(page):
            barred = hrefs(page, "barred")
            if barred:
                spot = chosen.choice(sorted(barred))
                page = reader.get(barred[spot])
                assert 'id="why"' in page.source, spot
                asked |= set(re.findall("#s[0-9-]+", page.source.partition('id="why"')[2][:900]))
            page = reader.get(chosen.choice(ways))
            assert page.status == 200, reader.at
        assert 'class="suggested"' not in page.source
        reader.press(
            page.form("handing"), next(b.text for b in page.form("handing").buttons if b.action)
        )
    assert site.match(match.id).last_entry == TOUCHED
    assert len(asked) > 3, "several rules were told"


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
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    row = served.site.awaited(match.id)
    page.goto(served.site.links.turn(match, row.seat, row.decision))
    return match.id, page, faults


def settled(page: Page) -> None:
    page.wait_for_selector("#plan:not([aria-busy])")


def shown_whole(page: Page) -> None:
    """Have the suggestion shown on the board: then it can be played."""
    page.get_by_role("button", name="Take this suggestion").click()
    page.get_by_role("button", name="Play this turn").wait_for()
    settled(page)


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


def test_a_line_that_is_erased_stays_so_from_step_to_step(
    served: Served, desk: BrowserContext
) -> None:
    match_id, page, _ = open_turn(served, desk)
    with served.site.changing() as work:
        locks.lock_number(served.site.service, work, match_id).hold_minutes = 30
    turn = page.url
    shown_whole(page)
    page.locator("details.saying summary").click()
    page.locator("#line").fill("sorry!")
    page.get_by_role("button", name="Play this turn").click()
    page.get_by_text("Until then only you see it").first.wait_for()
    page.goto(turn)
    shown_whole(page)
    assert page.locator("#line").input_value() == "sorry!", "of the turn that waits"
    page.locator("#line").fill("")
    page.get_by_role("link", name="Undo").first.click()
    page.get_by_role("button", name="Play this turn").wait_for(state="detached")
    settled(page)
    assert page.locator("#handing [name=said]").input_value() == ""
    page.locator("#handing [name=said]").evaluate("field => { field.value = 'typed' }")
    page.get_by_role("button", name="Fill in the rest").click()
    page.get_by_role("button", name="Play this turn").wait_for()
    settled(page)
    assert page.locator("#line").input_value() == "typed"


def test_script_and_style_are_small(served: Served, desk: BrowserContext) -> None:
    _, page, _ = open_turn(served, desk)
    sizes = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter(r => /\\.(js|css)/.test(r.name)).map(r => r.decodedBodySize)"
    )
    assert len(sizes) >= 2
    assert sum(sizes) < 60_000


def test_without_a_connection_nothing_is_lost(served: Served, phone: BrowserContext) -> None:
    match_id, page, _ = open_turn(served, phone)
    first = page.url
    phone.set_offline(True)
    page.locator("a.spot:not(.faint)").first.tap()
    page.locator("#trouble:has-text('No connection')").wait_for()
    assert page.url == first
    phone.set_offline(False)
    page.wait_for_function("document.getElementById('trouble').hidden")
    page.route("**/turn/*?tap=*", lambda route: route.fulfill(status=500, body="no"))
    page.locator("a.spot:not(.faint)").first.tap()
    page.locator("#trouble:has-text('The server did not answer')").wait_for()
    page.unroute_all()
    shown_whole(page)
    before = page.url
    phone.set_offline(True)
    page.get_by_role("button", name="Play this turn").tap()
    page.locator("#trouble:has-text('No connection')").wait_for()
    assert page.url == before
    phone.set_offline(False)
    page.wait_for_function("document.getElementById('trouble').hidden")
    page.get_by_role("button", name="Play this turn").tap()
    page.wait_for_url("**/verdict/**")
    assert len(played(served, match_id)) == 1


@pytest.mark.rarely("delete AbortSignal.timeout")
@pytest.mark.parametrize(
    "older",
    ["delete AbortSignal.timeout", "DOMParser.prototype.parseFromString = () => null.nothing"],
)
def test_what_the_script_cannot_do_the_link_does(
    served: Served, desk: BrowserContext, older: str
) -> None:
    desk.add_init_script(older)
    _, page, _ = open_turn(served, desk)
    page.locator("a.spot[href*='tap=']").first.click()
    page.wait_for_url("**tap=**")
    page.get_by_text("Chosen").or_(page.locator("a.spot.chosen")).first.wait_for()
    assert page.locator("#trouble").is_hidden()


@pytest.mark.rarely
def test_a_turn_is_played_though_the_browser_believes_itself_offline(
    served: Served, desk: BrowserContext
) -> None:
    desk.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    match_id, page, faults = open_turn(served, desk)
    shown_whole(page)
    page.get_by_role("button", name="Play this turn").click()
    page.wait_for_url("**/verdict/**")
    assert len(played(served, match_id)) == 1
    assert not faults


@pytest.mark.parametrize(
    "later",
    [
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))",
        "Date.now = ((now) => () => now() + 5000)(Date.now)",
    ],
    ids=["escape", "later"],
)
def test_a_turn_whose_sending_was_stopped_is_sent_again(
    served: Served, desk: BrowserContext, later: str
) -> None:
    match_id, page, _ = open_turn(served, desk)
    shown_whole(page)
    button = page.get_by_role("button", name="Play this turn")
    # As by the browser's own button: the page stays.
    page.route("**/play/*", lambda route: route.abort("aborted"))
    with page.expect_event("requestfailed"):
        button.click(no_wait_after=True)
    page.evaluate(later)
    page.unroute_all()
    button.click()
    page.wait_for_url("**/verdict/**")
    assert len(played(served, match_id)) == 1


def test_a_step_on_its_way_is_waited_for(served: Served, desk: BrowserContext) -> None:
    match_id, page, _ = open_turn(served, desk)
    shown_whole(page)
    hanging: list[Route] = []
    page.route("**/turn/*", lambda route: hanging.append(route))
    with page.expect_request("**/turn/*"):
        page.locator("#undo").click()
    page.get_by_role("button", name="Play this turn").click()
    page.locator("#trouble:has-text('still on its way')").wait_for()
    # To be connected again is no answer yet.
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.locator("#plan[aria-busy]").count() == 1
    hanging[0].continue_()
    page.locator("a.spot").first.wait_for()
    assert page.locator("#trouble").is_hidden()
    assert played(served, match_id) == []


@pytest.mark.rarely(False)
@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_enter_in_a_field_does_not_play(served: Served, browser: Browser, script: bool) -> None:
    context = browser.new_context(viewport=DESK, java_script_enabled=script)
    match_id, page, _ = open_turn(served, context)
    page.locator("#line0").click()
    page.locator("#step0").focus()
    page.keyboard.press("Enter")
    # What Enter does is not the same everywhere: also what it does where it presses a button.
    pressed = page.locator("form:has(#step0) button:not([type=button])").first
    assert pressed.inner_text() == "Update"
    pressed.evaluate("one => one.click()")
    page.wait_for_url("**own=**")
    page.get_by_role("heading", name="Your turn").wait_for()
    assert played(served, match_id) == []
    context.close()


def test_a_turn_is_handed_in_once_however_often_it_is_pressed(
    served: Served, desk: BrowserContext
) -> None:
    match_id, page, _ = open_turn(served, desk)
    shown_whole(page)
    page.get_by_role("button", name="Play this turn").dblclick()
    page.wait_for_url("**/verdict/**")
    page.go_back()
    page.get_by_text("It has been played, so").wait_for()
    assert len(played(served, match_id)) == 1


def test_why_something_cannot_be_touched_moves_nothing(
    served: Served, phone: BrowserContext
) -> None:
    _, page, faults = open_turn(served, phone)
    page.locator("a.spot[data-spot^='tile:']:not(.faint)").first.tap()
    page.wait_for_url("**tap=**")
    settled(page)
    at = page.url
    top = "document.querySelector('.live svg').getBoundingClientRect().top"
    square = page.locator("a.barred[data-spot='D3']")
    square.scroll_into_view_if_needed()
    before = page.evaluate(top)
    square.tap()
    page.locator("#why").wait_for()
    assert "(rule 3.1)" in page.locator("#why").inner_text()
    assert page.url == at
    assert page.evaluate(top) == before, "the board stays where it is"
    assert page.locator("a.spot.chosen").count() == 1
    assert not faults


@pytest.mark.rarely  # at the first: tests/looks/test_axe.py
@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.rarely), "fr"])
def test_nothing_hinders_readers_at_any_step(served: Served, browser: Browser, lang: str) -> None:
    match = served.site.table(guests=2, lang=lang, seed=BONUSES, turns=9)
    scheme: ColorScheme = "dark" if lang == "fr" else "light"
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, bypass_csp=True, color_scheme=scheme
    )
    page = context.new_page()
    row = served.site.awaited(match.id)
    page.goto(served.site.links.turn(served.site.match(match.id), row.seat, row.decision))
    for step in range(12):
        last = not page.locator(NEXT).count()
        if last or step % 3 == 0:  # it takes a second, and steps between have the same parts
            assert not axe_faults(page), page.url
        wide, small = page.evaluate(MEASURE)
        assert wide <= 0
        assert small == []
        if last:
            break
        page.locator(NEXT).first.tap()
        page.wait_for_timeout(1)
        settled(page)
        focused = page.locator(":focus")
        assert focused.count() == 1, "the focus is kept"
        expect(focused).to_be_in_viewport()
        assert focused.evaluate(UNCOVERED), "what is asked and the button cover it"
    context.close()


def test_the_board_stays_in_place_and_comes_with_the_button(
    served: Served, phone: BrowserContext
) -> None:
    _, page, _ = open_turn(served, phone)
    board = page.locator(".sight svg.part1")
    top = "node => node.getBoundingClientRect().top + scrollY"
    before = board.evaluate(top)
    page.locator("a.spot:not(.faint)").first.tap()
    page.locator("#back").wait_for()
    settled(page)
    assert abs(board.evaluate(top) - before) < 2
    page.locator("#back").tap()
    page.locator("#back").wait_for(state="detached")
    page.get_by_role("button", name="Take this suggestion").wait_for()
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    assert board.evaluate("node => node.getBoundingClientRect().bottom") < 0
    page.get_by_role("button", name="Take this suggestion").evaluate("button => button.click()")
    page.get_by_role("button", name="Play this turn").wait_for()
    page.wait_for_function(
        "document.querySelector('.sight svg.part1').getBoundingClientRect().top >= 0"
    )
