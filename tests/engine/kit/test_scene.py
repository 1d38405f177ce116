"""A scene told place by place, and what its items say of themselves."""

from __future__ import annotations

import msgspec
import pytest

from engine.kit.scene import SEATS, EdgeKind, Scene, walk
from tests.engine.kit.scenes import FULL, HEXES, NAMES, hex_id, regions, standing, valley


def test_seats_are_told_apart_by_each_of_their_marks() -> None:
    for mark in ("colour", "pattern", "initial"):
        assert len({getattr(seat, mark) for seat in SEATS}) == len(SEATS) == 6


def test_every_place_is_walked_with_what_is_drawn_on_it() -> None:
    stops = {stop.place.id: stop for stop in walk(valley())}
    assert list(stops) == [hex_id(at) for at in HEXES]
    assert len(stops) == 37
    bare = [at for at in HEXES if stops[hex_id(at)].bare]
    assert not set(bare) & set(standing())
    looks = {token.look for token in stops[hex_id(FULL)].tokens}
    assert looks == {"person", "tent", "ears", "herds"}
    assert stops[hex_id((1, -3))].veils == ("burnt",)


def test_what_lies_between_places_is_told() -> None:
    stops = {stop.place.id: stop for stop in walk(valley())}
    beside = {other.place: other for other in stops["22"].beside}
    assert len(beside) == 6
    assert beside["21"].told == (EdgeKind.RIVER,)
    assert beside["23"].told == ()


def test_a_place_is_told_by_its_name() -> None:
    stops = walk(regions())
    assert [stop.place.name for stop in stops] == [name.replace("\n", " ") for name in NAMES]
    gaul = next(stop for stop in stops if stop.place.id == "Gaul")
    assert [other.place for other in gaul.beside] == ["Alpine Hearth", "Baltic"]


@pytest.mark.parametrize("scene", [valley(), regions(), regions(small=True)])
def test_a_scene_goes_through_messagepack(scene: Scene) -> None:
    packed = msgspec.msgpack.encode(scene)
    assert msgspec.msgpack.decode(packed, type=Scene) == scene
