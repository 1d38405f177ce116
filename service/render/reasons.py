"""Outcomes of suggested turns and reasons for them, in the words of games that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.protocol import ExplainsSuggestions, Game, Seat


def reasons_of(
    game: Game[Any, Any],
    words: Any,
    state: Any,
    seat: Seat,
    suggested: Sequence[tuple[Any, ...]],
    names: Sequence[str],
    first: int = 1,
) -> list[tuple[str, str]]:
    """The outcome of each of these turns, if the game's wording heads turns with that (`outcome`),
    and the reason why it stands where it does; "" for what the game has no words for.
    `first` is the number of the first among them, 0 of turns that are not listed.
    """
    if not isinstance(game, ExplainsSuggestions):
        return [("", "")] * len(suggested)
    found = msgspec.to_builtins(game.reasons(state, seat, suggested))
    return [
        ("", "") if why is None
        else (
            str(words.outcome(why, names)).strip() if hasattr(words, "outcome") else "",
            str(words.reason(why, number, names)).strip(),
        )
        for number, why in enumerate(found, start=first)
    ]  # fmt: skip
