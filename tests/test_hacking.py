"""HACKING.md is true: what it names exists, its borders hold, and it can be read in ten minutes."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.test_packages import ALLOWED

ROOT = Path(__file__).parents[1]
MAP = ROOT / "HACKING.md"
DECISIONS = ROOT / "docs" / "decisions"
# Records tell what was true at their date.
PRESENT = [ROOT / "README.md", MAP, *sorted((ROOT / "docs").glob("*.md"))]

MOST_WORDS = 2_500
DECIDED = "Where is it decided"
PACKAGES = "Packages"

_NAME = re.compile(r"`((?:engine|service|workers)(?:\.[A-Za-z_]\w*)+)`")
_PATH = re.compile(
    r"`((?:engine|service|workers|bench(?!/out)|tests|templates|migrations)/[\w./-]*)`"
)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def section(title: str) -> str:
    """The text below a heading of HACKING.md, up to the next of its kind."""
    return MAP.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The cells of the tables in a section, without headings of columns."""
    lines = re.findall(r"^\| (.*) \|$", section(title), re.M)
    return [line.split(" | ") for line in lines[1:]]


def found(name: str) -> Any:
    """What a dotted name stands for: a module, or something in one. Raises if there is no such."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        try:
            if importlib.util.find_spec(module) is None:
                continue
        except ModuleNotFoundError:
            continue
        # What reads the environment when it is imported is not imported here.
        thing: Any = importlib.import_module(module) if parts[end:] else module
        for part in parts[end:]:
            thing = getattr(thing, part)
            assert not isinstance(thing, ModuleType), f"{name}: {module} only imports {part}"
        return thing
    raise ModuleNotFoundError(name)


def decided() -> Iterator[tuple[str, str]]:
    for rule, *cells in rows(DECIDED):
        for name in _NAME.findall(" ".join(cells)):
            yield rule, name


@pytest.mark.parametrize(("rule", "name"), [pytest.param(*each, id=each[1]) for each in decided()])
def test_a_promise_is_kept_where_the_table_says(rule: str, name: str) -> None:
    assert not isinstance(found(name), str), f"{rule}: {name} is a module, name the function"


def test_every_rule_of_the_table_has_a_place() -> None:
    for rule, *cells in rows(DECIDED):
        assert rule.startswith("**") or _NAME.search(" ".join(cells)), rule
    assert len(rows(DECIDED)) >= 50


@pytest.mark.parametrize("page", PRESENT, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    text = page.read_text()
    for name in _NAME.findall(text):
        found(name)
    for path in _PATH.findall(text):
        if "NNNN" not in path and "__pycache__" not in path:
            assert (ROOT / path).exists(), path


@pytest.mark.parametrize(
    "page", [*PRESENT, *sorted(DECISIONS.glob("*.md"))], ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(page.read_text()):
        if not target.startswith(("http:", "https:", "#", "mailto:")):
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_every_decision_is_in_the_index_and_short() -> None:
    index = (DECISIONS / "README.md").read_text()
    records = sorted(DECISIONS.glob("[0-9]*.md"))
    for number, record in enumerate(records, 1):
        lines = record.read_text().splitlines()
        title = lines[0].removeprefix("# ").partition(". ")[2]
        assert record.name.startswith(f"{number:04}-"), record.name
        assert lines[0] == f"# {number}. {title}"
        assert f"{number}. [{title}]({record.name})" in index, record.name
        assert re.match(r"20\d\d-\d\d-\d\d", lines[2]), record.name
        text = "\n".join(lines)
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequence"))
        assert len(lines) <= 30, record.name


def test_it_is_read_in_ten_minutes() -> None:
    words = [word for word in MAP.read_text().split() if re.search(r"\w", word)]
    assert len(words) <= MOST_WORDS, "move decisions to docs/decisions"


def test_the_terms_of_the_glossary_are_the_codes() -> None:
    code = "\n".join(
        path.read_text() for top in ("engine", "service") for path in (ROOT / top).rglob("*.py")
    )
    for term, *_ in rows("Glossary"):
        for name in re.findall(r"`([A-Za-z_]+)`", term):
            assert re.search(rf"(class|def) {name}\b|\b{name}: ", code), name


def test_a_package_stands_below_those_it_imports() -> None:
    """Which those are is told, and held against the code, by `tests/test_packages.py`."""
    shown = [match[1] for row in rows(PACKAGES) if (match := re.match(r"`([\w.]+)`$", row[0]))]
    assert set(shown) == {name for name in ALLOWED if name.startswith(("service.", "workers"))}
    for own in shown:
        for other in ALLOWED[own]:
            assert other not in shown or shown.index(other) < shown.index(own), f"{own}: {other}"
