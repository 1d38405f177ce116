"""A turn on the whole product, from its letter's link to the journal and the next letter: by mouse,
by keys alone, by touch on a phone, and without scripts. Every step is chosen on the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser
from sqlalchemy import select

from service.core.context import Service
from service.core.models import EntryRow, Match, Submission
from service.dev.mailbox.letter import Letter
from tests.support.hand import DESK, NEXT, PHONE, Hand
from tests.support.stack import Stack
from tests.support.tables import Jobs

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

GAME = "sapiens"


class Table:
    """A table of one person, who begins, and a bot; and the rows behind it."""

    def __init__(self, stack: Stack, person: str) -> None:
        opened = stack.command(
            "open-table", GAME, "--host", person, "--seat", "bot:random", "--option", "first=0"
        )
        code = re.search(r"\b[a-z0-9]{10}\b", opened.stdout)
        assert code is not None, opened.stdout + opened.stderr
        self.code = code[0]
        self.service = Service(stack.settings(), Jobs())

    def entries(self) -> list[EntryRow]:
        with self.service.database.read() as session:
            of_this = select(Match.id).where(Match.code == self.code).scalar_subquery()
            entries = select(EntryRow).where(EntryRow.match_id == of_this).order_by(EntryRow.n)
            return list(session.scalars(entries))

    def handed_in(self) -> list[str]:
        with self.service.database.read() as session:
            of_this = select(Match.id).where(Match.code == self.code).scalar_subquery()
            sent = select(Submission.body).where(
                Submission.match_id == of_this, Submission.seat == 0
            )
            return list(session.scalars(sent))


def asks(letter: Letter) -> bool:
    """Whether it is a letter that asks for a turn."""
    return "/t/" in (letter.text or "")


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What browsers complain of: nothing."""
    found: list[str] = []
    yield found
    assert not found


@pytest.mark.parametrize(
    ("way", "context"),
    [
        # On pages without the whole product, tests/web/test_taps.py plays by each of them.
        pytest.param("mouse", DESK, marks=pytest.mark.rarely),
        pytest.param("keys", DESK, marks=pytest.mark.rarely),
        ("touch", PHONE),
        # On the whole product, too: test_whole_match.
        pytest.param("plain", PHONE | {"java_script_enabled": False}, marks=pytest.mark.rarely),
    ],
    ids=["mouse", "keys", "touch", "plain"],
)
def test_a_turn_is_chosen_played_and_answered(
    stack: Stack, browser: Browser, faults: list[str], way: str, context: dict[str, Any]
) -> None:
    person = f"ana.{way}@example.org"
    table = Table(stack, person)
    letter = stack.wait_for_letter(person, asks)
    opened = browser.new_context(**context)
    page = opened.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    link = next(x for x in re.findall(r"https?://[^\s<>]+", letter.text or "") if "/t/" in x)
    page.goto(link)
    page.goto(page.url.partition("?")[0])
    hand = Hand(page, way)
    for _ in range(20):
        if not page.locator(NEXT).count():
            break
        hand.choose()
    assert page.locator(".plan .suggested").count() == 0, "every step was chosen"
    chosen = page.locator("select[name=a]").evaluate_all("all => all.map(one => one.value)")
    assert len(chosen) >= 2
    hand.play()
    page.get_by_role("heading", name="Played", exact=True).wait_for()
    assert table.handed_in() == ["\n".join(chosen)]
    assert table.entries()[1].seat == 0, "the first entry is the set-up"
    # The bot has played, and it is the person's turn again.
    following = stack.wait_for_letter(person, lambda other: asks(other) and other != letter)
    assert len(table.entries()) >= 3
    page.goto(next(x for x in re.findall(r"https?://[^\s<>]+", following.text or "") if "/t/" in x))
    page.get_by_role("heading", name="Your turn").wait_for()
    opened.close()
