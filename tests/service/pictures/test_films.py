"""A whole match in motion: every position, in one file that can be shared."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import pytest
from PIL import Image, ImageChops

from service.render.pictures import film_alt, film_gif, films, gif, symbols
from service.render.pictures.boards import colours_of, looks_of
from service.render.pictures.cells import Cell, Frame
from service.render.pictures.drawing import CellStore, rasterise
from service.render.pictures.gif import Shot
from service.render.pictures.palette import Palette
from service.render.pictures.scenes import svg_of
from service.render.templating import LANGUAGES, presentation_of
from tests.service.pictures.positions import GAME, NAMES, View, count, recorded

LARGEST = 1 << 20
SEEN = 24
"""A difference of colours that an edge may have; more is another drawing."""
ACCENT = "#B5361A"


def film(name: str, lang: str = "en") -> Image.Image:
    views = recorded(name)
    seats = len(views[0]["players"])
    return Image.open(io.BytesIO(film_gif(GAME, views, names=NAMES[:seats], lang=lang)))


def shot(image: Image.Image, number: int) -> Image.Image:
    image.seek(number)
    return image.convert("RGB")


def whole(view: View, before: View | None) -> Image.Image:
    """The same position, drawn by the renderer in one go."""
    scene = presentation_of(GAME).film(view, before, NAMES[: len(view["players"])])
    svg = svg_of(scene, looks_of(GAME, "en"), colours_of(GAME), "en", symbols=symbols(GAME))
    return rasterise(svg, "#FBF6EC")


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.rarely) for name in ("normal-3", "normal-4")),
        *("normal-2", "one-out-2"),
    ],
)
def test_every_position_is_in_it_whole(name: str) -> None:
    views = recorded(name)
    image = film(name)
    assert image.n_frames == len(views)  # type: ignore[attr-defined]
    for number in range(len(views)):
        seen = shot(image, number)
        if number % 18 and number + 1 < len(views):
            continue
        wanted = whole(views[number], views[number - 1] if number else None)
        assert seen.size == wanted.size
        differing = ImageChops.difference(seen, wanted).convert("L").histogram()
        assert sum(differing[SEEN + 1 :]) < seen.width * seen.height / 100, number


@pytest.mark.rarely("normal-3")
@pytest.mark.parametrize("name", ["normal-2", "normal-3", "normal-4"])
def test_it_can_be_shared(name: str) -> None:
    seats = int(name[-1])
    assert len(film_gif(GAME, recorded(name), names=NAMES[:seats], lang="fr")) <= LARGEST


def test_the_end_is_seen_for_longest_and_it_begins_again() -> None:
    image = film("normal-2")
    times = []
    for number in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(number)
        times.append(image.info["duration"])
    assert set(times[:-1]) == {films.TURN_MS}
    assert times[-1] == films.END_MS
    assert image.info["loop"] == 0


def test_what_was_laid_in_a_turn_is_marked_in_its_picture_alone() -> None:
    views = recorded("normal-2")
    image = film("normal-2")
    laid = [sum(len(player["board"]["tiles"]) for player in view["players"]) for view in views]
    number = next(n for n in range(3, len(views)) if laid[n] > laid[n - 1])
    pointer = count(shot(image, 0), ACCENT)
    assert count(shot(image, number), ACCENT) > pointer + 200
    again = film_gif(GAME, [views[number], views[number]], names=NAMES[:2], lang="en")
    assert count(shot(Image.open(io.BytesIO(again)), 1), ACCENT) < pointer + 200


def test_a_bear_that_has_come_is_marked() -> None:
    view = deepcopy(recorded("normal-2")[12])
    come = deepcopy(view)
    come["players"][0]["board"]["bears"].append("H5")
    raw = film_gif(GAME, [view, come, deepcopy(come)], names=NAMES[:2], lang="en")
    marked = [count(shot(Image.open(io.BytesIO(raw)), number), ACCENT) for number in range(3)]
    assert marked[1] > marked[0] + 200
    assert marked[2] == marked[0]


def test_equal_matches_give_equal_bytes_and_others_others() -> None:
    views = recorded("tie-2")
    first = films.draw(GAME, views, names=NAMES[:2], lang="en")
    assert films.draw(GAME, deepcopy(views), names=NAMES[:2], lang="en") == first
    kept = film_gif(GAME, views, names=NAMES[:2], lang="en")
    assert kept == first
    assert film_gif(GAME, deepcopy(views), names=NAMES[:2], lang="en") is kept
    others = [
        film_gif(GAME, views[:-1], names=NAMES[:2], lang="en"),
        film_gif(GAME, views, names=NAMES[1:3], lang="en"),
        film_gif(GAME, views, names=NAMES[:2], lang="fr"),
    ]
    assert len({first, *others}) == 4


def test_its_cells_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    views = recorded("normal-3")
    drawn: list[Cell] = []
    draw = CellStore._draw

    def counted(self: CellStore, frame: Frame, missing: Iterable[Cell]) -> Any:
        drawn.extend(missing)
        return draw(self, frame, missing)

    films.draw(GAME, views, names=NAMES[:3], lang="en")
    monkeypatch.setattr(CellStore, "_draw", counted)
    films.draw(GAME, views, names=NAMES[:3], lang="en")
    assert not drawn


def test_a_match_that_has_only_begun_is_one_picture() -> None:
    raw = film_gif(GAME, recorded("normal-2")[:1], names=NAMES[:2], lang="en")
    assert Image.open(io.BytesIO(raw)).n_frames == 1  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="one position"):
        films.draw(GAME, (), names=(), lang="en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_words_it_says_how_long_and_how_it_ended(lang: str) -> None:
    views = recorded("normal-3")
    said = film_alt(GAME, views, names=NAMES[:3], lang=lang)
    assert "\n" not in said
    assert str(len(views) - 1) in said
    for player, name in zip(views[-1]["players"], NAMES, strict=False):
        assert re.search(rf"{name}.?: (?:\w+\s)?{player['fp']}\b[^.]*\b{player['sp']}\b", said)


FEW = ("#000000", "#FFFFFF", "#C4573D")
MANY = tuple(f"#{n:02X}{255 - n:02X}40" for n in range(0, 240, 12))


@pytest.mark.parametrize("colours", [FEW, MANY])
def test_pictures_of_numbers_come_back_from_a_gif(colours: tuple[str, ...]) -> None:
    palette = Palette(colours)
    width, height = 4, 3

    def rows(number: int, spot: int | None = None) -> bytes:
        flat = bytes([palette.byte_of(colours[number])]) * palette.bytes_for(width)
        lines = [flat] * height
        if spot is not None:
            lines[1] = bytes([palette.byte_of(colours[spot])]) + flat[1:]
        return b"".join(b"\0" + line for line in lines)

    shots = [Shot(rows(0), 100), Shot(rows(0, 2), 100), Shot(rows(0, 2), 100), Shot(rows(1), 200)]
    image = Image.open(io.BytesIO(gif.encode(iter(shots), width, height, palette)))
    assert [shot(image, n).getpixel((0, 1)) for n in range(4)] == [
        tuple(bytes.fromhex(colours[n][1:])) for n in (0, 2, 2, 1)
    ]
    assert {shot(image, n).getpixel((3, 2)) for n in range(3)} == {
        tuple(bytes.fromhex(colours[0][1:]))
    }


def test_a_film_needs_a_picture_and_a_colour_to_spare() -> None:
    with pytest.raises(ValueError, match="at least one"):
        gif.encode(iter(()), 2, 2, Palette(FEW))
    full = Palette([f"#{n:06X}" for n in range(256)])
    with pytest.raises(ValueError, match="255"):
        gif.encode([Shot(bytes(6), 100)], 2, 2, full)
