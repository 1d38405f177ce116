"""Boards of the operator's own: a file `BOARDS_DIR/<game>.toml` replaces the shipped data of a game.

New tables are dealt from it; a match keeps what it was dealt, because its set-up holds its options in full.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.games import games
from engine.protocol import Game
from service.settings import Settings


def game(settings: Settings, key: str) -> Game[Any, Any]:
    """The game by this key, with the operator's data if there is a file of it.

    Raises KeyError for an unknown game, and the game's own data error (a ValueError that names file and
    line) for a file that cannot be used.
    """
    return _load(key, settings.boards_dir)


@lru_cache(maxsize=16)
def _load(key: str, folder: str | None) -> Game[Any, Any]:
    found = games()[key]
    if folder is None:
        return found
    path = Path(folder) / f"{key}.toml"
    if not path.exists():
        return found
    return found.with_data(path.read_text(encoding="utf-8"), str(path))
