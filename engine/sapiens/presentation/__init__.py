"""The valley as it is drawn, written in characters, touched and told (S§1.3-5).

Everything here works on views and events as built-in types; no words of a language, no drawing.
"""

from __future__ import annotations

from engine.sapiens.presentation.cells import common
from engine.sapiens.presentation.characters import grid, small_grid
from engine.sapiens.presentation.curves import highest, quarters, steps
from engine.sapiens.presentation.layout import cave, laid, lying
from engine.sapiens.presentation.legend import meanings
from engine.sapiens.presentation.pools import (
    bear_shelter,
    copies,
    due,
    mountain_token,
    owner_of_tile,
)
from engine.sapiens.presentation.scene import (
    card,
    film,
    glance,
    legend,
    patch,
    pictures,
    scene,
    width,
)
from engine.sapiens.presentation.selection import (
    SCENE_OF,
    forgone,
    meant,
    prompt,
    subjects,
    thing,
    touches,
    untouchable,
    waiting,
)
from engine.sapiens.presentation.squares import board_tables
from engine.sapiens.presentation.telling import (
    brought,
    concerned,
    deeds,
    facts,
    filled,
    from_stack,
    gain,
    kinds,
    lead,
    likely_cave,
    numbers,
    ranked,
    sentences,
    shown_seat,
    turns_left,
)

__all__ = [
    "SCENE_OF",
    "bear_shelter",
    "board_tables",
    "brought",
    "card",
    "cave",
    "common",
    "concerned",
    "copies",
    "deeds",
    "due",
    "facts",
    "filled",
    "film",
    "forgone",
    "from_stack",
    "gain",
    "glance",
    "grid",
    "highest",
    "kinds",
    "laid",
    "lead",
    "legend",
    "likely_cave",
    "lying",
    "meanings",
    "meant",
    "mountain_token",
    "numbers",
    "owner_of_tile",
    "patch",
    "pictures",
    "prompt",
    "quarters",
    "ranked",
    "scene",
    "sentences",
    "shown_seat",
    "small_grid",
    "steps",
    "subjects",
    "thing",
    "touches",
    "turns_left",
    "untouchable",
    "waiting",
    "width",
]
