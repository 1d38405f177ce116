"""What players do at their seat besides playing, on the pages: taking back, talking, giving up."""

from __future__ import annotations

import re

import pytest

from service.core import locks
from service.core.models import EntryRow, Match
from service.matches import hosting, leaving, moves, tables
from service.matches.tables import Guest
from tests.support.reader import Page, Reader
from tests.web.conftest import PromptBells, Site, path


def seat_reader(site: Site, match: Match, seat: int, lang: str = "en") -> Reader:
    """Somebody who has opened the link of a seat."""
    reader = site.reader(lang)
    reader.get(path(site.links.seat(match, seat)))
    return reader


def held(site: Site, match: Match, minutes: int = 30) -> None:
    """From now on the table holds turns."""
    with site.service.database.write() as work:
        locks.lock_number(site.service, work, match.id).hold_minutes = minutes


def handed_in(site: Site) -> tuple[Match, Reader, Page, int]:
    """A turn that was handed in by the form and is held: the match, its player, what they see."""
    match = site.table(guests=1)
    held(site, match)
    seat = site.awaited(match.id).seat
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    return match, reader, reader.press(reader.whole(page).form("handing"), "Play this turn"), seat


def unseen(site: Site, match: Match) -> None:
    """Say of the newest turn that it revealed nothing."""
    with site.changing() as work:
        n = locks.lock_number(site.service, work, match.id).last_entry
        work.session.get_one(EntryRow, (match.id, n)).revealed = False


