"""The game that newcomers are shown."""

from __future__ import annotations

from engine.games import games
from service.core.settings import Settings


def featured_game(settings: Settings) -> str:
    """The key of the game on the front page, of the demonstration match and of samples: FEATURED,
    or the lightest.
    """
    return settings.featured or next(iter(games()))
