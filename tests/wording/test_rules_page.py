"""The rules page: equal in both languages, its rulings marked, and where errors point to."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from engine.sapiens.components import SCENES
from engine.sapiens.errors import ERROR_CODES
from engine.sapiens.legality import RULES
from service.render.templating import environment

VOID = {"br", "img", "hr", "input", "meta", "link"}


class Page(HTMLParser):
    """Ids, links, classes, text and the tags in their order; refuses tags that do not match."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.marks: list[str] = []
        self.icons: list[str] = []
        self._open: list[str] = []
        template = environment(lang).get_template(f"games/sapiens/rules.{lang}.html")
        self.text = template.render(
            icon=self._icon, what_you_see="", picture_of=lambda step: Markup("<hr>")
        )
        self.feed(self.text)
        assert self._open == []

    def _icon(self, scene: str) -> str:
        self.icons.append(scene)
        return Markup("<i>{}</i>").format(scene)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if id_ := given.get("id"):
            self.ids.append(id_)
        if tag == "a" and (href := given.get("href")):
            self.links.append(href)
        self.marks += (given.get("class") or "").split()
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


@pytest.fixture
def page(lang: str) -> Page:
    return Page(lang)


def test_both_languages_say_the_same_things() -> None:
    english, french = Page("en"), Page("fr")
    assert english.ids == french.ids
    assert english.links == french.links
    assert english.tags == french.tags
    assert english.marks == french.marks
    assert english.icons == french.icons
    numbers = [re.findall(r"\d+", re.sub(r"<[^>]*>", "", p.text)) for p in (english, french)]
    assert sorted(numbers[0]) == sorted(numbers[1])


def test_every_link_within_the_page_leads_somewhere(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_every_rule_that_is_cited_has_an_anchor(page: Page) -> None:
    cited = {rule for _, rule, _ in ERROR_CODES} | set(RULES.values())
    for rule in cited:
        assert rule.replace("S§", "s").replace(".", "-") in page.ids


def test_every_section_is_there(page: Page) -> None:
    sections = {1: 5, 2: 6, 3: 3, 4: 5, 5: 5, 6: 4, 7: 3, 8: 8, 9: 5, 10: 3, 11: 4, 12: 2, 13: 1}
    wanted = {f"s{n}-{k}" for n, last in sections.items() for k in range(1, last + 1)}
    assert wanted | {"s14-1", "examples", "rulings", "s1-3-substitute"} <= set(page.ids)


def test_every_ruling_is_marked_and_has_its_reason(page: Page) -> None:
    rulings = {id_ for id_ in page.ids if id_.endswith("-ruling")} | {"s2-6"}
    assert page.marks.count("ruling") == len(rulings) == 15
    reasons = page.text[page.text.index('id="rulings"') :]
    assert set(re.findall(r'href="#([\w-]+)"', reasons)) == rulings


def test_every_scene_has_its_icon(page: Page) -> None:
    assert page.icons[:8] == list(SCENES)


def test_french_spaces_do_not_break() -> None:
    words = re.sub(r"<[^>]*>", "", Page("fr").text)
    assert not re.search(r"(?<! ) (?=[:;!?»])|« ", words)
