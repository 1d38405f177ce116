"""A made-up service in one language, in which everything has happened that a page tells of. Its
clock stands still.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cached_property
from pathlib import Path

from flask import Flask
from sqlalchemy import select, text

from service.access.links import Links
from service.core import heartbeat, locks, schema
from service.core.models import DecisionRow, Letter, Player, Submission
from service.core.statuses import LetterKind
from service.dev.app import create_app
from service.dev.gallery.sample import ENOUGH, SAID, SampleService, Table, live
from service.dev.mailbox.store import FILE, MailboxStore
from service.mail.render import render
from service.matches import moves
from service.outgoing import one_click
from service.players import accounts, aliases, erasure_links
from tests.support.games import KNOWN
from tests.support.tables import Jobs, settings_for

GAME = KNOWN
INVITES = "mammoths"
HOST = "http://paleopost.test"
SLIP = "lay hunt-fire A1 H5"
"""A turn that is against the rules."""

BROKEN = "/broken"


class Lived:
    """The service, its application, and what is found in it.

    `tables` are those of the gallery's story and two more: "held", where a turn may still be taken
    back, and "waiting", where one was handed in and no worker came. `late` came too late.
    """

    def __init__(self, folder: Path, lang: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.lang, self._folder = lang, folder
        settings = settings_for(
            f"sqlite:///{folder / 'unused.db'}",
            REQUESTS_PER_MINUTE="1000000",
            MAILBOX="1",
            GALLERY="1",
            FEATURED=GAME,
            PALEOPOST_DATA=str(folder),
            BASE_URL=HOST,
            LMTP_LISTEN="127.0.0.1:1",
        )
        self.app: Flask = create_app(settings, Jobs())
        self.app.add_url_rule(BROKEN, "broken", _break)
        self.service = SampleService(settings, folder)
        self.app.extensions["paleopost"] = self.service
        self.links = Links(self.service)
        self.tables = live(self.service, GAME, lang)
        self.late = self._come_late()
        self._refuse()
        self.tables["waiting"] = self._waiting()
        # Last: no time passes any more, and the turn can still be taken back.
        self.tables["held"] = self._held()
        self._ask_again()
        self._keep_letters(folder)
        self._run()

    def player(self, name: str = "ana") -> Player:
        """Somebody of the story, or "noor", who has no tables."""
        with self.service.database.read() as session:
            address = f"{name}.{self.lang}@example.org"
            return session.scalars(select(Player).where(Player.email == address)).one()

    def letter(self, kind: str, at: int = 0) -> tuple[Letter, bytes]:
        """One of the letters of a kind, and all of its bytes."""
        service = self.inviting if kind == LetterKind.ORDERS else self.service
        with service.database.read() as session:
            found = session.scalars(select(Letter).where(Letter.kind == kind).order_by(Letter.id))
            letter = [one for one in found if one.player.lang == self.lang][at]
            return letter, render(service, session, letter)

    @cached_property
    def inviting(self) -> SampleService:
        """A service of its own, with a match of a game that invites to file, as `GAME` never does,
        played until Ana is invited.
        """
        folder = self._folder / "inviting"
        folder.mkdir()
        service = SampleService(self.service.settings, folder)
        table = Table(service, INVITES, self.lang).answered("accept")
        to_ana = (
            select(Letter)
            .join(Letter.player)
            .where(Letter.kind == LetterKind.ORDERS, Player.email == f"ana.{self.lang}@example.org")
        )
        for _ in range(ENOUGH):
            with service.database.read() as session:
                if session.scalars(to_ana).first() is not None:
                    return service
            table.play(1)
        raise AssertionError(f"nobody is invited in {INVITES}")

    def handed_in(self, table: str, status: str) -> Submission:
        """Ana's newest turn of this status."""
        with self.service.database.read() as session:
            return session.scalars(
                select(Submission)
                .where(
                    Submission.match_id == self.tables[table].id,
                    Submission.seat == 0,
                    Submission.status == status,
                )
                .order_by(Submission.id)
            ).all()[-1]

    def way_out(self) -> str:
        """The link by which letters are ended."""
        letter, _ = self.letter("turn")
        found = one_click.address(self.service, LetterKind.TURN, letter.player_id, letter.match_id)
        assert found is not None
        return found

    def _hand_in(self, table: Table, body: str) -> int:
        asked = table.awaited()
        assert asked is not None
        with self.service.database.write() as work:
            return moves.receive(
                self.service,
                work,
                match=locks.lock_number(self.service, work, table.id),
                seat=asked.seat,
                decision=asked.decision,
                body=body,
                lang=self.lang,
                source="form",
            ).id

    def _refuse(self) -> None:
        moves.play(self.service, self._hand_in(self.tables["playing"], SLIP))

    def _come_late(self) -> Submission:
        """Ana's turn for a decision that she has made, with a line to go with it."""
        table = self.tables["playing"]
        with self.service.database.write() as work:
            match = locks.lock_number(self.service, work, table.id)
            made = select(DecisionRow.decision).where(
                DecisionRow.match_id == table.id,
                DecisionRow.seat == 0,
                DecisionRow.blocks,
                DecisionRow.closed_entry.is_not(None),
            )
            late = moves.receive(
                self.service,
                work,
                match=match,
                seat=0,
                decision=work.session.scalars(made.order_by(DecisionRow.closed_entry)).all()[-1],
                body=SLIP,
                lang=self.lang,
                source="form",
                said=SAID,
            )
        moves.play(self.service, late.id)
        return late

    def _held(self) -> Table:
        held = Table(self.service, GAME, self.lang).answered("accept").play_until(0, 4)
        with self.service.database.write() as work:
            locks.lock_number(self.service, work, held.id).hold_minutes = 60
        return held.play(1)

    def _waiting(self) -> Table:
        waiting = Table(self.service, GAME, self.lang).answered("accept").play_until(0, 1)
        self._hand_in(waiting, SLIP)
        return waiting

    def _ask_again(self) -> None:
        """Let everybody have links that have not run out."""
        with self.service.database.write() as work:
            ana = work.session.get_one(Player, self.player().id)
            aliases.add(self.service, work, ana, f"ana.{self.lang}@example.com")
            accounts.ask_sign_in(self.service, work, ana.email, self.lang)
            erasure_links.ask(self.service, work, ana)
            noor = f"noor.{self.lang}@example.org"
            accounts.meet(self.service, work.session, noor, "Noor", self.lang)

    def _keep_letters(self, folder: Path) -> None:
        """Put two letters into the mailbox."""
        store = MailboxStore(folder)
        for kind in ("start", "turn"):
            letter, raw = self.letter(kind)
            store.keep("play@paleopost.test", [letter.player.email], raw)
        store.close()
        with closing(sqlite3.connect(folder / FILE)) as kept, kept:
            # The mailbox goes by the real time; here it stands still.
            kept.execute("UPDATE message SET received_at = ?", (self.service.at.isoformat(),))

    def _run(self) -> None:
        """Let it look to its operator as if it had been migrated and swept; it has no broker."""
        _, newest = schema.versions(self.service.database)
        with self.service.database.write() as work:
            work.session.execute(text("CREATE TABLE alembic_version (version_num TEXT NOT NULL)"))
            work.session.execute(text("INSERT INTO alembic_version VALUES (:v)"), {"v": newest})
            heartbeat.beat(work.session, heartbeat.SWEEP, self.service.now(), 0)


def _break() -> str:
    raise RuntimeError("This page is broken, to see what is said then.")
