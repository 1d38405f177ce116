"""A service on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.core.context import Service
from tests.support.games import KNOWN
from tests.support.tables import Jobs, World, settings_for


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A fresh service: empty tables, jobs that wait to be done."""
    jobs = Jobs()
    service = Service(settings_for(database_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


@pytest.fixture(scope="session")
def game_key() -> str:
    """The game that is played, whichever others there are."""
    return KNOWN
