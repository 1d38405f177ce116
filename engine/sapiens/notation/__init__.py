"""Text of actions, both ways (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from engine.protocol import Notation, Seat
from engine.sapiens.actions import Action
from engine.sapiens.notation.naming import signature
from engine.sapiens.notation.nearest import nearest
from engine.sapiens.notation.reading import parse
from engine.sapiens.notation.words import WORDS
from engine.sapiens.notation.writing import write
from engine.sapiens.state import State


class _Sapiens:
    @property
    def words(self) -> frozenset[str]:
        return WORDS

    def format(self, state: State, seat: Seat, action: Action, lang: str) -> str:
        return write(state, seat, action, lang)

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[Action, ...]:
        return parse(state, seat, text, lang)

    def meaning(self, state: State, seat: Seat, action: Action) -> Hashable:
        return signature(state, action)

    def nearest(
        self, state: State, seat: Seat, action: Action, limit: int = 3
    ) -> tuple[Action, ...]:
        return nearest(state, seat, action, limit)


NOTATION: Final[Notation[State, Action]] = _Sapiens()
"""`parse` adds to errors what `reading.parse` says."""
