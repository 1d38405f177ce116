"""`python -m bench faults --minutes N`: the whole product under faults, and the promises it keeps.

Real broker, workers, web server, LMTP and an SMTP server of its own, all on the loopback. People
play by form and by reply at tables with other people and bots, while faults are put in at random
from a seed. It ends by itself: after the minutes given, and when nothing is on its way any more, or
what is does not get less. Exit status 1: a promise was broken.
"""

from __future__ import annotations

import argparse
import datetime as dt
import http.client
import os
import random
import re
import resource
import secrets
import signal
import smtplib
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path

import msgspec
from sqlalchemy import func, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from bench.bad_sink import BadSink, Mood
from bench.client import Browser
from engine.chance import SeededChance
from engine.games import games
from engine.play import complete, texts
from engine.record import decode
from engine.verification import verify
from service.access import reply_keys
from service.access.addresses import Addresses
from service.access.links import Links
from service.core.context import Service
from service.core.db import NoQueue
from service.core.letter_details import AnswerDetails
from service.core.models import (
    DecisionRow,
    EntryRow,
    InboundMail,
    Letter,
    Match,
    Player,
    Submission,
)
from service.core.statuses import (
    Actor,
    Cause,
    LeaveReason,
    LetterKind,
    LetterStatus,
    MailStatus,
    MatchStatus,
    SubmissionStatus,
    TimeoutPolicy,
)
from service.dev.embedded.ports import free_port
from service.matches import journal, records
from service.matches.tables import BotSeat, Guest, answer, open_table
from service.players.accounts import meet
from service.time.terms import Terms
from tests.support.stack import Stack

AWAY = dt.timedelta(hours=48)
LASTS = 3.0
"""Seconds that most faults last."""
RECOVERY = 180.0
"""Seconds after which a fault that is over counts as one that was not recovered from."""
FINISH = 120.0
"""Seconds at the end in which less has to be on its way than ever before."""
LONGEST_FINISH = 1800.0
"""Seconds after which all matches have to have ended, and all letters to be sent."""
AGAIN = 30.0
"""Seconds after which somebody whose move has had no effect hands it in once more."""

OUT = Path(__file__).resolve().parent / "out" / "faults"

_AHEAD = """\
# Read by every process of the product when it starts: its clock is ahead by so many seconds.
import datetime, os
ahead = float(os.environ.get("CLOCK_AHEAD", "0"))
if ahead:
    import time_machine
    now = datetime.datetime.now(datetime.timezone.utc)
    time_machine.travel(now + datetime.timedelta(seconds=ahead)).start()
"""
_TROUBLE = (AssertionError, OSError, http.client.HTTPException, smtplib.SMTPException)


class Ack(msgspec.Struct, frozen=True):
    """A move that the product has said it has: the code of its page, or the id of the mail."""

    match_id: int
    decision: str
    code: str | None
    message_id: str | None
    at: float


class Window(msgspec.Struct):
    """From when a fault was put in until the product worked again; `recovery` counts from the end
    of the fault, None if it did not recover.
    """

    kind: str
    began: float
    ended: float
    recovery: float | None


class Site(ABC):
    """A running product that people play on, the SMTP server it sends to, and what it has
    acknowledged. `service` is a way into its database.
    """

    service: Service

    def __init__(self) -> None:
        self.sink = BadSink(slow=8)
        self.acks: list[Ack] = []
        self.forgotten: set[int] = set()
        self.matches: list[int] = []
        self.may_play = threading.Event()
        self.may_play.set()
        self.closing = threading.Event()
        # One for each who plays: who holds it is handing something in
        self.hands: list[threading.Lock] = []

    @abstractmethod
    def web(self) -> str:
        """The address of a web server of it."""

    @abstractmethod
    def lmtp(self) -> int:
        """The port of an LMTP server of it."""

    def applied(self) -> int:
        """Turns that were played."""
        with self.service.database.read() as session:
            return session.scalar(select(func.count()).select_from(EntryRow)) or 0


