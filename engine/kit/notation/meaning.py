"""Meanings of a reading in a position: each an action, or several that it leaves open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from engine.protocol import Choices

A = TypeVar("A")


class Meaning(msgspec.Struct, Generic[A], frozen=True, kw_only=True):
    """One way to understand a text: every offered action that it `fits`.

    `action` says the same, with whatever was left out filled in anyhow. `missing` is the kind of
    what was left out, empty if nothing was. `present` is false if the text names something that
    does not lie where the action looks for it. `then` are the actions that the same text says after
    it, where what is chosen in steps is written at once; none but the last reveals anything.
    """

    action: A
    fits: Callable[[Any], bool]
    missing: str = ""
    present: bool = True
    then: tuple[A, ...] = ()

    def completions(
        self, choices: Choices[A] | tuple[()], listed: Choices[A] | tuple[()]
    ) -> list[A]:
        """The offered actions that the text can mean: itself, or some of those `listed`."""
        if not self.missing and self.action in choices:
            return [self.action]
        return [action for action in listed if self.fits(action)]


def exactly(action: A) -> Meaning[A]:
    """The meaning of a text that leaves nothing open."""
    return Meaning(action=action, fits=lambda other: bool(other == action))


def saying(*kinds: type, **said: Any) -> Callable[[Any], bool]:
    """A test: an action of one of these types whose fields are as said. Of a field said to be a
    frozenset, all of that must be among its values.
    """

    def fits(action: Any) -> bool:
        return isinstance(action, kinds) and all(
            _agrees(getattr(action, name), value) for name, value in said.items()
        )

    return fits


def _agrees(given: Any, said: Any) -> bool:
    return said <= set(given) if isinstance(said, frozenset) else bool(given == said)
