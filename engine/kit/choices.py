"""Choices of a decision, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from engine.protocol import IllegalAction

A = TypeVar("A")


class Offered(Generic[A]):
    """The actions that are `listed`, or, where nobody could list all, those of a type that `check`
    raises no IllegalAction for; then those listed are examples.
    """

    __slots__ = ("_check", "_kind", "_listed")

    def __init__(
        self,
        listed: Callable[[], Iterable[A]],
        kind: Any = object,
        check: Callable[[Any], object] | None = None,
    ) -> None:
        self._listed = listed
        self._kind = kind
        self._check = check

    def __iter__(self) -> Iterator[A]:
        return iter(self._listed())

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, self._kind):
            return False
        if self._check is None:
            return action in list(self._listed())
        try:
            self._check(action)
        except IllegalAction:
            return False
        return True
