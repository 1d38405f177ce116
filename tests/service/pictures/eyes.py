"""How pictures look to eyes that see no colour, or not all of them.

    python -m tests.service.pictures.eyes OUT.png

writes the icons at 24 pixels, in the picture of a letter and small, as each kind of eye sees them.
"""

from __future__ import annotations

import sys
from functools import cache
from math import dist

from PIL import Image

from service.render.pictures import symbols
from service.render.pictures.drawing import rasterise
from service.render.templating import environment
from tests.service.pictures.positions import GAME

SCENES = ("feast", "picking", "ritual", "fight", "water", "camp", "hunt", "fire")
ICON, SMALL = (24, 1), (13, 2)
"""Sizes and fineness in which scenes are seen: on a big board at their plainest, on a small one as
a letter has it, for there they are laid stone by stone.
"""

EYES: dict[str, tuple[float, ...]] = {
    "usual": (1, 0, 0, 0, 1, 0, 0, 0, 1),
    "grey": (0.2126, 0.7152, 0.0722) * 3,
    "protanopia": (
        *(0.152286, 1.052583, -0.204868),
        *(0.114503, 0.786281, 0.099216),
        *(-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        *(0.367322, 0.860646, -0.227968),
        *(0.280085, 0.672501, 0.047413),
        *(-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        *(1.255528, -0.076749, -0.178779),
        *(-0.078411, 0.930809, 0.147602),
        *(0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of colours, on linear light: Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1; of grey,
luminance (BT.709).
"""

_LINEAR = tuple(
    value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4
    for value in range(256)
)
"""Light of a value of sRGB (IEC 61966-2-1)."""

Light = tuple[float, float, float]
Pixel = tuple[int, int, int]


@cache
def icon(scene: str, size: int, zoom: int) -> Image.Image:
    """A scene on its field."""
    fields = environment("en").get_template(f"boards/{GAME}/layout.svg").module.FIELD  # type: ignore[attr-defined]
    name = scene if size > 16 else f"{scene}-small"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{symbols(GAME)}'
        f'<use href="#s-{name}" width="{size}" height="{size}"/></svg>'
    )
    return rasterise(svg, fields[scene], zoom)


@cache
def token(scene: str, size: int) -> Image.Image:
    """A mountain token on the dark of a cave, as small as boards have it, two pixels a unit."""
    parts = environment("en").get_template(f"boards/{GAME}/parts.svg").module
    drawn = parts.mountain_token(scene, size)  # type: ignore[attr-defined]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{symbols(GAME)}'
        f"{drawn}</svg>"
    )
    return rasterise(svg, "#2B1D15")


@cache
def seen(pixel: Pixel, eye: str) -> Light:
    """The light of a pixel that reaches an eye."""
    light = [_LINEAR[value] for value in pixel]
    rows = EYES[eye][0:3], EYES[eye][3:6], EYES[eye][6:9]
    red, green, blue = (
        min(1.0, max(0.0, sum(share * one for share, one in zip(row, light, strict=True))))
        for row in rows
    )
    return red, green, blue


def luminance(pixel: Pixel, eye: str) -> float:
    """How bright a pixel looks to an eye (WCAG 2)."""
    return sum(
        share * one for share, one in zip((0.2126, 0.7152, 0.0722), seen(pixel, eye), strict=True)
    )


@cache
def lab(pixel: Pixel, eye: str) -> Light:
    """A pixel as an eye sees it, in a space where distances are those of sensation (CIE 1976
    L*a*b*, daylight D65).
    """
    red, green, blue = seen(pixel, eye)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def pixels(image: Image.Image) -> list[Pixel]:
    raw = image.tobytes()
    return list(zip(raw[0::3], raw[1::3], raw[2::3], strict=True))


def apart(one: Image.Image, other: Image.Image, eye: str) -> float:
    """How different two pictures of a size look to an eye: the mean distance of their pixels."""
    pairs = zip(pixels(one), pixels(other), strict=True)
    distances = [dist(lab(p, eye), lab(q, eye)) for p, q in pairs]
    return sum(distances) / len(distances)


def as_seen(image: Image.Image, eye: str) -> Image.Image:
    """A picture as an eye sees it, for those who see more."""

    def value(light: float) -> int:
        bright = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        return round(255 * bright)

    raw = b"".join(bytes(map(value, seen(pixel, eye))) for pixel in pixels(image))
    return Image.frombytes("RGB", image.size, raw)


def sheet() -> Image.Image:
    """All scenes in three sizes, a row for each eye and size, four times as large."""
    kinds = [ICON, (ICON[0], 2), SMALL]
    edge, gap = 4 * ICON[0], 8
    image = Image.new("RGB", ((edge + gap) * len(SCENES), (edge + gap) * len(EYES) * len(kinds)))
    for row, (eye, (size, zoom)) in enumerate((eye, kind) for eye in EYES for kind in kinds):
        for column, scene in enumerate(SCENES):
            shown = as_seen(icon(scene, size, zoom), eye)
            large = shown.resize(
                (shown.width * 4 // zoom, shown.height * 4 // zoom), Image.Resampling.NEAREST
            )
            image.paste(large, (column * (edge + gap), row * (edge + gap)))
    return image


if __name__ == "__main__":
    sheet().save(sys.argv[1])
