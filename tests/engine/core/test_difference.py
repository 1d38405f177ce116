"""Finding where two JSON values differ."""

from __future__ import annotations

from typing import Any

import pytest

from engine.difference import first_difference


@pytest.mark.parametrize(
    ("expected", "found", "place", "there", "here"),
    [
        (1, 2, "", 1, 2),
        ({"a": 1}, {"a": 2}, "a", 1, 2),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b", 2, 3),
        ({"a": 1}, {}, "a", 1, None),
        ({}, {"a": 1}, "a", None, 1),
        ([1], [1, 2], "[1]", None, 2),
        ([1, 2], [1], "[1]", 2, None),
        ([1], {"a": 1}, "", [1], {"a": 1}),
        (1, True, "", 1, True),
        (0, False, "", 0, False),
        ({"a": None}, {}, "a", None, None),
        ({"a": 1, "b": 2}, {"b": 3, "a": 4}, "a", 1, 4),
    ],
)
def test_the_first_difference(expected: Any, found: Any, place: str, there: Any, here: Any) -> None:
    difference = first_difference(expected, found)
    assert difference is not None
    assert difference.place == place
    assert (difference.expected, difference.found) == (there, here)
    assert type(difference.found) is type(here)


@pytest.mark.parametrize("value", [1, "a", None, [], {}, {"a": [1, {"b": [None, True]}]}])
def test_equal_values(value: Any) -> None:
    assert first_difference(value, value) is None


def test_the_way_begins_where_it_is_told() -> None:
    difference = first_difference({"a": [0]}, {"a": [1]}, "state")
    assert difference is not None
    assert difference.place == "state.a[0]"
