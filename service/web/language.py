"""In which language a page speaks: asked for, chosen before, the player's own, or the browser's."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Response, g, request
from werkzeug.wrappers import Response as AnyResponse

from service.render.templating import LANGUAGES, SOURCE_LANGUAGE
from service.web.here import service
from service.web.identity import reader

COOKIE = "lang"
KEEP_FOR = 365 * 24 * 3600


def prefer(lang: str) -> None:
    """Note the language of the seat or guest this page is for."""
    g.seat_lang = lang


def current() -> str:
    """The language of this answer, one of LANGUAGES."""
    asked = request.args.get("lang")
    chosen = request.cookies.get(COOKIE)
    signed_in = reader()
    for lang in (asked, chosen, g.get("seat_lang"), signed_in.lang if signed_in else None):
        if lang in LANGUAGES:
            return lang
    return of_browser() or SOURCE_LANGUAGE


def of_browser() -> str | None:
    """The language this browser asks for, if it is one of LANGUAGES."""
    return request.accept_languages.best_match(LANGUAGES)


def named() -> str:
    """The language that the address names, whoever asks, one of LANGUAGES: for answers that are
    kept by their address. No cookie is set for it.
    """
    asked = request.args.get("lang")
    return asked if asked in LANGUAGES else SOURCE_LANGUAGE


def switch(lang: str) -> str:
    """The address of this page in another language. What a POST answered is asked for anew."""
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "lang"]
    return f"?{urlencode([*kept, ('lang', lang)])}"


def remember(response: Response) -> Response:
    """Keep a language that was asked for, in this browser."""
    asked = request.args.get("lang")
    if asked in LANGUAGES and asked != request.cookies.get(COOKIE):
        response.set_cookie(
            COOKIE,
            asked,
            max_age=KEEP_FOR,
            httponly=True,
            samesite="Lax",
            secure=service().settings.secure,
        )
    return response


def forget(response: AnyResponse) -> AnyResponse:
    """Let the player's own language speak again."""
    response.delete_cookie(COOKIE)
    return response
