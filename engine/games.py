"""The games: every package in this folder that exports a `GAME`, by its key, and those that were
registered besides.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import engine
from engine.protocol import Game

_registered: dict[str, tuple[Game[Any, Any], str]] = {}


def games() -> Mapping[str, Game[Any, Any]]:
    """All games there are, by key: the lightest first, those of one weight by their keys."""
    return _all() if _registered else _found()


def register(game: Game[Any, Any], folder: str) -> None:
    """Add a game that lies outside this folder, for this process.

    In `folder` are its `templates` and `translations`, laid out as the product's. Raises
    ValueError for the key of another game.
    """
    if game.key in games() and games()[game.key] is not game:
        raise ValueError(f"there is a game {game.key!r} already")
    _registered[game.key] = (game, folder)
    _all.cache_clear()


def unregister(key: str) -> None:
    """Take a game that was registered out again. Raises KeyError for one that was not."""
    del _registered[key]
    _all.cache_clear()


def folders() -> tuple[str, ...]:
    """The folders with templates and translations of the games that were registered."""
    return tuple(dict.fromkeys(folder for _, folder in _registered.values()))


def nearest_size(game: Game[Any, Any], wish: int) -> int:
    """The number of players nearest to `wish` that a game is for."""
    return min(game.seats, key=lambda seats: abs(seats - wish))


@cache
def _found() -> Mapping[str, Game[Any, Any]]:
    found = {}
    for module in pkgutil.iter_modules(engine.__path__):
        if module.ispkg:
            game = getattr(importlib.import_module(f"engine.{module.name}"), "GAME", None)
            if game is not None:
                found[game.key] = game
    return _ordered(found)


@cache
def _all() -> Mapping[str, Game[Any, Any]]:
    besides = {key: game for key, (game, _) in _registered.items()}
    return _ordered({**_found(), **besides})


def _ordered(found: Mapping[str, Game[Any, Any]]) -> Mapping[str, Game[Any, Any]]:
    def place(key: str) -> tuple[int, str]:
        return found[key].weight, key

    return MappingProxyType({key: found[key] for key in sorted(found, key=place)})
