"""The page of a join link, and the host's page with its link."""

from __future__ import annotations

import re

import pytest

from service.mail.render import render
from service.matches.tables import BotSeat, Guest, OpenSeat
from tests.support.games import KNOWN
from tests.support.letters_to_png import parts_of
from tests.support.reader import Page, Reader
from tests.web.conftest import Site, path

ZOE = "zoe@example.org"


@pytest.fixture
def table(site: Site) -> int:
    return site.open([Guest(address="ben@example.org", name="Ben"), OpenSeat()], KNOWN)


def link(site: Site, match_id: int) -> str:
    return path(site.links.join(site.match(match_id)))


def asked(site: Site, reader: Reader, match_id: int, address: str, name: str = "Zoé") -> Page:
    form = reader.get(link(site, match_id)).form("/j/")
    form.put("name", name)
    form.put("address", address)
    return reader.press(form)


def confirmation(site: Site, match_id: int, address: str) -> str:
    letter = [x for x in site.letters(match_id, "join") if x.player.email == address][-1]
    return path(site.links.invitation(site.match(match_id), letter.player_id))


def test_a_scanner_takes_no_seat(site: Site, table: int) -> None:
    """Neither the link in a chat nor that in the letter does anything before its button."""
    reader = site.reader()
    before = site.counts()
    for _ in range(2):
        page = reader.get(link(site, table))
        assert page.response.status_code == 200
    assert site.counts() == before
    source = page.response.text
    assert '<meta property="og:title" content="Ana has a seat for you: Sapiens">' in source
    assert re.search(r'og:description" content="[^"]*One seat is left', source)
    assert re.search(r'og:image" content="http://paleopost.test/board.png', source)
    assert "ben@example.org" not in source
    assert "Ben" not in source
    page = asked(site, reader, table, ZOE)
    assert "Check your mailbox" in page.text
    for _ in range(2):
        seen = site.reader().get(f"{confirmation(site, table, ZOE)}?answer=accept")
        assert "Take my seat" in [b.text for b in seen.form("/invitation/").buttons]
        assert "Ben" not in seen.text
    assert [row.status for row in site.match(table).seats] == ["accepted", "invited", "empty"]


def test_the_host_greets_on_the_page_and_in_the_confirming_letter(site: Site) -> None:
    greeting = "Long winter evenings <b>ahead</b>"
    table = site.open([OpenSeat()], KNOWN, greeting=greeting)
    reader = site.reader()
    assert greeting in reader.get(link(site, table)).text
    asked(site, reader, table, ZOE)
    (letter,) = site.letters(table, "join")
    with site.service.database.read() as session:
        raw = render(site.service, session, session.merge(letter, load=False))
    _, text, html, _ = parts_of(raw)
    assert f"Ana writes:\n| {greeting}" in text.replace("\r\n", "\n")
    assert "Long winter evenings &lt;b&gt;ahead&lt;/b&gt;" in html


def test_bots_are_called_in_the_readers_language_on_every_list(site: Site) -> None:
    guest = Guest(address="ben@example.org", name="Ben", lang="fr")
    site.player(guest.address, name="Ben", lang="fr")
    table = site.open([guest, BotSeat(bot="greedy", name="Medium bot")], KNOWN)
    invitation = path(site.links.invitation(site.match(table), site.player(guest.address).id))
    ben = site.signed_in(guest.address)
    pages = [ben.get(f"{invitation}?lang=fr")]
    ben.press(pages[0].form("/invitation/"), "Oui, je joue")
    pages += [ben.get(f"{at}?lang=fr") for at in ("/matches", "/settings", "/")]
    for page in pages[:-1]:
        assert "Robot moyen" in page.text
    for page in pages:
        assert "Medium bot" not in page.text


def test_a_seat_is_asked_for_and_taken(site: Site, table: int) -> None:
    reader = site.reader()
    wrong = asked(site, reader, table, "nowhere@")
    assert wrong.status == 400
    assert wrong.form("/j/")["name"] == "Zoé"
    asked(site, reader, table, ZOE)
    held = site.reader().get(link(site, table))
    assert "No seat can be asked for now" in held.text
    late = site.reader()
    page = late.get(confirmation(site, table, ZOE))
    page = late.press(page.form("/invitation/"), "Take my seat")
    assert "You are in" in page.text
    assert "All seats are taken" in site.reader().get(link(site, table)).text
    assert site.match(table).seats[2].name == "Zoé"


