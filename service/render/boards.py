"""Printed matter of the operator's own: `BOARDS_DIR/<game>.toml` replaces what a game ships with.

New tables are dealt from it. A match keeps what it was dealt, because its set-up holds its
options in full.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.games import games
from engine.protocol import Game, TakesData
from service.core.settings import Settings, SettingsError


def game_for_tables(settings: Settings, key: str) -> Game[Any, Any]:
    """The game new tables are opened with. Raises KeyError for an unknown game, and SettingsError,
    which names file and line, for a file that cannot be used.
    """
    return _load(key, settings.boards_dir)


def require_boards(settings: Settings) -> None:
    """Read the boards of every game, so that a file which cannot be used stops a start and not a
    page. Raises SettingsError.
    """
    for key in games():
        game_for_tables(settings, key)


@cache
def _load(key: str, folder: str | None) -> Game[Any, Any]:
    game = games()[key]
    if folder is None:
        return game
    if not Path(folder).is_dir():
        raise SettingsError("BOARDS_DIR", f"{folder} is no directory")
    path = Path(folder) / f"{key}.toml"
    if not path.exists() or not isinstance(game, TakesData):
        return game
    try:
        raw = path.read_bytes()
        return game.with_data(raw.decode(), str(path))
    except OSError as error:
        raise SettingsError("BOARDS_DIR", f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingsError("BOARDS_DIR", f"{path}, line {line}: not UTF-8") from error
    except ValueError as error:
        raise SettingsError("BOARDS_DIR", str(error)) from error
