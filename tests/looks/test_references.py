"""Every page and letter looks as it is meant to: as its picture in tests/references.

What has been changed on purpose is taken anew: `python -m tests.support.references`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from tests.support.references import (
    DEJAVU,
    FOLDER,
    LOOKS,
    Camera,
    Look,
    camera,
    difference,
    is_alike,
    kept,
    known_fonts,
)

MOST_BYTES = 12 << 20
DEJAVUS = {path.name.partition("-")[0] for path in DEJAVU.glob("*.ttf")}


@pytest.fixture(scope="module")
def taking(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Camera]:
    with camera(tmp_path_factory.mktemp("camera"), browser.browser_type) as found:
        yield found


def differing(taking: Camera, things: list[str], look: Look) -> dict[str, str]:
    """What does not look as its reference; where the new picture was put."""
    found = {}
    for thing in things:
        path, image = kept(thing, look), taking.take(thing, look)
        if not path.exists():
            found[thing] = "has no reference"
        elif not is_alike(image, Image.open(path)):
            seen = Path(tempfile.gettempdir()) / path.name
            image.save(seen)
            found[thing] = f"{difference(image, Image.open(path)):.1%} is different: {seen}"
    return found


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(map(str, look)))
def test_pages_look_as_they_are_meant_to(taking: Camera, look: Look) -> None:
    assert differing(taking, list(taking.pages(look)), look) == {}


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(map(str, look)))
def test_letters_look_as_they_are_meant_to(taking: Camera, look: Look) -> None:
    letters = [name for name in taking.letters() if look == LOOKS[0] or name.startswith("letter.")]
    assert differing(taking, letters, look) == {}


def test_references_are_few_and_small() -> None:
    assert len(list(FOLDER.glob("*.png"))) > 100
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < MOST_BYTES


def drawn(shift: int = 0, colour: str = "#2B2622", mark: bool = True) -> Image.Image:
    """Some lines of writing, as far as a comparison of blocks sees them."""
    image = Image.new("RGB", (360, 800), "#F4EBDD")
    pen = ImageDraw.Draw(image)
    for line in range(20):
        pen.text((10 + shift, 10 + 30 * line), "Bruno laid camp-fire on A5", fill=colour)
    if mark:
        pen.rectangle((20, 650, 140, 690), fill="#9C3D22")
    return image


def test_edges_may_lie_elsewhere_but_nothing_may_be_missing() -> None:
    assert is_alike(drawn(), drawn().quantize(64).convert("RGB"))
    softer = drawn().resize((720, 1600), Image.Resampling.BICUBIC)
    assert is_alike(drawn(), softer.resize((360, 800), Image.Resampling.BILINEAR))
    assert not is_alike(drawn(), drawn(mark=False))
    assert not is_alike(drawn(), drawn(colour="#B4A898"))
    assert not is_alike(drawn(), drawn().crop((0, 0, 360, 760)))


def test_a_machine_s_own_fonts_do_not_matter(tmp_path: Path) -> None:
    env = {name: str(value) for name, value in known_fonts(tmp_path).items()}
    listed = subprocess.run(["fc-list"], capture_output=True, text=True, check=True, env=env).stdout
    names = {Path(line.partition(":")[0]).name for line in listed.splitlines()}
    assert {"Cabin-Bold.otf", "Cabin-Medium.otf", "DejaVuSansMono.ttf"} <= names
    assert {name.partition("-")[0] for name in names} <= {"Cabin", *DEJAVUS}
