"""What a turn letter says of a decision that is not like others."""

from __future__ import annotations

import msgspec
import pytest

from engine.sapiens.state import State
from service.core import locks
from service.core.models import EntryRow, Letter
from service.core.statuses import LetterKind
from service.mail.render import render
from service.matches import journal
from service.matches.tables import BotSeat
from service.outgoing.outbox import owe_seat
from tests.engine.sapiens.positions import board, position
from tests.support.letters_to_png import parts_of
from tests.support.tables import World


def stuck_without_its_token(seat: int) -> State:
    """Picking could go on, but on the plain H2 only: with the token (S§9.4), else a new tribe."""
    boards = [board(), board()]
    mine = board(["picking-water.1 H1 G1"], pool=["picking-fire.1"], claimed=["picking"])
    boards.insert(seat, mine)
    return position(*boards, mover=seat, number=1)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "No tile of yours fits beside your tribe. Unless"),
        ("fr", "Aucune de tes tuiles ne convient à ta tribu. À moins"),
    ],
)
def test_s11_1_the_letter_says_so_though_no_suggestion_does(
    own_world: World, lang: str, said: str
) -> None:
    match_id = own_world.open([BotSeat(bot="random")] * 2, "sapiens")
    state = stuck_without_its_token(0)
    with own_world.changing() as work:
        match = locks.lock_number(own_world.service, work, match_id)
        game = journal.game_of(match)
        turns = game.suggestions(state, 0, 4)
        assert turns
        assert {type(turn[0]).__name__ for turn in turns} == {"Token"}
        entry = work.session.get_one(EntryRow, (match_id, 0))
        entry.state = msgspec.json.encode(state)
        row = match.seats[0]
        assert row.player is not None
        row.player.lang = row.lang = lang
        owe_seat(own_world.service, work, LetterKind.TURN, match, row, entry=0, decision="t1")
    with own_world.service.database.read() as session:
        letter = session.query(Letter).filter_by(match_id=match_id, kind="turn", seat=0).one()
        _, text, html, _ = parts_of(render(own_world.service, session, letter))
    assert said in " ".join(text.split())
    assert said in html
