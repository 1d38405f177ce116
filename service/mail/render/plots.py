"""The course of a match, in its last letter: curves, and the same in words."""

from __future__ import annotations

import msgspec

from service.mail.render.draft import Picture
from service.mail.render.table import Table
from service.matches.chronicle import public_views
from service.render.pictures import board_width, has_plot, plot_alt, plot_png


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """The curves of a match. `width` is that of the picture in CSS pixels."""

    picture: Picture
    alt: str
    width: int


def plot(table: Table) -> Plot | None:
    """The course of the match up to the letter's entry; None for a game that has no plot."""
    match, context = table.match, table.context
    if not has_plot(match.game):
        return None
    views = public_views(context.session, match, table.match_view.n)
    alt = plot_alt(match.game, views, seat=table.seat, names=table.names, lang=context.lang)
    png = plot_png(match.game, views, seat=table.seat, names=table.names, lang=context.lang)
    return Plot(picture=context.picture("plot", png), alt=alt, width=board_width(match.game))
