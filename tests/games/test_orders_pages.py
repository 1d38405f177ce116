"""Orders on pages: a place on the page of the match, pages of their own, along with a turn, and
nothing of them for anybody else.
"""

from __future__ import annotations

from service.core import verdicts
from service.core.models import Match, Submission
from service.matches import reading
from tests.games.playing import opened, to_the_duel
from tests.games.test_orders import entries, file, order_of, seats_after
from tests.support.reader import Page, Reader
from tests.web.conftest import Site, path

TITLE = {"en": "Plan ahead (optional)", "fr": "Préparer la suite (facultatif)"}


def begun(site: Site, game: str) -> int:
    """A table of three who read English."""
    number = opened(site, game, 3)
    with site.changing() as work:
        for row in work.session.get_one(Match, number).seats:
            row.lang = "en"
            assert row.player is not None
            row.player.lang = "en"
    return number


def of_seat(site: Site, number: int, seat: int, lang: str = "en") -> Reader:
    """The player of a seat, who has come by its link."""
    reader = site.reader(lang)
    reader.get(path(site.links.seat(site.match(number), seat)))
    return reader


def test_orders_stand_beside_the_turn_on_the_page_of_the_match(site: Site, toy: str) -> None:
    number = begun(site, toy)
    first, second, _ = seats_after(site, number)
    page = of_seat(site, number, first).get(f"/m/{site.match(number).code}/{first}")
    assert page.link("Play your turn")
    assert TITLE["en"] in page.text
    assert page.text.count("No plan yet.") == 2
    other = of_seat(site, number, second).get(f"/m/{site.match(number).code}/{second}")
    assert TITLE["en"] in other.text
    assert not [said for said, _ in other.links if "Play your turn" in said]


def test_an_order_is_filed_replaced_and_withdrawn_on_pages(site: Site, toy: str) -> None:
    number = begun(site, toy)
    _, second, _ = seats_after(site, number)
    match = site.match(number)
    reader = of_seat(site, number, second)
    row = order_of(site, number, second, "file")
    page = reader.get(path(site.links.turn(match, second, row.decision)))
    assert "nobody else sees your plan" in page.text
    assert "Save this plan" not in page.text, "nothing is suggested, so nothing lies under a button"
    form = page.form(button="Show it")
    form.put("order", "plan always camp wood / berries rest")
    page = reader.press(form, "Show it")
    assert "1. Always: Camp: wood. 2. With berries: Rest." in page.text
    page = reader.press(page.form("/play/"), "Save this plan")
    assert "Your plan is saved." in page.text
    assert "1. Always: Camp: wood." in page.text
    (made,) = entries(site, number)
    assert (made.seat, made.decision) == (second, row.decision)
    page = reader.get(page.link("Change it"))
    assert "Planned:" in page.text
    written = page.form(button="Show it")
    assert written["order"] == "plan always camp wood / berries rest"
    page = reader.get(f"/m/{match.code}/{second}")
    assert "1. Always: Camp: wood." in page.text
    page = reader.press(page.form("/play/", "Remove this plan"), "Remove this plan")
    assert "Your plan is removed." in page.text
    with site.service.database.read() as session:
        assert not reading.match_view(session, session.merge(match), second).filed


def test_what_cannot_be_filed_says_why(site: Site, toy: str) -> None:
    number = begun(site, toy)
    _, second, _ = seats_after(site, number)
    reader = of_seat(site, number, second)
    row = order_of(site, number, second, "file")
    page = reader.get(path(site.links.turn(site.match(number), second, row.decision)))
    form = page.form(button="Show it")
    form.put("order", "plan wolf camp wood")
    page = reader.press(form, "Show it")
    assert "This cannot be saved as it stands." in page.text
    assert "rule 7" in page.text
    assert not entries(site, number)


