"""Every game there is, and the toy and Nim among them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from service.core.context import Service
from service.dev.app import create_app
from tests.games.playing import BEGAN
from tests.nim import nim_registered
from tests.support.tables import Jobs, World, settings_for
from tests.support.undrawn import not_drawn
from tests.toy import toy_registered
from tests.web.conftest import PromptBells, Site


@pytest.fixture(autouse=True)
def toy() -> Iterator[str]:
    """The toy game's key; it and Nim are games of the product as long as a test runs."""
    with nim_registered(), toy_registered() as key:
        yield key


@pytest.fixture(autouse=True)
def undrawn() -> Iterator[None]:
    """Letters tell what their pictures would be of: `test_templates.py` draws those of each game,
    and whatever a picture tells of what is unseen is told so, too.
    """
    with not_drawn(pages=True):
        yield


@pytest.fixture
def world(sqlite_url: str) -> Iterator[World]:
    """A fresh service at a moment that stands still."""
    with time_machine.travel(BEGAN, tick=False):
        jobs = Jobs()
        service = Service(settings_for(sqlite_url), jobs)
        made = World(service, jobs)
        made.beat()
        yield made
        service.database.dispose()


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    """The pages on an empty database, and a worker that is always there."""
    jobs = PromptBells()
    made = Site(create_app(settings_for(sqlite_url), jobs), jobs)
    made.beat()
    yield made
    made.service.database.dispose()
