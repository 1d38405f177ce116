"""The letter that the front page shows: a real one, as a phone shows it.

    python -m tests.support.front_letter

takes it anew, in every language, by day and by night, as `service/web/static/letters/`
`GAME.LANG.webp` and `GAME.LANG.night.webp`: when letters or boards look different. Look at it
before you commit it.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.support.chromium import FLAGS, chromium
from tests.support.letters_to_png import parts_of, shown
from tests.support.lived import GAME
from tests.support.references import known_fonts
from tests.support.tour import LANGS, Tour

FOLDER = Path(__file__).resolve().parent.parent.parent / "service" / "web" / "static" / "letters"
AT = 16
"""Which of the turn letters: from the middle of a match, with news that a newcomer can read."""
WIDTH, HEIGHT = 360, 740
SCALE = 1.5
COLOURS = 128

Scheme = Literal["light", "dark"]


SUFFIXES: Mapping[Scheme, str] = {"light": "", "dark": ".night"}


def taken(browser: Browser, tour: Tour, lang: str, scheme: Scheme) -> Image.Image:
    """A turn letter, all of it."""
    _, _, html, pictures = parts_of(tour.letter("turn", lang, AT)[1])
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE, color_scheme=scheme
    )
    page = context.new_page()
    page.set_content(shown(html, pictures))
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    context.close()
    return picture.quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")


def main() -> None:
    """Take it in every language."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as tools:
        folder = Path(name)
        browser = tools.chromium.launch(
            executable_path=chromium(), args=FLAGS, env=known_fonts(folder)
        )
        tour = Tour(folder)
        for lang in LANGS:
            for scheme, suffix in SUFFIXES.items():
                path = FOLDER / f"{GAME}.{lang}{suffix}.webp"
                picture = taken(browser, tour, lang, scheme)
                picture.save(path, lossless=True, quality=100, method=6)
                print(path.name, path.stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
