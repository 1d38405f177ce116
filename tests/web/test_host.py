"""The host's page."""

from __future__ import annotations

import re

import pytest

from service.core.letter_details import Notes
from service.core.models import Letter, Match
from service.matches.tables import BotSeat, Guest, OpenSeat, answer
from tests.support.games import KNOWN
from tests.support.reader import Page, Reader
from tests.web.conftest import Site, path


def host(site: Site, match: Match) -> tuple[Reader, Page]:
    """The host before their page."""
    reader = site.signed_in("ana@example.org")
    return reader, reader.get(f"/m/{match.code}/0/host")


def form(page: Page, do: str, seat: int | None = None) -> object:
    for found in page.forms:
        here = seat is None or ("seat", str(seat)) in found.fields
        if here and any(b.value == do for b in found.buttons):
            return found
    raise AssertionError(f"no {do} in {page.text[:400]}")


def press(reader: Reader, page: Page, do: str, seat: int | None = None, **fields: str) -> Page:
    found = form(page, do, seat)
    for name, value in fields.items():
        found.put(name, value)  # type: ignore[attr-defined]
    button = next(b for b in found.buttons if b.value == do)  # type: ignore[attr-defined]
    return reader.press(found, button.text)  # type: ignore[arg-type]


def test_only_the_host_has_it(site: Site) -> None:
    match = site.table(guests=2)
    guest = site.reader()
    guest.get(path(site.links.seat(match, 1)))
    assert guest.get(f"/m/{match.code}/1/host").status == 404
    assert guest.get(f"/m/{match.code}/0/host").status == 404
    assert "host’s page" not in guest.get(f"/m/{match.code}/1").text
    turn = site.reader()
    turn.get(site.turn_link(match))
    assert turn.get(f"/m/{match.code}/0/host").status == 404
    _, page = host(site, match)
    assert page.status == 200


