"""The curves of a match that is over, drawn into its page."""

from __future__ import annotations

from markupsafe import Markup
from sqlalchemy.orm import Session

from service.core.models import Match
from service.core.statuses import MatchStatus
from service.matches import reading
from service.matches.chronicle import public_views
from service.render.pictures import has_plot, plot_svg
from service.web import language


def curves(session: Session, match: Match, seat: int | None) -> list[Markup]:
    """Everybody's points over the turns as inline SVG: in a column for a narrow page, then in a row
    for a wide one, or one picture for both. None while the match goes on, and for a game that has
    no plot. The page has the game's symbols.
    """
    if match.status != MatchStatus.ENDED or not has_plot(match.game):
        return []
    names, lang = reading.names(match, language.current()), language.current()
    views = public_views(session, match)
    drawn = [
        plot_svg(match.game, views, seat=seat, names=names, lang=lang, across=across)
        for across in (1, len(names))
    ]
    return list(dict.fromkeys(drawn))
