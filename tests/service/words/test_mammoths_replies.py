"""Replies to a move letter: a whole move, whose end need not be written (M§24.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.mammoths.game import MAMMOTHS
from engine.mammoths.state import Options
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Mend, Nothing, Turn
from service.mail.commands.orders import Finder
from tests.engine.mammoths.positions import A, B, position

AT = position({(35, A): (4, 2), (71, B): (1, 1)}, camps={35: A}, options=Options(board=1))


def finder_of(*offered: str) -> Finder:
    choices = [Printed(text=text) for text in offered]
    return Finder(Asked(MAMMOTHS, AT, A, f"{AT.turn}.move.{A}", "en"), lambda: choices)


def found(*lines: str) -> object:
    return finder_of().find([lines])


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
        (("go 2 warriors from 35 to 45",), "go 2 warriors from 35 to 45\ndone"),
        (("je vais 2 guerriers 35-45",), "vais 2 guerriers 35-45\ndone"),
    ],
)
def test_the_end_of_a_reply_ends_the_move(lines: tuple[str, ...], turn: str) -> None:
    assert found(*lines) == Turn(turn)


def test_what_is_illegal_is_mended_as_it_was_written() -> None:
    mend = found("move 9w 35-45")
    assert isinstance(mend, Mend)
    assert mend.text == "move 9w 35-45"
    assert isinstance(found("Thanks, see you!"), Nothing)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("everyone to 24", None),
        ("tout le monde en 24", None),
        ("attack 24", None),
        ("everyone to 46", 1),
        ("everyone from 24", 1),
        ("everyone from 46", None),
        ("tous vers la case 46", 1),
    ],
)
def test_a_turn_that_leaves_where_one_wants_to_go_is_not_asked_about(
    said: str, number: int | None
) -> None:
    near = finder_of("move 1w 24-35-46, done", "move 2w 52-53, done").near([[said]])
    assert near is not None
    assert near.number == number


@pytest.mark.parametrize(
    ("said", "example"),
    [
        ("everyone to 45", "-45"),
        ("move 3 warriors north", "move"),
        ("je vais en 36", "-36"),
    ],
)
def test_an_example_is_a_legal_turn_to_where_one_wants_to_go(said: str, example: str) -> None:
    written = finder_of().example([[said]])
    assert isinstance(found(written), Turn)
    assert example in written
    for said in ("move 3 warriors north", "1 warrior from 35 to 45"):
        assert not finder_of().speaks_of_orders(said)


def test_m19_1_orders_for_fights_that_are_asked_for_are_no_orders_for_later() -> None:
    """What is wrong with them is answered by an example of what is asked, not of what may wait."""
    met = replace(
        position({(35, A): (4, 2), (35, B): (1, 1)}, hands={A: ["T08"]}), phase="combat", asked=(A,)
    )
    finder = Finder(Asked(MAMMOTHS, met, A, f"{met.turn}.combat.{A}", "en"), list)
    assert not finder.speaks_of_orders("combat xyzzy")
    assert finder.speaks_of_orders("sow xyzzy")
    assert finder.example([["combat xyzzy"]]).startswith("combat")
