"""A player at the page of a turn, who chooses step by step on the board."""

from __future__ import annotations

import re

from playwright.sync_api import Error, Page, expect

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1200, "height": 800}}
LIT = "a.spot:not(.faint)"
PLAY = re.compile("^(Play this (turn|step)|Give these orders)$")
NEXT = f".choices a, {LIT}"
PLAYED = "main .notice[role=status]:not(.warning)"
"""What tells that a turn was played, also that others have won by it."""
INTERRUPTED = ("interrupted by another navigation", "net::ERR_ABORTED")


def visit(page: Page, address: str) -> None:
    """Open a page, even if the one before looks for news at this moment (`awaiting.js`)."""
    try:
        page.goto(address)
    except Error as error:
        if not any(told in error.message for told in INTERRUPTED):
            raise
        page.wait_for_load_state()
        page.goto(address)


class Hand:
    """How a player touches things: with the pointer, a finger, or keys."""

    def __init__(self, page: Page, way: str) -> None:
        self.page = page
        self.way = way

    def choose(self) -> None:
        """The next thing that leads on."""
        at = self.page.url
        if self.way == "keys":
            # The script has put the focus on it, or it is the next thing with a way on.
            self.tab_to("el => el.matches('.choices a, a.spot:not(.faint)')")
            self.page.keyboard.press("Enter")
        elif self.way == "touch":
            self.page.locator(NEXT).first.tap()
        else:
            self.page.locator(NEXT).first.click()
        self.page.wait_for_url(lambda url: url != at)
        if self.way != "plain":
            self.page.wait_for_selector("#plan:not([aria-busy])")

    def play(self) -> None:
        """Press the one button."""
        button = self.page.get_by_role("button", name=PLAY)
        if self.way == "keys":
            self.tab_to("el => el.matches('button.main')")
            self.page.keyboard.press("Enter")
        elif self.way == "touch":
            expect(button).to_be_in_viewport()
            button.tap()
        else:
            button.click()

    def tab_to(self, wanted: str) -> None:
        for _ in range(40):
            if self.page.locator(":focus").count() and self.page.locator(":focus").evaluate(wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way by keys to {wanted}")
