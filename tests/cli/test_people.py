"""A player's data at the command line: taken along, and erased."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import msgspec
import pytest
from click.testing import CliRunner

from service.cli import main
from service.core.context import Service
from service.core.models import Player
from service.matches.own_data import OwnData
from service.matches.tables import Guest
from tests.cli.test_operators import ANA, BRUNO, ENV, Operator
from tests.support.games import KNOWN
from tests.support.tables import Jobs, World, settings_for


@pytest.fixture
def operator(database_url: str) -> Iterator[Operator]:
    jobs = Jobs()
    service = Service(settings_for(database_url), jobs)
    world = World(service, jobs)
    world.everybody_accepts(world.open([Guest(address=BRUNO, name="Bruno")], KNOWN))
    yield Operator(world, database_url)
    service.database.dispose()


def number_of(operator: Operator, address: str) -> int:
    with operator.world.service.database.read() as session:
        return session.query(Player).filter_by(email=address).one().id


@pytest.mark.on_postgresql
def test_the_data_of_a_player_are_written_for_them_alone(
    operator: Operator, tmp_path: Path
) -> None:
    data = msgspec.json.decode(operator.says("export-player", ANA.upper()), type=OwnData)
    assert data.profile.address == ANA
    assert [place.match for place in data.places] == [operator.world.match(1).code]
    file = tmp_path / "bruno.json"
    number = number_of(operator, BRUNO)
    assert operator.says("export-player", number, "--out", file) == (
        f"All data of {number} are in {file}."
    )
    assert msgspec.json.decode(file.read_bytes(), type=OwnData).profile.address == BRUNO
    assert S_IMODE(file.stat().st_mode) == 0o600
    assert ANA not in file.read_text()
    missing = tmp_path / "none" / "bruno.json"
    said = operator.refuses("export-player", BRUNO, "--out", missing, status=1)
    assert said == f"paleopost: {missing} cannot be written: No such file or directory."


@pytest.mark.on_postgresql
def test_erasing_asks_first_and_leaves_the_match_to_the_others(operator: Operator) -> None:
    number = number_of(operator, BRUNO)
    for answer in ("n\n", ""):
        env = ENV | {"DATABASE_URL": operator.world.service.settings.database_url}
        done = CliRunner().invoke(main, ["erase-player", BRUNO], env=env, input=answer)
        assert done.exit_code == 1
        assert f"Erase player {number} and all their data for good? [y/N]" in done.output
        assert number_of(operator, BRUNO) == number
    done = CliRunner().invoke(main, ["erase-player", BRUNO], env=env, input="y\n")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, f"Player {number} is erased.")
    assert [seat.name for seat in operator.world.match(1).seats] == ["Ana", "Former player"]
    said = operator.refuses("export-player", number)
    assert said == f"paleopost: there is no player {number}."
    ana = number_of(operator, ANA)
    assert operator.says("erase-player", ana, "--yes") == f"Player {ana} is erased."


@pytest.mark.parametrize("command", [("export-player",), ("erase-player", "--yes")])
@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("nobody@example.org", "there is no player nobody@example.org."),
        ("987654", "there is no player 987654."),
        ("ana", "“ana” is not a complete email address."),
        ("-1", "“-1” is not a complete email address."),
    ],
)
def test_who_is_not_there_is_said_and_nothing_done(
    operator: Operator, command: tuple[str, ...], who: str, said: str
) -> None:
    assert operator.refuses(*command, "--", who).startswith(f"paleopost: {said}")
    assert number_of(operator, ANA)
