"""Pictures of positions: one description per game, as a page's SVG, a letter's PNG and in words.

A game's `templates/boards/<key>/board.svg` is the only description. On a page it is put in as it is.
For a letter its cells are drawn once, kept, and put together (see `cells`, `drawing`). What it says
in words comes from `templates/boards/<key>/alt.txt` and `templates/games/<key>/board.txt`.
"""

from service.pictures.boards import (
    Marks,
    board_alt,
    board_png,
    board_svg,
    board_text,
    board_width,
    symbols,
)

__all__ = [
    "Marks",
    "board_alt",
    "board_png",
    "board_svg",
    "board_text",
    "board_width",
    "symbols",
]
