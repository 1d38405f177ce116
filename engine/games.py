"""The games: every package in this folder that exports a `GAME`, by its key."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

import engine
from engine.protocol import Game


@cache
def games() -> Mapping[str, Game[Any, Any]]:
    """The games of this checkout, by key, in the order of their keys."""
    found = {}
    for module in pkgutil.iter_modules(engine.__path__):
        if module.ispkg:
            game = getattr(importlib.import_module(f"engine.{module.name}"), "GAME", None)
            if game is not None:
                found[game.key] = game
    return dict(sorted(found.items()))
