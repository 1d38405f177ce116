"""What hinders readers of pages, found by axe-core: nothing of it is on any page.

By WCAG 2.2 A and AA and the best practices that axe-core knows, in both languages, on a phone and a
desk, by day and by night. Fingers need larger targets than WCAG asks for: 44 pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import PATIENCE
from tests.support.references import DESK, LOOKS, PHONE
from tests.support.tour import SEEN_MOST, Tour

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN = "(more) => axe.run(document, {resultTypes: ['violations'], ...more})"
COLOURS = ("color-contrast", "link-in-text-block")
"""What can be another by night: all else on the page is the same."""
OF_COLOURS = {"runOnly": [*COLOURS]}
OF_ALL_ELSE = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
PARTS = "document.querySelectorAll('svg *').length"
FEW = 100
"""Parts of pictures that are not emptied before colours are judged: icons, and no board."""
EMPTIED = "document.querySelectorAll('svg').forEach((one) => one.replaceChildren())"
"""axe-core judges no colours in a picture, but looks for them in all its thousands of parts."""
USUAL = ("fr", PHONE, True)
"""The longer words on the narrower screen, of pages that are seen most. Faults of one language or
of a desk alone are rare.
"""
SHORTEST = 44
"""Pixels that a finger hits."""

# One worker for a language: its matches are made once.
EACH = [
    pytest.param(
        lang,
        width,
        seen_most,
        marks=[
            pytest.mark.xdist_group(f"looks-{lang}"),
            *([] if (lang, width, seen_most) == USUAL else [pytest.mark.rarely]),
        ],
    )
    for lang, width in LOOKS
    for seen_most in (True, False)
]

# Links inside of a sentence are as high as their line, and squares of a picture as it is wide.
TARGETS = """
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => !one.closest("p, td, dd, .rules, svg, figcaption, h2")
    || one.matches(".button, button:not(.plain)"))
  .filter((one) => one.type !== "hidden" && !one.matches(".skip") && one.checkVisibility())
  .map((one) => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label") ?? one : one))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect().height])
  .filter(([, high]) => high && high < LEAST - 0.5)
"""


def opened(browser: Browser, width: int) -> Iterator[Page]:
    # Our policy lets no script of others in, so axe-core comes in past it.
    context = browser.new_context(
        viewport={"width": width, "height": 740},
        bypass_csp=True,
        # Colours that fade from day to night would be judged half way.
        reduced_motion="reduce",
        has_touch=width == PHONE,
        is_mobile=width == PHONE,
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, PHONE)


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, DESK)


def faults(page: Page, more: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """What axe-core finds: how bad it is, which rule, where first."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(RUN, more or {})["violations"]
    return [(v["impact"], v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in found]


def faults_by_day_and_night(page: Page) -> list[tuple[Any, ...]]:
    """What axe-core finds; the pictures of the page are empty afterwards, unless they are small:
    then all by day is found in one go.
    """
    page.emulate_media(color_scheme="light")
    if page.evaluate(PARTS) < FEW:
        apart_from_colours, by_day = [], faults(page)
    else:
        apart_from_colours = faults(page, OF_ALL_ELSE)
        page.evaluate(EMPTIED)
        by_day = faults(page, OF_COLOURS)
    page.emulate_media(color_scheme="dark")
    by_night = (("by night", *fault) for fault in faults(page, OF_COLOURS))
    return [*apart_from_colours, *by_day, *by_night]


def out_of_reach(page: Page) -> list[Any]:
    """What a finger cannot hit, and what is wider than a phone."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    small: list[Any] = page.evaluate(TARGETS.replace("LEAST", str(SHORTEST)))
    return [*([("wide", wide)] if wide > PHONE else []), *small]


@pytest.mark.parametrize(("lang", "width", "seen_most"), EACH)
def test_nothing_hinders_readers(
    tour: Tour, phone: Page, desk: Page, lang: str, width: int, seen_most: bool
) -> None:
    page = phone if width == PHONE else desk
    found: dict[str, Any] = {}
    for stop in tour.stops(lang):
        if (stop.name in SEEN_MOST) != seen_most:
            continue
        assert tour.show(page, stop, lang) == stop.status, stop.name
        wrong = out_of_reach(page) if page is phone else []
        wrong += faults_by_day_and_night(page)
        if wrong:
            found[stop.name] = wrong
    assert not found


def test_axe_finds_what_is_wrong(desk: Page) -> None:
    desk.set_content("<html><body><main><h1>A</h1><img src=''><input></main></body></html>")
    assert {rule for _, rule, *_ in faults(desk)} >= {"image-alt", "label", "html-has-lang"}


def test_axe_finds_what_cannot_be_read_by_night(desk: Page) -> None:
    desk.set_content(
        "<html lang='en'><title>A</title><style>@media (prefers-color-scheme: dark)"
        "{ p { color: #eee } }</style><main><h1>A</h1><p>Hardly to be read.</p></main></html>"
    )
    found = faults_by_day_and_night(desk)
    assert [fault[:3] for fault in found] == [("by night", "serious", "color-contrast")]


def test_axe_finds_what_is_wrong_by_day_in_and_around_a_picture(desk: Page) -> None:
    desk.set_content(
        "<html lang='en'><title>A</title><main><h1>A</h1><p style='color: #eee'>Pale.</p>"
        "<svg width='90' height='90'><a href='/x'><rect width='90' height='90'/></a></svg>"
        "</main></html>"
    )
    assert {fault[1] for fault in faults_by_day_and_night(desk)} >= {"color-contrast", "link-name"}
