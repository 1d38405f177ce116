"""Maps: two made-up boards as pictures of letters, in pages, and in words."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from jinja2.environment import TemplateModule
from markupsafe import Markup
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageColor, ImageStat

from engine.kit.presentation import HasSpecimen
from engine.kit.scene import (
    SEATS,
    Arrow,
    Card,
    Form,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    Scene,
    Token,
    walk,
)
from engine.kit.shapes import Box, Point
from service.matches.samples import sample_of
from service.render.pictures import Touchable, drawing, gif, maps, specimen_png, store
from service.render.pictures.cells import INK
from service.render.pictures.gif import Shot
from service.render.pictures.maps import Drawer, Sprite, is_map, sprites
from service.render.pictures.png import encode
from service.render.pictures.scenes import svg_of
from service.render.pictures.themes import PREFIX, Theme, colours_of, palette_of
from service.render.templating import LANGUAGES, ROOT, environment, presentation_of
from tests.engine.kit.scenes import FULL, hex_id, regions, valley

parsed = ET.fromstring
LOOKS = Path(__file__).parent / "looks.svg"
WORDS = """
{% macro place(place) %}{{ place.name }}{% endmacro %}
{% macro ground(place) %}{{ place.ground }}{% endmacro %}
{% macro thing(token) -%}
{% if token.seat is not none %}seat {{ token.seat }}: {% endif %}
{{- token.counts|join(" + ") or "a" }} {{ token.look }}
{%- endmacro %}
{% macro veil(colour) %}{{ colour }}{% endmacro %}
{% macro across(kind) %}{{ kind.value }}{% endmacro %}
"""
LARGEST = 160 << 10
"""Bytes for the pictures of one letter together."""

SCENES = {
    "valley": valley(),
    "map": regions(),
    "part": regions(360, Box(0, 0, 260, 300)),
    "overview": regions(small=True),
}


@cache
def looks() -> TemplateModule:
    return environment("en").from_string(LOOKS.read_text("utf-8")).module


def fresh(folder: Path | None = None) -> Drawer:
    """A drawer that has drawn nothing yet."""
    return Drawer(looks(), "en", Theme.DAY, folder)


@cache
def drawer(theme: Theme = Theme.DAY) -> Drawer:
    return Drawer(looks(), "en", theme)


def png(image: Image.Image, theme: Theme = Theme.DAY) -> bytes:
    palette = palette_of(theme)
    packed = palette.packed(image)
    rows = Image.new("L", (packed.width + 1, packed.height))
    rows.paste(packed, (1, 0))
    return encode(rows.tobytes(), image.width, image.height, palette)


def apart(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ, in grey levels of each pixel in the mean."""
    difference = ImageChops.difference(one.convert("L"), other.convert("L"))
    return float(ImageStat.Stat(difference).mean[0])


