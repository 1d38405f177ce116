"""The situation that a plan is consulted in, as its owner knows it."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

import msgspec

from engine.protocol import IllegalAction

A_contra = TypeVar("A_contra", contravariant=True)
C_contra = TypeVar("C_contra", contravariant=True)


class Situation(Protocol[C_contra, A_contra]):
    """A position as the owner of a plan knows it: what it answers depends on nothing else.

    It never changes. Usually it holds the owner's view, and a guess on which actions are tried
    (`engine.kit.bots.lines.Line`).
    """

    def holds(self, condition: C_contra, /) -> bool: ...

    def play(self, action: A_contra, /) -> Self:
        """The situation with this done. Raises IllegalAction."""
        ...


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why something cannot be done, as IllegalAction has it."""

    code: str
    rule: str
    context: dict[str, Any] = {}

    @classmethod
    def of(cls, error: IllegalAction) -> Refusal:
        return cls(code=error.code, rule=error.rule, context=error.context)
