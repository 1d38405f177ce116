"""A match to play at once: one person against bots, on a fresh installation."""

from __future__ import annotations

from sqlalchemy import func, select

from engine.games import games, nearest_size
from service.core.context import Service
from service.core.db import Work
from service.core.featured import featured_game
from service.core.models import Match
from service.matches.opponents import strongest
from service.matches.tables import open_table
from service.players.accounts import meet


def demo(service: Service, work: Work, address: str, name: str, lang: str) -> Match | None:
    """Open the demonstration match, unless there are matches already.

    Of the featured game, with two of its strongest bots (a game lists its bots weakest first), or
    with as many as it is for.
    """
    if work.session.scalar(select(func.count()).select_from(Match)):
        return None
    game = games()[featured_game(service.settings)]
    host = meet(service, work.session, address, name, lang)
    others = nearest_size(game, 3) - 1
    return open_table(service, work, host, game.key, strongest(game.key, others, lang))
