"""Signing in: a mailed link, one button, once."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from service.core.models import Key
from tests.support.statements import counted
from tests.web.conftest import Site


def test_a_mailed_link_and_one_press_sign_in(site: Site) -> None:
    reader = site.signed_in_by_pages("zoe@example.org")
    assert reader.at == "/matches"
    assert "zoe@example.org" in reader.get("/settings").text


def test_opening_the_link_alone_signs_nobody_in(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    assert reader.press(form).status == 200
    link = site.sign_in_link()
    for _ in range(100):
        page = reader.get(link)
    assert page.form("/sign-in/confirm").buttons
    assert reader.get("/settings").form("/sign-in").buttons, "still asked to sign in"
    with site.service.database.read() as session:
        assert [key.used_at for key in session.query(Key)] == [None]


def test_the_key_of_the_link_does_not_stay_in_the_address(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    reader.press(form)
    link = site.sign_in_link()
    page = reader.get(link)
    key = link.rpartition("/")[2]
    assert key not in reader.at
    assert key not in page.source


def test_a_used_link_says_so_and_offers_another(site: Site) -> None:
    site.signed_in_by_pages("zoe@example.org")
    page = site.reader().get(site.sign_in_link())
    assert page.status == 410
    assert "each one serves once" in page.text
    assert page.form("/sign-in")["address"] == ""


def test_an_old_link_says_so_and_offers_another(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    reader.press(form)
    link = site.sign_in_link()
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(hours=3)):
        page = reader.get(link)
    assert page.status == 410
    assert "too old" in page.text


def test_two_presses_of_one_link_sign_in_once(site: Site) -> None:
    first, second = site.reader(), site.reader()
    form = first.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    first.press(form)
    pages = [reader.get(site.sign_in_link()) for reader in (first, second)]
    assert first.press(pages[0].form("/sign-in/confirm")).status == 200
    late = second.press(pages[1].form("/sign-in/confirm"))
    assert late.status == 410
    assert second.get("/settings").form("/sign-in").buttons


@pytest.mark.parametrize("link", ["/in/" + "a" * 26, "/in/x", "/sign-in/confirm"])
def test_a_made_up_link_signs_nobody_in(site: Site, link: str) -> None:
    page = site.reader().get(link)
    assert page.status == 404
    assert page.form("/sign-in").buttons


@pytest.mark.parametrize(
    "typed", ["", "anna", "anna@", "a b@example.org", "a@b\r\nBcc: c@d.example", "<b>@x.org"]
)
def test_what_is_no_address_is_told_with_the_form_still_filled(site: Site, typed: str) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", typed)
    page = reader.press(form)
    assert page.status == 400
    assert ("is not a complete email address" if typed else "An address is missing") in page.text
    assert page.form("/sign-in")["address"].split() == typed.split()
    assert not site.letters()


def test_the_answer_is_the_same_for_known_and_unknown_addresses(site: Site) -> None:
    site.player("known@example.org")
    pages = []
    for address in ("known@example.org", "unknown@example.org"):
        reader = site.reader()
        form = reader.get("/sign-in").form("/sign-in")
        form.put("address", address)
        pages.append(reader.press(form).text)
        assert address in pages[-1]
        pages[-1] = pages[-1].replace(address, "it")
    assert pages[0] == pages[1]


def test_as_much_is_done_for_known_as_for_unknown_addresses(site: Site) -> None:
    """Else the time until the page comes would tell who plays here."""
    site.player("known@example.org")
    asked = []
    for address in ("first@example.org", "known@example.org", "unknown@example.org"):
        reader = site.reader()
        form = reader.get("/sign-in").form("/sign-in")
        form.put("address", address)
        with counted(site.service.database.engine) as statements:
            reader.press(form)
        asked.append(statements.total)
    assert asked[1] == asked[2], "after whatever is kept from the first on"


def test_the_page_that_was_wanted_comes_after_signing_in(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/tables/new").form("/sign-in")
    form.put("address", "zoe@example.org")
    reader.press(form)
    page = reader.get(site.sign_in_link())
    reader.press(page.form("/sign-in/confirm"))
    assert reader.at == "/tables/new"


def test_signing_out_forgets_who_it_was(site: Site) -> None:
    reader = site.signed_in_by_pages("zoe@example.org")
    reader.press(reader.get("/settings").form("/sign-out"))
    assert reader.get("/settings").form("/sign-in").buttons


def test_settings_are_kept_and_change_the_language_of_pages(site: Site) -> None:
    reader = site.signed_in_by_pages("zoe@example.org")
    reader.get("/settings?lang=en")
    form = reader.get("/settings").form("/settings")
    form.put("name", "Zoé  B.")
    form.put("lang", "fr")
    form.put("zone", "America/Montreal")
    page = reader.press(form)
    assert page.status == 200
    assert page.lang == "fr"
    assert page.form("/settings")["name"] == "Zoé B."
    assert page.form("/settings")["zone"] == "America/Montreal"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", " \u202e\u200b ", "at least one letter"),
        ("lang", "xx", "do not speak that language"),
        ("zone", "../../etc/passwd", "no time zone we know"),
        ("zone", "Europe/\u202eParis", "no time zone we know"),
    ],
)
def test_settings_that_cannot_be_are_told_and_nothing_changes(
    site: Site, field: str, value: str, said: str
) -> None:
    reader = site.signed_in_by_pages("zoe@example.org")
    form = reader.get("/settings").form("/settings")
    form.put(field, value)
    page = reader.press(form)
    assert page.status == 400
    assert said in page.text
    fresh = reader.get("/settings").form("/settings")
    assert (fresh["name"], fresh["lang"], fresh["zone"]) == ("Zoe", "en", "Europe/Paris")
