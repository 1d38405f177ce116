"""The headers of every answer to the browser, and the guard on every form."""

from __future__ import annotations

from flask import Flask, Response, request
from flask_wtf.csrf import CSRFProtect

from service.web import identity
from service.web.here import service

csrf = CSRFProtect()

# On most pages no script at all, and nothing from elsewhere.
CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

# Nothing here asks for any of it, so nothing that slips in may.
NO_DEVICES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

# The pages that a script of ours makes quicker. They work without it.
SCRIPTED = f"{CONTENT_POLICY}; script-src 'self'; connect-src 'self'"


def register(app: Flask) -> None:
    """Guard all forms of an application and put the headers on all its answers."""
    identity.register(app)
    csrf.init_app(app)
    app.after_request(_headers)


def scripted(response: Response) -> Response:
    """Let this page run our own scripts; nothing else is let in."""
    response.headers["Content-Security-Policy"] = SCRIPTED
    return response


def _headers(response: Response) -> Response:
    """A view's own header goes before these: the mailbox frames its letters."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", NO_DEVICES)
    if service().settings.secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if request.endpoint != "static":
        headers.setdefault("Cache-Control", "no-store")
        headers.setdefault("X-Robots-Tag", "noindex")
    return response
