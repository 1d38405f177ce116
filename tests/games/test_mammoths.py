"""Five people and bots in the valley through the service: moves filed ahead, orders for fights and
losses by reply in two languages, a turn on its page, a tribe that is gone.
"""

from __future__ import annotations

from itertools import count

import pytest

from engine.bots import ask
from engine.chance import SeededChance
from engine.play import decision_of, texts
from engine.waits import percent
from service.core.models import DecisionRow, Match
from service.core.statuses import MatchStatus
from service.matches import journal, reading
from service.matches.tables import BotSeat, Guest, Place
from service.matches.waits import waits_of
from tests.games.playing import asked
from tests.support.correspondence import Correspondence
from tests.web.conftest import Site

ANA, BEA, CARL = range(3)
"""Ana plays on pages, Bea writes English and Carl French; seats 3 and 4 are bots."""
WRITING = {BEA: "en", CARL: "fr"}
LOSSES = {"en": "loss any wwf", "fr": "pertes partout ggf"}


def begun(site: Site, game: str) -> int:
    """A table of three people and two bots; everybody is there."""
    others: list[Place] = [
        Guest(address="bea@example.org", name="Bea"),
        Guest(address="carl@example.org", name="Carl", lang="fr"),
        BotSeat(bot="greedy"),
        BotSeat(bot="greedy"),
    ]
    number = site.open(others, game, hold_minutes=0, options={"board": 2})
    site.everybody_accepts(number)
    site.hear(mail=True)
    return number


def text_for(site: Site, number: int, row: DecisionRow, lang: str) -> str:
    """What a good player would write for a decision; "" to leave it."""
    with site.service.database.read() as session:
        match = session.get_one(Match, number)
        game = journal.game_of(match)
        state = journal.position(session, match).state
        decision = decision_of(game, state, row.seat, row.decision)
        actions = ask(game, "greedy", state, decision, SeededChance(bytes(32)))
        return "\n".join(texts(game, state, row.seat, actions, lang))


def file_ahead(site: Site, number: int, post: Correspondence, seat: int, filed: set[str]) -> None:
    """Answer the letter that invites, once."""
    with site.service.database.read() as session:
        rows = reading.open_decisions(session, session.get_one(Match, number), seat)
    for row in rows:
        if row.kind in ("file", "prepare") and row.decision not in filed and not row.blocks:
            filed.add(row.decision)
            if text := text_for(site, number, row, WRITING[seat]):
                mail = post.reply(seat, f"{text}\n{LOSSES[WRITING[seat]]}", row.decision)
                assert mail.verdict == "filed", (mail.verdict, text)
                site.hear(mail=True)


@pytest.mark.parametrize("turns", [3, pytest.param(99, marks=pytest.mark.rarely)])
def test_five_play_by_letters_pages_and_bots(site: Site, turns: int) -> None:
    """M§24: what was filed runs without a question; the match goes on to its end."""
    number = begun(site, "mammoths")
    post, filed = Correspondence(site, number), set[str]()
    page = site.reader()
    replied = 0
    for _ in count():
        match = site.match(number)
        if match.status != MatchStatus.PLAYING or _turn(site, number) > turns:
            break
        row = asked(site, number)[0]
        if row.seat == ANA:
            form = page.get(site.turn_link(match, text_for(site, number, row, "en"))).form("/play/")
            button = next(each.text for each in form.buttons if each.action)
            assert page.press(form, button).status == 200
        else:
            lang = WRITING[row.seat]
            text = text_for(site, number, row, lang)
            mail = post.reply(row.seat, text, row.decision)
            # What is sealed until the last has answered is filed.
            assert mail.verdict in (["played"] if row.kind == "move" else ["played", "filed"]), text
            replied += 1
        site.hear(mail=True)
        for seat in WRITING:
            if site.match(number).status == MatchStatus.PLAYING:
                file_ahead(site, number, post, seat, filed)
    with site.service.database.read() as session:
        match = session.get_one(Match, number)
        entries = [journal.entry_of(each) for each in journal.rows(session, match, 1)]
        waits = waits_of(session, match)
    planned = {entry.seat for entry in entries if entry.cause == "plan"}
    assert planned >= set(WRITING)
    assert replied
    assert percent(waits.waits, waits.turns) <= 100
    if turns > 10:
        assert match.status == MatchStatus.ENDED
        assert sum(letter.kind == "end" for letter in site.letters(number)) == 3


def _turn(site: Site, number: int) -> int:
    """The turn of the game."""
    with site.service.database.read() as session:
        turn: int = journal.position(session, session.get_one(Match, number)).state.turn
        return turn
