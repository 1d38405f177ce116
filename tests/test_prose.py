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
