"""The valley as it is drawn, written in characters, touched and told (S§1.3-5).

Everything here works on views and events as built-in types; no words of a language, no drawing.
"""

from __future__ import annotations

from engine.sapiens.presentation.characters import free_squares, grid, small_grid
from engine.sapiens.presentation.curves import highest, quarters, steps
from engine.sapiens.presentation.layout import AT, FRAME, covered, lying, newly_filled
from engine.sapiens.presentation.pools import copies, mountain_token, owner_of_tile, stand_ins
from engine.sapiens.presentation.selection import (
    SCENE_OF,
    begun,
    meant,
    subjects,
    touches,
    untouchable,
    waiting,
)
from engine.sapiens.presentation.telling import brought, filled, gain, sorted_tiles

__all__ = [
    "AT",
    "FRAME",
    "SCENE_OF",
    "begun",
    "brought",
    "copies",
    "covered",
    "filled",
    "free_squares",
    "gain",
    "grid",
    "highest",
    "lying",
    "meant",
    "mountain_token",
    "newly_filled",
    "owner_of_tile",
    "quarters",
    "small_grid",
    "sorted_tiles",
    "stand_ins",
    "steps",
    "subjects",
    "touches",
    "untouchable",
    "waiting",
]
