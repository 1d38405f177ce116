"""The application a view runs in: what it needs of it."""

from __future__ import annotations

from flask import current_app

from service.core.context import Service


def service() -> Service:
    """The service behind these pages."""
    found: Service = current_app.extensions["paleopost"]
    return found
