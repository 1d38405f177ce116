"""A service of its own with a clock that stands still, and what has happened in it.

Everything in it comes about as in the real one, through the same use cases: what the gallery shows
of it is what players get. The same seed, turns and times make the same match every time.
"""

from __future__ import annotations

import datetime as dt
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, select

from engine.chance import seed_hash, seed_of_number
from engine.games import nearest_size
from engine.play import texts
from engine.protocol import Game
from service.access import reply_keys
from service.access.addresses import Addresses
from service.core import locks
from service.core.context import Service
from service.core.db import NoQueue
from service.core.models import Base, DecisionRow, Epoch, Letter, Match, Player
from service.core.probe import Room
from service.core.settings import Settings
from service.core.statuses import LetterKind, LetterStatus
from service.mail.receive import inbound
from service.mail.send import digests
from service.matches import (
    hosting,
    join_links,
    joining,
    journal,
    messages,
    moves,
    notices,
)
from service.matches.table_names import SITES
from service.matches.tables import (
    FILL_FOR,
    BotSeat,
    Guest,
    OpenSeat,
    Place,
    answer,
    open_table,
    stop_waiting,
)
from service.players import accounts, aliases, erasure_links
from service.render import boards
from service.time import nudging

BEGAN = dt.datetime(2026, 11, 21, 9, 0, tzinfo=dt.UTC)
A_TURN_TAKES = dt.timedelta(hours=5)
ENOUGH = 1000
"""Turns after which a match that has not ended is left as it is."""
MIDDLE = 15
"""The turn after which letters in mid-game are taken, or the first of Ana's after it."""
SEED = 12
SECRET = bytes(range(32))
NAMES = ("Ana", "Bruno", "Greta", "Dora", "Emil", "Fay")
GREETING = "Long winter evenings ahead: shall we?"
SAID = "Snow on the pass already. Your turn!"
NOTHING = "xyzzy"
"""A word that belongs to a turn in no game: the answer says what would be one."""


class SampleService(Service):
    """A service whose clock stands where it is put."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        """On an empty database in a folder; nothing of the settings but how it looks is used."""
        url = f"sqlite:///{folder / 'sample.db'}"
        super().__init__(
            msgspec.structs.replace(settings, database_url=url, dkim_key=None), NoQueue()
        )
        Base.metadata.create_all(self.database.engine)
        with self.database.write() as work:
            work.session.add(Epoch(number=1, mark="0" * 32, began_at=BEGAN))
        self.at = BEGAN

    def now(self) -> dt.datetime:  # type: ignore[override]
        """The time at which the clock stands."""
        return self.at

    def room(self) -> Room:
        """Made up, as all of it."""
        return Room(free=48 * 1024**3, log=4 * 1024**2)


class Table:
    """A match of the story: Ana's, with Bruno and a bot, in one language."""

    def __init__(
        self, service: SampleService, game: str, lang: str, *, open_seats: bool = False
    ) -> None:
        """The table is open and Bruno is invited; for a bot's seat there may be a join link."""
        self.service = service
        self.game = boards.game_for_tables(service.settings, game)
        self.lang = lang
        bot = list(self.game.bots)[-1]
        size = nearest_size(self.game, 3)
        others: list[Place] = [
            Guest(address=f"bruno.{lang}@example.org", name=NAMES[1], lang=lang),
            *(OpenSeat() if open_seats else BotSeat(bot=bot, name=name) for name in NAMES[2:size]),
        ]
        with service.database.write() as work:
            host = accounts.meet(service, work.session, f"ana.{lang}@example.org", NAMES[0], lang)
            name = SITES[work.session.scalars(select(func.count()).select_from(Match)).one()]
            match = open_table(
                service, work, host, game, others, name=name, greeting=GREETING, secret=SECRET
            )
            match.seed = seed_of_number(SEED)
            match.seed_hash = seed_hash(match.seed)
            self.id, self.guest = match.id, match.invitees[1].player_id

    def answered(self, reply: str) -> Table:
        """Bruno answers the invitation."""
        token = self.service.keys.token("invitation", self.id, self.guest)
        with self.service.database.write() as work:
            answer(self.service, work, token, reply)
        return self

    def match(self) -> Match:
        """The match as it is now."""
        with self.service.database.read() as session:
            match = session.get_one(Match, self.id)
            _ = match.invitees
            return match

    def awaited(self) -> DecisionRow | None:
        """The decision the table waits for; None when it is over."""
        with self.service.database.read() as session:
            return session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == self.id,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.blocks,
                )
            ).first()

    def play(self, turns: int = ENOUGH) -> Table:
        """Play on, each turn the one that the game suggests first; a bot's too."""
        for _ in range(turns):
            row = self.awaited()
            if row is None:
                break
            self.service.at += A_TURN_TAKES
            with self.service.database.write() as work:
                match = locks.lock_number(self.service, work, self.id)
                bot = match.seats[row.seat].bot
                state = journal.position(work.session, match).state
                submission = moves.receive(
                    self.service,
                    work,
                    match=match,
                    seat=row.seat,
                    decision=row.decision,
                    body=suggested(journal.game_of(match), state, row.seat),
                    lang="en",
                    source=f"bot:{bot}" if bot else "form",
                )
            moves.play(self.service, submission.id)
            self._keep_deadline(row)
        return self

    def _keep_deadline(self, told: DecisionRow) -> None:
        """A decision that is made and may be changed still has no deadline any more. The letter
        that asks for it is written later here than elsewhere, and is to tell the one it had.
        """
        with self.service.database.write() as work:
            locks.lock_number(self.service, work, self.id)
            row = work.session.get_one(DecisionRow, (self.id, told.decision))
            row.deadline = row.deadline or told.deadline

    def play_until(self, seat: int, turns: int) -> Table:
        """Play so many turns, and on until this seat is to move."""
        self.play(turns)
        while (row := self.awaited()) is not None and row.seat != seat:
            self.play(1)
        return self

    def write(self, seat: int, text: str) -> None:
        """Answer a letter by mail, as who sits there."""
        match = self.match()
        row = match.seats[seat]
        assert row.player is not None
        asked = self.awaited()
        decision = asked.decision if asked is not None and asked.seat == seat else ""
        to = Addresses(self.service.settings).reply(
            reply_keys.seat_token(self.service.keys, row, decision)
        )
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = row.player.email, to, "Re:"
        mail["Message-ID"] = f"<{seat}.{self.lang}.{len(text)}@mail.example.org>"
        mail.set_content(text)
        with self.service.database.write() as work:
            stored = inbound.take(
                self.service,
                work,
                mail.as_bytes(),
                source="mailbox",
                envelope_from=row.player.email,
                recipient=to,
            )
        assert stored is not None
        inbound.handle(self.service, stored)


