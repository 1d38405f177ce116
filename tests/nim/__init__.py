"""Nim for people: its words and pictures, which the product does not carry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.games import register, unregister
from tests.engine.nim import GAME

FOLDER = Path(__file__).parent


@contextmanager
def nim_registered() -> Iterator[str]:
    """Nim among the other games, by its key."""
    register(GAME, str(FOLDER))
    try:
        yield GAME.key
    finally:
        unregister(GAME.key)
