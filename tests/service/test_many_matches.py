"""What a turn, its pages, the sweep and the numbers ask of the database when there are very many
open matches: as much as when there are few, by the rows that are visited and not by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.models import Match
from service.mail.send.claims import claim_ahead
from service.matches.tables import Guest
from service.ops import sweep
from service.ops.metrics import registry
from service.web.app import create_app
from tests.support.crowd import crowd
from tests.support.statements import counted
from tests.support.tables import Jobs, World, settings_for

MANY = 2_000


class Site(World):
    """The pages and what is behind them, and one of its players in their browser."""

    def __init__(self, app: Flask, jobs: Jobs) -> None:
        super().__init__(app.extensions["paleopost"], jobs)
        self.app = app

    def browser(self, player: int) -> FlaskClient:
        """Somebody signed in."""
        client = self.app.test_client()
        with client.session_transaction() as session:
            session["player"] = player
        return client


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    """An empty SQLite database, whose machine counts its steps."""
    jobs = Jobs()
    made = Site(create_app(settings_for(sqlite_url, REQUESTS_PER_MINUTE="100000"), jobs), jobs)
    made.service.claim_ahead = partial(claim_ahead, made.service)
    yield made
    made.service.database.dispose()


def doings(site: Site, match: Match) -> dict[str, Callable[[], object]]:
    """What is done every minute where people play."""
    browser = site.browser(match.host_id)

    def turn() -> None:
        site.submit(match.id)
        site.hear(mail=True)

    def page(path: str) -> None:
        assert browser.get(path).status_code == 200, path

    def swept() -> None:
        site.beat()
        sweep.sweep(site.service)

    return {
        "a turn, its letter sent": turn,
        "my games": partial(page, "/matches"),
        "the host's page": partial(page, f"/m/{match.code}/0/host"),
        "a match": partial(page, f"/m/{match.code}/0"),
        "sweep": swept,
        "metrics": lambda: list(registry(site.service).collect()),
    }


def test_many_open_matches_cost_no_more_steps_than_few(site: Site, game_key: str) -> None:
    match_id = site.open([Guest(address="ben@example.org", name="Ben")], game_key)
    site.everybody_accepts(match_id)
    site.beat()
    site.hear(mail=True)
    done = doings(site, site.match(match_id))

    def steps() -> dict[str, int]:
        found = {}
        for name, do in done.items():
            do()  # what is kept of a match is there from now on, the census among it
            with counted(site.service.database.engine, steps=True) as asked:
                do()
            found[name] = asked.steps
        return found

    few = steps()
    crowd(site.service, match_id, MANY)
    many = steps()
    grown = {name: (few[name], many[name]) for name in few if many[name] > 1.5 * few[name] + 500}
    assert all(few.values())
    assert grown == {}
