"""Letters of known matches, written once for all tests that only look at them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.core.context import Service
from service.core.schema import upgrade
from tests.support.known_letters import letters
from tests.support.tables import Jobs, World, settings_for


@pytest.fixture(scope="session")
def known_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The service in which the known matches were played: look, do not touch."""
    url = f"sqlite:///{tmp_path_factory.mktemp('known')}/known.db"
    upgrade(url)
    jobs = Jobs()
    world = World(Service(settings_for(url), jobs), jobs)
    yield world
    world.service.database.dispose()


@pytest.fixture(scope="session")
def known(known_world: World) -> dict[str, bytes]:
    """One letter of every kind in both languages, by name ("turn-middle.fr")."""
    return letters(known_world)


@pytest.fixture
def own_world(sqlite_url: str) -> Iterator[World]:
    """A fresh service for letters of a test's own."""
    jobs = Jobs()
    world = World(Service(settings_for(sqlite_url), jobs), jobs)
    yield world
    world.service.database.dispose()
