"""How often a client, a link and a player may ask. Redis counts; without it each process does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from service.settings import Settings
from service.web import identity
from service.web.blueprints import invitation


def by_link() -> str:
    """Who is counted: the match and the seat that the link was for, whoever presses."""
    args = request.view_args or {}
    return f"link {args.get('code')} {args.get('number')}"


def by_guest() -> str:
    """Who is counted: the guest whose invitation is open here; without one, the client."""
    code = str((request.view_args or {}).get("code"))
    row = invitation.linked(code)
    if row is not None:
        return f"guest {row}"
    return by_player() if identity.reader_id() is not None else get_remote_address()


def by_player() -> str:
    """Who is counted: the signed-in player."""
    return f"player {identity.reader_id()}"


# Of POSTs, by endpoint: how many, and who is counted. Letters are what must not be had for nothing.
POSTS: dict[str, tuple[str, Callable[[], str]]] = {
    "signin.ask": ("30 per 10 minutes", get_remote_address),
    "tables.open_table": ("12 per hour; 40 per day", by_player),
    "rematch.again": ("10 per hour", by_link),
    "invitation.answer": ("20 per minute", by_guest),
    "turn.play": ("60 per minute", by_link),
    "own.say": ("30 per hour", by_link),
    "host.act": ("40 per hour", by_link),
}


# A long form that came back to be mended has cost nothing, and is not counted.
FREE_TO_MEND = frozenset({"tables.open_table"})

WEBHOOKS = "3000 per minute"


def _was_done(response: Response) -> bool:
    return response.status_code < 400


def storage_url(redis_url: str) -> str:
    """The same Redis, as the limiter's library writes it."""
    scheme, _, rest = redis_url.partition("://")
    return f"redis+unix://{rest}" if scheme in ("unix", "redis+socket") else redis_url


def register(app: Flask, settings: Settings) -> None:
    """Count the requests of an application whose blueprints are all there."""
    limiter = Limiter(
        get_remote_address,
        default_limits=[f"{settings.requests_per_minute} per minute"],
        storage_uri=storage_url(settings.redis_url),
        storage_options={"socket_connect_timeout": 1, "socket_timeout": 1},
        swallow_errors=True,
        in_memory_fallback_enabled=True,
        key_prefix="paleopost",
    )
    limiter.init_app(app)
    views: dict[str, Any] = app.view_functions
    limiter.exempt(views["static"])
    limiter.exempt(views["home.healthz"])
    # A provider posts for everybody, from a few addresses.
    views["webhook.receive"] = limiter.limit(WEBHOOKS)(views["webhook.receive"])
    for endpoint, (most, whom) in POSTS.items():
        views[endpoint] = limiter.limit(
            most,
            key_func=whom,
            methods=["POST"],
            override_defaults=False,
            deduct_when=_was_done if endpoint in FREE_TO_MEND else None,
        )(views[endpoint])
