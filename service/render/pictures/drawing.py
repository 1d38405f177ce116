"""From cells to pixels: cells are drawn once, kept, and put together.

Pixels are kept as a PNG has them, several to a byte: as `SCALE` pixels and the bits of one make up
whole bytes for every unit, a cell can be put anywhere by copying bytes.
"""

from __future__ import annotations

import io
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from math import isqrt
from pathlib import Path
from threading import Lock, local
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import resvg
from PIL import Image, ImageColor

from service.render.compiled import keep
from service.render.pictures.cells import STYLE, Cell, Frame, Placed
from service.render.pictures.fonts import FAMILY, FILES
from service.render.pictures.palette import MOST, Palette, fitted

SCALE: Final = 2
"""Pixels for each unit of a picture, in both directions: sharp on a doubled screen."""

KEPT_BYTES: Final = 12 << 20
"""Pixels of cells of one game kept by a process; those not used for longest go first."""

GAP: Final = 1
"""Units between cells that are drawn at once, so that no soft edge reaches into the next one."""

_FILTER: Final = 1
"""Bytes before each row of a PNG: they say how it is written. Zero: as it is (RFC 2083, 6)."""


_DRAWN_BY: Final = (version("resvg"), version("pillow"), str(SCALE))
_DIGEST: Final = sha256().digest_size


class _Placed(NamedTuple):
    x: int
    y: int
    cell: Cell
    markup: str


class CellStore:
    """Drawn cells of one game, which refer to its `symbols`. Safe to be shared by threads."""

    @classmethod
    def fitted(
        cls,
        symbols: str,
        frame: Frame,
        cells: Iterable[Cell],
        named: Sequence[str],
        folder: Path | None = None,
    ) -> CellStore:
        """A store whose palette is that of these cells, which are drawn, and of the colours `named`
        ("#RRGGBB"). What every process draws is kept in `folder` for the next one.
        """
        sheet = Sheet({cell: str(cell.markup()) for cell in cells}, frame, symbols)
        store = cls(symbols, sheet.palette(named, folder))
        store._ground = frame.ground
        store._keep(sheet.cells, sheet.cut(store.palette, folder))
        return store

    def __init__(self, symbols: str, palette: Palette, kept_bytes: int = KEPT_BYTES) -> None:
        self.palette = palette
        self._symbols = symbols
        self._kept_bytes = kept_bytes
        self._bytes = 0
        self._ground = ""
        self._drawn: OrderedDict[Cell, Image.Image] = OrderedDict()
        # Cells of different languages that look the same share their pixels.
        self._looks: WeakValueDictionary[tuple[int, int, str], Image.Image] = WeakValueDictionary()
        self._sharing: Counter[int] = Counter()
        self._lock = Lock()

    def drawn(
        self, frame: Frame, cells: Iterable[Cell], folder: Path | None = None
    ) -> dict[Cell, Image.Image]:
        """The pixels of cells in a frame. What every process draws is kept in `folder` for the next
        one. Raises ValueError for a frame on another ground.
        """
        found: dict[Cell, Image.Image] = {}
        missing: dict[Cell, str] = {}
        with self._lock:
            self._ground = self._ground or frame.ground
            if self._ground != frame.ground:
                raise ValueError("the pictures of a game differ in their ground")
            for cell in cells:
                if cell in found:
                    continue
                image = self._drawn.get(cell)
                if image is None:
                    missing[cell] = ""
                else:
                    self._drawn.move_to_end(cell)
                    found[cell] = image
        if missing:
            found |= self._draw(frame, missing, folder)
        return found

    def _draw(
        self, frame: Frame, missing: Iterable[Cell], folder: Path | None = None
    ) -> dict[Cell, Image.Image]:
        markup = {cell: str(cell.markup()) for cell in missing}
        known = {cell: self._looks.get((*cell[:2], markup[cell])) for cell in markup}
        found = {cell: image for cell, image in known.items() if image is not None}
        new = {cell: markup[cell] for cell, image in known.items() if image is None}
        if new:
            found |= Sheet(new, frame, self._symbols).cut(self.palette, folder)
        self._keep(markup, found)
        return found

    def _keep(self, markup: Mapping[Cell, str], found: Mapping[Cell, Image.Image]) -> None:
        with self._lock:
            for cell, image in found.items():
                if cell in self._drawn:
                    continue
                self._drawn[cell] = image
                self._looks[(*cell[:2], markup[cell])] = image
                self._sharing[id(image)] += 1
                if self._sharing[id(image)] == 1:
                    self._bytes += image.width * image.height
            while self._bytes > self._kept_bytes:
                _, gone = self._drawn.popitem(last=False)
                self._sharing[id(gone)] -= 1
                if not self._sharing[id(gone)]:
                    del self._sharing[id(gone)]
                    self._bytes -= gone.width * gone.height


def compose(frame: Frame, placed: Collection[Placed], store: CellStore) -> bytes:
    """The rows of a picture as a PNG has them, each with its first byte."""
    unit = store.palette.bytes_for(SCALE)
    drawn = store.drawn(frame, (cell for _, _, cell in placed))
    size = (frame.width * unit + _FILTER, frame.height * SCALE)
    canvas = Image.new("L", size, store.palette.byte_of(frame.ground))
    canvas.paste(0, (0, 0, _FILTER, size[1]))
    for x, y, width, height, colour in frame.rects:
        left, right = x * unit + _FILTER, (x + width) * unit + _FILTER
        box = (left, y * SCALE, right, (y + height) * SCALE)
        canvas.paste(store.palette.byte_of(colour), box)
    for x, y, cell in placed:
        canvas.paste(drawn[cell], (x * unit + _FILTER, y * SCALE))
    return canvas.tobytes()


