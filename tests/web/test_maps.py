"""Maps on pages: as large as there is room, and shown where something can be done."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, FloatRect, Page

from service.core.models import Match
from tests.web.conftest import Site
from tests.web.test_browser import Served
from tests.web.test_browser import served as served
from tests.web.test_plans_on_pages import begun

SEEN = """(mark) => {
    const bar = document.querySelector('.dock').getBoundingClientRect();
    const head = document.querySelector('.ask').getBoundingClientRect();
    const low = bar.width > innerWidth * 0.9 ? bar.top : innerHeight;
    return [...document.querySelectorAll(mark)].map((each) => each.getBoundingClientRect())
        .every((box) => box.top >= head.bottom - 1 && box.bottom <= low + 1);
}"""
"""Whether all marks can be seen between what stays on the screen."""
MAPS = ["fire_and_stone", "mammoths"]


def table_of(site: Site, game: str) -> Match:
    """A match whose next turn is asked for on a map."""
    return site.match(begun(site, game))


def box(page: Page, mark: str) -> FloatRect:
    """Where something lies in the window."""
    found = page.locator(mark).first.bounding_box()
    assert found is not None, mark
    return found


def end_right(rect: FloatRect) -> float:
    """Where it ends at the right."""
    return rect["x"] + rect["width"]


def end(rect: FloatRect) -> float:
    """Where it ends below."""
    return rect["y"] + rect["height"]


@pytest.mark.rarely(1280)
@pytest.mark.parametrize("width", [800, 1280])
def test_parts_of_a_map_lie_side_by_side(served: Served, browser: Browser, width: int) -> None:
    site = served.site
    match = site.match(begun(site))
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    for address in (site.links.seat(match, 0), served.base + site.turn_link(match)):
        page.goto(address)
        boxes = [part.bounding_box() for part in page.locator(".sight .map").all()]
        assert len(boxes) == 2
        left, right = (box for box in boxes if box is not None)
        assert left["x"] + left["width"] <= right["x"]
        assert right["x"] + right["width"] - left["x"] > 700, "they fill the column"
        assert "Your secret objective, " in page.locator(".sight").inner_text()
    assert page.get_by_role("link", name="New here?").is_visible(), "the lesson is off the screen"
    context.close()


def test_a_map_opens_where_it_can_be_touched(served: Served, browser: Browser) -> None:
    """The explorers stand at the southern end of a map that is higher than the screen."""
    match = served.site.match(begun(served.site))
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match))
    page.wait_for_function(SEEN, arg="a.spot:not(.faint) .ring")
    assert page.locator("a.spot:not(.faint) .ring").count() > 2
    # A beginner is led to the lesson, which is far below on a phone.
    page.get_by_role("link", name="New here?").click()
    page.wait_for_function("document.getElementById('primer').getBoundingClientRect().top < 400")
    assert page.locator(".primer .meant").is_visible(), "the marks of the board are explained"
    page.goto(served.base + served.site.turn_link(match))
    page.wait_for_function(SEEN, arg="a.spot:not(.faint) .ring")
    # By arrow keys from one place to the next, wherever their borders run.
    page.locator("a.spot[data-spot='namib']").focus()
    for key, place in (
        ("ArrowRight", "kalahari"),
        ("ArrowUp", "zambezi"),
        ("ArrowRight", "swahili"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.spot") == place
    page.get_by_role("button", name="Take this suggestion").click()
    page.get_by_role("button", name="Play this step").wait_for()
    page.wait_for_function(SEEN, arg=".map:not(:last-of-type) .of0")
    assert page.evaluate("scrollY") > 200, "it does not jump to the head of the map"
    assert "No points" not in page.locator(".dock").inner_text()
    context.close()


@pytest.mark.rarely(1000)
@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("height", [800, 1000])
def test_a_turn_opens_at_its_head_on_a_desk(
    served: Served, browser: Browser, game: str, height: int
) -> None:
    """What can be touched is seen at once, with whose move it is, the button and the standings: a
    map that is high is as high as the window, any other fills its column.
    """
    match = table_of(served.site, game)
    context = browser.new_context(viewport={"width": 1280, "height": height})
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match))
    page.wait_for_function(SEEN, arg="a.spot:not(.faint) .ring")
    board, dock = box(page, ".sight .map.part1"), box(page, ".dock")
    rows = box(page, ".sight .map.part2")
    assert rows["width"] < board["width"], "the board is the largest thing"
    for each in (box(page, ".brief h1"), box(page, ".ask"), dock):
        assert end(each) <= height
    if page.locator(".map.tall").count():
        assert page.evaluate("scrollY") == 0
        assert end(board) <= height
        assert min(dock["x"], box(page, ".brief")["x"]) > board["x"] + board["width"]
        assert end(rows) <= height
    else:
        assert board["width"] > 700
    context.close()


@pytest.mark.rarely("mammoths")
@pytest.mark.parametrize("game", MAPS)
def test_a_text_to_be_mended_leaves_the_map_its_column(
    served: Served, browser: Browser, game: str
) -> None:
    match = table_of(served.site, game)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match, "xyzzy"))
    board, fault = box(page, ".sight .map.part1"), box(page, "#verdict")
    assert board["width"] > 350
    assert board["height"] > 500
    beside = [fault, box(page, ".dock"), box(page, ".sight .map.part2")]
    for each in beside:
        assert each["x"] > board["x"] + board["width"]
        assert each["width"] > 350
    for above, below in pairwise(beside):
        assert end(above) <= below["y"], "one below the other"
    assert abs(board["y"] - fault["y"]) < 160, "the fault is told beside the map"
    context.close()


@pytest.mark.rarely(1000)
@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("height", [800, 1000])
def test_columns_beside_a_map_are_not_torn_apart(
    served: Served, browser: Browser, game: str, height: int
) -> None:
    match = table_of(served.site, game)
    context = browser.new_context(viewport={"width": 1280, "height": height})
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match))
    right = [
        ".brief",
        *([".ask"] if page.locator(".map.tall").count() else []),
        ".notes",
        ".write",
        ".dock",
        ".use",
        ".map.part2",
        ".map.part3",
        "figcaption",
    ]
    right += [".primer", ".lines", ".written", ".marks", ".keys"]
    column = [box(page, mark) for mark in right if page.locator(mark).count()]
    column = sorted((each for each in column if each["height"]), key=lambda each: each["y"])
    board = box(page, ".map.part1")
    beside = [each for each in column if each["y"] < end(board)]
    gaps = [low["y"] - end(high) for high, low in pairwise(beside)]
    assert max(gaps) < 40, gaps
    foot = max(end(board), end(beside[-1]), end(box(page, ".dock")))
    assert 0 < box(page, "#since")["y"] - foot < 80, "the news is next"
    context.close()


@pytest.mark.rarely("fire_and_stone")
@pytest.mark.parametrize("game", MAPS)
def test_what_was_done_is_told_beside_a_map(served: Served, browser: Browser, game: str) -> None:
    site = served.site
    match = table_of(site, game)
    site.play_on(match, 8)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(site.links.seat(match, 0))
    seat = page.url
    for address in (seat, f"{seat}?n=3", f"{seat}/replay", f"{seat}/replay?n=3"):
        page.goto(address)
        board, rows = box(page, ".map.part1"), box(page, ".map.part2")
        if "replay" in address:
            assert end(board) <= 800, "all of it is seen from step to step"
            assert board["height"] > 500
            if page.locator(".map.tall").count():
                told = box(page, ".told")
                assert told["x"] + told["width"] <= rows["x"], "the story is between them"
                assert rows["width"] < board["width"], "the board is the largest thing"
                assert end(rows) <= 800
        elif page.locator(".map.tall").count():
            assert end(board) <= 802, "all of it is seen at once"
            assert box(page, "figcaption")["x"] > end_right(rows), "three things side by side"
            if address == seat:
                story = box(page, "#history")
                assert story["y"] - max(end(rows), end(board)) < 60, "the story is next"
                assert story["x"] == board["x"], "as wide as all of it"
        else:
            assert board["width"] > 700, "it fills its column"
        assert rows["x"] > board["x"] + board["width"]
        assert rows["y"] < end(board), "standings begin beside it"
        assert rows["width"] > 350
    # From step to step what is pressed stays where it is, and the map with it.
    page.goto(f"{seat}/replay?n=0")
    before = box(page, ".controls")["y"]
    for n in range(1, 4):
        page.get_by_role("link", name="Forward").click()
        page.wait_for_function("n => document.getElementById('moment').dataset.n == n", arg=n)
        assert box(page, ".controls")["y"] == before, n
        assert box(page, ".map.part1")["y"] >= 0
    page.close()


@pytest.mark.rarely
def test_a_replay_whose_map_is_whole_on_the_screen_stays_at_the_top(
    served: Served, browser: Browser
) -> None:
    match = table_of(served.site, "mammoths")
    served.site.play_on(match, 8)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(served.site.links.seat(match, 0))
    page.goto(f"{page.url}/replay?n=0")
    assert page.evaluate("scrollY") == 0
    page.close()


def test_a_replay_opens_where_the_explorers_stand(served: Served, browser: Browser) -> None:
    match = table_of(served.site, "fire_and_stone")
    served.site.play_on(match, 2)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(served.site.links.seat(match, 0))
    page.goto(f"{page.url}/replay?n=0")
    page.wait_for_function(
        """() => [...document.querySelectorAll('.map:not(:last-of-type) .of0')].some((each) => {
            const low = document.querySelector('.controls').getBoundingClientRect().top;
            const at = each.getBoundingClientRect();
            return at.top >= 0 && at.bottom <= low;
        })"""
    )
    page.close()


BOARD_SEEN = """(least) => {
    const bars = [...document.querySelectorAll('.dock')];
    const low = Math.min(innerHeight, ...bars.map((bar) => bar.getBoundingClientRect())
        .filter((bar) => bar.height).map((bar) => bar.top));
    const head = document.querySelector('.ask').getBoundingClientRect();
    const board = document.querySelector('.map.part1').getBoundingClientRect();
    return Math.min(low, board.bottom) - Math.max(head.bottom, board.top) >= least;
}"""
"""Whether so much of the board's height is seen between what stays on the screen."""


