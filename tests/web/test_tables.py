"""Opening a table, and what guests answer."""

from __future__ import annotations

import re

import msgspec
import pytest
from sqlalchemy import select

from engine.protocol import Outcome
from service.core import locks
from service.core.models import Match, Player, SeatRow
from service.core.statuses import MatchStatus
from service.matches import reading
from service.matches.tables import BotSeat, Guest, OpenSeat
from service.web.tables.opening import USUAL
from tests.support.games import KNOWN
from tests.support.reader import Form, Page
from tests.web.conftest import NEW_TABLE, Site, path


def guests_form(page: Page, *guests: tuple[str, str]) -> Form:
    """The form of a table with these names and addresses."""
    form = page.form("/tables/new")
    for n, (name, address) in enumerate(guests, start=1):
        form.put(f"seat{n}-who", "guest")
        form.put(f"seat{n}-name", name)
        form.put(f"seat{n}-address", address)
    return form


def matches(site: Site) -> list[Match]:
    with site.service.database.read() as session:
        return list(session.scalars(select(Match)))


def test_a_table_with_guests_sends_invitations(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    form.put("seat1-lang", "fr")
    form.put("pace", "5")
    page = host.press(form)
    assert page.status == 200
    assert "has not answered yet" in page.text
    (match,) = matches(site)
    assert (match.game, match.pace_days, match.status) == ("sapiens", 5, "inviting")
    (letter,) = site.letters(kind="invitation")
    assert (letter.player.email, letter.player.lang) == ("zoe@example.org", "fr")


def test_a_table_with_bots_only_starts_at_once(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("seat1-who", "bot:random")
    form.put("seat2-who", "bot:greedy")
    form.put("seat2-name", "Grok")
    page = host.press(form)
    (match,) = matches(site)
    assert match.status == "playing"
    assert "Grok" in page.text


def test_a_link_for_friends_is_what_the_form_begins_with(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get("/tables/new?game=sapiens").form("/tables/new")
    assert form["way"] == "link"
    form.put("players", "4")
    page = host.press(form)
    assert 'class="qr"' in page.source
    (match,) = matches(site)
    assert (match.status, len(site.match(match.id).empty_seats)) == ("inviting", 3)


def test_bots_of_one_strength_are_chosen_at_once(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get("/tables/new?game=sapiens&way=bots").form("/tables/new")
    form.put("players", "3")
    form.put("bot", "random")
    assert host.press(form).status == 200
    (match,) = matches(site)
    assert match.status == "playing"
    assert [row.bot for row in site.match(match.id).seats[1:]] == ["random", "random"]


def test_who_has_an_address_is_a_guest_by_mail(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get("/tables/new?game=sapiens&way=mail").form("/tables/new")
    refused = host.press(form)
    assert (refused.status, refused.form("/tables/new")["way"]) == (400, "mail")
    for n in (1, 3):
        form.put(f"seat{n}-address", f"guest{n}@example.org")
    assert host.press(form).status == 200
    assert len(site.letters(kind="invitation")) == 2


@pytest.mark.parametrize("players", ["", "1", "99", "-3", "many"])
@pytest.mark.parametrize("way", ["link", "bots"])
def test_a_table_of_an_impossible_size_is_told(site: Site, way: str, players: str) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(f"/tables/new?game=sapiens&way={way}").form("/tables/new")
    form.put("players", players)
    refused = host.press(form)
    assert (refused.status, "That did not work." in refused.text) == (400, True)
    assert matches(site) == []


def test_ten_presses_of_the_button_open_one_table(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    places = {host.press(form).response.request.path for _ in range(10)}
    assert len(places) == 1
    assert len(matches(site)) == 1
    assert len(site.letters(kind="invitation")) == 1


def test_the_form_of_another_host_with_the_same_nonce_is_another_table(site: Site) -> None:
    ana, bob = site.signed_in("ana@example.org"), site.signed_in("bob@example.org")
    mine = guests_form(ana.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    theirs = guests_form(bob.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    theirs.put("nonce", mine["nonce"])
    ana.press(mine)
    bob.press(theirs)
    assert {match.host.email for match in matches(site)} == {"ana@example.org", "bob@example.org"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seat1-address": "nobody"}, "is not a complete email address"),
        ({"seat1-address": ""}, "An address is missing"),
        (
            {"seat1-address": "", "seat2-who": "", "way": "mail"},
            "Enter the address of at least one guest",
        ),
        ({"seat1-address": "ana@example.org"}, "would sit at the table twice"),
        ({"seat1-who": "bot:deep-thought"}, "There is no bot called"),
        ({"seat1-who": "king"}, "does not belong to it"),
        ({"seat1-who": ""}, "A seat has the address"),
        ({"pace": "0"}, "The pace does not fit"),
        ({"pace": "-3"}, "The pace does not fit"),
        ({"pace": "soon"}, "The pace does not fit"),
        ({"pace": "9999999999"}, "The pace does not fit"),
        ({"game": "poker"}, "There is no game called"),
        ({"seat1-name": "x" * 3000}, "too long"),
    ],
)
def test_what_cannot_be_is_told_with_the_form_still_filled(
    site: Site, changes: dict[str, str], said: str
) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé <b>", "zoe@example.org"))
    form.put("seat2-who", "bot:greedy")
    for name, value in changes.items():
        form.put(name, value)
    page = host.press(form)
    assert page.status == 400
    assert said in page.text
    again = page.form("/tables/new")
    kept = {"seat1-name": "Zoé <b>", "seat2-who": "bot:greedy", "pace": "3"} | changes
    for name in {"seat1-name", "seat1-address", "seat2-who", "pace"} & kept.keys():
        assert again[name] == kept[name][:2000]
    assert matches(site) == []
    assert site.letters(kind="invitation") == []


def test_every_address_that_is_none_is_marked_and_how_many_there_would_be_is_told(
    site: Site,
) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(
        host.get(NEW_TABLE), ("Zoé", "zoe@"), ("Max", "max@example.org"), ("Bo", "bo")
    )
    page = host.press(form)
    source = page.response.text
    marked = re.findall(r'<input id="(\w+-address)"[^>]*aria-invalid="true"', source)
    assert marked == ["seat1-address", "seat3-address"]
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    form.put("guests", " ".join(f"g{n}@example.org" for n in range(6)))
    assert "There would be 8 at this table, you included" in host.press(form).text


@pytest.mark.parametrize(("lang", "called"), [("en", "Medium bot"), ("fr", "Robot moyen")])
def test_a_bot_without_a_name_is_called_in_its_hosts_language(
    site: Site, lang: str, called: str
) -> None:
    host = site.signed_in("ana@example.org", lang)
    form = host.get(NEW_TABLE).form("/tables/new")
    for n, bot in ((1, "greedy"), (2, "planner")):
        form.put(f"seat{n}-who", f"bot:{bot}")
    form.put("seat2-name", "Deep Thought")
    host.press(form)
    [match] = matches(site)
    assert [row.name for row in site.match(match.id).invitees[1:]] == [called, "Deep Thought"]


@pytest.mark.parametrize(("lang", "called"), [("en", "Medium bot"), ("fr", "Robot moyen")])
def test_lists_name_a_bot_in_the_language_of_whoever_reads(
    site: Site, lang: str, called: str
) -> None:
    """At a table of a French host, whose seats keep the French name."""
    bot = BotSeat(bot="greedy", name="Robot moyen")
    guest = Guest(address="ben@example.org", name="Ben")
    playing, waiting = (site.open([bot, *more], KNOWN) for more in ((), (guest, OpenSeat())))
    ended = site.open([bot], KNOWN)
    with site.service.database.write() as work:
        held = locks.lock_number(site.service, work, ended)
        held.status, held.ended_at = MatchStatus.ENDED, site.service.now()
        outcome = Outcome(winners=(0,), scores=(1, 0), termination="normal")
        held.outcome = msgspec.json.encode(outcome)
    host = site.signed_in("ana@example.org", lang)
    invitation = site.links.invitation(site.match(waiting), site.player(guest.address).id)
    codes = [site.match(number).code for number in (playing, waiting)]
    pages = [f"/m/{codes[0]}/0/host", f"/m/{codes[1]}/0/host", f"/m/{codes[1]}/0", "/settings"]
    for where in ("/matches", *pages, path(invitation)):
        text = host.get(f"{where}?lang={lang}").text
        assert called in text, where
        assert lang == "fr" or "Robot" not in text, where


PASTED = 'Zoé <zoe@example.org>, marc@example.org\r\n\r\n; "Élise Roy" <elise@example.org>'


def test_pasted_addresses_get_the_seats_that_are_free(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("seat2-who", "bot:greedy")
    form.put("seat1-lang", "fr")
    form.put("guests", "zoe@example.org (Zoé)\nmarc@example.org")
    assert host.press(form).status == 200
    with site.service.database.read() as session:
        rows = session.scalars(select(SeatRow).order_by(SeatRow.id)).all()
        asked = [(row.name, row.bot, row.player.email if row.player else None) for row in rows[1:]]
    assert asked[0] == ("Zoé", None, "zoe@example.org")
    assert asked[1][1] == "greedy"
    assert asked[2][1:] == (None, "marc@example.org")
    langs = {letter.player.email: letter.player.lang for letter in site.letters(kind="invitation")}
    assert langs == {"zoe@example.org": "fr", "marc@example.org": "en"}


def test_more_pasted_addresses_than_seats_are_told_and_none_is_lost(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("guests", PASTED + "\ndara@example.org")
    page = host.press(form)
    assert page.status == 400
    assert "you included, and this game takes 2 to 4" in page.text
    again = page.form("/tables/new")
    seated = [(again[f"seat{n}-name"], again[f"seat{n}-address"]) for n in (1, 2, 3)]
    assert seated == [
        ("Zoé", "zoe@example.org"),
        ("", "marc@example.org"),
        ("Élise Roy", "elise@example.org"),
    ]
    assert again["guests"] == "dara@example.org"
    again.put("guests", "")
    assert host.press(again).status == 200
    assert len(site.letters(kind="invitation")) == 3


def test_what_is_wrong_is_said_at_its_field_and_has_the_focus(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"), ("Bo", "bo.at.home"))
    source = host.press(form).source
    assert re.search(r'id="problem".*?href="#seat2-address">[^<]*Seat 3<', source)
    field = re.search(r'<input id="seat2-address"[^>]*>', source)
    assert field
    assert "autofocus" in field[0]
    assert 'aria-describedby="seat2-address-wrong"' in field[0]
    assert re.search(r'id="seat2-address-wrong">[^<]*bo\.at\.home[^<]*is not a complete', source)
    assert 'id="seat1-address-wrong"' not in source


def test_what_was_pasted_and_is_no_address_is_told(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("guests", "Zoé, from work")
    page = host.press(form)
    assert page.status == 400
    assert "is not a complete email address" in page.text
    assert page.form("/tables/new")["seat1-address"] == "Zoé"


def test_addresses_that_a_space_parts_are_guests_of_their_own(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("guests", 'zoe@example.org marc@example.org\n"Doe, John" <j@example.org>')
    assert host.press(form).status == 200
    with site.service.database.read() as session:
        rows = session.scalars(select(SeatRow).order_by(SeatRow.id)).all()
        asked = [(row.player.email, row.name) for row in rows[1:] if row.player]
    assert [email for email, _ in asked] == ["zoe@example.org", "marc@example.org", "j@example.org"]
    assert [name for _, name in asked] == ["Zoe", "Marc", "Doe, John"]


def test_a_name_with_a_comma_is_shown_again_as_it_was_pasted(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("guests", 'a@x.org b@x.org c@x.org "Doe, John" <j@x.org>')
    assert host.press(form).form("/tables/new")["guests"] == '"Doe, John" <j@x.org>'


def test_a_text_that_is_too_long_is_refused_before_it_is_read(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    text = "zoe@example.org\n" + "a" * 60_000
    form.put("guests", text)
    page = host.press(form)
    assert page.status == 400
    assert "The field “guests” is too long" in page.text
    again = page.form("/tables/new")
    assert again["guests"] == text[:2000]
    assert again["seat1-address"] == ""


@pytest.mark.parametrize("field", [*USUAL, "game", "nonce"])
def test_a_form_without_a_field_is_told_and_shown_with_the_usual_value(
    site: Site, field: str
) -> None:
    host = site.signed_in("ana@example.org")
    form = guests_form(host.get(NEW_TABLE), ("Zoé", "zoe@example.org"))
    usual = form[field]
    form.fields = [(name, value) for name, value in form.fields if name != field]
    page = host.press(form)
    assert page.status == 400
    assert f"came without the field “{field}”" in page.text
    again = page.form("/tables/new")
    assert again["seat1-address"] == "zoe@example.org"
    assert field == "nonce" or again[field] == usual
    assert matches(site) == []
    assert host.press(again).status == 200


@pytest.mark.parametrize(
    ("days", "told"),
    [(1, "1 to 2 weeks"), (3, "4 to 6 weeks"), (7, "2 to 3 months"), (30, "10 to 15 months")],
)
def test_the_form_says_how_long_a_game_takes(site: Site, days: int, told: str) -> None:
    page = site.signed_in("ana@example.org").get(NEW_TABLE)
    assert f"{days} day{'s' if days > 1 else ''} (about {told})" in page.source


def test_nobody_else_makes_no_table(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("seat1-who", "")
    page = host.press(form)
    assert page.status == 400
    assert "you included, and this game takes 2 to 4" in page.text


def test_board_options_reach_the_match_and_impossible_ones_are_told(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    page = host.get(NEW_TABLE)
    form = guests_form(page, ("Zoé", "zoe@example.org"))
    form.fields += [("option-faces", "L1a")]
    refused = host.press(form)
    assert refused.status == 400
    assert "options do not fit" in refused.text
    again = refused.form("/tables/new")
    assert again.all("option-faces") == ["L1a"]
    faces = [f"{side}{piece}a" for side in "LR" for piece in (1, 2)]
    again.fields += [("option-faces", face) for face in faces[1:]]
    assert host.press(again).status == 200
    (match,) = matches(site)
    assert b'"faces":["L1a","L2a","R1a","R2a"]' in match.options


def test_names_are_shown_as_text_and_cleaned_of_what_turns_text(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    name = "<b>Zo\u202eé</b>\r\nBcc: x@example.org\0"
    page = host.press(guests_form(host.get(NEW_TABLE), (name, "zoe@example.org")))
    assert "<b>Zo" not in page.source
    assert "<b>Zoé</b> Bcc: x@example.org" in page.text
    with site.service.database.read() as session:
        row = session.scalars(select(SeatRow).where(SeatRow.status == "invited")).one()
        assert row.name == "<b>Zoé</b> Bcc: x@example.org"[:40]


def invited(site: Site, *others: str) -> tuple[Match, str]:
    """A table with a guest zoe@example.org; the link of her invitation."""
    addresses = ["zoe@example.org", *others]
    match = site.match(site.open([Guest(address=a, name="Zoé") for a in addresses], KNOWN))
    with site.service.database.read() as session:
        zoe = session.scalars(select(Player).where(Player.email == "zoe@example.org")).one()
    return match, path(site.links.invitation(match, zoe.id))


@pytest.mark.parametrize(
    ("answer", "said", "status"),
    [
        ("accept", "You are in", "accepted"),
        ("decline", "No letter about this game will follow", "declined"),
        ("never", "no invitation will reach you any more", "declined"),
    ],
)
def test_a_guest_answers_with_one_press(site: Site, answer: str, said: str, status: str) -> None:
    match, link = invited(site, "third@example.org")
    guest = site.reader()
    page = guest.get(f"{link}?answer={answer}")
    assert "Ana invites you to a game of Sapiens" in page.text
    form = page.form("/invitation/")
    assert form.buttons[0].value == answer, "the chosen answer comes first"
    page = guest.press(form)
    assert page.status == 200
    assert said in page.text
    row = next(r for r in site.match(match.id).invitees if r.player and r.player.name == "Zoé")
    assert row.status == status
    assert (row.player is not None and row.player.suppressed_at is not None) == (answer == "never")


def test_opening_an_invitation_again_and_again_answers_nothing(site: Site) -> None:
    match, link = invited(site)
    before = site.counts()
    for n in range(12):
        site.reader().get(f"{link}?answer={('accept', 'decline', 'never')[n % 3]}")
        site.app.test_client().head(link)
    assert site.counts() == before
    assert [row.status for row in site.match(match.id).invitees] == ["accepted", "invited"]


def test_answering_again_and_otherwise_is_told_and_changes_nothing(site: Site) -> None:
    match, link = invited(site, "third@example.org")
    guest, late = site.reader(), site.reader()
    first = guest.get(link).form("/invitation/")
    second = late.get(link).form("/invitation/")
    guest.press(first, "Yes")
    page = late.press(second, "Not this time")
    assert page.status == 409
    assert "has been answered already" in page.text
    assert "You are in" in page.text
    assert site.match(match.id).invitees[1].status == "accepted"


def test_who_accepts_goes_on_to_the_board_or_to_the_turn(site: Site) -> None:
    match, link = invited(site)
    guest = site.reader()
    assert "See the table" not in guest.get(link).text
    page = guest.press(guest.get(link).form("/invitation/"), "Yes")
    row = next(r for r in site.match(match.id).seats if r.player_id != match.host_id)
    asks = site.awaited(match.id).seat == row.seat
    assert ("It is your turn." in page.text) == asks
    assert ("Ana’s turn." in page.text) != asks
    on = f"/invitation/{match.code}/table"
    assert guest.get(on).status == 200
    assert guest.at.startswith(f"/m/{match.code}/{row.seat}" + ("/turn/" if asks else ""))
    with site.service.database.write() as work:
        locked = locks.lock_number(site.service, work, match.id)
        locked.seats[row.seat or 0].occupancy += 1
    assert guest.get(f"/m/{match.code}/{row.seat}").status == 404, "the seat as it was then"
    assert site.reader().get(on).status == 404, "not without the letter"


def test_an_invitation_to_a_table_that_was_called_off_says_so(site: Site) -> None:
    match, link = invited(site, "third@example.org")
    guest = site.reader()
    guest.press(guest.get(link).form("/invitation/"), "Yes")
    third = site.match(match.id).invitees[2]
    assert third.player is not None
    other = site.reader()
    there = path(site.links.invitation(match, third.player.id))
    other.press(other.get(there).form("/invitation/"), "Not this time")
    site.wait_out(match.id)
    assert site.match(match.id).status in ("playing", "cancelled")
    # With two left the game can start; with the host alone it is called off.
    match, link = invited(site)
    guest = site.reader()
    page = guest.press(guest.get(link).form("/invitation/"), "Not this time")
    assert "are not playing" in page.text
    site.wait_out(match.id)
    host = site.signed_in("ana@example.org")
    assert "Called off" in host.get(f"/m/{match.code}/0").text


@pytest.mark.parametrize("answer", ["", "maybe", "accept\0now"])
def test_an_answer_that_is_none_is_told(site: Site, answer: str) -> None:
    match, link = invited(site)
    guest = site.reader()
    form = guest.get(link).form("/invitation/")
    page = guest.post(form.action, [*form.fields, ("answer", answer)])
    assert page.status == 400
    assert "cannot be read" in page.text
    assert site.match(match.id).invitees[1].status == "invited"


def test_an_invitation_is_of_one_guest_and_one_match(site: Site) -> None:
    _, link = invited(site)
    other, _ = invited(site, "third@example.org")
    guest = site.reader()
    guest.get(link)
    page = guest.get(f"/invitation/{other.code}")
    assert page.status == 404
    assert "Sapiens" not in page.text.replace("Rules of Sapiens", "")


def test_the_language_of_the_guest_is_that_of_the_page(site: Site) -> None:
    match_id = site.open([Guest(address="zoe@example.org", lang="fr")], KNOWN)
    guest = site.match(match_id).invitees[1]
    assert guest.player is not None
    link = path(site.links.invitation(site.match(match_id), guest.player.id))
    assert site.reader("en").get(link).lang == "fr"
    assert site.reader("fr").get(f"{link}?answer=accept").lang == "fr"


def test_my_games_say_whose_move_it_is(site: Site) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    players = [seat.player for seat in match.seats]
    mover, other = players[row.seat], players[1 - row.seat]
    assert mover is not None
    assert other is not None
    page = site.signed_in(mover.email).get("/matches")
    assert "1 game waits for you." in page.text
    assert dict(page.links)["Play"] == f"/m/{match.code}/{row.seat}/turn/{row.decision}"
    waiting = site.signed_in(other.email).get("/matches")
    assert "Nobody waits for you." in waiting.text
    assert waiting.link("Look") == f"/m/{match.code}/{1 - row.seat}"


def test_my_games_show_the_board_the_standing_and_the_last_turn(site: Site) -> None:
    match = site.table(guests=1, turns=3)
    page = site.signed_in("ana@example.org").get("/matches")
    assert page.source.count('class="glance"') == 1
    with site.service.database.read() as session:
        match_view = reading.match_view(session, site.match(match.id), 0)
        *_, last = reading.history(session, site.match(match.id), 0)
    own, other = (min(player["fp"], player["sp"]) for player in match_view.view["players"])
    assert f"you {own} Guest 1 {other}" in page.text
    assert f"turn {last.n}" not in page.text
    laid = next(event for event in last.events if event["kind"] == "laid")
    assert laid["data"]["first"][:2] in page.text