class World(Site):
    """The product as one machine runs it, and the clock it goes by."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        (folder / "clock").mkdir()
        (folder / "clock" / "sitecustomize.py").write_text(_AHEAD)
        self._lmtp = free_port()
        self.stack = Stack(
            folder / "data",
            {
                "SMTP_URL": f"smtp://127.0.0.1:{self.sink.port}",
                "MAIL_FROM": "play@paleopost.test",
                "MAIL_DOMAIN": "paleopost.test",
                "LMTP_LISTEN": f"127.0.0.1:{self._lmtp}",
                "SWEEP_EVERY": "1",
                "REQUESTS_PER_MINUTE": "1000000",
                "LOG_LEVEL": "WARNING",
                "PYTHONPATH": str(folder / "clock"),
            },
        )
        self.stack.data.mkdir()
        self.ahead = dt.timedelta()
        self.stack.start(forked=False)
        self.open_anew()

    def open_anew(self) -> None:
        """Know the database as it is now: a service remembers its epochs."""
        self.service = Service(self.stack.settings(), NoQueue())
        self.service.now = self._now  # type: ignore[method-assign]

    def _now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC) + self.ahead

    def restart(self, by: Callable[[], None], *, in_vain: bool = False) -> None:
        """Stop the product, do something, and start it again; nobody plays meanwhile.

        `in_vain`: it may refuse to start, in words.
        """
        self.may_play.clear()
        with ExitStack() as nobody:
            for hand in self.hands:
                nobody.enter_context(hand)
            if self.stack.running:
                self.stack.stop()
            self.service.database.dispose()
            by()
            self.stack.env["CLOCK_AHEAD"] = str(self.ahead.total_seconds())
            try:
                self.stack.start(120, forked=False)
            except AssertionError:
                if not in_vain or "Traceback" in self.stack.said():
                    raise
        self.may_play.set()

    def processes(self, name: str) -> list[int]:
        """The processes of the supervisor that a word of their command names."""
        found = []
        for child in _children(self.stack.pid):
            with suppress(OSError):
                command = Path(f"/proc/{child}/cmdline").read_bytes().decode()
                if re.search(name, command):
                    found.append(child)
        return found

    def web(self) -> str:
        """Its web server."""
        return self.stack.base_url

    def lmtp(self) -> int:
        """Its LMTP server's port."""
        return self._lmtp

    def close(self) -> None:
        """Stop everything."""
        self.closing.set()
        if self.stack.running:
            self.stack.stop()
        self.sink.stop()
        self.service.database.dispose()


class Person(threading.Thread):
    """Plays all people of one table after the other, by form and by reply, whatever happens."""

    def __init__(self, site: Site, number: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.site, self.number = site, number
        self._random = random.Random(seed)
        self._browsers: dict[int, tuple[Browser, str]] = {}
        self._tables = 0
        self.last = False
        self._hand = threading.Lock()
        site.hands.append(self._hand)

    def run(self) -> None:
        """Until the site closes; no new table is opened once `last` is set."""
        match_id: int | None = None
        handed_in: tuple[str, float] | None = None
        while not self.site.closing.wait(0.05):
            if not self.site.may_play.is_set():
                continue
            try:
                if match_id is None:
                    match_id, handed_in, self._browsers = self._set_back(), None, {}
                if match_id is None:
                    if self.last:
                        return
                    match_id = self._open()
                asked = self._asked(match_id)
                if asked is None:
                    if self._is_over(match_id):
                        match_id = None
                    continue
                row, body = asked
                if handed_in and handed_in[0] == row.decision:
                    if time.monotonic() - handed_in[1] < AGAIN:
                        continue
                    self._browsers = {}
                if self._hand_in(row, body):
                    handed_in = (row.decision, time.monotonic())
            except (*_TROUBLE, SQLAlchemyError):
                self._browsers = {}
                self.site.closing.wait(0.5)

    def _set_back(self) -> int | None:
        """A match of theirs that had ended when the database was set back, and now goes on."""
        theirs = Player.email.like(f"host.t{self.number}-%")
        with self.site.service.database.read() as session:
            return session.scalar(
                select(Match.id).join(Match.host).where(theirs, Match.status == "playing").limit(1)
            )

    def _open(self) -> int:
        service = self.site.service
        self._tables += 1
        key, game = next(iter(games().items()))
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

    def _asked(self, match_id: int) -> tuple[DecisionRow, str] | None:
        """What a person is asked there, with a legal turn."""
        with self.site.service.database.read() as session:
            match = session.get(Match, match_id)
            if match is None:
                return None
            for row in session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == match_id, DecisionRow.closed_entry.is_(None)
                )
            ):
                if match.seats[row.seat].played_by is None:
                    game = journal.game_of(match)
                    state = journal.position(session, match).state
                    chance = SeededChance(bytes(32))
                    turn = complete(game, state, row.seat, row.decision, chance)
                    if not turn:
                        continue  # made meanwhile: PostgreSQL reads each statement anew
                    return row, "\n".join(texts(game, state, row.seat, turn, "en"))
        return None

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


