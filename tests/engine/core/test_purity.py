"""The engine is pure: rules depend on nothing but their arguments."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import engine
from engine.games import games

ENGINE = Path(engine.__file__).parent
MODULES = sorted(ENGINE.rglob("*.py"))
IMPURE = {
    "asyncio",
    "datetime",
    "io",
    "locale",
    "logging",
    "os",
    "pathlib",
    "pickle",
    "random",
    "secrets",
    "shutil",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "uuid",
    "warnings",
}
PURE = (sys.stdlib_module_names - IMPURE) | {"engine", "msgspec"}


@cache
def _nodes(module: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


def _imported(module: Path) -> Iterator[str]:
    for node in _nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_a_module_reaches_nothing_impure(module: Path) -> None:
    for name in _imported(module):
        assert name.split(".")[0] in PURE
    calls = {
        node.func.id
        for node in _nodes(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "exec", "eval", "id", "hash"}


KIT = sorted((ENGINE / "kit").rglob("*.py"))


@pytest.mark.parametrize("module", KIT, ids=lambda path: str(path.relative_to(ENGINE)))
def test_a_kit_knows_no_more_than_how_games_are_played(module: Path) -> None:
    for name in _imported(module):
        if name.split(".")[0] == "engine":
            known = ("engine.protocol", "engine.chance", "engine.play", "engine.kit")
            assert name.startswith(known), name


@pytest.mark.parametrize(
    "module",
    [*sorted(ENGINE.glob("*.py")), *KIT],
    ids=lambda path: str(path.relative_to(ENGINE)),
)
def test_the_core_names_no_game(module: Path) -> None:
    text = module.read_text(encoding="utf-8").lower()
    for key in games():
        assert key not in text
        assert key.replace("_", " ") not in text


@pytest.mark.parametrize("key", games())
def test_a_game_imports_no_other(key: str) -> None:
    for module in (ENGINE / key).rglob("*.py"):
        for name in _imported(module):
            parts = name.split(".")
            assert parts[0] != "engine" or parts[1] == key or parts[1] not in games()
