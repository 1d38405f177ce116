"""Pictures of every page and letter as they are meant to look, and a comparison as by eye.

    python -m tests.support.references [NAME...]            takes them anew
    python -m tests.support.references --sheet FOLDER [NAME...]   lays out what is kept, to look at

of all, or of those whose names begin so. Look at what has changed before you commit it.

Pages and letters come from made-up matches whose clock stands still (tests/support/tour.py), in
real Chromium that knows our fonts and DejaVu alone, on a phone that is touched and on a desk, by
day and by night, in both languages; letters also without their pictures.

One file is kept of the day and, beside it, the night. What is kept of a desk is half as large.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import structlog
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.support.chromium import FLAGS, chromium
from tests.support.letters_to_png import parts_of, shown
from tests.support.tour import LANGS, Tour

FOLDER = Path(__file__).resolve().parent.parent / "references"
PHONE, DESK = 360, 1200
SHRUNK = {PHONE: 1, DESK: 2}
LOOKS = tuple((lang, width) for lang in LANGS for width in (PHONE, DESK))
SHORTEST = 740
AT_ONCE = 8000
"""Pixels of height that a browser surely draws in one piece."""

COLOURS = 96
"""Of each picture that is kept: as good as all of them."""

BLOCK = 8
"""Pixels that are seen as one: edges of letters lie elsewhere in other versions of a browser."""
FAINT = 14
"""How far a block's colour may be off (of 255) without being seen as different."""
NEAR = 2
"""Blocks are looked at with so many neighbours on each side."""
FEW = 0.26
"""The share of blocks in such a place that may differ."""

# Keys and codes in links and names that are written out are others every time.
_KEY = re.compile(r"(?<=/)[a-z2-7]{26}\b|(?<=-)[a-z0-9]{10}(?=\.json)")

# Bars that stick to the window would lie somewhere in the middle of a long picture.
STILL = ".ask, .dock, .sight, .rules > nav { position: static !important; }"

# What a machine has installed besides must not matter.
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>{ours}</dir><dir>{dejavu}</dir><cachedir>{cache}</cachedir>
<alias><family>sans-serif</family><prefer><family>Cabin</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>"""


class Both(NamedTuple):
    """Something by day and by night."""

    day: Image.Image
    night: Image.Image


class Camera:
    """Takes pictures in one browser."""

    def __init__(self, browser: Browser, tour: Tour) -> None:
        self.tour = tour
        self._pages = {width: self._opened(browser, width) for width in SHRUNK}

    @staticmethod
    def _opened(browser: Browser, width: int) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": SHORTEST},
            has_touch=width == PHONE,
            reduced_motion="reduce",
            bypass_csp=True,
        )
        context.set_default_timeout(60_000)
        return context.new_page()

    def pages(self, lang: str) -> list[str]:
        """The names of all pages."""
        return [f"page.{stop.name}" for stop in self.tour.stops(lang)]

    def letters(self) -> list[str]:
        """The names of all letters, and of those without their pictures."""
        return [f"{sort}.{kind}" for kind in self.tour.kinds() for sort in ("letter", "bare")]

    def take(self, thing: str, lang: str, width: int) -> Both:
        """The pictures of a page or a letter."""
        page, (sort, _, name) = self._pages[width], thing.partition(".")
        page.emulate_media(color_scheme="light")
        if sort == "page":
            stop = next(one for one in self.tour.stops(lang) if one.name == name)
            self.tour.show(page, stop, lang)
        else:
            _, _, html, pictures = parts_of(self.tour.letter(name, lang, -1)[1])
            page.unroute_all()
            page.set_content(
                shown(
                    _KEY.sub(lambda key: "a" * len(key[0]), html),
                    pictures if sort == "letter" else {},
                )
            )
        page.add_style_tag(content=STILL)
        day = _taken(page, width)
        page.emulate_media(color_scheme="dark")
        return Both(day, _taken(page, width))


def _taken(page: Page, width: int) -> Image.Image:
    high = max(SHORTEST, page.evaluate("document.documentElement.scrollHeight"))
    whole = Image.new("RGB", (width, high))
    for top in range(0, high, AT_ONCE):
        part = page.screenshot(
            full_page=True,
            clip={"x": 0, "y": top, "width": width, "height": min(AT_ONCE, high - top)},
            animations="disabled",
        )
        whole.paste(Image.open(io.BytesIO(part)).convert("RGB"), (0, top))
    return whole


def difference(kept: Image.Image, taken: Image.Image) -> float:
    """The share of blocks that are different where most are; 1.0 for another size."""
    shrunk = SHRUNK.get(taken.width, 1)
    if abs(kept.height * shrunk - taken.height) > 2 * BLOCK:
        return 1.0
    seen = kept.reduce(BLOCK // shrunk), taken.reduce(BLOCK)
    size = tuple(min(sides) for sides in zip(*(one.size for one in seen), strict=True))
    apart = ImageChops.difference(*(one.crop((0, 0, *size)) for one in seen))
    bands = [band.point(lambda value: 255 if value > FAINT else 0) for band in apart.split()]
    marked = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    most = marked.filter(ImageFilter.BoxBlur(NEAR)).getextrema()[1]
    assert isinstance(most, (int, float))
    return most / 255


def is_alike(kept: Image.Image, taken: Image.Image) -> bool:
    """Whether a picture looks to a person as the one that was kept."""
    return difference(kept, taken) <= FEW


def keep(both: Both, path: Path) -> None:
    """Write a reference, small."""
    path.parent.mkdir(parents=True, exist_ok=True)
    day, night = (
        one.reduce(SHRUNK.get(one.width, 1))
        .quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
        .convert("RGB")
        for one in both
    )
    beside = Image.new("RGB", (day.width + night.width, max(day.height, night.height)))
    beside.paste(day, (0, 0))
    beside.paste(night, (day.width, 0))
    beside.save(path, "WEBP", lossless=True, quality=80, method=4)


def kept(path: Path) -> Both:
    """A reference, by day and by night."""
    with Image.open(path) as image:
        beside = image.convert("RGB")
    half = beside.width // 2
    return Both(*(beside.crop((at, 0, at + half, beside.height)) for at in (0, half)))


def place_of(thing: str, lang: str, width: int) -> Path:
    """Where a reference lies, e.g. "page.front.360.en.webp"."""
    return FOLDER / f"{thing}.{width}.{lang}.webp"


def known_fonts(folder: Path) -> dict[str, str | float | bool]:
    """An environment in which a browser knows the fonts of the repository and DejaVu alone."""
    ours = Path(__file__).resolve().parent.parent.parent / "templates" / "fonts"
    config = folder / "fonts.conf"
    told = FONTS.format(ours=ours, dejavu=DEJAVU, cache=folder / "cache")
    config.write_text(told, encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(config)}


@contextmanager
def camera(folder: Path, launcher: BrowserType, tour: Tour) -> Iterator[Camera]:
    """A camera with a browser of its own."""
    browser = launcher.launch(executable_path=chromium(), args=FLAGS, env=known_fonts(folder))
    yield Camera(browser, tour)
    browser.close()


def is_wanted(thing: str, wanted: Sequence[str]) -> bool:
    """Whether its name begins as one of those; of none, all are wanted."""
    return not wanted or thing.startswith(tuple(wanted))


def take(lang: str, width: int, wanted: Sequence[str]) -> set[Path]:
    """Take anew what has changed; where all of this language and width lie."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    known = set()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as tools:
        folder = Path(name)
        with camera(folder, tools.chromium, Tour(folder)) as taking:
            for thing in [*taking.pages(lang), *taking.letters()]:
                path = place_of(thing, lang, width)
                known.add(path)
                if not is_wanted(thing, wanted):
                    continue
                both = taking.take(thing, lang, width)
                if path.exists() and all(map(is_alike, kept(path), both)):
                    continue
                keep(both, path)
                print(path.name, flush=True)
    return known


