"""What a board says in a line, and in characters."""

from __future__ import annotations

import re

import pytest

from engine.kit.presentation import Wanted
from service.render.pictures import board_alt, board_text, filled
from service.render.templating import LANGUAGES, environment
from tests.service.pictures.positions import (
    GAME,
    NAMES,
    View,
    marked,
    middle,
    places_on,
    recorded,
)

COLUMNS = 72
GAMES = ["normal-2", "normal-3", "normal-4", "one-out-2", "all-out-3", "tie-2"]


def text(view: View, seat: int | None = 0, lang: str = "en", **more: object) -> str:
    return board_text(GAME, view, wanted=Wanted(reader=seat), marks=marked(view, **more), lang=lang)


def named(place: str, lang: str) -> str:
    """How a place is called in words: caves by where they lie."""
    module = environment(lang).get_template(f"games/{GAME}/terms.txt").module
    said: str = module.place(place)  # type: ignore[attr-defined]
    return rf"(?:\b{place}\b|{re.escape(said)})"


def scene(word: str, lang: str) -> str:
    module = environment(lang).get_template(f"games/{GAME}/terms.txt").module
    return str(module.scene(word))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_is_longer_than_72(name: str, lang: str) -> None:
    for number, view in enumerate(recorded(name)):
        seat = number % len(view["players"])
        last = {seat: frozenset(places_on(view["players"][seat]["board"])[-2:])}
        lines = text(view, seat, lang, last=last).splitlines()
        assert max(map(len, lines)) <= COLUMNS
        assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_place_of_every_tile_is_listed_for_who_cannot_see_the_grid(lang: str) -> None:
    view = middle(3)
    listed = " ".join(text(view, lang=lang).split())
    for player in view["players"]:
        for tile in player["board"]["tiles"]:
            for word, place in zip(
                tile["tile"].split(".")[0].split("-"), (tile["first"], tile["second"]), strict=True
            ):
                assert re.search(rf"{scene(word, lang)} [^,;]*{named(place, lang)}", listed)


def test_the_grid_has_scenes_with_the_food_under_them_and_joins_halves() -> None:
    view = middle(2)
    board = view["players"][0]["board"]
    codes = environment("en").get_template(f"boards/{GAME}/parts.svg").module
    grid = text(view).split("\n- ")[0]
    lines = {line[0]: line for line in grid.splitlines() if re.match(r"[1-5] ", line)}
    joined = 0
    for tile in board["tiles"]:
        for word, place in zip(
            tile["tile"].split(".")[0].split("-"), (tile["first"], tile["second"]), strict=True
        ):
            if len(place) > 2:
                continue
            column = "ABCDEFGH".index(place[0])
            food = board["rows"][int(place[1]) - 1].split()[column][1:]
            start = 9 + 7 * column
            code = codes.code(word)  # type: ignore[attr-defined]
            assert lines[place[1]][start : start + 3] == f"{code}{food}"
        first, second = sorted((tile["first"], tile["second"]))
        if first[1] == second[1] and len(first) == len(second) == 2:
            start = 9 + 7 * "ABCDEFGH".index(first[0])
            assert lines[first[1]][start + 3 : start + 7] == "----"
            joined += 1
    assert joined


def test_what_was_laid_last_has_a_star() -> None:
    view = middle(2)
    square = next(p for p in reversed(places_on(view["players"][0]["board"])) if len(p) == 2)
    assert "*" not in text(view).split("\n\n")[1]
    assert "*" in text(view, last={0: frozenset([square])})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pools_caves_and_scores_are_told(lang: str) -> None:
    view = middle(3)
    told = " ".join(text(view, lang=lang).split())
    for player in view["players"]:
        assert f"{player['fp']} " in told
        assert f"{player['sp']} " in told
        for cave in player["board"]["caves"]:
            if cave["name"] not in places_on(player["board"]):
                assert f"{cave['name']} {cave['high']}|{cave['low']}" in told
        for item in (*player["pool"], *view["common"]):
            one, other = item["tile"].split(".")[0].split("-")
            assert f"{scene(one, lang)}–{scene(other, lang)}" in told
    for name in NAMES[1:3]:
        assert name in told


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_of_places_are_broken_between_places(name: str, lang: str) -> None:
    broken = 0
    for view in recorded(name)[::3]:
        told = text(view, lang=lang)
        assert "\x1f" not in told
        for entry in re.findall(r"^- .*(?:\n  .*)*", told, re.MULTILINE):
            if re.search(r"\b[A-H][1-5]", entry):
                *lines, _ = entry.splitlines()
                assert all(line.endswith((",", ";", ":")) for line in lines), entry
                broken += len(lines)
    assert broken


def test_free_squares_are_in_the_drawing_alone() -> None:
    view = middle(2)
    board = view["players"][0]["board"]
    taken = {*places_on(board), *board["bears"]}
    free = next(
        f"{'ABCDEFGH'[column]}{row} {ground}"
        for row, grounds in enumerate(board["rows"], 1)
        for column, ground in enumerate(grounds.split())
        if f"{'ABCDEFGH'[column]}{row}" not in taken
    )
    assert free not in text(view)
    assert "Free squares" not in text(view)


