"""A game against a bot by one button: for who is signed in at once, for others by one letter."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from service.core.letter_details import SignInDetails
from service.core.models import Letter, Match, Player
from service.mail.render import render
from tests.support.games import KNOWN
from tests.support.reader import Reader
from tests.web.conftest import Site, path, turn_form

PLAY = f"/play/{KNOWN}"


def matches(site: Site) -> list[Match]:
    with site.service.database.read() as session:
        found = list(session.scalars(select(Match)))
        for match in found:
            assert [seat.bot is None for seat in match.seats] == [True] + [False] * (
                len(match.seats) - 1
            )
        return found


def asked_by(reader: Reader, address: str) -> None:
    form = reader.get("/").form(PLAY)
    form.put("address", address)
    assert reader.press(form).status == 200


def play_link(site: Site) -> str:
    letter = site.letters(kind="signin")[-1]
    details = letter.details_as(SignInDetails)
    return path(site.links.sign_in(details.nonce, details.play))


def test_who_is_signed_in_plays_after_one_press(site: Site) -> None:
    reader = site.signed_in("zoe@example.org")
    page = reader.press(reader.get("/").form(PLAY))
    assert page.status == 200
    assert "/turn/" in reader.at
    assert turn_form(page).buttons
    (match,) = matches(site)
    assert match.hold_minutes == 0


def test_a_turn_that_the_bot_has_answered_stands_and_nothing_looks_broken(site: Site) -> None:
    reader = site.signed_in("zoe@example.org")
    page = reader.press(reader.get("/").form(PLAY))
    while "Your turn is played." not in page.text:
        page = reader.press(reader.whole(page).form("handing"), "Play this turn")
    (match,) = matches(site)
    assert match.last_entry > 1
    take_back = reader.get(f"/m/{match.code}/0/resign").form("/resign")
    take_back.action = f"/m/{match.code}/0/undo"
    page = reader.press(take_back)
    assert "was faster: your turn stands." in page.text
    assert "That did not work" not in page.text


def test_two_presses_of_one_button_open_one_game(site: Site) -> None:
    reader = site.signed_in("zoe@example.org")
    form = reader.get("/").form(PLAY)
    reader.press(form)
    first = reader.at
    reader.press(form)
    assert reader.at == first
    assert len(matches(site)) == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_newcomer_names_an_address_and_presses_twice(site: Site, lang: str) -> None:
    reader = site.reader(lang)
    asked_by(reader, "nia@example.org")
    assert matches(site) == []
    page = reader.get(play_link(site))
    assert matches(site) == [], "looking at the link starts nothing"
    page = reader.press(page.form("/sign-in/confirm"))
    assert page.status == 200
    assert "/turn/" in reader.at
    (match,) = matches(site)
    with site.service.database.read() as session:
        player = session.scalars(select(Player).where(Player.email == "nia@example.org")).one()
        assert match.host_id == player.id
        assert player.lang == lang


def test_a_newcomer_chooses_how_strong_the_bot_is(site: Site) -> None:
    reader = site.reader()
    form = reader.get(PLAY).form(PLAY)
    assert form["bot"] == "greedy"
    form.put("address", "zoe@example.org")
    form.put("bot", "planner")
    sent = reader.press(form)
    assert "card-of" in sent.source, "a picture of the game"
    welcome = reader.get(play_link(site))
    assert "card-of" in welcome.source
    reader.press(welcome.form("/sign-in/confirm"))
    (match,) = matches(site)
    assert [seat.bot for seat in match.seats] == [None, "planner"]


def test_the_letter_s_link_starts_one_game_alone(site: Site) -> None:
    first, second = site.reader(), site.reader()
    asked_by(first, "nia@example.org")
    pages = [reader.get(play_link(site)) for reader in (first, second)]
    first.press(pages[0].form("/sign-in/confirm"))
    assert second.press(pages[1].form("/sign-in/confirm")).status == 410
    assert len(matches(site)) == 1


def test_the_letter_leads_to_the_game_and_says_so(site: Site) -> None:
    reader = site.reader()
    asked_by(reader, "nia@example.org")
    letter = site.letters(kind="signin")[-1]
    with site.service.database.read() as session:
        sent = message_from_bytes(
            render(site.service, session, session.get_one(Letter, letter.id)), policy=default
        )
    text = sent.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert play_link(site) in text
    assert "your game against a bot begins" in " ".join(text.split())
    assert urlsplit(play_link(site)).query == f"play={KNOWN}"


def test_a_bad_address_comes_back_to_be_mended(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/").form(PLAY)
    form.put("address", "nia@")
    page = reader.press(form)
    assert page.status == 400
    assert page.form(PLAY)["address"] == "nia@"
    assert 'aria-invalid="true"' in page.source
    assert not site.letters(kind="signin")


def test_a_form_without_its_guard_is_shown_again(site: Site) -> None:
    client = site.app.test_client()
    answer = client.post(PLAY, data={"address": "nia@example.org"})
    assert answer.status_code == 400
    assert "nia@example.org" in answer.text
    assert not site.letters(kind="signin")


def test_an_unknown_game_is_not_played(site: Site) -> None:
    reader = site.signed_in("zoe@example.org")
    assert reader.get("/play/nothing").status == 404
    asked_by(site.reader(), "nia@example.org")
    page = site.reader().get(play_link(site).replace(KNOWN, "nothing"))
    assert 'name="play"' not in page.source


def test_nobody_opens_games_without_end(site: Site) -> None:
    reader = site.signed_in("zoe@example.org")
    for _ in range(20):
        reader.press(reader.get(PLAY).form(PLAY))
    assert reader.press(reader.get(PLAY).form(PLAY)).status == 429
    assert len(matches(site)) == 20
