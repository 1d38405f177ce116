"""Taking one's data along, having them erased, and the page that says what is kept."""

from __future__ import annotations

import msgspec
import time_machine
from msgspec.structs import replace
from sqlalchemy import select

from service.core.letter_details import ErasureDetails
from service.core.models import Player
from service.matches.own_data import OwnData
from service.ops import retention
from service.players.erasure_links import GOOD_FOR
from tests.support.reader import Page
from tests.web.conftest import Site, path

ANA = "ana@example.org"


def link(site: Site) -> str:
    """The link of the newest letter that asks."""
    letter = site.letters(kind="erasure")[-1]
    return path(site.links.erasure(letter.details_as(ErasureDetails).nonce))


def source(page: Page) -> str:
    return page.response.text


def where(page: Page) -> str:
    """The address that redirects have led to."""
    return page.response.request.path


def known(site: Site, address: str = ANA) -> bool:
    with site.service.database.read() as session:
        return session.scalar(select(Player.id).where(Player.email == address)) is not None


def test_the_data_are_a_file_for_who_is_signed_in(site: Site) -> None:
    match = site.table()
    reader = site.signed_in(ANA)
    assert 'href="/settings/my-data.json"' in source(reader.get("/settings"))
    answer = reader.get("/settings/my-data.json").response
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    data = msgspec.json.decode(answer.data, type=OwnData)
    assert (data.profile.address, data.places[0].match) == (ANA, match.code)
    assert len(data.sign_ins) == 1
    assert b"g1@example.org" not in answer.data
    assert "/sign-in" in where(site.reader().get("/settings/my-data.json"))


def test_erasing_takes_a_letter_and_its_button(site: Site) -> None:
    match = site.table(lang="fr")
    reader = site.signed_in(ANA)
    page = reader.press(reader.get("/settings").form("/settings/erase"))
    assert "Nothing is erased until you open it" in page.text
    other = site.reader()
    page = other.get(link(site))
    assert known(site), "looking erases nothing"
    assert "Erase everything about you?" in page.text
    assert ANA in page.text
    assert page.text.rindex("Keep everything") < page.text.rindex("Erase everything")
    done = other.press(page.form("/erasure"))
    assert "Everything is erased" in done.text
    assert not known(site)
    assert site.match(match.id).seats[0].name == "Former player"
    # Signed in elsewhere, she is nobody there now; nor does her seat or the link open anything.
    assert "/sign-in" in where(reader.get("/settings"))
    assert reader.get(f"/m/{match.code}/0").status == 404
    french = site.signed_in("g1@example.org", "fr")
    assert "Ancien joueur" in french.get(f"/m/{match.code}/1").text


def test_a_link_ends(site: Site) -> None:
    reader = site.signed_in(ANA)
    reader.press(reader.get("/settings").form("/settings/erase"))
    with time_machine.travel(site.service.now() + GOOD_FOR * 2):
        page = site.reader().get(link(site))
    assert page.status == 410
    assert known(site)


def test_the_page_tells_the_periods_that_are_kept_to(site: Site) -> None:
    """With settings that are nobody's default: the page has no figures of its own."""
    settings = replace(site.service.settings, inbound_keep=11, keep_matches=123)
    site.service.settings = settings
    assert retention.periods(settings).mails.days == 11
    page = site.reader().get("/what-we-keep")
    told = page.text
    assert "11 days after they were handled" in told
    assert "123 days after the end of the game" in told
    assert 'href="/what-we-keep"' in source(site.reader().get("/"))
    assert 'href="/what-we-keep"' in source(site.signed_in(ANA).get("/settings"))
