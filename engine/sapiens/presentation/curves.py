"""Points over the turns of a match, as they are plotted."""

from __future__ import annotations

from collections.abc import Sequence

from engine.kit.presentation import Plain
from engine.protocol import Seat


def highest(views: Sequence[Plain]) -> int:
    """The most points of one kind that anybody had; at least 1."""
    players = (player for view in views for player in view["players"])
    points: list[int] = [had for player in players for had in (player["fp"], player["sp"])]
    return max(1, *points)


def steps(views: Sequence[Plain], seat: Seat, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Turns at which a curve begins, changes and ends, each with the points then: the lower where
    there are two `kinds`.
    """
    points = [min(view["players"][seat][kind] for kind in kinds) for view in views]
    last = len(points) - 1
    return [
        (turn, had)
        for turn, had in enumerate(points)
        if turn in (0, last) or had != points[turn - 1]
    ]


def quarters(turns: int) -> list[int]:
    """The turns at which a quarter of a match is over, each once."""
    return list(dict.fromkeys(turns * quarter // 4 for quarter in (1, 2, 3, 4)))
