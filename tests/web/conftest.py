"""The pages on a real database, and readers of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from service.access.links import Links
from service.core.context import Service
from service.core.letter_details import SignInDetails
from service.core.models import Match
from service.dev.app import create_app
from service.matches.tables import BotSeat, Guest
from service.players import accounts
from tests.support.games import KNOWN
from tests.support.reader import Page, Reader
from tests.support.snapshots import once
from tests.support.tables import Jobs, World, settings_for

NEW_TABLE = f"/tables/new?game={KNOWN}&way=seats"


class PromptBells(Jobs):
    """Jobs that are done at once, as by an idle worker, while `worker` is there."""

    worker: Callable[[], object] | None = None

    def enqueue(self, task: str, *args: Any) -> None:
        super().enqueue(task, *args)
        if self.worker is not None:
            self.worker()


class Site(World):
    """The pages and what is behind them. A worker is there unless it is sent away."""

    def __init__(self, app: Flask, jobs: PromptBells) -> None:
        service: Service = app.extensions["paleopost"]
        super().__init__(service, jobs)
        jobs.worker = self.hear
        self.app = app
        self.links = Links(service)

    def reader(self, lang: str = "en") -> Reader:
        """Somebody at a browser without memory."""
        return Reader(self.app.test_client(), lang)

    def signed_in(self, address: str, lang: str = "en") -> Reader:
        """Somebody who has signed in, as by the link of a letter: its pages take a fifth of a
        second, and are walked through where they are what a test is about.
        """
        with self.service.database.write() as work:
            accounts.ask_sign_in(self.service, work, address, lang)
        key = self.sign_in_link().rpartition("/")[2]
        with self.service.database.write() as work:
            player = accounts.sign_in(self.service, work, key)
        reader = self.reader(lang)
        with reader.client.session_transaction() as session:
            session["player"] = player.id
            session.permanent = True
        return reader

    def signed_in_by_pages(self, address: str, lang: str = "en") -> Reader:
        """Somebody who has asked for the letter, followed its link and pressed the button."""
        reader = self.reader(lang)
        form = reader.get("/sign-in").form("/sign-in")
        form.put("address", address)
        reader.press(form)
        page = reader.get(self.sign_in_link())
        reader.press(page.form("/sign-in/confirm"))
        return reader

    def sign_in_link(self) -> str:
        """The link of the newest sign-in letter."""
        letter = self.letters(kind="signin")[-1]
        return path(self.links.sign_in(letter.details_as(SignInDetails).nonce))

    def table(
        self, guests: int = 1, bots: int = 0, lang: str = "en", seed: int = 1, turns: int = 0
    ) -> Match:
        """A match that has begun: ana@example.org, guests g1@... and bots of the game; after so
        many default turns.

        The same seed deals the same match.
        """
        others: list[Guest | BotSeat] = [
            Guest(address=f"g{n}@example.org", name=f"Guest {n}", lang=lang)
            for n in range(1, guests + 1)
        ]
        others += [BotSeat(bot="random")] * bots

        def reach() -> int:
            match_id = self.begun(others, KNOWN, seed=seed)
            self.hear()
            self.play_on(self.match(match_id), turns)
            return match_id

        return self.match(once(self, ("table", repr(others), seed, turns), reach))

    def turn_link(self, match: Match, plan: str = "") -> str:
        """The link of the letter that asks the player to move."""
        row = self.awaited(match.id)
        return path(self.links.turn(match, row.seat, row.decision, plan))

    def play_on(self, match: Match, turns: int) -> None:
        """Let default turns be played."""
        for _ in range(turns):
            self.submit(match.id)
            self.hear()

    def counts(self) -> dict[str, int]:
        """How many rows every table has."""
        return row_counts(self.service)


def path(link: str) -> str:
    """A link without the server."""
    return "/" + link.split("/", 3)[3]


def row_counts(service: Service) -> dict[str, int]:
    """How many rows every table has."""
    from sqlalchemy import func, select

    from service.core.models import Base

    with service.database.read() as session:
        return {
            name: session.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Base.metadata.tables.items()
        }


@pytest.fixture
def make_site(sqlite_url: str) -> Iterator[Callable[..., Site]]:
    """Makes sites on this test's database, with settings of their own."""
    made: list[Site] = []

    def make(**changes: Any) -> Site:
        jobs = PromptBells()
        site = Site(create_app(settings_for(sqlite_url, **changes), jobs), jobs)
        made.append(site)
        return site

    yield make
    for site in made:
        site.service.database.dispose()


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    """The pages, with the game that tests know before all others."""
    return make_site(FEATURED=KNOWN)


def turn_form(page: Page) -> Any:
    """The form of a turn."""
    return page.form("handing")
