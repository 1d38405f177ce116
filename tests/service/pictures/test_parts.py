"""The parts that pictures are made with, each alone."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFont

import service.render.pictures
from engine.games import games
from engine.kit import scene as kit
from engine.kit.scene import Bar, Item, Layer, Scene
from service.render.pictures import png
from service.render.pictures.cards import ROOM
from service.render.pictures.cells import Cell, Frame, Rect, framed
from service.render.pictures.drawing import CellStore, compose
from service.render.pictures.fonts import FILES, WIDEST, drawable
from service.render.pictures.palette import FLAT, Palette, counts_of, fitted
from service.render.pictures.png import encode
from service.render.pictures.scenes import svg_of
from service.render.pictures.store import PictureStore
from service.render.templating import environment

FEW = ("#000000", "#FFFFFF", "#C4573D")
MANY = tuple(f"#{n:02X}{255 - n:02X}40" for n in range(0, 240, 12))
ROLES = {"paper": "#FFFFFF", "bar": "#C4573D"}
LOOKS = (
    environment("en")
    .from_string(
        '{% macro square(colour) %}<path d="M0 0H2V2H0Z" fill="{{ colour }}"/>{% endmacro %}'
    )
    .module
)


def square(colour: str) -> str:
    return f'<path d="M0 0H2V2H0Z" fill="{colour}"/>'


def picture(colours: tuple[str, ...], placed: list[tuple[int, int, Cell]]) -> Image.Image:
    palette = Palette(colours)
    frame = Frame(8, 6, colours[1])
    rows = compose(frame, placed, CellStore("", palette))
    return Image.open(io.BytesIO(encode(rows, 16, 12, palette)))


@pytest.mark.parametrize(("colours", "depth"), [(FEW, 4), (MANY, 8)])
def test_a_png_holds_the_pixels_of_its_cells(colours: tuple[str, ...], depth: int) -> None:
    cell = Cell(2, 2, square, (colours[2],))
    image = picture(colours, [(1, 1, cell), (5, 3, cell)])
    assert Palette(colours).depth == depth
    assert image.mode == "P"
    rgb = image.convert("RGB")
    inside = tuple(bytes.fromhex(colours[2][1:]))
    outside = tuple(bytes.fromhex(colours[1][1:]))
    for y in range(12):
        for x in range(16):
            covered = (2 <= x < 6 and 2 <= y < 6) or (10 <= x < 14 and 6 <= y < 10)
            assert rgb.getpixel((x, y)) == (inside if covered else outside), (x, y)


def test_large_pictures_are_packed_more_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    palette = Palette(FEW)
    rows = b"".join(bytes((0, *(at * row % 7 for at in range(64)))) for row in range(128))
    usual = encode(rows, 128, 128, palette)
    monkeypatch.setattr(png, "LARGE", 0)
    closely = encode(rows, 128, 128, palette)
    assert len(closely) < len(usual)
    read = [Image.open(io.BytesIO(raw)).convert("RGB").tobytes() for raw in (usual, closely)]
    assert read[0] == read[1]


def test_what_lies_later_covers_what_lies_below() -> None:
    red, black = Cell(2, 2, square, ("#C4573D",)), Cell(2, 2, square, ("#000000",))
    assert picture(FEW, [(0, 0, red), (0, 0, black)]).convert("RGB").getpixel((1, 1)) == (0, 0, 0)
    assert picture(FEW, [(0, 0, black), (0, 0, red)]).convert("RGB").getpixel((1, 1)) != (0, 0, 0)


def test_a_cell_is_drawn_once() -> None:
    drawn = []

    def told(colour: str) -> str:
        drawn.append(colour)
        return square(colour)

    store = CellStore("", Palette(FEW))
    frame = Frame(8, 6, "#FFFFFF")
    for _ in range(3):
        compose(frame, [(0, 0, Cell(2, 2, told, ("#000000",)))] * 2, store)
    assert drawn == ["#000000"]


def test_cells_not_used_for_longest_go_first() -> None:
    drawn = []

    def told(number: int) -> str:
        drawn.append(number)
        return f'<path d="M0 0H{number}V1H0Z"/>'

    frame = Frame(8, 6, "#FFFFFF")
    store = CellStore("", Palette(FEW), kept_bytes=2 * 8 * 4)
    cells = [Cell(8, 2, told, (number,)) for number in range(1, 4)]
    for cell in (cells[0], cells[1], cells[0], cells[2], cells[0], cells[1]):
        compose(frame, [(0, 0, cell)], store)
    assert drawn == [1, 2, 3, 2]


def test_pixels_that_languages_share_are_counted_once() -> None:
    drawn = []

    def looks(lang: str) -> list[Cell]:
        def told(number: int) -> str:
            drawn.append((lang, number))
            return f'<path d="M0 0H{number}V1H0Z"/>'

        return [Cell(8, 2, told, (number,)) for number in (1, 2)]

    frame = Frame(8, 6, "#FFFFFF")
    store = CellStore("", Palette(FEW), kept_bytes=2 * 8 * 4)
    cells = [*looks("en"), *looks("fr")]
    for cell in (*cells, *cells):
        compose(frame, [(0, 0, cell)], store)
    assert drawn == [("en", 1), ("en", 2), ("fr", 1), ("fr", 2)]


def test_what_sticks_out_of_a_cell_is_cut_off() -> None:
    wide = Cell(2, 2, lambda: '<path d="M-5 -5H50V50H-5Z" fill="#C4573D"/>', ())
    rgb = picture(FEW, [(4, 2, wide)]).convert("RGB")
    assert sorted(n for n, _ in rgb.getcolors() or ()) == [16, 16 * 12 - 16]


def scene(*items: Item) -> Scene:
    return Scene(width=8, height=6, layers=(Layer(items=(Bar(0, 0, 8, 6, "paper"), *items)),))


def test_a_scene_of_cells_is_a_frame_and_what_lies_in_it() -> None:
    told = ("#000000",)
    frame, placed = framed(
        scene(Bar(1, 2, 3, 4, "bar"), kit.Cell(5, 1, 2, 2, "square", told)), LOOKS, ROLES
    )
    assert frame == Frame(8, 6, "#FFFFFF", (Rect(1, 2, 3, 4, "#C4573D"),))
    ((x, y, cell),) = placed
    assert (x, y, cell.width, cell.height, cell.markup()) == (5, 1, 2, 2, square("#000000"))


@pytest.mark.parametrize(
    ("item", "error"),
    [(Bar(0, 0, 1, 1, "none"), KeyError), (kit.Cell(0, 0, 1, 1, "none"), AttributeError)],
)
def test_what_no_template_knows_is_refused(item: Item, error: type[Exception]) -> None:
    with pytest.raises(error):
        framed(scene(item), LOOKS, ROLES)


def test_cells_side_by_side_are_one_element_of_a_page_if_they_keep_within_their_size() -> None:
    colours = ("#000000", "#C4573D", "#000000")
    one = square("#000000")
    for tight in (True, False):
        cells = [
            kit.Cell(1 + 2 * number, 2, 2, 4, "square", (colour,), tight)
            for number, colour in enumerate(colours)
        ]
        svg = svg_of(scene(*cells), LOOKS, ROLES, "en")
        row = '<svg x="1" y="2" width="6" height="4" aria-hidden="true">'
        row += '<g transform="translate(0 0)">'
        alone = f'<svg x="1" y="2" width="2" height="4" aria-hidden="true">{one}</svg>'
        assert (row + one in svg, alone in svg) == (tight, not tight)


def test_a_palette_has_what_is_named_and_what_is_flat_and_the_rest_nearly() -> None:
    image = Image.new("RGB", (256, 40), "#C4573D")
    image.paste("#336699", (0, 0, 256, 10))
    for x in range(256):  # what lies between: every shade a little
        image.paste((x, x, 255 - x), (x, 20, x + 1, 22))
    palette = fitted(image, ("#ABCDEF",), 64)
    assert palette.colours[0] == "#ABCDEF"
    assert {"#C4573D", "#336699"} <= set(palette.colours[:FLAT])
    assert len(palette.colours) <= 64
    seen = Image.frombytes("P", image.size, palette.packed(image).tobytes())
    seen.putpalette(palette.rgb)
    differing = ImageChops.difference(seen.convert("RGB"), image)
    assert max(differing.tobytes()) <= 32


@pytest.mark.parametrize("colours", [("#000000", "#FFFFFF"), tuple(f"#{n:06X}" for n in range(99))])
def test_rows_are_the_packed_pixels_each_behind_a_byte(colours: tuple[str, ...]) -> None:
    palette = Palette(colours)
    image = Image.radial_gradient("L").resize((10, 7)).convert("RGB")
    wide = palette.bytes_for(10)
    pixels, rows = palette.packed(image).tobytes(), palette.rows(image)
    assert [rows[at] for at in range(0, len(rows), wide + 1)] == [0] * 7
    there = (rows[at + 1 : at + 1 + wide] for at in range(0, len(rows), wide + 1))
    assert b"".join(there) == pixels


@pytest.mark.parametrize("size", [(16, 16), (9, 7), (3, 1)])
def test_the_pixels_of_each_colour_are_counted(size: tuple[int, int]) -> None:
    image = Image.frombytes(
        "P", size, bytes(number * 7 % 256 for number in range(size[0] * size[1]))
    )
    assert counts_of(image) == image.histogram()


@pytest.mark.parametrize("colours", [(), tuple(f"#{n:06X}" for n in range(257))])
def test_a_palette_has_1_to_256_colours(colours: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        Palette(colours)


def test_pictures_not_asked_for_longest_go_first() -> None:
    store = PictureStore(5)
    store.put(b"a", b"12")
    store.put(b"b", b"34")
    assert store.get(b"a") == b"12"
    store.put(b"c", b"56")
    assert (store.get(b"a"), store.get(b"b"), store.get(b"c")) == (b"12", None, b"56")
    store.put(b"c", b"7")
    store.put(b"d", b"89")
    assert store.get(b"a") == b"12"


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Zoé", "Zoé"),
        ("Zoe\u0301", "Zoé"),
        ("  a \t b ", "a b"),
        ("Ǻsa ǟ", "Asa a"),
        ("\u202eab\u0000", "ab"),
        ("山田", "?"),
        ("山 Anna", "Anna"),
        ("...", "?"),
        ("", "?"),
        ("Maximilienne", "Maximilienne"),
    ],
)
def test_names_are_drawn_as_far_as_the_typeface_goes(name: str, drawn: str) -> None:
    assert drawable(name, "?") == drawn


@pytest.mark.parametrize("room", [WIDEST, ROOM])
@pytest.mark.parametrize("letter", ["W", "i", "m", "é"])
def test_a_name_is_cut_where_its_room_ends(letter: str, room: float) -> None:
    bold = ImageFont.truetype(FILES[1], 100)
    cut = drawable(letter * 99, "?", room)
    assert cut.endswith("…")
    assert bold.getlength(cut) <= 100 * room < bold.getlength(letter + cut)


def test_no_game_is_named_here() -> None:
    folder = Path(service.render.pictures.__file__).parent
    for path in folder.glob("*.py"):
        for key in games():
            assert not re.search(key, path.read_text("utf-8"), re.IGNORECASE), path.name
