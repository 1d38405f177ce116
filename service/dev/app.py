"""The pages with those of the embedded product: its mailbox, and the gallery."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Flask

from service.core.db import Queue
from service.core.settings import Settings
from service.web import app


def create_app(settings: Settings, queue: Queue | None = None) -> Flask:
    """As `service.web.app.create_app`, with the pages that the settings ask for besides."""
    return app.create_app(settings, queue, _blueprints(settings))


def _blueprints(settings: Settings) -> Iterator[Blueprint]:
    if settings.mailbox:
        from service.dev.mailbox.web import blueprint as mailbox

        yield mailbox
    if settings.gallery:
        from service.dev.gallery.web import blueprint as gallery

        yield gallery
