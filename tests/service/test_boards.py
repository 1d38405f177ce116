"""Boards of the operator's own: what cannot be used is said by file and line, before any page."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import games
from engine.protocol import TakesData
from service.core.settings import SettingsError
from service.render.boards import game_for_tables, require_boards
from service.web.app import create_app
from tests.support.tables import Jobs, settings_for

GAME = next(key for key, game in games().items() if isinstance(game, TakesData))


def folder_with(folder: Path, data: bytes) -> Path:
    path = folder / f"{GAME}.toml"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"# fine\n\nthis = is no board\n", "line 3: "),
        (b"# fine\n# caf\xe9\n", "line 2: not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(
    tmp_path: Path, sqlite_url: str, data: bytes, fault: str
) -> None:
    path = folder_with(tmp_path, data)
    settings = settings_for(sqlite_url, BOARDS_DIR=str(tmp_path))
    for refused in (
        lambda: create_app(settings, Jobs()),
        lambda: require_boards(settings),
        lambda: game_for_tables(settings, GAME),
    ):
        with pytest.raises(SettingsError) as caught:
            refused()
        assert caught.value.name == "BOARDS_DIR"
        assert caught.value.reason.startswith(f"{path}, {fault}")


def test_what_is_no_file_or_no_directory_is_named(tmp_path: Path, sqlite_url: str) -> None:
    path = tmp_path / f"{GAME}.toml"
    path.mkdir()
    for folder, reason in (
        (tmp_path, f"{path} cannot be read: "),
        (tmp_path / "none", f"{tmp_path / 'none'} is no directory"),
    ):
        with pytest.raises(SettingsError) as caught:
            require_boards(settings_for(sqlite_url, BOARDS_DIR=str(folder)))
        assert caught.value.reason.startswith(reason)


def test_a_directory_without_a_file_leaves_the_shipped_boards(
    tmp_path: Path, sqlite_url: str
) -> None:
    settings = settings_for(sqlite_url, BOARDS_DIR=str(tmp_path))
    assert game_for_tables(settings, GAME) is games()[GAME]
