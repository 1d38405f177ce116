"""The clock of who reads a page."""

from __future__ import annotations

from service.time.display import Clock
from service.web import language
from service.web.here import service


def clock(zone: str | None = None) -> Clock:
    """Times in this zone (None: the server's), seen from now, in the language of the page."""
    here = service()
    return Clock(zone or here.settings.zone, language.current(), here.now())
