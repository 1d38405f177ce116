"""Limits on how often a client, a link and a player may ask. Redis counts; without it each process
does.

Whatever is counted together is what the asker has proven to be: an account, or who has opened a
link of a letter in this browser. Nobody else can use that up. All others are counted by their
client address, whatever they name in what they ask for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address

from service.core import system_clock
from service.core.settings import Settings
from service.web import grants, identity, rendering
from service.web.rendering import page
from service.web.tables import invitation


def by_reader() -> str:
    """The name to count by: the account that is signed in; else who has opened a link to a seat of
    this match; else the client address. The spectators' link is anybody's.
    """
    if request.endpoint in identity.FOR_EVERYBODY:
        return _stranger()
    player = identity.reader_id()
    return f"player {player}" if player is not None else _by_link(lambda _: True)


def by_seat() -> str:
    """The name to count by: an account, or who has opened a link to this whole seat."""
    args = request.view_args or {}
    return _by_account() or _by_link(
        lambda grant: grant.seat == args.get("number") and grant.decision is None
    )


def by_decision() -> str:
    """The name to count by: an account, or who has opened a link to this seat or this decision of
    it.

    A link to one decision is counted apart: who was handed the letter on uses up nothing else.
    """
    args = request.view_args or {}
    opening = (None, args.get("decision"))
    return _by_account() or _by_link(
        lambda grant: grant.seat == args.get("number") and grant.decision in opening
    )


def by_guest() -> str:
    """The name to count by: an account, or the invitee whose invitation is open here."""
    code = str((request.view_args or {}).get("code"))
    guest, player = invitation.linked(code), identity.reader_id()
    if player is not None:
        return f"player {player} {code}"
    return _stranger() if guest is None else f"guest {code} {guest}"


def _by_account() -> str | None:
    """The account that is signed in, apart for each seat it asks about."""
    args, player = request.view_args or {}, identity.reader_id()
    return None if player is None else f"player {player} {args.get('code')} {args.get('number')}"


def _by_link(opens: Callable[[grants.Grant], bool]) -> str:
    code = (request.view_args or {}).get("code")
    given = grants.given(code) if isinstance(code, str) else []
    # Of several the same one each time, whatever the order of the cookies: a whole seat first.
    found = min((_named(g) for g in given if g.seat is not None and opens(g)), default=None)
    return _stranger() if found is None else f"link {code} {found}"


def _named(grant: grants.Grant) -> str:
    return f"{grant.seat} {grant.occupancy} {grant.decision or ''}".rstrip()


def _stranger() -> str:
    return f"client {get_remote_address()}"


# Of POSTs, by endpoint: how many, and who is counted. Letters are what must not be had for nothing.
POSTS: dict[str, tuple[str, Callable[[], str]]] = {
    "signin.ask": ("30 per 10 minutes", _stranger),
    "own_data.ask_erasure": ("6 per hour", by_reader),
    "bot_game.start": ("20 per hour; 60 per day", by_reader),
    "tables.open_table": ("12 per hour; 40 per day", by_reader),
    "rematch.again": ("10 per hour", by_seat),
    "join.take": ("20 per hour", by_reader),
    "invitation.answer": ("20 per minute", by_guest),
    "turn.play": ("60 per minute", by_decision),
    "own.say": ("30 per hour", by_seat),
    "own.note": ("60 per hour", by_seat),
    "own.how_it_goes": ("4 per hour", by_seat),
    "host.act": ("40 per hour", by_seat),
}


# A long form that came back to be mended has cost nothing, and is not counted.
FREE_TO_MEND = frozenset({"tables.open_table"})

# A provider posts for everybody, from a few addresses.
WEBHOOKS = {"webhook.receive": "3000 per minute"}


def _was_done(response: Response) -> bool:
    return response.status_code < 400


def storage_url(redis_url: str) -> str:
    """The same Redis, as the limiter's library writes it."""
    scheme, _, rest = redis_url.partition("://")
    return f"redis+unix://{rest}" if scheme in ("unix", "redis+socket") else redis_url


def limiter_of(app: Flask, settings: Settings) -> Limiter:
    """The limiter of an application: so many requests a minute to each endpoint, counted before any
    other guard looks at them, so that what those refuse is counted, too.
    """
    limiter = Limiter(
        lambda: f"{by_reader()} {request.endpoint}",
        application_limits=[f"{settings.requests_per_minute} per minute"],
        application_limits_exempt_when=lambda: request.endpoint in WEBHOOKS,
        storage_uri=storage_url(settings.redis_url),
        storage_options={"socket_connect_timeout": 1, "socket_timeout": 1},
        swallow_errors=True,
        in_memory_fallback_enabled=True,
        key_prefix="paleopost",
    )
    limiter.init_app(app)
    return limiter


def register(app: Flask, limiter: Limiter) -> None:
    """Count the requests of an application whose blueprints are all there."""
    views: dict[str, Any] = app.view_functions
    limiter.exempt(views["static"])
    limiter.exempt(views["home.healthz"])
    for endpoint, most in WEBHOOKS.items():
        views[endpoint] = limiter.limit(most, key_func=_stranger)(views[endpoint])
    for endpoint, (most, whom) in POSTS.items():
        views[endpoint] = limiter.limit(
            most,
            key_func=whom,
            methods=["POST"],
            deduct_when=_was_done if endpoint in FREE_TO_MEND else None,
        )(views[endpoint])

    def told(_: RateLimitExceeded) -> Response:
        limit = limiter.current_limit
        # `reset_at` is up to a second later than it need be.
        now = system_clock.now().timestamp()
        wait = max(1, math.ceil(limit.reset_at - now)) if limit is not None else 60
        answer = page(
            "problem",
            429,
            status=429,
            code="",
            again=rendering.same_address(),
            wait=max(1, wait - 1),
        )
        # RFC 6585 §4, in seconds
        answer.headers["Retry-After"] = str(wait)
        return answer

    app.register_error_handler(RateLimitExceeded, told)
