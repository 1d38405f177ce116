"""The settings page: every part is kept, every mistake is told at its part."""

from __future__ import annotations

import datetime as dt
import re

import pytest
import time_machine

from service.core.letter_details import AliasDetails
from service.core.models import Alias, Player
from service.core.statuses import StopReason
from service.mail.render import language_of
from service.players import bounces
from tests.support.games import KNOWN
from tests.support.reader import Page
from tests.web.conftest import NEW_TABLE, Site, path

ADDRESS = "ana@example.org"


def ana(site: Site) -> Player:
    return site.player(ADDRESS)


def test_how_letters_come_is_kept(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/letters")
    form.put("quiet-from", "22:30")
    form.put("quiet-to", "07:00")
    form.put("other-reminders", "90m, 2d")
    form.put("digest", "08:00")
    form.put("thread", "turn")
    page = reader.press(form)
    assert page.status == 200
    assert "Saved" in page.text
    player = ana(site)
    assert (player.quiet_from, player.quiet_to) == (22 * 60 + 30, 7 * 60)
    assert player.reminders == ["half", "24h", "4h", "90m", "2d"]
    assert (player.digest_at, player.thread_by) == (8 * 60, "turn")
    shown = page.form("/settings/letters")
    assert (shown["quiet-from"], shown["other-reminders"]) == ("22:30", "90m, 2d")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("quiet-from", "22:00", "both times"),
        ("quiet-to", "25:00", "no time of the day"),
        ("other-reminders", "soon", "cannot be a reminder"),
        ("other-reminders", "1h, 2h, 3h, 5h", "cannot be a reminder"),
        ("digest", "noon", "no time of the day"),
        ("thread", "none", "one conversation"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_changes(
    site: Site, field: str, value: str, said: str
) -> None:
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/letters")
    form.put("other-reminders", "2d")
    form.put(field, value)
    page = reader.press(form)
    assert page.status == 400
    assert said in page.text
    player = ana(site)
    assert (player.quiet_from, player.digest_at, player.thread_by) == (None, None, "match")
    assert player.reminders == ["half", "24h", "4h"]


def test_days_away_are_added_and_taken_back(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    first = site.service.now().date() + dt.timedelta(days=10)
    form = reader.get("/settings").form("/settings/away")
    form.put("first", first.isoformat())
    form.put("last", (first + dt.timedelta(days=4)).isoformat())
    page = reader.press(form)
    assert f"{first.year}" in page.text
    assert "25 days left" in page.text or first.year > site.service.now().year
    page = reader.press(page.form("/settings/away/"))
    assert site.counts()["absence"] == 0


def test_days_away_that_cannot_be_are_told(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/away")
    for first, last in (("2020-01-01", "2020-01-02"), ("x", "2030-01-01")):
        form.put("first", first)
        form.put("last", last)
        page = reader.press(form)
        assert page.status == 400
        assert "These days are not possible" in page.text


def test_another_address_counts_once_it_has_said_yes(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/addresses", "Add it")
    form.put("address", "Ana.Work@Example.com")
    page = reader.press(form)
    assert "to be confirmed: we have sent a letter there" in page.text
    assert "A letter with a link has gone to that address." in page.text
    assert "Saved" not in page.text
    (letter,) = site.letters(kind="alias")
    link = path(site.links.alias(letter.details_as(AliasDetails).nonce))
    other = site.reader()
    other.get(link)
    assert _alias(site).confirmed_at is None, "looking confirms nothing"
    other.press(other.get(link).form("/address"))
    assert _alias(site).confirmed_at is not None
    assert "asks whether" not in reader.get("/settings").text
    reader.press(reader.get("/settings").form("/settings/addresses/"))
    assert site.counts()["alias"] == 0
    assert other.get(link).status == 404


def test_who_has_the_address_is_asked_in_their_language(site: Site) -> None:
    site.player("zoe@example.org", name="Zoé", lang="fr")
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/addresses", "Add it")
    form.put("address", "zoe@example.org")
    reader.press(form)
    (letter,) = site.letters(kind="alias")
    with site.service.database.read() as session:
        assert language_of(session, session.merge(letter)) == "fr"
    page = site.reader().get(path(site.links.alias(letter.details_as(AliasDetails).nonce)))
    assert page.lang == "fr"
    removed = reader.press(reader.get("/settings").form("/settings/addresses/"))
    assert "Removed. What comes from that address" in removed.text


def zone_of(site: Site, address: str) -> str:
    return site.player(address).zone


@pytest.mark.parametrize(
    ("said", "kept"), [("America/Montreal", "America/Montreal"), ("Moon/Base", "Europe/Paris")]
)
def test_a_first_sign_in_takes_the_zone_of_the_browser(site: Site, said: str, kept: str) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", ADDRESS)
    form.put("zone", said)
    reader.press(form)
    assert zone_of(site, ADDRESS) == kept
    form.put("zone", "Asia/Tokyo")
    reader.press(form)
    assert zone_of(site, ADDRESS) == kept, "whoever knows an address cannot move its clock"


def test_guests_live_by_the_clock_of_their_host_until_they_say_otherwise(site: Site) -> None:
    host = site.signed_in(ADDRESS)
    form = host.get("/settings").form("/settings", "Save")
    form.put("zone", "America/Halifax")
    host.press(form)
    table = host.get(NEW_TABLE).form("/tables/new")
    table.put("seat1-address", "zoe@example.org")
    host.press(table)
    assert zone_of(site, "zoe@example.org") == "America/Halifax"


def test_zones_to_choose_are_places(site: Site) -> None:
    form = site.signed_in(ADDRESS).get("/settings").form("/settings", "Save")
    (listed,) = [choices for name, choices in form.choices if name == "zone"]
    assert {"Europe/Paris", "America/Argentina/Ushuaia", "UTC"} <= set(listed)
    assert not {"localtime", "Factory", "Zulu", "W-SU", "Etc/GMT+5", "EST"} & set(listed)


@pytest.mark.parametrize("wanted", ["maybe", ""])
def test_invitations_are_wanted_or_not(site: Site, wanted: str) -> None:
    reader = site.signed_in(ADDRESS)
    token = reader.get("/settings").form("/settings/invitations")["csrf_token"]
    page = reader.post("/settings/invitations", [("csrf_token", token), ("wanted", wanted)])
    assert page.status == 400
    assert site.player(ADDRESS).suppressed_at is None


def _alias(site: Site) -> Alias:
    with site.service.database.read() as session:
        return session.query(Alias).one()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("no address", "no address"),
        (ADDRESS, "known as yours"),
        ("never@example.org", "wants no letters"),
        ("dead@example.org", "wants no letters"),
    ],
)
def test_an_address_that_cannot_be_is_told(site: Site, address: str, said: str) -> None:
    never, dead = site.player("never@example.org"), site.player("dead@example.org")
    with site.service.database.write() as work:
        work.session.get_one(Player, never.id).suppressed_at = site.service.now()
        bounces.stop(site.service, work, work.session.get_one(Player, dead.id), StopReason.BOUNCES)
    reader = site.signed_in(ADDRESS)
    form = reader.get("/settings").form("/settings/addresses", "Add it")
    form.put("address", address)
    page = reader.press(form)
    assert page.status == 400
    assert said in page.text
    assert site.letters(kind="alias") == []


def test_letters_to_strangers_are_few(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    for who in "abababa":
        form = reader.get("/settings").form("/settings/addresses", "Add it")
        form.put("address", f"{who}@example.org")
        page = reader.press(form)
    assert page.status == 400
    assert "enough for today" in page.text
    assert len(site.letters(kind="alias")) == 5


def test_the_letters_of_tables_are_chosen_in_one_form(site: Site) -> None:
    first, second = site.table(), site.table()
    reader = site.signed_in(ADDRESS)

    def save(*wishes: str) -> list[tuple[bool, bool | None]]:
        form = reader.get("/settings").form("/settings/tables")
        for match, wish in zip((first, second), wishes, strict=True):
            form.put(f"letters-{match.code}", wish)
        page = reader.press(form, "Save")
        shown = page.form("/settings/tables")
        assert [shown[f"letters-{match.code}"] for match in (first, second)] == list(wishes)
        rows = [site.match(match.id).seats[0] for match in (first, second)]
        return [(row.muted_at is not None, row.digest) for row in rows]

    assert save("none", "yes") == [(True, None), (False, True)]
    assert save("", "none") == [(False, None), (True, True)]
    assert save("no", "") == [(False, False), (False, None)]


def test_an_empty_seat_of_a_game_leaves_no_comma(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    form = reader.get(f"/tables/new?game={KNOWN}&way=seats").form("/tables/new")
    form.put("name", "Winter cave")
    form.put("seat1-who", "open")
    form.put("seat2-who", "bot:greedy")
    reader.press(form)
    listed = reader.get("/settings").text
    assert "Winter cave Medium bot" in listed


def test_nobody_changes_the_letters_of_another(site: Site) -> None:
    match = site.table()
    stranger = site.signed_in("zoe@example.org")
    token = stranger.get("/settings").form("/settings/invitations")["csrf_token"]
    fields = [("csrf_token", token), ("do", "mute")]
    assert stranger.post(f"/m/{match.code}/0/mail", fields).status == 404
    stranger.press(stranger.get(f"/play/{KNOWN}").form(f"/play/{KNOWN}"))
    own = site.match(match.id + 1)
    assert own.code in stranger.at
    wishes = [(f"letters-{own.code}", "none"), (f"letters-{match.code}", "none")]
    assert stranger.post("/settings/tables", [fields[0], *wishes]).status == 404
    assert stranger.post("/settings/tables", [fields[0], (wishes[0][0], "all")]).status == 400
    assert site.match(own.id).seats[0].muted_at is None, "all or none"
    assert [row.muted_at for row in site.match(match.id).seats] == [None, None]


def test_invitations_are_ended_and_wanted_again(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    page = reader.press(reader.get("/settings").form("/settings/invitations"))
    assert ana(site).suppressed_at is not None
    reader.press(page.form("/settings/invitations"))
    assert ana(site).suppressed_at is None


def test_a_muted_table_says_so_on_its_page(site: Site) -> None:
    match = site.table()
    reader = site.signed_in(ADDRESS)
    page = reader.get(f"/m/{match.code}/0")
    page = reader.press(page.form(f"/m/{match.code}/0/mail"))
    assert "You get no letters of this game" in page.text
    page = reader.press(page.form(f"/m/{match.code}/0/mail"))
    assert "You get no letters of this game" not in page.text
    assert site.match(match.id).seats[0].muted_at is None


def test_the_link_of_a_turn_mutes_nothing(site: Site) -> None:
    match = site.table()
    row = site.awaited(match.id)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    (token, *_) = re.findall(r'name="csrf_token" value="([^"]+)"', page.source)
    fields = [("csrf_token", token), ("do", "mute")]
    assert reader.post(f"/m/{match.code}/{row.seat}/mail", fields).status == 404
    assert [seat.muted_at for seat in site.match(match.id).seats] == [None, None]


def test_who_is_asked_by_a_stranger_can_have_it_end(site: Site) -> None:
    assert named(site, ADDRESS, "eve@example.org").status == 200
    (letter,) = site.letters(kind="alias")
    other = site.reader()
    page = other.get(path(site.links.alias(letter.details_as(AliasDetails).nonce)))
    answered = other.press(page.form("/address"), "no such letters")
    assert "eve@example.org gets no such letters" in answered.text
    assert site.counts()["alias"] == 0
    assert other.get("/address").status == 404
    refused = named(site, "bob@example.org", "eve@example.org")
    assert (refused.status, "wants no letters" in refused.text) == (400, True)
    assert len(site.letters(kind="alias")) == 1
    with site.service.database.read() as session:
        eve = session.query(Player).filter_by(email="eve@example.org").one()
        assert eve.suppressed_at is not None, "no invitation reaches them either"


def test_an_address_is_asked_three_times_a_month_at_most(site: Site) -> None:
    with time_machine.travel("2026-11-02T11:00:00Z", tick=False) as clock:
        for address in (ADDRESS, ADDRESS, "bob@example.org"):
            clock.shift(1)
            page = named(site, address, "eve@example.org")
            assert page.status == 200
            reader = site.signed_in(address)
            reader.press(reader.get("/settings").form("/settings/addresses/"))
        page = named(site, "cid@example.org", "eve@example.org")
        assert (page.status, "3 such letters this month" in page.text) == (400, True)
        assert len(site.letters(kind="alias")) == 3
        assert site.counts()["alias"] == 0, "nothing is kept of what was refused"
        assert named(site, "cid@example.org", "eva@example.org").status == 200
        clock.move_to("2026-12-01T11:00:00Z")
        assert named(site, "cid@example.org", "eve@example.org").status == 200


def named(site: Site, player: str, address: str) -> Page:
    """Somebody names another address of theirs."""
    reader = site.signed_in(player)
    form = reader.get("/settings").form("/settings/addresses", "Add it")
    form.put("address", address)
    return reader.press(form)


def test_what_is_changed_rarely_is_folded_until_it_has_been(site: Site) -> None:
    reader = site.signed_in(ADDRESS)
    page = reader.get("/settings")
    folded = '<details class="fold">'
    assert page.source.count(folded) == 5
    page = reader.press(page.form("/settings/invitations"))
    assert page.source.count(folded) == 4
    assert '<details class="fold" open>' in page.source
