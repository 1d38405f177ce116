"""The page of a turn that was played: the way on, and a board that agrees with the words."""

from __future__ import annotations

from service.matches import moves
from tests.support.reader import Page, Reader
from tests.web.conftest import PromptBells, Site


def answered(site: Site) -> tuple[Reader, Page, str]:
    """A turn against a bot, played by a letter's link and answered by the bot; the match's page."""
    match = site.table(guests=0, bots=1)
    reader = site.reader()
    page = reader.get(site.turn_link(match))
    reader.press(reader.whole(page).form("/play/"), "Play this turn")
    site.hear()
    return reader, reader.get(reader.at), reader.at.partition("/verdict/")[0]


def test_who_came_by_a_letter_is_told_the_way_to_the_next_turn(site: Site) -> None:
    reader, page, seat = answered(site)
    played = reader.at
    for told in (page, reader.get(seat)):
        assert "The link to your next turn is in your newest letter" in told.text
        main = told.source.partition('<main id="main"')[2].partition("</main>")[0]
        assert 'href="/sign-in"' in main
    owner = site.signed_in("ana@example.org")
    for address, button in ((played, "Play your next turn"), (seat, "Play your turn")):
        mine = owner.get(address)
        assert button in mine.text
        assert "your newest letter" not in mine.text


def test_once_others_have_moved_the_board_is_that_of_now(site: Site) -> None:
    _, page, _ = answered(site)
    assert "It is your turn again." in page.text
    assert "The board as it is now" in page.text
    assert "The board after your turn" not in page.text
    assert page.source.index(">What has happened since<") < page.source.index(">Your turn<")


def test_while_a_bot_thinks_the_page_says_so_and_promises_no_letter(site: Site) -> None:
    match = site.table(guests=0, bots=1)
    assert isinstance(site.jobs, PromptBells)
    site.jobs.worker = None
    reader = site.reader()
    page = reader.whole(reader.get(site.turn_link(match)))
    assert "Add a message" not in page.text, "bots do not read"
    reader.press(page.form("/play/"), "Play this turn")
    for (submission,) in site.jobs.take("moves.play"):
        moves.play(site.service, submission)
    page = reader.get(reader.at)
    assert "Random is thinking." in page.text
    assert "a letter comes" not in page.text
    owner = site.signed_in("ana@example.org").get(reader.at.partition("/verdict/")[0])
    assert "Say something to the table" not in owner.text
