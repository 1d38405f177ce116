"""Every page and letter looks as it is meant to: as what tests/references has of its picture.

What has been changed on purpose is noted anew: `python -m tests.support.references`. `make looks`
compares all looks with those of an earlier commit.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageOps
from playwright.sync_api import Browser, Page

from tests.support.cases import all_of_them
from tests.support.references import (
    DEJAVU,
    FEW,
    FOLDER,
    LOOKS,
    PHONE,
    WIDTHS,
    Both,
    Camera,
    blocks,
    camera,
    chosen,
    compare,
    difference,
    is_alike,
    is_seldom,
    keep,
    kept,
    known_fonts,
    place_of,
    save_whole,
)
from tests.support.tour import Tour

MOST_BYTES = 1_000_000
"""Of all references: what a new look adds to the repository."""

OFTEN = "fr"
"""The language in which `make test` compares pictures."""

# One worker for a language: its matches are made once.
EACH = [
    pytest.param(
        lang,
        width,
        often,
        marks=[
            pytest.mark.xdist_group(f"looks-{lang}"),
            *([] if often else [pytest.mark.rarely]),
        ],
    )
    for lang, width in LOOKS
    for often in ((True, False) if lang == OFTEN else (False,))
]

DEJAVUS = {path.name.partition("-")[0] for path in DEJAVU.glob("*.ttf")}


@pytest.fixture(scope="module")
def taking(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser, tour: Tour
) -> Iterator[Camera]:
    with camera(tmp_path_factory.mktemp("camera"), browser.browser_type, tour) as found:
        yield found


def differing(taking: Camera, things: list[str], lang: str, width: int) -> dict[str, str]:
    """What does not look as its reference, by night too where all is tried; where the new picture
    was put.
    """
    found = {}
    for thing in things:
        if (lang, width) not in chosen(thing):
            continue
        path = place_of(thing, lang, width)
        if all_of_them():
            seen_by: tuple[Image.Image, ...] = taking.take(thing, lang, width)
        else:
            seen_by = (taking.take_by_day(thing, lang, width),)
        if not path.exists():
            found[thing] = "has no reference"
            continue
        for scheme, meant, image in zip(Both._fields, kept(path), seen_by, strict=False):
            if not is_alike(meant, image):
                seen = Path(tempfile.gettempdir()) / f"{path.stem}.{scheme}.png"
                image.save(seen)
                apart = difference(meant, blocks(image))
                found[f"{thing} by {scheme}"] = f"{apart:.0%} of a place is different: {seen}"
    return found


@pytest.mark.parametrize(("lang", "width", "often"), EACH)
def test_pages_and_letters_look_as_they_are_meant_to(
    taking: Camera, lang: str, width: int, often: bool
) -> None:
    both = [*taking.pages(lang), *taking.letters()]
    things = [thing for thing in both if (lang == OFTEN and not is_seldom(thing)) == often]
    assert differing(taking, things, lang, width) == {}


def test_references_are_many_and_small() -> None:
    files = list(FOLDER.iterdir())
    things = {path.name.rsplit(".", 3)[0] for path in files}
    assert {path.name.split(".")[0] for path in files} == {"page", "letter", "bare"}
    assert {*files} == {place_of(thing, *look) for thing in things for look in chosen(thing)}
    assert {look for thing in things for look in chosen(thing)} == {*LOOKS}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


FAULTS = {
    "a grey button": "document.querySelector('main .button').style.background = 'gray'",
    "a missing line": "document.querySelector('main h2, main .lead').style.visibility = 'hidden'",
    "a missing small line": "document.querySelector('.tables .quiet').style.visibility = 'hidden'",
    "something moved": "document.querySelector('main h1').style.translate = '14px'",
    "another type": "document.querySelector('main').style.fontFamily = 'DejaVu Serif'",
    "paler words": "document.querySelector('main .lead').style.color = '#c8bfb0'",
    "a missing frame": "document.querySelector('main .tables > li').style.border = '0'",
}
"""What somebody would see, on the page of one's own games."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(w, marks=[] if w == PHONE else pytest.mark.rarely) for w in WIDTHS],
)
def meant(
    taking: Camera, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[int, Both]:
    """A width, and the page as it is kept in it."""
    path = tmp_path_factory.mktemp("meant") / "matches.webp"
    whole = taking.take("page.matches", OFTEN, request.param)
    keep(whole, path)
    assert all(map(is_alike, kept(path), whole))
    return request.param, kept(path)


@pytest.mark.xdist_group(f"looks-{OFTEN}")
@pytest.mark.rarely("a missing line", "something moved", "paler words", "a missing frame")
@pytest.mark.parametrize("fault", FAULTS)
def test_what_an_eye_sees_is_seen(
    taking: Camera, meant: tuple[int, Both], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    show, (width, whole) = taking.tour.show, meant

    def spoiled(page: Page, *which: object) -> int:
        status = show(page, *which)  # type: ignore[arg-type]
        page.evaluate(FAULTS[fault])
        return status

    monkeypatch.setattr(taking.tour, "show", spoiled)
    assert not is_alike(whole.day, taking.take_by_day("page.matches", OFTEN, width))


def drawn(shift: int = 0, size: int = 800) -> Image.Image:
    """Some lines of writing."""
    image = Image.new("RGB", (PHONE, size), "#F4EBDD")
    pen = ImageDraw.Draw(image)
    for line in range(20):
        pen.text((10 + shift, 10 + 30 * line), "Bruno laid camp-fire on A5", fill="#2B2622")
    pen.rectangle((20, 650, 140, 690), fill="#9C3D22")
    return image


def test_edges_may_lie_elsewhere() -> None:
    softer = drawn().resize((720, 1600), Image.Resampling.BICUBIC)
    meant = blocks(drawn())
    assert is_alike(meant, softer.resize((PHONE, 800), Image.Resampling.BILINEAR))
    assert is_alike(meant, drawn(shift=1))
    assert not is_alike(meant, drawn(size=760))


def test_day_and_night_come_back(tmp_path: Path) -> None:
    both = Both(drawn(), ImageOps.invert(drawn()))
    keep(both, tmp_path / "two.webp")
    again = kept(tmp_path / "two.webp")
    assert max(map(difference, again, map(blocks, both))) < FEW / 2
    assert not any(map(is_alike, again, reversed(both)))


def test_what_is_too_tall_for_webp_is_kept_too(tmp_path: Path) -> None:
    tall = Image.new("RGB", (90, 17_000), "#8C2F16")
    for now in (False, True):
        folder = tmp_path / ("now" if now else "then")
        folder.mkdir()
        save_whole(Both(tall, tall), folder / "page.long.90.en.webp")
    assert kept(folder / "page.long.90.en.png").day.size == tall.size
    assert compare(tmp_path / "then", tmp_path / "now", tmp_path) == []


def test_what_has_changed_since_is_laid_side_by_side(tmp_path: Path) -> None:
    for name, then, now in (
        ("same.360.en.webp", drawn(), drawn(shift=1)),
        ("moved.360.en.webp", drawn(), drawn(shift=60)),
        ("gone.360.en.webp", drawn(), None),
        ("new.360.en.webp", None, drawn()),
    ):
        for folder, image in (("then", then), ("now", now)):
            (tmp_path / folder).mkdir(exist_ok=True)
            if image is not None:
                beside = Image.new("RGB", (2 * PHONE, image.height))
                beside.paste(image, (0, 0))
                beside.save(tmp_path / folder / name, "WEBP", lossless=True)
    different = compare(tmp_path / "then", tmp_path / "now", tmp_path)
    assert different == ["gone.360.en", "moved.360.en", "new.360.en"]
    with Image.open(tmp_path / "moved.360.en.png") as sheet:
        assert sheet.height > 2 * 800


def test_a_machine_s_own_fonts_do_not_matter(tmp_path: Path) -> None:
    env = {name: str(value) for name, value in known_fonts(tmp_path).items()}
    listed = subprocess.run(["fc-list"], capture_output=True, text=True, check=True, env=env).stdout
    names = {Path(line.partition(":")[0]).name for line in listed.splitlines()}
    assert {"Cabin-Bold.otf", "Cabin-Medium.otf", "DejaVuSansMono.ttf"} <= names
    assert {name.partition("-")[0] for name in names} <= {"Cabin", *DEJAVUS}