@pytest.mark.rarely(740)
@pytest.mark.parametrize("height", [640, 740])
def test_choices_in_words_leave_the_board_in_sight_on_a_phone(
    served: Served, browser: Browser, height: int
) -> None:
    site = served.site
    match = table_of(site, "mammoths")
    page = browser.new_page(viewport={"width": 360, "height": height}, reduced_motion="reduce")
    page.goto(served.base + site.turn_link(match))
    page.wait_for_function(BOARD_SEEN, arg=200)
    assert not page.locator(".dock").get_by_text("Play this turn").count()
    page.get_by_role("button", name="Take this suggestion").click()
    page.get_by_role("button", name="Play this turn").wait_for()
    page.wait_for_function(SEEN, arg=".board:not(.live) .map.part1 .new")
    page.close()


def test_plans_are_read_above_the_map_on_a_phone(served: Served, browser: Browser) -> None:
    """One below the other, none in a panel that hides the next."""
    match = table_of(served.site, "fire_and_stone")
    page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page.goto(served.site.links.seat(match, 0))
    link = page.locator("a[href*='.plan']").first.get_attribute("href")
    page.goto(f"{served.base}{link}")
    assert page.evaluate("scrollY") == 0
    plans = page.locator(".proposals a").all()
    tops = [box["y"] for each in plans if (box := each.bounding_box())]
    assert len(tops) == len(plans) > 1
    assert tops[0] < 740
    map_ = page.locator(".map.part1").bounding_box()
    assert map_ is not None
    assert tops[-1] < map_["y"]
    page.close()


