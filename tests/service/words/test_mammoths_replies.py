"""Replies to a move letter: a whole move, whose end need not be written (M§24.3)."""

from __future__ import annotations

import pytest

from engine.mammoths.game import MAMMOTHS
from engine.mammoths.state import Options
from service.mail.commands.orders import Finder, Mend, Nothing, Turn
from tests.engine.mammoths.positions import A, B, position

AT = position({(35, A): (4, 2), (71, B): (1, 1)}, camps={35: A}, options=Options(board=1))


def found(*lines: str) -> object:
    finder = Finder(MAMMOTHS, AT, A, f"{AT.turn}.move.{A}", "en")
    return finder.find([lines])


@pytest.mark.parametrize(
    ("lines", "turn"),
    [
        (("move 2w 35-45",), "move 2w 35-45\ndone"),
        (("move 2w 35-45", "move 1w 35-36"), "move 2w 35-45\nmove 1w 35-36\ndone"),
        (("move 2w 35-45", "done"), "move 2w 35-45\ndone"),
        (("aller 2g 35-45",), "aller 2g 35-45\ndone"),
        (("loss 45 wf",), "loss 45 wf"),
        (("loss 45 wf", "move 1w 35-45"), "loss 45 wf\nmove 1w 35-45\ndone"),
        (("move 2w 35-45", "draft"), "move 2w 35-45\ndraft"),
    ],
)
def test_the_end_of_a_reply_ends_the_move(lines: tuple[str, ...], turn: str) -> None:
    assert found(*lines) == Turn(turn)


def test_what_is_illegal_is_mended_as_it_was_written() -> None:
    mend = found("move 9w 35-45")
    assert isinstance(mend, Mend)
    assert mend.text == "move 9w 35-45"
    assert isinstance(found("Thanks, see you!"), Nothing)
