"""The lessons of games that have one: few steps, whose numbers lie in what their pictures show."""

from __future__ import annotations

import pytest

from engine.kit.lessons import HasLesson, Illustration
from tests.engine.contract.walks import GAMES

TAUGHT = [key for key, game in GAMES.items() if isinstance(game, HasLesson)]

pytestmark = pytest.mark.parametrize("key", TAUGHT)


def steps(key: str) -> tuple[Illustration, ...]:
    game = GAMES[key]
    assert isinstance(game, HasLesson)
    return tuple(game.lesson(["Ana", "Bruno"]))


def test_a_lesson_takes_two_minutes(key: str) -> None:
    names = [step.name for step in steps(key)]
    assert 5 <= len(names) <= 7
    assert len(set(names)) == len(names)


def test_numbers_lie_in_what_is_shown(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, HasLesson)
    for step in (*steps(key), game.labelled(["Ana", "Bruno"])):
        scene, window = step.scene, step.window
        assert 0 <= window.left < window.right <= scene.width, step.name
        assert 0 <= window.top < window.bottom <= scene.height, step.name
        for point in step.labels:
            assert window.left <= point.x <= window.right, (step.name, point)
            assert window.top <= point.y <= window.bottom, (step.name, point)
        assert len(set(step.labels)) == len(step.labels)


def test_a_lesson_is_the_same_every_time(key: str) -> None:
    assert steps(key) == steps(key)
