"""Hill and Ford for people: its words and pictures, which the product does not carry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.games import register, unregister
from tests.engine.toy import GAME

FOLDER = Path(__file__).parent


@contextmanager
def toy_registered() -> Iterator[str]:
    """The toy game among the others, by its key."""
    register(GAME, str(FOLDER))
    try:
        yield GAME.key
    finally:
        unregister(GAME.key)
