"""Plans with conditions on the page of a turn: shown back in words, filed, refused line by line."""

from __future__ import annotations

from sqlalchemy import select

from service.core import locks
from service.core.models import DecisionRow
from service.matches.tables import Guest
from tests.games.test_orders import entries
from tests.support.reader import Page, Reader
from tests.web.conftest import Site

GAME = "fire_and_stone"
PLAN = (
    "when forest: hunt then mammoth > most food\nwhen fire if held at least 1: cook all else pass"
)


def begun(site: Site, game: str = GAME) -> int:
    """A table of two in which Ana is to move; on Namib grow mushrooms."""
    guest = Guest(address="ben@example.org", name="Ben")
    number = site.begun([guest], game, options={"first": 0} if game == GAME else None, seed=5)
    site.hear()
    return number


def with_plan(reader: Reader, page: Page, plan: str) -> Page:
    """The page that a turn's page leads to, with a plan written beside the turn."""
    form = page.form("/play/")
    form.put("orders", plan)
    return reader.press(form, "Play this step")


def test_who_comes_back_to_a_step_of_a_turn_goes_on_with_it(site: Site) -> None:
    number, reader = begun(site), site.reader()
    link = site.turn_link(site.match(number), "go namib")
    reader.get(site.links.seat(site.match(number), 0))
    reader.press(reader.get(link).form("/play/"), "Play this step")
    page = reader.get(link)
    assert "This step is played" in page.text
    assert "Go on" in page.text
    assert "Play your next turn" not in page.text


def test_decisions_of_no_turn_are_no_steps_of_one(site: Site) -> None:
    number, reader = begun(site), site.reader()
    link = site.turn_link(site.match(number), "go namib")
    reader.press(reader.get(link).form("/play/"), "Play this step")
    with site.service.database.write() as work:
        match = locks.lock_number(site.service, work, number)
        for row in work.session.scalars(
            select(DecisionRow).where(DecisionRow.match_id == match.id)
        ):
            row.turn = ""
    page = reader.get(link)
    assert "This turn is played" in page.text
    assert "This step is played" not in page.text


def test_a_plan_goes_with_a_turn_and_is_shown_back_in_words(site: Site) -> None:
    number, reader = begun(site), site.reader()
    page = with_plan(reader, reader.get(site.turn_link(site.match(number), "go namib")), PLAN)
    assert not entries(site, number)
    for said in (
        "1. At a forest: hunt, then keep Mammoth, else keep what gives most food.",
        "2. At a fire: if animal tiles held at least 1: cook everything; otherwise do nothing.",
        "You would still be asked at apples, at nuts, at mushrooms",
    ):
        assert said in page.text
    page = reader.press(page.form("/play/"), "Play this step")
    assert "This step is played. Your turn is not over: Choose what to do here" in page.text
    made = [(str(entry.cause), entry.decision) for entry in entries(site, number)]
    assert made[-1] == ("player", "1.0"), made
    page = reader.get(site.turn_link(site.match(number)))
    assert "Your plan has no answer to this, so you are asked." in page.text
    assert "1. At a forest: hunt, then keep Mammoth" in page.text, "on file"
    page = reader.get(f"/m/{site.match(number).code}/0")
    assert "2. At a fire: if animal tiles held at least 1: cook everything" in page.text


def test_who_walks_to_what_nobody_has_seen_is_shown_the_way_to_plan(site: Site) -> None:
    number, reader = begun(site), site.reader()
    page = reader.get(site.turn_link(site.match(number), "go namib"))
    assert "Then you see what is there, and your turn goes on. Plan ahead (optional)" in page.text
    assert 'href="#others"' in page.source
    assert 'id="others"' in page.source


def test_pages_name_the_inventions_of_their_reader_and_the_columns_of_rows(site: Site) -> None:
    guest = Guest(address="ben@example.org", name="Ben")
    options = {"first": 0, "starting_inventions": True}
    number = site.begun([guest], GAME, options=options, seed=5)
    site.hear()
    site.play_on(site.match(number), 2)
    reader = site.reader()
    for address in (site.turn_link(site.match(number)), f"/m/{site.match(number).code}/0"):
        text = reader.get(address).text
        assert "Your inventions" in text
        assert "In each row: points (huts and majorities as they stand, without objectives)" in text


def test_a_wrong_line_is_named_and_plays_nothing(site: Site) -> None:
    number, reader = begun(site), site.reader()
    turn = reader.get(site.turn_link(site.match(number), "go namib"))
    page = with_plan(reader, turn, "when forest: hunt\nwhen fire: hunt")
    assert "We do not understand “hunt” here: “when fire: hunt”." in page.text
    assert not entries(site, number)


def test_in_the_middle_of_a_turn_its_page_tells_the_turn_so_far(site: Site) -> None:
    number, reader = begun(site), site.reader()
    first = reader.get(site.turn_link(site.match(number)))
    assert "Since the beginning" in first.text
    reader.press(
        reader.get(site.turn_link(site.match(number), "go namib")).form("/play/"), "Play this step"
    )
    page = reader.get(site.turn_link(site.match(number)))
    assert "So far in this turn" in page.text
    assert "You walked to " in page.text
    assert "Since your last turn" not in page.text
