"""Real things for tests: databases, a broker, an SMTP server, the whole stack, a browser.

Imported when they are asked for: the engine's tests need none of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.support.broker import TestBroker
    from tests.support.postgresql import Cluster
    from tests.support.sink import SmtpSink
    from tests.support.stack import Stack

# The same cases every time, so that a red test is the change's doing; `make fuzz` looks further.
settings.register_profile("known", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=3000)
settings.load_profile("known")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL cluster for this session."""
    from tests.support.postgresql import Cluster

    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def _migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from service.schema import upgrade

    path = tmp_path_factory.mktemp("template") / "template.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def _migrated_postgresql(postgresql: Cluster) -> str:
    from service.schema import upgrade

    url = postgresql.create()
    upgrade(url)
    return url.rpartition("/")[2]


@pytest.fixture
def sqlite_url(tmp_path: Path, _migrated_sqlite: Path) -> str:
    """A database of this test, migrated and empty, on SQLite."""
    path = tmp_path / "paleopost.db"
    shutil.copy(_migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgresql_url(postgresql: Cluster, _migrated_postgresql: str) -> Iterator[str]:
    """A database of this test, migrated and empty, on PostgreSQL."""
    url = postgresql.lend(_migrated_postgresql)
    yield url
    postgresql.take_back(url, _migrated_postgresql)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A database of this test, migrated and empty, once on SQLite and once on PostgreSQL."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="session")
def _broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestBroker]:
    from tests.support.broker import TestBroker

    broker = TestBroker(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.stop()


@pytest.fixture
def broker(_broker: TestBroker) -> TestBroker:
    """A real broker, empty."""
    _broker.wipe()
    return _broker


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    """A real SMTP server that keeps what it is given."""
    from tests.support.sink import SmtpSink

    sink = SmtpSink()
    yield sink
    sink.stop()


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The whole product, running: mark such tests `@pytest.mark.xdist_group("stack")`.

    It is shared by the session: use addresses of your own.
    """
    from tests.support.stack import Stack

    running = Stack(tmp_path_factory.mktemp("stack"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.support.chromium import FLAGS, chromium

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without any memory, at the size of a laptop."""
    made = browser.new_context(viewport={"width": 1200, "height": 800})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page of it."""
    opened = context.new_page()
    opened.set_default_timeout(15_000)
    return opened
