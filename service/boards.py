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
from service.settings import Settings


def game_for_tables(settings: Settings, key: str) -> Game[Any, Any]:
    """The game new tables are opened with. Raises KeyError for an unknown game, and the game's
    ValueError, which names file and line, for a file that cannot be used."""
    return _load(key, settings.boards_dir)


@cache
def _load(key: str, folder: str | None) -> Game[Any, Any]:
    game = games()[key]
    path = Path(folder) / f"{key}.toml" if folder else None
    if path is None or not path.exists() or not isinstance(game, TakesData):
        return game
    return game.with_data(path.read_text(encoding="utf-8"), str(path))
