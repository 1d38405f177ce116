"""Components of the operator's own: `BOARDS_DIR/<game>.toml` replaces a game's shipped data.

New tables are dealt from it. A match keeps what it was dealt, because its set-up holds its
options in full.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.games import games
from service.settings import Settings


def own_options(settings: Settings, game_key: str) -> dict[str, Any]:
    """The options that bring the operator's components to a new table; empty without a file.

    Raises the game's ValueError, which names file and line, for a file that cannot be used.
    """
    if settings.boards_dir is None:
        return {}
    path = Path(settings.boards_dir) / f"{game_key}.toml"
    return _read(game_key, path) if path.exists() else {}


@cache
def _read(game_key: str, path: Path) -> dict[str, Any]:
    return games()[game_key].own_components(path.read_text(encoding="utf-8"), str(path))
