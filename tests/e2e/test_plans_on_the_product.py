"""A match with plans on the whole product: one answers the letters and writes plans in French, one
plays by touch on a phone and files a plan there, one is a bot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from service.dev.mailbox.letter import Letter
from tests.support.hand import NEXT, PHONE, PLAY, PLAYED, Hand, visit
from tests.support.post import answered, deliver, header, kind, sample
from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

GAME = "fire_and_stone"
PLAN = """\
quand cueillette : prends ou nourriture
quand forêt : chasse puis plus de nourriture
quand feu si gibier au moins 1 : cuis tout sinon passe
quand tout : défaut"""
ALONG = "when forest: hunt then most food\nwhen anything: default"


BEGUN, WHOLE = 1, 1000
"""How many turns each person plays at most: the test in `make test` stops early."""
BY_HAND = {BEGUN: 1, WHOLE: 2}
"""Ana's turns of which each step is chosen by touch; of the others the letter's first choice is
played.
"""


@pytest.fixture(
    params=[BEGUN, pytest.param(WHOLE, marks=pytest.mark.rarely)], ids=["begun", "whole"]
)
def rounds(request: pytest.FixtureRequest) -> int:
    """How many turns each person plays at most."""
    number: int = request.param
    return number


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone that complains of nothing."""
    faults: list[str] = []
    phone: dict[str, Any] = PHONE
    context = browser.new_context(**phone)
    made = context.new_page()
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield made
    context.close()
    assert not faults


def turn_of(letter: Letter) -> str:
    """The number of the turn that a letter asks for, of its decision's id."""
    return header(letter, "Message-ID").split(".")[3]


def first_choice(letter: Letter) -> str:
    """The link of a letter's first choice."""
    links: list[str] = re.findall(r"https?://[^\s<>]+", letter.text or "")
    return next(link for link in links if "/t/" in link and "?" in link)


def play(page: Page, letter: Letter, *, by_hand: bool, plan: str) -> None:
    """Play a letter's turn on a phone: each step by touch, or the letter's first choice."""
    hand = Hand(page, "touch")
    visit(page, first_choice(letter))
    if by_hand:
        page.goto(page.url.partition("?")[0])
        while page.locator(NEXT).count():
            hand.choose()
    if (rest := page.locator("button[name=whole]")).count():
        rest.tap()
        page.wait_for_selector("main button.main")
    if plan:
        page.locator("#others > summary").tap()
        page.fill("#along-text", plan)
        page.get_by_role("button", name=PLAY).scroll_into_view_if_needed()
        hand.play()
        page.get_by_text("Look first, then press again.").wait_for()
        assert page.locator("#along").get_by_text("1. At a forest: hunt,").first.is_visible()
    hand.play()
    page.wait_for_selector(PLAYED)


def test_three_play_by_plans_in_replies_by_touch_and_as_a_bot(
    stack: Stack, page: Page, tmp_path: Path, rounds: int
) -> None:
    ana, ben = f"ana.plans{rounds}@example.org", f"ben.plans{rounds}@example.org"
    opened = stack.command(
        "open-table", GAME, "--host", f"{ana},en,Ana", "--seat", f"{ben},fr,Ben",
        "--seat", "bot:planner", "--option", "first=0",
    )  # fmt: skip
    code = re.match(r"Table (\w+) waits", opened.stdout)
    assert code is not None, opened.stdout + opened.stderr
    done: set[str] = set()
    turns: dict[str, list[str]] = {ana: [], ben: []}
    replies = 0
    answers: list[Letter] = []
    ended: dict[str, Letter] = {}

    def reply(letter: Letter, text: str) -> None:
        nonlocal replies
        replies += 1
        to, mail = answered(letter, ben, text)
        deliver(stack, ben, to, mail)

    def act(address: str, letter: Letter) -> None:
        """Play the turn that a letter asks for."""
        number = turn_of(letter)
        first = number not in turns[address]
        turns[address].append(number)
        if address == ben:
            reply(letter, f"{sample(letter)}\n{PLAN}" if first else sample(letter))
        else:
            by_hand = len(turns[ana]) <= BY_HAND[rounds]
            play(page, letter, by_hand=by_hand, plan=ALONG if first else "")

    def read_mail() -> bool:
        """Everybody reads what is new, and does what it asks for; true when that was all."""
        for address in (ana, ben):
            for letter in stack.letters(address):
                if header(letter, "Message-ID") in done:
                    continue
                done.add(header(letter, "Message-ID"))
                match kind(letter):
                    case "invitation":
                        reply(letter, "Oui !")
                    case "answer":
                        answers.append(letter)
                    case "end":
                        ended[address] = letter
                    case "turn" if len({*turns[address], turn_of(letter)}) <= rounds:
                        act(address, letter)
        whole = all(len({*played}) == rounds for played in turns.values())
        return (whole or len(ended) == 2) and len(answers) == replies

    stack.wait_until(read_mail, 800)
    played = [answer.text or "" for answer in answers if "Ton tour est joué" in (answer.text or "")]
    assert len(played) == len(turns[ben])
    waited = stack.command("waits", code[1]).stdout
    found = re.search(r"by seat (\d+), (\d+), (\d+)", waited)
    assert found is not None, waited
    # A reply with a plan is waited for once in a turn; only a cave or a slip asks again.
    assert len(turns[ben]) <= 1.1 * len({*turns[ben]}), waited
    if ended:
        record = tmp_path / "game.json"
        assert stack.command("export", code[1], "--out", str(record)).returncode == 0
        checked = stack.command("verify", str(record))
        assert checked.returncode == 0, checked.stdout + checked.stderr
        causes = {
            (each["seat"], each["cause"]) for each in json.loads(record.read_text())["entries"]
        }
        assert {(seat, "plan") for seat in range(3)} <= causes
