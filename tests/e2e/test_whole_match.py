"""A match of three people through nothing but letters and their links, on the real stack; a short
one ends when two give up.

A real browser without JavaScript presses the buttons; the letters come through SMTP. After some
turns of the shorter match the browser shows the pages no more (that takes half of the time, and
test_turn_by_hand looks at them): what it fetches is read, and what it would send is sent, with its
cookies.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from service.dev.mailbox.letter import Letter
from tests.support.hand import PLAYED
from tests.support.reader import Reading
from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

GUESTS = {"ben": "fr", "cam": "en"}


class Length(NamedTuple):
    """How much of a match is played."""

    shown: int
    """Turns of which the pages are shown."""
    turns: int
    """Turns after which both guests give up."""


BEGUN, WHOLE = Length(shown=3, turns=6), Length(shown=1000, turns=1000)
"""A turn of each player with its pages and one without; and more than any match has."""


@pytest.fixture(
    params=[BEGUN, pytest.param(WHOLE, marks=pytest.mark.rarely)], ids=["begun", "whole"]
)
def length(request: pytest.FixtureRequest) -> Length:
    """How much of the match is played."""
    found: Length = request.param
    return found


@pytest.fixture
def contexts(browser: Browser, length: Length) -> Iterator[dict[str, BrowserContext]]:
    """A browser of their own for each person, by address, all without JavaScript; the host's is
    the first.
    """
    people = [f"{name}.of{length.turns}@example.org" for name in ("ana", *GUESTS)]
    made = {address: browser.new_context(java_script_enabled=False) for address in people}
    yield made
    for context in made.values():
        context.close()


def links(letter: Letter) -> list[str]:
    """Every link of the text part, in order."""
    return re.findall(r"https?://[^\s<>]+", letter.text or "")


def link(letter: Letter, path: str) -> str:
    """The first link of the text part below this path."""
    return next(found for found in links(letter) if f"/{path}/" in found)


def open_table(page: Page, stack: Stack, host: str, guests: list[str]) -> None:
    """Sign the host in by letter and open a table for three."""
    page.goto(f"{stack.base_url}/tables/new")
    page.fill("input[name=address]", host)
    page.click("main button.main")
    letter = stack.wait_for_letter(host)
    page.goto(link(letter, "in"))
    page.click("main button.main")
    page.goto(f"{stack.base_url}/")
    page.click("main >> a[href*='tables']")
    page.click("label[for=way-seats]")
    for seat, (address, lang) in enumerate(zip(guests, GUESTS.values(), strict=True), start=1):
        page.select_option(f"[name=seat{seat}-who]", "guest")
        page.fill(f"[name=seat{seat}-address]", address)
        page.select_option(f"[name=seat{seat}-lang]", lang)
    page.locator("details:has([name=hold]) > summary").click()
    page.select_option("[name=hold]", "0")
    page.click("main button.main")


def name(letter: Letter) -> str:
    """What its Message-ID says it is, e.g. "turn.<match>.<seat>.<decision>"."""
    return dict(letter.headers)["Message-ID"].strip("<>").partition("@")[0]


def press(page: Page, address: str) -> None:
    """Play the first choice of a letter by its page."""
    page.goto(address)
    assert "/t/" not in page.url, "the key stays in the address bar"
    # The first choice of a letter may leave the end of the turn open: that is shown before.
    rest = page.locator("button[name=whole]")
    if rest.count():
        rest.click()
    page.click("button[formmethod=post]")
    page.wait_for_selector(PLAYED, timeout=60_000)


def send(page: Page, address: str) -> None:
    """Send what `press` would, without showing the page."""
    asked = page.request.get(address)
    assert "/t/" not in asked.url, "the key stays in the address bar"
    found = [(form, button) for form in Reading(asked.text()).forms for button in form.buttons]
    for form, button in found:
        if button.name == "whole":  # the end of the turn is shown before it can be played
            way = urlencode([*form.fields, (button.name, button.value)])
            asked = page.request.get(f"{urljoin(asked.url, form.action.partition('#')[0])}?{way}")
            found = [(each, b) for each in Reading(asked.text()).forms for b in each.buttons]
            break
    form, button = next((form, button) for form, button in found if button.method == "post")
    played = page.request.post(
        urljoin(asked.url, button.action),
        data=urlencode([*form.fields, (button.name, button.value)]),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert played.ok, played.text()
    assert re.search(r'<\w+ class="notice( good)?" role="status"', played.text())


def give_up(page: Page, letter: Letter) -> None:
    """Leave the match of a letter."""
    page.goto(link(letter, "s"))
    page.goto(f"{page.url.partition('?')[0]}/resign")
    page.click("main form[action$='/resign'] button")
    page.wait_for_selector("main .notice")


def test_three_people_play_to_the_end(
    stack: Stack, contexts: dict[str, BrowserContext], tmp_path: Path, length: Length
) -> None:
    pages = {address: context.new_page() for address, context in contexts.items()}
    host, *guests = pages
    open_table(pages[host], stack, host, guests)
    for address in guests:
        invitation = stack.wait_for_letter(address)
        pages[address].goto(link(invitation, "i"))
        pages[address].click("button[value=accept]")

    played: set[str] = set()
    ended: set[str] = set()
    turns = 0

    def next_turn() -> tuple[str, Letter] | None:
        """A turn letter that nobody has acted on; end letters on the way are noted."""
        for address in pages:
            for letter in stack.letters(address):
                if name(letter) in played:
                    continue
                played.add(name(letter))
                if name(letter).startswith("end."):
                    ended.add(address)
                elif name(letter).startswith("turn.") and turns < length.turns:
                    return address, letter
        return None

    while len(ended) < len(pages):
        found: list[tuple[str, Letter]] = []

        def look(found: list[tuple[str, Letter]] = found) -> bool:
            turn = next_turn()
            if turn is not None:
                found.append(turn)
            return bool(found) or len(ended) == len(pages)

        stack.wait_until(look)
        for address, letter in found:
            turns += 1
            choices = [x for x in links(letter) if "/t/" in x]
            play: Callable[[Page, str], None] = press if turns <= length.shown else send
            play(pages[address], choices[0])
            if turns == length.turns:
                for guest in guests:
                    give_up(pages[guest], stack.letters(guest)[-1])

    for address, page in pages.items():
        end = next(letter for letter in stack.letters(address) if name(letter).startswith("end."))
        page.goto(link(end, "s"))
        assert page.locator("main").inner_text()
    record = stack_record(pages[host], tmp_path)
    checked = stack.command("verify", str(record))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    kept = json.loads(record.read_text())
    if turns == length.turns:
        left = {leaving["seat"]: leaving["why"] for leaving in kept["leavings"]}
        assert left == {1: "resigned", 2: "resigned"}
        return
    assert len(kept["entries"]) == turns
    made = Counter(entry["seat"] for entry in kept["entries"])
    players = kept["entries"][-1]["state"]["players"]
    stayed = [made[seat] for seat, player in enumerate(players) if not player["out"]]
    assert len(set(stayed)) <= 1, "S§12.1: who is not out has had as many turns as the others"


def stack_record(page: Page, folder: Path) -> Path:
    """The record that the match page offers, in a file."""
    address = page.locator("a[href$='record.json']").first.get_attribute("href")
    assert address is not None
    answer = page.request.get(f"{page.url.split('/m/')[0]}{address}")
    assert answer.status == 200
    path = folder / "game.json"
    path.write_bytes(answer.body())
    return path
