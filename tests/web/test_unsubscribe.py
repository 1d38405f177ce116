"""The one click of a letter: a bare client posts, a person presses a button."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes, policy

import pytest

from service.core import locks
from service.core.letter_details import News
from service.core.models import Letter
from service.mail.receive import complaints
from service.mail.render import render
from service.matches import hosting, takeovers
from service.matches.tables import Guest
from service.players import preferences
from tests.web.conftest import Site, path


def header_link(site: Site, letter: Letter) -> str:
    """The page that the letter's List-Unsubscribe names first."""
    with site.service.database.read() as session:
        raw = render(site.service, session, session.get_one(Letter, letter.id))
    message = message_from_bytes(raw, policy=policy.SMTP.clone(raise_on_defect=True))
    found = re.match(r"<(http[^>]+)>", message["List-Unsubscribe"])
    assert found is not None
    return path(found[1])


def click(site: Site, link: str) -> tuple[int, str]:
    """What RFC 8058 §3.2 has a mail program send: no cookies, nothing else."""
    answer = site.app.test_client(use_cookies=False).post(
        link, data={"List-Unsubscribe": "One-Click"}
    )
    return answer.status_code, answer.get_data(as_text=True)


def test_a_bare_click_mutes_the_match_and_nothing_else(site: Site) -> None:
    match = site.table()
    other = site.table()
    letter = site.letters(match.id, "turn")[0]
    link = header_link(site, letter)
    assert click(site, link)[0] == 200
    assert click(site, link)[0] == 200, "twice is once"
    now = site.match(match.id)
    assert [row.seat for row in now.seats if row.muted_at is not None] == [letter.seat]
    assert now.status == "playing"
    assert [row.left_at for row in now.seats] == [None, None]
    assert [row.muted_at for row in site.match(other.id).seats] == [None, None]


def test_looking_changes_nothing_and_shows_a_button(site: Site) -> None:
    match = site.table()
    link = header_link(site, site.letters(match.id, "turn")[0])
    before = site.counts()
    page = site.reader("fr").get(link)
    assert page.status == 200
    assert [row.muted_at for row in site.match(match.id).seats] == [None, None]
    assert site.counts() == before
    assert match.name
    assert page.text.count(match.name) == 2, "in the title, and with who plays there"


def test_a_person_presses_and_can_have_letters_again(site: Site) -> None:
    match = site.table()
    letter = site.letters(match.id, "turn")[0]
    link, own = header_link(site, letter), letter.seat or 0
    reader = site.reader()
    page = reader.press(reader.get(link).form(""))
    assert "No more letters of this game" in page.text
    assert "keep your seat" in page.text
    site.play_on(match, 2)
    held_back = [x for x in site.letters(match.id, "turn") if x.seat == own][-1]
    assert held_back.id != letter.id
    assert held_back.status == "suppressed"
    reader.press(page.form(""))
    assert site.match(match.id).seats[own].muted_at is None
    again = [x for x in site.letters(match.id, "turn") if x.seat == own][-1]
    assert (again.id, again.status) == (held_back.id, "due")


def test_a_click_on_an_invitation_is_never_again(site: Site) -> None:
    match_id = site.open(
        [Guest(address="g@example.org", name="Gil"), Guest(address="h@example.org")], "sapiens"
    )
    letter = site.letters(match_id, "invitation")[0]
    link = header_link(site, letter)
    assert click(site, link)[0] == 200
    guest = next(row for row in site.match(match_id).invitees if row.player_id == letter.player_id)
    assert guest.status == "declined"
    assert guest.player is not None
    assert guest.player.suppressed_at is not None
    reader = site.reader()
    reader.press(reader.get(link).form(""))
    assert site.player("g@example.org").suppressed_at is None


def test_a_click_of_who_is_asked_to_take_over_gives_the_seat_free(site: Site) -> None:
    match = site.table(guests=1)
    max_ = Guest(address="max@example.org", name="Max")
    with site.service.database.write() as work:
        table = locks.lock_number(site.service, work, match.id)
        hosting.replace(site.service, work, table, 1, max_)
    (letter,) = [x for x in site.letters(match.id, "invitation") if x.player.name == "Max"]
    assert click(site, header_link(site, letter))[0] == 200
    now = site.match(match.id)
    assert [row.status for row in now.invitees] == ["accepted", "accepted", "declined"]
    assert takeovers.successor(now, 1) is None
    codes = [x.details_as(News).code for x in site.letters(match.id, "news")]
    assert codes.count("not_replaced") == 2


@pytest.mark.parametrize("link", ["/u/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/u/x"])
def test_a_forged_link_is_not_found(site: Site, link: str) -> None:
    assert site.reader().get(link).status == 404
    assert click(site, link)[0] == 404


def test_no_other_key_ends_letters(site: Site) -> None:
    match = site.table()
    key = site.links.seat(match, 0).rpartition("/")[2]
    assert click(site, f"/u/{key}")[0] == 404


def test_the_header_has_one_click_over_https(make_site: Callable[..., Site]) -> None:
    site = make_site(BASE_URL="https://paleopost.test")
    match = site.table()
    for letter in site.letters(match.id, "turn") + site.letters(match.id, "invitation"):
        with site.service.database.read() as session:
            raw = render(site.service, session, session.get_one(Letter, letter.id))
        message = message_from_bytes(raw, policy=policy.SMTP)
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message["List-Unsubscribe"].startswith("<https://paleopost.test/u/")


def test_a_click_on_a_digest_mutes_what_comes_in_it(site: Site) -> None:
    match, alone = site.table(), site.table()
    with site.service.database.write() as work:
        preferences.set_digest(site.service, work, work.session.merge(match), 0, True)
    ana = match.seats[0].player
    assert ana is not None
    with site.service.database.write() as work:
        token = site.service.keys.issue(
            work.session, "unsubscribe", "digest", ana.id, player_id=ana.id, decision="digest"
        )
    assert click(site, f"/u/{token}")[0] == 200
    assert site.match(match.id).seats[0].muted_at is not None
    assert site.match(alone.id).seats[0].muted_at is None


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Your email service told us that you do not want letters of this game"),
        ("fr", "Ta messagerie nous a dit que tu ne voulais pas de lettres de cette partie"),
    ],
)
def test_pages_say_how_letters_come_back_after_a_complaint(
    site: Site, lang: str, told: str
) -> None:
    match = site.table(lang=lang)
    seat = next(row for row in match.seats if row.player and row.player.email == "g1@example.org")
    sent = site.letters(match.id, "turn") + site.letters(match.id, "start")
    letter = next(x for x in sent if x.player_id == seat.player_id)
    with site.service.database.write() as work:
        complaints.heed(site.service, work, work.session.get_one(Letter, letter.id))
    reader = site.reader(lang)
    page = reader.get(path(site.links.seat(match, seat.seat or 0)))
    assert told in page.text
    own = site.signed_in("g1@example.org", lang).get("/settings")
    assert told in own.text
    back = reader.press(page.form(f"/m/{match.code}/{seat.seat}/mail"))
    assert told not in back.text
    assert site.match(match.id).seats[seat.seat or 0].muted_at is None
