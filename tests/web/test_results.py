"""Results on the page of one's matches: how games ended, with whom, how long turns took."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest
from sqlalchemy import select, update

from engine.protocol import Outcome
from service.core import locks
from service.core.models import DecisionRow, Match, Submission
from service.core.statuses import MatchStatus
from service.matches import punctuality
from tests.support.reader import Reader
from tests.support.tables import of_all
from tests.web.conftest import Site
from tests.web.test_matches import counted, listed


def over(site: Site, winners: tuple[int, ...], guests: int = 1) -> Match:
    """A match of Ana, on seat 0, that has ended so after a turn of hers that took two hours."""
    match = site.table(guests=guests, turns=1 + guests)
    with site.service.database.write() as work:
        held = locks.lock_number(site.service, work, match.id)
        held.status, held.ended_at = MatchStatus.ENDED, site.service.now()
        scores = tuple(range(guests + 1))
        held.outcome = msgspec.json.encode(
            Outcome(winners=winners, scores=scores, termination="normal")
        )
        for row in work.session.query(DecisionRow).filter_by(match_id=match.id, seat=0):
            row.opened_at = row.opened_at - dt.timedelta(hours=2)
    return match


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["You won.", "You lost.", "Drawn: you share", "Nobody won.", "Guest 1", "2 hours"]),
        ("fr", ["Victoire.", "Défaite.", "Égalité", "Personne n’a gagné.", "Guest 1", "2 heures"]),
    ],
)
def test_my_games_say_how_each_ended(site: Site, lang: str, said: list[str]) -> None:
    won, lost, drawn, nobody = (over(site, winners) for winners in ((0,), (1,), (0, 1), ()))
    ana = site.signed_in("ana@example.org", lang)
    page = ana.get(f"/matches?lang={lang}")
    for words in said:
        assert words in page.text.replace("\xa0", " ")
    assert set(listed(page)) == {won.code, lost.code, drawn.code, nobody.code}
    assert listed(ana.get("/matches?result=won")) == [won.code]
    opponent = next(href for _, href in page.links if "with=" in href)
    assert len(listed(ana.get(opponent))) == 4
    assert listed(ana.get("/matches?result=lost&with=nobody.7")) == []


def test_who_lost_reads_the_result_first_and_not_in_green(site: Site) -> None:
    """The page of the last turn."""
    for winners, green in (((1,), False), ((0,), True)):
        match = over(site, winners)
        with site.service.database.read() as session:
            mine = select(Submission.code).filter_by(match_id=match.id, seat=0)
            code = session.scalars(mine).first()
        page = site.signed_in("ana@example.org").get(f"/m/{match.code}/0/verdict/{code}")
        told = "You have won." if green else "You come second with "
        assert page.text.index(told) < page.text.index("Your turn is played.")
        assert '<h1 id="done">The game is over</h1>' in page.source
        assert page.text.lower().count("the game is over") == 1, "said once, and no score twice"
        assert page.text.count(told) == page.source.count('role="status"') == 1
        assert ("notice good" in page.source) is green


def test_head_to_head_counts_each_game_once(site: Site) -> None:
    for winners in ((0,), (0,), (1,), (0, 1), ()):
        over(site, winners)
    site.table(guests=1)
    page = site.signed_in("ana@example.org").get("/matches")
    told = "victories: you 2, Guest 1 1, shared 1, somebody else or nobody 1"
    assert f"5 games ({told})" in page.text
    for tally in ("5 games", "2 won", "1 lost", "1 drawn", "1 without a winner"):
        assert tally in page.text
    first = page.source.index('<section aria-labelledby="')
    assert page.source.index('<a href="#versus">Head to head</a>') < first, "a way to it at the top"
    assert 'id="versus"' in page.source


def test_results_of_many_games_are_told_with_the_statements_of_few(site: Site) -> None:
    ana: Reader | None = None
    counts = []
    for games in (1, 4):
        for _ in range(games):
            over(site, (0,))
        ana = ana or site.signed_in("ana@example.org")
        with counted(site.service.database.engine) as statements:
            ana.get("/matches")
        counts.append(len(statements))
    assert counts[1] == counts[0]


def test_punctuality_is_told_to_a_host_only_if_it_may_be(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(punctuality, "LEAST", 2)
    for _ in range(3):
        over(site, (0,))
    sentence = "of the last 3 turns in time"
    guest = site.signed_in("g1@example.org")
    page = guest.get("/settings")
    assert sentence in page.text, "it is shown what would be told"
    ana = site.signed_in("ana@example.org")

    def look() -> str:
        form = ana.get("/tables/new?game=sapiens").form("/tables/new")
        form.put("seat1-who", "guest")
        form.put("seat1-address", "g1@example.org")
        return ana.press(form, "How punctual are these guests?").text

    assert sentence not in look()
    guest.press(page.form("/settings/punctuality"))
    with site.changing() as work:
        late = update(DecisionRow).where(
            DecisionRow.seat == 1, DecisionRow.closed_entry.is_not(None)
        )
        work.session.execute(
            late.values(expired_at=site.service.now()), execution_options=of_all(work)
        )
    assert "0 of the last 3 turns in time" in look()
    assert len(site.letters(kind="invitation")) == 3, "nobody was invited by looking"
