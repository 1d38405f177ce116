"""The hard replies: whatever mail programs and other players do, nothing is done that its writer
did not mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inbox import hard


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, hard.HardTable]]:
    """The tables of both languages."""
    folder: Path = tmp_path_factory.mktemp("hard")
    found = hard.tables(folder)
    yield found
    for table in found.values():
        table.service.database.dispose()


@pytest.mark.parametrize("name", hard.names())
def test_hard_reply(name: str, tables: dict[str, hard.HardTable]) -> None:
    wanted = hard.expected(name)
    table = tables[wanted.lang].again(wanted.said, pause=wanted.pause)
    became = table.receive(hard.raw(name))
    same = table.same_turn(became.turn, wanted.turn)
    assert not became.wrong(wanted, same), (became, wanted)
    assert (became.outcome, became.does) == (wanted.outcome, wanted.does)


def test_there_are_enough_of_them() -> None:
    assert len(hard.names()) >= 60
    for client in ("gmail", "outlook-desktop", "outlook-web", "outlook-ios", "apple-mail", "yahoo",
                   "thunderbird", "k9", "samsung", "orange", "free", "laposte"):  # fmt: skip
        assert any(name.startswith(f"{client}-") for name in hard.names()), client