def test_only_guests_see_what_others_have_added(site: Site) -> None:
    """A part names who added it, and a join link is in the hands of strangers."""
    ben = Guest(address="ben@example.org", name="Ben")
    table = site.open([ben, OpenSeat(), OpenSeat()], KNOWN)
    invited = site.links.invitation(site.match(table), site.player(ben.address).id)
    guest = site.reader()
    guest.press(guest.get(path(invited)).form("/invitation/"), "Yes, I’ll play")
    added, named = "Ben has added:", site.match(table).commitment or ""
    asked(site, site.reader(), table, ZOE)
    late = site.reader()
    unconfirmed = late.get(confirmation(site, table, ZOE))
    stranger = site.signed_in("dan@example.org").get(link(site, table))
    for page in (unconfirmed, stranger):
        assert (named in page.text, "Ben" in page.text) == (True, False)
    seated = late.press(unconfirmed.form("/invitation/"), "Take my seat")
    assert added in seated.text


def test_the_page_speaks_as_the_browser_does_and_as_the_host_to_who_names_none(site: Site) -> None:
    """What fetches a link for its preview sends no Accept-Language."""
    site.player("ana@example.org", lang="fr")
    at = link(site, site.open([OpenSeat()], KNOWN))
    client = site.app.test_client()
    for named, lang in (("en-GB,en;q=0.8", "en"), ("fr-CA", "fr"), (None, "fr"), ("de", "fr")):
        headers = {"Accept-Language": named} if named else {}
        assert f'<html lang="{lang}">' in client.get(at, headers=headers).text


def test_who_has_joined_is_told_where_they_sit_and_what_is_missing(site: Site) -> None:
    table = site.open([BotSeat(bot="random"), OpenSeat(), OpenSeat()], KNOWN)
    reader = site.reader()
    page = asked(site, reader, table, ZOE)
    assert f"A letter is on its way to {ZOE}" in page.text
    page = reader.get(confirmation(site, table, ZOE))
    never = next(b for b in re.findall(r"<button[^>]*>", page.source) if 'value="never"' in b)
    assert 'class="plain"' in never
    page = reader.press(page.form("/invitation/"), "Take my seat")
    assert "You sit at Ana’s table" in page.text
    assert "Seats taken: 3 of 4. One seat is still empty." in page.text
    assert 'class="button main" href="/learn/' in page.source


def test_who_is_signed_in_sits_down_at_once(site: Site, table: int) -> None:
    reader = site.reader()
    page = reader.get(link(site, table))
    form = reader.press(page.form("/sign-in"), "Sign in and join with one press").form("/sign-in")
    form.put("address", ZOE)
    reader.press(form)
    page = reader.press(reader.get(site.sign_in_link()).form("/sign-in/confirm"))
    assert reader.at == link(site, table)
    page = reader.press(page.form("/j/"), "Take a seat")
    assert "You are in" in page.text
    assert site.letters(table, "join") == []
    assert "You have a seat at this table" in reader.get(link(site, table)).text


def test_the_host_is_told_of_seats_that_are_kept(site: Site, table: int) -> None:
    """Also of one that was asked for with a guest's own address, whose it is unsaid."""
    asked(site, site.reader(), table, "ben@example.org", "Nobody")
    host, code = site.signed_in("ana@example.org"), site.match(table).code
    page = host.get(f"/m/{code}/0/host")
    assert "Somebody has asked for a seat through the link, and has until" in page.text
    assert "A seat is kept for somebody who has asked for one through the link" in page.text
    bot = next(f for f in page.forms if any(b.value == "bot" for b in f.buttons))
    refused = host.press(bot, "Let it play here")
    assert (refused.status, "Every empty seat is kept" in refused.text) == (409, True)
    assert [row.status for row in site.match(table).seats] == ["accepted", "invited", "empty"]


def test_the_host_takes_the_link_back(site: Site, table: int) -> None:
    host = site.signed_in("ana@example.org")
    code, first = site.match(table).code, link(site, table)
    page = host.get(f"/m/{code}/0/host")
    assert site.links.join(site.match(table)) in page.response.text
    assert "<svg" in page.response.text
    again = next(f for f in page.forms if any(b.value == "make_link" for b in f.buttons))
    page = host.press(again, "Make another link")
    assert "Done." in page.text
    gone = site.reader().get(first)
    assert gone.status == 410
    assert "has taken this link back" in gone.text
    back = next(f for f in page.forms if any(b.value == "revoke_link" for b in f.buttons))
    page = host.press(back, "Take it back")
    assert "Create an invite link" in page.text
    assert site.reader().get(link(site, table)).status == 410


def test_a_new_table_with_an_open_seat_leads_to_its_link(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(f"/tables/new?game={KNOWN}").form("/tables/new")
    form.put("seat1-who", "open")
    page = host.press(form)
    assert host.at.endswith("/0/host")
    assert "Share this link" in page.text


def test_one_client_asks_for_so_many_seats(site: Site) -> None:
    match_id = site.open([OpenSeat()], KNOWN)
    reader = site.reader()
    page = reader.get(link(site, match_id))
    for n in range(20):
        form = page.form("/j/")
        form.put("name", "P")
        form.put("address", f"p{n}@example.org")
        answer = reader.press(form)
        assert answer.status != 429
    assert reader.press(form).status == 429
