"""Pages from templates, in the reader's language."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, request, url_for
from flask_wtf.csrf import generate_csrf

from engine.games import games
from engine.kit.lessons import HasLesson
from service.core.models import SeatRow
from service.render.bots import shown_name
from service.render.templating import LANGUAGES, environment
from service.time.display import Clock
from service.web import identity, language
from service.web.assets import asset
from service.web.drawings import Drawer, board_tables
from service.web.here import service
from service.web.security import scripted

NAMES = {"en": "English", "fr": "Français"}


def page(name: str, status: int = 200, /, *, seen: str | None = None, **context: Any) -> Response:
    """The page `templates/pages/NAME.html` as an answer; one that shows a position tells at the
    address `seen` that it is looked at (`seen.seen_at`).

    Templates know besides: `lang`, `url` (address of an endpoint), `asset`, `csrf_token`,
    `endpoint`, `reader` (the signed-in player or None), `languages` (code, own name, address of
    this page in it), `games` (keys), `picture`, `glance`, `legend`, `illustration`
    and `symbols` (of a `Drawer`), `board_tables`, `name_of` (a seat's; a bot's in this language),
    `can_learn` (whether a game, by its key, has a lesson), `seats_of` (how many play it), `mailbox`
    (whether letters stay in the built-in mailbox).
    """
    lang = language.current()
    settings = service().settings
    drawer = Drawer(lang)

    text = (
        environment(lang)
        .get_template(f"pages/{name}.html")
        .render(
            url=url_for,
            asset=asset,
            csrf_token=generate_csrf,
            reader=identity.reader(),
            languages=[(code, NAMES[code], language.switch(code)) for code in LANGUAGES],
            endpoint=request.endpoint or "",
            games=list(games()),
            mailbox=settings.mailbox,
            picture=drawer.picture,
            glance=drawer.glance,
            legend=drawer.legend,
            illustration=drawer.illustration,
            can_learn=can_learn,
            seats_of=seats_of,
            symbols=drawer.symbols,
            board_tables=board_tables,
            name_of=name_of,
            seen=seen,
            **context,
        )
    )
    answer = Response(text, status, mimetype="text/html")
    return language.remember(scripted(answer) if seen else answer)


def clock(zone: str | None = None) -> Clock:
    """Times in this zone (None: the server's), seen from now, in the language of the page."""
    here = service()
    return Clock(zone or here.settings.zone, language.current(), here.now())


def same_address() -> str | None:
    """The address that was asked for, to be asked for again by a link; None for one that takes
    only forms.
    """
    if request.method in ("GET", "HEAD"):
        return request.full_path.removesuffix("?")
    adapter = current_app.create_url_adapter(request)
    return request.path if adapter and adapter.test(request.path, method="GET") else None


def name_of(row: SeatRow) -> str:
    """The name of who sits there, for this reader: that of a bot in their language."""
    return shown_name(row.match.game, row.bot, row.name, language.current())


def can_learn(game: str) -> bool:
    """True if there is a page to learn the game by."""
    return isinstance(games()[game], HasLesson)


def seats_of(game: str) -> range:
    """The numbers of players there can be, by the game's key."""
    return games()[game].seats
