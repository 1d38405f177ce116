"""How a match went, as curves: they are those of the positions, in letters and on pages."""

from __future__ import annotations

import io
import re
from copy import deepcopy
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from engine.sapiens.presentation import ranked
from service.render.pictures import board_width, plot_alt, plot_png, plot_svg, plots, symbols
from service.render.pictures.boards import store_of
from service.render.pictures.drawing import SCALE
from service.render.templating import LANGUAGES
from tests.service.pictures.positions import GAME, NAMES, count, recorded

SVG = "{http://www.w3.org/2000/svg}"
FOOD, SHELTER = "#B5442A", "#5C544B"
LARGEST = 16 * 1024

parsed = ET.fromstring


def svg(name: str, seat: int | None = 0, lang: str = "en") -> ET.Element:
    views = recorded(name)
    names = NAMES[: len(views[0]["players"])]
    return parsed(plot_svg(GAME, views, seat=seat, names=names, lang=lang))


def png(name: str, lang: str = "en") -> Image.Image:
    views = recorded(name)
    names = NAMES[: len(views[0]["players"])]
    raw = plot_png(GAME, views, seat=0, names=names, lang=lang)
    return Image.open(io.BytesIO(raw)).convert("RGB")


def read(path: str, field: ET.Element, turns: int) -> list[int]:
    """The points after each turn that a line in a field tells, by its own measure."""
    marks = {}
    for text in field.iter(f"{SVG}text"):
        if text.attrib.get("font-size") == "10.5" and (text.text or "").isdigit():
            marks[int(text.text or "")] = float(text.attrib["y"]) - 4
    most = max(marks)
    unit = (marks[0] - marks[most]) / most
    floor = next(e for e in field.iter(f"{SVG}path") if e.attrib.get("stroke") == "#33241C")
    found = re.fullmatch(r"M(\S+) \S+H(\S+)", floor.attrib["d"])
    assert found
    left, right = map(float, found.groups())
    levels = [0] * (turns + 1)
    begun = re.match(r"M\S+ ([\d.]+)", path)
    assert begun
    now, at = float(begun[1]), 0
    for x, y in re.findall(r"H([\d.]+)V([\d.]+)", path):
        turn = round((float(x) - left) * turns / (right - left))
        levels[at:turn] = [round((marks[0] - now) / unit)] * (turn - at)
        now, at = float(y), turn
    levels[at:] = [round((marks[0] - now) / unit)] * (turns + 1 - at)
    return levels


@pytest.mark.parametrize("name", ["normal-2", "normal-3", "normal-4", "one-out-2", "all-out-3"])
def test_its_lines_are_the_points_of_the_positions(name: str) -> None:
    views = recorded(name)
    fields = list(svg(name).iter(f"{SVG}svg"))[1:]
    assert len(fields) == len(views[0]["players"])
    for seat, field in zip(ranked(views[-1]), fields, strict=True):
        for kind, colour in (("fp", FOOD), ("sp", SHELTER)):
            line = next(
                e.attrib["d"] for e in field.iter(f"{SVG}path") if e.get("stroke") == colour
            )
            wanted = [view["players"][seat][kind] for view in views]
            assert read(line, field, len(views) - 1) == wanted, (seat, kind)


def test_the_two_lines_differ_without_colour() -> None:
    field = list(svg("normal-2").iter(f"{SVG}svg"))[1]
    dashed = {e.get("stroke"): "stroke-dasharray" in e.attrib for e in field.iter(f"{SVG}path")}
    assert dashed[SHELTER]
    assert not dashed[FOOD]


@pytest.mark.parametrize("name", ["normal-2", "normal-4"])
def test_its_numbers_keep_apart(name: str) -> None:
    for field in list(svg(name).iter(f"{SVG}svg"))[1:]:
        ends = [
            float(text.attrib["y"])
            for text in field.iter(f"{SVG}text")
            if text.get("fill") in (FOOD, SHELTER) and text.get("font-weight")
        ]
        assert len(ends) == 2
        assert abs(ends[0] - ends[1]) >= 11.9


