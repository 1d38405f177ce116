"""The eight scenes are told apart when they are small, without colour and by every kind of eye."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import combinations

import pytest
import resvg_py
from PIL import Image

from service.pictures import symbols
from service.templating import environment
from tests.service.pictures.positions import GAME

SCENES = ("feast", "picking", "ritual", "fight", "water", "camp", "hunt", "fire")
RED_BLIND = (0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052)
GREEN_BLIND = (0.367, 0.861, -0.228, 0.280, 0.673, 0.047, -0.012, 0.043, 0.969)
BLUE_BLIND = (1.256, -0.077, -0.179, -0.078, 0.931, 0.148, 0.005, 0.691, 0.304)
"""What is left of colours, on linear light (Machado, Oliveira, Fernandes 2009, severity 1)."""


@cache
def icon(scene: str, size: int) -> Image.Image:
    """A scene on its field."""
    fields = environment("en").get_template(f"boards/{GAME}/layout.svg").module.FIELD  # type: ignore[attr-defined]
    name = scene if size > 16 else f"{scene}-small"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{symbols(GAME)}'
        f'<use href="#s-{name}" width="{size}" height="{size}"/></svg>'
    )
    png = resvg_py.svg_to_bytes(svg, background=fields[scene], skip_system_fonts=True)
    return Image.open(io.BytesIO(png)).convert("RGB")


def silhouette(image: Image.Image) -> list[bool]:
    """Where it differs from its field, seen without colour."""
    grey = image.convert("L").tobytes()
    field = grey[0]
    return [abs(pixel - field) > 40 for pixel in grey]


@pytest.mark.parametrize("size", [24, 14])
def test_every_scene_stands_out_from_its_field(size: int) -> None:
    for scene in SCENES:
        share = sum(silhouette(icon(scene, size))) / size**2
        assert 0.12 < share < 0.7, f"{scene}: {share:.2f}"


@pytest.mark.parametrize("size", [24, 14])
def test_no_two_silhouettes_are_alike(size: int) -> None:
    shapes = {scene: silhouette(icon(scene, size)) for scene in SCENES}
    for one, other in combinations(SCENES, 2):
        unlike = sum(a != b for a, b in zip(shapes[one], shapes[other], strict=True))
        alike = sum(a and b for a, b in zip(shapes[one], shapes[other], strict=True))
        assert unlike > 0.4 * (unlike + alike), f"{one} and {other}"


@pytest.mark.parametrize("eye", [RED_BLIND, GREEN_BLIND, BLUE_BLIND])
def test_silhouettes_stand_out_for_the_colour_blind(eye: tuple[float, ...]) -> None:
    for scene in SCENES:
        image = icon(scene, 24)
        field = luminance(image.getpixel((0, 0)), eye)
        ink = [luminance(pixel, eye) for pixel in image.get_flattened_data()]
        contrast = [(max(p, field) + 0.05) / (min(p, field) + 0.05) for p in ink]
        assert sum(ratio >= 3 for ratio in contrast) > 0.1 * len(contrast), scene


def luminance(pixel: object, eye: tuple[float, ...]) -> float:
    """How bright a pixel looks to an eye (WCAG 2)."""
    assert isinstance(pixel, tuple)
    light = [linear(value / 255) for value in pixel]
    seen = [sum(eye[3 * row + column] * light[column] for column in range(3)) for row in range(3)]
    return max(0.0, 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2])


def linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_codes_are_alike(lang: str) -> None:
    module = environment(lang).get_template(f"boards/{GAME}/parts.svg").module
    codes = [str(module.code(scene)) for scene in SCENES]  # type: ignore[attr-defined]
    assert len(set(codes)) == len(SCENES)
    assert all(re.fullmatch(r"[A-Z][a-z]", code) for code in codes)
