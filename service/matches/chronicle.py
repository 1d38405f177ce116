"""A whole match at once: every position, for who looks back on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine import journal as entries
from engine.protocol import Asks, Game
from service.core.models import EntryRow, Match
from service.core.verdicts import JsonObject
from service.matches import journal


def public_views(session: Session, match: Match, last: int | None = None) -> list[JsonObject]:
    """The public views after the set-up and after each turn, up to that of entry `last` (None: the
    newest), as plain data. Orders alone are no turns: that there is one would tell of it.
    """
    game = journal.game_of(match)
    rows = journal.rows(session, match, 0, last)
    states = _states(game, match, rows)
    newest = {
        row.number: state for row, state in zip(rows, states, strict=True) if row.asks is Asks.MUST
    }
    return [msgspec.to_builtins(game.view(state, None)) for state in newest.values()]


def _states(game: Game[Any, Any], match: Match, rows: list[EntryRow]) -> Iterator[Any]:
    if any(row.state is None for row in rows):
        made = [journal.entry_of(row) for row in rows[1:]]
        for reached in entries.replay(game, journal.setup_of(match), made):
            yield reached.state
        return
    decode = msgspec.json.Decoder(game.state_type).decode
    for row in rows:
        assert row.state is not None
        yield decode(row.state)