@pytest.mark.rarely
@pytest.mark.parametrize("map_first", [True, False])
def test_the_one_map_there_is_stands_above_the_plans_on_a_phone(
    served: Served, browser: Browser, *, map_first: bool
) -> None:
    """Hexes that plans name are found first; standing orders, of several kinds, name few."""
    match = table_of(served.site, "mammoths")
    served.site.play_on(match, 2)  # before all have settled there is one kind
    page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page.goto(served.site.links.seat(match, 0))
    link = page.locator("a[href*='.orders']").first.get_attribute("href")
    page.goto(f"{served.base}{link}")
    if map_first:  # as plans are: below one heading
        page.evaluate("document.querySelectorAll('ol ~ .proposals').forEach(one => one.remove())")
    map_, plan = (page.locator(each).first for each in (".map.part1", ".proposals a"))
    (above, below) = (map_.bounding_box(), plan.bounding_box())
    assert above is not None
    assert below is not None
    first, second = (above, below) if map_first else (below, above)
    assert first["y"] + first["height"] < second["y"]
    page.close()


@pytest.mark.rarely
def test_on_a_desk_the_map_beside_plans_begins_where_the_page_does(
    served: Served, browser: Browser
) -> None:
    """Nothing is asked over it, and the standings are below it: the list beside it is long."""
    match = table_of(served.site, "mammoths")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(served.site.links.seat(match, 0))
    link = page.locator("a[href*='.orders']").first.get_attribute("href")
    page.goto(f"{served.base}{link}")
    assert abs(box(page, ".map.part1")["y"] - box(page, ".brief")["y"]) < 8
    below = box(page, ".map.part2")
    assert below["y"] < box(page, ".map.part1")["y"] + box(page, ".map.part1")["height"] + 20
    assert below["x"] < box(page, ".proposals")["x"] - 100
    page.close()