def take_all(wanted: Sequence[str]) -> None:
    """Take all references anew, or those whose names begin so; forget those of what is gone."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        taken = [workers.submit(take, *look, wanted) for look in LOOKS]
        known = set[Path]().union(*(one.result() for one in taken))
    for path in set(FOLDER.iterdir()) - known:
        path.unlink()


GAP = 12
LONGEST = 2400
"""Pixels of height of a sheet; what is longer goes on on another."""


def lay_out(folder: Path, wanted: Sequence[str]) -> None:
    """Lay the pictures of each thing side by side: phones, then desks by language."""
    folder.mkdir(parents=True, exist_ok=True)
    for thing in sorted({path.name.rsplit(".", 3)[0] for path in FOLDER.iterdir()}):
        if is_wanted(thing, wanted):
            rows: list[list[Image.Image]] = [
                [one for lang in LANGS for one in kept(place_of(thing, lang, PHONE))],
                *(list(kept(place_of(thing, lang, DESK))) for lang in LANGS),
            ]
            sheet = _sheet(rows)
            parts = range(0, sheet.height, LONGEST)
            for number, top in enumerate(parts, 1):
                part = sheet.crop((0, top, sheet.width, min(top + LONGEST, sheet.height)))
                part.save(folder / f"{thing}{f'.{number}' if len(parts) > 1 else ''}.png")


def _sheet(rows: list[list[Image.Image]]) -> Image.Image:
    wide = max(sum(one.width + GAP for one in row) for row in rows)
    high = sum(max(one.height for one in row) + GAP for row in rows)
    sheet = Image.new("RGB", (wide, high), "#808080")
    top = 0
    for row in rows:
        left = 0
        for one in row:
            sheet.paste(one, (left, top))
            left += one.width + GAP
        top += max(one.height for one in row) + GAP
    return sheet


def main(args: list[str]) -> None:
    """What the command line asks for."""
    match args:
        case ["--sheet", folder, *wanted]:
            lay_out(Path(folder), wanted)
        case _:
            take_all(args)


if __name__ == "__main__":
    main(sys.argv[1:])
