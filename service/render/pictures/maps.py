"""From a scene with layers to pixels: what is kept is drawn once, things are put over it.

Things are drawn with soft edges on nothing, once, and kept as sprites; a picture is the kept map
with its sprites laid on it, and then in the colours of its theme.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Final, Generic, NamedTuple, TypeVar

from jinja2.environment import TemplateModule
from markupsafe import Markup
from msgspec.structs import replace
from PIL import Image

from engine.kit.layout import width_of
from engine.kit.scene import (
    SEATS,
    Arrow,
    Backdrop,
    Card,
    Edge,
    Form,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    Scene,
    Token,
)
from engine.kit.scene import Bar as SceneBar
from engine.kit.scene import Cell as SceneCell
from engine.kit.scene import Place as ScenePlace
from engine.kit.shapes import Box, Hex, Point, Rect, box_of
from service.render.pen import bowed, cut
from service.render.pictures import fonts
from service.render.pictures.cells import STYLE
from service.render.pictures.drawing import SCALE, kept, rasterise
from service.render.pictures.store import key_of
from service.render.pictures.themes import Colours, Theme, colours_of
from service.render.templating import environment

KEPT_MAPS: Final = 16 << 20
KEPT_SPRITES: Final = 8 << 20
"""Bytes of pixels kept by a process."""

KEPT_ITEMS: Final = 4096
"""Things whose sprites are known without a look at them."""

KEPT_GROUNDS: Final = 32
"""Layers, some together, whose key is known without a look at what is in them."""

_ZERO: Final = Point(0, 0)

CUT: Final = (10, 21)
"""Units that an arrow begins behind its first point and its head before the last (items.svg)."""

CUT_SHORT: Final = (9, 13)
"""The same of one that is suggested."""

_HEAD: Final = 14
"""Units that the head of an arrow reaches beyond its line."""

_AROUND: Final = 9
"""Units that lines, marks and their casings reach beyond the points they are given by."""

K = TypeVar("K")


class Drawn(NamedTuple):
    """Pixels without the empty ones around, and where they begin in the box of what is drawn."""

    image: Image.Image
    left: int = 0
    top: int = 0


class _Kept(Generic[K]):
    """What was drawn, by key, those not used for longest go first. Safe to be shared by threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._drawn: OrderedDict[K, Drawn] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> Drawn | None:
        with self._lock:
            found = self._drawn.get(key)
            if found is not None:
                self._drawn.move_to_end(key)
            return found

    def put(self, key: K, drawn: Drawn) -> None:
        with self._lock:
            if key not in self._drawn:
                self._bytes += _size(drawn.image)
            self._drawn[key] = drawn
            while self._bytes > self._most and len(self._drawn) > 1:
                _, gone = self._drawn.popitem(last=False)
                self._bytes -= _size(gone.image)


def _size(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())


class Sprite(NamedTuple):
    """A thing as it is drawn by itself: `item` about (0, 0) or where it lies, the box around it in
    whole units, and how much of what is below shows through.
    """

    item: Item
    left: int
    top: int
    width: int
    height: int
    opacity: float


