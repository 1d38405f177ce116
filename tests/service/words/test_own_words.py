"""What a player says with a turn, and what they note for themselves: by mail, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import update

from service.core import locks
from service.core.context import Service
from service.core.models import Match
from service.core.results import NoteErased, NoteTold, OrderInMessage, WordRefused
from service.matches import hosting, lines, private_notes, reading, records
from service.matches.tables import Guest, answer
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, of_all, settings_for

pytestmark = pytest.mark.slow


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    jobs = Jobs()
    service = Service(settings_for(database_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


@pytest.fixture
def table(world: World) -> Correspondence:
    """Ana (English), Bruno and Cleo (French) at a table that has begun."""
    guests = [
        Guest(address=f"{name.lower()}@example.org", name=name, lang="fr")
        for name in ("Bruno", "Cleo")
    ]
    for guest in guests:
        world.player(guest.address, name=guest.name, lang=guest.lang)
    match_id = world.begun(guests, "sapiens")
    return Correspondence(world, match_id)


def turn_of(table: Correspondence) -> tuple[int, str, str]:
    """Who is asked, for what, and a turn."""
    row = table.world.awaited(table.match_id)
    return row.seat, row.decision, table.world.legal_turn(table.match_id, row.seat, row.decision)


def asked(table: Correspondence) -> str:
    """The letter that asks for what is decided now, as text in one line."""
    row = table.world.awaited(table.match_id)
    owed = [x for x in table.world.letters(table.match_id) if x.decision == row.decision]
    return table.rendered(owed[-1]).said


def test_a_line_goes_with_the_turn_to_the_letter_of_the_next(table: Correspondence) -> None:
    seat, decision, turn = turn_of(table)
    letters = len(table.world.letters(table.match_id, "message"))
    mail = table.reply(seat, f"{turn}\n\nPS sorry, see www.example.org!", decision)
    told_back = table.answer(mail)
    assert (mail.verdict, told_back.codes) == ("played", ["played"])
    told = asked(table)
    assert told.count("| sorry, see www[.]example[.]org!") == 1, "no link of another's"
    assert len(table.world.letters(table.match_id, "message")) == letters, "no letter of its own"
    with table.world.service.database.read() as session:
        match = session.get_one(Match, table.match_id)
        seen = [reading.history(session, match, who)[-1].said for who in (seat, 1 - seat, None)]
        assert seen == [*["sorry, see www.example.org!"] * 2, ""], "spectators are told none"
        assert b"sorry" not in records.export(session, match)


def test_a_line_is_kept_with_a_turn_that_is_refused_and_told_once(table: Correspondence) -> None:
    seat, decision, turn = turn_of(table)
    slip = table.answer(table.reply(seat, "lay mammoth Z9\nPS: oops", decision))
    assert slip.codes == ["mend", "unsaid"]
    assert "“oops”" in slip.said or "«\xa0oops\xa0»" in slip.said
    alone = table.reply(seat, "ps oops")
    assert (alone.verdict, table.answer(alone).codes) == ("word", ["unsaid"])
    table.reply(seat, f"{turn}\nps oops", decision)
    assert asked(table).count("| oops") == 1


def test_a_line_is_taken_back_with_its_turn(table: Correspondence) -> None:
    with table.world.changing() as work:
        work.session.execute(update(Match).values(hold_minutes=30), execution_options=of_all(work))
    seat, decision, turn = turn_of(table)
    held = table.answer(table.reply(seat, f"{turn}\nPS sorry!", decision))
    assert "sorry!" in held.said
    undone = table.answer(table.reply(seat, "undo"))
    assert "sorry!" in undone.said
    table.reply(seat, f"{turn}\nPS sorry!", decision)
    table.reply(seat, turn, decision)  # takes its place, and the line with it
    assert table.reply(seat, "play").verdict == "played"
    table.world.hear()
    assert asked(table).count("| sorry!") == 1


def test_a_line_too_long_is_told_and_the_turn_is_played(table: Correspondence) -> None:
    seat, decision, turn = turn_of(table)
    mail = table.reply(seat, f"{turn}\nPS {'x' * (lines.LONGEST + 1)}", decision)
    told_back = table.answer(mail)
    assert told_back.first(WordRefused).error == "long_line_said"
    assert told_back.codes == ["refused", "unsaid", "played"]


def test_a_turn_right_below_a_line_is_asked_about(table: Correspondence) -> None:
    seat, decision, turn = turn_of(table)
    mail = table.reply(seat, f"PS sorry\n{turn}", decision)
    assert table.answer(mail).first(OrderInMessage).below == "ps"


def test_a_note_is_kept_shown_and_erased_by_mail(table: Correspondence) -> None:
    for word, first, more, off in (
        ("note", "The bear is on C3.", "He keeps grain", "note off"),
        ("Note :", "L’ours est en C3.", "Il attend", "note non"),
    ):
        kept = table.answer(table.reply(1, f"{word} {first}\n{more} on"))
        assert kept.first(NoteTold).text == f"{first}\n{more} on"
        added = table.answer(table.reply(1, f"note {more}"))
        assert added.first(NoteTold).text == f"{first}\n{more} on\n{more}"
        assert f"| {first}" in table.answer(table.reply(1, "note")).text
        assert table.answer(table.reply(1, off)).first(NoteErased).text
        assert not table.answer(table.reply(1, "note")).first(NoteTold).text
    long = table.answer(table.reply(1, f"note {'x' * (private_notes.LONGEST + 1)}"))
    assert long.first(WordRefused).error == "long_note"


@pytest.mark.parametrize("closing", ["Thanks!", "Best wishes,\nAna"])
def test_a_word_about_the_note_may_be_closed_politely(table: Correspondence, closing: str) -> None:
    table.reply(1, "note The bear is on C3.")
    shown = table.answer(table.reply(1, f"note\n\n{closing}"))
    assert (shown.first(NoteTold).text, shown.first(NoteTold).added) == (
        "The bear is on C3.",
        False,
    )
    gone = table.answer(table.reply(1, f"note off\n\n{closing}"))
    assert gone.first(NoteErased).text == "The bear is on C3."


def test_a_turn_below_a_paragraph_that_is_noted_is_played(table: Correspondence) -> None:
    seat, decision, turn = turn_of(table)
    mail = table.reply(seat, f"Note: I am away\nnext week.\n\n{turn}\n\nThanks!", decision)
    told_back = table.answer(mail)
    assert (mail.verdict, told_back.codes) == ("played", ["note", "played"])
    assert told_back.first(NoteTold).text == "I am away\nnext week."


@pytest.mark.parametrize("second", ["PS and this", "note grain"])
def test_a_turn_below_the_first_of_two_words_is_asked_about(
    table: Correspondence, second: str
) -> None:
    seat, decision, turn = turn_of(table)
    mail = table.reply(seat, f"PS sorry\n{turn}\n\n{second}\nand more", decision)
    told_back = table.answer(mail)
    assert told_back.codes == ["order_in_message"]
    assert told_back.first(OrderInMessage).below == "ps"


@pytest.mark.on_postgresql
def test_a_note_is_for_its_players_own_eyes(table: Correspondence) -> None:
    """Neither another seat nor a record, nor who takes the seat over, sees it."""
    seat, _, _ = turn_of(table)
    for who in range(3):
        table.reply(who, f"note grain of seat {who}")
    mine = asked(table)
    assert f"grain of seat {seat}" in mine
    assert mine.count("grain of seat") == 1
    with table.world.service.database.read() as session:
        assert b"grain of" not in records.export(session, session.get_one(Match, table.match_id))
    with table.world.changing() as work:
        locked = locks.lock_number(table.world.service, work, table.match_id)
        guest = Guest(address="dora@example.org", name="Dora")
        asked_over = hosting.replace(table.world.service, work, locked, 1, guest)
        token = table.world.service.keys.token("invitation", locked.id, asked_over.player_id)
    with table.world.service.database.write() as work:
        answer(table.world.service, work, token, "accept")
    match = table.world.match(table.match_id)
    assert match.seats[1].name == "Dora"
    assert match.seats[1].note is None
    for letter in table.world.letters(table.match_id):
        if letter.seat == 1 and letter.player_id == match.seats[1].player_id:
            assert "grain of" not in table.rendered(letter).text
