"""Pictures of every page and letter as they are meant to look, and a comparison as by eye.

    python -m tests.support.references [NAME...]    takes them anew (those whose names begin so)

Look at what has changed before you commit it.

Pages and letters come from made-up matches whose clock stands still (tests/support/tour.py), in
real Chromium that knows our fonts and DejaVu alone. Each is taken four times, so that every two of
width, scheme and language meet once; letters also without pictures.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.support.chromium import FLAGS, chromium
from tests.support.letters_to_png import parts_of, shown
from tests.support.tour import Tour

FOLDER = Path(__file__).resolve().parent.parent / "references"
COLOURS = 64
LONGEST = 6000
"""Pixels of a page that are kept; the longest pages go on as they began."""

BLOCK = 8
"""Pixels that are seen as one: edges of letters lie elsewhere in other versions of a browser."""
FAINT = 20
"""How far a block's colour may be off (of 255) without being seen as different."""
FEW = 0.004
"""The share of blocks that may differ."""

# Keys in links that are written out are others every time.
_KEY = re.compile(r"/[a-z2-7]{26}\b")

# What a machine has installed besides must not matter.
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>{ours}</dir><dir>{dejavu}</dir><cachedir>{cache}</cachedir>
<alias><family>sans-serif</family><prefer><family>Cabin</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>"""


class Look(NamedTuple):
    """One way to look at something."""

    width: int
    scheme: Literal["light", "dark"]
    lang: str


LOOKS = (
    Look(360, "light", "en"),
    Look(360, "dark", "fr"),
    Look(1200, "light", "fr"),
    Look(1200, "dark", "en"),
)


def name_of(thing: str, look: Look) -> str:
    """What a reference is called, e.g. "page.front.360.light.en"."""
    return f"{thing}.{look.width}.{look.scheme}.{look.lang}"


class Camera:
    """Takes pictures in one browser."""

    def __init__(self, browser: Browser, tour: Tour) -> None:
        self.tour = tour
        self._pages = {look: self._opened(browser, look) for look in LOOKS}

    @staticmethod
    def _opened(browser: Browser, look: Look) -> Page:
        context = browser.new_context(
            viewport={"width": look.width, "height": 740},
            color_scheme=look.scheme,
            reduced_motion="reduce",
            bypass_csp=True,
        )
        context.set_default_timeout(60_000)
        return context.new_page()

    def pages(self, look: Look) -> Iterator[str]:
        """The names of all pages."""
        return (f"page.{stop.name}" for stop in self.tour.stops(look.lang))

    def letters(self) -> list[str]:
        """The names of all letters, and of those without their pictures."""
        kinds = self.tour.kinds()
        return [f"letter.{kind}" for kind in kinds] + [f"bare.{kind}" for kind in kinds]

    def take(self, thing: str, look: Look) -> Image.Image:
        """The picture of a page or a letter."""
        page, (sort, _, name) = self._pages[look], thing.partition(".")
        if sort == "page":
            stop = next(one for one in self.tour.stops(look.lang) if one.name == name)
            self.tour.show(page, stop, look.lang)
        else:
            _, _, html, pictures = parts_of(self.tour.letter(name, look.lang, -1)[1])
            page.unroute_all()
            page.set_content(
                shown(_KEY.sub(f"/{'a' * 26}", html), pictures if sort == "letter" else {})
            )
        # Bars that stick to the window would lie somewhere in the middle of a long picture.
        page.add_style_tag(content=".play, .sight { position: static !important; }")
        high = min(LONGEST, page.evaluate("document.documentElement.scrollHeight"))
        clip = {"x": 0, "y": 0, "width": look.width, "height": max(high, 740)}
        taken = page.screenshot(full_page=True, clip=clip, animations="disabled")  # type: ignore[arg-type]
        return Image.open(io.BytesIO(taken)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of blocks that somebody would see to be different; 1.0 for another size."""
    if one.width != other.width or abs(one.height - other.height) > 2 * BLOCK:
        return 1.0
    high = min(one.height, other.height)
    seen = [
        image.convert("RGB").crop((0, 0, image.width, high)).reduce(BLOCK) for image in (one, other)
    ]
    apart = ImageChops.difference(*seen)
    bands = [band.point(lambda value: 255 if value > FAINT else 0) for band in apart.split()]
    marked = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return marked.histogram()[255] / (marked.width * marked.height)


def is_alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures look the same to a person."""
    return difference(one, other) <= FEW


def keep(image: Image.Image, path: Path) -> None:
    """Write a reference, small."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)


def kept(thing: str, look: Look) -> Path:
    """Where the reference of this lies."""
    return FOLDER / f"{name_of(thing, look)}.png"


def known_fonts(folder: Path) -> dict[str, str | float | bool]:
    """An environment in which a browser knows the fonts of the repository and DejaVu alone."""
    ours = Path(__file__).resolve().parent.parent.parent / "templates" / "fonts"
    config = folder / "fonts.conf"
    told = FONTS.format(ours=ours, dejavu=DEJAVU, cache=folder / "cache")
    config.write_text(told, encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(config)}


@contextmanager
def camera(folder: Path, launcher: BrowserType) -> Iterator[Camera]:
    """A camera with a browser and made-up matches of its own."""
    browser = launcher.launch(executable_path=chromium(), args=FLAGS, env=known_fonts(folder))
    yield Camera(browser, Tour(folder))
    browser.close()


def main(wanted: list[str]) -> None:
    """Take all references anew, or those whose names begin so; forget those of what is gone."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as tools,
        camera(Path(folder), tools.chromium) as taking,
    ):
        known = set()
        for look in LOOKS:
            for thing in [*taking.pages(look), *taking.letters()]:
                if thing.startswith("bare.") and look != LOOKS[0]:
                    continue
                path = kept(thing, look)
                known.add(path)
                if not wanted or any(thing.startswith(name) for name in wanted):
                    image = taking.take(thing, look)
                    if path.exists() and is_alike(image, Image.open(path)):
                        continue
                    keep(image, path)
                    print(path.name)
        for path in set(FOLDER.glob("*.png")) - known:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
