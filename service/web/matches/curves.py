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


def curves(session: Session, match: Match, seat: int | None) -> Markup | None:
    """Everybody's points over the turns as inline SVG; None while the match goes on, and for a
    game that has no plot. The page has the game's symbols.
    """
    if match.status != MatchStatus.ENDED or not has_plot(match.game):
        return None
    names = reading.names(match, language.current())
    views = public_views(session, match)
    return plot_svg(match.game, views, seat=seat, names=names, lang=language.current())
