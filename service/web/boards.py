"""Boards beside the picture: those of the other seats, and all of them as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kit.presentation import BoardTable, HasBoardTables
from service.render.templating import presentation_of


def board_tables(game: str, view: Mapping[str, Any], seat: int | None) -> Sequence[BoardTable]:
    """The boards of a view for who reads them square by square, that of `seat` first; none of a
    game that has no tables of its boards.
    """
    shown = presentation_of(game)
    if not isinstance(shown, HasBoardTables):
        return ()
    return sorted(shown.board_tables(view), key=lambda table: table.seat != seat)
