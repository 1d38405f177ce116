"""A whole match of three people through nothing but letters and their links, on the real stack.

A real browser without JavaScript presses the buttons; the letters come through SMTP.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from service.dev.mailbox.letter import Letter
from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

HOST = "ana.e2e@example.org"
GUESTS = {"ben.e2e@example.org": "fr", "cam.e2e@example.org": "en"}


@pytest.fixture
def contexts(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """A browser of their own for each person, all without JavaScript."""
    made = {address: browser.new_context(java_script_enabled=False) for address in (HOST, *GUESTS)}
    yield made
    for context in made.values():
        context.close()


def links(letter: Letter) -> list[str]:
    """Every link of the text part, in order."""
    return re.findall(r"https?://[^\s<>]+", letter.text or "")


def link(letter: Letter, path: str) -> str:
    """The first link of the text part below this path."""
    return next(found for found in links(letter) if f"/{path}/" in found)


def open_table(page: Page, stack: Stack) -> None:
    """Sign the host in by letter and open a table for three."""
    page.goto(stack.base_url)
    page.fill("input[name=address]", HOST)
    page.click("main button.main")
    letter = stack.wait_for_letter(HOST)
    page.goto(link(letter, "in"))
    page.click("main button.main")
    page.goto(f"{stack.base_url}/")
    page.click("main >> a[href*='tables']")
    for seat, (address, lang) in enumerate(GUESTS.items(), start=1):
        page.select_option(f"[name=seat{seat}-who]", "guest")
        page.fill(f"[name=seat{seat}-address]", address)
        page.select_option(f"[name=seat{seat}-lang]", lang)
    page.locator("details:has([name=hold]) > summary").click()
    page.select_option("[name=hold]", "0")
    page.click("main button.main")


def name(letter: Letter) -> str:
    """What its Message-ID says it is, e.g. "turn.<match>.<seat>.<decision>"."""
    return dict(letter.headers)["Message-ID"].strip("<>").partition("@")[0]


def test_three_people_play_to_the_end(
    stack: Stack, contexts: dict[str, BrowserContext], tmp_path: Path
) -> None:
    pages = {address: context.new_page() for address, context in contexts.items()}
    open_table(pages[HOST], stack)
    for address in GUESTS:
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
                elif name(letter).startswith("turn."):
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
            page = pages[address]
            page.goto(choices[0])
            assert "/t/" not in page.url, "the key stays in the address bar"
            page.click("button[formmethod=post]")
            page.wait_for_selector("main .notice.good", timeout=60_000)

    for address, page in pages.items():
        end = next(letter for letter in stack.letters(address) if name(letter).startswith("end."))
        page.goto(link(end, "s"))
        assert page.locator("main").inner_text()
    record = stack_record(pages[HOST], tmp_path)
    checked = stack.command("verify", str(record))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    kept = json.loads(record.read_text())
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
