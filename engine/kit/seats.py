"""The words of most games on their seats: nobody is eliminated, one begins."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.protocol import Seat


class NobodyEliminated:
    """A game whose `players` are all in play up to the end."""

    def in_play(self, state: Any) -> tuple[Seat, ...]:
        return tuple(range(len(state.players)))


class FirstChosen:
    """A game that the seat `first` of its state began, as that of its options may say."""

    def first_player(self, state: Any) -> Seat:
        return int(state.first)

    def begun_by(self, options: Any) -> Seat | None:
        chosen: Seat | None = options.first
        return chosen

    def with_first(self, options: Any, seat: Seat | None) -> Any:
        return replace(options, first=seat)
