"""The options of a table: how its game differs from the rulebook's."""

from __future__ import annotations

import msgspec

from engine.games import games
from engine.protocol import HasFirstPlayer
from service.core.models import Match


def chosen_options(match: Match) -> msgspec.Struct | None:
    """The options, of the type of their game; None where they are the rulebook's, whoever begins.

    Raises KeyError if this server has the game no more.
    """
    game = games()[match.game]
    chosen: msgspec.Struct = msgspec.json.decode(match.options, type=game.options_type)
    usual: msgspec.Struct = game.options_type()
    if isinstance(game, HasFirstPlayer):
        usual = game.with_first(usual, game.begun_by(chosen))
    return None if chosen == usual else chosen
