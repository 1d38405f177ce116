"""The pages of a match: what each reader sees, and what a link opens and what not."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from service.core import locks
from service.core.models import DecisionRow, Match
from service.matches import reading
from service.web import grants
from tests.support.games import KNOWN
from tests.support.reader import Reader
from tests.web.conftest import Site, path


def seat_reader(site: Site, match: Match, seat: int) -> Reader:
    """Somebody who has opened the link of a seat."""
    reader = site.reader()
    assert reader.get(path(site.links.seat(match, seat))).status == 200
    return reader


def ended(site: Site) -> Match:
    """A match of two that is over."""
    match = site.table(guests=1)
    while site.match(match.id).status == "playing":
        site.submit(match.id)
        site.hear()
    return site.match(match.id)


def test_a_seat_sees_the_board_the_scores_whose_move_and_the_story(site: Site) -> None:
    match = site.table(guests=2, turns=5)
    row = site.awaited(match.id)
    reader = seat_reader(site, match, row.seat)
    page = reader.get(reader.at)
    assert reader.at == f"/m/{match.code}/{row.seat}"
    assert "Your turn" in page.text
    assert page.link("Play your turn").endswith(f"/turn/{row.decision}")
    for name in reading.names(match):
        assert name in page.text
    assert page.text.count("score") >= 3
    assert " lead" in page.text or "level" in page.text or "Nobody has a score" in page.text
    assert match.seed_hash not in page.source, "how to check is on a page of its own"
    turns = [f"turn {n} " in page.text for n in range(1, 6)]
    assert all(turns)
    assert page.text.index("turn 5 ") < page.text.index("turn 1 "), "newest first"
    assert {f"n{n}" for n in range(6)} <= set(page.ids)
    assert page.source.count("<svg") >= 2
    assert page.link("Read the board").endswith(f"/rules/{match.game}#labelled")
    other = (row.seat + 1) % 3
    elsewhere = seat_reader(site, match, other)
    page = elsewhere.get(elsewhere.at)
    assert "’s turn" in page.text
    assert "Play your turn" not in page.text


def test_every_past_position_is_shown(site: Site) -> None:
    match = site.table(guests=1, turns=4)
    reader = seat_reader(site, match, 0)
    at = reader.at
    page = reader.get(f"{at}?n=0")
    assert "The board at the beginning" in page.text
    for n in range(1, 4):
        page = reader.get(page.link("Forward"))
        assert f"The board after turn {n} of 4" in page.text
        assert "The board now" in reader.get(page.link("Back to the present board")).text
    page = reader.get(page.link("Forward"))
    assert "The board now" in page.text
    assert "Forward" not in page.text
    assert "after turn 3" in reader.get(page.link("Back")).text
    for bad in ("5", "-1", "x", "1e3", "9" * 30, ""):
        assert reader.get(f"{at}?n={bad}").status == 404


def test_every_board_can_be_looked_at_large(site: Site) -> None:
    match = site.table(guests=2, turns=3)
    reader = seat_reader(site, match, 1)
    source = reader.get(reader.at).source
    drawn = source.split('<figure class="board">')[1:4]
    assert len({one.split("</figure>")[0] for one in drawn}) == 3
    assert source.count('type="radio" name="shown-board"') == 3, "one at a time, on this page"


def test_spectators_see_the_public_side_and_no_seat(site: Site) -> None:
    match = site.table(guests=1, turns=2)
    reader = site.reader()
    page = reader.get(path(site.links.watch(match)))
    assert "turn 2" in page.text
    assert "Play your turn" not in page.text
    assert "You " not in page.text.replace("You can", "")
    for seat in range(2):
        assert reader.get(f"/m/{match.code}/{seat}").status == 404
        row = site.awaited(match.id)
        assert reader.get(f"/m/{match.code}/{seat}/turn/{row.decision}").status == 404


def test_the_link_for_spectators_shows_what_it_leads_to(site: Site) -> None:
    match = site.table(guests=1, turns=2)
    link = site.links.watch(match)
    forgetful = site.app.test_client(use_cookies=False)
    source = forgetful.get(path(link)).text
    said = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', source))
    assert said["title"] == f"Sapiens: {', '.join(reading.names(match))}"
    assert said["url"] == link
    assert said["image"] == f"{link}/board.png?lang=en"
    card = forgetful.get(path(said["image"]))
    assert card.mimetype == "image/png"
    with Image.open(io.BytesIO(card.data)) as picture:
        assert picture.width / picture.height == pytest.approx(1.91, abs=0.01)
    assert len(card.data) < 60_000
    assert forgetful.get(path(link[:-1] + "x")).status_code == 404
    assert forgetful.get(path(link[:-1] + "x/board.png")).status_code == 404
    # What a player's own page says to others is nothing.
    assert "og:" not in seat_reader(site, match, 0).get(f"/m/{match.code}/0").source


def test_the_picture_of_a_link_speaks_the_language_of_its_address(site: Site) -> None:
    match = site.table(guests=1, turns=2)
    link = path(site.links.watch(match))
    client = site.app.test_client()
    french = {"Accept-Language": "fr"}
    source = client.get(link, headers=french).text
    assert f'og:image" content="{site.links.watch(match)}/board.png?lang=fr"' in source
    cards = {
        (lang, reader): client.get(f"{link}/board.png?lang={lang}", headers=headers)
        for lang in ("en", "fr")
        for reader, headers in (("en", None), ("fr", french))
    }
    assert cards["fr", "en"].data == cards["fr", "fr"].data
    assert cards["en", "fr"].data == cards["en", "en"].data != cards["fr", "en"].data
    for answer in cards.values():
        assert "private" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers


def test_what_goes_on_from_the_link_for_spectators_opens_with_its_cookie(site: Site) -> None:
    match = ended(site)
    link = path(site.links.watch(match))
    browser, forgetful = site.reader(), site.app.test_client(use_cookies=False)
    page = browser.get(link)
    for text in ("Replay", "The film (GIF)", "Download this game (JSON)"):
        address = page.link(text)
        assert browser.client.get(address).status_code == 200, text
        assert forgetful.get(address).status_code == 404, text
    assert "The board at the end" in page.text
    earlier = forgetful.get(f"{link}?n=1&board=1")
    assert "The board after turn 1 " in earlier.text


def test_a_long_story_is_folded_and_none_of_it_missing(site: Site) -> None:
    match = site.table(guests=1, turns=9)
    reader = seat_reader(site, match, 0)
    source = reader.get(f"/m/{match.code}/0").source
    shown, _, folded = source.partition('<details class="earlier">')
    assert re.findall(r'<li id="n(\d+)"', shown) == ["9", "8"], "a round"
    assert re.findall(r'<li id="n(\d+)"', folded) == ["7", "6", "5", "4", "3", "2", "1", "0"]
    past = reader.get(f"/m/{match.code}/0?n=2").source
    assert '<details class="earlier">' in past
    assert past.count('<ol class="story">') == 2, "its own turn beside the board, all folded"


def test_a_seat_opens_no_other_seat_and_no_other_match(site: Site) -> None:
    match, other = site.table(guests=1), site.table(guests=1, seed=2)
    site.play_on(match, 1)
    row = site.awaited(match.id)
    reader = seat_reader(site, match, row.seat)
    assert reader.get(f"/m/{match.code}/{row.seat}/turn/{row.decision}").status == 200
    assert reader.get(f"/m/{match.code}/watch").status == 200, "a player may watch"
    away = site.awaited(other.id)
    for address in (
        f"/m/{match.code}/{1 - row.seat}",
        f"/m/{match.code}/{1 - row.seat}/turn/{row.decision}",
        f"/m/{other.code}/{row.seat}",
        f"/m/{other.code}/{away.seat}/turn/{away.decision}",
        f"/m/{other.code}/watch",
        f"/m/{other.code}/record.json",
        f"/m/{match.code}/{row.seat}/again",
    ):
        page = reader.get(address)
        assert page.status == 404, address
        assert match.code not in page.text
        for name in reading.names(match):
            assert name not in page.text


def test_cookies_of_one_match_are_no_good_for_another(site: Site) -> None:
    match, other = site.table(guests=1), site.table(guests=1, seed=2)
    client = site.app.test_client()
    answer = client.get(path(site.links.seat(match, 0)))
    cookie = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
    thief = site.app.test_client()
    thief.set_cookie(cookie[0], cookie[2], path=f"/m/{other.code}")
    assert thief.get(f"/m/{other.code}/0").status_code == 404
    thief.set_cookie(cookie[0], cookie[2][:-3] + "AAA", path=f"/m/{match.code}")
    assert thief.get(f"/m/{match.code}/0").status_code == 404
    thief.set_cookie(cookie[0], cookie[2], path=f"/m/{match.code}")
    assert thief.get(f"/m/{match.code}/0").status_code == 200


def test_a_decision_link_makes_that_decision_alone(site: Site) -> None:
    match = site.table(guests=1)
    first = site.awaited(match.id)
    reader = site.reader()
    reader.get(site.turn_link(match))
    site.play_on(match, 2)
    later = site.awaited(match.id)
    assert later.seat == first.seat
    stale = reader.get(f"/m/{match.code}/{first.seat}/turn/{first.decision}")
    assert "It has been played, so" in stale.text
    assert stale.source.index(">What has happened since<") < stale.source.index(">Your turn<")
    moments = re.findall(r"· turn (\d+)", stale.text.partition("What has happened since")[2])
    assert moments == ["2", "1"], "the own turn stands apart, as on the page of a turn played"
    assert reader.get(f"/m/{match.code}/{later.seat}/turn/{later.decision}").status == 404
    assert "Play your turn" not in reader.get(f"/m/{match.code}/{first.seat}").text
    reader.get(path(site.links.seat(match, first.seat)))
    assert reader.get(f"/m/{match.code}/{later.seat}/turn/{later.decision}").status == 200
    assert reader.get(stale.link("Game page")).link("Play your turn")
    assert reader.get(f"/m/{match.code}/{first.seat}/time").link("Play your turn")


def test_a_decision_link_signs_nobody_in(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    reader.get(site.turn_link(match))
    reader.get(path(site.links.seat(match, 0)))
    for address in ("/matches", "/settings", "/tables/new"):
        assert reader.get(address).form("/sign-in").buttons


@pytest.mark.parametrize("purpose", ["t", "s", "w", "i", "in", "again"])
@pytest.mark.parametrize(
    "mangle",
    [
        lambda key: "a" * 26,
        lambda key: key[:-1],
        lambda key: key + "a",
        lambda key: key[::-1],
        lambda key: key[:-1] + "%00",
    ],
)
def test_a_forged_key_says_nothing(site: Site, purpose: str, mangle: Callable[[str], str]) -> None:
    match = site.table(guests=1)
    key = site.turn_link(match).rpartition("/")[2]
    page = site.reader().get(f"/{purpose}/{mangle(key)}")
    assert page.status == 404
    assert "Guest 1" not in page.text


def test_a_key_opens_what_it_was_made_for_alone(site: Site) -> None:
    match = site.table(guests=1)
    keys = {
        "t": site.turn_link(match),
        "s": path(site.links.seat(match, 0)),
        "w": path(site.links.watch(match)),
    }
    for made_for, link in keys.items():
        for purpose in ("t", "s", "w", "i", "in", "again"):
            if purpose != made_for:
                page = site.reader().get(f"/{purpose}/{link.rpartition('/')[2]}")
                assert page.status == 404


def test_pages_of_a_match_hold_no_key_but_the_spectators(site: Site) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    secret = [
        site.turn_link(match).rpartition("/")[2],
        *(site.links.seat(match, seat).rpartition("/")[2] for seat in range(2)),
    ]
    reader = site.reader()
    sources = [reader.get(site.turn_link(match)).source]
    reader.get(path(site.links.seat(match, row.seat)))
    sources += [reader.get(reader.at).source, reader.get(f"/m/{match.code}/watch").source]
    for source in sources:
        assert not [key for key in secret if key in source]


def test_who_is_signed_in_sees_their_own_seats_without_a_letter(site: Site) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    player = match.seats[row.seat].player
    assert player is not None
    reader = site.signed_in(player.email)
    assert reader.get(f"/m/{match.code}/{row.seat}/turn/{row.decision}").status == 200
    assert reader.get(f"/m/{match.code}/{1 - row.seat}").status == 404
    stranger = site.signed_in("stranger@example.org")
    assert stranger.get(f"/m/{match.code}/{row.seat}").status == 404


def test_the_record_keeps_the_seed_until_the_end(site: Site) -> None:
    match = site.table(guests=1, turns=3)
    reader = seat_reader(site, match, 0)
    answer = reader.client.get(f"/m/{match.code}/record.json")
    assert answer.mimetype == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    kept = json.loads(answer.data)
    assert len(kept["entries"]) == 3
    assert match.seed.hex().encode() not in answer.data
    while site.match(match.id).status == "playing":
        site.submit(match.id)
        site.hear()
    assert match.seed.hex().encode() in reader.client.get(f"/m/{match.code}/record.json").data


def test_before_the_start_there_is_a_waiting_room_and_no_record(site: Site) -> None:
    from service.matches.tables import Guest

    match = site.match(site.open([Guest(address="zoe@example.org", name="Zoé")], KNOWN))
    host = site.signed_in("ana@example.org")
    assert "has not answered yet" in host.get(f"/m/{match.code}/0").text
    assert host.get(f"/m/{match.code}/record.json").status == 404


def test_the_end_is_told_and_the_table_opened_again_once(site: Site) -> None:
    match = ended(site)
    outcome = reading.outcome_of(match)
    assert outcome is not None
    for seat in range(2):
        page = seat_reader(site, match, seat)
        told = page.get(page.at).text
        assert ("You have won" in told) == (outcome.winners == (seat,))
        assert "’s turn" not in told
    with site.service.database.read() as session:
        row = session.scalars(select(DecisionRow).where(DecisionRow.match_id == match.id)).first()
        assert row is not None
    turn = seat_reader(site, match, row.seat)
    over = turn.get(f"/m/{match.code}/{row.seat}/turn/{row.decision}")
    assert "The game is over" in over.text
    first = site.reader()
    form = first.get(path(site.links.rematch(match, 0))).form("/again")
    assert "/again/" not in first.at
    before = site.counts()
    for _ in range(5):
        assert site.app.test_client().get(path(site.links.rematch(match, 0))).status_code == 302
    assert site.counts() == before
    for _ in range(3):
        assert "The table is open." in first.press(form).text
    other = site.reader()
    late = other.get(path(site.links.rematch(match, 1)))
    assert "Another player was faster" in late.text
    with site.service.database.read() as session:
        assert len(session.scalars(select(Match).where(Match.rematch_of == match.id)).all()) == 1


def test_hostile_names_stay_text_on_every_page_of_a_match(site: Site) -> None:
    match = site.table(guests=1)
    name = "<img src=x>\u202e&{{7*7}}"
    with site.service.database.write() as work:
        for seat in locks.lock_number(site.service, work, match.id).seats:
            seat.name = name
    site.play_on(match, 3)
    row = site.awaited(match.id)
    reader = seat_reader(site, match, row.seat)
    pages: list[Any] = [
        reader.get(f"/m/{match.code}/{row.seat}"),
        reader.get(f"/m/{match.code}/watch"),
        reader.get(f"/m/{match.code}/{row.seat}/turn/{row.decision}"),
    ]
    for page in pages:
        assert page.status == 200
        assert "<img src=x>" not in page.source
        assert "&lt;img src=x&gt;" in page.source


def test_a_browser_keeps_the_newest_decisions_of_a_seat_and_not_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server takes 8 KB of headers: a whole match of own decisions would be more."""
    assert grants.DECISIONS * 100 < 2000
    monkeypatch.setattr(grants, "DECISIONS", 4)
    match = site.table(guests=1)
    reader, links = site.reader(), []
    seat = site.awaited(match.id).seat
    while site.match(match.id).status == "playing":
        row = site.awaited(match.id)
        if row.seat == seat:
            links.append((row.decision, site.turn_link(match)))
            assert reader.get(links[-1][1]).status == 200
        site.play_on(match, 1)
    assert len(links) > 8
    oldest = links[0]
    for decision, _ in links[-4:]:
        assert reader.get(f"/m/{match.code}/{seat}/turn/{decision}").status == 200
    assert reader.get(f"/m/{match.code}/{seat}/turn/{oldest[0]}").status == 404
    sent = reader.client.get(f"/m/{match.code}/{seat}").request.headers["Cookie"]
    assert sent.count("open-") == 4
    assert len(sent) < 800
    assert reader.get(oldest[1]).status == 200, "its link still opens it"


@pytest.mark.parametrize(("lang", "mark"), [("en", "(bot, "), ("fr", "(robot, ")])
def test_bots_are_called_bots_where_players_are_listed(site: Site, lang: str, mark: str) -> None:
    match = site.table(guests=1, bots=1, lang=lang)
    reader = site.reader(lang)
    reader.get(f"/rules?lang={lang}")
    guest = next(row for row in match.seats if row.player and row.player_id != match.host_id)
    page = reader.get(path(site.links.seat(match, guest.seat or 0)))
    assert page.lang == lang
    bot = next(row.name for row in match.seats if row.bot)
    assert f"{bot} {mark}" in page.text
    assert page.text.count(mark) == 1
    own = site.signed_in("ana@example.org").get("/matches")
    assert f"{bot} (a bot)" in own.text
