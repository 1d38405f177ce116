"""Bots to play against, and a game of one player against one of them, opened at once."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

import msgspec
from sqlalchemy import select

from engine.games import games, nearest_size
from engine.protocol import Game, HasFirstPlayer, new_options
from service.core.context import Service
from service.core.errors import Refused
from service.core.models import DecisionRow, Match
from service.core.verdicts import JsonObject
from service.matches.opening import open_once
from service.matches.tables import BotSeat
from service.render import boards
from service.render.bots import called
from service.time.terms import Terms

SMALLEST = 2


def open_bot_game(
    service: Service, host_id: int, game_key: str, nonce: str, lang: str, bot: str
) -> tuple[str, str | None]:
    """The code of the match, and the decision its host is asked for first (None: a bot begins).

    The host sits at seat 0 and begins, where the game lets a table say so. Nothing is held back
    before it is played: bots answer at once. They are all of the kind `bot`, or the middling one
    if the game has no such bot. The same host and nonce again give the same match.
    Raises Refused("unknown_game").
    """
    try:
        game = boards.game_for_tables(service.settings, game_key)
    except KeyError:
        raise Refused("unknown_game", game=game_key) from None
    others = [_seat(game, bot if bot in game.bots else middling(game), lang)] * (
        nearest_size(game, SMALLEST) - 1
    )
    code = open_once(service, host_id, nonce, game_key, others, Terms(), _options(game))
    with service.database.read() as session:
        asked = (
            select(DecisionRow.decision)
            .join(Match)
            .where(Match.code == code, DecisionRow.seat == 0, DecisionRow.closed_entry.is_(None))
        )
        return code, session.scalars(asked.order_by(DecisionRow.decision)).first()


def strongest(game_key: str, count: int, lang: str) -> list[BotSeat]:
    """Seats for the strongest bots of a game, weakest first; the same ones again if it has fewer.
    Raises KeyError for an unknown game.
    """
    game = games()[game_key]
    return [_seat(game, bot, lang) for bot in islice(cycle(list(game.bots)[-count:]), count)]


def _seat(game: Game[Any, Any], bot: str, lang: str) -> BotSeat:
    return BotSeat(bot=bot, name=called(game.key, bot, lang))


def middling(game: Game[Any, Any]) -> str:
    """The bot in the middle of the game's list, which has the weakest first."""
    known = list(game.bots)
    return known[len(known) // 2]


def _options(game: Game[Any, Any]) -> JsonObject:
    if not isinstance(game, HasFirstPlayer):
        return {}
    chosen: JsonObject = msgspec.to_builtins(game.with_first(new_options(game), 0))
    return chosen
