"""Buttons pressed while the table changes: who presses is asked again once the match is had.

On PostgreSQL, where two may be at one match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import func, select

from service.core import locks
from service.core.db import Work
from service.core.locks import LockedMatch
from service.core.models import Match, Submission, TableMessage
from service.matches import hosting, leaving, tables
from service.matches.tables import Guest
from service.web.app import create_app
from tests.support.overtaking import overtaken
from tests.support.tables import settings_for
from tests.web.conftest import PromptBells, Site, path

NEXT = Guest(address="next@example.org", name="Next")


@pytest.fixture
def site(postgresql_url: str) -> Iterator[Site]:
    """The pages on PostgreSQL."""
    jobs = PromptBells()
    site = Site(create_app(settings_for(postgresql_url), jobs), jobs)
    yield site
    site.service.database.dispose()


@pytest.fixture
def match(site: Site) -> Match:
    """A match of three in which a guest is to move."""
    match = site.table(guests=2)
    while site.awaited(match.id).seat == 0:
        site.play_on(match, 1)
    return match


def gone(site: Site, match: Match, seat: int, how: str) -> Callable[[Work, LockedMatch], object]:
    """The player of this seat is taken off, or another sits down there."""
    if how == "removed":
        return lambda work, table: leaving.remove(site.service, work, table, seat)
    with site.service.database.write() as work:
        table = locks.lock_number(site.service, work, match.id)
        asked = hosting.replace(site.service, work, table, seat, NEXT).player_id
    token = site.service.keys.token("invitation", match.id, asked)
    return lambda work, table: tables.answer(site.service, work, token, "accept")


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_message_of_who_is_off_the_table_is_not_said(site: Site, match: Match, how: str) -> None:
    seat = site.awaited(match.id).seat
    reader = site.reader()
    form = reader.get(path(site.links.seat(match, seat))).form("/say")
    form.put("text", "I am still here")
    change = gone(site, match, seat, how)
    page = overtaken(site, match.id, change, lambda: reader.press(form))
    if how == "removed":
        assert page.status == 409
        assert "You no longer play this game" in page.text
    else:
        assert page.status == 404
    with site.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(TableMessage)) == 0


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_turn_of_who_is_off_the_table_is_not_played(site: Site, match: Match, how: str) -> None:
    row = site.awaited(match.id)
    reader = site.reader()
    form = reader.whole(reader.get(site.turn_link(match))).form("/play/")
    change = gone(site, match, row.seat, how)
    site.jobs.worker = None  # type: ignore[attr-defined]
    before = site.match(match.id).last_entry
    page = overtaken(site, match.id, change, lambda: reader.press(form, "Play this turn"))
    site.jobs.enqueued = [job for job in site.jobs.enqueued if job[0] == "moves.play"]
    site.hear()
    assert site.match(match.id).last_entry == before
    with site.service.database.read() as session:
        kept = session.scalars(
            select(Submission.status).where(Submission.decision == row.decision)
        ).all()
    assert set(kept) <= {"refused"}
    assert page.status == (200 if how == "removed" else 404)


@pytest.mark.parametrize("wish", ["/undo", "/play-now", "/resign"])
def test_who_was_replaced_presses_nothing_for_the_next(site: Site, match: Match, wish: str) -> None:
    seat = site.awaited(match.id).seat
    with site.service.database.write() as work:
        locks.lock_number(site.service, work, match.id).hold_minutes = 30
    reader = site.reader()
    reader.get(path(site.links.seat(match, seat)))
    handed_in = site.submit(match.id)
    site.jobs.worker = None  # type: ignore[attr-defined]
    here = f"/m/{match.code}/{seat}"
    form = reader.get(f"{here}/resign" if wish == "/resign" else here).form(wish)
    change = gone(site, match, seat, "replaced")
    page = overtaken(site, match.id, change, lambda: reader.press(form))
    assert page.status == 404
    now = site.match(match.id)
    assert (now.seats[seat].name, now.seats[seat].left_at) == ("Next", None)
    with site.service.database.read() as session:
        assert session.get_one(Submission, handed_in.id).status == "withdrawn"
