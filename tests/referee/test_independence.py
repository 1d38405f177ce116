"""The referees import the standard library and each other, nothing of the product."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
SHARED = ("draws", "document", "whole")


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("game", ["sapiens", "fire_and_stone", "mammoths"])
def test_the_referee_is_independent(game: str) -> None:
    parts = [*(FOLDER / f"{name}.py" for name in SHARED), *sorted(FOLDER.glob(f"{game}*.py"))]
    own = {f"tests.referee.{part.stem}" for part in parts}
    for part in parts:
        foreign = {
            module
            for module in imported(part) - own
            if module.split(".")[0] not in sys.stdlib_module_names
        }
        assert foreign == set(), part.name
