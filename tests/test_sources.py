"""Time and randomness have one source each: `service.core.system_clock` and
`service.core.randomness`. Whatever else asked the operating system for them, the simulation could
not run again the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

SOURCES = {"service/core/system_clock.py", "service/core/randomness.py"}
STARTERS = "service/dev/embedded/"
"""What starts the processes of the product: none of it is part of a match."""
RANDOM_MODULES = {"random", "secrets", "uuid"}
ASKING = {
    "date.today",
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "email.utils.make_msgid",
    "make_msgid",
    "os.getrandom",
    "os.urandom",
    "time.gmtime",
    "time.localtime",
    "time.monotonic",
    "time.monotonic_ns",
    "time.perf_counter",
    "time.perf_counter_ns",
    "time.sleep",
    "time.time",
    "time.time_ns",
}


def modules() -> list[str]:
    """Every file of the product that a match passes through."""
    found = [
        path.relative_to(ROOT).as_posix()
        for package in ("engine", "service", "workers")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    return [name for name in found if name not in SOURCES and not name.startswith(STARTERS)]


def asked_of_the_system(source: str) -> Iterator[str]:
    """What of a program's text draws, tells the time or waits by itself, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found = [each.name for each in names if each.name in RANDOM_MODULES]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                full = [f"{module}.{each.name}" for each in names]
                found = [module] if module in RANDOM_MODULES else [n for n in full if n in ASKING]
            case ast.Call(func=ast.Attribute() as called):
                said = ast.unparse(called)
                found = [each for each in ASKING if said == each or said.endswith(f".{each}")]
            case _:
                found = []
        line = getattr(node, "lineno", 0)
        yield from (f"line {line}: {each}" for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "import secrets",
        "from random import choice",
        "import datetime as dt\ndt.datetime.now(dt.UTC)",
        "from time import sleep",
        "import time\ntime.monotonic()",
        "import os\nos.urandom(8)",
    ],
)
def test_what_asks_the_system_is_found(text: str) -> None:
    assert list(asked_of_the_system(text))


def test_time_and_randomness_have_one_source() -> None:
    found = {
        name: told
        for name in modules()
        if (told := list(asked_of_the_system((ROOT / name).read_text(encoding="utf-8"))))
    }
    assert found == {}