@pytest.mark.parametrize("name", ["normal-2", "normal-3", "normal-4"])
def test_how_many_turns_are_left_is_told_as_it_comes(name: str) -> None:
    views = recorded(name)
    turns = [view["to_move"] for view in views]
    for number, view in enumerate(views[:-1]):
        left = max(turns[number:].count(seat) for seat in set(turns[number:]) - {None})
        told = "last round" if view["ending"] else f"about {left} turn{'s' * (left > 1)} each"
        assert f"- To the end: {told}\n" in text(view)
        assert f"To the end: {told}." in board_alt(
            GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang="en"
        )
    assert "To the end" not in text(views[-1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_new_is_told_in_words_a_bear_too(lang: str) -> None:
    view = recorded("normal-3")[24]
    board = view["players"][0]["board"]
    tile, bear = board["tiles"][-1], board["bears"][-1]
    marks = marked(view, last={0: frozenset([tile["first"], tile["second"], bear])})
    new = {"en": "New:", "fr": "Nouveau\u00a0:"}[lang]
    listed = re.search(rf"- {new} (.*(?:\n  .*)*)", text(view, lang=lang, last=marks.last))
    assert listed
    alt = board_alt(GAME, view, wanted=Wanted(reader=0), marks=marks, lang=lang)
    said = alt.split(new)[1].split(".")[0]
    for told in (listed[1], said):
        assert {tile["first"], tile["second"], bear} == set(re.findall(r"\b[A-H][1-5]\b", told))
    assert new not in text(view, lang=lang)
    assert new not in board_alt(GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang=lang)
    four = {"en": "BEAR*", "fr": "OURS*"}[lang]
    assert four in text(view, lang=lang, last=marks.last)


def test_what_stands_for_a_picture_has_a_line_for_each_player() -> None:
    alt = board_alt(GAME, middle(3), wanted=Wanted(reader=0), marks=marked(middle(3)), lang="en")
    first, second, third, *_ = alt.splitlines()
    assert first.startswith("You:")
    assert "score" in second
    assert "score" in third


def test_a_new_tile_is_told_once() -> None:
    view = recorded("normal-3")[24]
    tiles = view["players"][1]["board"]["tiles"]
    listed = text(view, last={1: {tiles[-1]["first"]}}).split("\nMaximilien")[1]
    told = listed.split("- New:")[1].split("- Open caves:")[0]
    assert "- Rest of the tribe:" in told
    assert "- Tribe:" not in told
    for tile in tiles:
        found = re.findall(f"on {named(tile['first'], 'en')}", " ".join(told.split()))
        assert len(found) == 1


def test_what_events_fill_is_known_by_seat() -> None:
    laid = {"kind": "laid", "seat": 0, "data": {"first": "A1", "second": "B1"}}
    bear = {"kind": "bear_put", "seat": 0, "data": {"board": 1, "square": "C3"}}
    stories = [[laid], [bear, {"kind": "took", "seat": 1, "data": {}}]]
    assert filled(GAME, 2, stories) == {0: {"A1", "B1"}, 1: {"C3"}}


def test_one_of_a_thing_is_told_as_one() -> None:
    view = {**middle(2), "stack": 1, "steaks": 1, "bears": 1}
    assert "1 tile in the stack, 1 steak, 1 bear\n" in text(view)


def test_a_french_semicolon_stands_apart() -> None:
    view = middle(2)
    for said in (
        text(view, lang="fr"),
        board_alt(GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang="fr"),
    ):
        assert ";" in said
        assert not re.search(r"[^\u00a0];", said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_alt_says_the_position_in_lines_without_gaps(lang: str) -> None:
    view = middle(3)
    alt = board_alt(GAME, view, wanted=Wanted(reader=1), marks=marked(view), lang=lang)
    assert all(line and line == line.strip() for line in alt.split("\n"))
    for place in places_on(view["players"][1]["board"]):
        assert re.search(named(place, lang), alt)
    for player in view["players"]:
        assert str(min(player["fp"], player["sp"])) in alt
    assert "Élise" in alt
    assert "Bo" in alt


@pytest.mark.parametrize("lang", LANGUAGES)
def test_alt_begins_with_how_everybody_stands(lang: str) -> None:
    view = middle(3)
    alt = board_alt(GAME, view, wanted=Wanted(reader=1), marks=marked(view), lang=lang)
    begun = alt[: alt.index(NAMES[0])]
    assert begun.startswith({"en": "You: ", "fr": "Toi\u00a0: "}[lang])
    assert len(alt[: alt.index({"en": "Your valley", "fr": "Ta vallée"}[lang])]) < 190
    for player in view["players"]:
        assert str(player["fp"]) in alt[:160]
    board = view["players"][1]["board"]
    open_caves = [cave for cave in board["caves"] if cave["name"] not in places_on(board)]
    assert open_caves
    for cave in open_caves:
        counts = cave["high"] if cave["token"] else cave["low"]
        assert f"{cave['name'][:-1]} ({counts} " in alt, "as in a story: the cave above B1"
    assert "|" not in alt


def test_alt_of_a_first_position_has_no_tile() -> None:
    view = recorded("normal-2")[0]
    assert "no tile yet" in board_alt(
        GAME, view, wanted=Wanted(reader=0), marks=marked(view), lang="en"
    )


def test_a_spectator_is_not_addressed() -> None:
    view = middle(2)
    for said in (
        board_alt(GAME, view, wanted=Wanted(reader=None), marks=marked(view), lang="en"),
        text(view, seat=None),
    ):
        assert not re.search(r"\b(you|your)\b", said, re.IGNORECASE)
