"""Pictures that help: what the marks of a board mean, what a choice does, what a story tells.

All are optional capabilities of a presentation (`HasLegend`, `HasPatches`, `DrawsStories`): what a
game does not have is None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from engine.kit.presentation import DrawsStories, HasLegend, HasPatches
from engine.kit.scene import Scene
from engine.protocol import Seat
from service.render.pictures.boards import colours_of, kept_png, looks_of
from service.render.pictures.scenes import svg_of
from service.render.templating import environment, presentation_of

PATCH_WIDTH: Final = 132
"""CSS pixels at which letters show what a choice does, at most (templates/mail/_style.css)."""


class StoryPicture(NamedTuple):
    """The picture of some of a story; `width` and `height` in CSS pixels."""

    png: bytes
    width: int
    height: int


def explains_marks(game_key: str) -> bool:
    """True if a game's pictures can be wanted with a legend (`Wanted.legend`)."""
    return isinstance(presentation_of(game_key), HasLegend)


def legend_svg(
    game_key: str, view: Mapping[str, Any], *, shown: Seat, lang: str, lettered: bool = True
) -> Markup:
    """The meanings of the marks on a board, for a page that has the board beside them: as many svg
    elements as there are parts of it, if the board is `lettered`, or a list of marks with their
    words; nothing of a game without them. No svg says words aloud.
    """
    presentation = presentation_of(game_key)
    if not isinstance(presentation, HasLegend):
        return Markup("")
    looks, colours = looks_of(game_key, lang), colours_of(game_key)
    legend = presentation.legend(view, shown)
    if isinstance(legend, Scene):
        if not lettered:
            return Markup("")
        return Markup().join(svg_of(part, looks, colours, lang) for part in legend.parts)
    called: Callable[[str], str] = getattr(looks, "called")  # noqa: B009 - a template's
    signs = [(svg_of(mark, looks, colours, lang), called(id)) for id, mark in legend.items()]
    template = environment(lang).get_template("boards/kit/signs.html")
    return Markup(template.render(signs=signs))  # noqa: S704 - an escaping template's


def patch_png(
    game_key: str, view: Mapping[str, Any], *, seat: Seat, last: Collection[str], lang: str
) -> bytes | None:
    """The picture of what a choice of `seat` does, for a letter: `view` is the position after it,
    `last` are the places that it fills (`filled` of its events). It says nothing that the choice's
    words do not.
    """
    presentation = presentation_of(game_key)
    if not isinstance(presentation, HasPatches):
        return None
    scene = presentation.patch(view, seat, last)
    return None if scene is None else kept_png(scene, game_key, lang, PATCH_WIDTH)


def story_png(
    game_key: str,
    events: Sequence[Mapping[str, Any]],
    *,
    lang: str,
    reader: Seat | None = None,
    names: Sequence[str] = (),
) -> StoryPicture | None:
    """The picture of some of what a story tells its reader in words, for a letter."""
    scene = _story(game_key, events, reader, names)
    if scene is None:
        return None
    return StoryPicture(kept_png(scene, game_key, lang), scene.width, scene.height)


def _story(
    game_key: str,
    events: Sequence[Mapping[str, Any]],
    reader: Seat | None = None,
    names: Sequence[str] = (),
) -> Scene | None:
    presentation = presentation_of(game_key)
    if not isinstance(presentation, DrawsStories):
        return None
    return presentation.story_scene(events, reader, names)
