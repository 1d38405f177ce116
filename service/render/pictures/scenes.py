"""From a scene to what is seen: the rows of a letter's picture, the SVG of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Final

import msgspec
from jinja2.environment import TemplateModule
from markupsafe import Markup

from engine.kit import scene as kit
from engine.kit.selection import touched_through
from engine.kit.shapes import Rect, Shape, box_of
from service.render.pictures.cells import STYLE
from service.render.pictures.maps import Drawer, bar, is_map
from service.render.pictures.themes import Theme
from service.render.templating import environment

KEPT_MARKUP: Final = 4096
"""Cells whose markup is kept for pages."""

KEPT_LAYERS: Final = 32
"""Layers of maps whose markup is kept."""


class Touchable(msgspec.Struct, frozen=True, kw_only=True):
    """A link on the picture of a board. `ghost` is what waits there for another touch, `mark` the
    points that the place brings and `gain` their kind; what is `barred` cannot be used,
    and says why. `name` is the thing that is touched; on the picture it is set by where the link
    lies.
    """

    href: str
    label: str
    lit: bool
    chosen: bool = False
    ghost: str | None = None
    mark: str = ""
    gain: str = ""
    barred: bool = False
    name: str = ""


def svg_of(
    scene: kit.Scene,
    looks: TemplateModule,
    colours: Mapping[str, str],
    lang: str,
    *,
    alt: str = "",
    symbols: Markup | str = "",
    spots: Mapping[str, Touchable] | None = None,
    part: int = 0,
) -> Markup:
    """A scene for a page. `spots` are links on its places by their names. `part` numbers what is
    one of several.
    """

    def ghost(name: str, shape: Shape) -> Markup:
        drawn: Callable[..., str] = getattr(looks, "ghost")  # noqa: B009 - a template's
        return Markup(drawn(name, *_room(shape)))  # noqa: S704

    def gain(kind: str) -> Markup:
        drawn: Callable[..., str] = getattr(looks, "gain")  # noqa: B009 - a template's
        return Markup(drawn(kind))  # noqa: S704

    drawer = Drawer(looks, lang, Theme.PAGE)
    template = environment(lang).get_template("boards/kit/scene.svg")
    below = tuple(layer for layer in scene.layers if not layer.over)
    under = msgspec.structs.replace(scene, layers=below)
    return Markup(  # noqa: S704 - an escaping template's
        template.render(
            scene=scene,
            style=STYLE,
            layers=_layers(under, looks, colours, drawer),
            over=[_layer(each, looks, colours, drawer) for each in scene.layers if each.over],
            alt=alt,
            symbols=symbols,
            spots=list(_touched(scene, spots or {})),
            part=part,
            map=is_map(scene),
            ghost=ghost,
            gain=gain,
        ).strip()
    )


def _room(shape: Shape) -> tuple[float, float, float, float]:
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.width, shape.height
    box = box_of(shape.corners)
    return box.left, box.top, box.width, box.height


def _touched(
    scene: kit.Scene, spots: Mapping[str, Touchable]
) -> Iterator[tuple[kit.Place, Touchable]]:
    """The places that are touched, in the order of the scene, each with its link."""
    if not spots:
        return
    for place in scene.places:
        name = touched_through(place, spots)
        if name in spots:
            yield place, msgspec.structs.replace(spots[name], name=name)


def _layers(
    scene: kit.Scene, looks: TemplateModule, colours: Mapping[str, str], drawer: Drawer
) -> list[Markup]:
    """The layers as they are drawn. Over the ground of cells lies dusk, which the style sheet shows
    by night; a map has colours of its own then.
    """
    if is_map(scene):
        return [
            _ground(layer, looks, drawer.lang)
            if layer.kept
            else _layer(layer, looks, colours, drawer)
            for layer in scene.layers
        ]
    drawn = [_layer(layer, looks, colours, drawer) for layer in scene.layers]
    ground = sum(layer.kept for layer in scene.layers)
    dusk = (
        f'<rect class="dusk" y="{scene.top}" width="{scene.width}" height="{scene.height}"'
        ' fill="none"/>'
    )
    drawn.insert(ground, Markup(dusk))  # noqa: S704 - numbers
    return drawn


@lru_cache(maxsize=KEPT_LAYERS)
def _ground(layer: kit.Layer, looks: TemplateModule, lang: str) -> Markup:
    """A layer of a map that is the same for a whole match."""
    drawer = Drawer(looks, lang, Theme.PAGE)
    return _layer(layer, looks, drawer.colours, drawer)


def _layer(
    layer: kit.Layer, looks: TemplateModule, colours: Mapping[str, str], drawer: Drawer
) -> Markup:
    return drawer.grouped(layer, "".join(_drawn(layer, looks, colours, drawer)))


def _drawn(
    layer: kit.Layer, looks: TemplateModule, colours: Mapping[str, str], drawer: Drawer
) -> Iterator[str]:
    for beside, items in groupby(layer.items, key=_row):
        if beside is not None:
            yield _cells(list(items), looks)  # type: ignore[arg-type]
            continue
        for item in items:
            yield bar(item, colours) if isinstance(item, kit.Bar) else drawer.item(item)


def _row(item: kit.Item) -> tuple[int, int, int, str] | None:
    """What cells have in common that may go into a page as one element: phones read pages."""
    if not isinstance(item, kit.Cell):
        return None
    return (item.y, item.width, item.height, item.look)


def _cells(cells: list[kit.Cell], looks: TemplateModule) -> str:
    """Cells of one look in a row, as nested svg elements: one as long as they lie side by side."""
    found, run = [], [cells[0]]
    for cell in cells[1:]:
        if cell.tight and cell.x == run[-1].x + run[-1].width:
            run.append(cell)
        else:
            found.append(_element(run, looks))
            run = [cell]
    return "".join((*found, _element(run, looks)))


def _element(cells: list[kit.Cell], looks: TemplateModule) -> str:
    first = cells[0]
    markup = [_markup(getattr(looks, cell.look), cell.arguments) for cell in cells]
    inside = (
        markup[0]
        if len(cells) == 1
        else "".join(
            f'<g transform="translate({number * first.width} 0)">{each}</g>'
            for number, each in enumerate(markup)
        )
    )
    return (
        f'<svg x="{first.x}" y="{first.y}" width="{len(cells) * first.width}"'
        f' height="{first.height}" aria-hidden="true">{inside}</svg>'
    )


@lru_cache(maxsize=KEPT_MARKUP)
def _markup(macro: Callable[..., str], arguments: tuple[kit.Argument, ...]) -> str:
    return str(macro(*arguments))
