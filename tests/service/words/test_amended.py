"""A choice of the letter with a change in it is asked about, whole; never another choice."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine.chance import SeededChance
from engine.games import games
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.state import Options
from engine.play import submit, texts
from service.core import verdicts
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Mend, Nothing, Turn
from service.mail.commands.orders import Finder
from service.mail.render import forgone
from tests.engine.mammoths.positions import A, B, position

NAMES = ["Ana", "Bruno"]
SEED = bytes([2]) * 32


def sapiens(lang: str) -> tuple[Finder, list[str]]:
    """A finder about the first turn of a known deal, and the turns its letter offers."""
    game = games()["sapiens"]
    state = game.setup(2, game.options_type(), SeededChance(SEED)).state
    decision = game.decisions(state)[0]
    offered = [
        ", ".join(texts(game, state, decision.seat, actions, lang)[: len(actions)])
        for actions in game.suggestions(state, decision.seat, 3)
    ]
    choices = [Printed(text=text) for text in offered]
    asked = Asked(game, state, decision.seat, decision.id, lang)
    return Finder(asked, lambda: choices, NAMES), offered


def others(turn: str) -> tuple[str, str]:
    """The tile that a turn takes, and the one that it throws out."""
    taken, removed = (line.split()[1] for line in turn.split(", ")[-2:])
    return taken, removed


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "{n}, but take {tile} instead"),
        ("en", "Choice {n}, but take {tile}, please"),
        ("en", "{n} but with {tile} instead"),
        ("fr", "{n}, mais prends {tile}"),
        ("fr", "le {n} mais prends {tile} à la place"),
    ],
)
def test_a_choice_with_another_tile_is_that_turn(lang: str, said: str) -> None:
    """What is taken instead was to be thrown out: what is thrown out is the game's then."""
    finder, offered = sapiens(lang)
    for number, turn in enumerate(offered, 1):
        taken, removed = others(turn)
        text = said.format(n=number, tile=removed)
        mend = finder.find([[text]])
        assert isinstance(mend, Mend), mend
        laid, _, rest = turn.partition(", ")
        for amended in mend.instead:
            assert amended.startswith(laid)
            assert removed in amended
            assert amended != turn
        assert any(others(amended)[0] == removed for amended in mend.instead), (taken, rest)
        fault = verdicts.fault_of(mend.error)
        assert isinstance(fault, verdicts.Unreadable)
        assert fault.why is verdicts.Misread.AMENDED


def test_what_cannot_be_changed_so_is_asked_about_by_its_own_number() -> None:
    """Who writes 1 is never asked about turn 2."""
    finder, _ = sapiens("en")
    text = "2, but take picking-camp instead"
    assert not isinstance(finder.find([[text]]), Turn)
    unread = finder.find([["2, but take hunt-castle and remove fire-fire"]])
    assert isinstance(unread, Mend)
    assert not unread.instead
    fault = verdicts.fault_of(unread.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert fault.why is verdicts.Misread.AMENDED, "and never: a turn does not begin with 2"
    near = finder.near([[text]])
    assert near is not None
    assert near.number == 2


def test_who_names_a_tile_is_not_asked_about_a_turn_without_it() -> None:
    finder, offered = sapiens("en")
    laid = offered[0].split(", ")[0].split()
    for tile, number in ((laid[1], 1), ("ritual-camp", None)):
        text = f"I would put {tile} on {laid[2]} and {laid[3]}, and something with {tile}"
        near = finder.near([[text]])
        assert near is not None
        assert near.number == number, text


@pytest.mark.parametrize("text", ["1, but only tomorrow", "2 instead", "1, see you on Monday"])
def test_a_number_without_a_change_is_none(text: str) -> None:
    finder, offered = sapiens("en")
    found = finder.find([[text]])
    assert isinstance(found, Nothing) or found == Turn(offered[int(text[0]) - 1])


def test_a_move_in_the_valley_with_another_path() -> None:
    at = position({(35, A): (4, 2), (71, B): (1, 1)}, camps={35: A}, options=Options(board=1))
    asked = Asked(MAMMOTHS, at, A, f"{at.turn}.move.{A}", "en")
    finder = Finder(asked, lambda: [Printed(text="move 2w 35-45, done")], NAMES)
    found = finder.find([["1, but move 2w 35-36"]])
    assert isinstance(found, Mend)
    assert found.instead == ("move 2w 35-36, done",)


def asked_when(lang: str, is_left: Callable[[str], bool]) -> tuple[Asked, str, str]:
    """What is asked in the first turn of a known deal whose best has lines that may be left out,
    that turn, and the turn without them.
    """
    game, chance = games()["sapiens"], SeededChance(SEED)
    state = game.setup(2, game.options_type(), chance).state
    for _ in range(40):
        decision = next(each for each in game.decisions(state) if each.blocks)
        best = game.suggestions(state, decision.seat, 1)[0]
        asked = Asked(game, state, decision.seat, decision.id, lang)
        lines = asked.spelled(best, lang)
        kept = [line for line in lines if not is_left(line)]
        if len(kept) + 1 == len(lines) and not isinstance(asked.tried(", ".join(kept)), Exception):
            return asked, ", ".join(lines), ", ".join(kept)
        state = submit(game, state, decision.seat, decision.id, best, chance).state
    raise AssertionError("no turn of this deal has such a line")


def test_what_is_offered_instead_leaves_no_gift_that_needs_no_choice() -> None:
    """A slip beside a turn without its picking is no wish to leave the food (S§8.3)."""
    asked, whole, kept = asked_when("en", lambda line: line in ("picking", "camp"))
    finder = Finder(asked, list, NAMES)
    assert finder.fuller((kept,), forgone.taken_up) == (whole,)
    assert finder.fuller((whole,), forgone.taken_up) == (whole,)


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "1, but without the {} token"), ("en", "1, but keep my {} token"),
     ("fr", "1, mais sans le jeton {}"), ("fr", "1, mais je garde le jeton {}")],
)  # fmt: skip
def test_a_choice_without_one_of_its_actions_is_that_turn(lang: str, said: str) -> None:
    """Who keeps a token is not asked to play it all the same."""
    token = re.compile(r"(?:token|jeton) (\w+)")
    asked, whole, kept = asked_when(lang, lambda line: token.fullmatch(line) is not None)
    finder = Finder(asked, lambda: [Printed(text=whole)], NAMES)
    scene = next(found[1] for line in whole.split(", ") if (found := token.fullmatch(line)))
    mend = finder.find([[said.format(scene)]])
    assert isinstance(mend, Mend)
    assert mend.instead == (kept,)