def test_the_link_of_the_hosts_seat_is_not_enough(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    reader.get(path(site.links.seat(match, 0)))
    page = reader.get(reader.get(f"/m/{match.code}/0").link("Manage the table"))
    assert "Take " not in page.text
    form = page.form("/sign-in")
    token = form["csrf_token"]
    fields = [("csrf_token", token), ("do", "remove"), ("seat", "1")]
    for sent in (fields, fields[1:]):
        assert reader.post(f"/m/{match.code}/0/host", sent).form("/sign-in").buttons
    assert site.match(match.id).status == "playing"
    form.put("address", "ana@example.org")
    reader.press(form)
    page = reader.press(reader.get(site.sign_in_link()).form("/sign-in/confirm"))
    assert reader.at == f"/m/{match.code}/0/host"
    assert "Remove Guest 1 from the table" in page.text


def test_a_silent_guest_does_not_hold_the_table_up(site: Site) -> None:
    match_id = site.open(
        [Guest(address="g1@example.org", name="G1"), Guest(address="g2@example.org", name="G2")],
        KNOWN,
    )
    match = site.match(match_id)
    reader = site.signed_in("ana@example.org")
    page = reader.get(f"/m/{match.code}/0")
    page = reader.get(page.link("Manage the table"))
    refused = press(reader, page, "start")
    assert refused.status == 409
    assert "Too few would be left" in refused.text
    guest = match.invitees[1]
    assert guest.player is not None
    token = site.service.keys.token("invitation", match_id, guest.player.id)
    with site.service.database.write() as work:
        answer(site.service, work, token, "accept")
    page = press(reader, reader.get(f"/m/{match.code}/0/host"), "start")
    assert "Done." in page.text
    assert site.match(match_id).status == "playing"
    silent = site.reader()
    page = silent.get(path(site.links.invitation(match, match.invitees[2].player_id or 0)))
    assert "has taken this invitation back" in page.text


def test_the_host_alone_sees_addresses_and_corrects_one(site: Site) -> None:
    others = [Guest(address=f"g{n}@example.org", name=f"G{n}") for n in (1, 2)]
    match = site.match(site.open(others, KNOWN))
    reader = site.signed_in("ana@example.org")
    site.hear(mail=True)
    page = reader.get(f"/m/{match.code}/0/host")
    assert "g1@example.org" in page.text
    assert "has not come back" in page.text
    with site.service.database.write() as work:
        letter = next(x for x in site.letters(match.id, "invitation") if x.seat == 1)
        work.session.get_one(Letter, letter.id).notes = Notes(failed=True)
    page = reader.get(f"/m/{match.code}/0/host")
    assert "The invitation came back" in page.text
    found = next(
        f
        for f in page.forms
        if ("guest", str(match.invitees[1].id)) in f.fields
        and any(b.value == "correct" for b in f.buttons)
    )
    found.put("address", "nobody@")
    again = reader.press(found, "Invite this address instead")
    assert again.status == 409
    assert "nobody@" in again.text
    found.put("address", "right@example.org")
    page = reader.press(found, "Invite this address instead")
    assert "right@example.org" in page.text
    assert "g1@example.org" not in page.text
    assert "came back" not in page.text
    guest = site.match(match.id).invitees[1]
    assert guest.player is not None
    assert guest.player.email == "right@example.org"
    assert len(site.letters(match.id, "invitation")) == 3
    old = site.reader().get(path(site.links.invitation(match, match.invitees[1].player_id or 0)))
    assert "has taken this invitation back" in old.text
    asked = site.signed_in("right@example.org").get("/matches")
    assert "Ana invites you." in asked.text
    assert "g2@example.org" not in asked.text
    site.everybody_accepts(match.id)
    match = site.match(match.id)
    assert [row.name for row in match.seats] == ["Ana", "G1", "G2"], "everybody where they sat"


def test_a_table_is_called_off(site: Site) -> None:
    match_id = site.open([Guest(address="g1@example.org", name="G1")], KNOWN)
    match = site.match(match_id)
    reader = site.signed_in("ana@example.org")
    page = reader.get(f"/m/{match.code}/0/host")
    assert "This cannot be undone." in page.text
    assert {b.value for b in form(page, "withdraw").buttons} == {"withdraw"}  # type: ignore[attr-defined]
    page = press(reader, page, "withdraw")
    assert page.status == 200
    assert site.match(match_id).status == "cancelled"
    assert "Called off by its host." in reader.get(f"/m/{match.code}/0").text
    assert "Called off by its host." in reader.get("/matches").text
    guest = site.signed_in("g1@example.org").get("/matches")
    assert "Called off by its host." in guest.text
    assert "invites you" not in guest.text


def test_a_table_that_was_called_off_is_opened_again_with_the_same_people(site: Site) -> None:
    guest = Guest(address="g1@example.org", name="G1", lang="fr")
    match = site.match(site.open([guest, BotSeat(bot="greedy"), OpenSeat()], KNOWN))
    reader = site.signed_in("ana@example.org")
    again = f"/tables/new?game={match.game}&like={match.code}"
    assert not reader.get(again).form("/tables/new")["seat1-address"], "it goes on"
    press(reader, reader.get(f"/m/{match.code}/0/host"), "withdraw")
    page = reader.get(f"/m/{match.code}/0")
    assert again in page.source.replace("&amp;", "&")
    assert "Everybody has" not in page.text
    assert "is playing" not in page.text
    form = reader.get(again).form("/tables/new")
    assert [form[f"seat{n}-who"] for n in (1, 2, 3)] == ["guest", "bot:greedy", "open"]
    assert (form["seat1-address"], form["seat1-lang"]) == ("g1@example.org", "fr")
    assert form["pace"] == str(match.pace_days)
    other = site.signed_in("g1@example.org")
    assert not other.get(again).form("/tables/new")["seat1-address"], "it was no table of theirs"
    reader.press(form)
    assert len(site.letters(kind="invitation")) == 2


def test_a_table_that_is_opened_again_leaves_out_who_could_not_come(site: Site) -> None:
    guests = [Guest(address=f"g{n}@example.org", name=f"G{n}") for n in (1, 2)]
    match_id = site.open(guests, KNOWN)
    decline(site, match_id, 1)
    match = site.match(match_id)
    reader = site.signed_in("ana@example.org")
    press(reader, reader.get(f"/m/{match.code}/0/host"), "withdraw")
    page = reader.get(f"/m/{match.code}/0")
    assert "Open it again without G1" in page.text
    page = reader.get(f"/tables/new?game={match.game}&like={match.code}")
    assert "without G1, who could not come." in page.text
    form = page.form("/tables/new")
    assert (form["seat1-name"], form["seat1-address"]) == ("G2", "g2@example.org")
    assert form["seat2-who"] == "open", "as the seat was when the table was called off"


def decline(site: Site, match_id: int, n: int) -> None:
    """A guest will not come."""
    player = site.match(match_id).invitees[n].player
    assert player is not None
    token = site.service.keys.token("invitation", match_id, player.id)
    with site.service.database.write() as work:
        answer(site.service, work, token, "decline")


def test_a_table_too_few_come_to_says_so(site: Site) -> None:
    match_id = site.open([Guest(address="g1@example.org", name="G1")], KNOWN)
    decline(site, match_id, 1)
    site.wait_out(match_id)
    page = site.signed_in("ana@example.org").get("/matches")
    assert "Called off: not enough players." in page.text


def test_who_is_not_at_the_table_has_no_table_and_is_not_named(site: Site) -> None:
    match, seat = waiting(site)
    reader, page = host(site, match)
    press(reader, page, "replace", seat, address="max@example.org", name="Max", lang="en")
    asked = site.signed_in("max@example.org")
    assert "Ana invites you." in asked.get("/matches").text
    assert "Max" not in reader.get("/matches").text
    press(reader, reader.get(f"/m/{match.code}/0/host"), "stop_replacing", seat)
    page = asked.get("/matches")
    assert page.status == 200
    assert "No table yet." in page.text


def waiting(site: Site) -> tuple[Match, int]:
    """A match that waits for a guest."""
    match = site.table(guests=2)
    while site.awaited(match.id).seat == 0:
        site.play_on(match, 1)
    return site.match(match.id), site.awaited(match.id).seat


def test_more_days_a_letter_again_and_off_the_table(site: Site) -> None:
    match, seat = waiting(site)
    site.hear(mail=True)
    reader, page = host(site, match)
    assert page.text.count("the letter again") == 1, "beside whose turn it is alone"
    assert "When it is somebody else’s turn" not in page.text
    before = site.awaited(match.id).deadline
    page = press(reader, page, "extend", seat, days="5")
    assert "Done." in page.text
    after = site.awaited(match.id).deadline
    assert before is not None
    assert after is not None
    assert (after - before).days >= 5
    refused = press(reader, page, "extend", seat, days="99")
    assert refused.status == 409
    page = press(reader, page, "resend", seat)
    assert "Done." in page.text
    page = press(reader, page, "remove", seat)
    assert "has left; a bot plays on" in page.text


def test_a_host_gives_neither_days_nor_letters_to_themselves(site: Site) -> None:
    match = site.table(guests=1)
    while site.awaited(match.id).seat != 0:
        site.play_on(match, 1)
    _, page = host(site, match)
    assert page.link("Game page") == f"/m/{match.code}/0"
    assert re.search(r"has just got the turn .*By \w+day", page.text), "its deadline is listed"
    assert "More days" not in page.text
    assert "When it is somebody else’s turn, you can give them more days here" in page.text
    assert ("seat", "0") not in [field for form in page.forms for field in form.fields]


def test_a_host_who_removes_the_only_other_does_not_win(site: Site) -> None:
    match = site.table(guests=1)
    reader, page = host(site, match)
    assert "the game is over and nobody wins" in page.text
    press(reader, page, "remove", 1)
    for seat in (0, 1):
        seen = site.reader()
        seen.get(path(site.links.seat(match, seat)))
        text = seen.get(f"/m/{match.code}/{seat}").text
        assert "Nobody wins: the host ended the game" in text
        assert "cannot win" not in text


def test_somebody_else_plays_on_and_the_former_players_links_are_dead(site: Site) -> None:
    match, seat = waiting(site)
    former = site.reader()
    former.get(path(site.links.seat(match, seat)))
    links = [path(site.links.seat(match, seat)), site.turn_link(match)]
    assert former.get(f"/m/{match.code}/{seat}").status == 200
    reader, page = host(site, match)
    bad = press(reader, page, "replace", seat, address="nobody", name="Max", lang="fr")
    assert bad.status == 409
    assert 'value="nobody"' in bad.source
    page = press(reader, page, "replace", seat, address="max@example.org", name="Max", lang="fr")
    assert "Max is asked to take over" in page.text
    assert former.get(f"/m/{match.code}/{seat}").status == 200, "until somebody has come"
    player = site.player("max@example.org")
    newcomer = site.reader()
    invited = newcomer.get(path(site.links.invitation(match, player.id)))
    assert f"Guest {seat}" in invited.text
    newcomer.press(invited.form("/invitation/"), "")
    assert site.match(match.id).seats[seat].name == "Max"
    assert former.get(f"/m/{match.code}/{seat}").status == 404
    assert former.get(f"/m/{match.code}/watch").status == 404
    for link in links:
        assert former.get(link).status == 404
        assert site.reader().get(link).status == 404
    now = site.match(match.id)
    for link in (path(site.links.seat(now, seat)), site.turn_link(now)):
        assert newcomer.get(link).status == 200
    page = newcomer.get(f"/invitation/{match.code}")
    assert page.status == 200, "the invitation tells what became of it"


@pytest.mark.parametrize("do", ["explode", "", "remove"])
def test_what_the_page_does_not_offer(site: Site, do: str) -> None:
    match = site.table(guests=1)
    reader, page = host(site, match)
    token = next(v for k, v in page.forms[0].fields if k == "csrf_token")
    fields = [("csrf_token", token), ("do", do), ("seat", "0" if do == "remove" else "9")]
    answer = reader.post(f"/m/{match.code}/0/host", fields)
    assert answer.status == 409
    assert site.match(match.id).status == "playing"