# What can go wrong. Each puts a fault in, and takes it away again before it returns.


def _smtp(mood: Mood, lasts: float = LASTS) -> Callable[[World], None]:
    def fault(world: World) -> None:
        world.sink.mood = mood
        time.sleep(lasts)
        world.sink.mood = Mood.GOOD

    return fault


def _smtp_refuses_to_connect(world: World) -> None:
    world.sink.close()
    time.sleep(LASTS)
    world.sink.open()


def _killed(name: str) -> Callable[[World], None]:
    def fault(world: World) -> None:
        for process in world.processes(name):
            os.kill(process, signal.SIGKILL)

    return fault


def _worker_frozen_beyond_its_claim(world: World) -> None:
    """Its letter is taken up by another meanwhile: its claim is made to have run out."""
    frozen = [child for mailer in world.processes("mailer@") for child in _children(mailer)][:1]
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    try:
        for _ in range(int(LASTS)):
            time.sleep(1)
            # Frozen while it writes, it lets nobody else write to SQLite until it goes on.
            with (
                suppress(SQLAlchemyError, TimeoutError),
                world.service.database.write_within(1) as session,
            ):
                session.execute(
                    update(Letter)
                    .where(Letter.status == LetterStatus.SENDING)
                    .values(due_at=world.service.now() - dt.timedelta(minutes=1))
                )
    finally:
        for process in frozen:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def _away_for_two_days(world: World) -> None:
    def set_forward() -> None:
        world.ahead += AWAY

    world.restart(set_forward)


def _disk_full(world: World) -> None:
    """No file of a Python process can grow or be written beyond its first 4 KB."""
    _limit_files(world, 4096)
    time.sleep(LASTS)
    _limit_files(world, resource.RLIM_INFINITY)


def _read_only(world: World) -> None:
    """Started on a database that cannot be written, it refuses, or acknowledges nothing."""
    world.restart(lambda: _write_version(world, 3), in_vain=True)
    time.sleep(LASTS)
    world.restart(lambda: _write_version(world, 2))


def _write_version(world: World, version: int) -> None:
    """Above 2, SQLite takes the file for one of a later version, to be read only (its file format,
    section 1.3.3).
    """
    path = world.stack.data / "paleopost.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(18)
        file.write(bytes([version]))


def _restored(world: World) -> None:
    """A copy is taken while it runs; what is acknowledged after that is known to be lost."""
    copy = world.stack.data.parent / "backup"
    copy.unlink(missing_ok=True)
    began = len(world.acks)
    taken = world.stack.command("backup", str(copy))
    assert taken.returncode == 0, taken.stderr
    time.sleep(LASTS)

    def restore() -> None:
        done = world.stack.command("restore", "--replace", str(copy))
        assert done.returncode == 0, done.stderr
        world.forgotten |= set(range(began, len(world.acks)))
        world.open_anew()

    world.restart(restore)


FAULTS: dict[str, Callable[[World], None]] = {
    "smtp hangs": _smtp(Mood.HANG, 10),
    "smtp refuses connections": _smtp_refuses_to_connect,
    "smtp refuses the login": _smtp(Mood.LOGIN),
    "smtp 4xx": _smtp(Mood.LATER),
    "smtp 5xx recipient": _smtp(Mood.NO_SUCH_USER, 2),
    "smtp slow to say 250": _smtp(Mood.SLOW, 10),
    "smtp drops after the dot": _smtp(Mood.DROP),
    "web killed": _killed("gunicorn"),
    "worker killed": _killed(" worker "),
    "mailer killed": _killed("mailer@"),
    "beat killed": _killed(" beat "),
    "broker killed": _killed("valkey|redis-server"),
    "worker frozen": _worker_frozen_beyond_its_claim,
    "outage of 48 h": _away_for_two_days,
    "disk full": _disk_full,
    "database read-only": _read_only,
    "restored": _restored,
}


def _limit_files(world: World, most: int) -> None:
    for process in _family(world.stack.pid):
        with suppress(OSError):
            if b"python" in Path(f"/proc/{process}/cmdline").read_bytes():
                hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
                resource.prlimit(process, resource.RLIMIT_FSIZE, (most, hard))


def _recovery(world: World) -> float | None:
    """Seconds until a turn is played that was not before, and a letter comes; None if it takes too
    long.
    """
    began = time.monotonic()
    played: int | None = None
    while time.monotonic() < began + RECOVERY:
        with suppress(SQLAlchemyError):
            now = world.applied()
            played = now if played is None else played
            if now > played and any(copy.at > began for copy in world.sink.copies):
                return time.monotonic() - began
        time.sleep(0.1)
    return None


