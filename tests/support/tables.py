"""Tables for tests: a service on a database, bells kept until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from engine.bots import ask
from engine.chance import SeededChance, seed_hash, seed_of_number
from engine.play import complete, decision_of, texts
from engine.protocol import Seat
from service.core import heartbeat, locks
from service.core.context import Service
from service.core.db import Work
from service.core.models import DecisionRow, Letter, Match, Player, Submission
from service.core.session import held, of_matches
from service.core.settings import Settings
from service.mail.send import delivery
from service.matches import bots, expiry, journal, moves, tables
from service.matches.tables import Place, answer, open_table
from service.players.accounts import meet
from service.time import pausing
from service.time.terms import Terms
from tests.support import compiling as compiling  # once for all tests
from tests.support import routes as routes
from tests.support.snapshots import once


class Jobs:
    """A queue that keeps its bells: a test says when and how often they are heard."""

    def __init__(self) -> None:
        self.enqueued: list[tuple[str, tuple[Any, ...]]] = []

    def enqueue(self, task: str, *args: Any) -> None:
        """Keep the bell."""
        self.enqueued.append((task, args))

    def waiting(self, task: str) -> int:
        """The bells that were not taken yet; each task counts for itself."""
        return sum(name == task for name, _ in self.enqueued)

    def take(self, task: str) -> list[tuple[Any, ...]]:
        """The arguments of every kept bell for this task, which are then gone."""
        found = [args for name, args in self.enqueued if name == task]
        self.enqueued = [(name, args) for name, args in self.enqueued if name != task]
        return found


class Postbox:
    """A transport that keeps what it is handed, or raises what a test wants."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, bytes]] = []
        self.fail: Exception | None = None
        self.fail_after: BaseException | None = None

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        """Keep the message. What `fail` is comes before the end of the text."""
        if self.fail is not None:
            raise self.fail
        before_end()
        if self.fail_after is not None:
            raise self.fail_after
        self.sent.append((sender, to, message))


def settings_for(database_url: str, **changes: Any) -> Settings:
    """Settings of a test service."""
    env = {
        "SECRET_KEY": "test-" * 8,
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "BASE_URL": "http://paleopost.test",
        "MAIL_DOMAIN": "paleopost.test",
    }
    return Settings.from_env(env | changes)


def of_all(work: Work) -> dict[str, Any]:
    """The execution options of a bulk statement on whatever matches are locked."""
    return of_matches(*held(work.session))


