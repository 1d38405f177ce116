"""What hinders readers of pages, found by axe-core: nothing of it is on any page.

By WCAG 2.2 A and AA and the best practices that axe-core knows, in both languages, by day on a
phone and by night on a desk. Fingers need larger targets than WCAG asks for: 44 pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from tests.support.tour import LANGS, Tour

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN = "axe.run(document, {resultTypes: ['violations']})"
PHONE, DESK = 360, 1200
SHORTEST = 44
"""Pixels that a finger hits."""

# Links inside of a sentence are as high as their line, and squares of a picture as it is wide.
TARGETS = """
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => !one.closest("p, td, dd, .rules, svg, figcaption, h2")
    || one.matches(".button, button:not(.plain)"))
  .filter((one) => one.type !== "hidden" && !one.matches(".skip") && one.checkVisibility())
  .map((one) => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect().height])
  .filter(([, high]) => high && high < LEAST - 0.5)
"""


def opened(browser: Browser, width: int, scheme: Literal["light", "dark"]) -> Iterator[Page]:
    # Our policy lets no script of others in, so axe-core comes in past it.
    context = browser.new_context(
        viewport={"width": width, "height": 740},
        color_scheme=scheme,
        bypass_csp=True,
        has_touch=width == PHONE,
        is_mobile=width == PHONE,
    )
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, PHONE, "light")


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, DESK, "dark")


def faults(page: Page) -> list[tuple[Any, ...]]:
    """What axe-core finds: how bad it is, which rule, where first."""
    page.evaluate(AXE)
    found = page.evaluate(RUN)["violations"]
    return [(v["impact"], v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in found]


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_hinders_readers_on_a_phone(tour: Tour, phone: Page, lang: str) -> None:
    found: dict[str, Any] = {}
    for stop in tour.stops(lang):
        assert tour.show(phone, stop, lang) == stop.status, stop.name
        wide = phone.evaluate("document.documentElement.scrollWidth")
        small = phone.evaluate(TARGETS.replace("LEAST", str(SHORTEST)))
        wrong = [*faults(phone), *([("wide", wide)] if wide > PHONE else []), *small]
        if wrong:
            found[stop.name] = wrong
    assert not found


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_hinders_readers_on_a_desk_by_night(tour: Tour, desk: Page, lang: str) -> None:
    found = {}
    for stop in tour.stops(lang):
        tour.show(desk, stop, lang)
        if wrong := faults(desk):
            found[stop.name] = wrong
    assert not found


def test_axe_finds_what_is_wrong(desk: Page) -> None:
    desk.set_content("<html><body><main><h1>A</h1><img src=''><input></main></body></html>")
    assert {rule for _, rule, *_ in faults(desk)} >= {"image-alt", "label", "html-has-lang"}
