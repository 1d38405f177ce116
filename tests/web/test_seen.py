"""Who has seen a turn: whoever looks at a page with it, and nothing that only opens one."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from service.core import locks
from service.core.models import EntryRow, Match
from service.matches import hosting, tables, undoing
from service.matches.tables import Guest
from tests.support.reader import Reader
from tests.web.conftest import Site, path
from tests.web.test_browser import PHONE, Served
from tests.web.test_browser import served as served

PATIENCE = 300.0
STYLE = {"Accept": "text/css,*/*;q=0.1"}
AHEAD = [
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"Purpose": "prefetch"},
    {"X-Moz": "prefetch"},
    {"X-Purpose": "preview"},
]


class Turn:
    """A turn that was played and revealed nothing: of whom (the first to move, or `mover`), and who
    looks on.
    """

    def __init__(self, site: Site, mover: int | None = None) -> None:
        self.site = site
        self.match = site.table(guests=1)
        while mover is not None and site.awaited(self.match.id).seat != mover:
            site.play_on(self.match, 1)
        self.mover = site.awaited(self.match.id).seat
        site.play_on(self.match, 1)
        self.unrevealed()

    def unrevealed(self) -> None:
        """Say of the newest turn that it revealed nothing."""
        with self.site.changing() as work:
            n = locks.lock_number(self.site.service, work, self.match.id).last_entry
            work.session.get_one(EntryRow, (self.match.id, n)).revealed = False

    @property
    def is_seen(self) -> bool:
        """Whether its player is told that somebody has seen it."""
        with self.site.service.database.read() as session:
            match = session.get_one(Match, self.match.id)
            found = undoing.obstacle(session, match, self.mover)
        assert found in (None, "too_late_shown")
        return found is not None

    def take_back(self) -> None:
        """Take it back."""
        with self.site.service.database.write() as work:
            match = locks.lock_number(self.site.service, work, self.match.id)
            undoing.undo(self.site.service, work, match, self.mover)

    def page(self, which: str) -> tuple[Reader, str]:
        """Somebody for whom this page with it opens, and its address."""
        site, match, other = self.site, self.match, 1 - self.mover
        if which == "my games":
            player = match.seats[other].player
            assert player is not None
            return site.signed_in(player.email), "/matches"
        reader = site.reader()
        links = {
            "seat": site.links.seat(match, other),
            "turn": site.links.turn(match, other, site.awaited(match.id).decision),
            "spectators": site.links.watch(match),
        }
        if which in links:
            return reader, path(links[which])
        whose = "watch" if which.startswith("watch") else str(other)
        opened = links["spectators"] if whose == "watch" else links["seat"]
        reader.client.get(path(opened))
        pages = {
            "replay": f"/m/{match.code}/{other}/replay",
            "watch replay": f"/m/{match.code}/watch/replay",
            "watch": f"/m/{match.code}/watch",
        }
        return reader, pages[which]


PAGES = ["seat", "turn", "spectators", "watch", "replay", "watch replay", "my games"]


@pytest.mark.parametrize("which", PAGES)
def test_to_open_a_page_is_not_to_have_seen_the_turn(site: Site, which: str) -> None:
    turn = Turn(site)
    reader, address = turn.page(which)
    reader.client.head(address, follow_redirects=True)
    for headers in ({"User-Agent": "curl/8"}, *AHEAD):
        assert reader.get(address, headers=headers).status == 200
    assert not turn.is_seen
    turn.take_back()


@pytest.mark.parametrize("which", PAGES)
def test_to_look_at_a_page_is(site: Site, which: str) -> None:
    turn = Turn(site)
    reader, address = turn.page(which)
    reader.look(address)
    assert turn.is_seen
    assert reader.get(address).seen == "", "it is known now"


def test_who_previews_a_link_has_seen_nothing(site: Site) -> None:
    turn = Turn(site)
    link = path(site.links.watch(turn.match))
    for robot in ("facebookexternalhit/1.1", "WhatsApp/2.23 W", "Slackbot-LinkExpanding 1.0"):
        client = site.app.test_client(use_cookies=False)
        for address in (link, f"{link}/board.png"):
            assert client.get(address, headers={"User-Agent": robot}).status_code == 200
    assert not turn.is_seen


@pytest.mark.parametrize("followed", [False, True])
def test_the_record_counts_for_who_presses_its_link(site: Site, followed: bool) -> None:
    turn = Turn(site)
    reader, _ = turn.page("watch")
    headers = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-User": "?1"} if followed else {}
    assert reader.get(f"/m/{turn.match.code}/record.json", headers=headers).status == 200
    assert turn.is_seen == followed


@pytest.mark.parametrize(
    ("method", "headers", "counts"),
    [
        ("POST", {}, True),
        ("POST", {"Sec-Fetch-Site": "same-origin"}, True),
        ("POST", {"Sec-Fetch-Site": "cross-site"}, False),
        *(("POST", ahead, False) for ahead in AHEAD),
        ("GET", STYLE, True),
        ("GET", STYLE | {"Sec-Fetch-Dest": "style", "Sec-Fetch-Site": "same-origin"}, True),
        ("GET", STYLE | {"Sec-Fetch-Dest": "style", "Sec-Fetch-Site": "cross-site"}, False),
        ("GET", STYLE | {"Sec-Fetch-Dest": "document"}, False),
        ("GET", {"Accept": "*/*"}, False),
        ("HEAD", STYLE, False),
        *(("GET", STYLE | ahead, False) for ahead in AHEAD),
    ],
)
def test_what_a_browser_tells_counts_and_nothing_else(
    site: Site, method: str, headers: dict[str, str], counts: bool
) -> None:
    turn = Turn(site)
    reader, address = turn.page("seat")
    told = site.app.test_client().open(reader.get(address).seen, method=method, headers=headers)
    assert told.status_code in (200, 204)
    assert told.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in told.headers
    assert turn.is_seen == counts


def test_a_look_changes_nothing_of_the_match_but_what_was_seen(site: Site) -> None:
    turn = Turn(site)
    for which in ("seat", "watch"):
        reader, address = turn.page(which)
        mark = reader.get(address).seen
        before = _told(site.match(turn.match.id))
        site.app.test_client().get(mark, headers=STYLE)
        assert _told(site.match(turn.match.id)) == before
    now = site.match(turn.match.id)
    assert (now.watched_entry, now.seats[1 - turn.mover].seen_entry) == (1, 1)


def _told(match: Match) -> list[object]:
    rows = [match, *match.invitees]
    noted = ("watched_entry", "seen_entry")
    return [
        getattr(row, column.key)
        for row in rows
        for column in type(row).__table__.columns
        if column.key not in noted
    ]


def test_a_page_of_a_turn_taken_back_tells_nothing_of_the_next(site: Site) -> None:
    turn = Turn(site)
    reader, address = turn.page("seat")
    old = reader.get(address)
    turn.take_back()
    reader.client.post(old.seen)
    assert site.match(turn.match.id).seats[1 - turn.mover].seen_entry is None, "there is none"
    site.play_on(turn.match, 1)
    turn.unrevealed()
    reader.client.post(old.seen)
    assert not turn.is_seen
    reader.look(address)
    assert turn.is_seen


def test_a_page_of_who_was_replaced_tells_nothing_of_the_next(site: Site) -> None:
    turn = Turn(site, mover=0)
    reader, address = turn.page("seat")
    old = reader.get(address)
    replace(site, turn.match, 1)
    reader.client.post(old.seen)
    assert site.match(turn.match.id).seats[1].seen_entry is None


def replace(site: Site, match: Match, seat: int) -> None:
    with site.service.database.write() as work:
        table = locks.lock_number(site.service, work, match.id)
        guest = Guest(address="next@example.org", name="Next")
        asked = hosting.replace(site.service, work, table, seat, guest).player_id
    token = site.service.keys.token("invitation", match.id, asked)
    with site.service.database.write() as work:
        tables.answer(site.service, work, token, "accept")


def test_marks_that_are_not_ours_are_nothing(site: Site) -> None:
    turn = Turn(site)
    reader, address = turn.page("seat")
    mark = reader.get(address).seen.rsplit("/", 1)[1]
    code, seat, n, token = mark.split("-")
    for forged in (
        "x",
        "%00",
        "é.ü",
        "." * 500,
        f"{code}-{turn.mover}-{n}-{token}",
        f"{code}-{seat}-0-{token}",
        f"{code}-{seat}-999999-{token}",
        f"{code}-watch-{n}-{token}",
        f"{code}-99-{n}-{token}",
        f"aaaaaaaaaa-{seat}-{n}-{token}",
        f"{code}-{seat}-{n}-{'a' * 26}",
    ):
        assert reader.client.post(f"/seen/{forged}").status_code == 204, forged
    now = site.match(turn.match.id)
    assert [now.watched_entry, *(row.seen_entry for row in now.seats)] == [None] * 3


def test_a_form_that_is_shown_again_tells_as_well(site: Site) -> None:
    turn = Turn(site)
    reader, address = turn.page("turn")
    form = reader.whole(reader.get(address)).form("/play/")
    action = next(b.action for b in form.buttons if b.action)
    page = reader.post(action, [(n, v) for n, v in form.fields if n not in ("a", "csrf_token")])
    assert page.status == 400
    reader.client.post(page.seen)
    assert turn.is_seen


# In a real browser


def until(holds: Callable[[], bool]) -> None:
    """Wait for a state."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def opened(served: Served, context: BrowserContext) -> tuple[Turn, Page]:
    """A page with the turn, whole, which nobody has touched: its modules have run by its load."""
    turn = Turn(served.site)
    page = context.new_page()
    page.goto(served.site.links.seat(turn.match, 1 - turn.mover), wait_until="load")
    return turn, page


