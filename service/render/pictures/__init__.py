"""Pictures of positions: one description per game, as a page's SVG, a letter's PNG and in words.

A game's `templates/boards/<key>/board.svg` is the only description. On a page it is put in as it
is. For a letter its cells are drawn once, kept, and put together (see `cells`, `drawing`); those of
`common.svg` are drawn before the first letter. What a picture says in words comes from `alt.txt`
beside it and from `templates/games/<key>/board.txt`. A whole match is a film (`film.svg` and
`film.txt`) and a plot (`plot.svg` and `plot.txt`); in
lists it is `glance.svg`, beside links `card.svg`.
"""

from service.render.pictures.boards import (
    Marks,
    Touchable,
    board_alt,
    board_png,
    board_svg,
    board_text,
    board_width,
    filled,
    symbols,
    warm,
)
from service.render.pictures.cards import card_png
from service.render.pictures.films import film_alt, film_gif
from service.render.pictures.glances import glance_svg
from service.render.pictures.plots import plot_alt, plot_png, plot_svg

__all__ = [
    "Marks",
    "Touchable",
    "board_alt",
    "board_png",
    "board_svg",
    "board_text",
    "board_width",
    "card_png",
    "filled",
    "film_alt",
    "film_gif",
    "glance_svg",
    "plot_alt",
    "plot_png",
    "plot_svg",
    "symbols",
    "warm",
]
