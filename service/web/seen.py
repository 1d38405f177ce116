"""Pages that show a position: how a browser tells that somebody looks at one, and what is no look.

With scripts the page tells by itself (`static/seen.js`) once it is touched, or has been in view for
a while; without them a stylesheet that only a browser that renders the page loads.
"""

from __future__ import annotations

from flask import request, url_for
from sqlalchemy.orm import Session

from service.core.models import Match
from service.matches import seeing
from service.web.here import service

# How browsers say that they fetch what nobody has asked to see yet.
_AHEAD = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


def seen_at(database: Session, *shown: tuple[Match, int | None]) -> str | None:
    """The address at which a page tells that it is looked at, for `pages/base.html`; None if nobody
    needs to know. `shown` are the matches on it, each with the seat whose page it is (None: that of
    spectators).
    """
    marks = seeing.marks(service(), database, shown)
    return url_for("seen.tell", marks=".".join(marks)) if marks else None


def is_ahead() -> bool:
    """True if this is fetched before anybody has asked to see it, or for a preview."""
    return any(request.headers.get(name) for name in _AHEAD)


def is_stylesheet() -> bool:
    """True if a browser asks for the stylesheet of a page of ours. It says so by what it accepts
    (Fetch Standard) and, over HTTPS, by Fetch Metadata; whoever only collects addresses does not.
    """
    headers = request.headers
    return (
        request.method == "GET"
        and "text/css" in headers.get("Accept", "")
        and headers.get("Sec-Fetch-Dest", "style") == "style"
        and headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    )


def is_followed() -> bool:
    """True if somebody has pressed a link of a page of ours (Fetch Metadata); False for browsers
    that do not say so.
    """
    headers = request.headers
    by_hand = headers.get("Sec-Fetch-User") == "?1" and request.method == "GET"
    return by_hand and headers.get("Sec-Fetch-Site") == "same-origin" and not is_ahead()