def suggested(game: Game[Any, Any], state: Any, seat: int) -> str:
    """The turn the game suggests first, as text."""
    actions = game.suggestions(state, seat, 1)[0]
    return "\n".join(texts(game, state, seat, actions, "en"))


def live(service: SampleService, game: str, lang: str) -> dict[str, Table]:
    """Let everything happen that a letter is written for; the tables by how far they have come:
    "invited", "open" (with a join link, by which Zoé has asked for a seat), "playing" (Ana is to
    move), "ended", "cancelled".
    """
    service.at = BEGAN
    with service.database.write() as work:
        ana = accounts.meet(service, work.session, f"ana.{lang}@example.org", NAMES[0], lang)
    whole = Table(service, game, lang).answered("accept")
    whole.play_until(0, MIDDLE)
    _talk(service, whole)
    _digest(service, ana.id)
    whole.play()
    tables = {
        "ended": whole,
        "cancelled": Table(service, game, lang).answered("decline"),
        "invited": Table(service, game, lang),
        "playing": Table(service, game, lang).answered("accept").play_until(0, MIDDLE),
        "open": Table(service, game, lang, open_seats=True),
    }
    _give_up(service, tables["cancelled"])
    _ask_for_a_seat(service, tables["open"])
    with service.database.write() as work:
        ana = work.session.get_one(Player, ana.id)
        aliases.add(service, work, ana, f"ana.{lang}@example.com")
        accounts.ask_sign_in(service, work, ana.email, lang)
        erasure_links.ask(service, work, ana)
    return tables


def _give_up(service: SampleService, table: Table) -> None:
    """The table has waited long enough for its empty seat, in a while."""
    now = service.at
    service.at += FILL_FOR
    stop_waiting(service, table.id)
    service.at = now


def _ask_for_a_seat(service: SampleService, table: Table) -> None:
    """Zoé asks for a seat by the join link, if the game has one for her."""
    match = table.match()
    if not match.empty_seats:
        return
    token = service.keys.token(join_links.PURPOSE, match.id, match.join_links)
    with service.database.write() as work:
        joining.ask(service, work, token, f"zoe.{table.lang}@example.org", "Zoé", table.lang)


def _talk(service: SampleService, table: Table) -> None:
    """Ana is to move: Bruno says something, is given notice and nudges; Ana gets a day more
    and writes.
    """
    with service.database.write() as work:
        locks.lock_number(service, work, table.id)
        # Whoever is asked has the letter: no clock stands for one that is on its way.
        asking = (Letter.match_id == table.id, Letter.kind == LetterKind.TURN)
        for letter in work.session.scalars(select(Letter).where(*asking)):
            letter.status, letter.sent_at = LetterStatus.SENT, service.at
    service.at += dt.timedelta(hours=30)
    with service.database.write() as work:
        match = locks.lock_number(service, work, table.id)
        messages.say(service, work, match, 1, SAID, f"said.{table.lang}")
        nudging.nudge(service, work, match, 1)
        # What would be told at once in a game with plans or elimination, in any game.
        notices.owe(service, work, match, match.last_entry, [1])
        hosting.extend(service, work, match, 0, 1)
        begun = suggested(journal.game_of(match), journal.position(work.session, match).state, 0)
    table.write(0, f"{begun.split()[0]} {NOTHING}")
    table.write(0, "status\nhelp")


def _digest(service: SampleService, player_id: int) -> None:
    """Ana's digest of that day, in place of her newest turn letter, and no more after it."""
    with service.database.write() as work:
        ana = work.session.get_one(Player, player_id)
        ana.digest_at = 8 * 60
        turn = work.session.scalars(
            select(Letter)
            .where(Letter.player_id == player_id, Letter.kind == LetterKind.TURN)
            .order_by(Letter.id.desc())
        ).first()
        assert turn is not None
        turn.status, turn.due_at = LetterStatus.GATHERED, service.now()
        work.session.flush()
        digests.compose(service, work, ana)
        ana.digest_at = None
