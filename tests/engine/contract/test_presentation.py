"""What a game shows: pictures and paths of every game that has any, in random positions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kit.presentation import (
    HasBoardTables,
    HasPresentation,
    Marks,
    Occasion,
    Presentation,
    Wanted,
)
from engine.kit.scene import Scene
from engine.kit.selection import WORD, next_of
from engine.protocol import Seat
from tests.engine.contract.walks import GAMES, TABLES, at, spread, walk

SHOWN = [(key, seats) for key, seats in TABLES if isinstance(GAMES[key], HasPresentation)]

pytestmark = at(SHOWN)


def presentation(key: str) -> Presentation:
    game = GAMES[key]
    assert isinstance(game, HasPresentation)
    return game.presentation


def positions(key: str, seats: int) -> list[Any]:
    moments = [*spread(key, seats, 1, 8), walk(key, seats, 1)[-1]]
    return [moment.state for moment in moments]


def view_of(key: str, state: Any, seat: Seat | None) -> dict[str, Any]:
    seen: dict[str, Any] = msgspec.to_builtins(GAMES[key].view(state, seat))
    return seen


def scene_of(key: str, view: dict[str, Any], wanted: Wanted, *, full: bool = True) -> Scene:
    return presentation(key).scene(view, wanted, Marks(), full=full)


@pytest.mark.parametrize("occasion", Occasion)
def test_a_letter_has_each_picture_once(key: str, seats: int, occasion: Occasion) -> None:
    for state in positions(key, seats):
        for seat in (None, *range(seats)):
            view = view_of(key, state, seat)
            wanted = presentation(key).pictures(view, seat, occasion)
            assert wanted
            assert len({(one.name, one.shown) for one in wanted}) == len(wanted)
            assert {one.reader for one in wanted} <= {seat, None}
            for one in wanted:
                assert scene_of(key, view, one, full=False).width >= presentation(key).width


def test_a_picture_for_everybody_is_the_same_from_every_view(key: str, seats: int) -> None:
    for state in positions(key, seats):
        public = view_of(key, state, None)
        for seat in range(seats):
            view = view_of(key, state, seat)
            for one in presentation(key).pictures(view, seat, Occasion.TURN):
                if one.reader is None:
                    assert scene_of(key, view, one) == scene_of(key, public, one)


def test_places_have_names_of_their_own_and_lie_in_the_picture(key: str, seats: int) -> None:
    for state in positions(key, seats):
        scene = scene_of(key, view_of(key, state, 0), Wanted(reader=0))
        names = [place.id for place in scene.places]
        assert len(set(names)) == len(names)
        for place in scene.places:
            assert set(place.alike) <= set(names)
            assert 0 <= place.box.left <= place.box.right <= scene.width + 1
            assert 0 <= place.box.top <= place.box.bottom <= scene.height + 1


def test_what_is_touched_is_on_the_picture_or_a_word_beside_it(key: str, seats: int) -> None:
    shown = presentation(key)
    for state in positions(key, seats):
        for decision in GAMES[key].decisions(state):
            view = view_of(key, state, decision.seat)
            scene = scene_of(key, view, Wanted(reader=decision.seat))
            known = {place.id for place in scene.places}
            for action in decision.choices:
                touched: list[str] = []
                while things := next_of(shown.touches(action), touched):
                    touched.append(things[0])
                assert all(thing in known or thing.startswith(WORD) for thing in touched)


def test_it_depends_on_the_view_alone_and_goes_through_messagepack(key: str, seats: int) -> None:
    for state in positions(key, seats):
        view = view_of(key, state, 0)
        scene = scene_of(key, view, Wanted(reader=0))
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(view))
        assert scene_of(key, again, Wanted(reader=0)) == scene
        packed = msgspec.msgpack.encode(scene)
        assert msgspec.msgpack.decode(packed, type=Scene) == scene


def test_small_pictures_and_films_are_scenes_too(key: str, seats: int) -> None:
    shown, names = presentation(key), ("",) * seats
    views = [view_of(key, state, None) for state in positions(key, seats)]
    film = [shown.film(view, before, names) for view, before in zip(views[1:], views, strict=False)]
    assert len({(scene.width, scene.height) for scene in film}) == 1
    for view in views:
        card = shown.card(view, 0, names)
        assert 1.7 < card.width / card.height < 2.1
        for seat in range(seats):
            assert shown.glance(view, seat, ()).width < shown.width


def test_boards_as_tables_have_every_place_once_below_headings(key: str, seats: int) -> None:
    shown = presentation(key)
    if not isinstance(shown, HasBoardTables):
        return
    for state in positions(key, seats):
        tables = shown.board_tables(view_of(key, state, None))
        assert [table.seat for table in tables] in ([None], [*range(seats)])
        for table in tables:
            assert len(table.squares) == len(table.rows)
            assert {len(row) for row in table.squares} == {len(table.columns)}
            places = [square.place for row in table.squares for square in row if square]
            assert len(set(places)) == len(places)
