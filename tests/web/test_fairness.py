"""What a reader adds to the chance of a match: told before, drawn by their browser, told after."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext
from sqlalchemy import select

from service.access.links import Links
from service.core.models import Match
from tests.web.conftest import NEW_TABLE, Site, path
from tests.web.test_browser import Served, enter, served  # noqa: F401 (a fixture)
from tests.web.test_match import ended
from tests.web.test_tables import guests_form, invited, matches

DIGITS = "0123456789abcdef" * 4


def test_a_guest_sees_the_commitment_and_then_what_they_added(site: Site) -> None:
    match, link = invited(site, "third@example.org")
    guest = site.reader()
    page = guest.get(link)
    assert match.commitment is not None
    assert match.commitment in page.text
    form = page.form("/invitation/")
    assert re.fullmatch("[0-9a-f]{64}", form["part"])
    form.put("part", " ".join((DIGITS[:32], DIGITS[32:].upper())))
    page = guest.press(form)
    assert "You are in" in page.text
    assert f"You have added: {DIGITS}" in page.text
    assert match.commitment in page.text
    row = site.match(match.id).invitees[1]
    assert row.part == bytes.fromhex(DIGITS)
    host = site.signed_in("ana@example.org")
    assert f"Zoé has added: {DIGITS}" in host.get(f"/m/{match.code}/0").text


def test_every_fetch_of_the_form_has_other_digits_and_changes_nothing(site: Site) -> None:
    match, link = invited(site)
    drawn = {site.reader().get(link).form("/invitation/")["part"] for _ in range(3)}
    assert len(drawn) == 3
    assert site.match(match.id).invitees[1].part is None


@pytest.mark.parametrize("typed", ["xyz", DIGITS[:-1], DIGITS + "0", "é" * 64])
def test_what_is_no_part_is_told_and_answers_nothing(site: Site, typed: str) -> None:
    match, link = invited(site)
    guest = site.reader()
    form = guest.get(link).form("/invitation/")
    form.put("part", typed)
    page = guest.press(form)
    assert page.status == 400
    assert "64 hexadecimal digits" in page.text
    assert page.form("/invitation/")["part"] == typed
    assert site.match(match.id).invitees[1].status == "invited"
    assert guest.press(form, "Not this time").status == 200, "who declines adds nothing"


def test_a_form_without_the_field_is_taken_with_digits_of_ours(site: Site) -> None:
    match, link = invited(site)
    guest = site.reader()
    form = guest.get(link).form("/invitation/")
    form.fields = [(name, value) for name, value in form.fields if name != "part"]
    assert "You are in" in guest.press(form).text
    part = site.match(match.id).invitees[1].part
    assert part is not None
    assert len(part) == 32


def test_a_table_has_the_secret_its_form_committed_to(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    page = host.get(NEW_TABLE)
    form = guests_form(page, ("Zoé", "zoe@example.org"))
    form.put("part", "no digits")
    page = host.press(form)
    assert page.status == 400
    assert "64 hexadecimal digits" in page.text
    form = page.form("/tables/new")
    form.put("part", DIGITS)
    opened = host.press(form)
    (match,) = matches(site)
    assert match.commitment is not None
    assert match.commitment in page.text
    assert match.commitment in opened.text
    assert f"You have added: {DIGITS}" in opened.text
    assert match.invitees[0].part == bytes.fromhex(DIGITS)


def test_the_same_table_again_has_the_secret_its_form_committed_to(site: Site) -> None:
    match = ended(site)
    first = site.reader()
    page = first.get(path(site.links.rematch(match, 0)))
    form = page.form("/again")
    form.put("part", DIGITS)
    assert "The table is open." in first.press(form).text
    with site.service.database.read() as session:
        again = session.scalars(select(Match).where(Match.rematch_of == match.id)).one()
        assert again.commitment is not None
        assert again.commitment in page.text
        assert again.invitees[0].part == bytes.fromhex(DIGITS)


def test_the_page_of_a_match_names_all_parts(site: Site) -> None:
    match, link = invited(site)
    guest = site.reader()
    form = guest.get(link).form("/invitation/")
    form.put("part", DIGITS)
    guest.press(form)
    match = site.match(match.id)
    assert match.commitment is not None
    told = site.reader().get(f"{path(site.links.watch(match))}/check").text
    assert "Zoé" in told
    assert DIGITS in told
    assert match.commitment in told
    assert match.seed_hash in told


def test_the_browser_draws_what_is_added(
    served: Served,  # noqa: F811
    context: BrowserContext,
) -> None:
    site, page = served.site, enter(served, context, "ana@example.org")
    page.goto(f"{served.base}{NEW_TABLE}")
    page.get_by_text("Fair draws").click()
    field = page.get_by_label("What you add")
    drawn = field.input_value()
    assert re.fullmatch("[0-9a-f]{64}", drawn)
    assert field.get_attribute("value") != drawn, "the attribute is what the server sent"
    page.get_by_text("Your browser has just drawn these digits").wait_for()
    seat = page.get_by_role("group", name="Seat 2")
    seat.get_by_label("Email address").fill("zoe@example.org")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_text("has not answered yet").wait_for()
    (match,) = matches(site)
    assert match.invitees[0].part == bytes.fromhex(drawn)


def test_without_its_script_the_page_says_that_the_server_drew_it(
    served: Served,  # noqa: F811
    context: BrowserContext,
) -> None:
    page = enter(served, context, "ana@example.org")
    page.route("**/static/chance*", lambda route: route.abort())
    page.goto(f"{served.base}{NEW_TABLE}")
    page.get_by_text("Fair draws").click()
    page.get_by_text("they were drawn by our server, which proves nothing about it").wait_for()


def test_how_a_game_is_checked_stands_on_a_page_of_its_own(site: Site) -> None:
    """Its address can be handed on; before the end nothing on it tells what comes."""
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    form.put("name", "Winter club")
    form.put("greeting", "Shall we?")
    form.put("hold", "0")
    host.press(form)
    (match,) = matches(site)
    address = path(Links(site.service).check(match))
    page = site.reader().get(address)
    assert match.commitment is not None
    assert "Winter club" in page.text
    assert match.commitment in page.text
    site.everybody_accepts(match.id)
    running = site.reader().get(address)
    match = site.match(match.id)
    assert match.seed_hash in running.text
    assert match.seed.hex() not in running.text
    assert site.reader().get(address.replace("/w/", "/w/x")).status == 404
    assert site.reader().get(f"/m/{match.code}/check").status == 404
    while site.match(match.id).status == "playing":
        site.submit(match.id)
        site.hear()
    told = site.reader().get(address).text
    assert match.secret is not None
    assert match.secret.hex() in told
    assert match.seed.hex() in told
    assert f"paleopost verify {match.game}-{match.code}.json" in told
