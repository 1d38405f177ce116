"""A round of the toy game on the whole product: a plan filed by a letter's link, a turn with orders
along, the plan that plays, sealed answers of which one is changed, and the letter that invites.

The product finds only games in `engine/`; this one is registered in each of its processes.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from service.dev.mailbox.letter import Letter
from tests.support.stack import ROOT, Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

ANA, BEN = "ana.orders@example.org", "ben.orders@example.org"
PLAY = re.compile("^(Play this (step|turn)|Give these orders)$")
"""A turn that goes on is played by the step."""
REGISTERED = """
from engine.games import register
from tests.engine.toy import GAME
from tests.toy import FOLDER
register(GAME, str(FOLDER))
"""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """The product with one game more."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(REGISTERED, encoding="utf-8")
    made = Stack(tmp_path / "data", {"PYTHONPATH": os.pathsep.join([str(hook), str(ROOT)])})
    made.data.mkdir()
    made.start()
    yield made
    made.stop(signal.SIGINT)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser that runs scripts, and keeps the cookies of all who play."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def links(letter: Letter, way: str) -> list[str]:
    """The links of the text part below this path; those of choices first, in order."""
    found = re.findall(r"https?://[^\s<>]+", letter.text or "")
    return sorted((link for link in found if f"/{way}/" in link), key=lambda at: "?" not in at)


def named(letter: Letter, kind: str) -> bool:
    """True for a letter of this kind, by its Message-ID."""
    return dict(letter.headers)["Message-ID"].startswith(f"<{kind}.")


def link_to(letter: Letter, what: str) -> str:
    """The link of an order in a letter's list of them."""
    text = (letter.text or "").replace("\r\n", "\n")
    found = re.search(rf"^{what}\n(?:.*\n)*?(https?://\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


def hand_in(page: Page, button: str | re.Pattern[str]) -> None:
    """Press the button that hands in, and wait for what becomes of it."""
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/verdict/**")


@pytest.mark.rarely  # by reply and by touch: test_valley_on_the_product, test_plans_on_the_product
def test_a_round_is_played_with_orders_by_link_and_by_form(stack: Stack, page: Page) -> None:
    table = ["--host", f"{ANA},en,Ana", "--seat", f"{BEN},en,Ben", "--option", "rounds=2"]
    opened = stack.command("open-table", "toy", *table)
    assert opened.returncode == 0, opened.stderr
    invitation = stack.wait_for_letter(BEN)
    page.goto(links(invitation, "i")[0])
    page.click("button[value=accept]")

    begun = lambda letter: named(letter, "turn") or named(letter, "start")  # noqa: E731
    first = {who: stack.wait_for_letter(who, begun) for who in (ANA, BEN)}
    mover = next(who for who in first if named(first[who], "turn"))
    other = BEN if mover == ANA else ANA

    # Who is not to move files a plan by the link of their first letter.
    page.goto(link_to(first[other], "File a plan"))
    page.get_by_text("Write it yourself", exact=True).click()
    page.fill("#write", "plan always camp cave / always rest")
    page.get_by_role("button", name="Show it").click()
    page.get_by_text("1. Always: Camp: cave.").first.wait_for()
    hand_in(page, "Save this plan")
    assert page.get_by_text("Your plan is saved.").is_visible()

    # Who is to move plays by a link of their letter, and files a watch along with it.
    page.goto(links(first[mover], "t")[0])
    page.locator("#others > summary").click()
    page.fill("#along-text", "watch cave")
    page.get_by_role("button", name=PLAY).click()
    page.get_by_text("Look first, then press again.").wait_for()
    assert page.locator("#along").get_by_text("Watch: cave.").is_visible()
    hand_in(page, PLAY)
    assert page.get_by_text("Saved along with it").is_visible()
    while not [each for each in stack.letters(other) if named(each, "notice")]:
        turn = [each for each in stack.letters(mover) if named(each, "turn")][-1]
        if ".duel." in dict(turn.headers)["Message-ID"]:
            break
        page.goto(links(turn, "t")[0])
        if page.get_by_role("button", name=PLAY).count():
            hand_in(page, PLAY)

    # The plan has made the whole turn, and the watch has caught it: both lay a card now.
    asked = lambda letter: named(letter, "turn") and "duel" in str(letter.headers)  # noqa: E731
    duel = {who: stack.wait_for_letter(who, asked) for who in (ANA, BEN)}
    assert "as you had planned" in " ".join((duel[other].text or "").split())
    page.goto(links(duel[mover], "t")[0])
    hand_in(page, PLAY)
    assert page.get_by_text("You can still change this").is_visible()
    page.get_by_role("link", name=re.compile("^Change it")).click()
    page.locator(":is(.choices, .proposals) a").first.click()
    page.wait_for_selector("#plan:not([aria-busy])")
    hand_in(page, "Save this plan")
    assert page.get_by_text("Your answer is in.").is_visible()
    page.goto(links(duel[other], "t")[0])
    hand_in(page, PLAY)

    # The next round begins: one is asked, the other may file ahead.
    def told(letter: Letter) -> bool:
        return named(letter, "orders") or (named(letter, "turn") and ".2." in str(letter.headers))

    again = {who: stack.wait_for_letter(who, told) for who in (ANA, BEN)}
    assert sorted(named(letter, "orders") for letter in again.values()) == [False, True]
    invited = next(letter for letter in again.values() if named(letter, "orders"))
    assert "plan ahead if you like" in (invited.subject or "")
    page.goto(links(invited, "t")[0])
    assert page.get_by_text("You need not plan").is_visible()
