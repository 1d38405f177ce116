"""The pages of the gallery. A letter is shown as mail programs show it: in a frame of its own, by
day and by night, with and without pictures.
"""

from __future__ import annotations

import base64
import re
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from engine.games import games
from service.core.featured import featured_game
from service.core.models import Match
from service.dev.gallery.shown import Gallery, gallery, kinds
from service.dev.mailbox.letter import Letter
from service.matches import reading
from service.matches.overview import waits_of
from service.time.display import Clock
from service.web import language
from service.web.assets import STATIC
from service.web.drawings import last_turns
from service.web.grants import Access
from service.web.here import service
from service.web.rendering import page
from service.web.security import CONTENT_POLICY
from service.web.turns import preview

blueprint = Blueprint("gallery", __name__, url_prefix="/gallery")

SCHEMES = ("own", "light", "dark")
"""As the system of the reader has it, or as if it were so."""
WIDTHS = (360, 720)
"""A phone, and a mail program on a desk."""

_SCHEME = re.compile(r"@media\s*(?:screen and\s*)?\(prefers-color-scheme:\s*(light|dark)\)")
_META = re.compile(r'(<meta name="color-scheme" content=")[^"]*"')
_CID = re.compile(r"cid:([^\"'\s>)]+)")


class Switches(msgspec.Struct, frozen=True, kw_only=True):
    """The ways in which things are to be shown."""

    game: str
    scheme: str
    pictures: bool

    def query(self, **changes: str) -> dict[str, str]:
        """As the arguments of an address, with some changed."""
        ours = {"scheme": self.scheme, "pictures": "on" if self.pictures else "off"}
        return self.of_game() | ours | changes

    def of_game(self) -> dict[str, str]:
        """The game as an argument of an address, where there are several."""
        return {"game": self.game} if len(games()) > 1 else {}


def _switches() -> Switches:
    scheme = request.args.get("scheme", SCHEMES[0])
    game = (request.view_args or {}).get("game") or request.args.get("game", "")
    return Switches(
        game=game if game in games() else featured_game(service().settings),
        scheme=scheme if scheme in SCHEMES else SCHEMES[0],
        pictures=request.args.get("pictures") != "off",
    )


def _gallery() -> Gallery:
    return gallery(service().settings, _switches().game)


def _kinds() -> list[str]:
    return _gallery().kinds(language.current())


@blueprint.get("/")
def index() -> Response:
    """The list of what there is: every kind of letter, and the parts of pages."""
    return _framing(page("gallery/index", kinds=_kinds(), switches=_switches()))


@blueprint.get("/letters/<kind>")
def letters(kind: str) -> Response:
    """The letters of a kind."""
    if kind not in kinds():
        abort(404)
    answer = page(
        "gallery/letters",
        kind=kind,
        kinds=_kinds(),
        shown=_gallery().letters(kind, language.current()),
        switches=_switches(),
        schemes=SCHEMES,
        widths=WIDTHS,
    )
    return _framing(answer)


@blueprint.get("/letters/<kind>/first")
def first(kind: str) -> ResponseReturnValue:
    """The first letter of a kind, for a small picture of it."""
    number = _gallery().first(kind, language.current())
    if number is None:
        abort(404)
    to = url_for("gallery.html", number=number)
    return redirect(f"{to}?{urlencode(_switches().query())}")


@blueprint.get("/letter/<int:number>/html")
def html(number: int) -> Response:
    """A letter's HTML part by itself, for the frame."""
    found = _gallery().letter(number)
    if found is None or found.html is None:
        abort(404)
    switches = _switches()
    text = _with_pictures(found) if switches.pictures else _CID.sub("about:blank", found.html)
    answer = Response(_in_scheme(text, switches.scheme), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "frame-ancestors 'self'"
    )
    return answer


@blueprint.get("/parts")
def parts() -> Response:
    """The parts of pages, in a frame whose scheme can be chosen."""
    answer = page(
        "gallery/parts", kinds=_kinds(), switches=_switches(), schemes=SCHEMES, widths=WIDTHS
    )
    return _framing(answer)


@blueprint.get("/parts/shown")
@blueprint.get("/parts/shown/<game>")
def parts_shown(game: str = "") -> Response:
    """Every part with sample data."""
    shown, lang = _gallery(), language.current()
    tables = shown.tables(lang)
    playing = tables["playing"].match()
    with shown.service.database.read() as session:
        match = session.get_one(Match, playing.id)
        asked = reading.open_decisions(session, match, 0)[0]
        access = Access(match=match, row=match.seats[0], whole=True, decisions=())
        told = reading.history(session, match, 0)
        path = url_for("gallery.parts_shown", game=game or None)
        taps = request.args.getlist("tap")
        shown_now = Clock(shown.service.settings.zone, lang, shown.service.now())
        contents = preview.form(session, access, asked, path=path, taps=taps)
        answer = page(
            "gallery/parts_shown",
            seen=None,
            **replace(contents, clock=shown_now).named(),
            waits=waits_of(session, [match])[match.id],
            told=told[-3:],
            marked=last_turns(told, match.last_entry),
            switches=_switches(),
            stylesheet=url_for("gallery.stylesheet", scheme=_switches().scheme),
        )
    answer.set_data(_in_scheme(answer.get_data(as_text=True), _switches().scheme))
    answer.headers["Content-Security-Policy"] = CONTENT_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    )
    return answer


@blueprint.get("/<any(own, light, dark):scheme>.css")
def stylesheet(scheme: str) -> Response:
    """The house style as a system of this scheme sees it."""
    text = (STATIC / "style.css").read_text(encoding="utf-8")
    text = text.replace("url(", f"url({url_for('static', filename='')}")
    return Response(_in_scheme(text, scheme), mimetype="text/css")


def _framing(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = f"{CONTENT_POLICY}; frame-src 'self'"
    return answer


def _in_scheme(text: str, scheme: str) -> str:
    """A style sheet, or a page with one, as if the reader's system had this scheme."""
    if scheme == "own":
        return text
    text = _SCHEME.sub(lambda found: f"@media {'all' if found[1] == scheme else 'not all'}", text)
    text = text.replace("color-scheme: light dark", f"color-scheme: {scheme}")
    return _META.sub(rf'\g<1>{scheme}"', text)


def _with_pictures(letter: Letter) -> str:
    """The HTML part with its pictures in it."""
    by_cid = {part.cid: part for part in letter.pictures}

    def put(found: re.Match[str]) -> str:
        part = by_cid.get(found[1])
        if part is None:
            return found[0]
        return f"data:{part.kind};base64,{base64.b64encode(part.body).decode()}"

    return _CID.sub(put, letter.html or "")