# What was promised.


class Verdict(msgspec.Struct):
    """What a run comes to. `broken` says each promise that was not kept, in words."""

    lost: list[Ack]
    differing: set[str]
    expired: int
    broken: list[str]


def judged(site: Site) -> Verdict:
    """Compare what was acknowledged and has arrived with what the database says at the end."""
    with site.service.database.read() as session:
        turns = {
            row.code: row
            for row in session.scalars(select(Submission).where(Submission.source == "form"))
        }
        mails = {}
        for mail in session.scalars(select(InboundMail)):
            found = re.search(rb"^Message-ID:\s*(<[^>]+>)", mail.raw, re.MULTILINE)
            if found:
                mails[found[1].decode().strip("<>")] = mail
        answers = Counter(
            str(letter.details_as(AnswerDetails).message_id).strip("<>")
            for letter in session.scalars(select(Letter).where(Letter.kind == LetterKind.ANSWER))
        )
        lost, broken = [], []
        for number, ack in enumerate(site.acks):
            if number in site.forgotten:
                continue
            if ack.code is not None:
                turn = turns.get(ack.code)
                if turn is None or turn.status not in (
                    SubmissionStatus.PLAYED,
                    SubmissionStatus.REFUSED,
                    SubmissionStatus.WITHDRAWN,
                ):
                    lost.append(ack)
            elif ack.message_id is not None:
                seen = mails.get(ack.message_id)
                if (
                    seen is None
                    or seen.status != MailStatus.HANDLED
                    or answers[ack.message_id] != 1
                ):
                    lost.append(ack)
        twice = session.execute(
            select(Submission.match_id, Submission.decision)
            .where(Submission.status == SubmissionStatus.PLAYED)
            .group_by(Submission.match_id, Submission.decision)
            .having(func.count() > 1)
        ).all()
        if twice:
            broken.append(f"decisions made twice: {twice}")
        entries = (
            select(func.count()).select_from(EntryRow).where(EntryRow.cause == Cause(Actor.CLOCK))
        )
        timed_out = select(func.count()).select_from(DecisionRow)
        expired = (session.scalar(entries) or 0) + (
            session.scalar(timed_out.where(DecisionRow.expired_at.is_not(None))) or 0
        )
        for match_id in site.matches:
            match = session.get(Match, match_id)
            if match is None:
                continue  # opened after the copy that was restored
            expired += sum(seat.left_why is LeaveReason.DROPPED for seat in match.seats)
            if match.status != MatchStatus.ENDED:
                broken.append(f"match {match_id} has not ended ({match.status})")
                continue
            verify(decode(records.export(session, match)), games())
        owed = [
            f"{letter.kind} {letter.id} ({letter.status} {letter.due_at}, {letter.attempts} tries)"
            for letter in session.scalars(
                select(Letter)
                .where(Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)))
                .order_by(Letter.id)
            )
        ]
        sent = session.scalar(
            select(func.count()).select_from(Letter).where(Letter.status == LetterStatus.SENT)
        )
    copies = defaultdict(set)
    for copy in site.sink.copies:
        copies[copy.message_id].add(copy.digest)
    if owed:
        broken.append(f"{len(owed)} letters are still owed: {', '.join(owed[:8])}")
    if (sent or 0) > len(copies):
        broken.append(f"{sent} letters are said to be sent, {len(copies)} have come")
    differing = {name for name, digests in copies.items() if len(digests) > 1}
    if lost:
        broken.append(f"moves lost: {lost[:5]}")
    if differing:
        broken.append(f"one Message-ID with several texts: {sorted(differing)[:5]}")
    if expired:
        broken.append(f"{expired} expiries of people who had not had their time")
    return Verdict(lost, differing, expired, broken)


