"""The process that takes mail from an ordinary mailbox (IMAP_URL), private mail in it untouched.

What is for us is committed, and only then marked and moved away; the place up to which all was
looked at is kept, so that nothing is asked for twice.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError

from service.access.addresses import Addresses
from service.core import heartbeat, system_clock
from service.core.context import Service
from service.core.logs import warn_of_unchecked_senders
from service.core.models import MailPlace
from service.mail.receive.imapbox import Abort, Error, ImapBox, connect
from service.mail.receive.inbound import take
from service.mail.receive.recipients import named_in, reverse_path

log = structlog.get_logger(__name__)

# Days to look back in a mailbox that is new to us: older mail is no answer to a letter
LOOK_BACK = 30
# How many messages' headers are asked for at once
BATCH = 200
# How often a message that cannot be taken is tried before it is left lying
PATIENCE = 3
# Seconds until the next try of a connection that failed; each time twice as long
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0

Unreachable = (OSError, Error, OperationalError, InterfaceError)


def watch(service: Service) -> None:
    """Take mail until SIGTERM or SIGINT; without IMAP_URL only wait for that."""
    ending = Ending()
    settings = service.settings
    if settings.imap_url is None:
        log.info("nothing_to_do", reason="IMAP_URL is not set")
    warn_of_unchecked_senders(settings)
    reader, pause = Reader(service), FIRST_PAUSE
    try:
        while True:
            if settings.imap_url is None:
                with ending.may_interrupt():
                    signal.pause()
            try:
                with ending.may_interrupt():
                    box = connect(settings.imap_url or "", settings.imap_done, settings.mail_ca)
                try:
                    log.info("watching", mailbox=box.name)
                    while True:
                        # What came while others were taken may not be told of again.
                        while reader.look(box):
                            pass
                        heartbeat.note(service, heartbeat.IMAP)
                        pause = FIRST_PAUSE
                        with ending.may_interrupt():
                            box.wait(settings.imap_every)
                finally:
                    box.close()
            except Unreachable as error:
                log.warning("mailbox_unreachable", reason=str(error), seconds=pause)
                with ending.may_interrupt():
                    system_clock.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
    except Ended:
        log.info("ended")


class Reader:
    """Looks through a mailbox. It remembers which messages it had trouble with."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._addresses = Addresses(service.settings)
        self._troubles: Counter[tuple[int, int]] = Counter()
        # Whether to ask for one message at a time, to find the one that breaks the connection
        self._careful = False

    def look(self, box: ImapBox) -> int:
        """Take whatever is new and for us; how many mails that were.

        A message that cannot be taken does not keep back the others: it is tried again with the
        next look, and after PATIENCE tries left where it is. Raises OSError or `Error` when the
        connection has gone, and SQLAlchemy's errors when the database has.
        """
        since = self._place(box)
        uids = box.recent(LOOK_BACK) if since is None else box.uids(since)
        taken, waiting, reached = 0, [], since
        try:
            for uid, head in self._heads(box, uids):
                recipients = named_in(self._addresses, head)
                try:
                    taken += bool(recipients) and self._take(box, uid, recipients)
                except (OperationalError, InterfaceError):
                    raise
                except Exception as error:
                    self._note(box, uid, error)
                    if isinstance(error, Abort | OSError):
                        raise
                    waiting.append(uid)
                reached = uid
            reached = max([box.newest if since is None else since, *uids])
        finally:
            # What is to be tried again is to be looked at again.
            again = [uid - 1 for uid in waiting if not self._given_up(box, uid)]
            if reached is not None:
                self._remember(box, since, min([reached, *again]))
        self._careful = False
        return taken

    def _heads(self, box: ImapBox, uids: list[int]) -> Iterator[tuple[int, bytes]]:
        uids = [uid for uid in uids if not self._given_up(box, uid)]
        size = 1 if self._careful else BATCH
        for start in range(0, len(uids), size):
            batch = uids[start : start + size]
            try:
                yield from list(box.heads(batch))
            except (Error, OSError) as error:
                self._careful = True
                if len(batch) == 1:
                    self._note(box, batch[0], error)
                raise

    def _take(self, box: ImapBox, uid: int, recipients: list[str]) -> bool:
        # What is too long is cut: what was written stands before what is attached.
        raw = box.whole(uid, self._service.settings.inbound_limit)
        if raw is None:
            return False
        sender = reverse_path(raw)
        with self._service.database.write() as work:
            for one in recipients:
                take(self._service, work, raw, source="imap", envelope_from=sender, recipient=one)
        box.put_away(uid)
        return True

    def _note(self, box: ImapBox, uid: int, error: Exception) -> None:
        self._troubles[box.uidvalidity, uid] += 1
        tries = self._troubles[box.uidvalidity, uid]
        log.error("mail_not_taken", uid=uid, tries=tries, exc_info=error)

    def _given_up(self, box: ImapBox, uid: int) -> bool:
        return self._troubles[box.uidvalidity, uid] >= PATIENCE

    def _place(self, box: ImapBox) -> int | None:
        """Up to where all was looked at; None in a mailbox that is new or was numbered anew."""
        with self._service.database.read() as session:
            place = session.get(MailPlace, box.name)
        if place is None or place.uidvalidity != box.uidvalidity:
            return None
        return place.uid

    def _remember(self, box: ImapBox, before: int | None, uid: int) -> None:
        if uid != before:
            with self._service.database.write() as work:
                work.session.merge(
                    MailPlace(mailbox=box.name, uidvalidity=box.uidvalidity, uid=uid)
                )


class Ended(Exception):
    """The operator asked for the end."""


class Ending:
    """Hears SIGTERM and SIGINT, and ends the process where nothing is under way."""

    def __init__(self) -> None:
        self._asked = False
        self._waiting = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._hear)

    @contextmanager
    def may_interrupt(self) -> Iterator[None]:
        """Around what may be broken off: raises Ended when the end is asked for, or was before."""
        self._waiting = True
        try:
            if self._asked:
                raise Ended
            yield
        finally:
            self._waiting = False

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._asked = True
        if self._waiting:
            raise Ended
