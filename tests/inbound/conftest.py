"""A service that mail comes in to, on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from service.access import reply_keys
from service.access.addresses import Addresses
from service.core.context import Service
from service.core.models import InboundMail
from tests.support.tables import Jobs, settings_for


class House:
    """A service, an address that leads to it, and what it has been handed."""

    def __init__(self, service: Service, jobs: Jobs) -> None:
        self.service, self.jobs = service, jobs
        self.addresses = Addresses(service.settings)
        self.address = self.issue("one")

    def issue(self, name: str, purpose: str = reply_keys.PURPOSE) -> str:
        """A reply address that somebody is behind."""
        with self.service.database.write() as work:
            return self.addresses.reply(self.service.keys.issue(work.session, purpose, name))

    def bounce(self, letter_id: int) -> str:
        """The address that reports about a letter come to."""
        return self.addresses.bounce(letter_id, self.service.keys.mark("bounce", letter_id))

    def mails(self) -> list[InboundMail]:
        """All that was stored, oldest first."""
        with self.service.database.read() as session:
            return list(session.scalars(select(InboundMail).order_by(InboundMail.id)))


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    """On SQLite and on PostgreSQL."""
    yield from _house(database_url)


@pytest.fixture
def hut(sqlite_url: str) -> Iterator[House]:
    """On SQLite alone, for what no database has a part in."""
    yield from _house(sqlite_url)


def _house(url: str) -> Iterator[House]:
    jobs = Jobs()
    service = Service(settings_for(url, INBOUND_LIMIT="200000"), jobs)
    yield House(service, jobs)
    service.database.dispose()
