"""How every page and letter is meant to look, and a comparison as by eye.

    python -m tests.support.references [NAME...]
    python -m tests.support.references --take FOLDER [NAME...]
    python -m tests.support.references --since COMMIT FOLDER [NAME...]

notes anew how things look that have changed; takes every picture, to look at; or lays what looks
different since a commit side by side; of all, or of those whose names begin so. Look at what has
changed before you commit it.

Pages and letters come from made-up matches whose clock stands still (tests/support/tour.py), in
real Chromium that knows our fonts and DejaVu alone, on a phone that is touched and on a desk, by
day and by night, in both languages; letters also without their pictures. Whole pictures are also
taken on a tablet.

What is kept of a picture is what the comparison goes by: a pixel for each block of it, 3 or 4 KB.
Each thing is kept in one of its looks, and some in two. Whole pictures, in all looks,
are made when somebody asks for them, of this tree or of an earlier commit, and are not kept.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import structlog
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, BrowserType, Error, Page, sync_playwright

from tests.support.chromium import FLAGS, PATIENCE, chromium
from tests.support.letters_to_png import parts_of, shown
from tests.support.tour import LANGS, SEEN_MOST, Tour

MODULE = "tests.support.references"
ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests" / "references"
PHONE, TABLET, DESK = 360, 768, 1200
WIDTHS = PHONE, DESK
"""Of what is compared; a tablet's pictures are taken to be looked at alone."""
LOOKS = tuple((lang, width) for lang in LANGS for width in WIDTHS)
SHORTEST = 740
AT_ONCE = 8000
"""Pixels of height that a browser surely draws in one piece."""

IN_TWO = ("page.front", "page.matches", "page.match", "page.turn", "letter.turn")
"""What is compared in two looks."""

STEP = 12
"""How much nearer than that colours are not kept: less than half of it is off."""

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
STILL = """
.ask, .controls, .dock, .sight, .beside, .part1, .rules > nav { position: static !important; }
.sight { align-self: start !important; width: 100%; }
"""

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
        self._browser = browser
        self._pages: dict[int, Page] = {}

    def _opened(self, width: int) -> Page:
        context = self._browser.new_context(
            viewport={"width": width, "height": SHORTEST},
            has_touch=width <= TABLET,
            reduced_motion="reduce",
            bypass_csp=True,
        )
        context.set_default_timeout(PATIENCE)
        # The page's clock stands still, too: what counts down shows what it began with.
        context.add_init_script("window.setInterval = () => 0")
        return context.new_page()

    def _page(self, width: int) -> Page:
        if width not in self._pages:
            self._pages[width] = self._opened(width)
        return self._pages[width]

    def pages(self, lang: str) -> list[str]:
        """The names of all pages."""
        return [f"page.{stop.name}" for stop in self.tour.stops(lang)]

    def letters(self) -> list[str]:
        """The names of all letters, and of those without their pictures."""
        return [f"{sort}.{kind}" for kind in self.tour.kinds() for sort in ("letter", "bare")]

    def take(self, thing: str, lang: str, width: int) -> Both:
        """The pictures of a page or a letter."""
        page = self._shown(thing, lang, width)
        day = _taken(page, width)
        page.emulate_media(color_scheme="dark")
        return Both(day, _taken(page, width))

    def take_by_day(self, thing: str, lang: str, width: int) -> Image.Image:
        """The picture by day alone."""
        return _taken(self._shown(thing, lang, width), width)

    def _shown(self, thing: str, lang: str, width: int) -> Page:
        page, (sort, _, name) = self._page(width), thing.partition(".")
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
        return page


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


def is_seldom(thing: str) -> bool:
    """Whether only `make test-all` compares it: not a page that is seen most, nor a letter with its
    pictures.
    """
    sort, _, name = thing.partition(".")
    return sort == "bare" or (sort == "page" and name not in SEEN_MOST)


def chosen(thing: str) -> list[tuple[str, int]]:
    """The looks of a page or letter that are compared: one, its width by its name; of some also in
    the other language and width. What `make test` compares is in French, whose words are longer:
    so the matches of one language are enough.
    """
    lang, other = reversed(LANGS) if not is_seldom(thing) else LANGS
    width, far = WIDTHS[:: 1 if crc32(thing.encode()) % 2 else -1]
    return [(lang, width), (other, far)][: 1 + (thing in IN_TWO)]


def blocks(image: Image.Image) -> Image.Image:
    """A picture as the comparison sees it: a pixel for each of its blocks."""
    return image.reduce(BLOCK)


def difference(meant: Image.Image, seen: Image.Image) -> float:
    """The share of blocks that are different where most are; 1.0 for another size."""
    if meant.width != seen.width or abs(meant.height - seen.height) > 2:
        return 1.0
    high = min(meant.height, seen.height)
    apart = ImageChops.difference(*(one.crop((0, 0, one.width, high)) for one in (meant, seen)))
    bands = [band.point(lambda value: 255 if value > FAINT else 0) for band in apart.split()]
    marked = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    most = marked.filter(ImageFilter.BoxBlur(NEAR)).getextrema()[1]
    assert isinstance(most, (int, float))
    return most / 255


def is_alike(meant: Image.Image, taken: Image.Image) -> bool:
    """Whether a picture looks to a person as the one of which these blocks were kept."""
    return difference(meant, blocks(taken)) <= FEW


