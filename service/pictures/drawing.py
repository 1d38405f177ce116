"""From the parts of a picture to its pixels: cells are drawn once, kept, and put together."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final, NamedTuple

import resvg_py
from PIL import Image

from service.pictures.cells import Cell, Picture
from service.pictures.fonts import FAMILY, FILES
from service.pictures.palette import Palette

SCALE: Final = 2
"""Pixels for each unit of a picture, in both directions: sharp on a doubled screen."""

KEPT_BYTES: Final = 8 << 20
"""Pixels of cells kept by a process: the cells of some games; those not used for longest go first."""

_SHEET_WIDTH: Final = 512
"""Units. Cells to be drawn are laid out in rows on one sheet: drawing has a price per sheet."""


class _Shelf(NamedTuple):
    x: int
    y: int
    cell: Cell


class CellStore:
    """Drawn cells of one game. Safe to be shared by threads."""

    def __init__(self, palette: Palette, kept_bytes: int = KEPT_BYTES) -> None:
        self._palette = palette
        self._kept_bytes = kept_bytes
        self._bytes = 0
        self._cells: OrderedDict[tuple[object, ...], Image.Image] = OrderedDict()
        self._lock = Lock()

    def drawn(self, picture: Picture) -> dict[Cell, Image.Image]:
        """The cells of a picture as images of colour numbers."""
        setting = (picture.ground, tuple(picture.style.items()), hash(picture.symbols))
        found: dict[Cell, Image.Image] = {}
        missing: dict[Cell, None] = {}
        with self._lock:
            for placed in picture.placed:
                cell = placed.what
                if isinstance(cell, str) or cell in found:
                    continue
                image = self._cells.get((setting, cell))
                if image is None:
                    missing[cell] = None
                else:
                    self._cells.move_to_end((setting, cell))
                    found[cell] = image
        if missing:
            new = _draw(picture, missing, self._palette)
            with self._lock:
                for cell, image in new.items():
                    self._keep((setting, cell), image)
            found |= new
        return found

    def _keep(self, key: tuple[object, ...], image: Image.Image) -> None:
        if key not in self._cells:
            self._bytes += image.width * image.height
        self._cells[key] = image
        while self._bytes > self._kept_bytes:
            _, gone = self._cells.popitem(last=False)
            self._bytes -= gone.width * gone.height


def compose(picture: Picture, palette: Palette, store: CellStore) -> Image.Image:
    """The colour numbers (mode L) of the pixels of a picture.

    To the left are as many columns of zeros as make a byte: the byte that begins every row of a
    PNG, where zero means that the row is written as it is.
    """
    margin = 8 // palette.depth
    size = (picture.width * SCALE + margin, picture.height * SCALE)
    canvas = Image.new("L", size, palette.number(picture.ground))
    canvas.paste(0, (0, 0, margin, size[1]))
    drawn = store.drawn(picture)
    for x, y, width, height, what in picture.placed:
        left, top = x * SCALE + margin, y * SCALE
        if isinstance(what, str):
            box = (left, top, left + width * SCALE, top + height * SCALE)
            canvas.paste(palette.number(what), box)
        else:
            canvas.paste(drawn[what], (left, top))
    return canvas


def _draw(picture: Picture, cells: Iterable[Cell], palette: Palette) -> dict[Cell, Image.Image]:
    """Draw cells on one sheet and cut it up."""
    shelves, width, height = _lay_out(cells)
    style = " ".join(f"{name}={_quoted(value)}" for name, value in picture.style.items())
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>'
        f"<defs>{picture.symbols.decode()}</defs>"
    ]
    for x, y, cell in shelves:
        box = f" viewBox={_quoted(cell.view_box)}" if cell.view_box else ""
        svg.append(
            f'<svg x="{x}" y="{y}" width="{cell.width}" height="{cell.height}"{box}>'
            f"{cell.markup.decode()}</svg>"
        )
    svg.append("</svg>")
    sheet = palette.numbers(rasterise("".join(svg), picture.ground))
    return {
        cell: sheet.crop(
            (x * SCALE, y * SCALE, (x + cell.width) * SCALE, (y + cell.height) * SCALE)
        )
        for x, y, cell in shelves
    }


def rasterise(svg: str, ground: str) -> Image.Image:
    """Draw an SVG without soft edges, on a ground, in our own typeface, as RGB."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        background=ground,
        zoom=SCALE,
        skip_system_fonts=True,
        font_files=list(FILES),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        shape_rendering="crisp_edges",
        text_rendering="optimize_speed",
    )
    return Image.open(io.BytesIO(png)).convert("RGB")


def _lay_out(cells: Iterable[Cell]) -> tuple[list[_Shelf], int, int]:
    """Cells in rows, high ones first, with the width and height of the whole."""
    ordered = sorted(cells, key=lambda cell: (-cell.height, -cell.width))
    width = max(_SHEET_WIDTH, *(cell.width for cell in ordered))
    shelves = []
    x = y = row = 0
    for cell in ordered:
        if x + cell.width > width:
            x, y, row = 0, y + row, 0
        shelves.append(_Shelf(x, y, cell))
        x += cell.width
        row = max(row, cell.height)
    return shelves, width, y + row


def _quoted(value: str) -> str:
    escaped = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'"{escaped}"'
