"""The picture of a letter: what is on it, that it is the page's drawing, its bytes."""

from __future__ import annotations

import io
from copy import deepcopy

import pytest
from PIL import Image, ImageChops

from engine.kit.presentation import Marks, Wanted
from service.render.pictures import (
    board_png,
    board_width,
    boards,
    patch_png,
    plot_png,
    specimen_png,
    symbols,
)
from service.render.pictures.drawing import SCALE, rasterise
from service.render.pictures.scenes import svg_of
from service.render.templating import LANGUAGES, presentation_of
from tests.service.pictures.positions import (
    GAME,
    NAMES,
    View,
    count,
    marked,
    middle,
    places_on,
    png,
    recorded,
)

ACCENT = "#B5361A"
LETTER = 160 * 1024
"""What the pictures of one letter may weigh together."""

EXPLAINED, CHOICES = 3, 4
"""The turns of a player that come with a legend, and the choices in a letter with a picture."""

SEEN = 24
"""A difference of colours that an edge may have; more is another drawing."""


def whole(view: View, lang: str = "en") -> Image.Image:
    """The same picture, drawn by the renderer in one go from nested svg elements."""
    scene = presentation_of(GAME).scene(view, Wanted(reader=0), marked(view), full=False)
    svg = svg_of(
        scene, boards.looks_of(GAME, lang), boards.colours_of(GAME), lang, symbols=symbols(GAME)
    )
    return rasterise(svg, "#FBF6EC")


@pytest.mark.rarely(3)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_put_together_from_cells_it_is_what_the_renderer_draws_whole(seats: int, lang: str) -> None:
    view = middle(seats)
    put_together, at_once = png(view, lang=lang), whole(view, lang)
    assert put_together.size == at_once.size
    differing = ImageChops.difference(put_together, at_once).convert("L")
    # Along a tile and a cave shows a little of what lies below: there cells have the plain ground.
    seen = sum(differing.histogram()[SEEN + 1 :])
    assert seen < put_together.width * put_together.height / 100


def test_it_has_the_colours_of_its_surfaces_and_shades_between_them() -> None:
    palette = boards.store_of(GAME, "en").palette
    assert set(boards.colours_of(GAME).values()) <= set(palette.colours)
    assert len(palette.colours) <= 255  # one is left for what a film does not change
    drawn = png(middle(3)).getcolors(1 << 24) or ()
    assert len(drawn) > 128
    for colour in ("#33241C", "#9DB381", "#E3D096", "#8DAE66", "#D88C45"):
        assert count(png(middle(3)), colour) > 500, colour


def test_it_is_twice_as_wide_as_it_is_shown() -> None:
    assert png(middle(3)).width == SCALE * board_width(GAME) == 2 * board_width(GAME)


@pytest.mark.rarely(3)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_letter_can_carry_all_its_pictures(seats: int) -> None:
    views = recorded(f"normal-{seats}")
    for number, view in enumerate(views):
        lang = LANGUAGES[number % len(LANGUAGES)]
        seat = number % seats
        wanted = Wanted(reader=seat, legend=number <= EXPLAINED * seats)
        weight = len(board_png(GAME, view, wanted=wanted, marks=marked(view), lang=lang))
        if laid := view["players"][seat]["board"]["tiles"]:
            last = {laid[-1]["first"], laid[-1]["second"]}
            choice = patch_png(GAME, view, seat=seat, last=last, lang=lang)
            assert choice is not None
            weight += CHOICES * len(choice)
        assert weight <= LETTER, f"position {number}: {weight}"
    end = board_png(GAME, views[-1], wanted=Wanted(reader=0), marks=marked(views[-1]), lang="en")
    plot = plot_png(GAME, views, seat=0, names=NAMES[:seats], lang="en")
    assert len(end) + len(plot) <= LETTER


def test_equal_positions_give_equal_bytes_and_others_others() -> None:
    one, other = recorded("normal-3")[10:12]
    marks = marked(one)
    first = boards.draw(GAME, one, wanted=Wanted(reader=1), marks=marks, lang="en")
    assert (
        boards.draw(GAME, deepcopy(one), wanted=Wanted(reader=1), marks=marks, lang="en") == first
    )
    assert board_png(GAME, one, wanted=Wanted(reader=1), marks=marks, lang="en") == first
    assert board_png(GAME, other, wanted=Wanted(reader=1), marks=marks, lang="en") != first


def test_for_somebody_who_does_not_play_it_is_one_valley_alone() -> None:
    """Names and points beside it would be too small to read on a phone."""
    drawn = Image.open(io.BytesIO(specimen_png(GAME, middle(3), shown=0, lang="en")))
    assert drawn.width == 2 * (10 * 33 + 4)


def test_a_finished_picture_is_not_drawn_again() -> None:
    view = recorded("normal-3")[12]
    first = board_png(GAME, view, wanted=Wanted(reader=1), marks=marked(view), lang="en")
    assert (
        board_png(GAME, deepcopy(view), wanted=Wanted(reader=1), marks=marked(view), lang="en")
        is first
    )


