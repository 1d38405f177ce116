"""The web application: pages over the use cases."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import structlog
from flask import Blueprint, Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.core.context import Service
from service.core.db import Queue
from service.core.jobs import CeleryQueue, make_celery
from service.core.logs import warn_of_unchecked_senders
from service.core.settings import Settings
from service.render.boards import require_boards
from service.web import assets, converters, errors, limits, security
from service.web.blueprints import BLUEPRINTS
from service.web.identity import SIGNED_IN_FOR

log = structlog.get_logger(__name__)

STATIC = Path(__file__).resolve().parent / "static"
LARGEST_FORM = 64 * 1024
MOST_FIELDS = 200


class Pages(Flask):
    """A Flask application that logs no address: links hold keys."""

    def log_exception(self, exc_info: Any) -> None:
        """Tell the operator what broke, and where."""
        log.error(
            "page_failed", endpoint=request.endpoint, method=request.method, exc_info=exc_info
        )


def create_app(
    settings: Settings, queue: Queue | None = None, more: Iterable[Blueprint] = ()
) -> Flask:
    """The application for these settings; its `Service` is `app.extensions["paleopost"]`.

    `queue` is where jobs are enqueued; by default the Celery application of the same settings.
    `more` are blueprints beside the product's own (`service.dev.app` has some).
    Raises SettingsError for boards that cannot be used.
    """
    require_boards(settings)
    app = Pages("service", static_folder=str(STATIC), static_url_path="/static")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SECRET_KEY_FALLBACKS=list(settings.older_secret_keys),
        # For itsdangerous the newest comes last: it signs, and all verify.
        WTF_CSRF_SECRET_KEY=settings.secret_keys[::-1],
        SESSION_COOKIE_NAME="paleopost",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure,
        PERMANENT_SESSION_LIFETIME=SIGNED_IN_FOR,
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        MAX_FORM_PARTS=MOST_FIELDS,
        PREFERRED_URL_SCHEME="https" if settings.secure else "http",
        # A form may lie open for days: its token lives as long as the session.
        WTF_CSRF_TIME_LIMIT=None,
        # Our pages send no referrer (mail.md), so Flask-WTF must not ask for one.
        WTF_CSRF_SSL_STRICT=False,
    )
    if settings.proxies:
        trusted = settings.proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=trusted
        )
    app.extensions["paleopost"] = Service(settings, queue or CeleryQueue(make_celery(settings)))
    converters.register(app)
    assets.register(app)
    limiter = limits.limiter_of(app, settings)
    security.register(app)
    errors.register(app)
    for blueprint in (*BLUEPRINTS, *more):
        app.register_blueprint(blueprint)
    limits.register(app, limiter)
    warn_of_unchecked_senders(settings)
    return app
