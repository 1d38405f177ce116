"""The pages in a real browser: without scripts, by keyboard, on a phone, light and dark."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, ViewportSize
from sqlalchemy import select
from werkzeug.serving import make_server

from engine.games import games
from service.core import locks
from service.core.models import Match, Player
from service.matches.tables import Guest
from tests.support.cases import all_of_them
from tests.support.games import KNOWN
from tests.support.ports import free_port
from tests.web.conftest import NEW_TABLE, Site, path

ColorScheme = Literal["light", "dark"]
PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1200, "height": 800}


class Served:
    """The pages of a site behind a port."""

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self.base = f"http://127.0.0.1:{port}"
        self.server = make_server("127.0.0.1", port, site.app, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def served(make_site: Callable[..., Site]) -> Iterator[Served]:
    """A site with a worker, on a free port."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    port = free_port()
    running = Served(make_site(BASE_URL=f"http://127.0.0.1:{port}"), port)
    yield running
    running.server.shutdown()


@pytest.fixture
def plain(browser: Browser) -> Iterator[BrowserContext]:
    """A phone's browser that runs no script."""
    made = browser.new_context(viewport=PHONE, java_script_enabled=False)
    yield made
    made.close()


def sign_in(served: Served, page: Page, address: str) -> None:
    page.goto(f"{served.base}/sign-in")
    page.get_by_label("Your email address").fill(address)
    page.get_by_role("button", name="Send me the link").click()
    page.goto(served.base + served.site.sign_in_link())
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def enter(served: Served, context: BrowserContext, address: str) -> Page:
    """A page of somebody who has signed in: three pages less than `sign_in`."""
    name = served.site.app.config["SESSION_COOKIE_NAME"]
    cookie = served.site.signed_in(address).client.get_cookie(name)
    assert cookie is not None
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": served.base}])
    return context.new_page()


def test_a_table_is_opened_joined_and_played_without_scripts_on_a_phone(
    served: Served, plain: BrowserContext, browser: Browser
) -> None:
    site, host = served.site, plain.new_page()
    sign_in(served, host, "ana@example.org")
    host.goto(f"{served.base}/tables/new?game={KNOWN}")
    host.get_by_label("A mix").check()
    seat = host.get_by_role("group", name="Seat 2")
    seat.get_by_label("Email address").fill("zoe@example.org")
    seat.get_by_label("Name").fill("Zoé")
    host.get_by_role("group", name="Seat 3").get_by_label("Who sits here?").select_option(
        label="Bot, easy: plays anything"
    )
    host.get_by_text("Free weekdays, and what happens").click()
    host.get_by_label("How long a turn can be taken back").select_option("0")
    host.get_by_role("button", name="Open the table").click()
    assert "has not answered yet" in host.get_by_role("main").inner_text()

    letter = site.letters(kind="invitation")[0]
    match = site.match(letter.match_id or 0)
    other = browser.new_context(viewport=PHONE, java_script_enabled=False)
    guest = other.new_page()
    guest.goto(site.links.invitation(match, letter.player_id))
    guest.get_by_role("button", name="Yes, I’ll play").click()
    assert "You are in" in guest.get_by_role("main").inner_text()

    pages = {0: host, 1: guest}
    for _ in range(4 if all_of_them() else 2):
        row = site.awaited(match.id)
        page = pages[row.seat]
        page.goto(site.links.turn(site.match(match.id), row.seat, row.decision))
        assert "/t/" not in page.url
        play_another(page)
        assert site.match(match.id).last_entry >= row.opened_entry + 1
    other.close()


