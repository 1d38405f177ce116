"""One run: the product's processes on one database, the people, and what happens to them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final

from sqlalchemy import Row, func, or_, select

from engine.games import games
from service.core import heartbeat, randomness, system_clock
from service.core.context import Service
from service.core.db import NoQueue
from service.core.jobs import QUEUE_OF
from service.core.models import (
    DecisionRow,
    EntryRow,
    InboundMail,
    Letter,
    Match,
    Pause,
    Player,
    SeatRow,
    Submission,
)
from service.core.statuses import (
    WAITING,
    LetterKind,
    LetterStatus,
    MailStatus,
    MatchStatus,
    PauseStatus,
    TimeoutPolicy,
)
from service.matches.tables import BotSeat, Guest, OpenSeat, open_table
from service.ops import dead_letters
from service.players.accounts import meet
from service.time import outages
from service.time.terms import Terms
from tests.engine import nim
from tests.simulation import faults
from tests.simulation.broker import Broker, Job
from tests.simulation.checks import Checks
from tests.simulation.clock import VirtualClock
from tests.simulation.faults import CALM, Weather
from tests.simulation.mail_server import MailServer
from tests.simulation.players import Person
from tests.simulation.processes import Process, WebServer, Worker
from tests.simulation.restoring import Backups
from tests.simulation.scheduler import Killed, Scheduler, Task
from tests.simulation.trace import Trace
from tests.support.tables import settings_for

VISIBILITY = dt.timedelta(minutes=30)
SWEEP = dt.timedelta(seconds=60)
NAMES = ("ana", "ben", "cleo", "dan")
MOST_ROUNDS = 400
STILL = 12
"""Sweeps after which nothing more is to be hoped for, if each has found the same."""
POWER = dt.timedelta(seconds=60)
MAILER = "mail"
OUTLASTED = 2
IN_THE_OPEN = 0.1
"""Of the seeds, how many play Nim, in which all is known of every move: in the games of the product
nearly every move that others hear of has shown something, so that it cannot be taken back anyway.
"""
BEGUN = (PauseStatus.RUNNING, PauseStatus.OVER)
TRIES = 4
"""Draws of something that somebody can do."""


_NEWEST = (
    select(Player.email, EntryRow)
    .join(SeatRow, SeatRow.player_id == Player.id)
    .join(EntryRow, (EntryRow.match_id == SeatRow.match_id) & (EntryRow.seat == SeatRow.seat))
    .join(Match, Match.id == EntryRow.match_id)
    .where(EntryRow.n == Match.last_entry, Match.status == MatchStatus.PLAYING)
)
"""Who has made the newest entry of a match that goes on, and the entry."""


class World:
    """Everything in one run, made of its seed. `without`: kinds of faults that are left out."""

    TOLERANCE: Final = dt.timedelta(minutes=30)
    """What of a table's time the rules may cost somebody: a letter that was late by minutes, and
    gaps in the heartbeat that are no outage.
    """

    def __init__(self, seed: int, url: str, game: str | None, without: Collection[str]) -> None:
        self.seed = seed
        self.without = frozenset(without)
        self._main = Random(f"{seed} world")
        self.clock = VirtualClock(self._nap)
        self.trace = Trace(self.clock.now)
        self.scheduler = Scheduler(self.clock.now)
        self.settings = settings_for(url, REQUESTS_PER_MINUTE="1000000", SWEEP_EVERY="60")
        self.weather = Weather.drawn(self._main, self.without)
        self.broker = Broker(self)
        self.checks = Checks(self)
        self.mail_server = MailServer(self)
        self.eyes = Service(self.settings, NoQueue())
        self.backups = Backups(self)
        """A way into the database for who looks on."""
        self.workers = [Worker(f"worker {n}", self) for n in (1, 2)]
        self.mailers = [Worker(f"mailer {n}", self) for n in (1, 2)]
        self.web = WebServer("web", self)
        self.lmtp = Process("lmtp", self)
        self.writer: object = None
        self.people: list[Person] = []
        self.away: list[tuple[dt.datetime, dt.datetime]] = []
        self._paused: dict[int, dt.datetime] = {}
        self._resumed: dict[int, dt.datetime] = {}
        self._newest: tuple[int, Row[str, EntryRow] | None] | None = None
        """How many commits there had been when the newest entry was looked for, and what was found.
        """
        self._noted: int | None = None
        """How many commits there had been when pauses were noted last."""
        self._step = Random(f"{seed} opening")
        self._is_set_back = self._main.random() < 0.18
        offered = [key for key in games() if key != nim.GAME.key]
        in_the_open = self._main.random() < IN_THE_OPEN
        self._game = game or (nim.GAME.key if in_the_open else self._main.choice(offered))
        self.steps = 0
        self.commits = 0
        """How many there have been: what is asked of the database is asked again after some."""
        self._swept_at: dt.datetime | None = None
        self._is_dark = False

    @property
    def draw(self) -> Random:
        """What the present task draws from."""
        task = self.scheduler.current
        return self._step if task is None else task.draw

    # What the product comes by

    def point(self, kind: str) -> None:
        """The present task is at a place where its process may die, or others may go on."""
        task = self.scheduler.current
        if task is None:
            return
        if task.killed:
            raise Killed
        task.passed[kind] += 1
        if task.dies_at == (kind, task.passed[kind]):
            task.killed, task.died_at = True, kind
            self.trace.fault(f"kill: {kind}", task.name)
            self._is_dark = task.takes_all
            raise Killed
        if task.gives_way and task.draw.random() < task.gives_way * faults.LETS_ON[kind]:
            task.give_way()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time, as the file's lock has it."""
        self.scheduler.wait(lambda: self.writer is None)
        assert self.writer is None, "somebody writes outside of a task"
        self.writer = self.scheduler.current or self
        try:
            yield
        finally:
            self.writer = None

    def _nap(self, seconds: float) -> None:
        self.scheduler.sleep(seconds)

    # Tasks

    def task(
        self,
        name: str,
        run: Callable[[], None],
        process: Process | None = None,
        *,
        mortal: bool = True,
        mails: bool = False,
        about: tuple[str, object] | None = None,
    ) -> Task:
        """Something begins, as the step draws it. `mails`: it hands a letter over."""
        draw = Random(self._step.getrandbits(64))
        task = Task(name, run, draw)
        task.about = about
        task.process, task.began = process, self.clock.now()
        if mortal:
            task.gives_way = self.weather.gives_way
            if draw.random() < self.weather.kill:
                passed = [each for each in faults.POINTS if mails or each not in faults.OF_MAIL]
                task.dies_at = faults.death(draw, passed)
            if mails and draw.random() < self.weather.power:
                task.dies_at, task.takes_all = ("taken", 1), True
        self.trace.note("begin", name)
        self._run(task)
        return task

    def go_on(self, task: Task) -> None:
        """A task that gave way goes on."""
        self.trace.note("go on", task.name)
        self._run(task)

    def _run(self, task: Task) -> None:
        self.scheduler.run(task)
        if task.killed and task.took is not None:
            self.mail_server.maybe[task.took] += 1
        if task.killed and task.takes_all:
            self._lose_power(task)
        elif task.killed and task.process is not None:
            # Whatever else the process was at is gone with it.
            for other in [each for each in self.scheduler.tasks if each.process is task.process]:
                self._kill(other)
        if task.error is not None:
            said = str(task.error).split("\n")[0][:200]
            self.checks.broken(f"{task.name} raised {type(task.error).__name__}: {said}")

    def _lose_power(self, task: Task) -> None:
        """All that runs is gone, and the broker is back where its disk was."""
        self.stop_all()
        self._is_dark = False
        back = self.broker.set_back(POWER)
        self.trace.fault("power", back, "jobs as before")
        self.pass_time(dt.timedelta(seconds=task.draw.randint(31, 50)), up=False)

    def stop_all(self) -> None:
        """End all processes, with whatever they are at."""
        for task in [*self.scheduler.tasks]:
            self._kill(task)
        for process in (*self.workers, *self.mailers, self.web, self.lmtp):
            process.die()

    def _kill(self, task: Task) -> None:
        self.scheduler.kill(task)
        if task.took is not None:
            self.mail_server.maybe[task.took] += 1

    def start_job(self, job: Job) -> bool:
        """A free worker takes a job; False if none is free."""
        team = self.mailers if QUEUE_OF[job.task] == MAILER else self.workers
        worker = next((each for each in team if not each.busy), None)
        if worker is None:
            return False
        self.broker.draw(job)
        worker.busy = True

        def run() -> None:
            assert self.scheduler.current is not None
            self.scheduler.current.ahead = job.is_claimed_ahead
            try:
                worker.work(job)
                if job.task == "time.sweep":
                    self._swept_at = self.clock.now()
            except Killed:
                worker.die()
                # A child that dies is noticed at once, a worker that does with all its children
                # only when the broker wonders.
                late = self.draw.random() < 0.3
                if not self._is_dark:
                    self.broker.put_back(job, VISIBILITY if late else dt.timedelta())
                elif job.drawn is not None and job.drawn <= self.clock.now() - POWER:
                    self.broker.put_back(job, VISIBILITY)
                raise
            finally:
                worker.busy = False

        self.task(f"{worker.name}: {job}", run, worker, mails=team is self.mailers, about=job.about)
        return True

    def person(self, process: Process, name: str, run: Callable[[], None]) -> None:
        """Somebody does something, which this process has to do with."""

        def handled() -> None:
            try:
                run()
            except Killed:
                process.die()
                raise

        self.task(name, handled, process)

    # Time

    def finish_tasks(self) -> None:
        """Let everything that is under way end: no task lasts for minutes."""
        while self.scheduler.tasks:
            ready = self.scheduler.ready()
            if ready:
                self.go_on(self._step.choice(ready))
                continue
            wakes = min(t.wakes for t in self.scheduler.tasks if t.wakes is not None)
            self.clock.advance(wakes - self.clock.now())

    def pass_time(self, length: dt.timedelta, *, up: bool) -> None:
        """Time passes; `up`: the sweep goes on beating meanwhile, and has nothing to find."""
        self.note_pauses()
        if up:
            # What it does first when it is back: a gap is journaled, not beaten over.
            self.task("beat", lambda: outages.beat(self.workers[0].service), mortal=False)
        began = self.clock.now()
        self.clock.advance(length)
        if length > dt.timedelta(minutes=10) and not up:
            self.away.append((began, self.clock.now()))
            self.trace.fault("outage", length)
        if up:
            self.task("beat", self._beat, mortal=False)
            self.trace.note("passed", length)

    def _beat(self) -> None:
        with self.workers[0].service.database.write() as work:
            heartbeat.beat(work.session, heartbeat.SWEEP, self.clock.now())

    def next_moment(self) -> dt.datetime | None:
        """When something is due next that is written down."""
        now = self.clock.now()
        with self.eyes.database.read() as session:
            found = [
                session.scalar(select(func.min(column)).where(*conditions))
                for column, conditions in (
                    (Letter.due_at, (Letter.due_at > now,)),
                    (
                        DecisionRow.deadline,
                        (DecisionRow.closed_entry.is_(None), DecisionRow.deadline > now),
                    ),
                    (Pause.until, (Pause.until > now,)),
                    (Submission.pending_since, (Submission.pending_since > now,)),
                    (
                        DecisionRow.enqueued_at,
                        (
                            DecisionRow.closed_entry.is_(None),
                            DecisionRow.enqueued_at.is_not(None),
                        ),
                    ),
                )
            ]
        moments = [each for each in found if each is not None]
        moments += [job.ready for job in self.broker.bag if job.ready > now]
        return min(moments, default=None)

    def _next_deadline(self) -> dt.datetime | None:
        """When time is up for somebody next, or a pause is over, or a letter is due that asks for
        something: nobody's time may be up before it leaves.
        """
        now = self.clock.now()
        asking = (LetterKind.TURN, LetterKind.DIGEST, LetterKind.ANSWER)
        with self.eyes.database.read() as session:
            found = [
                session.scalar(select(func.min(column)).where(column > now, *conditions))
                for column, conditions in (
                    (DecisionRow.deadline, (DecisionRow.closed_entry.is_(None),)),
                    (Pause.until, ()),
                    (Letter.due_at, (Letter.kind.in_(asking),)),
                )
            ]
        return min((each for each in found if each is not None), default=None)

    def time_had(self, match_id: int, since: dt.datetime, until: dt.datetime) -> dt.timedelta:
        """How long the service was up between, and the match not paused."""
        spans = [*self.away]
        with self.eyes.database.read() as session:
            for pause in session.scalars(select(Pause).where(Pause.match_id == match_id)):
                if pause.until is not None or pause.status in BEGUN:
                    begun = self._paused.get(pause.id)
                    if begun is not None:
                        spans.append((begun, self._resumed.get(pause.id, until)))
        had = until - since
        for away, back in _apart(spans):
            overlap = min(back, until) - max(away, since)
            had -= max(overlap, dt.timedelta())
        return had

    def note_pauses(self) -> None:
        """Keep in mind since when, and until when, a pause lasts."""
        if self.commits == self._noted:
            return  # nothing was written since
        self._noted = self.commits
        with self.eyes.database.read() as session:
            for pause, match in session.execute(
                select(Pause, Match).join(Match, Match.id == Pause.match_id)
            ):
                if pause.status == "running" and pause.id not in self._paused:
                    self._paused[pause.id] = match.paused_at or self.clock.now()
                if pause.status == "over" and pause.id not in self._resumed:
                    self._resumed[pause.id] = self.clock.now()

    def forget_pauses(self) -> None:
        """The database was set back: the number of a pause it does not know goes to the next."""
        self._noted = self._newest = None
        with self.eyes.database.read() as session:
            status = {pause.id: pause.status for pause in session.scalars(select(Pause))}
        over = (PauseStatus.OVER,)
        self._paused = {n: at for n, at in self._paused.items() if status.get(n) in BEGUN}
        self._resumed = {n: at for n, at in self._resumed.items() if status.get(n) in over}

    def asked_at(
        self, code: str, seat: int, decision: str, address: str, opened: dt.datetime
    ) -> dt.datetime | None:
        """When the mail server took the first letter that asks a person for this."""
        head = f"turn.{code}.{seat}.{decision}."
        for copy in self.mail_server.copies:
            if copy.message_id.startswith(head) and copy.to == address:
                return copy.at
        # A digest tells of all that waits for its reader, and so does the letter of a restore.
        for copy in self.mail_server.copies:
            tells = copy.message_id.startswith(("digest.", "answer.restored."))
            if tells and copy.to == address and copy.at >= opened:
                return copy.at
        return None

    # The run

    def open(self) -> None:
        """A table, as the host opens it; the guests are invited by letters."""
        draw = self._main
        game = games()[self._game]
        seats = draw.choice([n for n in game.seats if n <= 4])
        people = max(1, min(seats, draw.choice((1, 2, 2, 3))))
        self.people = [Person(self, f"{NAMES[n]}@example.org") for n in range(people)]
        bot = next(iter(game.bots))
        others: list[Guest | BotSeat | OpenSeat] = [
            Guest(address=person.address) for person in self.people[1:]
        ]
        others += [BotSeat(bot=bot) for _ in range(seats - people)]
        if people > 1 and draw.random() < 0.2:
            others[0] = OpenSeat()
        terms = Terms(
            pace_days=draw.randint(1, 3),
            timeout=draw.choice(list(TimeoutPolicy)),
            hold_minutes=draw.choice((0, 0, 0, 10)),
        )
        self.trace.note("table", self._game, seats, people, terms)

        def run() -> None:
            service = self.web.service
            with service.database.write() as work:
                host = meet(service, work.session, self.people[0].address)
                open_table(service, work, host, self._game, others, terms)

        self.task("open", run, mortal=False)
        self.pass_time(dt.timedelta(seconds=1), up=True)
        self.finish_tasks()
        if draw.random() < 0.85:
            self.broker.bag.clear()
            for person in self.people[1:]:
                join = person.join(draw)
                if isinstance(others[0], OpenSeat) and person is self.people[1] and join:
                    self.task(f"{person.address} joins", join, mortal=False)
                self.task(f"{person.address} comes", person.come, mortal=False)
        # Somebody who may be asked to take a seat over.
        self.people.append(Person(self, f"{NAMES[-1]}@example.org"))

    def step(self, number: int) -> None:
        """Something happens, drawn from this step's own seed."""
        self._step = draw = Random(f"{self.seed} step {number}")
        self.steps += 1
        self.clock.advance(dt.timedelta(milliseconds=draw.randint(1, 2000)))
        ready, tasks = self.broker.ready(), self.scheduler.ready()
        kinds = {
            # The more there are the likelier: else most letters would leave in the calm at the end.
            "job": min(30 * len(ready), 120),
            "go on": 40 if tasks else 0,
            "deed": 44,
            "sweep": 8,
            "time": 8,
            "fault": 14 if self._is_set_back else 8,
        }
        [kind] = draw.choices(list(kinds), list(kinds.values()))
        match kind:
            case "job":
                self.start_job(self._chosen(draw, ready))
            case "go on":
                self.go_on(draw.choice(tasks))
            case "deed":
                self._deed(draw)
            case "sweep":
                self.clock.advance(SWEEP)
                self.broker.enqueue("time.sweep")
            case "time":
                self._time(draw)
            case "fault":
                self._fault(draw)
        self.note_pauses()
        self.checks.after_step()

    def _chosen(self, draw: Random, ready: list[Job]) -> Job:
        """One of the jobs; often one about what somebody is at: two at once are what most guards
        are there for.
        """
        busy = {task.about for task in self.scheduler.tasks}
        twins = [job for job in ready if job.about in busy]
        return draw.choice(twins if twins and draw.random() < 0.6 else ready)

    def _deed(self, draw: Random) -> None:
        for _ in range(TRIES):
            person, name = self._drawn_deed(draw)
            run = getattr(person, name)(draw)
            if run is not None:
                by_mail = name in ("reply", "send_again", "accept")
                process = self.lmtp if by_mail else self.web
                self.person(process, f"{person.address} {name}", run)
                return

    def _drawn_deed(self, draw: Random) -> tuple[Person, str]:
        # Who has just moved is the one who may regret it, most of all when others know the move,
        # and nothing else stands in the way.
        newest, regret = self._newest_mover()
        if newest is not None and draw.random() < regret:
            return newest, "undo"
        person = draw.choice(self.people)
        if not person.seats():
            return person, "accept" if draw.random() < 0.7 else "join"
        deeds = {
            "hand_in": 40,
            "reply": 24,
            "press_again": 8,
            "send_again": 6,
            "undo": 4,
            "clock": 30 if person.is_asked_for_a_pause() else 8,
            "ask_how": 4,
            "look": 3,
            "intrude": 3,
            "resign": 1,
            "host": 4,
            "erase": 25 if person.may_erase() else 2,
        }
        [name] = draw.choices(list(deeds), list(deeds.values()))
        return person, name

    def _newest_mover(self) -> tuple[Person | None, float]:
        """Who has made the newest entry of the match, None for a bot, and how likely they want to
        take it back.
        """
        if self._newest is None or self._newest[0] != self.commits:
            with self.eyes.database.read() as session:
                self._newest = self.commits, session.execute(_NEWEST).first()
        found = self._newest[1]
        if found is None:
            return None, 0.0
        email, entry = found
        person = next((each for each in self.people if each.address == email), None)
        if entry.revealed:
            return person, 0.05
        return person, 0.7 if self.checks.is_told(entry) else 0.1

    def _time(self, draw: Random) -> None:
        self.finish_tasks()
        roll = draw.random()
        if roll < 0.35:
            self.pass_time(dt.timedelta(minutes=draw.randint(1, 120)), up=True)
            return
        if roll < 0.8:
            # To what is due next, and a little beyond; often to a deadline, whatever comes before
            moment = self._next_deadline() if draw.random() < 0.5 else self.next_moment()
            if moment is not None and moment > self.clock.now():
                self.pass_time(moment - self.clock.now() + dt.timedelta(seconds=1), up=True)
            return
        if "outage" not in self.without:
            self.pass_time(dt.timedelta(hours=draw.randint(1, 60)), up=False)

    def _fault(self, draw: Random) -> None:
        often = "restored" if self._is_set_back else "frozen"
        fault = draw.choice(("stop", "broker lost", "frozen", "early", "early", often, often))
        if fault in self.without:
            return
        tasks = self.scheduler.tasks
        if fault == "broker lost":
            self.trace.fault("broker lost", len(self.broker.bag))
            self.broker.bag.clear()
        elif fault == "restored":
            self.backups.act()
        elif fault == "early":
            self._too_early(draw)
        elif fault == "stop" and tasks:
            task = draw.choice(tasks)
            self.trace.fault("stop", task.name)
            self._kill(task)
        elif fault == "frozen" and tasks:
            # Whoever is under way is not heard of for so long that others take its place.
            length = dt.timedelta(minutes=draw.randint(2, 40))
            if self.writer is None:
                self.trace.fault("frozen", length)
                self.pass_time(length, up=True)

    def _too_early(self, draw: Random) -> None:
        """Some machine's clock is fast: what is due in hours or days is enqueued now."""
        with self.eyes.database.read() as session:
            clocks = session.execute(
                select(DecisionRow.match_id, DecisionRow.decision)
                .where(DecisionRow.closed_entry.is_(None), DecisionRow.deadline.is_not(None))
                .order_by(DecisionRow.match_id, DecisionRow.decision)
            ).all()
            pauses = session.scalars(
                select(Pause.id).where(Pause.until.is_not(None)).order_by(Pause.id)
            ).all()
            turns = session.scalars(
                select(Submission.id)
                .where(Submission.pending_since.is_not(None))
                .order_by(Submission.id)
            ).all()
        jobs: list[tuple[str, tuple[object, ...]]] = []
        jobs += [("time.expire", (match, decision)) for match, decision in clocks]
        jobs += [("time.resume", (number,)) for number in pauses]
        jobs += [("moves.play", (number,)) for number in turns]
        if jobs:
            task, args = draw.choice(jobs)
            self.trace.fault("early", task, *args)
            self.broker.bag.append(Job(task, args, self.clock.now()))

    def calm(self) -> None:
        """No more faults: all must come to rest."""
        self._step = Random(f"{self.seed} calm")
        self.weather = CALM
        self.trace.note("calm")
        self._come_to_rest()

    def outlast(self) -> None:
        """Let what is due next come, a few times: letters that wait for their hour, clocks that run
        out, pauses that end.
        """
        for _ in range(OUTLASTED):
            moment = self._next_deadline()
            if moment is None:
                return
            self.trace.note("outlast", moment)
            self.pass_time(moment - self.clock.now() + dt.timedelta(seconds=1), up=True)
            self._come_to_rest()
            self.checks.at_rest()

    def _come_to_rest(self) -> None:
        before, same = [""], 0
        for _ in range(MOST_ROUNDS):
            self.finish_tasks()
            self.checks.look()
            ready = self.broker.ready()
            if ready:
                self.start_job(self._step.choice(ready))
                continue
            self.note_pauses()
            self.checks.after_step()
            pending = self._pending()
            if not pending and not self._owes_time():
                return
            same = same + 1 if pending == before else 0
            before = pending
            if same >= STILL:
                break
            self.clock.advance(SWEEP)
            self._retry()
            self.broker.enqueue("time.sweep")
            while (ready := self.broker.ready()) or self.scheduler.tasks:
                self.finish_tasks()
                self.checks.look()
                if ready:
                    self.start_job(self._step.choice(ready))
            if self._pending() and not self.broker.ready():
                moment = self.next_moment()
                wait = SWEEP if moment is None else max(SWEEP, moment - self.clock.now())
                self.pass_time(wait, up=True)
        self.checks.broken(f"no rest: {self._pending()}")
        self.checks.look()

    def _owes_time(self) -> bool:
        """True if no sweep has been since the last outage."""
        if not self.away:
            return False
        return self._swept_at is None or self._swept_at < self.away[-1][1]

    def _pending(self) -> list[str]:
        """What is still to be done by the service alone."""
        now = self.clock.now()
        with self.eyes.database.read() as session:
            found = {
                "turns": select(func.count())
                .select_from(Submission)
                .where(Submission.status.in_((*WAITING, "dead_letter"))),
                "mails": select(func.count())
                .select_from(InboundMail)
                .where(InboundMail.status.in_((MailStatus.RECEIVED, MailStatus.DEAD_LETTER))),
                "letters": select(func.count())
                .select_from(Letter)
                .where(
                    or_(
                        Letter.status.in_((LetterStatus.SENDING, LetterStatus.DEAD_LETTER)),
                        (Letter.status == LetterStatus.DUE)
                        & ((Letter.due_at <= now) | (Letter.attempts > 0)),
                    )
                ),
                "clocks": select(func.count())
                .select_from(DecisionRow)
                .where(
                    DecisionRow.closed_entry.is_(None),
                    (DecisionRow.deadline <= now) | DecisionRow.enqueued_at.is_not(None),
                    DecisionRow.match_id.in_(
                        select(Match.id).where(Match.status == MatchStatus.PLAYING)
                    ),
                ),
            }
            return [
                f"{name} {count}"
                for name, query in found.items()
                if (count := session.scalar(query))
            ]

    def _retry(self) -> None:
        """The operator has dead letters tried again."""
        with self.eyes.database.read() as session:
            names = [each.name for each in dead_letters.dead_letters(session)]

        def run() -> None:
            service = self.web.service
            for name in names:
                with service.database.write() as work:
                    dead_letters.retry(service, work, name)

        if names:
            self.task("retry", run, mortal=False)

    @contextmanager
    def running(self) -> Iterator[None]:
        """The product goes by this world's clock, and draws from its seed."""
        kept = system_clock.source, randomness.source
        system_clock.source, randomness.source = self.clock, Random(f"{self.seed} product")
        self.web.app.extensions["paleopost"] = _Served(self)
        try:
            yield
        finally:
            system_clock.source, randomness.source = kept
            for process in (*self.workers, *self.mailers, self.web, self.lmtp):
                process.die()
            self.eyes.database.dispose()


class _Served:
    """The service of the web server's process, whichever lives now."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getattr__(self, name: str) -> object:
        return getattr(self._world.web.service, name)


def _apart(
    spans: list[tuple[dt.datetime, dt.datetime]],
) -> list[tuple[dt.datetime, dt.datetime]]:
    """In order, those that overlap as one."""
    found: list[tuple[dt.datetime, dt.datetime]] = []
    for away, back in sorted(spans):
        if found and away <= found[-1][1]:
            found[-1] = found[-1][0], max(back, found[-1][1])
        else:
            found.append((away, back))
    return found
