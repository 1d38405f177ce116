"""Real things for tests: databases, a broker, an SMTP server, the whole stack, a browser.

Imported when they are asked for: the engine's tests need none of it.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.nodeid import NodeId
from hypothesis import settings

from tests.support.cases import of_tier
from tests.support.draws import Draws

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from xdist.remote import Producer

    from tests.support.broker import TestBroker
    from tests.support.postgresql import Cluster
    from tests.support.scheduling import Scheduling
    from tests.support.sink import SmtpSink
    from tests.support.stack import Stack

# The same cases every time, so that a red test is the change's doing; `make fuzz` looks further.
settings.register_profile("known", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=2000)
settings.load_profile("known")

DRAWS = pytest.StashKey[Draws]()
GARBAGE = (200_000, 20, 5)
"""After how many new objects Python looks for garbage (700, 10, 10 by itself)."""
HEAVY = {"postgresql", "_broker", "browser", "stack"}
"""Fixtures that start another program."""
TESTS = Path(__file__).parent
RARELY = TESTS / "rarely.txt"
TOGETHER = (
    "cli/test_records.py",
    "engine/mammoths/test_games.py",
    "engine/sapiens",
    "gallery",
    "games/test_templates.py",
    "inbound/test_imap.py",
    "inbound/test_webhooks.py",
    "inbox",
    "referee/test_fire_and_stone.py",
    "referee/test_mutations.py",
    "referee/test_sapiens.py",
    "service/letters",
    "service/pictures",
    "service/usecases/test_erasure.py",
    "service/usecases/test_upgrading.py",
    "service/words/test_orders.py",
    "test_packages.py",
    "test_prose.py",
    "web/test_any_game.py",
    "wording",
)
"""Files and folders whose tests share what takes long to make: one process has each."""
LONGEST = (
    "stack",
    "looks-fr",
    "looks-en",
    "service/pictures",
    "postgresql",
    "chaos",
    "inbox",
    "service/usecases/test_upgrading.py",
    "engine/sapiens",
    "service/letters",
)
"""Groups that take longest, the longest first; what mostly waits (the whole product, browsers, then
faults) beside what does not.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much is tested, and by which draws."""
    group = parser.getgroup("paleopost")
    group.addoption(
        "--tier",
        choices=("fast", "usual", "all"),
        default="usual",
        help="fast: nothing `slow`, nor what takes PostgreSQL, a broker, a browser or the whole "
        "product; all: also what is marked `rarely`, and every test of a database on both",
    )
    group.addoption(
        "--draws", default="known", metavar="NAME", help="play other deals (default: %(default)s)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have the same draws in every run, and as many cases as its tier."""
    config.stash[DRAWS] = Draws(config.getoption("--draws"))
    config.stash[DRAWS].begin()
    of_tier(config.getoption("--tier"))


def pytest_report_header(config: pytest.Config) -> str:
    """What another run needs to be as this one."""
    return f"draws: {config.getoption('--draws')}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test draws the same, whatever ran before it, on either database."""
    name = item.name.replace("postgresql", "sqlite")
    item.config.stash[DRAWS].again(f"{item.path.name}::{name}")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Iterator[None]:
    """What tests share draws the same, whichever of them asks for it first."""
    if fixturedef.scope == "function":
        return (yield)
    with request.config.stash[DRAWS].aside(fixturedef.argname):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this tier has not; begin with what takes longest, so that no process is left
    alone with it in the end.
    """
    tier = config.getoption("--tier")
    if not any("::" in each for each in config.args):
        require_listed(items)
    left_out = [item for item in items if not is_of(item, tier)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    kept = set(items) - set(left_out)
    for item in kept:
        if is_short(item) and (shared := shared_by(item)) is not None:
            item.add_marker(pytest.mark.xdist_group(shared))
    items[:] = sorted((item for item in items if item in kept), key=turn_of)
    if config.getoption("loadgroup", default=False):
        for item in items:
            name_group(item)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Share tests out by our own way where `make test` does."""
    if config.getoption("dist") != "loadgroup":
        return None
    from tests.support.scheduling import Scheduling

    return Scheduling(config, log)


def name_group(item: pytest.Item) -> None:
    """Add the group of a test to its id, by which xdist 3.8 shares tests out: it writes it where
    pytest 9.2 no longer looks, and every process would run tests of every group.
    """
    group = item.get_closest_marker("xdist_group")
    if group is not None and "@" not in item.nodeid.rpartition("]")[2]:
        path, _, name = item.nodeid.partition("::")
        item._id = NodeId(path=path, names=(f"{name}@{group.args[0]}",))


