"""Packages stand in layers: each imports those below it alone, and only those it has a reason to.

Every import counts, also within a function; only what is imported for the type checker alone (below
TYPE_CHECKING) does not. A program that is started by its name (`wsgi:app`, `workers.celery`) is not
imported. Templates are text: whoever gives them a value has imported it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERED = ("engine", "service", "workers", "wsgi.py")
OURS = {"engine", "service", "workers", "wsgi", "migrations", "bench", "tests"}

Allowed = Mapping[str, Mapping[str, str]]

# A package, and those that it may import, with a reason where it is not plain. A name stands for
# all below it but for what has a row of its own: `service` and `service.mail` have no modules.
ALLOWED: Allowed = {
    "engine": {},
    "engine.kit": {"engine": "the parts speak of games as the engine does"},
    "engine.sapiens": {
        "engine": "a game is made of what the engine knows of games",
        "engine.kit": "and of parts that others are made of, too",
    },
    "engine.mammoths": {"engine": "as above", "engine.kit": "as above"},
    "engine.fire_and_stone": {"engine": "as above", "engine.kit": "as above"},
    "service.core": {"engine": "verdicts say what the engine found; rows name its seats"},
    "service.access": {"service.core": ""},
    "service.render": {
        "engine": "what is drawn and worded are views of games",
        "engine.kit": "a board comes as a scene",
        "service.core": "",
    },
    "service.outgoing": {
        "service.core": "",
        "service.access": "each letter owed has an address to answer to",
    },
    "service.time": {
        "engine": "clocks are of seats",
        "service.core": "",
        "service.outgoing": "a deadline owes its reminders",
    },
    "service.mail.parse": {},  # bytes in, structs out
    "service.players": {
        "service.core": "",
        "service.outgoing": "letters to a player, and those to be sent again",
        "service.time": "a player's hours, pauses and holds",
        "service.mail.parse": "a bounce is counted by what its report said",
    },
    "service.matches": {
        "engine": "",
        "service.core": "",
        "service.render": "what can be touched on the board",
        "service.outgoing": "",
        "service.time": "",
        "service.players": "who is asked to a table becomes known",
    },
    "service.mail.render": {
        "engine": "",
        "engine.kit": "which pictures a game wants in a letter",
        "service.core": "",
        "service.access": "letters carry links and addresses",
        "service.render": "",
        "service.outgoing": "",
        "service.time": "",
        "service.mail.parse": "the marks that a reply is cut at are written by letters",
        "service.matches": "letters tell what their reader may see",
    },
    "service.mail.send": {
        "service.core": "",
        "service.outgoing": "",
        "service.time": "hours for letters; no clock runs against who was not asked",
        "service.players": "a refused address has bounced",
        "service.matches": "what was told has been seen",
        "service.mail.render": "",
    },
    "service.mail.commands": {
        "engine": "",
        "service.core": "",
        "service.access": "",
        "service.outgoing": "",
        "service.time": "",
        "service.players": "",
        "service.matches": "",
    },
    "service.mail.receive": {
        "service.core": "",
        "service.access": "",
        "service.outgoing": "",
        "service.players": "bounces, and addresses somebody writes from",
        "service.matches": "",
        "service.mail.parse": "",
        "service.mail.render": "numbers that a letter offered, and its text, to know quotes by",
        "service.mail.commands": "",
    },
    "service.ops": {
        "service.core": "",
        "service.outgoing": "how long letters are kept",
        "service.time": "",
        "service.matches": "submissions that are waiting for an answer",
        "service.mail.send": "whether the mail server is away",
    },
    "service.web": {
        "engine": "",
        "engine.kit": "what can be touched on the board",
        "service.core": "",
        "service.access": "",
        "service.render": "",
        "service.time": "",
        "service.players": "",
        "service.matches": "",
        "service.mail.commands": "one click does what a mail to unsubscribe does",
        "service.mail.receive": "mail comes in by webhooks, too",
        "service.ops": "health, metrics and the operator's page",
    },
    "service.dev": {
        "engine": "",
        "service.core": "",
        "service.access": "",
        "service.render": "",
        "service.time": "",
        "service.players": "",
        "service.matches": "",
        "service.mail.parse": "the mailbox leaves the marks of letters out of its list",
        "service.mail.render": "the gallery shows every letter",
        "service.mail.send": "",
        "service.mail.receive": "the mailbox sends answers in",
        "service.ops": "",
        "service.web": "",
    },
    "service.cli": {
        "engine": "records are checked",
        "service.core": "",
        "service.access": "",
        "service.render": "",
        "service.time": "",
        "service.players": "",
        "service.matches": "",
        "service.mail.send": "",
        "service.mail.receive": "",
        "service.ops": "",
        "service.dev": "`paleopost play`",
    },
    "workers": {
        "engine": "",
        "service.core": "",
        "service.render": "pictures are drawn before the fork",
        "service.time": "",
        "service.matches": "",
        "service.mail.render": "templates of letters are compiled before the fork",
        "service.mail.send": "",
        "service.mail.receive": "",
        "service.ops": "",
    },
    "wsgi": {"service.core": "", "service.dev": "the pages, with the mailbox's where asked for"},
}


def package_of(module: str, packages: Mapping[str, object]) -> str | None:
    """The row of a module: the longest name that it is or lies below."""
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in packages), None)


class Named(NamedTuple):
    """A module as an import statement names it: so many folders up, and the names from there."""

    line: int
    up: int
    base: str
    inner: str = ""


class Statements(ast.NodeVisitor):
    """The import statements of a module, wherever in it they stand."""

    def __init__(self) -> None:
        self.found: list[Named] = []

    def visit_If(self, node: ast.If) -> None:
        """Leave out what is only for the type checker."""
        if ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for each in node.orelse:
                self.visit(each)
        else:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """`import a.b`."""
        self.found += [Named(node.lineno, 0, alias.name) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """`from a.b import c`, where c may be a module or something in one."""
        base = node.module or ""
        self.found += [Named(node.lineno, node.level, base, alias.name) for alias in node.names]


@cache
def statements(text: str) -> list[Named]:
    """The import statements of a module's text."""
    visitor = Statements()
    visitor.visit(ast.parse(text))
    return visitor.found


