"""A walk through all pages, in both languages: made-up matches whose clock stands still, and every
page there is of them, without a server.

Pages are asked for once, in the order of the walk, so that no look at one changes another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote, urlencode, urlsplit

from flask.testing import FlaskClient
from playwright.sync_api import Page, Route

from service.core.letter_details import AliasDetails, ErasureDetails, SignInDetails
from service.core.models import Letter, Submission
from service.dev.gallery.shown import kinds
from tests.support.lived import BROKEN, GAME, HOST, SLIP, Lived
from tests.support.reader import Reader

LANGS = ("en", "fr")
PATIENCE = 40
"""How often a form is sent before its answer must be the one that is wanted."""

SEEN_MOST = {"front", "invitation", "match", "turn", "verdict-played", "learn", "rules-game"}
"""Pages that each player passes: `make test` looks at these, `make test-all` at all others, too."""

NOTHING: Mapping[str, str] = MappingProxyType({})


class Stop(NamedTuple):
    """A page: what it is called, its address, whether its reader is signed in, its status.

    With `sends` (part of a form's address) it is what comes back when that form is sent, filled
    in by `typed`. Who is signed in is Ana, or "noor", who has no tables.
    """

    name: str
    address: str
    signed_in: bool = True
    status: int = 200
    sends: str = ""
    typed: Mapping[str, str] = NOTHING
    reader: str = "ana"


class Answer(NamedTuple):
    """What came for an address."""

    status: int
    headers: dict[str, str]
    body: bytes


class Tour:
    """The pages of a made-up service; each language has a service of its own, made when needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lived: dict[str, Lived] = {}
        self._clients: dict[tuple[str, str], FlaskClient] = {}
        self._stops: dict[str, list[Stop]] = {}
        self._answers: dict[tuple[str, str], Answer] = {}
        self._parts: dict[tuple[str, str, str], Answer] = {}

    def lived(self, lang: str) -> Lived:
        """The service of a language."""
        if lang not in self._lived:
            self._lived[lang] = Lived(self._folder / lang, lang)
        return self._lived[lang]

    def letter(self, kind: str, lang: str, at: int = 0) -> tuple[Letter, bytes]:
        """One of the letters of a kind to somebody of this language, and all of its bytes."""
        return self.lived(lang).letter(kind, at)

    @staticmethod
    def kinds() -> list[str]:
        """Every kind of letter."""
        return kinds()

    def client(self, lang: str, signed_in: bool, reader: str = "ana") -> FlaskClient:
        """The browser of Ana or another reader, or a stranger's."""
        key = lang, reader if signed_in else ""
        known = self._clients.get(key)
        if known is None:
            known = self._clients[key] = self.lived(lang).app.test_client()
            known.environ_base["HTTP_ACCEPT_LANGUAGE"] = lang
            if signed_in:
                with known.session_transaction() as session:
                    session["player"] = self.lived(lang).player(reader).id
            else:
                with known.session_transaction() as session:
                    session["mailed"] = f"ana.{lang}@example.org"  # a letter was asked to
        return known

    def stops(self, lang: str) -> list[Stop]:
        """Every page."""
        if lang not in self._stops:
            found = self._stops[lang] = self._found(lang)
            for stop in found:
                assert (lang, stop.name) not in self._answers, stop.name
                self._answers[lang, stop.name] = self._asked(stop, lang)
        return self._stops[lang]

    def _found(self, lang: str) -> list[Stop]:
        lived = self.lived(lang)
        tables, links = lived.tables, lived.links
        playing, ended = tables["playing"].match(), tables["ended"].match()
        asked = tables["playing"].awaited()
        assert asked is not None
        seat, end = f"/m/{playing.code}/0", f"/m/{ended.code}/0"
        turn = f"{seat}/turn/{asked.decision}"
        signin, alias = (lived.letter(kind, -1)[0] for kind in ("signin", "alias"))
        erasure = lived.letter("erasure", -1)[0]
        gone = lived.letter("signin", 0)[0]
        invited, guest = tables["invited"].match(), tables["invited"].guest
        assert guest is not None
        mistaken = {"seat1-name": "Bruno", "seat1-address": "bruno.at.the.river"}
        by_mail = f"/tables/new?game={GAME}&way=mail"
        half = {"quiet-from": "22:00", "quiet-to": ""}
        joinable = tables["open"].match()
        join = _path(links.join(joinable))
        taps, whole = self._choices(turn, lang)
        return [
            Stop("front", "/", False),
            Stop("front-own", "/"),
            Stop("sign-in", "/sign-in", False),
            Stop("sign-in-wrong", "/sign-in", False, 400, "/sign-in", {"address": "ana@"}),
            Stop("sign-in-sent", "/sign-in/sent", False),
            Stop(
                "sign-in-confirm",
                _path(links.sign_in(signin.details_as(SignInDetails).nonce)),
                False,
            ),
            Stop(
                "sign-in-gone",
                _path(links.sign_in(gone.details_as(SignInDetails).nonce)),
                False,
                410,
            ),
            Stop("matches", "/matches"),
            Stop("matches-none", "/matches", reader="noor"),
            Stop("table-new", f"/tables/new?game={GAME}"),
            Stop(
                "table-wrong",
                by_mail,
                True,
                400,
                "/tables/new",
                mistaken,
            ),
            Stop("settings", "/settings"),
            Stop("settings-saved", "/settings/saved?part=you"),
            Stop("settings-wrong", "/settings", True, 400, "/settings/letters", half),
            Stop("address", _path(links.alias(alias.details_as(AliasDetails).nonce)), False),
            Stop("kept", "/what-we-keep", False),
            Stop("erasure", _path(links.erasure(erasure.details_as(ErasureDetails).nonce)), False),
            Stop("invitation", _path(links.invitation(invited, guest)), False),
            Stop("match-open", f"/m/{invited.code}/0"),
            Stop("match-off", f"/m/{tables['cancelled'].match().code}/0"),
            Stop("match", seat),
            Stop("match-past", f"{seat}?n=9&board=1"),
            Stop("match-ended", end),
            Stop("watch", _path(links.watch(playing)), False),
            Stop("watch-ended", _path(links.watch(ended)), False),
            Stop("check", f"{_path(links.watch(playing))}/check", False),
            Stop("check-ended", f"{_path(links.watch(ended))}/check", False),
            Stop("clock", f"{seat}/time"),
            Stop("host", f"{seat}/host"),
            Stop("host-open", f"/m/{joinable.code}/0/host"),
            Stop("join", join, False),
            Stop("join-asked", f"{join}/asked", False),
            Stop("join-member", join, reader="noor"),
            Stop("join-gone", f"{join[:-1]}{'a' if join[-1] != 'a' else 'e'}", False, 404),
            Stop("resign", f"{seat}/resign"),
            Stop("again", f"{end}/again"),
            Stop("replay", f"{end}/replay"),
            Stop("turn", turn),
            Stop("turn-touched", f"{turn}?{urlencode([('tap', tap) for tap in taps])}"),
            Stop("turn-why", f"{turn}?{urlencode([('tap', taps[0]), ('why', 'WL')])}"),
            Stop("turn-whole", f"{turn}?{urlencode([('a', text) for text in whole])}"),
            Stop("turn-typed", f"{turn}?{urlencode({'order': SLIP})}"),
            Stop("turn-unread", f"{turn}?{urlencode({'order': 'xyzzy'})}"),
            Stop("turn-stale", f"{end}/turn/{lived.handed_in('ended', 'played').decision}"),
            Stop("verdict-waiting", self._verdict(lang, "waiting", "received")),
            Stop("verdict-refused", self._verdict(lang, "playing", "refused")),
            Stop("verdict-late", f"{seat}/verdict/{lived.late.code}"),
            Stop("verdict-played", self._verdict(lang, "ended", "played")),
            Stop("verdict-held", self._verdict(lang, "held", "held")),
            Stop("unsubscribe", _path(lived.way_out()), False),
            Stop("rules", "/rules", False),
            Stop("rules-game", f"/rules/{GAME}", False),
            Stop("learn", f"/learn/{GAME}", False),
            Stop("bot-game", f"/play/{GAME}", False),
            Stop("missing", "/nothing", False, 404),
            Stop("too-often", "/sign-in", False, 429, "/sign-in", {"address": "ana@"}),
            Stop("broken", BROKEN, False, 500),
            Stop("health", "/health", False),
            Stop("mailbox", "/mailbox/", False),
            Stop("mailbox-letters", f"/mailbox/?to=ana.{lang}@example.org", False),
            Stop("mailbox-letter", "/mailbox/letter/2/text", False),
            Stop("gallery", "/gallery/", False),
        ]

    def _choices(self, turn: str, lang: str) -> tuple[list[str], list[str]]:
        """What may be touched first, a tile of the own pool; and all steps of the suggestion."""
        source = self.client(lang, signed_in=True).get(turn).text
        tile = re.search(r"\?tap=(tile%3A[^&#\"]+)", source)
        assert tile is not None
        steps = re.findall(r'<option value="([^"]+)" selected', source)
        return [unquote(tile[1])], [unescape(step) for step in steps]

    def _verdict(self, lang: str, table: str, status: str) -> str:
        lived = self.lived(lang)
        slip: Submission = lived.handed_in(table, status)
        return f"/m/{lived.tables[table].match().code}/0/verdict/{slip.code}"

    def _asked(self, stop: Stop, lang: str) -> Answer:
        client = self.client(lang, stop.signed_in, stop.reader)
        if not stop.sends:
            return _answer(client, stop.address)
        reader = Reader(client, lang)
        for _ in range(PATIENCE):
            form = reader.get(stop.address).form(stop.sends)
            for name, value in stop.typed.items():
                form.put(name, value)
            got = reader.press(form).response
            if got.status_code == stop.status:
                break
        return Answer(got.status_code, dict(got.headers), got.data)

    def source(self, stop: Stop, lang: str) -> str:
        """The HTML of a page."""
        return self._answers[lang, stop.name].body.decode()

    def show(self, page: Page, stop: Stop, lang: str) -> int:
        """Open a page in a browser; its status."""
        client = self.client(lang, stop.signed_in, stop.reader)
        first = self._answers[lang, stop.name]

        def answer(route: Route) -> None:
            asked = urlsplit(route.request.url)
            where = f"{asked.path}?{asked.query}" if asked.query else asked.path
            if route.request.is_navigation_request() and where == stop.address:
                found = first
            else:
                # Its clock stands still: what a page draws in is the same at every look.
                part = (lang, stop.reader if stop.signed_in else "", where)
                found = self._parts.get(part) or _answer(client, where)
                self._parts[part] = found
            headers = {name: value for name, value in found.headers.items() if name != "Refresh"}
            route.fulfill(status=found.status, headers=headers, body=found.body)

        page.unroute_all()
        page.route("**/*", answer)
        got = page.goto(HOST + stop.address)
        assert got is not None
        page.evaluate("() => document.fonts.ready.then(() => true)")
        return got.status


def _answer(client: FlaskClient, where: str) -> Answer:
    found = client.get(where, follow_redirects=True)
    return Answer(found.status_code, dict(found.headers), found.data)


def _path(link: str) -> str:
    """A link without the server."""
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
