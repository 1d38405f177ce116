"""What a host can do, from the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from service.cli.root import main
from service.core.context import Service
from service.core.models import Letter, Match, SeatRow
from service.core.statuses import LetterKind, LetterStatus
from service.matches.tables import answer
from tests.support.games import KNOWN
from tests.support.tables import Jobs, settings_for


def run(sqlite_url: str, *words: str) -> Result:
    env = {
        "SECRET_KEY": "test-" * 8,
        "DATABASE_URL": sqlite_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "BASE_URL": "http://paleopost.test",
    }
    return CliRunner().invoke(main, [*words], env=env)


def fetch(sqlite_url: str) -> tuple[Match, list[SeatRow], list[LetterKind]]:
    """The match, everybody ever asked to it, and the kinds of its letters."""
    engine = create_engine(sqlite_url)
    with Session(engine, expire_on_commit=False) as session:
        match = session.scalars(select(Match)).one()
        guests = list(match.invitees)
        kinds = list(session.scalars(select(Letter.kind).order_by(Letter.id)))
    engine.dispose()
    return match, guests, kinds


@pytest.fixture
def inviting(sqlite_url: str) -> str:
    """The code of a table that waits for an answer."""
    seats = ("--seat", "ben@example.org,fr,Ben")
    assert run(sqlite_url, "open-table", KNOWN, "--host", "ana@example.org", *seats).exit_code == 0
    return fetch(sqlite_url)[0].code


@pytest.fixture
def playing(sqlite_url: str, inviting: str) -> str:
    """The same once it is being played."""
    match, guests, _ = fetch(sqlite_url)
    service = Service(settings_for(sqlite_url), Jobs())
    token = service.keys.token("invitation", match.id, guests[1].player_id)
    with service.database.write() as work:
        answer(service, work, token, "accept")
    with service.database.write() as work:
        for letter in work.session.scalars(select(Letter)):
            letter.status, letter.due_at, letter.sent_at = (
                LetterStatus.SENT,
                None,
                letter.created_at,
            )
    service.database.dispose()
    return inviting


def test_a_table_is_called_off(sqlite_url: str, inviting: str) -> None:
    result = run(sqlite_url, "host", inviting, "withdraw")
    assert (result.exit_code, result.stdout) == (0, f"Match {inviting} is called off.\n")
    match = fetch(sqlite_url)[0]
    assert match.status == "cancelled"
    (said,) = [json.loads(line) for line in result.stderr.splitlines() if "host_acted" in line]
    assert (said["act"], said["match"], said["by"]) == ("withdraw", match.id, "operator")


def test_a_join_link_is_for_empty_seats(sqlite_url: str, inviting: str) -> None:
    refused = run(sqlite_url, "host", inviting, "join-link")
    assert refused.exit_code == 2
    assert "No seat is empty" in refused.stderr
    assert run(sqlite_url, "host", inviting, "join-link", "--new", "--revoke").exit_code == 2


def test_a_seat_is_asked_for_and_the_question_taken_back(sqlite_url: str, playing: str) -> None:
    result = run(sqlite_url, "host", playing, "replace", "1", "zoe@example.org,fr,Zoé")
    assert result.stdout == f"Zoé is asked to take seat 1 of match {playing} over.\n"
    assert [g.status for g in fetch(sqlite_url)[1] if g.successor_of == 1] == ["invited"]
    again = run(sqlite_url, "host", playing, "replace", "1", "max@example.org")
    assert again.exit_code == 2
    assert run(sqlite_url, "host", playing, "replace", "1", "--stop").exit_code == 0
    assert [g.status for g in fetch(sqlite_url)[1] if g.successor_of == 1] == ["withdrawn"]
    assert run(sqlite_url, "host", playing, "replace", "1").exit_code == 2


def test_a_player_gets_a_letter_again_and_is_removed(sqlite_url: str, playing: str) -> None:
    before = fetch(sqlite_url)[2]
    lately = run(sqlite_url, "host", playing, "resend", "1")
    assert lately.exit_code == 0, lately.output
    assert len(fetch(sqlite_url)[2]) == len(before) + 1
    assert run(sqlite_url, "host", playing, "remove", "1").exit_code == 0
    assert fetch(sqlite_url)[1][1].left_why == "removed"


def test_more_days(sqlite_url: str, playing: str) -> None:
    results = [run(sqlite_url, "host", playing, "extend", str(seat), "4") for seat in (0, 1)]
    assert sorted(r.exit_code for r in results) == [0, 2], "one of the two is asked"
    assert "has time until" in next(r.stdout for r in results if r.exit_code == 0)
    assert run(sqlite_url, "host", playing, "extend", "0", "99").exit_code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("nosuchcode", "withdraw"),
        ("CODE", "withdraw"),
        ("CODE", "remove", "0"),
        ("CODE", "resend", "7"),
        ("CODE", "extend", "7", "2"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    sqlite_url: str, playing: str, words: tuple[str, ...]
) -> None:
    result = run(sqlite_url, "host", *(playing if w == "CODE" else w for w in words))
    assert result.exit_code == 2
    assert "\npaleopost: " in f"\n{result.stderr}"
    assert "Traceback" not in result.output


def test_the_waits_of_each_game_and_of_a_match(sqlite_url: str, playing: str) -> None:
    told = run(sqlite_url, "waits")
    assert told.exit_code == 0
    assert told.output == "No turn was waited for yet.\n"
    told = run(sqlite_url, "waits", playing)
    assert (
        told.output == f"{KNOWN}  playing  0 player turns, 0 waits: 0 in a hundred; by seat 0, 0\n"
    )
    assert run(sqlite_url, "waits", "nosuch").exit_code == 2
