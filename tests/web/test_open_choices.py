"""Turns of many choices, and of choices that nobody can list: only what is being chosen is listed,
and what is written is read, told and shown back before it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from engine.protocol import LONGEST_TEXT
from service.core.models import Submission
from service.matches.plans import MOST_LISTED
from service.matches.tables import Guest
from tests.engine.toy.actions import PLACES, STONES
from tests.looks.test_axe import faults as axe_faults
from tests.support.reader import Form, Page, Reader
from tests.toy import toy_registered
from tests.web.conftest import Site
from tests.web.test_browser import PHONE, Served
from tests.web.test_browser import served as served

CARRIES = len(PLACES) * len(STONES)
assert CARRIES > MOST_LISTED


@pytest.fixture
def toy() -> Iterator[str]:
    """The toy game, by its key."""
    with toy_registered() as key:
        yield key


@pytest.fixture
def trek(make_site: Callable[..., Site], toy: str) -> Site:
    """A match of the toy game with treks, whose first player has camped: stones, then a wish."""
    site = make_site()
    trekked(site, toy)
    return site


def trekked(site: Site, toy: str) -> None:
    guest = Guest(address="g1@example.org", name="Guest 1", lang="en")
    number = site.begun([guest], toy, hold_minutes=0, options={"treks": True})
    site.hear()
    site.submit(number, "camp ford", source="reply")
    site.hear()


def opened(site: Site, lang: str = "en") -> tuple[Reader, Page]:
    """The player to move, before the page of the turn."""
    reader = site.reader(lang)
    reader.get(f"/rules?lang={lang}")
    return reader, reader.get(site.turn_link(site.match(1)))


def form_of(page: Page) -> Form:
    return page.form("handing")


def field_of(page: Page) -> Form:
    """The form in which a line is written."""
    return next(form for form in page.forms if any(name == "line" for name, _ in form.fields))


def bodies(site: Site) -> list[str]:
    with site.service.database.read() as session:
        mine = select(Submission).where(Submission.source == "form")
        return [submission.body for submission in session.scalars(mine)]


def written(reader: Reader, page: Page, text: str) -> Page:
    form = field_of(page)
    form.put("order", text)
    return reader.press(form)


def carried(reader: Reader) -> Page:
    """The page once the stones are carried: the wish is next."""
    return reader.get(f"{reader.at.partition('?')[0]}?a=carry+12+ford")


def test_only_the_line_being_chosen_lists_its_choices(trek: Site) -> None:
    reader, page = opened(trek)
    form = form_of(page)
    assert [len(choices) for _, choices in form.choices] == [CARRIES]
    assert form.all("a")[1] == "wish berries", "what is folded is told and sent all the same"
    page = carried(reader)
    form = form_of(page)
    assert form.all("a") == ["carry 12 ford", "wish berries"]
    assert [len(choices) for _, choices in form.choices] == [3], "the examples, and what we suggest"
    assert page.source.count("carry ") < 20, "none of the other loads is on the page"


def test_a_folded_line_is_opened_and_changed_without_a_script(trek: Site) -> None:
    reader, _ = opened(trek)
    page = carried(reader)
    page = reader.press(form_of(page), "Change step 1")
    form = form_of(page)
    assert len(form.choices[0][1]) == CARRIES
    assert page.source.count("<details open>") == 1
    form.put("a", "carry 40 hill")
    page = reader.press(form, "Update")
    assert form_of(page).all("a")[0] == "carry 40 hill"
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert bodies(trek) == ["carry 40 hill\nwish berries"]


@pytest.mark.parametrize(
    ("lang", "typed", "told"),
    [("en", "wish wolf, grass", "Wish: a wolf, grass"), ("fr", "Souhaite LOUP, herbe", "un loup")],
)
def test_an_open_line_is_written_and_shown_back_before_it_is_played(
    trek: Site, lang: str, typed: str, told: str
) -> None:
    reader, _ = opened(trek, lang)
    page = carried(reader)
    assert field_of(page)["order"] == {"en": "wish berries", "fr": "souhaite baies"}[lang]
    page = written(reader, page, typed)
    assert page.lang == lang
    assert form_of(page).all("a") == ["carry 12 ford", "wish wolf, grass"]
    assert form_of(page)["own"] == "2"
    assert told in page.text
    assert bodies(trek) == []
    reader.press(form_of(page), {"en": "Play this turn", "fr": "Jouer ce tour"}[lang])
    assert bodies(trek) == ["carry 12 ford\nwish wolf, grass"]


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "We do not understand"), ("fr", "Nous ne comprenons pas")]
)
def test_what_is_wrong_with_it_is_told_at_the_field_and_nothing_lies_under_the_button(
    trek: Site, lang: str, said: str
) -> None:
    reader, _ = opened(trek, lang)
    page = written(reader, carried(reader), "wish wolf, <cheese>")
    field = page.source.partition('id="writehow"')[0].rpartition("<label")[2]
    assert said in field
    assert 'role="alert"' in field
    assert 'aria-invalid="true"' in field
    assert field_of(page)["order"] == "wish wolf, <cheese>"
    assert "/play/" not in page.source
    page = written(reader, page, "wish grass")
    assert form_of(page).all("a") == ["carry 12 ford", "wish grass"]


def test_a_line_that_is_the_readers_own_is_written_anew(trek: Site) -> None:
    reader, _ = opened(trek)
    page = written(reader, carried(reader), "wish wolf")
    assert not any(name == "line" for form in page.forms for name, _ in form.fields)
    here = reader.at.partition("?")[0]
    page = reader.get(f"{here}?a=carry+12+ford&a=wish+wolf&open=1")
    assert field_of(page)["order"] == "wish wolf"
    assert form_of(written(reader, page, "wish grass")).all("a")[1] == "wish grass"


def test_a_text_with_commas_within_an_action_keeps_what_stands_before_its_fault(
    trek: Site,
) -> None:
    reader, page = opened(trek)
    form = next(f for f in page.forms if any(name == "order" for name, _ in f.fields))
    form.put("order", "carry 3 wood, wish wolf, grass, wolf")
    page = reader.press(form)
    assert form_of(page).all("a") == ["carry 3 wood", "wish wolf, grass, wolf"]
    form.put("order", "carry 3 wood; wish wolf, cheese")
    page = reader.press(form)
    assert "verdict" in page.ids
    back = next(href for text, href in page.links if text == "Choose it on the board")
    assert form_of(reader.get(back)).all("a")[0] == "carry 3 wood"


def test_what_no_address_holds_is_posted_shown_changed_and_played(trek: Site) -> None:
    reader, _ = opened(trek)
    wish = "wish " + ", ".join(["berries"] * 390)
    page = written(reader, carried(reader), wish)
    assert "?" not in reader.at
    assert form_of(page).all("a") == ["carry 12 ford", wish]
    page = reader.press(form_of(page), "Change step 1")
    form = form_of(page)
    form.put("a", "carry 41 ford")
    form.put("own", "2")
    page = reader.press(form, "Update")
    assert form_of(page).all("a") == ["carry 41 ford", wish]
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert bodies(trek) == [f"carry 41 ford\n{wish}"]


def test_a_text_beyond_the_limit_is_refused_and_shown_whole(trek: Site) -> None:
    reader, _ = opened(trek)
    wish = "wish " + "wolf, " * (LONGEST_TEXT // 6) + "grass"
    page = written(reader, carried(reader), wish)
    assert f"{LONGEST_TEXT} are possible" in page.text
    assert field_of(page)["order"] == wish
    many = "&".join(["a=wish+wolf"] * 61)
    page = reader.get(f"{reader.at.partition('?')[0]}?{many}")
    assert page.status == 400
    assert "is too long" in page.text
    assert bodies(trek) == []


def test_in_a_browser_a_fault_has_the_focus_and_so_has_what_is_opened(
    served: Served, toy: str, browser: Browser
) -> None:
    trekked(served.site, toy)
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(served.base + served.site.turn_link(served.site.match(1)))
    page.locator("a.spot").first.click()
    words = page.get_by_role("link", name="Carry 100 stones")
    words.wait_for()
    dock = page.locator(".dock").bounding_box()
    assert dock
    assert dock["y"] > PHONE["height"] / 4, "of many words the board stays in sight"
    words.click()
    page.get_by_text("Write it yourself", exact=True).click()
    field = page.get_by_label("Write it yourself")
    field.fill("wish cheese")
    page.get_by_role("button", name="Show it").click()
    page.locator("#verdict:focus").wait_for()
    assert axe_faults(page) == []
    assert page.locator("#write").evaluate("field => field.getAttribute('aria-invalid')") == "true"
    field.fill("wish " + ", ".join(["wolf"] * 390))
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#write")).to_have_count(0)
    page.locator("#line0").press("Enter")
    page.get_by_role("button", name="Change step 1").press("Enter")
    page.locator("#step0:focus").wait_for()
    page.locator("#step0").select_option("carry 7 cave")
    page.locator("#line0", has_text="7").wait_for()
    page.get_by_role("button", name="Play this turn").click()
    page.wait_for_url("**/verdict/**")
    (body,) = bodies(served.site)
    assert body.startswith("carry 7 cave\nwish wolf, wolf")
    assert not faults
    context.close()