class Modules:
    """Modules, given as texts by name, and what each imports of ours: names with a line."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._names = set(texts)
        self._folders = {name.rpartition(".")[0] for name in texts}
        self.imports = {name: self._of(name, text) for name, text in texts.items()}

    def is_empty_folder(self, name: str) -> bool:
        """Whether it only holds others."""
        return name in self._folders and not self.imports[name]

    def _of(self, name: str, text: str) -> dict[str, int]:
        folder = name if name in self._folders else name.rpartition(".")[0]
        found: dict[str, int] = {}
        for line, up, base, inner in statements(text):
            above = ".".join(folder.split(".")[: 1 - up or None]) if up else ""
            full = ".".join(filter(None, (above, base)))
            deeper = f"{full}.{inner}"
            other = deeper if deeper in self._names else full
            if other.partition(".")[0] in OURS:
                found.setdefault(other, line)
        return found


def faults(texts: Mapping[str, str], allowed: Allowed) -> list[str]:
    """What is wrong with modules, given as texts by name, in one line each."""
    modules = Modules(texts)
    return [
        *_directions(modules, allowed),
        *_circle("modules", modules.imports),
        *_circle("packages", allowed),
    ]


def _directions(modules: Modules, allowed: Allowed) -> Iterator[str]:
    used: dict[str, set[str]] = {name: set() for name in allowed}
    found = set()
    for module, imported in modules.imports.items():
        own = package_of(module, allowed)
        if own is None:
            if not modules.is_empty_folder(module):
                yield f"{module} is in no package"
            continue
        found.add(own)
        for name, line in imported.items():
            other = package_of(name, allowed) or name
            used[own].add(other)
            if other != own and other not in allowed[own]:
                yield f"{own} may not import {other}: {module}:{line} imports {name}"
    for own, others in allowed.items():
        if own not in found:
            yield f"{own} has no module"
        for other in others.keys() - used[own]:
            yield f"{own} does not import {other} any more"


def _circle(what: str, graph: Mapping[str, Iterable[str]]) -> Iterator[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        yield f"circle of {what}: {' <- '.join(error.args[1])}"


def _of_the_product() -> dict[str, str]:
    found = {}
    for name in LAYERED:
        path = ROOT / name
        for each in [path] if path.is_file() else sorted(path.rglob("*.py")):
            parts = each.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[module] = each.read_text(encoding="utf-8")
    return found


MODULES = _of_the_product()


def test_each_package_imports_those_below_it_alone() -> None:
    assert not faults(MODULES, ALLOWED), "\n".join(faults(MODULES, ALLOWED))


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        (
            "service.core.wrong",
            "from service.matches import moves",
            "service.core may not import service.matches: service.core.wrong:1 imports",
        ),
        (
            "service.time.wrong",
            "def late():\n    import service.web.app as app",
            "service.time may not import service.web: service.time.wrong:2 imports service.web.app",
        ),
        (
            "service.mail.parse.wrong",
            "from service.mail import send",
            "service.mail.parse may not import service.mail.send:",
        ),
        (
            "service.mail.parse.wrong",
            "from ..send import smtp",
            "service.mail.parse may not import service.mail.send:",
        ),
        (
            "service.ops.wrong",
            "from tests.support import post",
            "service.ops may not import tests.support: service.ops.wrong:1 imports tests.support",
        ),
        ("engine.wrong", "import engine.sapiens.flow", "engine may not import engine.sapiens:"),
        ("service.wrong", "", "service.wrong is in no package"),
        ("service.mail", "from service.core import db", "service.mail is in no package"),
        ("service.mail.wrong", "import os", "service.mail.wrong is in no package"),
        (
            "service.core.db",
            "from service.core import wrong\n",
            "circle of modules: ",
        ),
    ],
)
def test_a_wrong_module_is_found(module: str, text: str, fault: str) -> None:
    wrong = {"service.core.wrong": "from service.core.db import Database"}
    changed = {**(wrong if module == "service.core.db" else {}), module: text}
    found = faults({**MODULES, **changed}, ALLOWED)
    assert any(fault in each for each in found), found


def test_what_is_for_the_type_checker_alone_is_left_out() -> None:
    text = "if TYPE_CHECKING:\n    from service.web import app\nelse:\n    import service.ops.sweep"
    (found,) = faults({**MODULES, "service.core.wrong": text}, ALLOWED)
    assert found.startswith("service.core may not import service.ops: service.core.wrong:4")


@pytest.mark.parametrize(
    ("package", "other", "fault"),
    [
        ("service.render", "service.access", "service.render does not import service.access any"),
        ("service.core", "service.cli", "circle of packages: "),
        ("service.gone", "service.core", "service.gone has no module"),
    ],
)
def test_a_wrong_row_is_found(package: str, other: str, fault: str) -> None:
    row = {**ALLOWED.get(package, {}), other: ""}
    found = faults(MODULES, {**ALLOWED, package: row})
    assert any(each.startswith(fault) for each in found), found
