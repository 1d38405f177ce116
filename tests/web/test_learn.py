"""Learning a game in two minutes: every step a picture of a real position, for every reader."""

from __future__ import annotations

import re

import pytest

from engine.games import games
from engine.kit.lessons import HasLesson
from service.render.templating import LANGUAGES, TEMPLATES
from tests.support.games import KNOWN
from tests.web.conftest import Site

LABEL = r'<circle r="7.4"'
"""Begins the mark of what the list below a picture explains."""
pytestmark = pytest.mark.skipif(
    not isinstance(games()[KNOWN], HasLesson), reason="the game that tests know has no lesson"
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_step_has_a_picture_that_is_told_in_words(site: Site, lang: str) -> None:
    game = games()[KNOWN]
    assert isinstance(game, HasLesson)
    page = site.reader(lang).get(f"/learn/{KNOWN}")
    assert page.status == 200
    steps = re.findall(r'<li class="step-of".*?</figure>', page.source, re.DOTALL)
    wanted = game.lesson(["", ""])
    assert 5 <= len(steps) == len(wanted) <= 7
    for source, step in zip(steps, wanted, strict=True):
        assert re.search(
            r'<svg [^>]*class="illustration"[^>]*role="img"><title>[^<]+</title>', source
        )
        numbers = re.search(r'<ol class="numbers">(.*?)</ol>', source, re.DOTALL)
        told = numbers[1].count("<li>") if numbers else 0
        assert told == len(step.labels) == len(re.findall(LABEL, source))


def test_it_needs_no_script_and_leads_to_a_game(site: Site) -> None:
    page = site.reader().get(f"/learn/{KNOWN}")
    assert page.form(f"/play/{KNOWN}").buttons
    assert f'href="/rules/{KNOWN}"' in page.source


def test_newcomers_are_led_to_it(site: Site) -> None:
    for where in ("/", "/rules", f"/rules/{KNOWN}"):
        assert f'href="/learn/{KNOWN}"' in site.reader().get(where).source, where


def test_the_rules_begin_with_a_labelled_board(site: Site) -> None:
    source = site.reader().get(f"/rules/{KNOWN}").source
    labelled = source.index('id="labelled"')
    assert labelled < source.index('id="s1"')
    game = games()[KNOWN]
    assert isinstance(game, HasLesson)
    count = len(game.labelled(["", ""]).labels)
    assert source[labelled:].split("</figure>")[0].count(LABEL) == count >= 8


SECTIONED = [g for g in games() if "_rules" in (TEMPLATES / f"games/{g}/rules.en.html").read_text()]


@pytest.mark.parametrize("game", SECTIONED)
def test_the_contents_of_the_rules_lead_to_their_headings_in_order(site: Site, game: str) -> None:
    for lang in LANGUAGES:
        source = site.reader(lang).get(f"/rules/{game}").source
        contents = source.partition('<ul class="contents">')[2].partition("</ul>")[0]
        numbered = r'<li><a href="#s(\d+)"><span class="number">\1\.</span> (.*?)</a>'
        listed = re.findall(numbered, contents)
        assert listed == re.findall(r"<h2>(\d+)\. (.*?)</h2>", source)


@pytest.mark.parametrize("game", games())
def test_the_rules_show_steps_of_the_lesson_where_they_are_read(site: Site, game: str) -> None:
    known = games()[game]
    assert isinstance(known, HasLesson)
    for lang in LANGUAGES:
        asked = re.findall(
            r"picture_of\(\"(\w+)\"\)", (TEMPLATES / f"games/{game}/rules.en.html").read_text()
        )
        source = site.reader(lang).get(f"/rules/{game}").source
        assert "&lt;p" not in source, "its lists of cards are written as they are"
        sections = re.findall(r'<section id="s(\d+)">\n<h2>(\d+)\.', source)
        assert sections
        assert all(place == number for place, number in sections), "a link leads to its number"
        assert len(asked) >= 3
        assert set(asked) <= {step.name for step in known.lesson(["", ""])}
        assert source.count('<figure class="board lesson">') == 1 + len(asked)


@pytest.mark.parametrize("game", ["nothing", "x" * 300])
def test_an_unknown_game_cannot_be_learnt(site: Site, game: str) -> None:
    assert site.reader().get(f"/learn/{game}").status == 404