def test_words_that_end_a_choice_stand_last_and_the_beginning_is_told_once(site: Site) -> None:
    match = table_of(site, "mammoths")
    source = site.reader().get(site.turn_link(match)).source
    assert source.count("The game begins in the valley of") == 1
    while "Move nobody</a>" not in source or not (words := re.findall(r'id="word\d+"', source))[1:]:
        site.play_on(match, 1)
        source = site.reader().get(site.turn_link(match)).source
    assert source.index("Move nobody</a>") > source.index(words[-1])


def test_numbers_of_fields_are_drawn_over_what_can_be_touched(site: Site) -> None:
    """And what is new does not look as if it could be touched: that alone is outlined in red."""
    match = table_of(site, "mammoths")
    source = ""
    while 'class="spot"' not in source or 'class="new"' not in source:
        site.play_on(match, 1)
        source = site.reader().get(site.turn_link(match)).source
    board = source.partition('class="board')[2].partition("</figure>")[0]
    last = board.rindex('class="spot"')
    assert board.index(">45</text>") > last
    assert '<g pointer-events="none">' in board[last:]
    for mark in board.split('<g class="new">')[1:]:
        assert "--map-accent" not in mark.partition("</g>")[0]


def test_only_what_can_be_touched_is_ringed(served: Served, browser: Browser) -> None:
    """No ring looks touchable where nothing is."""
    match = served.site.match(begun(served.site))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match))
    rings = """circles => circles.map(ring => [
        ring.getAttribute('cx'), ring.getAttribute('cy'), ring.getAttribute('r'),
        getComputedStyle(ring).stroke, getComputedStyle(ring).strokeDasharray])"""
    linked = page.locator("a.spot:not(.faint) .ring").evaluate_all(rings)
    drawn = page.locator(".part1 circle:not(a *, .new *)[r='18.5']").evaluate_all(rings)
    assert linked
    assert not drawn
    page.goto(served.site.links.seat(match, 0))
    assert not page.locator(".sight circle:not(a *, .new *)[r='18.5']").count()
    context.close()


def test_a_phone_says_what_a_step_leads_to(served: Served, browser: Browser) -> None:
    match = served.site.match(begun(served.site))
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    page.goto(served.base + served.site.turn_link(match, "go namib"))
    assert page.locator(".dock", has_text="Then you see what is there").is_visible()
    assert page.get_by_text("Then you see what is there").is_visible()
    assert page.locator('.dock a[href="#others"]').is_visible()
    context.close()


@pytest.mark.rarely("mammoths")
@pytest.mark.parametrize("game", MAPS)
def test_a_map_is_no_wider_than_its_land(served: Served, browser: Browser, game: str) -> None:
    match = table_of(served.site, game)
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    for address in (
        served.base + served.site.turn_link(match),
        served.base + served.site.turn_link(match, "xyzzy"),
        served.site.links.seat(match, 0),
    ):
        page.goto(address)
        for part in page.locator(".sight .map").all():
            *_, wide, high = map(float, (part.get_attribute("viewBox") or "").split())
            shown = part.bounding_box()
            assert shown is not None
            assert shown["width"] / shown["height"] == pytest.approx(wide / high, rel=0.01)
    context.close()


def test_a_chosen_step_covers_no_name_of_where_it_leads(served: Served, browser: Browser) -> None:
    """The card with the button lies beside the map."""
    match = table_of(served.site, "fire_and_stone")
    page = browser.new_page(viewport={"width": 1280, "height": 740}, reduced_motion="reduce")
    page.goto(served.base + served.site.turn_link(match))
    spot = box(page, "a.spot[data-spot='kalahari'] .ring")
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    page.get_by_role("button", name="Play this step").wait_for()
    page.wait_for_function(SEEN, arg=".board:not(.live) .map.part1 .new")
    card = box(page, ".dock")
    assert end(card) <= 740
    board = box(page, ".map.part1")
    assert card["x"] >= board["x"] + board["width"]
    page.close()


