"""The people of a simulation: what they do with their letters, by pages and by mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from itertools import islice
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select

from engine.bots import ask
from engine.chance import SeededChance
from engine.play import complete, decision_of, texts
from service.access.links import Links
from service.core.errors import Refused
from service.core.models import DecisionRow, Match, Player, SeatRow
from service.core.statuses import MatchStatus, SeatStatus
from service.mail.receive import recipients, smtp
from service.matches import hosting, journal, tables
from service.matches.tables import Guest
from service.players import erasure_links
from service.time import pausing
from tests.simulation.browser import Browser
from tests.simulation.mail_server import Copy

if TYPE_CHECKING:
    from tests.simulation.world import World

WORDS = (
    "undo",
    "pause 2",
    "yes",
    "resume",
    "away 2",
    "back",
    "status",
    "board",
    "nudge",
    "quiet 22-7",
    "digest daily",
    "digest off",
    "message Good luck to all of you",
    "check",
    "play now",
    "lang fr",
    "mute",
    "unmute",
)
EXAMPLES = 20
"""Orders among which somebody chooses."""

NONSENSE = ("Hello! How is the weather in your cave?", "17 mammoths, please", "lay everything A1")
_ADDRESS = re.compile(r"[^\s<>]+@[^\s<>]+")
_ERASE = re.compile(r"https?://[^\s<>]+/erase/[a-z0-9]+")


def _text_of(raw: bytes) -> str:
    """The text part of a letter."""
    part = BytesParser(policy=policy.default).parsebytes(raw).get_body(("plain",))
    assert part is not None
    text: str = part.get_content()
    return text


class FormAck(msgspec.Struct, frozen=True):
    """A page has said that it has a turn: the code of its verdict, and what it was pressed for."""

    code: str
    pressed: str
    match: int
    seat: int
    decision: str


class MailAck(msgspec.Struct, frozen=True):
    """The LMTP server has said 250 to a mail. `person`: no machine wrote it."""

    message_id: str
    to: str
    person: bool


class Asked(msgspec.Struct, frozen=True):
    """What a person can decide now."""

    match: int
    code: str
    seat: int
    decision: str
    blocks: bool


class Person:
    """Somebody at the table. What they do is drawn, and done by the processes of the product."""

    def __init__(self, world: World, address: str) -> None:
        self._world = world
        self.address = address
        self.browser = Browser(world)
        self.pressed: list[tuple[str, list[tuple[str, str]], Asked]] = []
        self.written: list[tuple[str, bytes, str, bool]] = []
        self._mails = 0
        self._linked: set[tuple[int, int]] = set()

    def forget(self) -> None:
        """The service was set back: links of before are no longer good."""
        self._linked.clear()
        self.pressed.clear()

    def inbox(self) -> list[Copy]:
        """The letters that have come."""
        return [copy for copy in self._world.mail_server.copies if copy.to == self.address]

    def seats(self) -> list[tuple[int, str, int]]:
        """Where they sit: number and code of the match, and the seat."""
        with self._world.eyes.database.read() as session:
            found = session.execute(
                select(Match.id, Match.code, SeatRow.seat)
                .join(SeatRow, SeatRow.match_id == Match.id)
                .join(Player, Player.id == SeatRow.player_id)
                .where(
                    Player.email == self.address,
                    SeatRow.seat.is_not(None),
                    Match.status != MatchStatus.INVITING,
                )
                .order_by(Match.id, SeatRow.seat)
            ).all()
            return [(number, code, seat) for number, code, seat in found if seat is not None]

    def asked(self, *, also_orders: bool = False) -> list[Asked]:
        """What is to be decided by them."""
        with self._world.eyes.database.read() as session:
            found = session.execute(
                select(Match.id, Match.code, DecisionRow)
                .join(DecisionRow, DecisionRow.match_id == Match.id)
                .join(
                    SeatRow,
                    (SeatRow.match_id == Match.id) & (SeatRow.seat == DecisionRow.seat),
                )
                .join(Player, Player.id == SeatRow.player_id)
                .where(
                    Player.email == self.address,
                    SeatRow.left_at.is_(None),
                    Match.status == MatchStatus.PLAYING,
                    DecisionRow.closed_entry.is_(None),
                )
                .order_by(Match.id, DecisionRow.decision)
            ).all()
            return [
                Asked(number, code, row.seat, row.decision, row.blocks)
                for number, code, row in found
                if row.blocks or also_orders
            ]

    def turn(self, asked: Asked, draw: Random) -> str:
        """A legal turn as text; "" if there is none to be found."""
        with self._world.eyes.database.read() as session:
            match = session.get_one(Match, asked.match)
            game = journal.game_of(match)
            state = journal.position(session, match).state
            chance = SeededChance(draw.randbytes(32))
            bot = next(iter(game.bots))
            if not asked.blocks:
                choices = decision_of(game, state, asked.seat, asked.decision).choices
                orders = list(islice(choices, EXAMPLES))
                chosen = [draw.choice(orders)] if orders else []
                return "\n".join(texts(game, state, asked.seat, chosen, "en"))
            if draw.random() < 0.5:
                decision = decision_of(game, state, asked.seat, asked.decision)
                actions = tuple(ask(game, bot, state, decision, chance))
            else:
                actions = tuple(complete(game, state, asked.seat, asked.decision, chance))
            return "\n".join(texts(game, state, asked.seat, actions, "en"))

    # What they do. Each gives what it is called, and what is run.

    def hand_in(self, draw: Random) -> Callable[[], None] | None:
        """Play by the form, after the link of a letter; sometimes something illegal."""
        asked = self.asked(also_orders=draw.random() < 0.25)
        if not asked:
            return None
        chosen = draw.choice(asked)
        body = draw.choice(NONSENSE) if draw.random() < 0.08 else self.turn(chosen, draw)
        if not body:
            return None
        nonce = draw.randbytes(12).hex()
        path = f"/m/{chosen.code}/{chosen.seat}/turn/{chosen.decision}/play/{nonce}"
        fields = [("a", line) for line in body.split("\n")]
        looks = draw.random() < 0.15

        def run() -> None:
            self._follow(chosen)
            self.pressed.append((path, fields, chosen))
            self._press(path, fields, chosen, looks=looks)

        return run

    def press_again(self, draw: Random) -> Callable[[], None] | None:
        """Send a form once more, as a nervous finger does."""
        if not self.pressed:
            return None
        path, fields, chosen = draw.choice(self.pressed[-3:])
        return lambda: self._press(path, fields, chosen)

    def _follow(self, asked: Asked) -> None:
        if (asked.match, asked.seat) not in self._linked:
            with self._world.eyes.database.read() as session:
                match = session.get_one(Match, asked.match)
                link = Links(self._world.eyes).seat(match, asked.seat)
            answer = self.browser.ask("GET", link)
            if answer.status_code != 302:
                self._world.checks.broken(f"the link to a seat was answered {answer.status}")
            self._linked.add((asked.match, asked.seat))

    def _press(
        self, path: str, fields: list[tuple[str, str]], asked: Asked, *, looks: bool = False
    ) -> None:
        answer = self.browser.press(path, fields)
        location = answer.headers.get("Location", "")
        if answer.status_code == 303 and "/verdict/" in location:
            code = location.rpartition("/verdict/")[2].split("?")[0]
            ack = FormAck(code, path, asked.match, asked.seat, asked.decision)
            self._world.checks.on_form(ack)
            if looks:
                self.browser.ask("GET", location)
        else:
            self._world.trace.note("refused", answer.status_code)

    def undo(self, draw: Random) -> Callable[[], None] | None:
        """Take the newest turn back, by the page."""
        return self._at_seat(draw, "undo", [])

    def resign(self, draw: Random) -> Callable[[], None] | None:
        """Give up, by the page."""
        return self._at_seat(draw, "resign", [])

    def clock(self, draw: Random) -> Callable[[], None] | None:
        """Ask for a pause, agree to one or not, end it, be back, or nudge: as things are."""
        seats = self.seats()
        if not seats:
            return None
        number, code, seat = draw.choice(seats)
        with self._world.eyes.database.read() as session:
            is_paused = session.get_one(Match, number).paused_at is not None
            asked = pausing.asked_of(session, session.get_one(Match, number))
        wishes: tuple[str, ...] = ("pause", "pause", "nudge", "back")
        if is_paused:
            wishes = ("resume", "nudge", "back", "pause")
        elif asked is not None:
            wishes = ("refuse", "nudge") if asked.seat == seat else ("agree",) * 5 + ("refuse",)
        fields = [("do", draw.choice(wishes)), ("days", str(draw.randint(1, 4)))]
        return self._at_seat(draw, "time", fields, Asked(number, code, seat, "", True))

    def is_asked_for_a_pause(self) -> bool:
        """True if somebody else wants one that they have not agreed to."""
        with self._world.eyes.database.read() as session:
            return any(
                asked.seat != seat and seat not in asked.agreed
                for number, _, seat in self.seats()
                if (asked := pausing.asked_of(session, session.get_one(Match, number))) is not None
            )

    def ask_how(self, draw: Random) -> Callable[[], None] | None:
        """Ask for a letter on how it goes; the button is pressed once or twice."""
        seats = self.seats()
        if not seats:
            return None
        number, code, seat = draw.choice(seats)
        nonce, times = draw.randbytes(8).hex(), draw.choice((1, 2, 2))

        def run() -> None:
            self._follow(Asked(number, code, seat, "", True))
            for _ in range(times):
                answer = self.browser.press(f"/m/{code}/{seat}/how-it-goes", [("nonce", nonce)])
                if answer.status_code == 303:
                    self._world.checks.asked_how[nonce] = self.address

        return run

    def _at_seat(
        self,
        draw: Random,
        page: str,
        fields: list[tuple[str, str]],
        at: Asked | None = None,
    ) -> Callable[[], None] | None:
        seats = self.seats()
        if not seats:
            return None
        number, code, seat = draw.choice(seats)
        here = at or Asked(number, code, seat, "", True)

        def run() -> None:
            self._follow(here)
            answer = self.browser.press(f"/m/{here.code}/{here.seat}/{page}", fields)
            self._world.trace.note("answer", answer.status_code)

        return run

    def look(self, draw: Random) -> Callable[[], None] | None:
        """Open a page of the match, as scanners of mail do, too: nothing changes by that."""
        seats = self.seats()
        if not seats:
            return None
        number, code, seat = draw.choice(seats)
        asked = [each for each in self.asked() if each.match == number]
        pages = [f"/m/{code}/{seat}", f"/m/{code}/{seat}/resign"]
        pages += [f"/m/{code}/{each.seat}/turn/{each.decision}" for each in asked]
        page = draw.choice(pages)

        def run() -> None:
            self._follow(Asked(number, code, seat, "", True))
            task = self._world.scheduler.current
            assert task is not None
            task.gives_way = 0.0  # others may change it meanwhile
            before = self._world.checks.played()
            self.browser.ask("GET", page)
            if self._world.checks.played() != before:
                self._world.checks.broken(f"GET {page} has changed a match")

        return run

    def intrude(self, draw: Random) -> Callable[[], None] | None:
        """Try to play for somebody else."""
        others = [
            each
            for person in self._world.people
            if person is not self
            for each in person.asked()
            if (each.match, each.seat) not in {(n, s) for n, _, s in self.seats()}
        ]
        if not others:
            return None
        theirs = draw.choice(others)
        body = self.turn(theirs, draw)
        path = (
            f"/m/{theirs.code}/{theirs.seat}/turn/{theirs.decision}/play/{draw.randbytes(12).hex()}"
        )

        def run() -> None:
            answer = self.browser.press(path, [("a", line) for line in body.split("\n")])
            if answer.status_code < 400:
                self._world.checks.broken(f"{self.address} could play for seat {theirs.seat}")

        return run

    # By mail

    def reply(self, draw: Random) -> Callable[[], None] | None:
        """Answer a letter with a turn, a word, nonsense, or by a machine."""
        letters = [copy for copy in self.inbox()[-6:] if b"\nReply-To:" in copy.raw[:20000]]
        if not letters:
            return None
        copy = draw.choice(letters[-2:] if draw.random() < 0.8 else letters)
        head = BytesParser(policy=policy.default).parsebytes(copy.raw, headersonly=True)
        found = _ADDRESS.search(str(head["Reply-To"]))
        if found is None:
            return None
        machine, roll = False, draw.random()
        asked = self.asked(also_orders=draw.random() < 0.15)
        if roll < 0.62 and asked:
            text = self.turn(draw.choice(asked), draw)
        elif roll < 0.85:
            text = draw.choice(WORDS)
        elif roll < 0.93:
            text, machine = "I am out of the office until Monday.", True
        else:
            text = draw.choice(NONSENSE)
        if not text:
            return None
        raw, name = self._mail(found[0], text, copy, draw, machine=machine)
        return lambda: self._send(found[0], raw, name, person=not machine)

    # As who is signed in: the letter that signs them in is left out.

    def join(self, draw: Random) -> Callable[[], None] | None:
        """Ask for an empty seat by the table's join link."""
        with self._world.eyes.database.read() as session:
            match = session.scalar(
                select(Match).where(Match.status == MatchStatus.INVITING).order_by(Match.id)
            )
            if match is None or not match.empty_seats:
                return None
            key = urlsplit(Links(self._world.eyes).join(match)).path
        fields = [("address", self.address), ("name", draw.choice(("", "Ed")))]

        def run() -> None:
            answer = self.browser.press(key, fields)
            self._world.trace.note("answer", answer.status_code)

        return run

    def host(self, draw: Random) -> Callable[[], None] | None:
        """See to the table: more time for somebody, a letter once more, somebody else in a seat, or
        somebody off it.
        """
        hosted = self._hosted()
        if not hosted:
            return None
        number, seats = draw.choice(hosted)
        seat, days = draw.choice(seats), draw.randint(1, 4)
        new = next((each for each in self._world.people if not each.seats()), None)
        name = draw.choice(("extend", "extend", "resend", "replace", "stop", "remove"))

        def run() -> None:
            service = self._world.web.service
            try:
                with service.database.write() as work:
                    match = work.session.get_one(Match, number)
                    if name == "extend":
                        hosting.extend(service, work, match, seat, days)
                    elif name == "resend":
                        hosting.resend(service, work, match, seat)
                    elif name == "stop":
                        hosting.stop_replacing(service, work, match, seat)
                    elif name == "remove":
                        hosting.remove(service, work, match, seat)
                    elif new is not None:
                        hosting.replace(service, work, match, seat, Guest(address=new.address))
            except Refused as refused:
                self._world.trace.note("refused", name, refused.code)

        return run

    def _hosted(self) -> list[tuple[int, list[int]]]:
        with self._world.eyes.database.read() as session:
            playing = select(Match).where(Match.status == MatchStatus.PLAYING).order_by(Match.id)
            return [
                (match.id, [row.seat for row in match.seats if row.seat is not None])
                for match in session.scalars(playing)
                if match.host.email == self.address
            ]

    def erase(self, draw: Random) -> Callable[[], None] | None:
        """Ask for the letter that erases everything; then follow its link, and press its button."""
        letters = [each for each in self.inbox() if each.message_id.startswith("erasure.")]
        if not letters:
            with self._world.eyes.database.read() as session:
                number = session.scalar(select(Player.id).where(Player.email == self.address))
            return None if number is None else lambda: self._ask_erasure(number)
        found = _ERASE.search(_text_of(draw.choice(letters).raw))
        assert found is not None
        link = found[0]

        def run() -> None:
            self.browser.ask("GET", link)
            answer = self.browser.press("/erasure")
            self._world.trace.note("answer", answer.status_code)

        return run

    def may_erase(self) -> bool:
        """True if the letter that erases everything has come."""
        return any(each.message_id.startswith("erasure.") for each in self.inbox())

    def _ask_erasure(self, number: int) -> None:
        service = self._world.web.service
        with service.database.write() as work:
            player = work.session.get(Player, number)
            if player is not None:
                erasure_links.ask(service, work, player)

    def accept(self, draw: Random) -> Callable[[], None] | None:
        """Answer the invitation."""
        for copy in self.inbox():
            if copy.message_id.startswith(("invitation.", "join.")):
                head = BytesParser(policy=policy.default).parsebytes(copy.raw, headersonly=True)
                found = _ADDRESS.search(str(head["Reply-To"]))
                assert found is not None
                to = found[0]
                raw, name = self._mail(to, "yes", copy, draw, machine=False)
                return lambda: self._send(to, raw, name, person=True)
        return None

    def come(self) -> None:
        """Accept every invitation at once, without a letter."""
        service = self._world.web.service
        with self._world.eyes.database.read() as session:
            found = session.execute(
                select(SeatRow.match_id, SeatRow.player_id)
                .join(Player, Player.id == SeatRow.player_id)
                .where(
                    Player.email == self.address,
                    SeatRow.status.in_((SeatStatus.INVITED, SeatStatus.JOINING)),
                )
            ).all()
        for match_id, player_id in found:
            token = service.keys.token("invitation", match_id, player_id)
            with service.database.write() as work:
                tables.answer(service, work, token, "accept")

    def send_again(self, draw: Random) -> Callable[[], None] | None:
        """The same mail comes once more, as after a lost 250."""
        if not self.written:
            return None
        to, raw, name, person = draw.choice(self.written[-3:])
        return lambda: self._send(to, raw, name, person=person)

    def _mail(
        self, to: str, text: str, answered: Copy, draw: Random, *, machine: bool
    ) -> tuple[bytes, str]:
        self._mails += 1
        name = f"m{self._mails}.{draw.randbytes(4).hex()}@{self.address.replace('@', '.')}"
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = self.address, to, "Re: your turn"
        mail["Message-ID"] = f"<{name}>"
        mail["In-Reply-To"] = f"<{answered.message_id}>"
        if machine:
            mail["Auto-Submitted"] = "auto-replied"
        quoted = ""
        if draw.random() < 0.5:
            quoted = "\n\nOn Monday, Paleopost wrote:\n> It is your turn.\n> Play by a reply.\n"
        mail.set_content(f"{text}\n{quoted}")
        return mail.as_bytes(), name

    def _send(self, to: str, raw: bytes, name: str, *, person: bool) -> None:
        """By the LMTP server: who is not known there is refused; else 250 after the commit."""
        service = self._world.lmtp.service
        self.written.append((to, raw, name, person))
        if not recipients.is_known(service, to):
            if self.address in self._world.checks.erased:
                return
            self._world.checks.broken(f"mail for {to} was refused")
            return
        smtp.store(service, raw, "lmtp", self.address, [to])
        self._world.checks.on_mail(MailAck(name, to, person))