class Sheet:
    """Cells side by side, given with their markup, drawn at once on a frame's ground.

    They are not clipped, which takes as long as all else: what overflows a cell is beside it.
    """

    def __init__(self, cells: Mapping[Cell, str], frame: Frame, symbols: str) -> None:
        self.cells = cells
        self._ground = frame.ground
        self._shelves, self._width, self._height = _lay_out(cells)
        style = " ".join(f"{name}={_quoted(value)}" for name, value in STYLE)
        inside = "".join(
            f'<svg overflow="visible" x="{x}" y="{y}" width="{cell.width}" height="{cell.height}">'
            f"{markup}</svg>"
            for x, y, cell, markup in self._shelves
        )
        self._svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self._width}"'
            f' height="{self._height}" {style}><defs>{symbols}</defs>{inside}</svg>'
        )

    @cached_property
    def _pixels(self) -> Image.Image:
        return rasterise(self._svg, self._ground)

    def palette(self, named: Sequence[str], folder: Path | None = None) -> Palette:
        """The palette of what the cells show, and of the colours `named`. It is looked for in
        `folder`, and kept there.
        """
        size = (MOST * len("RGB"), 1)

        def found() -> Image.Image:
            rgb = fitted(self._pixels, named).rgb
            # What is left over repeats the first colour.
            return Image.frombytes("L", size, rgb + rgb[:3] * (MOST - len(rgb) // 3))

        told = (self._svg, self._ground, *named, "palette")
        raw = (found() if folder is None else kept(folder, told, "L", size, found)).tobytes()
        colours = (raw[at : at + 3].hex().upper() for at in range(0, len(raw), 3))
        return Palette([f"#{colour}" for colour in dict.fromkeys(colours)])

    def cut(self, palette: Palette, folder: Path | None = None) -> dict[Cell, Image.Image]:
        """The pixels of each cell. The sheet is looked for in `folder`, and kept there."""
        unit = palette.bytes_for(SCALE)
        size = (self._width * unit, self._height * SCALE)

        def found() -> Image.Image:
            return palette.packed(self._pixels)

        told = (self._svg, self._ground, *palette.colours)
        sheet = found() if folder is None else kept(folder, told, "L", size, found)
        return {
            cell: sheet.crop(
                (x * unit, y * SCALE, (x + cell.width) * unit, (y + cell.height) * SCALE)
            )
            for x, y, cell, _ in self._shelves
        }


def kept(
    folder: Path,
    told: Iterable[str],
    mode: str,
    size: tuple[int, int],
    draw: Callable[[], Image.Image],
) -> Image.Image:
    """Pixels as they were drawn before, or drawn and kept. The file's name tells all that they
    depend on, which is what is `told`; it holds them behind their SHA-256, so that a damaged one is
    drawn again.
    """
    look = sha256("\0".join((*told, *_DRAWN_BY, *_typefaces())).encode())
    path = folder / look.hexdigest()
    with suppress(OSError, zlib.error):
        raw = path.read_bytes()
        pixels = zlib.decompress(raw[_DIGEST:])
        if sha256(pixels).digest() == raw[:_DIGEST]:
            return Image.frombytes(mode, size, pixels)
    sheet = draw()
    pixels = sheet.tobytes()
    keep(path, sha256(pixels).digest() + zlib.compress(pixels))
    return sheet


@cache
def _typefaces() -> tuple[str, ...]:
    return tuple(sha256(Path(font).read_bytes()).hexdigest() for font in FILES)


def rasterise(svg: str, ground: str | None, scale: int = SCALE) -> Image.Image:
    """Draw an SVG in our own typeface with soft edges: on a ground as RGB, on none as RGBA. Raises
    ValueError for one that is malformed.
    """
    colour = ImageColor.getcolor(ground, "RGBA") if ground else None
    try:
        tree = resvg.usvg.Tree.from_str(svg, _options())
        width, height = tree.int_size()
        png = resvg.render(
            tree,
            (scale, 0, 0, 0, scale, 0),
            bg_size=(width * scale, height * scale),
            bg_color=colour,  # type: ignore[arg-type]  # four parts of a colour
        )
    except BaseException as error:
        # What its language calls a panic is no Exception, and would end a worker.
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"an SVG that cannot be drawn: {error}") from error
    return Image.open(io.BytesIO(png)).convert("RGB" if ground else "RGBA")


_of_thread = local()


def _options() -> resvg.usvg.Options:
    """The typefaces, read once for each thread: the renderer's objects keep to theirs."""
    found: resvg.usvg.Options | None = getattr(_of_thread, "options", None)
    if found is None:
        found = _of_thread.options = resvg.usvg.Options.default()
        for path in FILES:
            found.load_font_file(path)
        found.font_family = FAMILY
    return found


def _lay_out(cells: Mapping[Cell, str]) -> tuple[list[_Placed], int, int]:
    """Cells in rows, high ones first, with the width and height of the whole.

    The sheet is about square: what is drawn costs less than the empty space beside it.
    """
    ordered = sorted(cells, key=lambda cell: (-cell.height, -cell.width))
    area = sum(cell.width * cell.height for cell in ordered)
    width = max(isqrt(area), *(cell.width for cell in ordered))
    placed = []
    x = y = row = 0
    for cell in ordered:
        if x + cell.width > width:
            x, y, row = 0, y + row, 0
        placed.append(_Placed(x, y, cell, cells[cell]))
        x += cell.width + GAP
        row = max(row, cell.height + GAP)
    return placed, width, y + row


def _quoted(value: str) -> str:
    escaped = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'"{escaped}"'