@pytest.mark.rarely
def test_what_stands_beside_a_map_does_not_move_it(served: Served, browser: Browser) -> None:
    """What a step takes away or adds there, with the news below it in view."""
    match = table_of(served.site, "fire_and_stone")
    served.site.play_on(match, 8)
    page = browser.new_page(viewport={"width": 1280, "height": 740}, reduced_motion="reduce")
    page.goto(served.base + served.site.turn_link(match))
    page.get_by_role("heading", name="Since your last turn").wait_for()
    page.wait_for_function(SEEN, arg="a.spot:not(.faint) .ring")
    page.evaluate("scrollTo(0, 150)")
    before = page.evaluate("scrollY"), box(page, ".map.part1")["y"]
    assert 0 < box(page, "#since")["y"] < 740, "the news is in view"
    page.evaluate("document.querySelector('.dock button').click()")
    page.get_by_role("button", name="Play this").wait_for()
    page.wait_for_function(SEEN, arg=".board:not(.live) .map.part1 .new")
    assert (page.evaluate("scrollY"), box(page, ".map.part1")["y"]) == before
    page.close()


def test_the_button_over_a_map_is_reached_by_keys_without_a_move(
    served: Served, browser: Browser
) -> None:
    match = table_of(served.site, "fire_and_stone")
    page = browser.new_page(viewport={"width": 1280, "height": 740}, reduced_motion="reduce")
    page.goto(served.base + served.site.turn_link(match))
    page.wait_for_function(SEEN, arg="a.spot:not(.faint) .ring")
    before = page.evaluate("scrollY")
    page.get_by_role("button", name="Take this suggestion").focus()
    assert page.evaluate("scrollY") == before
    page.close()


def test_a_suggested_move_is_drawn_until_something_is_touched(site: Site) -> None:
    number = begun(site, "mammoths")
    while (row := site.awaited(number)).kind != "move" or row.seat:
        site.submit(number)
        site.hear()
    reader, link = site.reader(), site.turn_link(site.match(number))
    shown = reader.get(link).response.text
    tap = re.search(r'href="([^"]*[?;]tap=\d+[^"#]*)', shown)
    assert tap is not None
    touched = reader.get(unescape(tap[1])).response.text
    arrows = [source.count('stroke-dasharray="5 3"') for source in (shown, touched)]
    assert arrows[0] > arrows[1]
    assert "Dashed arrows are what we suggest." in shown


def test_a_wish_is_told_what_its_hex_gives_beside_our_advice(site: Site) -> None:
    """The advice stays, faint, and what is chosen by it is named; no button plays it unseen."""
    number = begun(site, "mammoths")
    reader, link = site.reader(), site.turn_link(site.match(number))
    first = reader.get(link).response.text
    tap = re.search(r'href="([^"]*[?;]tap=(\d+)[^"#]*)', first)
    assert tap is not None
    touched = reader.get(unescape(tap[1])).response.text
    faint = re.compile(r'<g opacity="0\.45">\s*<g')
    assert faint.search(touched)
    assert not faint.search(first)
    assert f"<span>{tap[2]} – " in touched
    assert "Or our suggestion, instead of what you touched:" in touched
    assert 'name="whole"' in first
    assert 'name="whole"' not in touched
    assert 'class="button main">Done' in touched


def test_the_fires_to_return_to_are_buttons_with_what_speaks_for_each(site: Site) -> None:
    number = begun(site, "fire_and_stone")
    while (row := site.awaited(number)).kind != "return" or row.seat:
        site.submit(number, site.bots_turn(number, "greedy"))
        site.hear()
    source = unescape(site.reader().get(site.turn_link(site.match(number))).source)
    bar = source.partition('class="chips choices"')[2].partition("</ul>")[0]
    assert bar.count("Return to ") == bar.count(" within two steps of this fire.") >= 2
    assert bar.count(">suggested<") == 1
    assert "Our suggestion" not in source.partition('class="sums"')[2].partition("</p>")[0]