def shared_by(item: pytest.Item) -> str | None:
    """The group of a test: PostgreSQL, for one cluster is enough, or its file or folder."""
    if runs_on_postgresql(item) or "postgresql" in getattr(item, "fixturenames", ()):
        return "postgresql"
    return together_with(item.path)


def runs_on_postgresql(item: pytest.Item) -> bool:
    """Whether this is the case of a test whose database is PostgreSQL's."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    return bool(params.get("database_url") == "postgresql")


@cache
def together_with(path: Path) -> str | None:
    """The file or folder whose tests one process has to run all of, for they share something."""
    return next((each for each in TOGETHER if path.is_relative_to(TESTS / each)), None)


def require_listed(items: Iterable[pytest.Item]) -> None:
    """Refuse a list of what runs rarely that names what is not in the files collected."""
    there = {item.nodeid for item in items}
    files = {path_of(nodeid) for nodeid in there}
    gone = sorted(each for each in rarely() - there if path_of(each) in files)
    if gone:
        told = "\n".join(gone)
        raise pytest.UsageError(f"{RARELY.name} names tests that are not there:\n{told}")


def path_of(nodeid: str) -> str:
    """The file of a test."""
    return nodeid.partition("::")[0]


@cache
def rarely() -> frozenset[str]:
    """The tests that `make test-all` alone runs, for others run the same lines: as
    tests/support/overlap.py wrote them down.
    """
    return frozenset(RARELY.read_text(encoding="utf-8").splitlines())


def is_of(item: pytest.Item, tier: str) -> bool:
    """Whether a test belongs to a tier."""
    if tier == "all":
        return True
    if item.nodeid in rarely():
        return False
    params = getattr(getattr(item, "callspec", None), "params", {})
    on_postgresql = runs_on_postgresql(item)
    if any(names(mark, params) for mark in item.iter_markers("rarely")):
        return False
    if tier == "fast":
        if item.get_closest_marker("slow"):
            return False
        return not on_postgresql and HEAVY.isdisjoint(getattr(item, "fixturenames", ()))
    if "database_url" not in params:
        return True
    instead, both = (item.get_closest_marker(mark) for mark in ("on_postgresql", "both_databases"))
    if instead is not None and names(instead, params):
        return on_postgresql
    return not on_postgresql or (both is not None and names(both, params))


def names(mark: pytest.Mark, params: Mapping[str, object]) -> bool:
    """Whether a mark means the case of a test that has these parameters: any if it names none."""
    return not mark.args or any(value in mark.args for value in params.values())


def is_short(item: pytest.Item) -> bool:
    """Whether a test is none of those that one process has to run all of."""
    return item.get_closest_marker("xdist_group") is None


def turn_of(item: pytest.Item) -> int:
    """When a test's turn is: first groups, what waits longest before all; then what is `slow` by
    itself; the many short ones fill up what is left.
    """
    group = item.get_closest_marker("xdist_group")
    if group is not None:
        return LONGEST.index(group.args[0]) if group.args[0] in LONGEST else len(LONGEST)
    return len(LONGEST) + (1 if item.get_closest_marker("slow") else 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing of what is imported and collected is garbage: it is not looked for meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Do not look for garbage again and again in what has been imported and collected: it stays,
    with what little of it is garbage (to look for that once takes a second).
    """
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL cluster for this session."""
    from tests.support.postgresql import Cluster

    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def _migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from service.core.schema import upgrade
    from tests.support.durability import hurry

    hurry()
    path = tmp_path_factory.mktemp("template") / "template.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def _migrated_postgresql(postgresql: Cluster) -> str:
    from service.core.schema import upgrade

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
    """A database of this test, migrated and empty: SQLite's, and PostgreSQL's in a second run of
    tests that are marked `both_databases` (HACKING.md says which have to be).
    """
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
    """Debian's Chromium, for which everybody waits as long as a busy machine may take."""
    from playwright.sync_api import sync_playwright

    from tests.support.chromium import FLAGS, PATIENCE, chromium

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        opened = launched.new_context

        def patient(**more: Any) -> BrowserContext:
            made = opened(**more)
            made.set_default_timeout(PATIENCE)
            return made

        launched.new_context = patient  # type: ignore[method-assign]
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
    return context.new_page()
