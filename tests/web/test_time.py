"""The time of a match on its pages: pauses, nudges, coming back, and what a table agrees on."""

from __future__ import annotations

import pytest

from service.core import locks
from service.core.models import Match
from service.matches import standins
from tests.support.reader import Page, Reader
from tests.web.conftest import NEW_TABLE, Site, path


def seated(site: Site, match: Match, seat: int) -> Reader:
    """Somebody who has opened the link of a seat."""
    reader = site.reader()
    reader.get(path(site.links.seat(match, seat)))
    return reader


BUTTONS = {
    "pause": "Ask for a pause",
    "agree": "I agree",
    "refuse": "I do not agree",
    "resume": "Let it go on now",
    "nudge": "Nudge Ana",
    "back": "I am back",
}


def do(reader: Reader, wish: str, **typed: str) -> Page:
    """Press one of the buttons about time on the page of the match."""
    button = BUTTONS[wish]
    form = reader.get(reader.at.partition("#")[0]).form("/time", button)
    for name, value in typed.items():
        form.put(name, value)
    return reader.press(form, button)


def test_a_pause_is_asked_for_agreed_to_and_ended(site: Site) -> None:
    match = site.table(guests=1)
    ana, guest = seated(site, match, 0), seated(site, match, 1)
    page = do(ana, "pause", days="4")
    assert "You have asked for a pause of 4 days" in page.text
    assert "Ana asks for a pause of 4 days" in guest.get(f"/m/{match.code}/1").text
    page = do(guest, "agree")
    assert "The game is paused." in page.text
    assert site.match(match.id).paused_at is not None
    assert site.awaited(match.id).deadline is None
    page = do(ana, "resume")
    assert "The game is paused." not in page.text
    assert site.awaited(match.id).deadline is not None


def test_a_pause_that_is_not_agreed_to_is_off(site: Site) -> None:
    match = site.table(guests=1)
    ana, guest = seated(site, match, 0), seated(site, match, 1)
    do(ana, "pause", days="4")
    assert "asks for a pause" not in do(guest, "refuse").text
    assert site.match(match.id).paused_at is None


def test_against_bots_it_begins_at_once(site: Site) -> None:
    match = site.table(guests=0, bots=1)
    ana = seated(site, match, 0)
    assert "it begins at once" in ana.get(ana.at).text
    assert "The game is paused." in do(ana, "pause", days="60").text


def test_a_pause_of_no_length_is_refused_in_words(site: Site) -> None:
    match = site.table(guests=1)
    ana = seated(site, match, 0)
    page = do(ana, "pause", days="99")
    assert page.status == 400
    assert "Give a number of days from 1 to 60." in page.text
    assert 'value="99"' in page.source
    assert site.match(match.id).paused_at is None


def test_one_nudges_once_a_day(site: Site) -> None:
    match = site.table(guests=1)
    late = site.awaited(match.id).seat
    if late != 0:  # Guest 1 begins: on to Ana
        site.play_on(match, 1)
        late = 0
    reader = seated(site, match, 1)
    old = reader.get(reader.at).form("/time", "Nudge Ana")
    page = do(reader, "nudge")
    assert "has been nudged" in page.text
    assert [x.seat for x in site.letters(match.id, "nudge")] == [late]
    page = reader.press(old, "Nudge Ana")
    assert page.status == 400
    assert "within the last 24 hours" in page.text
    assert len(site.letters(match.id, "nudge")) == 1
    mine = seated(site, match, late)
    assert "Nudge" not in mine.get(mine.at).text


def put_in(site: Site, match: Match, seat: int) -> None:
    with site.service.database.write() as work:
        table = locks.lock_number(site.service, work, match.id)
        standins.put_in(site.service, work, table, table.seats[seat])


def test_the_button_takes_the_seat_back_from_the_bot(site: Site) -> None:
    match = site.table(guests=1)
    seat = site.awaited(match.id).seat
    put_in(site, match, seat)
    site.hear()
    reader = seated(site, match, seat)
    assert "A bot plays for you" in reader.get(reader.at).text
    page = do(reader, "back")
    assert "A bot plays for you" not in page.text
    assert site.match(match.id).seats[seat].played_by is None


def test_playing_a_turn_takes_it_back_too(site: Site) -> None:
    """The bot has not moved yet: its worker is away."""
    match = site.table(guests=1)
    row = site.awaited(match.id)
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    site.jobs.worker = None  # type: ignore[attr-defined]
    put_in(site, match, row.seat)
    site.jobs.take("moves.bot")
    reader.press(form, "Play this turn")
    site.hear()
    assert site.match(match.id).seats[row.seat].stand_in is None
    assert site.match(match.id).last_entry == row.opened_entry + 1


@pytest.mark.parametrize("wish", ["pause", "agree", "refuse", "resume", "nudge", "back"])
def test_a_link_of_one_decision_changes_no_time(site: Site, wish: str) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    guard = next(b.value for b in form.buttons if b.name == "csrf_token")
    page = reader.post(
        f"/m/{match.code}/{row.seat}/time",
        [("csrf_token", guard), ("do", wish), ("days", "5")],
    )
    assert page.status == 404
    assert reader.get(f"/m/{match.code}/{row.seat}/time").status == 404


def test_the_page_of_time_speaks_french(site: Site) -> None:
    match = site.table(guests=1, lang="fr")
    reader = site.reader("fr")
    reader.get(path(site.links.seat(match, 1)))
    page = reader.get(f"/m/{match.code}/1/time")
    assert page.status == 200
    assert "Chacun dispose de 3 jours par tour." in page.text


def test_a_table_is_opened_with_a_bank_and_free_days(site: Site) -> None:
    host = site.signed_in("ana@example.org")
    page = host.get(NEW_TABLE)
    assert "2 hours<" in page.source
    assert "120 minutes" not in page.source
    form = page.form("/tables/new")
    form.put("seat1-who", "bot:random")
    form.put("clock", "bank")
    form.put("bank", "12")
    form.put("increment", "6")
    form.put("timeout", "bot")
    form.put("hold", "30")
    form.fields = [x for x in form.fields if x not in (("playing", "5"), ("playing", "6"))]
    host.press(form)
    (match,) = [site.match(1)]
    assert (match.pace_days, match.bank_hours, match.increment_hours) == (0, 288, 6)
    assert (match.playing_days, match.timeout, match.hold_minutes) == (0b0011111, "bot", 30)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("pace", "0", "give 1 to 30 days per turn"),
        ("timeout", "shout", "Choose from the list"),
        ("hold", "500", "2 hours at most"),
    ],
)
def test_terms_that_do_not_fit_are_refused_in_words(
    site: Site, field: str, value: str, said: str
) -> None:
    host = site.signed_in("ana@example.org")
    form = host.get(NEW_TABLE).form("/tables/new")
    form.put("seat1-who", "bot:random")
    form.put(field, value)
    page = host.press(form)
    assert page.status == 400
    assert said in page.text
