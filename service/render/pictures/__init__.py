"""Pictures of positions: a scene, as a page's SVG, as a letter's PNG and in words.

What lies where a game's presentation says (`engine.kit.presentation`); its looks are macros of
`templates/boards/<key>/looks.svg` or of `templates/boards/kit`. For a letter cells are drawn once,
kept, and put together (see `cells`, `drawing`). What a picture says in words comes from `alt.txt`
beside the looks and from `templates/games/<key>/board.txt`. A whole match is a film (`film.txt`
says it) and a plot (`plot.svg` and `plot.txt`).
"""

from service.render.pictures.aids import (
    explains_marks,
    legend_svg,
    patch_png,
    story_png,
)
from service.render.pictures.boards import (
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
from service.render.pictures.glances import glance_file, glance_svg, specimen_png
from service.render.pictures.illustrations import illustration_svg
from service.render.pictures.plots import has_plot, plot_alt, plot_png, plot_svg
from service.render.pictures.scenes import Touchable

__all__ = [
    "Touchable",
    "board_alt",
    "board_png",
    "board_svg",
    "board_text",
    "board_width",
    "card_png",
    "explains_marks",
    "filled",
    "film_alt",
    "film_gif",
    "glance_file",
    "glance_svg",
    "has_plot",
    "illustration_svg",
    "legend_svg",
    "patch_png",
    "plot_alt",
    "plot_png",
    "plot_svg",
    "specimen_png",
    "story_png",
    "symbols",
    "warm",
]
