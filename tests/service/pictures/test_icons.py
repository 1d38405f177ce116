"""The eight scenes are told apart when they are small, without colour and by every kind of eye."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from PIL import Image

from service.render.templating import environment
from tests.service.pictures.eyes import (
    EYES,
    ICON,
    SCENES,
    SMALL,
    apart,
    as_seen,
    icon,
    luminance,
    pixels,
    token,
)
from tests.service.pictures.positions import GAME

TOKEN = 17
"""The smallest that a token is on a big board, in units: in a cave on its side."""

PLAIN = {ICON: 22, SMALL: 22}
"""How far apart the pixels of any two icons are on average, where 2.3 is just noticed."""
PLAIN_GREY = {ICON: 14, SMALL: 14}
"""The same without colour: fields are alike then, and most pixels are fields."""


def silhouette(image: Image.Image) -> list[bool]:
    """Where it differs from its field, seen without colour."""
    grey = image.convert("L").tobytes()
    field = grey[0]
    return [abs(pixel - field) > 40 for pixel in grey]


@pytest.mark.parametrize("size", [ICON, SMALL])
def test_every_scene_stands_out_from_its_field(size: tuple[int, int]) -> None:
    for scene in SCENES:
        found = silhouette(icon(scene, *size))
        share = sum(found) / len(found)
        assert 0.12 < share < 0.7, f"{scene}: {share:.2f}"


@pytest.mark.parametrize("size", [ICON, SMALL])
def test_no_two_silhouettes_are_alike(size: tuple[int, int]) -> None:
    shapes = {scene: silhouette(icon(scene, *size)) for scene in SCENES}
    for one, other in combinations(SCENES, 2):
        unlike = sum(a != b for a, b in zip(shapes[one], shapes[other], strict=True))
        alike = sum(a and b for a, b in zip(shapes[one], shapes[other], strict=True))
        assert unlike > 0.4 * (unlike + alike), f"{one} and {other}"


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("size", [ICON, SMALL])
def test_any_two_look_different_to_every_eye(size: tuple[int, int], eye: str) -> None:
    least = (PLAIN_GREY if eye == "grey" else PLAIN)[size]
    for one, other in combinations(SCENES, 2):
        distance = apart(icon(one, *size), icon(other, *size), eye)
        assert distance > least, f"{one} and {other}: {distance:.1f}"


@pytest.mark.parametrize("eye", EYES)
def test_any_two_tokens_look_different_to_every_eye(eye: str) -> None:
    least = 6 if eye == "grey" else 9
    for one, other in combinations(SCENES, 2):
        distance = apart(token(one, TOKEN), token(other, TOKEN), eye)
        assert distance > least, f"{one} and {other}: {distance:.1f}"


def test_no_two_fields_are_alike() -> None:
    fields = [icon(scene, *ICON).crop((0, 0, 1, 1)) for scene in SCENES]
    assert min(apart(one, other, "usual") for one, other in combinations(fields, 2)) > 20


@pytest.mark.parametrize("eye", EYES)
def test_silhouettes_stand_out_for_every_eye(eye: str) -> None:
    for scene in SCENES:
        ink = [luminance(pixel, eye) for pixel in pixels(icon(scene, *ICON))]
        field = ink[0]
        contrast = [(max(p, field) + 0.05) / (min(p, field) + 0.05) for p in ink]
        assert sum(ratio >= 3 for ratio in contrast) > 0.1 * len(contrast), scene


def test_eyes_see_what_is_known_of_them() -> None:
    def colour(pixel: tuple[int, int, int], eye: str) -> tuple[int, ...]:
        return pixels(as_seen(Image.new("RGB", (1, 1), pixel), eye))[0]

    for eye in EYES:
        assert max(colour((128, 128, 128), eye)) - min(colour((128, 128, 128), eye)) <= 1
        assert apart(icon("hunt", *ICON), icon("hunt", *ICON), eye) == 0
    assert colour((200, 30, 90), "usual") == (200, 30, 90)
    assert len(set(colour((200, 30, 90), "grey"))) == 1
    red, green = (Image.new("RGB", (1, 1), one) for one in ((200, 60, 60), (125, 112, 40)))
    for eye in ("protanopia", "deuteranopia"):
        assert apart(red, green, eye) < apart(red, green, "usual") / 2
    blue, teal = (Image.new("RGB", (1, 1), one) for one in ((60, 90, 200), (20, 115, 120)))
    assert apart(blue, teal, "tritanopia") < apart(blue, teal, "usual") / 2


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_codes_are_alike(lang: str) -> None:
    module = environment(lang).get_template(f"boards/{GAME}/parts.svg").module
    codes = [str(module.code(scene)) for scene in SCENES]  # type: ignore[attr-defined]
    assert len(set(codes)) == len(SCENES)
    assert all(re.fullmatch(r"[A-Z][a-z]", code) for code in codes)