def test_a_turn_and_orders_go_in_one_submission(site: Site, toy: str) -> None:
    number = begun(site, toy)
    first, *_ = seats_after(site, number)
    reader = site.reader()
    page = reader.get(site.turn_link(site.match(number), "camp wood"))
    form = page.form("/play/")
    form.put("orders", "watch hill, plan berries rest")
    page = reader.press(form, "Play this step")
    assert "Look first, then press again." in page.text
    assert "Saved along with it: Watch a place Watch: hill." in page.text
    assert not entries(site, number)
    page = reader.press(page.form("/play/"), "Play this step")
    assert "Your turn is played." in page.text
    made = entries(site, number)[0]
    with site.service.database.read() as session:
        stored = session.query(Submission).filter_by(entry=made.n).one()
    assert isinstance(stored.verdict, verdicts.Played)
    assert set(stored.verdict.orders) == {f"0.watch.{first}", f"1.file.{first}"}
    assert "Saved along with it" in page.text


def test_orders_can_be_filed_from_the_page_of_a_turn_without_one(site: Site, toy: str) -> None:
    number = begun(site, toy)
    turn = site.awaited(number)
    reader = site.reader()
    page = reader.get(site.turn_link(site.match(number)))
    form = page.form(button="Show these plans")
    form.put("orders", "watch hill")
    page = reader.press(form, "Show these plans")
    page = reader.press(page.form("alone"), "without a turn")
    assert "Your plan is saved." in page.text
    assert site.awaited(number).decision == turn.decision
    assert [made.decision for made in entries(site, number)] == [f"0.watch.{turn.seat}"]


def test_a_move_is_no_order_to_go_along(site: Site, toy: str) -> None:
    number = begun(site, toy)
    reader = site.reader()
    page = reader.get(site.turn_link(site.match(number)))
    form = page.form(button="Show these plans")
    form.put("orders", "camp hill")
    page = reader.press(form, "Show these plans")
    assert "“camp hill” is no plan" in page.text
    assert not [form for form in page.forms for b in form.buttons if "/play/" in b.action]


def test_an_answer_that_can_be_changed_says_so(site: Site, toy: str) -> None:
    number = begun(site, toy)
    to_the_duel(site, number)
    row = site.awaited(number)
    reader = site.reader()
    page = reader.get(site.turn_link(site.match(number)))
    page = reader.press(reader.whole(page).form("/play/"), "Play this turn")
    assert "You can still change this" in page.text
    page = reader.get(page.link("Change it"))
    assert "You can change it until the last answer is in." in page.text
    match = reader.get(f"/m/{site.match(number).code}/{row.seat}")
    assert not [said for said, _ in match.links if "Play your turn" in said]


def seen_by_others(site: Site, number: int, seat: int) -> dict[str, list[str]]:
    """What the page of the match says and leads to for everybody else, without past positions."""
    match = site.match(number)
    pages: dict[str, Page] = {"watch": site.reader().get(path(site.links.watch(match)))}
    for other in range(len(match.seats)):
        if other != seat:
            pages[str(other)] = of_seat(site, number, other).get(f"/m/{match.code}/{other}")
    return {
        name: sorted({said for said, href in page.links if "n=" not in href})
        for name, page in pages.items()
    }


def test_nobody_else_sees_that_orders_are_filed(site: Site, toy: str) -> None:
    number = begun(site, toy)
    _, second, _ = seats_after(site, number)
    site.post.sent.clear()
    before = seen_by_others(site, number, second)
    assert not [said for said in before["watch"] if "Plan ahead" in said]
    assert file(site, number, second, "watch", "watch hill").entry
    assert file(site, number, second, "file", "plan always camp wood").entry
    assert seen_by_others(site, number, second) == before
    assert site.post.sent == []
    own = of_seat(site, number, second)
    code = site.match(number).code
    for address in (f"/m/{code}/{second}/turn/1.file.{second}", f"/m/{code}/{second}"):
        assert own.get(address).status == 200
        for other in (0, 1, 2):
            if other != second:
                stranger = of_seat(site, number, other).get(address)
                assert stranger.status == 404
