"""Whatever is handed in, it is offered or refused with a rule (F§16.3)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from engine.chance import NoChance
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.components import GAME as PIECES
from engine.fire_and_stone.map import NAMES
from engine.fire_and_stone.plans.lines import Plan, Test, Wish
from engine.fire_and_stone.refusal import ERROR_CODES
from engine.kit.plans.reactions import Branch, When
from engine.protocol import IllegalAction
from tests.engine.fire_and_stone.positions import begun, offered, play, put, refused, tile
from tests.engine.fire_and_stone.test_properties import _walk

_PLACES = (*NAMES, "nowhere", "")
_CARDS = (*box.INVENTION, "wheel")
_PIECES = (*(tile.id for tile in PIECES), "dragon")


def _any(whim: random.Random) -> list[Action]:
    """An action of each kind, with any names."""
    column: do.ColumnName = whim.choice(("light", "dark"))
    place, card, piece = whim.choice(_PLACES), whim.choice(_CARDS), whim.choice(_PIECES)
    return [
        do.Rank(cards=(card,)),
        do.Lead(explorer=whim.randrange(-1, 5)),
        do.Go(place=place),
        do.Pass(),
        do.Food(),
        do.Take(column=column),
        do.Forage(place=place, column=column),
        do.Hunt(),
        do.Keep(pieces=(piece,) * whim.randrange(3)),
        do.Piece(piece=piece),
        do.Done(),
        do.Build(),
        do.Return(fire=place),
        do.Second(fire=place),
        do.Invent(card=card),
        do.Score(covers=card),
        do.Decline(),
        do.Hold(),
        do.Drop(),
        do.Use(),
        do.Discard(column=column),
        do.Barter(given=card, taken=whim.choice(_CARDS)),
        do.Name(place=place),
        do.Look(),
        do.Arrange(tiles=("forest",) * whim.randrange(4)),
        do.Swap(objective=whim.choice((*box.OBJECTIVES, "glory"))),
    ]


def test_anything_is_offered_or_refused_with_a_code_of_the_table() -> None:
    whim, codes = random.Random(1), set()
    for number in range(8):
        for state in list(_walk(number))[:: 3 + number]:
            choices = [c for d in GAME.decisions(state) for c in [d.choices] if d.blocks]
            for seat in (state.turn.seat, 1 - state.turn.seat % 2):
                for action in _any(whim):
                    if any(action in each for each in choices):
                        continue
                    with pytest.raises(IllegalAction) as error:
                        GAME.apply(state, seat, action, NoChance())
                    assert error.value.rule.startswith("F§")
                    assert set(error.value.context) == set(ERROR_CODES[error.value.code][1])
                    codes.add(error.value.code)
    assert len(codes) > 20


def test_game_tiles_are_held_to_be_cooked_f7_5() -> None:
    state = play(tile(put(begun(), held=(0,)), "namib", "fire"), do.Go(place="namib"))
    assert refused(state, do.Piece(piece="bear")).context["held"] == ["hare"]
    assert refused(state, do.Done()).code == "nothing_named"
    assert refused(play(state, do.Piece(piece="hare")), do.Pass()).code == "cooking"


@pytest.mark.parametrize(
    ("event", "test", "wish"),
    [
        ("forest", None, Wish("take")),
        ("dragon", None, Wish("default")),
        ("forest", None, Wish("dance")),
        ("other", None, Wish("place", "nowhere")),
        ("hut", None, Wish("pass")),
        ("fire", None, Wish("cook", names=("dragon",))),
        ("fire", None, Wish("pass", column="light")),
        ("fire", Test("shown", "at_least", 2), Wish("pass")),
        ("fire", Test("light", "is", "bear"), Wish("pass")),
        ("fire", Test("food", "is", "apple"), Wish("pass")),
        ("fire", Test("weather", "is", 1), Wish("pass")),
    ],
)
def test_a_plan_that_says_nothing_is_refused_f19_2(
    event: str, test: Test | None, wish: Wish
) -> None:
    guard = () if test is None else (test,)
    line = When(event=event, branches=(Branch(guard=guard, lists=((wish,),)),))
    file = do.File(plan=Plan(lines=(line,)))
    state = begun()
    assert file not in GAME.decisions(state)[1].choices
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, 0, file, NoChance())
    assert error.value.code == "plan_line"


def test_a_plan_is_filed_in_the_own_turn_alone_f19_1() -> None:
    state = begun()
    plan = next(iter(GAME.decisions(state)[1].choices))
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, 1, plan, NoChance())
    assert error.value.code == "not_your_turn"
    assert {d.seat for d in GAME.decisions(state)} == {0}
    after = replace(GAME.apply(state, 0, plan, NoChance()).state)
    assert plan not in GAME.decisions(after)[1].choices
    assert do.File(plan=None) in GAME.decisions(after)[1].choices
    assert offered(after) == offered(state)


def test_an_empty_name_is_no_place() -> None:
    state = begun(2)
    with pytest.raises(IllegalAction, match="unknown_place"):
        GAME.apply(state, state.turn.seat, do.Go(place=""), NoChance())
