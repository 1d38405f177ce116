"""Data files of games, which lie beside their modules: what is printed on boards and cards."""

from __future__ import annotations

import csv
import pkgutil
import tomllib
from typing import Any


def toml(package: str, name: str) -> dict[str, Any]:
    """The tables of a TOML file in a package."""
    return tomllib.loads(text(package, name))


def table(package: str, name: str) -> list[dict[str, str]]:
    """The rows of a CSV file in a package, by the names that its first line has."""
    return list(csv.DictReader(text(package, name).splitlines()))


def text(package: str, name: str) -> str:
    """A file in a package. Raises FileNotFoundError."""
    data = pkgutil.get_data(package, name)
    assert data is not None
    return data.decode("utf-8")
