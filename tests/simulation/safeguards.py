"""Safeguards of the product, each of which can be taken out, and what the simulation says then.

A safeguard without which no seed breaks a promise would mean that a check or a fault is missing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec.structs import replace
from sqlalchemy import update

from service.core import epochs, locks, randomness
from service.core.db import Work
from service.core.models import DecisionRow, InboundMail, Letter, Submission
from service.core.retriable import MAILS, MOVES, Kind
from service.core.statuses import LetterStatus, MailStatus
from service.mail.receive import inbound, smtp
from service.mail.send import claims, delivery
from service.matches import expiry, moves, undoing
from service.ops import sweep
from service.outgoing import identity, outbox
from service.time import deadlines, lost_time
from service.web import grants
from tests.simulation import processes
from tests.simulation.run import Databases, simulate
from tests.simulation.scheduler import Killed


@contextmanager
def _put(owner: Any, **names: Any) -> Iterator[None]:
    """Other functions under these names of a module or class."""
    kept = {name: getattr(owner, name) for name in names}
    for name, value in names.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(owner, name, value)


def _other_dedupe(owner: Any, row: type[Any]) -> Any:
    """Rows of this table are inserted under a key that is always new."""
    known = owner.insert_once

    def insert_once(session: Any, table: Any, **values: Any) -> Any:
        if table is row:
            most = 32 if table is InboundMail else 100
            values["dedupe"] = f"{values['dedupe'][:most]}.{randomness.token_hex(8)}"
        return known(session, table, **values)

    return _put(owner, insert_once=insert_once)


def dedupe_of_turns() -> Any:
    """One button, one submission."""
    return _other_dedupe(moves, Submission)


def dedupe_of_mails() -> Any:
    """One Message-ID, one mail."""
    return _other_dedupe(inbound, InboundMail)


def dedupe_of_letters() -> Any:
    """A letter is owed once."""
    return _other_dedupe(outbox, Letter)


def status_of_a_turn() -> Any:
    """A turn that is dealt with is not looked at again."""

    def _play(service: Any, work: Any, submission_id: int) -> Any:
        submission = work.session.get_one(Submission, submission_id)
        match = locks.lock_number(service, work, submission.match_id)
        moves.play_locked(service, work, match, submission)
        return submission

    return _put(moves, _play=_play)


def status_of_a_mail() -> Any:
    """A mail that is dealt with is not looked at again."""
    known = inbound._look

    def _look(service: Any, work: Any, mail: InboundMail) -> Any:
        if mail.status == MailStatus.HANDLED:
            mail.status = MailStatus.RECEIVED
            mail.details = replace(mail.details, submission=None)
        return known(service, work, mail)

    return _put(inbound, _look=_look)


def claim() -> Any:
    """Whoever sends a letter keeps others from sending it."""
    known = claims._locked

    def _locked(service: Any, work: Any, letter_id: int, now: Any) -> Any:
        work.session.execute(
            update(Letter)
            .where(Letter.id == letter_id, Letter.status == LetterStatus.SENDING)
            .values(due_at=now)
        )
        return known(service, work, letter_id, now)

    return _put(claims, _locked=_locked)


def bytes_kept() -> Any:
    """The bytes of a letter are kept before the mail server hears of it."""
    known = claims.take_up

    def take_up(service: Any, letter_id: int) -> Any:
        found = known(service, letter_id)
        if found is not None:
            with service.database.write() as work:
                work.session.execute(
                    update(Letter).where(Letter.id == letter_id).values(message=None)
                )
        return found

    return _put(delivery, take_up=take_up)


def name_of_an_edition() -> Any:
    """What is written anew though it may have left has another Message-ID."""
    known = identity._message_id
    return _put(identity, _message_id=lambda service, letter, _: known(service, letter, 0))


def jobs_after_commit() -> Any:
    """Jobs are enqueued after the commit."""

    def at_once(_: Work, task: str, *args: Any) -> None:
        processes._running[-1].broker.enqueue(task, *args)

    return _put(Work, enqueue_after_commit=at_once)


def commit_before_250() -> Any:
    """A mail is committed before it is acknowledged."""
    known = smtp.store

    def store(*args: Any) -> None:
        try:
            known(*args)
        except Killed:
            task = processes._running[-1].scheduler.current
            assert task is not None
            task.killed = False

    return _put(smtp, store=store)


def _unswept(kind: Kind[Any]) -> Any:
    known = sweep._overdue
    return _put(sweep, _overdue=lambda service, each: 0 if each is kind else known(service, each))


def sweep_of_turns() -> Any:
    """A turn whose job is lost is found."""
    return _unswept(MOVES)


def sweep_of_letters() -> Any:
    """A letter whose job is lost is found."""
    return _put(sweep, _letters=lambda _: 0)


def sweep_of_mails() -> Any:
    """A mail whose job is lost is found."""
    return _unswept(MAILS)


def sweep_of_clocks() -> Any:
    """A clock that has run out is found."""
    return _put(sweep, _clocks=lambda _: 0)


def sweep_of_bots() -> Any:
    """A bot whose job is lost is found."""
    return _put(sweep, _bots=lambda _: 0)


def time_of_outages() -> Any:
    """The time of an outage is given back."""
    return _put(lost_time, give_back=lambda *_: None, give_back_everywhere=lambda _: 0)


def no_clock_before_the_letter() -> Any:
    """No time is up of who was not asked."""
    return _put(outbox, untaken=lambda *_: None)


def clock_stands_in_a_pause() -> Any:
    """No clock runs while the match is paused."""
    return _put(deadlines, why_held=lambda *_: None)


def deadline_is_asked_again() -> Any:
    """Whoever comes to act on a clock looks at it again."""
    known = expiry._expire

    def _expire(service: Any, match_id: int, decision: str, policy: Any = None) -> None:
        with service.database.write() as work:
            match = locks.lock_number(service, work, match_id)
            row = work.session.get(DecisionRow, (match.id, decision))
            if row is not None and row.deadline is not None:
                row.deadline = min(row.deadline, service.now())
        known(service, match_id, decision, policy)

    return _put(expiry, _expire=_expire)


def epoch_after_a_restore() -> Any:
    """A database that is set back begins a new epoch."""
    return _put(epochs, new_mark=lambda before: before[0].mark)


def undo_has_a_bound() -> Any:
    """What others were told is not taken back."""
    return _put(undoing, _shown=lambda *_: False)


def seat_is_its_players() -> Any:
    """Nobody but its player acts for a seat."""

    def seat(database: Any, code: str, number: int) -> grants.Access:
        match = grants.match_of(database, code)
        return grants.Access(match=match, row=match.seats[number], whole=True, decisions=())

    return _put(grants, seat=seat)


SAFEGUARDS: Mapping[str, Callable[[], Any]] = {
    each.__name__.replace("_", " "): each
    for each in (
        dedupe_of_turns,
        dedupe_of_mails,
        dedupe_of_letters,
        status_of_a_turn,
        status_of_a_mail,
        claim,
        bytes_kept,
        name_of_an_edition,
        jobs_after_commit,
        commit_before_250,
        sweep_of_turns,
        sweep_of_letters,
        sweep_of_mails,
        sweep_of_clocks,
        sweep_of_bots,
        time_of_outages,
        no_clock_before_the_letter,
        clock_stands_in_a_pause,
        deadline_is_asked_again,
        epoch_after_a_restore,
        undo_has_a_bound,
        seat_is_its_players,
    )
}


def first_found(name: str, seeds: range) -> tuple[int, str] | None:
    """The first of these seeds that breaks a promise without a safeguard, and which; None if all
    hold.
    """
    databases = Databases.of_process("sqlite")
    with SAFEGUARDS[name]():
        for seed in seeds:
            with databases.fresh() as url:
                broken = simulate(seed, url).broken
            if broken is not None:
                return seed, broken
    return None


def _found(name: str, seeds: range) -> tuple[str, tuple[int, str] | None]:
    return name, first_found(name, seeds)


def report(only: str | None, most: int) -> int:
    """Take every safeguard out in turn, and say which seed finds that, as the rows of the table in
    docs/simulation.md; how many were not found.
    """
    from multiprocessing import get_context

    names = [name for name in SAFEGUARDS if only is None or only == name]
    missed = 0
    began = time.monotonic()
    with get_context("spawn").Pool(os.cpu_count() or 1) as pool:
        for name, result in pool.imap_unordered(partial(_found, seeds=range(1, most + 1)), names):
            missed += result is None
            seed, said = result or ("none", f"not found in {most} seeds")
            print(f"| {name} | {seed} | {said} |", flush=True)
    print(f"{len(names) - missed} of {len(names)} found in {time.monotonic() - began:.0f} s")
    return missed