class Drawer:
    """Draws the scenes of one game in one theme and language, with its own `looks`."""

    def __init__(
        self, looks: TemplateModule | None, lang: str, theme: Theme, folder: Path | None = None
    ) -> None:
        self.theme = theme
        self._looks = looks
        self.lang = lang
        self._folder = folder
        self._maps: _Kept[bytes] = _Kept(KEPT_MAPS)
        self._sprites: _Kept[Sprite] = _Kept(KEPT_SPRITES)

    @property
    def colours(self) -> Colours:
        return colours_of(self.theme)

    def image(self, scene: Scene) -> Image.Image:
        """The pixels of a scene, `SCALE` to a unit, as RGB."""
        left, top, right, low = self._seen(scene)
        ground = self._map(scene)
        picture = ground.crop((left, top, right, low))
        for beside in ((ground.width - left, 0), (0, ground.height - top)):
            if beside[0] < picture.width and beside[1] < picture.height:
                picture.paste(self.colours["paper"], (*beside, *picture.size))
        placed = [
            (x - left, y - top, sprite)
            for layer in scene.layers
            if not layer.kept
            for item in layer.items
            for x, y, sprite in sprites(item, layer.opacity)
            if x < right and y < low
            if x + sprite.width * SCALE > left and y + sprite.height * SCALE > top
        ]
        for x, y, sprite in placed:
            if isinstance(sprite.item, SceneBar | Backdrop) and _is_plain(sprite.item):
                self._fill(picture, x, y, sprite, sprite.item.colour)
                continue
            drawn = self.sprite(sprite)
            picture.paste(drawn.image, (x + drawn.left, y + drawn.top), drawn.image)
        return picture

    def _seen(self, scene: Scene) -> tuple[int, int, int, int]:
        """The edges of what is shown of a scene, in pixels."""
        seen = scene.window or Rect(0, 0, scene.width, scene.height)
        left, top = round(SCALE * seen.x), round(SCALE * seen.y)
        return left, top, left + round(SCALE * seen.width), top + round(SCALE * seen.height)

    def grouped(self, layer: Layer, drawn: str) -> Markup:
        """A layer of which everything is drawn, with what grows on its places, as one. The words on
        a map say nothing by themselves: the picture's description does.
        """
        grown = self._macro("texture")
        drawn += "".join(
            grown(item) for item in layer.items if isinstance(item, ScenePlace) and item.texture
        )
        if not all(isinstance(item, SceneBar | SceneCell | ScenePlace) for item in layer.items):
            drawn = f'<g aria-hidden="true">{drawn}</g>'
        if layer.opacity < 1:
            drawn = f'<g opacity="{layer.opacity}">{drawn}</g>'
        return Markup(drawn)  # noqa: S704 - of escaping templates

    def item(self, item: Item) -> str:
        """One thing as SVG."""
        if isinstance(item, SceneBar):
            return bar(item, self.colours)
        macro = self._macro(type(item).__name__.lower())
        return str(macro(item, self.colours, self._looks, SEATS))

    @cached_property
    def defs(self) -> Markup:
        """The patterns that the markup refers to."""
        module = environment(self.lang).get_template("boards/kit/seats.svg").module
        drawn: Callable[..., str] = getattr(module, "defs")  # noqa: B009 - a template's
        return Markup(drawn(SEATS, self.colours))  # noqa: S704

    def _macro(self, name: str) -> Callable[..., str]:
        module = environment(self.lang).get_template("boards/kit/items.svg").module
        found: Callable[..., str] = getattr(module, name)
        return found

    def _map(self, scene: Scene) -> Image.Image:
        """The pixels of what is kept of a scene, as far as that reaches: the same for scenes that
        differ in what lies beside it.
        """
        layers = tuple(layer for layer in scene.layers if layer.kept)
        key, width, height = _ground_of(_Same(layers), scene.width, scene.height)
        found = self._maps.get(key)
        if found is None:
            drawn = [
                self.grouped(layer, "".join(self.item(item) for item in layer.items))
                for layer in layers
            ]
            found = Drawn(self._pixels(self._svg("".join(drawn), width, height), width, height))
            self._maps.put(key, found)
        return found.image

    def _pixels(self, svg: str, width: int, height: int) -> Image.Image:
        def drawn() -> Image.Image:
            ground = Image.new("RGB", (width * SCALE, height * SCALE), self.colours["paper"])
            image = rasterise(svg, None)
            ground.paste(image, (0, 0), image)
            return ground

        return self._kept(svg, "RGB", width, height, drawn)

    def _kept(
        self, svg: str, mode: str, width: int, height: int, draw: Callable[[], Image.Image]
    ) -> Image.Image:
        """What is drawn of an SVG, kept for other processes."""
        if self._folder is None:
            return draw()
        return kept(self._folder, (svg,), mode, (width * SCALE, height * SCALE), draw)

    def _drawn(self, sprite: Sprite) -> Drawn:
        drawn = self.item(sprite.item)
        moved = f'<g transform="translate({-sprite.left} {-sprite.top})">{drawn}</g>'
        svg = self._svg(moved, sprite.width, sprite.height)
        if _is_common(sprite.item):
            draw = partial(rasterise, svg, None)
            image = self._kept(svg, "RGBA", sprite.width, sprite.height, draw)
        else:
            image = rasterise(svg, None)
        if sprite.opacity < 1:
            image.putalpha(image.getchannel("A").point(lambda alpha: alpha * sprite.opacity))
        inked = image.getchannel("A").getbbox() or (0, 0, 1, 1)
        return Drawn(image.crop(inked), *inked[:2])

    def _fill(self, picture: Image.Image, x: int, y: int, sprite: Sprite, colour: str) -> None:
        """Lay a plain rectangle on a picture: the renderer would take longer over it than over all
        that lies on it.
        """
        size = (sprite.width * SCALE, sprite.height * SCALE)
        shade = Image.new("L", size, round(255 * sprite.opacity)) if sprite.opacity < 1 else None
        picture.paste(self.colours[colour], (x, y, x + size[0], y + size[1]), shade)

    def sprite(self, sprite: Sprite) -> Drawn:
        """A thing by itself, on nothing."""
        found = self._sprites.get(sprite)
        if found is None:
            found = self._drawn(sprite)
            self._sprites.put(sprite, found)
        return found

    def _svg(self, inside: str, width: int, height: int) -> str:
        style = " ".join(f'{name}="{value}"' for name, value in STYLE)
        # Reading them takes an eighth of what it takes to draw a small thing.
        defs = f"<defs>{self.defs}</defs>" if "#k-" in inside else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>'
            f"{defs}{inside}</svg>"
        )


