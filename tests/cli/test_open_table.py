"""Opening a table from the command line: what it agrees on about time."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from engine.games import games
from service.cli.root import main
from service.core.models import Match
from tests.support.games import KNOWN

TABLE = ("open-table", KNOWN, "--host", "ana@example.org", "--seat", "bot:random")


def run(sqlite_url: str, *more: str, **settings: str) -> Result:
    env = settings | {
        "SECRET_KEY": "test-" * 8,
        "DATABASE_URL": sqlite_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "BASE_URL": "http://paleopost.test",
    }
    return CliRunner().invoke(main, [*TABLE, *more], env=env)


def opened(sqlite_url: str) -> Match:
    engine = create_engine(sqlite_url)
    with Session(engine, expire_on_commit=False) as session:
        match = session.scalars(select(Match)).one()
    engine.dispose()
    return match


def test_three_days_a_turn_unless_it_is_said_otherwise(sqlite_url: str) -> None:
    assert run(sqlite_url).exit_code == 0
    match = opened(sqlite_url)
    assert (match.pace_days, match.bank_hours, match.playing_days) == (3, None, 127)
    assert (match.timeout, match.hold_minutes) == ("wait", 0)


def test_a_bank_on_workdays_with_a_bot_when_time_is_up(sqlite_url: str) -> None:
    more = "--bank 240 --increment 6 --days mon,tue,Wed,thu,fri --timeout bot --hold 30"
    result = run(sqlite_url, *more.split())
    assert result.exit_code == 0, result.output
    match = opened(sqlite_url)
    assert (match.pace_days, match.bank_hours, match.increment_hours) == (0, 240, 6)
    assert (match.playing_days, match.timeout, match.hold_minutes) == (0b0011111, "bot", 30)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--days", "mon,funday"), "funday"),
        (("--timeout", "shout"), "shout"),
        (("--pace", "0"), "1 to 30 days"),
    ],
)
def test_what_does_not_fit_is_said(sqlite_url: str, more: tuple[str, str], said: str) -> None:
    result = run(sqlite_url, *more)
    assert result.exit_code != 0
    assert said in result.output


def test_a_featured_game_that_is_none_is_said_in_a_sentence(sqlite_url: str) -> None:
    result = run(sqlite_url, FEATURED="poker")
    assert result.exit_code == 1
    known = ", ".join(games())
    said = f"paleopost: FEATURED: there is no game 'poker'; there are: {known}\n"
    assert result.output == said


def test_all_that_is_wrong_is_said_at_once(sqlite_url: str) -> None:
    wrong = "--seat bot:hal --seat nobody,xx --pace x --days mon,fun --option a=b --hold never"
    result = run(sqlite_url, *wrong.split())
    assert result.exit_code == 2
    assert result.output.startswith("paleopost: 7 things have to be mended.")
    for word in ("hal", "nobody", "xx", "--pace", "fun", "“a”", "--hold"):
        assert word in result.output
    assert "'" not in result.output, "no Python"


def test_tables_are_listed_with_their_codes(sqlite_url: str) -> None:
    assert run(sqlite_url).exit_code == 0
    assert run(sqlite_url, "--seat", "g1@example.org,fr,Guest").exit_code == 0
    env = {
        "SECRET_KEY": "test-" * 8,
        "DATABASE_URL": sqlite_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "BASE_URL": "http://paleopost.test",
    }
    listed = CliRunner().invoke(main, ["tables"], env=env).stdout.splitlines()
    assert listed[0].split() == ["CODE", "GAME", "STATE", "PLAYERS", "WAITS", "FOR"]
    assert "inviting" in listed[1]
    assert "answers of Guest" in listed[1]
    assert "playing" in listed[2]
    assert "(seat " in listed[2]
    assert CliRunner().invoke(main, ["tables", "--state", "over"], env=env).stdout == (
        "There are no such tables.\n"
    )
    code = listed[2].split()[0]
    verified = CliRunner().invoke(main, ["verify", code], env=env)
    assert verified.exit_code == 3
    assert f"match {code} is unfinished" in verified.output
