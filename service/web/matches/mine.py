"""My matches: whose move, since when."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.core.featured import featured_game
from service.matches.overview import tables_of
from service.matches.results import results_of
from service.web import language
from service.web.here import service
from service.web.identity import members_only, reader_in
from service.web.matches.glances import drawn, glances
from service.web.rendering import clock, page
from service.web.seen import seen_at

blueprint = Blueprint("matches", __name__)


@blueprint.get("/matches")
@members_only
def own() -> Response:
    """The tables of the signed-in player; of those that are over, the ones asked for."""
    with service().database.read() as database:
        player = reader_in(database)
        assert player is not None
        results = results_of(database, player, language.current())
        ending, opponent = request.args.get("result", ""), request.args.get("with", "")
        chosen = results.chosen(ending, opponent) if ending or opponent else None
        tables = tables_of(database, player, chosen)
        boards = glances(database, tables)
        return page(
            "matches",
            results=results,
            ending=ending,
            opponent=opponent,
            clock=clock(player.zone),
            tables=tables,
            glances=boards,
            older=[
                table
                for table in tables
                if table.match.id in results.past and table.match.id not in boards
            ],
            player=player,
            shown=featured_game(service().settings),
            seen=seen_at(database, *drawn(tables)),
        )
