"""A walk through all pages, in both languages: made-up matches whose clock stands still, and every
page there is of them, without a server.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from flask.testing import FlaskClient
from playwright.sync_api import Page, Route
from sqlalchemy import select

from service.app import create_app
from service.gallery.sample import SampleService, Table, live
from service.gallery.shown import kinds
from service.letters import render, unsubscribing
from service.links import Links
from service.mailbox.store import FILE, MailboxStore
from service.models import Letter, Match, Player, Submission
from service.usecases import aliases, moves, players
from tests.support.tables import Bells, settings_for

GAME = "sapiens"
LANGS = ("en", "fr")
HOST = "http://paleopost.test"
SLIP = "lay hunt-fire A1 H5"


class Stop(NamedTuple):
    """A page: what it is called, its address, whether its reader is signed in, its status."""

    name: str
    address: str
    signed_in: bool = True
    status: int = 200


class Tour:
    """The pages of a made-up service."""

    def __init__(self, folder: Path) -> None:
        settings = settings_for(
            f"sqlite:///{folder / 'unused.db'}",
            REQUESTS_PER_MINUTE="1000000",
            MAILBOX="1",
            GALLERY="0",
            PALEOPOST_DATA=str(folder),
            BASE_URL=HOST,
            LMTP_LISTEN="127.0.0.1:1",
        )
        self.app = create_app(settings, Bells())
        self.service = SampleService(settings, folder)
        self.app.extensions["paleopost"] = self.service
        self.links = Links(self.service)
        self.tables = {lang: _lived(self.service, lang) for lang in LANGS}
        self._ask_again()
        self._keep_letters(folder)
        self._clients: dict[tuple[str, bool], FlaskClient] = {}

    def _ask_again(self) -> None:
        """Let everybody have links that have not run out."""
        for lang in LANGS:
            with self.service.database.write() as work:
                ana = work.session.get_one(Player, self.player(lang).id)
                aliases.add(self.service, work, ana, f"ana.{lang}@example.com")
                players.ask_sign_in(self.service, work, ana.email, lang)

    def _keep_letters(self, folder: Path) -> None:
        """Put a letter of each language into the mailbox."""
        store = MailboxStore(folder)
        for lang in LANGS:
            for kind in ("start", "turn"):
                letter, raw = self.letter(kind, lang)
                store.keep("play@paleopost.test", [letter.player.email], raw)
        store.close()
        with closing(sqlite3.connect(folder / FILE)) as kept, kept:
            # The mailbox goes by the real time; here it stands still.
            kept.execute("UPDATE message SET received_at = ?", (self.service.at.isoformat(),))

    def letter(self, kind: str, lang: str, at: int = 0) -> tuple[Letter, bytes]:
        """One of the letters of a kind to somebody of this language, and all of its bytes."""
        with self.service.database.read() as session:
            found = session.scalars(select(Letter).where(Letter.kind == kind).order_by(Letter.id))
            letter = [one for one in found if one.player.lang == lang][at]
            return letter, render(self.service, session, letter)

    @staticmethod
    def kinds() -> list[str]:
        """Every kind of letter."""
        return kinds()

    def client(self, lang: str, signed_in: bool) -> FlaskClient:
        """Ana's browser, or a stranger's."""
        known = self._clients.get((lang, signed_in))
        if known is None:
            known = self._clients[lang, signed_in] = self.app.test_client()
            known.environ_base["HTTP_ACCEPT_LANGUAGE"] = lang
            if signed_in:
                with known.session_transaction() as session:
                    session["player"] = self.player(lang).id
        return known

    def player(self, lang: str) -> Player:
        """Ana."""
        with self.service.database.read() as session:
            return session.scalars(
                select(Player).where(Player.email == f"ana.{lang}@example.org")
            ).one()

    def stops(self, lang: str) -> list[Stop]:
        """Every page."""
        tables = self.tables[lang]
        playing, ended = tables["playing"].match(), tables["ended"].match()
        asked = tables["playing"].awaited()
        assert asked is not None
        seat = f"/m/{playing.code}/0"
        turn = f"{seat}/turn/{asked.decision}"
        signin, alias = (self.letter(kind, lang, -1)[0] for kind in ("signin", "alias"))
        invited, guest = tables["invited"].match(), tables["invited"].guest
        touched = urlencode([("tap", tap) for tap in self._tap(turn, lang)])
        assert guest is not None
        return [
            Stop("front", "/", False),
            Stop("front-own", "/"),
            Stop("sign-in", "/sign-in", False),
            Stop("sign-in-sent", "/sign-in/sent", False),
            Stop("sign-in-confirm", _path(self.links.sign_in(signin.details["nonce"])), False),
            Stop("matches", "/matches"),
            Stop("table-new", "/tables/new"),
            Stop("settings", "/settings"),
            Stop("address", _path(self.links.alias(alias.details["nonce"])), False),
            Stop("invitation", _path(self.links.invitation(invited, guest)), False),
            Stop("match-open", f"/m/{invited.code}/0"),
            Stop("match-off", f"/m/{tables['cancelled'].match().code}/0"),
            Stop("match", seat),
            Stop("match-past", f"{seat}?n=9&board=1"),
            Stop("match-ended", f"/m/{ended.code}/0"),
            Stop("watch", _path(self.links.watch(playing)), False),
            Stop("clock", f"{seat}/time"),
            Stop("host", f"{seat}/host"),
            Stop("resign", f"{seat}/resign"),
            Stop("again", f"/m/{ended.code}/0/again"),
            Stop("replay", f"/m/{ended.code}/0/replay"),
            Stop("turn", turn),
            Stop(
                "turn-touched",
                f"{turn}?{touched}",
            ),
            Stop("turn-typed", f"{turn}?{urlencode({'order': SLIP})}"),
            Stop("turn-stale", f"/m/{ended.code}/0/turn/{self._first(ended, 0)}"),
            Stop("verdict-refused", f"{seat}/verdict/{self._handed_in(playing, 'refused')}"),
            Stop("verdict-played", f"/m/{ended.code}/0/verdict/{self._handed_in(ended, 'played')}"),
            Stop("verdict-held", self._held(tables["held"].match())),
            Stop("unsubscribe", self._way_out(lang), False),
            Stop("rules", "/rules", False),
            Stop("rules-game", f"/rules/{GAME}", False),
            Stop("missing", "/nothing", False, 404),
            Stop("mailbox", "/mailbox/", False),
            Stop("mailbox-letters", f"/mailbox/?to=ana.{lang}@example.org", False),
            Stop("mailbox-letter", f"/mailbox/letter/{2 if lang == 'en' else 4}/text", False),
        ]

    def _tap(self, turn: str, lang: str) -> list[str]:
        """What is touched first: something of the own pool."""
        source = self.client(lang, signed_in=True).get(turn).text
        found = source.split("?tap=", 1)[1].split("#", 1)[0].split("&", 1)[0]
        return [found.replace("%3A", ":")]

    def _first(self, match: Match, seat: int) -> str:
        return self._submission(match, seat, "played").decision

    def _handed_in(self, match: Match, status: str) -> str:
        return self._submission(match, 0, status).code

    def _held(self, match: Match) -> str:
        code = self._submission(match, 0, "received").code
        return f"/m/{match.code}/0/verdict/{code}"

    def _submission(self, match: Match, seat: int, status: str) -> Submission:
        with self.service.database.read() as session:
            return session.scalars(
                select(Submission)
                .where(
                    Submission.match_id == match.id,
                    Submission.seat == seat,
                    Submission.status == status,
                )
                .order_by(Submission.id)
            ).all()[-1]

    def _way_out(self, lang: str) -> str:
        letter, _ = self.letter("turn", lang)
        found = unsubscribing.address(self.service, "turn", letter.player_id, letter.match_id)
        assert found is not None
        return _path(found)

    def show(self, page: Page, stop: Stop, lang: str) -> int:
        """Open a page in a browser; its status."""
        client = self.client(lang, stop.signed_in)

        def answer(route: Route) -> None:
            asked = urlsplit(route.request.url)
            found = client.get(
                f"{asked.path}?{asked.query}" if asked.query else asked.path, follow_redirects=True
            )
            headers = {name: value for name, value in found.headers if name != "Refresh"}
            route.fulfill(status=found.status_code, headers=headers, body=found.data)

        page.unroute_all()
        page.route("**/*", answer)
        got = page.goto(HOST + stop.address)
        assert got is not None
        page.evaluate("() => document.fonts.ready.then(() => true)")
        return got.status


def _lived(service: SampleService, lang: str) -> dict[str, Table]:
    """The tables of a language: besides those of the story, one where a turn waits to be played."""
    tables = live(service, GAME, lang)
    held = Table(service, GAME, lang).answered("accept").play_until(0, 4)
    with service.database.write() as work:
        work.session.get_one(Match, held.id).hold_minutes = 60
    held.play(1)
    playing = tables["playing"]
    asked = playing.awaited()
    assert asked is not None
    with service.database.write() as work:
        slip = moves.receive(
            service,
            work,
            match_id=playing.id,
            seat=0,
            decision=asked.decision,
            body=SLIP,
            lang=lang,
            source="form",
        )
    moves.play(service, slip.id)
    return tables | {"held": held}


def _path(link: str) -> str:
    """A link without the server."""
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
