"""The same drawing in a page."""

from __future__ import annotations

from copy import deepcopy
from xml.etree import ElementTree as ET

import pytest

from engine.kit.presentation import Marks, Wanted
from service.render.pictures import board_alt, board_svg, board_width, glance_svg, symbols
from service.render.templating import LANGUAGES
from tests.service.pictures.positions import GAME, NAMES, marked, middle, recorded

parsed = ET.fromstring
SVG = "{http://www.w3.org/2000/svg}"
FALLBACK = {"en": ("Red", "Yellow"), "fr": ("Rouge", "Jaune")}


def drawn(seats: int = 3, lang: str = "en", **more: object) -> ET.Element:
    view = middle(seats)
    return parsed(
        board_svg(GAME, view, wanted=Wanted(reader=0), marks=marked(view, **more), lang=lang)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_an_image_with_a_title_and_what_it_says(lang: str) -> None:
    view = middle(3)
    root = drawn(lang=lang)
    assert root.attrib["role"] == "img"
    assert root.attrib["width"] == str(board_width(GAME))
    assert root.find(f"{SVG}title") is not None
    said = board_alt(GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang=lang)
    assert root.findtext(f"{SVG}desc") == said


@pytest.mark.rarely("normal-3")
@pytest.mark.parametrize("name", ["normal-2", "normal-3", "normal-4", "one-out-2"])
def test_it_uses_no_symbol_that_is_not_there(name: str) -> None:
    known = {s.attrib["id"] for s in parsed(symbols(GAME)).iter(f"{SVG}symbol")}
    for view in recorded(name)[::5]:
        root = parsed(
            board_svg(
                GAME,
                view,
                wanted=Wanted(reader=0),
                marks=marked(view),
                lang="fr",
                with_symbols=False,
            )
        )
        used = {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")}
        assert used <= known
        assert not list(root.iter(f"{SVG}symbol"))


def test_with_its_symbols_it_stands_alone() -> None:
    root = drawn()
    known = [s.attrib["id"] for s in root.iter(f"{SVG}symbol")]
    assert len(known) == len(set(known))
    assert {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} <= set(known)


@pytest.mark.parametrize(("lang", "short"), [("en", "Wa"), ("fr", "Ea")])
def test_a_glance_is_short_for_the_words_of_its_reader(lang: str, short: str) -> None:
    view, seat = deepcopy(recorded("normal-3")[-1]), 0
    board = view["players"][seat]["board"]
    assert any("water" in tile["tile"] for tile in board["tiles"])
    board["tribe"] += 1
    root = parsed(glance_svg(GAME, view, seat=seat, lang=lang))
    assert {"Wa", "Ea"} & {text.text for text in root.iter(f"{SVG}text")} == {short}


def test_it_needs_no_style_and_runs_nothing() -> None:
    root = drawn()
    assert not [e for e in root.iter() if e.tag in (f"{SVG}style", f"{SVG}script", f"{SVG}image")]
    assert not [name for e in root.iter() for name in e.attrib if name.startswith("on")]


def test_a_page_shows_more_of_the_others_than_a_letter() -> None:
    view = deepcopy(middle(4))
    for player in view["players"]:
        player["steaks"] = 1
    shown = board_svg(GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang="en")
    root = parsed(shown)
    assert len([t for t in root.iter(f"{SVG}use") if t.attrib["href"] == "#s-steak"]) == 4


def test_names_are_text_and_nothing_else() -> None:
    view = middle(2)
    svg = board_svg(
        GAME, view, wanted=Wanted(reader=0), marks=Marks(names=["<b>a&b</b>", "\u202ex"]), lang="en"
    )
    assert "<b>" not in svg
    texts = [text.text for text in parsed(svg).iter(f"{SVG}text")]
    assert "<b>a&b</b>" in texts
    assert "x" in texts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_players_without_a_name_are_called_by_their_colour(lang: str) -> None:
    view = middle(2)
    svg = board_svg(GAME, view, wanted=Wanted(reader=None), marks=Marks(), lang=lang)
    texts = {text.text for text in parsed(svg).iter(f"{SVG}text")}
    assert set(FALLBACK[lang]) <= texts
    assert not texts & set(NAMES)


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", {"Score", "Your pool"}), ("fr", {"Score", "Ta réserve"})],
)
def test_labels_are_in_the_readers_language(lang: str, expected: set[str]) -> None:
    assert expected <= {text.text for text in drawn(lang=lang).iter(f"{SVG}text")}
