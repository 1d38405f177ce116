"""Who is signed in: a player's id in the signed session cookie."""

from __future__ import annotations

from flask import g, session
from sqlalchemy.orm import Session

from service.models import Player
from service.web.here import service


def reader_id() -> int | None:
    """The id of the player who is signed in."""
    found = session.get("player")
    return found if isinstance(found, int) else None


def reader() -> Player | None:
    """The player who is signed in, for this request; looked up once."""
    if "reader" not in g:
        g.reader = None
        player = reader_id()
        if player is not None:
            with service().database.read() as database:
                g.reader = database.get(Player, player)
    found: Player | None = g.reader
    return found


def reader_in(database: Session) -> Player | None:
    """The player who is signed in, as a row of this database session."""
    player = reader_id()
    return None if player is None else database.get(Player, player)


def enter(player: Player) -> None:
    """Sign a player in, with nothing left of whoever was before."""
    after = session.get("after")
    session.clear()
    session["player"] = player.id
    session.permanent = True
    if after is not None:
        session["after"] = after
    g.pop("reader", None)


def leave() -> None:
    """Sign out."""
    session.clear()
    g.pop("reader", None)
