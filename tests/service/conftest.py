"""A service on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.games import games
from service.core.context import Service
from tests.support.tables import Bells, World, settings_for


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A fresh service: empty tables, bells that wait to be heard."""
    bells = Bells()
    service = Service(settings_for(database_url), bells)
    yield World(service, bells)
    service.database.dispose()


@pytest.fixture(scope="session")
def game_key() -> str:
    """A game of this checkout."""
    return next(iter(games()))
