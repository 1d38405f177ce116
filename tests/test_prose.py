"""Docstrings say what a thing is or does: they begin with a noun or a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "service", "workers")

# "Whether it is due" leaves open what is returned: "True if it is due" does not.
_BEGINS_WITH_A_QUESTION = re.compile(
    r"(who|whom|whose|what|whether|how|when|where|which|why)(ever)?\b", re.I
)

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(tree: ast.Module) -> Iterator[tuple[str, Documented]]:
    """The module, and the classes and functions in it that others may use, each with its name."""
    found: list[tuple[str, Documented]] = [("", tree)]
    while found:
        name, node = found.pop()
        yield name, node
        found += [
            (f"{name}.{child.name}".lstrip("."), child)
            for child in node.body
            if isinstance(child, Documented) and not child.name.startswith("_")
        ]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_public_docstring_begins_with_the_thing(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}: {text.splitlines()[0]}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for name, node in public(ast.parse(path.read_text()))
        if _BEGINS_WITH_A_QUESTION.match(text := ast.get_docstring(node) or "")
    ]
    assert not found, "\n".join(found)


def test_no_docstring_leaves_open_what_true_means() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (ast.get_docstring(node) or "").startswith("Whether")
    ]
    assert not found, "\n".join(found)


_NAME = re.compile(r"`((?:engine|service|workers)(?:\.[A-Za-z_]\w*)+)`")
_READ = ("*.py", "*.html", "*.txt", "*.svg", "*.css")


def _exists(name: str) -> bool:
    """True if a dotted name begins with a module in which the rest is written somewhere."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:end])
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if module.exists():
            text = module.read_text()
            return all(re.search(rf"\b{re.escape(part)}\b", text) for part in parts[end:])
    return False


@pytest.mark.parametrize("folder", [*PACKAGES, "bench", "templates", "migrations"])
def test_what_a_comment_names_exists(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for pattern in _READ
        for path in sorted((ROOT / folder).rglob(pattern))
        for name in _NAME.findall(path.read_text())
        if not _exists(name)
    ]
    assert not found, "\n".join(found)