class World:
    """A service and shortcuts to what people do with it."""

    def __init__(self, service: Service, jobs: Jobs) -> None:
        self.service = service
        self.jobs = jobs
        self.post = Postbox()

    def player(self, address: str, **more: Any) -> Player:
        """Somebody known."""
        with self.service.database.write() as work:
            return meet(self.service, work.session, address, **more)

    def open(self, others: Sequence[Place], game: str, **more: Any) -> int:
        """A table of ana@example.org with these others, and more of its terms; its id."""
        terms = {name: more.pop(name) for name in Terms.__struct_fields__ if name in more}
        host = self.player("ana@example.org", name="Ana")
        with self.service.database.write() as work:
            host = work.session.get_one(Player, host.id)
            return open_table(self.service, work, host, game, others, Terms(**terms), **more).id

    def everybody_accepts(self, match_id: int) -> None:
        """All guests come."""
        for seat in self.match(match_id).seats:
            if seat.status == "invited" and seat.player is not None:
                token = self.service.keys.token("invitation", match_id, seat.player.id)
                with self.service.database.write() as work:
                    answer(self.service, work, token, "accept")

    def begun(
        self, others: Sequence[Place], game: str, *, seed: int | None = None, **terms: Any
    ) -> int:
        """A table as `open` has it, to which all guests have come; the same deal each time, or that
        of a seed. It may be a copy: who asks what opening it logs, counts or costs calls `open`.
        """

        def reach() -> int:
            match_id = self.open(others, game, **terms)
            if seed is not None:
                with self.service.database.write() as work:
                    match = locks.lock_number(self.service, work, match_id)
                    match.seed = seed_of_number(seed)
                    match.seed_hash = seed_hash(match.seed)
            self.everybody_accepts(match_id)
            return match_id

        return once(self, ("begun", type(self), game, repr(others), seed, repr(terms)), reach)

    def wait_out(self, match_id: int) -> None:
        """Its empty seats have been waited for long enough."""
        with self.service.database.write() as work:
            match = locks.lock_number(self.service, work, match_id)
            assert match.fill_until is not None
            match.fill_until = self.service.now()
        tables.stop_waiting(self.service, match_id)

    def match(self, match_id: int) -> Match:
        """The match as it is now."""
        with self.service.database.read() as session:
            match = session.get_one(Match, match_id)
            _ = match.seats
            return match

    def awaited(self, match_id: int) -> DecisionRow:
        """The first open blocking decision: of several at the same time, that of the first seat."""
        with self.service.database.read() as session:
            return session.scalars(
                select(DecisionRow)
                .where(
                    DecisionRow.match_id == match_id,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.blocks,
                )
                .order_by(DecisionRow.opened_entry, DecisionRow.seat)
            ).first() or _nobody(match_id)

    def legal_turn(self, match_id: int, seat: Seat, decision: str) -> str:
        """The default turn as notation text."""
        with self.service.database.read() as session:
            match = session.get_one(Match, match_id)
            game = journal.game_of(match)
            state = journal.position(session, match).state
            # The stack may be looked at here: the turn itself does not depend on it.
            actions = complete(game, state, seat, decision, SeededChance(bytes(32)))
            return "\n".join(texts(game, state, seat, actions, "en"))

    def suggested_turn(self, match_id: int, seat: Seat) -> str:
        """The turn that a letter offers first: it leaves nothing unused that costs nothing."""
        with self.service.database.read() as session:
            match = session.get_one(Match, match_id)
            game = journal.game_of(match)
            state = journal.position(session, match).state
            actions = next(iter(game.suggestions(state, seat, 1)))
            return "\n".join(texts(game, state, seat, actions, "en"))

    def bots_turn(self, match_id: int, bot: str) -> str:
        """What a bot would write for the decision that is awaited."""
        row = self.awaited(match_id)
        with self.service.database.read() as session:
            match = session.get_one(Match, match_id)
            game = journal.game_of(match)
            state = journal.position(session, match).state
            asked = decision_of(game, state, row.seat, row.decision)
            actions = ask(game, bot, state, asked, SeededChance(bytes(32)))
            return "\n".join(texts(game, state, row.seat, actions, "en"))

    @contextmanager
    def changing(self) -> Iterator[Work]:
        """A unit of work that has locked all matches, for what a test changes by hand."""
        with self.service.database.write() as work:
            for number in work.session.scalars(select(Match.id).order_by(Match.id)).all():
                self.service.database.lock_match(work.session, number)
            yield work

    def submit(self, match_id: int, body: str | None = None, **more: Any) -> Submission:
        """Store a submission for the decision that is awaited (a legal one by default)."""
        row = self.awaited(match_id)
        seat, decision = more.pop("seat", row.seat), more.pop("decision", row.decision)
        if body is None:
            body = self.legal_turn(match_id, row.seat, row.decision)
        with self.service.database.write() as work:
            return moves.receive(
                self.service,
                work,
                match=locks.lock_number(self.service, work, match_id),
                seat=seat,
                decision=decision,
                body=body,
                lang=more.pop("lang", "en"),
                source=more.pop("source", "form"),
                **more,
            )

    def beat(self) -> None:
        """Let the sweep have been here just now: the time since the last one was no outage."""
        with self.service.database.write() as work:
            heartbeat.beat(work.session, heartbeat.SWEEP, self.service.now())

    def hear(self, *, mail: bool = False) -> int:
        """Answer bells until none is left (letters only if asked); how many."""
        heard = 0
        tasks: dict[str, Callable[..., Any]] = {
            "moves.play": lambda i: moves.play(self.service, i),
            "moves.bot": lambda m, d: bots.play_bot(self.service, m, d),
            "time.expire": lambda m, d: expiry.expire(self.service, m, d),
            "time.resume": lambda p: pausing.end_if_over(self.service, p),
            "time.fill": lambda m: tables.stop_waiting(self.service, m),
        }
        if mail:
            tasks["mail.deliver"] = lambda *a: delivery.deliver(self.service, self.post, *a)
        while True:
            jobs = [b for b in self.jobs.enqueued if b[0] in tasks]
            if not jobs:
                return heard
            self.jobs.enqueued = [b for b in self.jobs.enqueued if b[0] not in tasks]
            for task, args in jobs:
                tasks[task](*args)
                heard += 1

    def letters(self, match_id: int | None = None, kind: str | None = None) -> list[Letter]:
        """The outbox, oldest first."""
        query = select(Letter).order_by(Letter.id)
        if match_id is not None:
            query = query.where(Letter.match_id == match_id)
        if kind is not None:
            query = query.where(Letter.kind == kind)
        with self.service.database.read() as session:
            return list(session.scalars(query))


def _nobody(match_id: int) -> DecisionRow:
    raise AssertionError(f"match {match_id} waits for nobody")
