"""What was promised (README, HACKING.md), asked after each step and when all has come to rest."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, exists, func, select, text
from sqlalchemy.orm import Session

from engine import journal as engine_journal
from engine.games import games
from engine.record import decode
from engine.verification import Unfinished, verify
from service.core.letter_details import AnswerDetails
from service.core.models import (
    DecisionRow,
    EntryRow,
    InboundMail,
    Letter,
    Match,
    Player,
    SeatRow,
    Submission,
)
from service.core.statuses import (
    WAITING,
    Actor,
    LetterKind,
    LetterStatus,
    MailStatus,
    MailVerdict,
    MatchStatus,
    SubmissionStatus,
)
from service.matches import journal, records

if TYPE_CHECKING:
    from tests.simulation.mail_server import Copy
    from tests.simulation.players import FormAck, MailAck
    from tests.simulation.scheduler import Task
    from tests.simulation.world import World

_TURN = re.compile(r"^turn\.([a-z0-9]+)\.(\d+)\.(.+?)(?:\.[a-z2-7]{12})?@")


FROZEN = dt.timedelta(seconds=60)
TELLING = (LetterKind.TURN, LetterKind.NOTICE, LetterKind.ORDERS, LetterKind.END)
"""Kinds of letters that tell of the match up to their entry."""


# What is asked after each step is written once, and reads no more of a row than it looks at.
_SUBMISSIONS = text("SELECT id, code, status FROM submission ORDER BY id")
_ENTRIES = text("SELECT match_id, n, digest, seat, decision, asks FROM entry ORDER BY match_id, n")
_MAILS = text("SELECT id, status, verdict, done_at FROM inbound ORDER BY id")
_HEADS = select(InboundMail.id, InboundMail.raw).where(InboundMail.id > bindparam("newest"))
_ADDRESSES = select(Player.email)
_EXPIRED = select(DecisionRow.match_id, DecisionRow.decision, DecisionRow.expired_at).where(
    DecisionRow.expired_at.is_not(None)
)
_ON_THE_CLOCK = (
    select(
        DecisionRow.match_id,
        DecisionRow.seat,
        DecisionRow.decision,
        DecisionRow.opened_at,
        Match.code,
        Match.paused_at,
        Player.email,
        exists()
        .where(
            Letter.match_id == DecisionRow.match_id,
            Letter.decision == DecisionRow.decision,
            Letter.player_id == Player.id,
            Letter.kind == LetterKind.TURN,
            Letter.sent_at.is_(None),
            Letter.told_in.is_(None),
            Letter.failure.is_not(None),
            Letter.status.in_((LetterStatus.DUE, LetterStatus.DEAD_LETTER)),
        )
        .label("refused"),
    )
    .join(Match, Match.id == DecisionRow.match_id)
    .join(SeatRow, (SeatRow.match_id == Match.id) & (SeatRow.seat == DecisionRow.seat))
    .join(Player, Player.id == SeatRow.player_id)
    .where(
        Match.status == MatchStatus.PLAYING,
        DecisionRow.closed_entry.is_(None),
        DecisionRow.deadline.is_not(None),
        SeatRow.left_at.is_(None),
        SeatRow.stand_in.is_(None),
    )
)


def _told_as(entry: EntryRow) -> tuple[int, int, str, int | None]:
    return entry.match_id, entry.n, entry.digest, entry.seat


class Broken(Exception):
    """A promise was not kept."""


class Known(NamedTuple):
    """What a copy of the database knows: turns and mails, how these begin, and who was erased."""

    forms: list[FormAck]
    mails: list[MailAck]
    heads: dict[int, bytes]
    erased: dict[str, dt.datetime]


class Checks:
    """What has been seen so far, and what must hold of it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.forms: list[FormAck] = []
        self.mails: list[MailAck] = []
        self._submissions: dict[int, str] = {}
        self._entries: dict[tuple[int, int], tuple[str, int]] = {}
        self._handled: dict[int, str] = {}
        self._heads: dict[int, bytes] = {}
        """How each stored mail begins: its text goes when somebody it may name is erased."""
        self._told: dict[tuple[int, int, str, int | None], set[int]] = {}
        """Who knows an entry by a letter: an entry that was taken back is another than the one that
        gets its number.
        """
        self._names: dict[str, str] = {}
        self._expired: dict[tuple[int, str], str] = {}
        self._ahead: dict[str, tuple[Task, dt.datetime]] = {}
        """Who has first handed a letter over that was claimed ahead, and when."""
        self._was_set_back = False
        self.asked_how: dict[str, str] = {}
        """Whose button asked how it goes, by its nonce."""
        self.erased: dict[str, dt.datetime] = {}
        """Since when nothing is known of an address."""
        self._known: set[str] = set()
        self._looked: tuple[int, int] | None = None
        self.broken_by: str | None = None

    def broken(self, sentence: str) -> None:
        """A promise was not kept: the run ends at the next look."""
        if self.broken_by is None:
            self.broken_by = sentence
            self._world.trace.note("BROKEN", sentence)

    def look(self) -> None:
        """Raises Broken for what was found."""
        if self.broken_by is not None:
            raise Broken(self.broken_by)

    def known(self) -> Known:
        """What a copy of the database knows."""
        return Known([*self.forms], [*self.mails], {**self._heads}, {**self.erased})

    def forget(self, known: Known) -> None:
        """The database was set back: it knows this."""
        self.asked_how.clear()
        self._looked = None
        for each in (
            self._submissions,
            self._entries,
            self._expired,
            self._handled,
            self._told,
            self._names,
            self._known,
        ):
            each.clear()
        self.forms, self.mails = known.forms, known.mails
        self._heads, self.erased = known.heads, known.erased
        self._was_set_back = True

    # What people and the mail server have seen

    def on_form(self, ack: FormAck) -> None:
        """A page says that it has a turn."""
        self._world.trace.note("acknowledged", ack.seat, ack.decision, ack.code[:8])
        for other in self.forms:
            if other.pressed == ack.pressed and other.code != ack.code:
                self.broken(f"one button has made two submissions for {ack.decision}")
        self.forms.append(ack)

    def on_mail(self, ack: MailAck) -> None:
        """The LMTP server says 250."""
        self._world.trace.note("250", ack.message_id)
        self.mails.append(ack)
        with self._world.eyes.database.read() as session:
            self._note_heads(session)

    def on_copy(self, copy: Copy) -> None:
        """The mail server has taken a letter."""
        known = self._world.mail_server.by_id[copy.message_id]
        if known[0].digest != copy.digest:
            self.broken(f"{copy.message_id} has come with other bytes")
        # Who was frozen since it was taken has told nobody, and its claim has run out meanwhile.
        frozen = any(
            task.took == copy.message_id and task is not self._world.scheduler.current
            for task in self._world.scheduler.tasks
        )
        late = len(known) > 1 and copy.at - known[-2].at > FROZEN
        if (frozen and late) or self._has_a_twin(copy):
            self._world.mail_server.maybe[copy.message_id] += 1
        if len(known) > 1 + self._world.mail_server.maybe[copy.message_id]:
            self.broken(f"{copy.message_id} was sent again though it was known to be taken")

        self._may_be_written_to(copy)
        plain, _, _ = copy.message_id.rpartition("@")[0].rpartition(".")
        with self._world.eyes.database.read() as session:
            letter = session.scalar(select(Letter).where(Letter.dedupe == plain))
        if letter is None:
            return  # it was taken back while it was on its way
        first = self._names.setdefault(plain, copy.message_id)
        if first != copy.message_id and not letter.notes.edition:
            self.broken(f"{plain} has come as {first} and as {copy.message_id}")
        if letter.kind in TELLING and letter.match_id is not None and letter.entry is not None:
            with self._world.eyes.database.read() as session:
                entry = session.get_one(EntryRow, (letter.match_id, letter.entry))
            known_by = self._told.setdefault(_told_as(entry), set())
            known_by.add(-1 if letter.seat is None else letter.seat)

    def _has_a_twin(self, copy: Copy) -> bool:
        """True if its sender could not know of another: who is given the job of a claim made ahead
        writes nothing before the reply (decision 56), and it may be given to two at once.
        """
        task = self._world.scheduler.current
        if task is None or not task.ahead:
            return False
        other, taken = self._ahead.setdefault(copy.message_id, (task, copy.at))
        at_once = task.began is not None and task.began <= taken
        return other is not task and (at_once or not other.is_over)

    def _may_be_written_to(self, copy: Copy) -> None:
        """Nobody who was erased is written to by who has begun since."""
        erased, task = self.erased.get(copy.to), self._world.scheduler.current
        if erased is None or task is None or task.began is None or task.began <= erased:
            return
        with self._world.eyes.database.read() as session:
            if session.scalar(select(Player.id).where(Player.email == copy.to)) is None:
                self.broken(f"{copy.message_id} was sent to {copy.to}, who is erased")

    def is_told(self, entry: EntryRow) -> bool:
        """True if a letter about this entry has come to anybody but whose it is."""
        return bool(self._told.get(_told_as(entry), set()) - {entry.seat})

    def played(self) -> tuple[int, int]:
        """What would show that a match has changed."""
        with self._world.eyes.database.read() as session:
            entries = session.scalar(select(func.count()).select_from(EntryRow)) or 0
            handed_in = session.scalar(select(func.count()).select_from(Submission)) or 0
            return entries, handed_in

    def on_job(self, task: str, args: Sequence[object]) -> None:
        """A job was enqueued: by then, what it is about is committed."""
        if self._world.writer is (self._world.scheduler.current or self._world):
            self.broken(f"{task}{tuple(args)} is enqueued before the commit")

    # After each step

    def after_step(self) -> None:
        """What must hold at any time. Raises Broken."""
        now_at = self._world.commits, len(self.forms)
        if now_at == self._looked:
            self.look()
            return  # nothing was written since
        self._looked = now_at
        with self._world.eyes.database.read() as session:
            taken_back = False
            codes = set()
            for number, code, status in session.execute(_SUBMISSIONS):
                codes.add(code)
                before = self._submissions.get(number)
                if before != status and before is not None:
                    if before in ("refused", "withdrawn") or (
                        before == "played" and status != "withdrawn"
                    ):
                        self.broken(f"submission {number} was {before} and is {status}")
                    taken_back = taken_back or before == "played"
                self._submissions[number] = status
            for ack in self.forms:
                if ack.code not in codes:
                    self.broken(f"the acknowledged turn {ack.code} is not stored")
            seen: Counter[tuple[int, str]] = Counter()
            now: dict[tuple[int, int], tuple[str, int]] = {}
            for match, n, digest, seat, decision, asks in session.execute(_ENTRIES):
                now[match, n] = digest, seat
                if decision is not None and asks == "must":
                    seen[match, decision] += 1
            for (match, decision), times in seen.items():
                if times > 1:
                    self.broken(f"decision {decision} of match {match} was made {times} times")
            for key, (digest, seat) in self._entries.items():
                if now.get(key) == (digest, seat):
                    continue
                if not taken_back:
                    self.broken(f"entry {key[1]} of match {key[0]} has changed")
                if told := sorted(self._told.pop((*key, digest, seat), set()) - {seat}):
                    self.broken(f"entry {key[1]} was taken back, and seats {told} know it")
            self._entries = now
            self._look_at_mails(session)
            self._look_who_is_erased(session)
            self._look_at_clocks(session)
            self._look_who_is_asked(session)
        self.look()

    def _look_at_mails(self, session: Session) -> None:
        """What is done with a mail is done for good."""
        for number, status, verdict, done_at in session.execute(_MAILS):
            now = f"{status} {verdict} {done_at}"
            before = self._handled.get(number)
            if before is not None and before != now:
                self.broken(f"mail {number} was {before} and is {now}")
            if status == "handled":
                self._handled[number] = now
        self._note_heads(session)

    def _note_heads(self, session: Session) -> None:
        newest = max(self._heads, default=0)
        for number, raw in session.execute(_HEADS, {"newest": newest}):
            self._heads[number] = raw[:4000]

    def _look_who_is_erased(self, session: Session) -> None:
        """Of who was erased nothing is known: no mail is kept, none is answered."""
        known = set(session.scalars(_ADDRESSES))
        for address in sorted(self._known - known):
            if "@example.org" not in address:
                continue
            self.erased[address] = self._world.clock.now()
            self._world.trace.note("erased", address)
            their = address.replace("@", ".")
            self.mails = [each for each in self.mails if not each.message_id.endswith(their)]
            self.asked_how = {n: who for n, who in self.asked_how.items() if who != address}
        self._known = known

    def _look_at_clocks(self, session: Session) -> None:
        """Whose time is up was asked, and has had the time of the table since then."""
        for match_id, decision, expired_at in session.execute(_EXPIRED):
            assert expired_at is not None
            stamp = expired_at.isoformat()
            if self._expired.get((match_id, decision)) == stamp:
                continue
            self._expired[match_id, decision] = stamp
            self._world.trace.note("time up", match_id, decision)
            row = session.get_one(DecisionRow, (match_id, decision))
            if not self._goes_on(session, row):
                self._was_its_time_up(session, row, session.get_one(Match, match_id))

    @staticmethod
    def _goes_on(session: Session, row: DecisionRow) -> bool:
        """True of a later part of a turn, which has what is left of its time."""
        before = select(DecisionRow.decision).where(
            DecisionRow.match_id == row.match_id,
            DecisionRow.seat == row.seat,
            DecisionRow.turn == row.turn,
            DecisionRow.turn != "",
            DecisionRow.opened_entry < row.opened_entry,
        )
        return session.scalar(before) is not None

    def _asked_at(
        self, session: Session, row: DecisionRow, match: Match, player: Player
    ) -> dt.datetime | None:
        """Since when a player knows what is to be decided: a letter asks, or they have decided it
        on its page, and taken it back; or since it is asked, if they want no letters.
        """
        told = self._world.asked_at(match.code, row.seat, row.decision, player.email, row.opened_at)
        unwanted = select(Letter.id).where(
            Letter.match_id == row.match_id,
            Letter.decision == row.decision,
            Letter.player_id == player.id,
            Letter.kind == LetterKind.TURN,
            Letter.status == LetterStatus.SUPPRESSED,
        )
        if told is None and session.scalar(unwanted) is not None:
            return row.opened_at
        decided = session.scalar(
            select(func.min(Submission.received_at)).where(
                Submission.match_id == row.match_id,
                Submission.decision == row.decision,
                Submission.seat == row.seat,
                Submission.by_player,
            )
        )
        return min((each for each in (told, decided) if each is not None), default=None)

    def _was_its_time_up(self, session: Session, row: DecisionRow, match: Match) -> None:
        world = self._world
        assert row.expired_at is not None
        player = match.seats[row.seat].player
        assert player is not None
        asked_at = self._asked_at(session, row, match, player)
        if asked_at is None:
            self.broken(f"time was up for {row.decision}, which nobody was asked for")
            return
        had = world.time_had(match.id, asked_at, row.expired_at)
        owed = dt.timedelta(days=match.pace_days) - world.TOLERANCE
        if had < owed:
            self.broken(f"time was up for {row.decision} after {had} of {match.pace_days} days")

    def _look_who_is_asked(self, session: Session) -> None:
        """No clock runs while the match is paused, or while the letter that asks is refused."""
        for row in session.execute(_ON_THE_CLOCK).all():
            if row.paused_at is not None:
                self.broken(f"a clock runs for {row.decision} of match {row.match_id} in its pause")
            if not row.refused:
                continue
            asked = self._world.asked_at(row.code, row.seat, row.decision, row.email, row.opened_at)
            if asked is None:
                self.broken(f"a clock runs for {row.decision}, whose letter was refused")

    # At rest

    def at_rest(self) -> None:
        """What must hold when nothing is under way any more. Raises Broken."""
        self._nothing_is_stuck()
        self._clocks_leave_their_time()
        self._everything_was_answered()
        self._letters_are_out()
        self._records_hold()
        self.look()

    def _nothing_is_stuck(self) -> None:
        now = self._world.clock.now()
        with self._world.eyes.database.read() as session:
            for turn in session.scalars(select(Submission).where(Submission.status.in_(WAITING))):
                self.broken(f"submission {turn.id} is still {turn.status}")
            for mail in session.scalars(
                select(InboundMail).where(InboundMail.status == MailStatus.RECEIVED)
            ):
                self.broken(f"mail {mail.id} is still received")
            late = select(Letter).where(
                (Letter.status == LetterStatus.SENDING)
                | ((Letter.status == LetterStatus.DUE) & (Letter.due_at <= now))
            )
            for letter in session.scalars(late):
                self.broken(f"letter {letter.id} ({letter.kind}) is still {letter.status}")
            open_rows = (
                select(DecisionRow, Match)
                .join(Match)
                .where(
                    Match.status == MatchStatus.PLAYING,
                    DecisionRow.closed_entry.is_(None),
                )
            )
            for row, match in session.execute(open_rows):
                if not row.blocks:
                    continue
                seat = match.seats[row.seat]
                if seat.played_by is not None:
                    self.broken(f"a bot has not made {row.decision} of match {match.id}")
                elif row.deadline is None and row.held is None and row.expired_at is None:
                    self.broken(f"no clock runs for {row.decision} of match {match.id}")
                elif row.deadline is not None and row.deadline <= now:
                    self.broken(f"the time for {row.decision} is up, and nothing has happened")
            playing = select(Match).where(Match.status == MatchStatus.PLAYING)
            for match in session.scalars(playing):
                if not session.scalar(
                    select(func.count())
                    .select_from(DecisionRow)
                    .where(
                        DecisionRow.match_id == match.id,
                        DecisionRow.closed_entry.is_(None),
                    )
                ):
                    self.broken(f"match {match.id} waits for nobody and is not over")

    def _clocks_leave_their_time(self) -> None:
        """Whoever is asked has the table's days from the letter on, outages and pauses aside."""
        world = self._world
        with world.eyes.database.read() as session:
            running = (
                select(DecisionRow, Match)
                .join(Match, Match.id == DecisionRow.match_id)
                .where(
                    Match.status == MatchStatus.PLAYING,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.deadline.is_not(None),
                )
            )
            for row, match in session.execute(running):
                player = match.seats[row.seat].player
                if player is None or row.deadline is None or self._goes_on(session, row):
                    continue
                asked_at = self._asked_at(session, row, match, player)
                if asked_at is None:
                    continue  # of who wants no letters
                has = world.time_had(match.id, asked_at, row.deadline)
                if has < dt.timedelta(days=match.pace_days) - world.TOLERANCE:
                    self.broken(
                        f"the clock for {row.decision} leaves {has} of {match.pace_days} days"
                    )

    def _everything_was_answered(self) -> None:
        with self._world.eyes.database.read() as session:
            turns = {row.code: row for row in session.scalars(select(Submission))}
            for ack in self.forms:
                turn = turns.get(ack.code)
                if turn is None or turn.status == SubmissionStatus.DEAD_LETTER:
                    self.broken(f"the acknowledged turn {ack.code} was lost")
            made: Counter[tuple[int, int]] = Counter()
            for turn in turns.values():
                if turn.status == SubmissionStatus.PLAYED:
                    assert turn.entry is not None
                    made[turn.match_id, turn.entry] += 1
                    entry = session.get(EntryRow, (turn.match_id, turn.entry))
                    if entry is None or entry.seat != turn.seat:
                        self.broken(f"submission {turn.id} says it is entry {turn.entry}")
            for key, times in made.items():
                if times > 1:
                    self.broken(f"entry {key[1]} of match {key[0]} was made by {times} turns")
            handed_in = set(made)
            for entry in session.scalars(select(EntryRow).where(EntryRow.seat.is_not(None))):
                alone = entry.cause.actor is Actor.PLAYER
                if alone and (entry.match_id, entry.n) not in handed_in:
                    self.broken(f"nobody has handed in entry {entry.n} of match {entry.match_id}")
            mails = list(session.scalars(select(InboundMail)))
            answers = Counter(
                str(letter.details_as(AnswerDetails).message_id).strip("<>")
                for letter in session.scalars(
                    select(Letter).where(Letter.kind == LetterKind.ANSWER)
                )
            )
            told: Counter[str] = Counter()
            unknown: Counter[str] = Counter()
            for copies in self._world.mail_server.by_id.values():
                found = re.search(rb"^In-Reply-To:\s*<([^>]+)>", copies[0].raw, re.MULTILINE)
                if copies[0].message_id.startswith("answer.") and found:
                    told[found[1].decode()] += 1
                    # Of which nobody could know: it may be written anew, under another name.
                    maybe = self._world.mail_server.maybe[copies[0].message_id] > 0
                    unknown[found[1].decode()] += maybe
            known = tuple(each.replace("@", ".") for each in session.scalars(select(Player.email)))
            for sent in self.mails:
                named = f"<{sent.message_id}>".encode()
                found_mails = [mail for mail in mails if named in self._heads.get(mail.id, b"")]
                if len(found_mails) != 1:
                    self.broken(f"mail {sent.message_id} is stored {len(found_mails)} times")
                    continue
                [mail] = found_mails
                if mail.status != MailStatus.HANDLED:
                    self.broken(f"mail {mail.id} is {mail.status}")
                owed = answers[sent.message_id]
                again = told[sent.message_id] > 1 + unknown[sent.message_id]
                forgotten = not sent.message_id.endswith(known)
                stranger = forgotten and mail.verdict == MailVerdict.STRANGER
                nobody = stranger or self._was_erased_since(sent, mail)
                if owed != (sent.person and not nobody) or (again and not self._was_set_back):
                    self.broken(
                        f"mail {mail.id} ({mail.verdict}) has {owed} answers,"
                        f" {told[sent.message_id]} have come"
                    )

    def _was_erased_since(self, sent: MailAck, mail: InboundMail) -> bool:
        """True if its writer was erased, and the answer with them, before the 250 came."""
        return any(
            sent.message_id.endswith(address.replace("@", ".")) and mail.received_at <= erased
            for address, erased in self.erased.items()
        )

    def _letters_are_out(self) -> None:
        taken = self._world.mail_server.by_id
        people = {person.address for person in self._world.people}
        with self._world.eyes.database.read() as session:
            sent = select(Letter).where(
                Letter.status == LetterStatus.SENT, Letter.fingerprint.is_not(None)
            )
            known = set(session.scalars(select(Player.email)))
            for nonce, who in sorted(self.asked_how.items()):
                owed = session.scalar(
                    select(func.count()).select_from(Letter).where(Letter.dedupe.contains(nonce))
                )
                if owed != (who in known):  # of who was erased meanwhile nothing is known
                    self.broken(f"one button has made {owed} letters")
            fingerprints = {
                digest for copies in taken.values() for digest in {c.digest for c in copies}
            }
            for letter in session.scalars(sent):
                if letter.fingerprint not in fingerprints:
                    self.broken(f"letter {letter.id} ({letter.kind}) is sent and has not come")
            asked = (
                select(DecisionRow, Match)
                .join(Match, Match.id == DecisionRow.match_id)
                .where(DecisionRow.closed_entry.is_(None), Match.status == MatchStatus.PLAYING)
            )
            for row, match in session.execute(asked):
                seat = match.seats[row.seat]
                if not row.blocks or seat.player is None or seat.played_by is not None:
                    continue
                owed = session.scalar(
                    select(func.count())
                    .select_from(Letter)
                    .where(
                        Letter.match_id == match.id,
                        Letter.decision == row.decision,
                        Letter.player_id == seat.player_id,
                        Letter.kind == LetterKind.TURN,
                    )
                )
                if not owed:
                    self.broken(f"nobody was asked for {row.decision} of match {match.id}")
            for match in session.scalars(select(Match).where(Match.status == MatchStatus.ENDED)):
                for seat in match.seats:
                    if seat.player is None or seat.player.email not in people:
                        continue  # a bot, or the pseudonym of who was erased
                    ends = session.scalar(
                        select(func.count())
                        .select_from(Letter)
                        .where(
                            Letter.match_id == match.id,
                            Letter.player_id == seat.player_id,
                            Letter.kind == LetterKind.END,
                        )
                    )
                    if not ends:
                        self.broken(f"match {match.id} has ended; {seat.seat} was not told")

    def _records_hold(self) -> None:
        with self._world.eyes.database.read() as session:
            for match in session.scalars(select(Match).where(Match.started_at.is_not(None))):
                try:
                    verify(decode(records.export(session, match)), games())
                except Unfinished:
                    pass  # as far as it goes
                except Exception as error:  # noqa: BLE001 (whatever it is, it does not verify)
                    self.broken(f"the record of match {match.id}: {type(error).__name__}: {error}")
                game, rows = journal.game_of(match), journal.rows(session, match)
                entries = [journal.entry_of(row) for row in rows[1:]]
                folded = engine_journal.replay(game, journal.setup_of(match), entries)
                for row, position in zip(rows, folded, strict=True):
                    if row.state is None:
                        continue
                    # As it is written: what are tuples in events come back as lists.
                    kept = engine_journal.canonical(journal._position_at(game, row))
                    if kept != engine_journal.canonical(position):
                        self.broken(f"snapshot {row.n} of match {match.id} is no replay")
                if rows[-1].n != match.last_entry:
                    self.broken(f"match {match.id} says its newest is {match.last_entry}")

    def digest(self) -> str:
        """All tables, in short."""
        found = hashlib.sha256()
        with self._world.eyes.database.read() as session:
            for table in ("match", "seat", "decision", "submission", "entry", "letter", "inbound"):
                columns = {
                    "match": "id, code, status, last_entry, hex(seed)",
                    "seat": "match_id, seat, status, left_at",
                    "decision": "match_id, decision, seat, deadline, closed_entry",
                    "submission": "id, code, status, entry, body",
                    "entry": "match_id, n, digest, made_at",
                    "letter": "id, dedupe, status, claim, sent_at",
                    "inbound": "id, dedupe, status, verdict",
                }[table]
                if session.get_bind().dialect.name == "postgresql":
                    columns = columns.replace("hex(seed)", "encode(seed, 'hex')")
                for row in session.execute(text(f"SELECT {columns} FROM {table} ORDER BY 1, 2")):  # noqa: S608
                    found.update(repr(tuple(row)).encode())
        return found.hexdigest()
