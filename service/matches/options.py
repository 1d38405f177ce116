"""The options of a table: how its game differs from the rulebook's."""

from __future__ import annotations

import msgspec

from engine.games import games
from engine.protocol import HasFirstPlayer, later_options, new_options
from service.core.models import Match


def chosen_options(match: Match) -> msgspec.Struct | None:
    """The options, of the type of their game; None where they are the rulebook's, whoever begins,
    and whether or not the table is older than some of them.

    Raises KeyError if this server has the game no more.
    """
    game = games()[match.game]
    chosen: msgspec.Struct = msgspec.json.decode(match.options, type=game.options_type)
    later = {name: getattr(chosen, name) for name in later_options(game)}
    usual: msgspec.Struct = new_options(game, later)
    if isinstance(game, HasFirstPlayer):
        usual = game.with_first(usual, game.begun_by(chosen))
    return None if chosen == usual else chosen