class _Same:
    """Layers that are equal to none but themselves: they are known without a look at what is in
    them, some hundreds of things.
    """

    def __init__(self, layers: tuple[Layer, ...]) -> None:
        self.layers = layers
        self._things = tuple(map(id, layers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._things == other._things

    def __hash__(self) -> int:
        return hash(self._things)


@lru_cache(maxsize=KEPT_GROUNDS)
def _ground_of(kept: _Same, width: int, height: int) -> tuple[bytes, int, int]:
    """The key of these layers in a scene so large, and the width and height of what they take up
    of it.
    """
    items = (item for layer in kept.layers for item in layer.items)
    boxes = [item.box for item in items if isinstance(item, Backdrop)]
    if boxes:
        width = min(width, int(max(box.right for box in boxes)) + _AROUND)
        height = min(height, int(max(box.bottom for box in boxes)) + _AROUND)
    return key_of(width, height, kept.layers), width, height


def bar(item: SceneBar, colours: Colours) -> str:
    """A plain rectangle as SVG."""
    return (
        f'<rect x="{item.x}" y="{item.y}" width="{item.width}" height="{item.height}"'
        f' fill="{colours[item.colour]}"/>'
    )


def is_map(scene: Scene) -> bool:
    """True if a scene has more to be drawn than cells."""
    return any(
        not isinstance(item, SceneBar | SceneCell)
        and not (isinstance(item, ScenePlace) and not item.ground)
        for item in scene.items
    )


def known_of(scene: Scene) -> Scene | tuple[bytes, Scene]:
    """All that tells a scene, short: of what is kept of it the key."""
    kept = tuple(layer for layer in scene.layers if layer.kept)
    if not kept:
        return scene
    above = tuple(layer for layer in scene.layers if not layer.kept)
    return _ground_of(_Same(kept), scene.width, scene.height)[0], replace(scene, layers=above)


def _is_common(item: Item) -> bool:
    """True for what is drawn in many matches, and has no words of people."""
    return isinstance(item, Token) or (isinstance(item, Label) and item.kind is LabelKind.PLATE)


def _is_plain(item: Item) -> bool:
    return isinstance(item, SceneBar) or (isinstance(item, Backdrop) and not item.land)


@lru_cache(maxsize=KEPT_ITEMS)
def sprites(item: Item, opacity: float) -> Sequence[tuple[int, int, Sprite]]:
    """The sprite of a thing, and where in the picture it is laid, in pixels; none of what is not
    drawn.
    """
    if isinstance(item, ScenePlace) and not item.ground:
        return ()
    item, at = _about_zero(item)
    x, y = round(at.x * SCALE), round(at.y * SCALE)
    box = _box(item)
    left, top = int(box.left // 1), int(box.top // 1)
    width, height = int(-(-box.right // 1)) - left, int(-(-box.bottom // 1)) - top
    sprite = Sprite(item, left, top, width, height, opacity)
    return ((x + left * SCALE, y + top * SCALE, sprite),)


def _about_zero(item: Item) -> tuple[Item, Point]:
    """A thing that is drawn the same wherever it lies, as it is drawn about (0, 0), and where it
    lies: it is put on whole pixels. Others as they are.
    """
    match item:
        case Token(at=at):
            return replace(item, at=_ZERO, place="", total=""), at
        case Label(at=at) | Card(at=at):
            return replace(item, at=_ZERO), at
        case Mark() if item.radius:
            return replace(item, shape=Hex(0, 0, 0)), item.shape.middle
        case Mark(shape=Hex() as shape):
            return replace(item, shape=Hex(0, 0, round(shape.size, 2))), shape.middle
        case Mark(shape=Rect() as shape):
            return replace(item, shape=replace(shape, x=0, y=0)), Point(shape.x, shape.y)
        case Arrow(points=(at, *_)):
            points = (Point(round(x - at.x, 1), round(y - at.y, 1)) for x, y in item.points)
            return replace(item, points=tuple(points)), at
    return item, _ZERO


def _box(item: Item) -> Box:
    """All that the drawing of a thing covers."""
    match item:
        case Token(form=Form.CHIP | Form.BADGE):
            half = width_of(item) / 2 + 4 * item.size
            return Box(-half, -11 * item.size, half, 10 * item.size)
        case Token():
            half = max(width_of(item) / 2, 24 * item.size) + 4
            return Box(-half, -30 * item.size - 2, half, 22 * item.size + 2)
        case Card():
            return Box(-8, -8, item.width + 8, item.height + 8)
        case Label(kind=LabelKind.PLATE):
            return Box(-item.width / 2, -item.size, item.width / 2, item.size).grown(2)
        case Label():
            # What is called is as long as its game takes it to be; it may have three lines.
            lines = ["", "", ""] if item.called else item.text.split("\n")
            long = max(fonts.width_of(line) for line in lines) * item.size
            long = max(long, item.width) + 2 * _AROUND
            left = -2 if item.kind in (LabelKind.TITLE, LabelKind.QUIET) else -0.7 * long
            high = item.size * (0.5 * len(lines) + 0.5)
            return Box(left, -high, left + (long if left == -2 else 1.4 * long), high)
        case Arrow():
            straight = cut(bowed(item.points, 0), *CUT_SHORT)
            line = straight if item.suggested else cut(bowed(item.points), *CUT)
            return box_of(Point(*at) for at in line).grown(_HEAD)
        case Edge():
            across = max(item.box.width, item.box.height)
            return item.box.grown(_AROUND + 0.16 * across)
        case Backdrop(land=()):
            return item.box
        case SceneBar() | SceneCell():
            return Box(item.x, item.y, item.x + item.width, item.y + item.height)
        case _:
            return item.box.grown(_AROUND)
