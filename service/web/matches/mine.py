"""My matches: whose move, since when."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.featured import featured_game
from service.matches.overview import tables_of
from service.web.clocks import clock
from service.web.here import service
from service.web.identity import reader_in
from service.web.matches.glances import drawn, glances
from service.web.members import members_only
from service.web.rendering import page
from service.web.seen import seen_at

blueprint = Blueprint("matches", __name__)


@blueprint.get("/matches")
@members_only
def own() -> Response:
    """The tables of the signed-in player."""
    with service().database.read() as database:
        player = reader_in(database)
        assert player is not None
        tables = tables_of(database, player)
        return page(
            "matches",
            clock=clock(player.zone),
            tables=tables,
            glances=glances(database, tables),
            player=player,
            shown=featured_game(service().settings),
            seen=seen_at(database, *drawn(tables)),
        )
