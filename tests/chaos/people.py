"""People who play by form and by reply, whatever happens, and keep what they were told."""

from __future__ import annotations

import http.client
import random
import secrets
import smtplib
import threading
import time
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from bench.client import Browser
from engine.bots import ask
from engine.chance import SeededChance
from engine.games import games
from engine.play import NotYourDecision, decision_of, texts
from service.access import reply_keys
from service.access.addresses import Addresses
from service.access.links import Links
from service.core.models import DecisionRow, Match, Player
from service.core.statuses import MatchStatus, TimeoutPolicy
from service.matches import journal
from service.matches.tables import BotSeat, Guest, answer, open_table
from service.players.accounts import meet
from service.time.terms import Terms
from tests.chaos.site import Ack, Site

AGAIN = 30.0
"""Seconds after which somebody whose move has had no effect hands it in once more."""
SILENCE = 1.5
"""Seconds without a letter in which nobody becomes calm."""
CALM = 2.0
"""Seconds between two looks of who is calm."""
_TROUBLE = (AssertionError, OSError, http.client.HTTPException, smtplib.SMTPException)


class Person(threading.Thread):
    """Plays all people of one table after the other, by form and by reply, whatever happens. The
    first tables of as many people as there are games are of all games, and so are those of one.
    Who is `calm` plays slowly while no letters come.
    """

    def __init__(self, site: Site, number: int, seed: int, *, calm: bool = False) -> None:
        super().__init__(daemon=True)
        self.site, self.number, self._calm = site, number, calm
        self._random = random.Random(seed)
        self._browsers: dict[int, tuple[Browser, str]] = {}
        self._tables = 0
        self.last = False
        self.stops = False
        self._hand = threading.Lock()
        site.hands.append(self._hand)

    def run(self) -> None:
        """Until the site closes; no new table is opened once `last` is set, and no turn is played
        once `stops` is.
        """
        match_id: int | None = None
        handed_in: tuple[str, float] | None = None
        while not self.site.closing.wait(self._rest()):
            if self.stops:
                return
            if not self.site.may_play.is_set():
                continue
            try:
                if match_id is None:
                    match_id, handed_in, self._browsers = self._set_back(), None, {}
                if match_id is None:
                    if self.last:
                        return
                    match_id = self._open()
                row = self._asked(match_id)
                if row is None:
                    if self._is_over(match_id):
                        match_id = None
                    continue
                if handed_in and handed_in[0] == row.decision:
                    if time.monotonic() - handed_in[1] < AGAIN:
                        continue
                    self._browsers = {}
                body = self._turn(row)
                if body is not None and self._hand_in(row, body):
                    handed_in = (row.decision, time.monotonic())
            except (*_TROUBLE, SQLAlchemyError):
                self._browsers = {}
                self.site.closing.wait(0.5)

    def _rest(self) -> float:
        """Seconds until they look again whether they are asked."""
        came = self.site.sink.copies
        silent = bool(came) and time.monotonic() - came[-1].at > SILENCE
        return CALM if self._calm and silent else 0.05

    def _set_back(self) -> int | None:
        """A match of theirs that had ended when the database was set back, and now goes on."""
        theirs = Player.email.like(f"host.t{self.number}-%")
        with self.site.service.database.read() as session:
            return session.scalar(
                select(Match.id).join(Match.host).where(theirs, Match.status == "playing").limit(1)
            )

    def _open(self) -> int:
        service = self.site.service
        key = list(games())[(self.number + self._tables) % len(games())]
        game = games()[key]
        self._tables += 1
        name = f"t{self.number}-{self._tables}"
        guest = f"guest.{name}@example.org"
        others: list[Guest | BotSeat] = [Guest(address=guest)]
        if self.number % 2:
            others.append(BotSeat(bot=next(iter(game.bots))))
        with service.database.write() as work:
            host = meet(service, work.session, f"host.{name}@example.org")
            terms = Terms(pace_days=1, timeout=TimeoutPolicy.DROP)
            match_id = open_table(service, work, host, key, others, terms).id
        self.site.matches.append(match_id)
        with service.database.write() as work:
            player = work.session.scalars(select(Player).where(Player.email == guest)).one()
            answer(service, work, service.keys.token("invitation", match_id, player.id), "accept")
        return match_id

    def _asked(self, match_id: int) -> DecisionRow | None:
        """What a person is asked there."""
        with self.site.service.database.read() as session:
            match = session.get(Match, match_id)
            if match is None:
                return None
            for row in session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == match_id, DecisionRow.closed_entry.is_(None)
                )
            ):
                if row.blocks and match.seats[row.seat].played_by is None:
                    return row
        return None

    def _turn(self, row: DecisionRow) -> str | None:
        """A turn that leads to an end of the match: the default player of some games only waits, so
        it is a bot's that looks for points. None if it was made meanwhile: PostgreSQL reads each
        statement anew.
        """
        with self.site.service.database.read() as session:
            match = session.get_one(Match, row.match_id)
            game = journal.game_of(match)
            state = journal.position(session, match).state
        try:
            decision = decision_of(game, state, row.seat, row.decision)
        except NotYourDecision:
            return None
        bot = list(game.bots)[1]
        turn = ask(game, bot, state, decision, SeededChance(bytes(32)))
        return "\n".join(texts(game, state, row.seat, turn, "en"))

    def _is_over(self, match_id: int) -> bool:
        """Whether it has ended, or was opened after the copy that was restored."""
        with self.site.service.database.read() as session:
            match = session.get(Match, match_id)
            return match is None or match.status == MatchStatus.ENDED

    def _hand_in(self, row: DecisionRow, body: str) -> bool:
        with self._hand:
            if not self.site.may_play.is_set():
                return False
            ack = self._reply(row, body) if self._random.random() < 0.4 else None
            ack = ack or self._form(row, body)
            self.site.acks.append(ack)
            return True

    def _form(self, row: DecisionRow, body: str) -> Ack:
        if row.seat not in self._browsers:
            browser = Browser(self.site.web())
            with self.site.service.database.read() as session:
                match = session.get_one(Match, row.match_id)
                link = Links(self.site.service).seat(match, row.seat)
            browser.follow(link)
            self._browsers[row.seat] = browser, browser.csrf_token()
        browser, token = self._browsers[row.seat]
        with self.site.service.database.read() as session:
            code = session.get_one(Match, row.match_id).code
        nonce = secrets.token_hex(12)
        page = browser.post(
            f"/m/{code}/{row.seat}/turn/{row.decision}/play/{nonce}",
            [("csrf_token", token), *(("a", line) for line in body.split("\n"))],
        )
        return Ack(row.match_id, row.decision, page, None, time.monotonic())

    def _reply(self, row: DecisionRow, body: str) -> Ack | None:
        """None if there is no such address (the letter has not been taken up), or nobody is at home
        there.
        """
        service = self.site.service
        with service.database.read() as session:
            seat = session.get_one(Match, row.match_id).seats[row.seat]
            assert seat.player is not None
            author = seat.player.email
            to = Addresses(service.settings).reply(
                reply_keys.seat_token(service.keys, seat, row.decision)
            )
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"], mail["Subject"] = author, to, "Re: your move"
        mail["Message-ID"] = make_msgid(domain="example.org")
        mail.set_content(body + "\n")
        try:
            with smtplib.LMTP("127.0.0.1", self.site.lmtp(), timeout=20) as client:
                client.sendmail(author, [to], mail.as_bytes())
        except (OSError, smtplib.SMTPException):
            return None
        return Ack(
            row.match_id, row.decision, None, str(mail["Message-ID"]).strip("<>"), time.monotonic()
        )
