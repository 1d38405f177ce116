"""Stylesheet and icon are named with their content's hash, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, request, url_for

STATIC = Path(__file__).resolve().parent / "static"
DAY = 24 * 3600
YEAR = 365 * DAY


@cache
def _version(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]


def asset(name: str) -> str:
    """The address of a file of `static/`."""
    return url_for("static", filename=name, v=_version(name))


def is_asset(name: str) -> bool:
    """True if `static/` has a file of this name."""
    return (STATIC / name).is_file()


def register(app: Flask) -> None:
    """Let browsers keep what is asked for by its hash."""
    app.after_request(_keep)


def _keep(response: Response) -> Response:
    if request.endpoint == "static" and response.status_code == 200:
        if request.args.get("v"):
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        else:
            # What the stylesheet itself refers to: fonts and small drawings.
            response.headers["Cache-Control"] = f"public, max-age={DAY}"
    return response
