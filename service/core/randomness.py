"""Randomness that nobody can guess: keys, codes, nonces, seeds, and how long to wait. Nothing else
of the service draws any, so that all of it can be run again with the same draws.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

source: random.Random = secrets.SystemRandom()
"""What all of the service draws from: the operating system."""


def token_bytes(count: int) -> bytes:
    """So many random bytes."""
    return source.randbytes(count)


def token_hex(count: int) -> str:
    """So many random bytes, in hexadecimal."""
    return token_bytes(count).hex()


def choice(among: Sequence[T]) -> T:
    """One of these, each as likely."""
    return source.choice(among)


def uniform(least: float, most: float) -> float:
    """A number between these."""
    return source.uniform(least, most)