@pytest.mark.parametrize("theme", [Theme.DAY, Theme.NIGHT])
@pytest.mark.parametrize("name", SCENES)
def test_a_letter_can_carry_it(name: str, theme: Theme) -> None:
    scene = SCENES[name]
    assert is_map(scene)
    image = drawer(theme).image(scene)
    assert image.size == (2 * scene.width, 2 * scene.height)
    raw = png(image, theme)
    assert len(raw) < LARGEST * 0.6
    # The palette keeps what was drawn: softly, but nowhere in another colour.
    assert apart(Image.open(io.BytesIO(raw)).convert("RGB"), image) < 2


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the renderer is given."""
    found: list[str] = []
    rasterise = drawing.rasterise

    def noted(svg: str, ground: str | None) -> Any:
        found.append(svg)
        return rasterise(svg, ground)

    monkeypatch.setattr(maps, "rasterise", noted)
    return found


def test_a_map_and_its_things_are_drawn_once(drawn: list[str]) -> None:
    own = fresh()
    first = own.image(valley())
    assert len(drawn) == len(set(drawn)) > 2
    drawn.clear()
    assert own.image(valley()) == first
    moved = replace(valley(), layers=valley().layers[:-1])
    assert own.image(moved) != first
    assert not drawn


def test_its_ground_is_drawn_once_for_all_that_lies_beside_it(drawn: list[str]) -> None:
    own, scene = fresh(), valley()
    for more in (100, 140):
        drawn.clear()
        higher = own.image(replace(scene, height=scene.height + more))
        assert higher.size == (scene.width * 2, (scene.height + more) * 2)
        assert higher.getpixel((1, higher.height - 1)) == ImageColor.getrgb(own.colours["paper"])
    assert not drawn


def test_ground_is_looked_at_once_for_all_pictures_of_a_map(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, scene, looked = fresh(), valley(), []

    def key_of(*asked: Any) -> bytes:
        looked.append(asked)
        return store.key_of(*asked)

    monkeypatch.setattr(maps, "key_of", key_of)
    for _ in range(3):
        own.image(scene)
    assert len(looked) == 1
    scene = replace(scene, layers=(replace(scene.layers[0], items=()), *scene.layers[1:]))
    assert own.image(scene) != own.image(valley()), "equal layers alone are known"


def test_a_map_is_kept_for_other_processes(
    drawn: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    first = fresh(tmp_path).image(valley())
    before = list(drawn)
    drawn.clear()
    assert fresh(tmp_path).image(valley()) == first
    assert drawn
    assert {*drawn} < {*before[1:]}, "neither the ground nor what stands on it"
    drawn.clear()
    named = Label(kind=LabelKind.TITLE, at=Point(40, 40), text="Ada", size=9)
    scene = replace(valley(), layers=(*valley().layers, Layer(items=(named,))))
    for _ in range(2):
        fresh(tmp_path).image(scene)
    assert sum("Ada" in svg for svg in drawn) == 2, "nothing is kept of people's names"


@pytest.mark.slow
def test_things_are_drawn_anew_where_there_is_no_room_to_keep_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = fresh().image(valley())
    monkeypatch.setattr(maps, "KEPT_SPRITES", 1)
    assert fresh().image(valley()) == first


def lone(*items: Any) -> Image.Image:
    return drawer().image(Scene(width=60, height=60, layers=(Layer(items=items),)))


@pytest.mark.parametrize("form", Form)
def test_seats_are_told_apart_in_grey(form: Form) -> None:
    tokens = [
        Token(look="person", seat=seat, form=form, counts=(2,), at=Point(30, 30), usual=True)
        for seat in range(6)
    ]
    marks = [lone(token) for token in tokens]
    for one, other in combinations(marks, 2):
        assert apart(one, other) > 0.15


def test_moves_of_seats_are_told_apart_in_grey() -> None:
    ways = [lone(Arrow((Point(10, 10), Point(50, 50)), seat)) for seat in (None, *range(6))]
    for one, other in combinations(ways, 2):
        assert apart(one, other) > 0.3


def test_patterns_of_seats_differ_without_their_colours() -> None:
    patterns = re.findall(r'<pattern id="k-seat-(.*?)</pattern>', drawer().defs, re.DOTALL)
    plain = {re.sub(r"^\d+|#[0-9A-F]{6}", "", pattern) for pattern in patterns}
    assert len(plain) == len(patterns) == 6


def on_pixels(item: Item) -> Item:
    """The same where sprites are put: on whole pixels."""
    if isinstance(item, Token | Label | Card):
        return replace(item, at=Point(round(item.at.x * 2) / 2, round(item.at.y * 2) / 2))
    return item


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_things_lie_in_letters_where_they_lie_on_pages(name: str) -> None:
    scene, own = SCENES[name], drawer()
    # A hand draws each line a little otherwise: what is but lines has a test of its own.
    layers = [
        replace(
            layer,
            items=tuple(
                on_pixels(item) for item in layer.items if not isinstance(item, Mark | Arrow)
            ),
        )
        for layer in scene.layers
    ]
    put_together = own.image(replace(scene, layers=tuple(layers)))
    at_once = own.image(replace(scene, layers=tuple(replace(one, kept=True) for one in layers)))
    assert apart(put_together, at_once) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_nothing_of_a_thing_is_cut_off(name: str) -> None:
    more = 12
    for item in (item for layer in SCENES[name].layers if not layer.kept for item in layer.items):
        for x, y, sprite in sprites(item, 1.0):
            wide = Sprite(sprite.item, sprite.left - more, sprite.top - more,
                          sprite.width + 2 * more, sprite.height + 2 * more, 1.0)  # fmt: skip
            ink = drawer().sprite(wide)
            if ink.image.getchannel("A").getbbox() is None:
                continue
            left, top = ink.left / 2 - more, ink.top / 2 - more
            right, bottom = left + ink.image.width / 2, top + ink.image.height / 2
            assert left >= 0, item
            assert top >= 0, item
            assert right <= sprite.width, item
            assert bottom <= sprite.height, item
            if isinstance(item, Mark | Arrow):
                drawn = Box(x / 2 + left, y / 2 + top, x / 2 + right, y / 2 + bottom)
                bow = 0.16 * max(item.box.width, item.box.height)
                around = item.box.grown(9 + bow)
                assert around.left <= drawn.left <= drawn.right <= around.right, item
                assert around.top <= drawn.top <= drawn.bottom <= around.bottom, item
                assert drawn.meets(item.box.grown(-item.box.width / 4)), item


def luminance(colour: str) -> float:
    def linear(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(value) for value in bytes.fromhex(colour[1:]))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [Theme.DAY, Theme.NIGHT])
def test_words_are_read_on_what_lies_under_them(theme: Theme) -> None:
    c = colours_of(theme)
    for under in ("casing", "raised", "paper", "sunk"):
        assert contrast(c["ink"], c[under]) >= 4.5, under
    for seat in SEATS:
        assert contrast(c["on_seat"], c[f"{seat.colour}_deep"]) >= 4.5, seat.colour
    assert contrast(c["quiet"], c["casing"]) >= 4.5


def test_themes_know_the_same_roles_and_pages_have_both() -> None:
    day, night = colours_of(Theme.DAY), colours_of(Theme.NIGHT)
    assert list(day) == list(night) == list(colours_of(Theme.PAGE))
    sheet = (ROOT / "service" / "web" / "static" / "style.css").read_text("utf-8")
    # The first of each: what stands on a tile has another later.
    set_there = dict(reversed(re.findall(rf"{PREFIX}([a-z-]+): (#[0-9A-F]{{6}});", sheet)))
    assert set_there == {
        role.replace("_", "-"): night[role] for role in day if day[role] != night[role]
    }


def page(scene: Scene, **more: Any) -> ET.Element:
    return parsed(svg_of(scene, looks(), colours_of(Theme.PAGE), "en", **more))


@pytest.mark.parametrize("name", SCENES)
def test_a_page_has_it_as_svg_with_colours_by_day_and_night(name: str) -> None:
    scene = SCENES[name]
    svg = svg_of(scene, looks(), colours_of(Theme.PAGE), "en", alt="A & B")
    root = parsed(svg)
    assert (root.attrib["width"], root.attrib["role"]) == (str(scene.width), "img")
    assert root.findtext("{*}desc") == "A & B"
    assert not [e for e in root.iter() if e.tag.endswith(("style", "script", "image"))]
    roles = {role.replace("_", "-") for role in colours_of(Theme.DAY)}
    assert set(re.findall(rf"var\({PREFIX}([a-z-]+),", svg)) <= roles
    assert not re.search(r'(?:fill|stroke)="#', svg.replace(f'fill="{INK}"', "", 1))
    assert len(svg) < 250_000


def test_places_of_any_shape_are_touched() -> None:
    spots = {
        hex_id(FULL): Touchable(href="/x?1", label="To 33 & on", lit=True),
        hex_id((-3, 0)): Touchable(href="/x?2", label="", lit=False, barred=True),
        "nowhere": Touchable(href="/x?3", label="", lit=True),
    }
    root = page(valley(), spots=spots)
    links = {link.attrib["data-spot"]: link for link in root.findall("{*}a")}
    assert {spot: link.attrib["href"] for spot, link in links.items()} == {
        "33": "/x?1",
        "11": "/x?2",
    }
    assert root.attrib["role"] == "group"
    lit = links["33"]
    assert lit.findtext("{*}title") == "To 33 & on"
    assert len(lit.findall("{*}polygon")) == 2
    assert len(lit.findall("{*}polygon")[0].attrib["points"].split()) == 6


def words(lang: str, template: str, macro: str, *given: Any) -> str:
    env = environment(lang)
    say = env.from_string(WORDS).module
    return str(
        getattr(env.get_template(f"boards/kit/{template}").module, macro)(
            *given[:1], say, *given[1:]
        )
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_walks_every_place(lang: str) -> None:
    table = words(lang, "table.html", "table", walk(valley()), Markup("Valley"))
    root = parsed(table)
    assert root.findtext("caption") == "Valley"
    assert len(root.findall("thead/tr/th")) == 4
    rows = {row.findtext("th"): row for row in root.findall("tbody/tr")}
    assert len(rows) == 37
    full = "".join(rows["33"].itertext())
    for seat in range(6):
        assert f"seat {seat}: {3 + seat} + 2 person" in full
    assert "12 herds" in full
    assert "22 (river)" in "".join(rows["21"].itertext())
    assert {"en": "nothing", "fr": "rien"}[lang] in "".join(rows["74"].itertext())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_list_has_a_line_for_each_place_that_has_something(lang: str) -> None:
    listed = words(lang, "list.txt", "listing", walk(regions()))
    assert all(len(line) <= 72 for line in listed.splitlines())
    flat = re.sub(r"\n  ", " ", listed)
    assert "- Italy, mountain" in flat
    assert "seat 2: a person" in flat
    assert "closed" in flat
    everything = words(lang, "list.txt", "listing", walk(valley()), True)
    assert everything.count("\n- ") == 36
    some = words(lang, "list.txt", "listing", walk(valley()))
    assert some.count("\n- ") < 20


def test_a_map_can_be_a_film() -> None:
    own, palette = drawer(), palette_of(Theme.DAY)
    shots = []
    for scene in (valley(), replace(valley(), layers=valley().layers[:-1])):
        packed = palette.packed(own.image(scene))
        rows = Image.new("L", (packed.width + 1, packed.height))
        rows.paste(packed, (1, 0))
        shots.append(Shot(rows.tobytes(), 100))
    film = Image.open(io.BytesIO(gif.encode(shots, 720, 2 * valley().height, palette)))
    assert film.n_frames == 2  # type: ignore[attr-defined]


def test_words_of_a_map_that_is_touched_are_told_by_its_places_alone() -> None:
    spots = {"33": Touchable(href="/x", label="33", lit=True)}
    root = page(valley(), spots=spots)
    heard = [e for child in root if child.get("aria-hidden") != "true" for e in child.iter()]
    assert not [e for e in heard if e.tag.endswith("}text") and e.get("aria-hidden") != "true"]


def test_a_look_is_told_its_detail_in_letters_too() -> None:
    source = "{% macro ears(token, c) %}<circle r='40' opacity='{{ token.detail }}'/>{% endmacro %}"
    told = Drawer(environment("en").from_string(source).module, "en", Theme.DAY)
    one, other = (
        Token(look="ears", at=Point(x, 20), detail=detail) for x, detail in ((20, "1"), (60, "0"))
    )
    image = told.image(Scene(width=80, height=40, layers=(Layer(items=(one, other)),)))
    assert image.crop((0, 0, 80, 80)).tobytes() != image.crop((80, 0, 160, 80)).tobytes()


@pytest.mark.parametrize("game", ["fire_and_stone", "mammoths"])
def test_a_map_for_somebody_who_does_not_play_is_the_map_alone(game: str) -> None:
    """As wide as a telephone, twice as fine: a table beside it would be too small to read."""
    sample = sample_of(game)
    view = msgspec.to_builtins(sample.game.view(sample.state, None))
    drawn = Image.open(io.BytesIO(specimen_png(game, view, shown=sample.seat, lang="en")))
    presentation = presentation_of(game)
    if isinstance(presentation, HasSpecimen):
        scene = presentation.specimen(view, sample.seat)
        looks = {item.look for item in scene.items if isinstance(item, Token)}
        assert {"explorer", "hut", "tile_down"} <= looks, "what is played with"
    else:
        scene = presentation.glance(view, sample.seat, ())
    assert drawn.width == 2 * scene.width <= 720
