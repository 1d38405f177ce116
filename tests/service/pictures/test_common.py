"""The cells drawn before the first letter: they keep within their size, and are those asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.kit.presentation import Marks, Wanted
from service.render.pictures import board_text, boards, card_png, drawing, warm
from service.render.pictures.cells import Cell, Frame
from service.render.pictures.drawing import CellStore, rasterise
from service.render.templating import LANGUAGES, presentation_of
from tests.service.pictures.positions import GAME, marked, recorded

SOFT = 48
"""A difference of a colour's parts that only a soft edge makes."""

UNCLIPPED = ' overflow="visible" x='


def test_no_cell_says_anything_beyond_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets: dict[tuple[str, str], Image.Image] = {}

    def noted(svg: str, ground: str) -> Any:
        sheets[svg, ground] = rasterise(svg, ground)
        return sheets[svg, ground]

    monkeypatch.setattr(boards, "folder_beside", lambda *_: tmp_path)
    monkeypatch.setattr(drawing, "rasterise", noted)
    boards.store_of.cache_clear()
    boards._fitted.cache_clear()
    view = recorded("normal-4")[-1]
    names = ("WWWWWWWWWWWWWWWW", "Ågård Ørsted-Þórsson", "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiii", "Ĝÿ")
    for lang in LANGUAGES:
        warm(GAME, lang)
        boards.draw(GAME, view, wanted=Wanted(reader=None), marks=Marks(names=names), lang=lang)
        card_png(GAME, view, shown=1, names=names, lang=lang)
    # The common cells, those of the other language, the names of a match and of a card.
    assert len(sheets) == 4
    for (svg, ground), drawn in sheets.items():
        assert svg.count(UNCLIPPED) > 3
        clipped = rasterise(svg.replace(UNCLIPPED, " x="), ground)
        # Edges of things that end with their cell are softer where nothing cuts them.
        assert max(ImageChops.difference(drawn, clipped).tobytes()) <= SOFT


@pytest.mark.rarely(3, "en")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_of_a_match_never_drawn_nothing_is_drawn_but_names(
    seats: int, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Cell] = []
    draw = CellStore._draw

    def noted(self: CellStore, frame: Frame, missing: Iterable[Cell], *kept: Any) -> Any:
        drawn.extend(missing)
        return draw(self, frame, missing, *kept)

    boards.store_of.cache_clear()
    boards._fitted.cache_clear()
    for each in (lang, *LANGUAGES):
        warm(GAME, each)
    monkeypatch.setattr(CellStore, "_draw", noted)
    view, names = recorded(f"normal-{seats}")[0], ("Ann", "Ben", "Cid", "Dee")[:seats]
    for seat in range(seats):
        boards.draw(GAME, view, wanted=Wanted(reader=seat), marks=Marks(names=names), lang=lang)
    others = [cell for cell in drawn if not set(names) & set(map(str, cell.arguments))]
    assert drawn
    assert not others, [(cell.macro, cell.arguments) for cell in others]


@pytest.mark.rarely(3)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_few_cells_are_drawn_once_a_match_has_begun(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Cell] = []
    draw = CellStore._draw

    def counted(self: CellStore, frame: Frame, missing: Iterable[Cell], *kept: Any) -> Any:
        drawn.extend(missing)
        return draw(self, frame, missing, *kept)

    # A store that nobody has filled: what is not used for longest leaves a full one.
    boards.store_of.cache_clear()
    boards._fitted.cache_clear()
    warm(GAME, "en")
    monkeypatch.setattr(CellStore, "_draw", counted)
    views = recorded(f"normal-{seats}")
    for seat in range(seats):
        for view in views[: 2 * seats]:
            boards.draw(GAME, view, wanted=Wanted(reader=seat), marks=marked(view), lang="en")
    drawn.clear()
    later = views[2 * seats :]
    for number, view in enumerate(later):
        boards.draw(GAME, view, wanted=Wanted(reader=number % seats), marks=marked(view), lang="en")
    # A bear is drawn with the square it stands on, of which there are many.
    others = [cell for cell in drawn if not cell.macro.name.startswith("bear")]  # type: ignore[attr-defined]
    assert len(others) < len(later) / 4, [(cell.macro, cell.arguments) for cell in others]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_kept_are_those_that_would_be_said_anew(lang: str) -> None:
    def said() -> list[str]:
        return [
            board_text(
                GAME,
                view,
                wanted=Wanted(reader=seat),
                marks=marked(view, last={0: {"A1", "B1"}}),
                lang=lang,
            )
            for view in recorded("normal-3")[-6:]
            for seat in range(3)
        ]

    kept = said()
    boards._given.cache_clear()
    assert said() == kept
    assert boards._given.cache_info().hits


@pytest.fixture
def forgotten() -> Iterator[None]:
    """The process draws its cells anew for the tests that follow."""
    yield
    boards.store_of.cache_clear()
    boards._fitted.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_the_common_cells_are_drawn_once_for_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(boards, "folder_beside", lambda *_: tmp_path / "pictures")
    # Few: what is kept does not depend on how many they are, and all take seconds each time.
    presentation = presentation_of(GAME)
    few = list(islice(presentation.common(), 40))
    monkeypatch.setattr(presentation, "common", lambda: few)
    view = recorded("normal-3")[0]
    drawn: list[str] = []

    def noted(svg: str, ground: str) -> Any:
        drawn.append(svg)
        return rasterise(svg, ground)

    def start() -> bytes:
        """What a process that has just started draws."""
        drawn.clear()
        boards.store_of.cache_clear()
        boards._fitted.cache_clear()
        warm(GAME, "en")
        return boards.draw(GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang="en")

    monkeypatch.setattr(drawing, "rasterise", noted)
    first = start()
    assert start() == first
    assert len(drawn) == 1, "the names"
    for damage in (b"", b"\0" * 4096):
        for path in (tmp_path / "pictures").iterdir():
            path.write_bytes(damage)
        assert start() == first
        assert len(drawn) == 2, "the names; the common cells"
