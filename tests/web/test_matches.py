"""The list of one's matches: complete, and as many questions to the database however long it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event, update

from service.core.models import Match
from service.matches.overview import OVER
from service.matches.tables import Guest
from service.web.matches.glances import MOST
from tests.support.games import KNOWN
from tests.support.reader import Page
from tests.support.tables import of_all
from tests.web.conftest import Site


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """The statements that are run meanwhile."""
    statements: list[str] = []

    def note(*given: object) -> None:
        statements.append(str(given[2]))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


def listed(page: Page) -> list[str]:
    """The codes of the matches that a page leads to, in its order."""
    found = (re.match(r"/m/(\w+)/\d+", href) for _, href in page.links)
    return [match[1] for match in found if match is not None]


def test_many_matches_are_listed_with_the_statements_of_few(site: Site) -> None:
    ana = site.signed_in("ana@example.org")
    counts = []
    for tables in (2, MOST + 3):
        while len(listed(ana.get("/matches"))) < tables:
            site.table(guests=2)
        with counted(site.service.database.engine) as statements:
            page = ana.get("/matches")
        assert len(listed(page)) == tables
        assert page.source.count('class="glance"') == min(tables, MOST)
        counts.append(len(statements))
    assert counts[1] == counts[0], "\n".join(statements)


def test_what_waits_for_the_reader_stands_above_all_buttons(site: Site) -> None:
    match = site.table(guests=1)
    while site.awaited(match.id).seat:
        site.play_on(match, 1)
    page = site.signed_in("ana@example.org").get("/matches").source
    main = page[page.index("<main") :]
    assert main.index('id="waiting"') < main.index(">Play</a>") < main.index("/tables/new")


def test_a_match_that_goes_on_is_listed_however_many_began_after_it(site: Site) -> None:
    first = site.table()
    others = [site.open([Guest(address="g1@example.org")], KNOWN) for _ in range(OVER + 5)]
    page = listed(site.signed_in("ana@example.org").get("/matches"))
    assert first.code in page
    assert len(page) == 1 + len(others)


def test_of_those_that_are_over_the_newest_are_listed_behind_all_others(site: Site) -> None:
    running = site.table()
    over = [site.open([Guest(address="g1@example.org")], KNOWN) for _ in range(OVER + 1)]
    with site.changing() as work:
        work.session.execute(
            update(Match).where(Match.id.in_(over)).values(status="cancelled"),
            execution_options=of_all(work),
        )
    page = site.signed_in("ana@example.org").get("/matches")
    assert listed(page)[0] == running.code
    assert page.text.count("Called off by its host.") == OVER
