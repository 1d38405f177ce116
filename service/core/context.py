"""The context every use case is given: the settings, the database, the clock and the keys."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable

from service.core import epochs, system_clock
from service.core.db import Database, Queue, Work
from service.core.epochs import History
from service.core.keys import Keyring
from service.core.models import Letter
from service.core.probe import Room, Writing, room
from service.core.settings import Settings


class Service:
    """One per process. Web, workers, mail and command line share the use cases through it."""

    def __init__(self, settings: Settings, queue: Queue) -> None:
        self.settings = settings
        self.database = Database(settings.database_url, queue)
        self.probe = Writing(self.database)
        self.keys = Keyring(settings.secret_keys, self._history)
        # Called at the end of a unit of work that has played a turn: a process that writes letters
        # claims the next player's there (`service.mail.send.claims.claim_ahead`)
        self.claim_ahead: Callable[[Work], None] = lambda work: None

    def _history(self) -> History:
        with self.database.read() as session:
            return epochs.read(session)

    def writing(self, letter: Letter) -> Service:
        """The service as it writes this letter: with the epoch and the secret key it was taken up
        with, so that it holds the same links whenever it is written.
        """
        found = copy.copy(self)
        found.keys = self.keys.of(letter.epoch, letter.secret)
        return found

    @staticmethod
    def now() -> dt.datetime:
        """The present, UTC. The only clock of the service."""
        return system_clock.now()

    def room(self) -> Room:
        """The room there is for the database."""
        return room(self.database)