def test_a_pointer_that_rests_on_a_page_tells_nothing(
    served: Served, context: BrowserContext
) -> None:
    turn, page = opened(served, context)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # As a browser without a window reports it, which has no other pointer.
    for _ in range(2):
        page.evaluate("dispatchEvent(new PointerEvent('pointermove', {screenX: 0, screenY: 0}))")
    page.evaluate("fetch(location.href)")
    assert not any("/seen/" in url for url in asked)
    with page.expect_response("**/seen/**"):
        page.mouse.move(100, 101)
    until(lambda: turn.is_seen)


@pytest.mark.rarely("wheel", "key")
@pytest.mark.parametrize("sign", ["mouse", "wheel", "key", "touch"])
def test_a_page_tells_once_it_is_touched(served: Served, browser: Browser, sign: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    turn, page = opened(served, context)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    assert not turn.is_seen, "a scanner's browser renders it just so"
    with page.expect_response("**/seen/**") as told:
        match sign:
            case "mouse":
                page.mouse.move(100, 100)
                page.mouse.move(120, 110)
            case "wheel":
                page.mouse.wheel(0, 50)
            case "key":
                page.keyboard.press("Tab")
            case _:
                page.touchscreen.tap(5, 300)
    assert told.value.status == 204
    until(lambda: turn.is_seen)
    assert complaints == []
    context.close()


def test_a_page_tells_once_it_was_in_view_for_a_while(
    served: Served, context: BrowserContext
) -> None:
    context.clock.install(time=0)
    context.clock.pause_at(1000)
    turn, page = opened(served, context)
    page.clock.fast_forward(19_000)
    assert not turn.is_seen

    def was_told() -> bool:
        # The browser may notice late that the board is in view: the time counts from then.
        page.clock.fast_forward(2_000)
        return turn.is_seen

    until(was_told)


def test_a_look_without_a_connection_is_told_later(served: Served, context: BrowserContext) -> None:
    context.clock.install(time=0)
    context.clock.pause_at(1000)
    turn, page = opened(served, context)
    context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.mouse.move(100, 100)
        page.mouse.move(120, 110)
    context.set_offline(False)
    page.clock.fast_forward(20_000)
    with page.expect_response("**/seen/**"):
        page.mouse.move(50, 50)
    until(lambda: turn.is_seen)


@pytest.mark.parametrize("ahead", [False, True])
def test_without_scripts_a_stylesheet_tells(served: Served, browser: Browser, ahead: bool) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    if ahead:
        context.set_extra_http_headers({"Sec-Purpose": "prefetch"})
    turn, page = opened(served, context)
    assert page.get_by_role("heading", level=1).is_visible()
    if ahead:
        assert not turn.is_seen
    else:
        until(lambda: turn.is_seen)
    context.close()