def keep(both: Both, path: Path) -> None:
    """Write a reference: the blocks of the day and, beside them, of the night."""
    path.parent.mkdir(parents=True, exist_ok=True)
    few = (blocks(one).point(lambda value: min(255, round(value / STEP) * STEP)) for one in both)
    _beside(*few).save(path, "WEBP", lossless=True, quality=90, method=5)


def kept(path: Path) -> Both:
    """Of a reference, or of a whole picture: by day and by night."""
    with Image.open(path) as image:
        beside = image.convert("RGB")
    half = beside.width // 2
    halves = (beside.crop((at, 0, at + half, beside.height)) for at in (0, half))
    # Below the lower one of the two it is black, as no page is.
    return Both(
        *(one.crop((0, 0, half, (one.getbbox() or (0, 0, 0, one.height))[3])) for one in halves)
    )


def _beside(day: Image.Image, night: Image.Image) -> Image.Image:
    beside = Image.new("RGB", (day.width + night.width, max(day.height, night.height)))
    beside.paste(day, (0, 0))
    beside.paste(night, (day.width, 0))
    return beside


TALLEST = 16_383
"""Pixels that a side of a WebP picture has at most."""


def save_whole(both: Both, path: Path) -> None:
    """Write a whole picture, day beside night; as PNG, by that suffix, if too tall for WebP."""
    picture = _beside(*both)
    if picture.height > TALLEST:
        picture.save(path.with_suffix(".png"), "PNG", compress_level=1)
    else:
        picture.save(path, "WEBP", lossless=True, quality=20, method=0)


def name_of(thing: str, lang: str, width: int) -> str:
    """The file of a look, e.g. "page.front.360.en.webp"."""
    return f"{thing}.{width}.{lang}.webp"


def place_of(thing: str, lang: str, width: int) -> Path:
    """Where a reference lies."""
    return FOLDER / name_of(thing, lang, width)


def known_fonts(folder: Path) -> dict[str, str | float | bool]:
    """An environment in which a browser knows the fonts of the repository and DejaVu alone."""
    ours = ROOT / "templates" / "fonts"
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


def note(lang: str, width: int, wanted: Sequence[str]) -> set[Path]:
    """Note anew how things look that have changed; where all of this language and width lie."""
    known = set()
    with _taking() as taking:
        for thing in [*taking.pages(lang), *taking.letters()]:
            if (lang, width) not in chosen(thing):
                continue
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


def take(lang: str, width: int, wanted: Sequence[str], folder: Path) -> list[str]:
    """Take the whole pictures of a language and width; those that could not be taken, and why."""
    failed = []
    with _taking() as taking:
        for thing in [*taking.pages(lang), *taking.letters()]:
            if is_wanted(thing, wanted):
                name = name_of(thing, lang, width)
                try:
                    save_whole(taking.take(thing, lang, width), folder / name)
                except (Error, OSError) as error:
                    failed.append(f"{name}: {error}")
    return failed


@contextmanager
def _taking() -> Iterator[Camera]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as tools:
        folder = Path(name)
        with camera(folder, tools.chromium, Tour(folder)) as taking:
            yield taking


def note_all(wanted: Sequence[str]) -> None:
    """Note all looks anew, or those whose names begin so; forget those of what is gone."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        noted = [workers.submit(note, *look, wanted) for look in LOOKS]
        known = set[Path]().union(*(one.result() for one in noted))
    for path in set(FOLDER.iterdir()) - known:
        path.unlink()


def take_all(folder: Path, wanted: Sequence[str]) -> None:
    """Take the pictures of all looks, or of those whose names begin so. Raises SystemExit, when all
    others are taken, with those that could not be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        looks = [(lang, width) for lang in LANGS for width in (PHONE, TABLET, DESK)]
        taking = [workers.submit(take, *look, wanted, folder) for look in looks]
        if failed := [line for one in taking for line in one.result()]:
            raise SystemExit("\n".join(failed))


def take_since(commit: str, folder: Path, wanted: Sequence[str]) -> list[str]:
    """Take all pictures of this tree and of an earlier commit; lay those that look different side
    by side, and name them.

    Raises subprocess.CalledProcessError if there is no such commit, or it cannot take pictures.
    """
    now, then = folder / "now", folder / "then"
    take_all(now, wanted)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        subprocess.run(
            ["git", "worktree", "add", "--quiet", "--detach", tree, commit], check=True, cwd=ROOT
        )
        try:
            command = [sys.executable, "-m", MODULE, "--take", str(then.resolve()), *wanted]
            subprocess.run(command, check=True, cwd=tree)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], check=True, cwd=ROOT)
    return compare(then, now, folder)


def compare(then: Path, now: Path, sheets: Path) -> list[str]:
    """What looks different in two folders of pictures, then above now on a sheet of each."""
    different = []
    # A page that has grown may be of the other kind of file.
    lying = [{path.stem: path for path in each.iterdir()} for each in (then, now)]
    for name in sorted(lying[0].keys() | lying[1].keys()):
        both = [kept(each[name]) if name in each else None for each in lying]
        before, after = both
        if before and after and all(map(is_alike, map(blocks, before), after)):
            continue
        different.append(name)
        _sheet([list(one) for one in both if one]).save(sheets / f"{name}.png")
    return different


GAP = 12


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
        case ["--take", folder, *wanted]:
            take_all(Path(folder), wanted)
        case ["--since", commit, folder, *wanted]:
            different = take_since(commit, Path(folder), wanted)
            print("\n".join(different) or f"Everything looks as at {commit}.")
        case _:
            note_all(args)


if __name__ == "__main__":
    main(sys.argv[1:])
