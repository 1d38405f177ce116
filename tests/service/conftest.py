"""A service on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.games import games
from service.core.context import Service
from tests.support.tables import Jobs, World, settings_for


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A fresh service: empty tables, bells that wait to be heard."""
    jobs = Jobs()
    service = Service(settings_for(database_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


@pytest.fixture(scope="session")
def game_key() -> str:
    """A game of this checkout."""
    return next(iter(games()))
