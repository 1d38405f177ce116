"""Looking back: step by step, in motion, as curves; nothing that is not the reader's."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import Browser
from sqlalchemy import update

from service.core.models import EntryRow, Match
from service.matches import undoing
from service.matches.chronicle import public_views
from tests.support.tables import of_all
from tests.web.conftest import Site, path
from tests.web.test_browser import DESK, Served
from tests.web.test_browser import served as served
from tests.web.test_match import ended, seat_reader


def test_a_match_is_stepped_through_by_links(site: Site) -> None:
    match = site.table(guests=1, turns=4)
    reader = seat_reader(site, match, 0)
    assert "Turn 1 of 4" in reader.get(f"/m/{match.code}/0/replay").text
    page = reader.get(f"/m/{match.code}/0/replay?n=0")
    assert "The beginning" in page.text
    for n in range(1, 5):
        page = reader.get(page.link("Forward"))
        assert f"Turn {n} of 4" in page.text
        assert f"turn {n}" in page.text
        assert f"{n}/4" not in page.text, "once is enough"
        caption = page.source.partition('class="caption">')[2].partition("</p>")[0]
        assert f"Turn {n} of 4" in caption, "beside who moves, over the slider"
        deed = page.source.partition('class="deed" aria-hidden="true">')[2].partition("</p>")[0]
        assert deed.strip(), "on a phone what happened lies below the map"
    assert not [text for text, _ in page.links if "Forward" in text]
    assert page.source.count('class="button off"') == 2, "the others keep their places"
    assert "The film" not in page.text
    assert reader.get(f"/m/{match.code}/0/replay?n=5").status == 404
    assert reader.get(f"/m/{match.code}/film.gif").status == 404


def test_the_mover_has_the_large_board_and_another_can_be_chosen(site: Site) -> None:
    match = site.table(guests=1, turns=2)
    place = f"/m/{match.code}/0"
    reader = seat_reader(site, match, 0)
    shown = [reader.get(f"{place}/replay?n={n}").source.split("<figure")[1] for n in (1, 2)]
    assert ["Your valley:" in board for board in shown].count(True) == 1
    page = reader.get(f"{place}/replay?n=1&board=0")
    assert "Your valley:" in page.source.split("<figure")[1]
    assert "board=0" in page.link("Forward"), "it is kept from step to step"
    past = reader.get(f"{place}?n=1").source
    assert ("Your valley:" in past.split("<figure")[1]) == ("Your valley:" in shown[0])
    assert past.index("The board after turn 1") < past.index('class="then"') < past.index("<figure")


def test_a_stranger_sees_nothing_and_a_spectator_everything_public(site: Site) -> None:
    match = ended(site)
    stranger = site.reader()
    for place in ("0/replay", "watch/replay", "film.gif"):
        assert stranger.get(f"/m/{match.code}/{place}").status == 404
    watching = site.reader()
    watching.get(path(site.links.watch(match)))
    assert watching.get(f"/m/{match.code}/0/replay").status == 404
    page = watching.get(f"/m/{match.code}/watch/replay?n={match.last_entry}")
    assert page.status == 200
    assert "The film" in page.text
    french = watching.get(f"/m/{match.code}/watch/replay?lang=fr").source
    assert ">Lecture</button>" in french, "what starts a film is not what makes a move"


@pytest.mark.parametrize("watching", [False, True], ids=["a seat", "a spectator"])
def test_who_looks_back_has_seen_the_newest_turn(site: Site, watching: bool) -> None:
    match = site.table(guests=1)
    played = site.awaited(match.id).seat
    reader = seat_reader(site, match, 1 - played)
    if watching:
        reader = site.reader()
        reader.client.get(path(site.links.watch(match)))
    site.play_on(match, 1)
    with site.changing() as work:
        work.session.get_one(EntryRow, (match.id, 1)).revealed = False

    def obstacle() -> str | None:
        with site.service.database.read() as session:
            return undoing.obstacle(session, session.get_one(Match, match.id), played)

    assert obstacle() is None
    place = "watch" if watching else 1 - played
    assert "Turn 1 of 1" in reader.look(f"/m/{match.code}/{place}/replay?n=1").text
    assert obstacle() == "too_late_shown"


def test_a_match_that_is_over_is_a_film_and_curves(site: Site) -> None:
    match = ended(site)
    reader = seat_reader(site, match, 0)
    film = reader.client.get(f"/m/{match.code}/film.gif")
    assert film.mimetype == "image/gif"
    assert len(film.data) < 1_000_000
    with Image.open(io.BytesIO(film.data)) as picture:
        assert getattr(picture, "n_frames", 1) > match.last_entry // 2
    page = reader.get(f"/m/{match.code}/0")
    assert "Food and shelter over the turns" in page.source


@pytest.mark.parametrize("kept", [True, False], ids=["snapshots", "none kept"])
def test_the_views_are_those_of_every_entry(site: Site, kept: bool) -> None:
    match = site.table(guests=1, turns=3)
    if not kept:
        with site.changing() as work:
            work.session.execute(
                update(EntryRow).where(EntryRow.match_id == match.id).values(state=None),
                execution_options=of_all(work),
            )
    with site.service.database.read() as session:
        match = site.match(match.id)
        views = public_views(session, match)
        assert len(views) == 4
        laid = [sum(len(player["board"]["tiles"]) for player in view["players"]) for view in views]
        assert laid == sorted(laid)
        assert laid[-1] >= 3
        assert len(public_views(session, match, 1)) == 2


def test_arrows_and_the_slider_step_without_loading_a_page(
    served: Served, browser: Browser
) -> None:
    match = ended(served.site)
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(served.site.links.seat(match, 0))
    page.goto(f"{served.base}/m/{match.code}/0/replay?n=0")
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    page.locator("body").press("ArrowRight")
    page.wait_for_selector("#moment[data-n='1']")
    page.locator("body").press("End")
    page.wait_for_selector(f"#moment[data-n='{match.last_entry}']")
    page.locator("#n").fill("3")
    page.wait_for_selector("#moment[data-n='3']")
    assert "Turn 3 of" in page.locator("#now").inner_text()
    page.get_by_role("link", name="Back").click()
    page.wait_for_selector("#moment[data-n='2']")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector("#moment[data-n='3']")
    page.get_by_role("button", name="Stop").click()
    assert not loads
    assert not faults
    context.close()
