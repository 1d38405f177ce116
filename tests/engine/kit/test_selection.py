"""Choosing by touch: paths, what may be touched next, things that are alike."""

from __future__ import annotations

import msgspec
import pytest

from engine.kit.scene import Place
from engine.kit.selection import Path, fits, following, leading, next_of, touched_through
from engine.kit.shapes import Rect

WAY: Path = ("tile:a", "C3", ("x", "x", "y"), "C4")


@pytest.mark.parametrize(
    ("touched", "further"),
    [
        ([], ["tile:a"]),
        (["tile:a"], ["C3"]),
        (["tile:a", "C3"], ["x", "y"]),
        (["tile:a", "C3", "y"], ["x"]),
        (["tile:a", "C3", "x", "y"], ["x"]),
        (["tile:a", "C3", "x", "y", "x"], ["C4"]),
        (["tile:a", "C3", "x", "y", "x", "C4"], []),
    ],
)
def test_a_path_is_touched_in_order_and_a_group_in_any(
    touched: list[str], further: list[str]
) -> None:
    assert fits(WAY, touched)
    assert next_of(WAY, touched) == further


@pytest.mark.parametrize("touched", [["C3"], ["tile:a", "y"], ["tile:a", "C3", "y", "y"]])
def test_other_touches_do_not_fit(touched: list[str]) -> None:
    assert not fits(WAY, touched)
    assert next_of(WAY, touched) == []


def test_all_that_a_thing_leads_to_is_found() -> None:
    ways: list[tuple[int, Path]] = [(1, ("a", "b")), (2, ("a", "c")), (3, ("d",)), (4, ())]
    assert following(ways, []) == {"a": [1, 2], "d": [3]}
    assert following(ways, ["a"]) == {"b": [1], "c": [2]}


def test_touches_that_lead_nowhere_are_left_out() -> None:
    assert leading([("a", "b"), ("c",)], ["x", "a", "c", "b", "b"]) == ["a", "b"]


class Spot(msgspec.Struct):
    chosen: bool = False
    barred: bool = False


@pytest.mark.parametrize(
    ("spots", "through"),
    [
        ({"a": Spot(), "b": Spot()}, "a"),
        ({"a": Spot(chosen=True), "b": Spot()}, "b"),
        ({"a": Spot(), "b": Spot(chosen=True)}, "b"),
        ({"a": Spot(barred=True), "b": Spot(barred=True)}, "b"),
        ({"a": Spot()}, "a"),
        ({}, "b"),
    ],
)
def test_of_things_alike_one_stands_for_all(spots: dict[str, Spot], through: str) -> None:
    place = Place(id="b", shape=Rect(0, 0, 1, 1), alike=("a", "b"))
    assert touched_through(place, spots) == through
