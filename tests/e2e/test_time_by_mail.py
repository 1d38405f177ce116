"""A busy table on the whole product: what the clock does by itself, and what people write about it.

No time is waited for: the rows of the database are moved back as if it had passed, and beat, broker
and workers find what is due.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from service.core import locks
from service.core.context import Service
from service.core.letter_details import ReminderDetails
from service.core.models import DecisionRow, EntryRow, Letter, Match, Pause, SeatRow, Submission
from service.core.statuses import LeaveReason
from service.dev.mailbox.letter import Letter as Come
from tests.support.post import ByLmtp, answered, header, kind, sample
from tests.support.tables import Jobs

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

GAME = "sapiens"


class Table:
    """A table that was opened from the command line, its people, and the rows behind it."""

    def __init__(self, post: ByLmtp, name: str, people: int, *terms: str) -> None:
        self.post = post
        self.people = [f"{who}.{name}@example.org" for who in ("ana", "ben", "clea")[:people]]
        host, *guests = (f"{each},fr,{each.partition('.')[0].title()}" for each in self.people)
        seats = [word for guest in guests for word in ("--seat", guest)]
        opened = post.stack.command("open-table", GAME, "--host", host, *seats, *terms)
        code = re.match(r"Table (\w+) waits", opened.stdout)
        assert code is not None, opened.stderr
        self.code = code[1]
        self.service = Service(post.stack.settings(), Jobs())
        self.read: set[str] = set()
        self.written = Counter[str]()
        for guest in self.people[1:]:
            self.reply(guest, self.next(guest, "invitation"), "Oui")
        for guest in self.people[1:]:
            self.next(guest, "answer")

    def next(self, who: str, wanted: str, *said: str) -> Come:
        """The next letter of this kind that says all this, and was not looked at before."""

        def is_it(letter: Come) -> bool:
            return kind(letter) == wanted and all(words in text(letter) for words in said)

        try:
            found = self.post.stack.wait_for_letter(
                who, lambda letter: self._is_new(letter) and is_it(letter)
            )
        except AssertionError as error:
            new = [x for x in self.post.stack.letters(who) if self._is_new(x)]
            came = "\n".join(f"{kind(x)}: {text(x)[:700]}" for x in new)
            raise AssertionError(f"no {wanted} {said} among\n{came}") from error
        self.read.add(header(found, "Message-ID"))
        return found

    def _is_new(self, letter: Come) -> bool:
        return header(letter, "Message-ID") not in self.read

    def reply(self, who: str, letter: Come, said: str) -> None:
        """Answer it."""
        to, mail = answered(letter, who, said)
        self.post.send(who, to, mail)
        self.written[who] += 1

    def tell(self, who: str, letter: Come, said: str, *answer: str) -> Come:
        """Answer it, and see that the answer to that says all this; the answer."""
        self.reply(who, letter, said)
        came = self.next(who, "answer")
        for words in answer:
            assert words in text(came), text(came)[:700]
        return came

    def match(self) -> Match:
        """As it is now."""
        with self.service.database.read() as session:
            return session.scalars(select(Match).where(Match.code == self.code)).one()

    def asked(self) -> DecisionRow:
        """What the table waits for."""
        with self.service.database.read() as session:
            return session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == self.match().id,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.blocks,
                )
            ).one()

    def mover(self) -> str:
        """The address of who is to move."""
        return self.people[self.asked().seat]

    def deadline(self) -> dt.datetime:
        """Until when."""
        deadline = self.asked().deadline
        assert deadline is not None
        return deadline

    def reminders(self) -> dict[str, dt.datetime | None]:
        """What will remind of it, and when."""
        asked = self.asked()
        with self.service.database.read() as session:
            found = session.scalars(
                select(Letter).where(
                    Letter.match_id == asked.match_id,
                    Letter.decision == asked.decision,
                    Letter.kind == "reminder",
                    Letter.status == "due",
                )
            )
            return {letter.details_as(ReminderDetails).which: letter.due_at for letter in found}

    def seats(self) -> list[SeatRow]:
        """Who sits there."""
        with self.service.database.read() as session:
            return list(session.get_one(Match, self.match().id).seats)

    def causes(self) -> list[str]:
        """Why each turn was played."""
        with self.service.database.read() as session:
            query = select(EntryRow.cause).where(
                EntryRow.match_id == self.match().id, EntryRow.n > 0
            )
            return [str(cause) for cause in session.scalars(query.order_by(EntryRow.n))]

    def let_pass(self, **length: float) -> None:
        """So much time has passed for what the table waits for, and for a pause."""
        by, match_id = dt.timedelta(**length), self.match().id
        with self.service.database.write() as work:
            locks.lock_number(self.service, work, match_id)
            for row in work.session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == match_id, DecisionRow.closed_entry.is_(None)
                )
            ):
                row.opened_at -= by
                row.clock_from = row.clock_from and row.clock_from - by
                row.deadline = row.deadline and row.deadline - by
            for letter in work.session.scalars(
                select(Letter).where(
                    Letter.match_id == match_id, Letter.status.in_(("due", "sent"))
                )
            ):
                letter.due_at = letter.due_at and letter.due_at - by
                letter.created_at -= by
            for pause in work.session.scalars(select(Pause).where(Pause.until.is_not(None))):
                assert pause.until is not None
                pause.until -= by
            for turn in work.session.scalars(
                select(Submission).where(Submission.held_until.is_not(None))
            ):
                assert turn.held_until is not None
                turn.held_until -= by
                turn.pending_since = turn.pending_since and turn.pending_since - by


def text(letter: Come) -> str:
    """What it says, in one line, with plain spaces."""
    return " ".join((letter.text or "").split())


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ByLmtp]:
    """The product, running, with a sweep that looks every second."""
    made = ByLmtp(tmp_path_factory.mktemp("stack"), {"SWEEP_EVERY": "1"})
    made.stack.start()
    yield made
    made.stop()


def test_the_clock_reminds_then_plays_and_tells(post: ByLmtp) -> None:
    """Through beat, broker, worker and SMTP: each reminder once, then the default turn."""
    table = Table(post, "clock", 2, "--pace", "2", "--timeout", "default")
    late = table.mover()
    other = next(each for each in table.people if each != late)
    table.next(late, "turn")
    table.let_pass(hours=24, minutes=2)
    table.next(late, "reminder", "Il te reste 24 heures pour jouer")
    table.let_pass(hours=20)
    table.next(late, "reminder", "Il te reste 4 heures pour jouer")
    assert table.causes() == []
    table.let_pass(hours=4)
    table.next(late, "news", "Ton temps était écoulé", "tour par défaut")
    table.next(other, "turn")
    assert table.causes() == ["default"]
    assert table.mover() == other
    reminders = [each for each in post.stack.letters(late) if kind(each) == "reminder"]
    assert len(reminders) == 2


def test_a_pause_ends_by_itself(post: ByLmtp) -> None:
    table = Table(post, "pause", 2, "--timeout", "default")
    ana, ben = table.people
    letter = table.next(table.mover(), "turn")
    mover = table.mover()
    other = ben if mover == ana else ana
    table.tell(mover, letter, "pause 3 jours")
    asked = table.next(other, "news", "demande une pause de 3 jours")
    table.tell(other, asked, "oui", "pause")
    table.next(mover, "news", "pause")
    assert (table.asked().held, table.asked().deadline) == ("paused", None)
    table.let_pass(days=3)
    for who in table.people:
        table.next(who, "news", "La pause est finie")
    assert table.asked().deadline is not None


def test_a_busy_table_says_everything_by_reply(post: ByLmtp) -> None:
    """Taking back, reminders, a nudge, a pause and its end, days away, giving up: in French."""
    table = Table(post, "busy", 3, "--pace", "4", "--hold", "5")
    mover = table.mover()
    second, third = (each for each in table.people if each != mover)
    letters = {mover: table.next(mover, "turn")}
    letters |= {each: table.next(each, "start") for each in (second, third)}

    def tell(who: str, said: str, *answer: str, to: Come | None = None) -> Come:
        return table.tell(who, to or letters[who], said, *answer)

    tell(mover, sample(letters[mover]), "Nous avons bien reçu ton tour", "annuler")
    assert table.causes() == []
    tell(mover, "Annuler", "Ton tour est repris")
    table.let_pass(minutes=6)
    tell(mover, "Rappel 12h", "Rappels avant une échéance : 12 heures avant")
    assert table.reminders() == {"12h": table.deadline() - dt.timedelta(hours=12)}

    table.let_pass(hours=49)
    tell(third, "Relancer", "reçoit un petit mot de ta part")
    table.next(mover, "nudge", f"{third.partition('.')[0].title()} t’attend")
    before = table.deadline()
    tell(mover, "Absence 5 jours", "le temps ne court pas pour toi")
    assert table.deadline() - before >= dt.timedelta(days=4)

    tell(third, "Pause 5 jours", "Une pause de 5 jours est demandée")
    table.next(second, "news", "demande une pause de 5 jours")
    table.next(mover, "news", "demande une pause de 5 jours")
    tell(second, "Oui, bien sûr !", "Tu as accepté la pause")
    assert table.asked().held is None
    tell(mover, "oui", "La partie est en pause")
    assert table.asked().held == "paused"
    for each in (second, third):
        table.next(each, "news", "La partie est en pause")
    tell(second, "Reprendre", "La partie continue")
    for each in (mover, third):
        table.next(each, "news", "a mis fin à la pause")
    assert table.deadline() > before

    tell(mover, sample(letters[mover]))
    assert table.causes() == []
    tell(mover, "Jouer")
    post.stack.wait_until(lambda: table.causes() == ["player"])
    letters[table.mover()] = table.next(table.mover(), "turn")

    asked = tell(third, "Abandonner oui", "Réponds à cette lettre par « oui »")
    assert [row.left_why for row in table.seats()] == [None] * 3
    tell(third, "Oui", to=asked)
    assert [row.left_why for row in table.seats()].count(LeaveReason.RESIGNED) == 1
    for each in (mover, second):
        table.next(each, "news", "abandonne")
    assert table.match().status == "playing"
    for each in table.people:
        answers = [letter for letter in post.stack.letters(each) if kind(letter) == "answer"]
        assert len(answers) == table.written[each], "one answer for each reply"