def test_what_is_kept_for_one_reader_is_not_given_to_another() -> None:
    view = middle(3)
    asked = [
        board_png(GAME, view, wanted=Wanted(reader=seat), marks=marked(view), lang=lang)
        for seat in (0, 1, 2)
        for lang in LANGUAGES
    ]
    assert len(set(asked)) == len(asked)


def test_a_picture_for_everybody_is_drawn_once_whoever_s_view_it_is_taken_from() -> None:
    public = middle(3)
    own = {**public, "hand": ["what only one of them knows"]}
    marks = marked(public)
    first = board_png(GAME, public, wanted=Wanted(), marks=marks, lang="en")
    assert board_png(GAME, own, wanted=Wanted(), marks=marks, lang="en") is first


@pytest.mark.parametrize("number", range(3))
def test_names_are_on_it(number: int) -> None:
    view = middle(3)
    names = list(NAMES[:3])
    names[number] = ""
    without = boards.draw(GAME, view, wanted=Wanted(reader=0), marks=Marks(names=names), lang="en")
    row = (58, 36 + 44 * number, 258, 80 + 44 * number)
    named = png(view).crop(row)
    assert named != Image.open(io.BytesIO(without)).convert("RGB").crop(row)
    assert count(named, "#33241C") > 80


@pytest.mark.parametrize(
    ("what", "box"),
    [
        ("score in the list", (612, 36, 660, 80)),
        ("food", (486, 36, 534, 80)),
        ("shelter", (536, 36, 584, 80)),
        ("column A", (84, 222, 120, 246)),
        ("row 5", (40, 530, 66, 564)),
        ("heading of the pool", (44, 668, 240, 700)),
        ("code of a tile in the pool", (4, 776, 60, 806)),
        ("stack", (440, 824, 660, 858)),
    ],
)
def test_words_and_numbers_are_drawn(what: str, box: tuple[int, int, int, int]) -> None:
    region = png(middle(3)).crop(box)
    assert sum(value < 110 for value in region.convert("L").tobytes()) > 20, what


def test_the_language_is_on_it() -> None:
    view = middle(3)
    box = (44, 668, 240, 700)
    assert png(view, lang="en").crop(box) != png(view, lang="fr").crop(box)


def test_the_last_turn_is_marked_on_every_board() -> None:
    view = middle(3)
    plain = count(png(view), ACCENT)
    for seat, player in enumerate(view["players"]):
        last = {seat: frozenset(places_on(player["board"])[-2:])}
        assert count(png(view, last=last), ACCENT) > plain + 100, f"seat {seat}"


def test_another_board_can_be_the_big_one() -> None:
    view = middle(3)
    big = (2, 184, 662, 646)
    shown = png(view, seat=0, shown=1)
    assert shown.crop(big) == png(view, seat=1).crop(big) != png(view, seat=0).crop(big)


def test_a_spectator_sees_who_is_to_move() -> None:
    view = middle(3)
    big = (2, 184, 662, 646)
    assert png(view, seat=None).crop(big) == png(view, seat=view["to_move"]).crop(big)


@pytest.mark.parametrize("change", ["bear", "food", "cave", "fight token", "claimed", "abandoned"])
def test_everything_of_a_position_can_be_seen(change: str) -> None:
    view = middle(2)
    other = deepcopy(view)
    player = other["players"][0]
    board = player["board"]
    if change == "bear":
        covered = {*places_on(board), *board["bears"]}
        board["bears"] = [
            *board["bears"],
            next(c + r for c in "ABCDEFGH" for r in "12345" if c + r not in covered),
        ]
    elif change == "food":
        board["rows"][0] = board["rows"][0].replace("p1", "p2").replace("f2", "f3")
    elif change == "cave":
        open_cave = next(c for c in board["caves"] if c["name"] not in places_on(board))
        open_cave["token"] = None if open_cave["token"] else "hunt"
    elif change == "fight token":
        player["pool"][0]["tokens"] = [0, 1]
    elif change == "claimed":
        player["claimed"] = [*player["claimed"], "feast"]
    elif change == "abandoned":
        board["tribe"] += 1
    assert png(other).tobytes() != png(view).tobytes()


@pytest.mark.rarely("normal-4", "all-out-3")
@pytest.mark.parametrize("name", ["normal-2", "normal-4", "one-out-2", "all-out-3", "tie-2"])
def test_every_position_can_be_drawn(name: str) -> None:
    for number, view in enumerate(recorded(name)):
        lang = LANGUAGES[number % len(LANGUAGES)]
        assert png(view, seat=number % len(view["players"]), lang=lang).height > 0


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "a\x00b\x1b[31m",
        "\u202eevil",
        "W" * 60,
        "山田",
        "😀",
        "",
        "&amp;\"'",
    ],
)
def test_any_name_makes_a_picture(name: str) -> None:
    view = middle(2)
    raw = boards.draw(
        GAME, view, wanted=Wanted(reader=0), marks=Marks(names=[name, "Bo"]), lang="fr"
    )
    image = Image.open(io.BytesIO(raw))
    image.load()
    assert image.size == png(view).size