def test_the_link_of_the_question_opens_the_page_with_the_button(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    page = reader.get(path(site.links.resign(match, 1)))
    assert reader.at == f"/m/{match.code}/1/resign"
    assert "Give up this game?" in page.text
    assert site.match(match.id).seats[1].left_at is None, "opening it does nothing"
    assert site.reader().get(f"/s/{'a' * 26}/resign").status == 404


def test_a_held_turn_says_when_it_is_played(site: Site) -> None:
    match, _, page, seat = handed_in(site)
    assert page.status == 200
    assert "Until then only you see it" in page.text
    assert "lay " in page.text
    assert site.match(match.id).last_entry == 0
    other = seat_reader(site, match, 1 - seat)
    assert "lay " not in other.get(other.at).text.replace("play ", ""), "nobody else sees it"
    assert "Until then only you see it" not in other.get(other.at).text


def test_a_held_turn_is_taken_back_and_stands_in_the_form_again(site: Site) -> None:
    match, reader, page, _ = handed_in(site)
    page = reader.press(page.form("/undo"))
    assert "You have taken this turn back." in page.text
    form = reader.whole(page).form("handing")
    page = reader.press(form, "Play this turn")
    assert "Until then only you see it" in page.text
    page = reader.press(page.form("/play-now"))
    assert "Your turn is played." in page.text
    assert site.match(match.id).last_entry == 1


def test_the_match_page_shows_the_held_turn_to_its_player(site: Site) -> None:
    match, _, _, seat = handed_in(site)
    mine = seat_reader(site, match, seat)
    page = mine.get(mine.at)
    assert "Until then only you see it" in page.text
    page = mine.press(page.form("/play-now"))
    assert "Your turn is played." in page.text
    again = mine.post(f"/m/{match.code}/{seat}/play-now", [("csrf_token", "")])
    assert again.status == 400, "not without the guard token"


def test_a_turn_that_is_sent_is_nobodys_move_to_its_player(site: Site) -> None:
    match, _, _, seat = handed_in(site)
    addresses = [row.player.email for row in match.seats if row.player is not None]
    mine, other = site.signed_in(addresses[seat]), site.signed_in(addresses[1 - seat])
    listed = mine.get("/matches").text
    assert "Nobody waits for you." in listed
    assert "Turns sent" in listed
    assert "Your turn goes out " in listed
    for address in ("/matches", f"/m/{match.code}/{seat}", f"/m/{match.code}/{seat}/time"):
        told = mine.get(address).text.replace("Your turn goes out", "")
        assert not re.search(r"Your turn\b", told), address
    listed = other.get("/matches").text
    assert "Turns sent" not in listed
    assert "’s turn" in listed, "nobody else sees it"
    page = mine.get(f"/m/{match.code}/{seat}")
    assert isinstance(site.jobs, PromptBells)
    site.jobs.worker = None
    mine.press(page.form("/play-now"))
    listed = mine.get("/matches").text
    assert "It is being checked, and played in a moment." in listed
    assert "Your turn" not in listed


def test_a_turn_that_is_released_waits_for_its_worker(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.web.turns.verdict.PATIENCE", 0.0)
    match, reader, page, seat = handed_in(site)
    assert isinstance(site.jobs, PromptBells)
    site.jobs.worker = None
    page = reader.press(page.form("/play-now"))
    assert page.status == 200
    assert "is being checked" in page.text
    assert "Until then only you see it" not in page.text
    mine = seat_reader(site, match, seat)
    now = mine.get(f"/m/{match.code}/{seat}")
    assert "It is being checked, and played in a moment." in now.text
    assert "Until then only you see it" not in now.text
    site.hear()
    assert "Your turn is played." in reader.get(reader.at).text


def test_another_turn_takes_the_place_of_the_held_one(site: Site) -> None:
    match, reader, _, seat = handed_in(site)
    first = reader.at
    page = reader.whole(reader.get(f"/m/{match.code}/{seat}/turn/t1"))
    reader.press(page.form("handing"), "Play this turn")
    second = reader.at
    assert first != second
    reader.get(first)
    assert reader.at == second, "the page of the first leads to the second"


def test_a_played_turn_is_taken_back_until_somebody_else_looks(site: Site) -> None:
    match = site.table(guests=1)
    for looked in (False, True):
        row = site.awaited(match.id)
        site.submit(match.id)
        site.hear()
        unseen(site, match)
        mine = seat_reader(site, match, row.seat)
        page = mine.get(mine.at)
        assert "nobody else has seen it yet" in page.text
        form = page.form("/undo")
        if looked:
            other = seat_reader(site, match, 1 - row.seat)
            other.look(other.at)
        page = mine.press(form)
        if looked:
            assert page.status == 409
            assert "somebody else has seen it already" in page.text
            assert site.match(match.id).last_entry == 1
        else:
            assert "You have taken this turn back." in page.text
            assert site.match(match.id).last_entry == 0


def test_a_stranger_without_a_link_has_seen_nothing(site: Site) -> None:
    match = site.table(guests=1)
    site.submit(match.id)
    site.hear()
    stranger = site.reader()
    for address in (f"/m/{match.code}/0", f"/m/{match.code}/1", f"/m/{match.code}/watch"):
        assert stranger.get(address).status == 404
    now = site.match(match.id)
    assert [now.watched_entry, *(row.seen_entry for row in now.seats)] == [None] * 3


def test_what_is_said_stands_in_the_story_and_not_before_spectators(site: Site) -> None:
    match = site.table(guests=1, turns=1)
    mine = seat_reader(site, match, 0)
    form = mine.get(mine.at).form("/say")
    form.put("text", "Well done <b>you</b>\nand more")
    for _ in range(2):
        page = mine.press(form)
    said = "&lt;b&gt;you&lt;/b&gt;<br>and more"
    assert page.source.count(said) == 2, "in the story once, and where it was written"
    assert mine.get(f"/m/{match.code}/0").source.count(said) == 1
    site.play_on(match, 1)
    other = seat_reader(site, match, 1)
    text = other.get(other.at).text
    assert text.index("turn 2 ") < text.index("Well done") < text.index("turn 1 ")
    for address in (f"/m/{match.code}/watch", f"/m/{match.code}/record.json"):
        assert "Well done" not in other.get(address).source
    turn = site.reader()
    turn.get(site.turn_link(match))
    row = site.awaited(match.id)
    assert "Well done" not in turn.get(f"/m/{match.code}/{row.seat}").source, "one decision only"
    assert turn.post(f"/m/{match.code}/{row.seat}/say", form.fields).status in (400, 404)


def test_what_was_said_stays_under_the_name_of_who_said_it(site: Site) -> None:
    match = site.table(guests=2)
    leaver = seat_reader(site, match, 1)
    form = leaver.get(leaver.at).form("/say")
    form.put("text", "I have to go")
    assert "you, to the table" in leaver.press(form).text
    with site.service.database.write() as work:
        table = locks.lock_number(site.service, work, match.id)
        max_ = Guest(address="max@example.org", name="Max")
        player_id = hosting.replace(site.service, work, table, 1, max_).player_id
    token = site.service.keys.token("invitation", match.id, player_id)
    with site.service.database.write() as work:
        tables.answer(site.service, work, token, "accept")
    newcomer = seat_reader(site, site.match(match.id), 1)
    page = newcomer.get(newcomer.at)
    assert "Guest 1 , to the table" in page.text
    assert "you, to the table" not in page.text
    form = page.form("/say")
    form.put("text", "Hello")
    page = newcomer.press(form)
    assert page.text.count("you, to the table") == 1
    other = seat_reader(site, match, 0)
    text = other.get(other.at).text
    assert text.index("Max , to the table") < text.index("Guest 1 , to the table")


def test_an_empty_message_is_answered_with_the_form(site: Site) -> None:
    match = site.table(guests=1)
    mine = seat_reader(site, match, 0)
    form = mine.get(mine.at).form("/say")
    form.put("text", "  ")
    page = mine.press(form)
    assert page.status == 409
    assert "Write something first" in page.text


def test_giving_up_asks_first(site: Site) -> None:
    match = site.table(guests=2)
    mine = seat_reader(site, match, 1)
    page = mine.get(mine.get(mine.at).link("Give up this game"))
    assert "A bot plays on in your place" in page.text
    assert site.match(match.id).seats[1].left_at is None, "looking changes nothing"
    page = mine.press(page.form("/resign"))
    assert "You gave up before the first turn." in page.text
    assert "Give up this game" not in page.text
    assert site.match(match.id).seats[1].left_why == "resigned"
    page = mine.get(f"/m/{match.code}/1/resign")
    assert "nothing to give up" in page.text


def test_who_gave_up_plays_no_more(site: Site) -> None:
    match = site.table(guests=2)
    row = site.awaited(match.id)
    body = site.legal_turn(match.id, row.seat, row.decision)
    mine = seat_reader(site, match, row.seat)
    site.jobs.worker = None  # type: ignore[attr-defined]
    mine.press(mine.get(f"/m/{match.code}/{row.seat}/resign").form("/resign"))
    late = site.submit(match.id, body, seat=row.seat, decision=row.decision)
    moves.play(site.service, late.id)
    assert site.match(match.id).last_entry == 0
    page = mine.get(f"/m/{match.code}/{row.seat}/verdict/{late.code}")
    assert page.status == 200
    assert "You no longer play this game" in page.text


def test_with_two_players_giving_up_ends_the_match(site: Site) -> None:
    match = site.table(guests=1)
    mine = seat_reader(site, match, 0)
    page = mine.get(f"/m/{match.code}/0/resign")
    assert "Giving up ends the game" in page.text
    page = mine.press(page.form("/resign"))
    assert "Guest 1 has won." in page.text
    assert "Too few were left" in page.text


def test_who_gives_up_reads_who_would_win(site: Site) -> None:
    """Of people and bots that stay, by points that all see."""
    match = site.table(guests=1, bots=1)
    mine = seat_reader(site, match, 0)
    text = mine.get(f"/m/{match.code}/0/resign").text
    assert "would be left with bots alone" in text
    with site.service.database.read() as session:
        ahead = leaving.winners_without(session, site.match(match.id), 0)
    assert ahead
    assert 0 not in ahead
    names = [site.match(match.id).seats[seat].name for seat in ahead]
    assert (f"that is {names[0]}" if len(names) == 1 else " would share the victory") in text


def test_a_decisions_link_does_not_give_the_seat_up(site: Site) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    reader = site.reader()
    reader.get(site.turn_link(match))
    assert reader.get(f"/m/{match.code}/{row.seat}/resign").status == 404
    assert "Give up" not in reader.get(f"/m/{match.code}/{row.seat}").text


def test_a_held_turn_is_told_in_the_readers_language(site: Site) -> None:
    """On the page after it was handed in, on that of the match, and where it could be changed."""
    match = site.table(guests=1)
    held(site, match)
    seat, link = site.awaited(match.id).seat, site.turn_link(match)
    reader = site.reader()
    reader.get("/?lang=fr")
    page = reader.get(link)
    form = reader.whole(page).form("handing")
    pages = [
        reader.press(form, next(b.text for b in form.buttons if b.action)),
        reader.get(path(site.links.seat(match, seat))),
    ]
    pages.append(reader.get(link))
    for shown in pages:
        said = shown.text[shown.text.index("D’ici là, personne d’autre ne le voit") :][:600]
        assert "pose " in said
        assert "lay " not in said
    again = pages[-1]
    assert reader.press(again.form("/undo")).status == 200


def test_a_note_is_kept_where_it_was_written_and_seen_by_nobody_else(site: Site) -> None:
    match = site.table(guests=1)
    mine, other = seat_reader(site, match, 0), seat_reader(site, match, 1)
    form = mine.get(mine.at).form("/note")
    form.put("note", "The bear stands on C3.")
    page = mine.press(form)
    assert "Kept. Nobody else sees it." in page.text
    assert "The bear stands on C3." in page.text
    assert "The bear" not in other.get(other.at).text
    # Another window still has the form of before.
    form.put("note", "Something else.")
    page = mine.press(form)
    assert page.status == 409
    assert "It now reads: “The bear stands on C3.”" in page.text
    assert "Something else." in page.text
    page = mine.press(page.form("/note"))
    assert site.match(match.id).seats[0].note == "Something else."
    long = page.form("/note")
    long.put("note", "x" * 2001)
    page = mine.press(long)
    assert "Your note is too long: 2001 characters" in page.text
    assert "x" * 2001 in page.source, "nothing typed is lost"


def test_the_line_pressed_last_goes_with_the_turn(site: Site) -> None:
    """Who goes back to the form and says something else means that."""
    match = site.table(guests=1)
    held(site, match)
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    for said in ("hail", "sleet"):
        form.put("said", said)
        page = reader.press(form, "Play this turn")
        assert f"the others read it once the turn is played: {said}" in page.text
    reader.press(page.form("/play-now"))
    form.put("said", "thaw")
    page = reader.press(form, "Play this turn")
    assert "thaw" in page.text, "told to nobody, and given back"
    other = seat_reader(site, match, 0).get(f"/m/{match.code}/0").text
    assert ("sleet" in other, "hail" in other, "thaw" in other) == (True, False, False)


def test_a_line_that_is_erased_stays_erased(site: Site) -> None:
    match = site.table(guests=1)
    held(site, match)
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    form.put("said", "sorry!")
    reader.press(form, "Play this turn")
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    assert ("said", "sorry!") in form.fields
    form.put("said", "")
    page = reader.press(form, "Update")
    steps = page.source.partition('id="plan"')[2]
    assert "sorry!" not in steps, "nor in another form, or behind a link"
    others = [href for _, href in page.links if "/turn/" in href and "a=" in href]
    assert others
    assert all("said=" in href for href in others)
    shown = reader.press(page.form(button="Show this turn"))
    page = reader.press(shown.form("/play/"), "Play this turn")
    assert "Until then only you see it" in page.text
    assert "Your line goes with it" not in page.text


def test_a_line_goes_with_a_turn_and_comes_back_with_it(site: Site) -> None:
    match = site.table(guests=1)
    held(site, match)
    seat = site.awaited(match.id).seat
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    form.put("said", "x" * 281)
    page = reader.press(form, "Play this turn")
    assert "Your line is too long to go with a turn" in page.text
    form = page.form("/play/")
    form.put("said", "sorry!")
    page = reader.press(form, "Play this turn")
    assert "Your line goes with it" in page.text
    page = reader.press(page.form("/undo"))
    form = page.form("/play/")
    assert ("said", "sorry!") in form.fields, "it stands in the form again"
    page = reader.press(form, "Play this turn")
    page = reader.press(page.form("/play-now"))
    assert "You say: sorry!" in page.text
    other = seat_reader(site, match, 1 - seat)
    assert other.get(other.at).text.count("sorry!") == 1
    watcher = site.reader()
    assert "sorry!" not in watcher.get(path(site.links.watch(match))).text
