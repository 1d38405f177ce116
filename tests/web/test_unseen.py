"""Nothing is played unseen: no button before the board, no bonus dropped unsaid, a way back."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from service.render.templating import environment
from tests.support.reader import Page
from tests.web.conftest import Site
from tests.web.test_own import handed_in, seat_reader, unseen
from tests.web.test_plans_on_pages import begun
from tests.web.test_taps import BONUSES, ONE_OF_THREE, TURNS, hrefs
from tests.web.test_turn import opened, submissions


def buttons(page: Page) -> list[str]:
    return [button.text.strip() for button in page.form("handing").buttons]


def test_a_suggestion_is_shown_before_it_can_be_played(site: Site) -> None:
    _, reader, page = opened(site)
    assert "Play this turn" not in buttons(page)
    half = reader.get(f"{reader.at}?{urlencode({'a': page.form('handing')['a']})}")
    assert "Play this turn" not in buttons(half)
    assert "Fill in the rest" in buttons(half)
    whole = reader.whole(half)
    assert "The board after this turn" in whole.text
    assert "Play this turn" in buttons(whole)


def test_what_was_not_shown_whole_is_shown_first_whoever_sends_it(site: Site) -> None:
    match, reader, page = opened(site)
    whole = reader.whole(page)
    pressed = next(b for b in whole.form("/play/").buttons if b.action)
    fields = [(n, "0" if n == "own" else v) for n, v in whole.form("/play/").fields]
    page = reader.post(pressed.action, [*fields, (pressed.name, pressed.value)])
    assert "Look first, then press again." in page.text
    assert "The board after this turn" in page.text
    assert submissions(site) == []
    assert "Your turn is played." in reader.press(page.form("/play/"), "Play this turn").text
    assert site.match(match.id).last_entry == 1


def test_a_step_is_chosen_by_its_last_touch_alone(site: Site) -> None:
    _, reader, page = opened(site)
    for _ in range(3):
        assert 'class="own"' not in page.source
        page = reader.get(next(iter(hrefs(page, "spot").values())))
    assert 'class="own"' in page.source


@pytest.mark.parametrize(("lang", "said"), [("en", "bonus unused that costs nothing")])
def test_a_bonus_that_costs_nothing_is_not_dropped_unsaid(site: Site, lang: str, said: str) -> None:
    match = site.table(guests=2, seed=BONUSES, lang=lang)
    reader = site.reader(lang)
    site.play_on(match, ONE_OF_THREE)
    for _ in range(TURNS):
        site.play_on(match, 1)
        page = reader.get(site.turn_link(match))
        there = reader.at.partition("?")[0]
        for text in page.form("handing").choices[0][1]:
            page = reader.get(f"{there}?{urlencode({'a': text})}")
            choices = page.form("handing").choices
            takes = [one for one in choices[1][1] if one.startswith("take ")] if choices[1:] else []
            uses = [one for one in choices[1][1] if one not in takes] if choices[1:] else []
            if takes and uses:
                query = urlencode({"a": [text, takes[0]]}, doseq=True)
                page = reader.whole(reader.get(f"{there}?{query}"))
                told = page.source.partition('class="forgone"')[2].partition("</p>")[0]
                if said in told:
                    back = reader.get(unescape(re.findall('href="([^"]*)"', told)[0]))
                    assert 'id="word1"' in back.source, "it can be used there"
                    return
    raise AssertionError("no turn with a bonus to leave")


def test_the_bar_speaks_of_what_has_been_touched(site: Site) -> None:
    _, reader, page = opened(site)

    def bar(page: Page) -> str:
        return page.source.partition('class="sums"')[2].partition("</p>")[0]

    assert "Our suggestion" in bar(page)
    page = reader.get(next(iter(hrefs(page, "spot").values())))
    touched = re.search(r">([A-Z][a-z]+)–([a-z]+)<", bar(page))
    assert touched
    rest = bar(page).partition("Our suggestion: ")[2]
    for scene in touched.groups():
        assert scene.lower() in rest.lower(), "what is suggested lays the tile that was touched"
    assert "Play this turn" in buttons(reader.whole(page)), "in one press"
    page = reader.get(next(href for text, href in page.links if text == "Undo"))
    assert "Our suggestion" in bar(page)


def test_a_suggestion_says_why(site: Site) -> None:
    """The lesson has its example where that leads to."""
    match = site.match(begun(site, "fire_and_stone"))
    page = site.reader().get(site.turn_link(match))
    bar = page.source.partition('class="sums"')[2].partition("</p>")[0]
    place = re.search(r"Walk to (?:the )?([A-Z][A-Za-z ]+)<", bar)
    assert place
    assert re.search("unseen tiles? at one step", bar)
    assert f"{place[1]}, for example: touch that place." in page.text


def test_a_place_says_what_kind_of_points_it_brings(site: Site) -> None:
    _, reader, page = opened(site)
    for _ in range(2):
        page = reader.get(next(iter(hrefs(page, "spot").values())))
    kinds = re.findall(
        r'class="mark"[^>]*>\+\d+\??</text><g [^>]*><use href="#s-(\w+)"', page.source
    )
    assert kinds
    assert set(kinds) <= {"steak", "cave"}
    assert not re.search(r'class="mark"[^>]*>\+\d+\??</text></a>', page.source)


def test_a_mark_that_is_a_bound_is_explained(site: Site) -> None:
    match, reader, page = opened(site)
    bounded = set()
    for _ in range(TURNS):
        page = reader.get(site.turn_link(match))
        for href in hrefs(page, "spot").values():
            page = reader.get(href)
            marks = re.findall(r'class="mark"[^>]*>\+\d+(\??)</text>', page.source)
            assert ("“+2?” means" in page.text) == ("?" in marks)
            bounded.add("?" in marks)
        if bounded == {True, False}:
            return
        site.play_on(match, 1)
    raise AssertionError("no tile with a bound and one without")


def test_the_boards_of_the_others_follow_the_preview(site: Site) -> None:
    match = site.table(guests=1, turns=4)
    reader = site.reader()
    page = reader.whole(reader.get(site.turn_link(match)))
    scores = r"(\d+) food, (\d+) shelter: score (\d+)"
    before, _, after = page.source.partition('id="boards"')
    told = re.findall(scores, after)
    assert told
    assert set(told) <= set(re.findall(scores, before))
    drawn = r'font-size="13.5" [^>]*>(\d+)<'
    assert re.findall(drawn, before)
    assert not re.findall(drawn, after), "scores are drawn once"


def test_a_mountain_token_that_ends_bonuses_says_so() -> None:
    token = {"do": "token", "effect": {"do": "camp"}}
    words = environment("en").get_template("games/sapiens/actions.txt").module
    view = {"bonuses": ["fight"]}
    said = words.action(token, view, ["Ana"], 0)  # type: ignore[attr-defined]
    assert said.startswith("Play the mountain token camp")
    assert said.endswith(", and skip the fight bonus")


def test_a_held_turn_shows_its_board_and_the_way_back(site: Site) -> None:
    _, _, page, _ = handed_in(site)
    assert "The board after your turn" in page.text
    assert page.source.count("<svg") > 2
    left = re.findall(r'data-left="(\d+)"', page.source)
    assert left
    assert 0 < int(left[0]) <= 1800
    assert not [b for form in page.forms for b in form.buttons if b.text.startswith("Play")]


def test_a_played_turn_is_taken_back_from_its_own_page(site: Site) -> None:
    match, reader, page = opened(site)
    reader.press(reader.whole(page).form("/play/"), "Play this turn")
    unseen(site, match)
    page = reader.get(reader.at)
    assert "as long as nobody else has seen it" in page.text
    page = reader.press(page.form("/undo"))
    assert "You have taken this turn back." in page.text
    assert site.match(match.id).last_entry == 0


def test_a_message_is_confirmed_where_it_was_written(site: Site) -> None:
    match = site.table(guests=1)
    mine = seat_reader(site, match, 0)
    form = mine.get(mine.at).form("/say")
    form.put("text", "Well done")
    page = mine.press(form)
    notice = page.text.partition("At the table")[2]
    assert notice.index("Sent to the table.") < notice.index("Well done")
    other = seat_reader(site, match, 1)
    assert "Sent to the table." not in other.get(f"/m/{match.code}/1?sent=1").text
    assert "Sent to the table." not in mine.get(f"/m/{match.code}/0?sent=x99").text


def test_who_waits_has_a_letter_sent_about_how_it_goes(site: Site) -> None:
    match = site.table(guests=1)
    waits = 1 - site.awaited(match.id).seat
    mine = seat_reader(site, match, waits)
    before = len(site.letters(match.id, kind="answer"))
    form = mine.get(mine.at).form("/how-it-goes")
    for _ in range(2):
        page = mine.press(form)
        assert "A letter is on its way to you." in page.text
    (letter,) = site.letters(match.id, kind="answer")[before:]
    assert letter.seat == waits
    pages = [mine.press(mine.get(f"/m/{match.code}/{waits}").form("/how-it-goes")) for _ in "1234"]
    assert pages[-1].status == 429


def test_every_board_is_a_table_and_says_what_may_be_laid_where(site: Site) -> None:
    _, _, page = opened(site)
    tables = re.findall(r'<table class="squares">.*?</table>', page.source, re.S)
    assert len(tables) == 2
    for table in tables:
        assert "<caption" in table
        assert table.count('scope="col"') == 10
        assert table.count('scope="row"') == 7
        assert re.search(r"A1: (forest|plain), \d food", table)
        assert "cave, shelter" in table
    assert "For this place:" in tables[0]
    assert "For this place:" not in tables[1]