def heard_of_boards(page: Page) -> list[tuple[str, str, str]]:
    """What a screen reader has of the boards on a page: role, name and description of each part."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in tree["nodes"]}

    def within(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for child in node.get("childIds", ()):
            yield nodes[child]
            yield from within(nodes[child])

    def said(node: dict[str, Any], what: str) -> str:
        return str(node.get(what, {}).get("value", ""))

    figures = [node for node in nodes.values() if said(node, "role") == "figure"]
    parts = [part for figure in figures for part in within(figure) if not part["ignored"]]
    return [(said(x, "role"), said(x, "name"), said(x, "description")) for x in parts]


def test_a_board_is_heard_as_its_description_and_each_link_once(
    served: Served, context: BrowserContext
) -> None:
    site, page = served.site, context.new_page()
    match = site.table(guests=1)
    row = site.awaited(match.id)
    page.goto(site.links.seat(match, row.seat))
    whole = heard_of_boards(page)
    page.goto(site.links.turn(match, row.seat, row.decision))
    turn = heard_of_boards(page)
    for heard in (whole, turn):
        assert [text for role, text, _ in heard if role == "StaticText"] == []
        boards = [said for _, name, said in heard if name == "Board"]
        assert boards
        assert all(len(said) > 100 for said in boards)
    links = [(name, said) for role, name, said in turn if role == "link"]
    assert len(links) > 3
    assert all(name and said != name for name, said in links)


def test_the_clock_of_a_browser_is_offered_by_its_name_of_today(
    served: Served, browser: Browser
) -> None:
    there = browser.new_context(timezone_id="Asia/Calcutta")
    page = enter(served, there, "ana@example.org")
    with served.site.service.database.write() as work:
        work.session.scalars(select(Player)).one().zone = "Europe/Paris"
    page.goto(f"{served.base}/settings")
    page.get_by_role("button", name="Use this device’s: Asia/Kolkata").click()
    assert page.get_by_label("Your time zone").input_value() == "Asia/Kolkata"
    assert page.locator("option[value='Asia/Calcutta']").count() == 0
    there.close()


def test_a_form_shows_of_a_seat_what_it_needs(served: Served, plain: BrowserContext) -> None:
    page = enter(served, plain, "ana@example.org")
    page.goto(f"{served.base}{NEW_TABLE}")
    seat = page.get_by_role("group", name="Seat 3")
    who = seat.get_by_label("Who sits here?")
    fields = {name: seat.get_by_label(name) for name in ("Email address", "Name", "Language")}

    def seen() -> set[str]:
        return {name for name, field in fields.items() if field.is_visible()}

    assert seen() == set()
    who.select_option(label="Bot, strong: plans ahead")
    assert seen() == {"Name"}
    who.select_option(label="A guest, by email")
    assert seen() == set(fields)
    # What has to be mended is seen whatever the seat is.
    fields["Email address"].fill("zoe@example.org")
    who.select_option(label="Nobody")
    assert seen() == set()
    page.get_by_role("button", name="Open the table").click()
    assert "Seat 3" in page.get_by_role("alert").inner_text()
    assert page.get_by_role("group", name="Seat 3").get_by_label("Email address").is_visible()


def test_scripts_copy_a_link_and_know_the_zone(served: Served, browser: Browser) -> None:
    context = browser.new_context(
        viewport=PHONE,
        timezone_id="America/Halifax",
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    match = served.site.table(guests=1)
    sign_in(served, page, "zoe@example.org")
    assert served.site.player("zoe@example.org").zone == "America/Halifax"
    page.goto(served.site.links.seat(match, 0))
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == served.site.links.watch(match)

    page.get_by_role("button", name="Sign out").click()
    sign_in(served, page, "ana@example.org")
    page.goto(f"{served.base}/settings")
    zone = page.get_by_label("Your time zone")
    assert zone.input_value() == "Europe/Paris"
    page.get_by_role("button", name="America/Halifax").click()
    assert zone.input_value() == "America/Halifax"
    context.close()


def play_another(page: Page) -> None:
    """Choose something else in the first step, look at it, play it."""
    page.locator("#line0").click()
    first = page.get_by_role("main").get_by_role("combobox").first
    options = first.locator("option").evaluate_all("all => all.map(o => o.value)")
    # What is suggested already is nothing else, wherever the chance of the match has put it.
    wanted = next(option for option in reversed(options) if option != first.input_value())
    first.select_option(wanted)
    page.get_by_role("button", name="Update").click()
    assert page.locator("#step0").input_value() == wanted
    rest = page.get_by_role("button", name="Fill in the rest")
    if rest.count():
        rest.click()
    page.get_by_role("button", name="Play this turn").click()
    assert "Your turn is played." in page.get_by_role("status").first.inner_text()


def open_turn(served: Served, page: Page) -> None:
    match = served.site.table(guests=1)
    row = served.site.awaited(match.id)
    page.goto(served.site.links.turn(match, row.seat, row.decision))


def test_what_is_to_be_touched_first_is_in_sight_on_a_phone(
    served: Served, plain: BrowserContext
) -> None:
    page = plain.new_page()
    open_turn(served, page)
    dock = page.locator(".dock").bounding_box()
    assert dock
    assert dock["y"] + dock["height"] <= PHONE["height"] + 1, "it sticks to the window"
    tiles = page.locator("a.spot[data-spot^='tile:']")
    assert tiles.count()
    for tile in tiles.all():
        box = tile.bounding_box()
        assert box
        assert box["y"] + box["height"] <= dock["y"]


@pytest.mark.rarely(True)
@pytest.mark.parametrize("scripts", [True, False])
def test_what_cannot_be_read_has_the_focus_and_no_turn_lies_under_the_button(
    served: Served, browser: Browser, scripts: bool
) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=scripts)
    page = context.new_page()
    open_turn(served, page)
    page.get_by_text("Or write your turn").click()
    page.get_by_label("Your turn as text").fill("dance")
    page.get_by_role("button", name="Show this turn").click()
    assert "This cannot be played" in page.get_by_role("alert").first.inner_text()
    page.locator("#verdict:focus").wait_for()
    assert page.get_by_role("button", name="Play this turn").count() == 0
    page.get_by_role("link", name="Choose it on the board").click()
    page.get_by_role("button", name="Take this suggestion").wait_for()
    context.close()


def test_a_turn_is_played_by_keyboard_alone(served: Served, plain: BrowserContext) -> None:
    site = served.site
    match = site.table(guests=1)
    page = plain.new_page()
    page.goto(served.base + site.turn_link(match))
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.get_attribute("href") == "#main", "the way past the menu comes first"
    page.keyboard.press("Enter")
    met = []
    for _ in range(80):
        page.keyboard.press("Tab")
        met.append(focused.get_attribute("id") or (focused.text_content() or "").strip())
        if met[-1] == "Update":
            break
    # The board, the button, and the steps behind it.
    steps = [name for name in met if re.fullmatch("line[0-9]+", name)]
    assert steps
    assert steps == sorted(steps), "the steps in their order"
    assert met.index("Take this suggestion") < met.index(steps[0])
    while focused.get_attribute("id") != "line0":
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused.get_attribute("id") == "step0"
    for label in ("Take this suggestion", "Play this turn"):
        page.get_by_role("button", name=label).wait_for()
        while True:
            page.keyboard.press("Shift+Tab" if label == "Take this suggestion" else "Tab")
            if (focused.text_content() or "").strip() == label:
                break
        page.keyboard.press("Enter")
    page.wait_for_url("**/verdict/**")
    assert site.match(match.id).last_entry == 1


def addresses(site: Site, match: Match) -> list[str]:
    """An address of every kind of page that a player meets."""
    row = site.awaited(match.id)
    first = site.links.turn(match, row.seat, "t1")
    open_match = site.match(site.open([Guest(address="x@example.org", name="X" * 40)], KNOWN))
    guest = open_match.invitees[1]
    return [
        "/",
        "/sign-in",
        "/sign-in/sent",
        "/sign-in/confirm",
        "/rules",
        "/rules/sapiens",
        "/nowhere",
        path(site.links.invitation(open_match, guest.player_id or 0)),
        path(site.links.watch(match)),
        path(site.links.seat(match, row.seat)),
        f"/m/{match.code}/{row.seat}?n=2&board=1",
        path(first),
        site.turn_link(match),
        f"/m/{match.code}/{row.seat}/turn/{row.decision}?order=lay+nothing+A1+B1",
    ]


OWN = ["/matches", "/tables/new", "/settings"]

MEASURE = """() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const small = [...document.querySelectorAll('a, button, select, input:not([type=hidden])')]
        .map(e => e.type === 'radio' && e.closest('label') || e)
        .filter(e => e.checkVisibility() && !e.closest('p, li:not(.chips li), td, dt, dd, .skip'))
        .filter(e => e.getBoundingClientRect().height < 24)
        .map(e => e.outerHTML.slice(0, 80));
    return [wide, small];
}"""


@pytest.mark.parametrize(
    ("lang", "size"),
    [
        # The longer words on the narrower screen.
        pytest.param("fr", PHONE, id="fr-phone"),
        pytest.param("en", DESK, id="en-desk", marks=pytest.mark.rarely),
        pytest.param("en", PHONE, id="en-phone", marks=pytest.mark.rarely),
        pytest.param("fr", DESK, id="fr-desk", marks=pytest.mark.rarely),
    ],
)
def test_no_page_is_wider_than_its_window(
    served: Served, browser: Browser, lang: str, size: ViewportSize
) -> None:
    site = served.site
    match = site.table(guests=3, turns=9)
    context = browser.new_context(viewport=size, locale=lang)
    context.add_cookies([{"name": "lang", "value": lang, "url": served.base}])
    page = context.new_page()
    for address in addresses(site, match):
        page.goto(served.base + address)
        wide, small = page.evaluate(MEASURE)
        assert wide <= 0, f"{address}: {wide} px too wide"
        assert small == [], f"{address}: too small to be tapped"
    page.goto(f"{served.base}/sign-in")
    page.fill("#address", "ana@example.org")
    page.click("main button.main")
    page.goto(served.base + site.sign_in_link())
    page.click("main button.main")
    for address in OWN:
        page.goto(served.base + address)
        wide, small = page.evaluate(MEASURE)
        assert wide <= 0, f"{address}: {wide} px too wide"
        assert small == [], f"{address}: too small to be tapped"
    context.close()


CONTRAST = """() => {
    const channel = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
    const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
    const ground = e => {
        for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] === 1) return c;
        }
        return [255, 255, 255];
    };
    const poor = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const e = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || e.closest('svg, option, .hidden, .skip')) continue;
        const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${e.outerHTML.slice(0, 90)}`);
    }
    return poor;
}"""


# By day and by night axe-core looks at it, too (tests/looks).
@pytest.mark.rarely
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(
    served: Served, browser: Browser, scheme: ColorScheme
) -> None:
    site = served.site
    match = site.table(guests=1, turns=4)
    context = browser.new_context(viewport=DESK, color_scheme=scheme)
    page = context.new_page()
    for address in addresses(site, match):
        page.goto(served.base + address)
        assert page.evaluate(CONTRAST) == [], address
    context.close()


def test_style_is_small_and_nothing_comes_from_elsewhere(served: Served, browser: Browser) -> None:
    match = served.site.table(guests=1)
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    answers: list[Response] = []
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("response", lambda answer: answers.append(answer))
    page.goto(served.base + served.site.turn_link(match))
    page.wait_for_load_state("networkidle")
    weights: dict[str, int] = {}
    for answer in answers:
        if answer.status == 200:
            kind = answer.request.resource_type
            weights[kind] = weights.get(kind, 0) + len(answer.body())
    assert problems == [], "the content policy is kept"
    assert all(answer.url.startswith(served.base) for answer in answers)
    assert weights["stylesheet"] + weights["script"] < 60_000
    assert weights["font"] < 60_000
    # Most of it are the drawings of the board, which pack to an eighth (bench/pages.py).
    assert weights["document"] < 250_000
    context.close()


def test_the_referrer_tells_nobody_where_the_reader_was(
    served: Served, plain: BrowserContext
) -> None:
    match = served.site.table(guests=1)
    page = plain.new_page()
    referrers: list[str | None] = []
    page.on("request", lambda request: referrers.append(request.headers.get("referer")))
    page.goto(served.base + served.site.turn_link(match))
    page.get_by_role("link", name="Rules", exact=True).first.click()
    assert not any(referrers)


def test_a_held_turn_is_taken_back_changed_and_played_without_scripts(
    served: Served, plain: BrowserContext
) -> None:
    site = served.site
    match = site.table(guests=1)
    with site.service.database.write() as work:
        locks.lock_number(site.service, work, match.id).hold_minutes = 30
    seat = site.awaited(match.id).seat
    page = plain.new_page()
    page.goto(f"{served.base}{site.turn_link(match)}")
    page.get_by_role("button", name="Take this suggestion").click()
    page.get_by_role("button", name="Play this turn").click()
    page.get_by_text("Until then only you see it").wait_for()
    page.goto(f"{served.base}{path(site.links.seat(match, seat))}")
    back = page.get_by_role("button", name="Take it back")
    back.focus()
    page.keyboard.press("Tab")
    sure = page.get_by_role("button", name="send it now")
    assert sure.evaluate("button => button === document.activeElement"), "next in focus order"
    back.focus()
    page.keyboard.press("Enter")
    page.get_by_text("You have taken this turn back.").wait_for()
    assert site.match(match.id).last_entry == 0
    page.get_by_role("button", name="Play this turn").click()
    page.get_by_role("button", name="send it now").click()
    page.get_by_text("Your turn is played.").wait_for()
    assert site.match(match.id).last_entry == 1
    widths = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]


BROKEN = """() => {
    const broken = [], of = (start) => {
        const walk = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
        for (let node; (node = walk.nextNode()); )
            for (const word of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const tops = [...range.getClientRects()].map((box) => Math.round(box.top));
                if (new Set(tops).size > 1) broken.push(word[0]);
            }
    };
    document.querySelectorAll("main table").forEach(of);
    return broken;
}"""
BAR = """() => {
    const bar = document.querySelector(".reach").getBoundingClientRect();
    const style = getComputedStyle(document.querySelector(".reach"));
    return [bar.left, bar.width, style.backgroundColor !== "rgba(0, 0, 0, 0)"];
}"""


@pytest.mark.rarely("en")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_on_a_phone_no_word_of_a_rules_table_breaks_and_no_button_lies_on_text(
    served: Served, browser: Browser, lang: str
) -> None:
    for wide in (320, 360):
        context = browser.new_context(viewport={"width": wide, "height": 740}, locale=lang)
        page = context.new_page()
        for game in games():
            page.goto(f"{served.base}/rules/{game}")
            assert page.evaluate(BROKEN) == []
            assert page.evaluate(MEASURE)[0] == 0
            assert page.evaluate(BAR) == [0, wide, True]
        context.close()