def finish(site: Site, people: list[Person]) -> None:
    """Let all matches end and all letters go out; letters that wait for another attempt, or since a
    restore, do not wait any longer.
    """
    for person in people:
        person.last = True
    least: int | None = None
    until, last = time.monotonic() + FINISH, time.monotonic() + LONGEST_FINISH
    while time.monotonic() < min(until, last):
        with suppress(SQLAlchemyError), site.service.database.write() as work:
            work.session.execute(
                update(Letter)
                .where(Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)))
                # What a restore takes up anew waits as well, without any try so far; reminders wait
                # for their hour.
                .where(or_(Letter.attempts > 0, Letter.kind != LetterKind.REMINDER))
                .where(Letter.due_at > site.service.now() + dt.timedelta(seconds=20))
                .values(due_at=site.service.now() + dt.timedelta(seconds=15))
            )
            open_ = sum(
                work.session.scalar(select(func.count()).select_from(table).where(condition)) or 0
                for table, condition in (
                    (Letter, Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING))),
                    (Submission, Submission.status == SubmissionStatus.RECEIVED),
                    (InboundMail, InboundMail.status == MailStatus.RECEIVED),
                )
            )
            if not open_ and not any(person.is_alive() for person in people):
                return
            if least is None or open_ < least:
                least, until = open_, time.monotonic() + FINISH
        time.sleep(1)


def _table(world: World, windows: list[Window], verdict: Verdict) -> str:
    lines = [
        ("fault", "times", "moves", "lost", "letters", "again", "differing", "recovery (worst)")
    ]

    def line(kind: str, chosen: list[Window], inside: Callable[[float], bool]) -> None:
        times = [each.recovery for each in chosen]
        known = [each for each in times if each is not None]
        worst = "never" if None in times else f"{max(known):.1f} s" if known else "-"
        middle = f"{statistics.median(known):.1f} s " if known else ""
        copies = [copy for copy in world.sink.copies if inside(copy.at)]
        first = {copy.message_id: copy for copy in reversed(world.sink.copies)}
        lines.append(
            (
                kind,
                str(len(chosen)) if chosen else "",
                str(sum(inside(ack.at) for ack in world.acks)),
                str(sum(inside(ack.at) for ack in verdict.lost)),
                str(len({copy.message_id for copy in copies})),
                str(sum(first[copy.message_id] is not copy for copy in copies)),
                str(len({c.message_id for c in copies} & verdict.differing)),
                f"{middle}({worst})" if chosen else "",
            )
        )

    def within(chosen: list[Window]) -> Callable[[float], bool]:
        return lambda at: any(each.began <= at < each.ended for each in chosen)

    for kind in FAULTS:
        chosen = [each for each in windows if each.kind == kind]
        if chosen:
            line(kind, chosen, within(chosen))
    line("between", [], lambda at: not within(windows)(at))
    line("all", windows, lambda _: True)
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in lines
    )


def _keep(sink: BadSink) -> None:
    """Keep letters that differ under one Message-ID, side by side, to be looked at."""
    for number, texts_ in enumerate(sink.different.values()):
        OUT.mkdir(parents=True, exist_ok=True)
        for name, text in zip("ab", texts_, strict=True):
            (OUT / f"different-{number}-{name}.eml").write_bytes(text)


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


def _family(pid: int) -> list[int]:
    with suppress(OSError):
        return [pid, *(each for child in _children(pid) for each in _family(child))]
    return []


@contextmanager
def _world(seed: int) -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), seed)
        try:
            yield world
        finally:
            world.close()


def main(words: list[str]) -> int:
    """Run, print the table; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m bench faults")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=3, help="tables at a time")
    parser.add_argument("--only", help="kinds of faults, with commas")
    given = parser.parse_args(words)
    kinds = given.only.split(",") if given.only else list(FAULTS)
    windows: list[Window] = []
    with _world(given.seed) as world:
        if "restored" in kinds and world.stack.command("backup", "--help").returncode:
            kinds.remove("restored")
            print("There is no `paleopost backup`: nothing is restored.", file=sys.stderr)
        people = [Person(world, n, given.seed + n) for n in range(given.tables)]
        for person in people:
            person.start()
        until = time.monotonic() + given.minutes * 60
        _recovery(world)
        while time.monotonic() < until:
            for kind in world.random.sample(kinds, len(kinds)):
                if time.monotonic() >= until:
                    break
                began = time.monotonic()
                FAULTS[kind](world)
                recovery = _recovery(world)
                windows.append(Window(kind, began, time.monotonic(), recovery))
                said = "never" if recovery is None else f"{recovery:.1f} s"
                print(f"{kind}: worked again after {said}", file=sys.stderr, flush=True)
        finish(world, people)
        verdict = judged(world)
        _keep(world.sink)
        print(f"seed {given.seed}, {len(world.matches)} matches, wrong expiries {verdict.expired}")
        print(_table(world, windows, verdict))
    late = [each.kind for each in windows if each.recovery is None]
    for sentence in [*verdict.broken, *(f"no recovery from: {kind}" for kind in late)]:
        print(f"BROKEN: {sentence}")
    return int(bool(verdict.broken or late))