def test_a_letter_can_carry_it() -> None:
    palette = {tuple(bytes.fromhex(c[1:])) for c in store_of(GAME, "en").palette.colours}
    for name in ("normal-2", "normal-3", "normal-4"):
        image = png(name)
        assert image.width == SCALE * board_width(GAME)
        assert {colour for _, colour in image.getcolors(1 << 24) or ()} <= palette
        names = NAMES[: int(name[-1])]
        assert len(plot_png(GAME, recorded(name), seat=0, names=names, lang="en")) <= LARGEST


def test_it_shows_lines_words_and_whose_they_are() -> None:
    image = png("normal-2")
    assert count(image, FOOD) > 2000
    assert count(image, SHELTER) > 2000
    assert count(image.crop((36, 48, 70, 86)), "#B5442A") > 300
    assert count(image.crop((76, 48, 200, 86)), "#33241C") > 150
    words = (80, 4, 210, 40)
    assert image.crop(words) != png("normal-2", "fr").crop(words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_has_its_title_and_what_it_says_and_needs_no_style(lang: str) -> None:
    root = svg("normal-3", lang=lang)
    assert root.attrib["role"] == "img"
    said = plot_alt(GAME, recorded("normal-3"), seat=0, names=NAMES[:3], lang=lang)
    assert root.findtext(f"{SVG}desc") == said
    assert root.findtext(f"{SVG}title")
    assert not [e for e in root.iter() if e.tag in (f"{SVG}style", f"{SVG}script")]
    known = {s.attrib["id"] for s in parsed(symbols(GAME)).iter(f"{SVG}symbol")}
    assert {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} <= known


def test_in_words_it_tells_everybodys_way() -> None:
    views = recorded("normal-2")
    said = plot_alt(GAME, views, seat=1, names=NAMES[:2], lang="en")
    half = (len(views) - 1) // 2
    for number, name in ((0, "Élise"), (1, "You")):
        for turn in (half, len(views) - 1):
            them = views[turn]["players"][number]
            pattern = rf"{name}: [^.]*after {turn} turns {them['fp']} and {them['sp']}\b"
            assert re.search(pattern, said), (name, turn)
    assert "You" not in plot_alt(GAME, views, seat=None, names=NAMES[:2], lang="en")


def test_equal_matches_give_equal_bytes_and_are_drawn_once() -> None:
    views = recorded("normal-3")
    first = plots.draw(GAME, views, seat=0, names=NAMES[:3], lang="en")
    assert plots.draw(GAME, deepcopy(views), seat=0, names=NAMES[:3], lang="en") == first
    kept = plot_png(GAME, views, seat=0, names=NAMES[:3], lang="en")
    assert kept == first
    assert plot_png(GAME, deepcopy(views), seat=0, names=NAMES[:3], lang="en") is kept
    assert plot_png(GAME, views, seat=1, names=NAMES[:3], lang="en") != first
    assert plot_png(GAME, views[:-1], seat=0, names=NAMES[:3], lang="en") != first


@pytest.mark.parametrize("turns", [0, 1])
def test_a_match_that_has_hardly_begun_can_be_drawn(turns: int) -> None:
    raw = plot_png(GAME, recorded("normal-2")[: turns + 1], seat=None, names=(), lang="fr")
    assert Image.open(io.BytesIO(raw)).width == SCALE * board_width(GAME)


def test_names_are_text_and_nothing_else() -> None:
    drawn = plot_svg(GAME, recorded("normal-2"), seat=0, names=["<b>a&b</b>", "\u202ex"], lang="en")
    assert "<b>" not in drawn
    assert "<b>a&b</b>" in [text.text for text in parsed(drawn).iter(f"{SVG}text")]
