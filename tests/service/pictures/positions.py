"""Positions of recorded games, and pictures taken from them."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from PIL import Image

from engine.kit.presentation import Marks, Wanted
from service.render.pictures import board_png

GAME = "sapiens"
NAMES = ("Élise", "Maximilien", "Bo", "Zoé")
RECORDS = Path(__file__).parents[2] / "fixtures" / "games"

View: TypeAlias = dict[str, Any]


@cache
def recorded(name: str) -> tuple[View, ...]:
    """The public position after the set-up and after each entry of a recorded game."""
    record = json.loads((RECORDS / f"{name}.json").read_text("utf-8"))
    return tuple(entry["state"] for entry in (record["setup"], *record["entries"]))


def middle(seats: int) -> View:
    """A position half way through a game."""
    views = recorded(f"normal-{seats}")
    return views[len(views) // 2]


def marked(view: View, **more: Any) -> Marks:
    """Marks with everybody's names."""
    return Marks(names=NAMES[: len(view["players"])], **more)


def png(
    view: View, *, seat: int | None = 0, shown: int | None = None, lang: str = "en", **more: Any
) -> Image.Image:
    """The picture as RGB."""
    raw = board_png(
        GAME, view, wanted=Wanted(reader=seat, shown=shown), marks=marked(view, **more), lang=lang
    )
    return Image.open(io.BytesIO(raw)).convert("RGB")


def count(image: Image.Image, colour: str) -> int:
    """How many pixels have a colour."""
    wanted = tuple(bytes.fromhex(colour[1:]))
    return sum(n for n, found in image.getcolors(1 << 24) or () if found == wanted)


def places_on(board: dict[str, Any]) -> list[str]:
    """The places that tiles cover."""
    return [place for tile in board["tiles"] for place in (tile["first"], tile["second"])]
