"""Pages of orders for every reader: what axe-core finds, targets for fingers, nothing too wide."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote_plus, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route

from service.core.models import Match
from tests.games.playing import opened
from tests.games.test_orders import file, seats_after
from tests.looks.test_axe import faults_by_day_and_night, out_of_reach
from tests.support.references import PHONE
from tests.web.conftest import Site, path

PLAN = "plan alone camp hill / always camp ford / berries rest / always rest"


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": PHONE, "height": 740},
        bypass_csp=True,
        reduced_motion="reduce",
        has_touch=True,
        is_mobile=True,
    )
    yield context.new_page()
    context.close()


def show(page: Page, client: FlaskClient, address: str) -> None:
    """Open a page of the application, without a server."""

    def answer(route: Route) -> None:
        asked = urlsplit(route.request.url)
        where = f"{asked.path}?{asked.query}" if asked.query else asked.path
        got = client.get(where, follow_redirects=True)
        route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.data)

    page.unroute_all()
    page.route("**/*", answer)
    page.goto(f"http://paleopost.test{address}")
    page.evaluate("() => document.fonts.ready.then(() => true)")


@pytest.mark.rarely  # of plans in a real game: tests/looks/test_axe.py
def test_nothing_hinders_readers_of_orders(site: Site, toy: str, phone: Page) -> None:
    number = opened(site, toy, 3)
    first, second, _ = seats_after(site, number)
    file(site, number, second, "file", PLAN)
    with site.changing() as work:
        for row in work.session.get_one(Match, number).seats:
            row.lang = "fr"
    match = site.match(number)
    clients = {}
    for seat in (first, second):
        reader = site.reader("fr")
        reader.get(path(site.links.seat(match, seat)))
        clients[seat] = reader.client
    turn, order = f"/m/{match.code}/{first}/turn/1.turn.{first}", f"/m/{match.code}/{second}/turn"
    found = {}
    for seat, address in (
        (second, f"/m/{match.code}/{second}"),
        (second, f"{order}/0.watch.{second}"),
        (second, f"{order}/1.file.{second}"),
        (second, f"{order}/1.file.{second}?order={quote_plus('plan always camp wood')}"),
        (first, f"{turn}?a=camp+wood&orders=watch+hill"),
        (first, f"{turn}?a=camp+wood&orders=camp+hill"),
    ):
        show(phone, clients[seat], address)
        if wrong := [*faults_by_day_and_night(phone), *out_of_reach(phone)]:
            found[address] = wrong
    assert not found
