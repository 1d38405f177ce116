"""The text of actions (docs/notation.md): what is read, and what is said of what cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone.state import State
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from tests.engine.fire_and_stone.positions import begun, cave, play, put, tile


def read(state: State, text: str, lang: str = "en") -> tuple[Any, ...]:
    return GAME.notation.parse(state, state.turn.seat, text, lang)


def _two() -> State:
    return put(begun(), explorers=("cape", "gaul"))


def test_a_move_names_its_explorer_only_where_both_could_go() -> None:
    state = tile(_two(), "sahara", "")
    assert read(state, "go namib") == (do.Lead(explorer=1), do.Go(place="namib"))
    assert read(state, "va Rhin", "fr") == (do.Lead(explorer=2), do.Go(place="rhine"))
    assert read(state, "go 2 rhine") == read(state, "explorer 2, go rhine")
    both = put(state, explorers=("cape", "namib"))
    with pytest.raises(Ambiguous) as asked:
        read(both, "go kalahari")
    assert asked.value.readings == ("explorer 1, go Kalahari", "explorer 2, go Kalahari")
    with pytest.raises(IllegalAction) as refused:
        read(state, "go 1 rhine")
    assert refused.value.code == "too_far"
    assert all(text.startswith("go ") for text in refused.value.context["nearest"])


def test_a_whole_turn_without_a_reveal_is_one_text() -> None:
    state = put(tile(tile(_two(), "namib", "apple"), "rhine", ""), columns=("aa", ""), food=1)
    state = put(replace(state, row=("boats", "gourd", "gourd"), pile=()), 1, huts=("rhine",))
    text = "go namib; take apple, boats; go rhine; build alps"
    assert read(state, text) == (
        do.Lead(explorer=1),
        do.Go(place="namib"),
        do.Take(column="light"),
        do.Invent(card="boats"),
        do.Go(place="rhine"),
        do.Build(),
        do.Return(fire="alps"),
    )
    french = "va namib ; prends pommes bateaux ; va rhin ; bâtis foyer des alpes"
    assert read(state, french, "fr") == read(state, text)


def test_take_names_what_lies_there() -> None:
    state = play(tile(begun(), "namib", "apple"), do.Go(place="namib"))
    assert read(state, "take") == (do.Take(column="light"),), "the columns are alike"
    assert read(state, "take apple dark") == (do.Take(column="dark"),)
    with pytest.raises(Unreadable):
        read(state, "take nut")
    with pytest.raises(Ambiguous):
        read(put(state, columns=("S", "")), "take")
    assert read(state, "leave") == read(state, "laisse") == (do.Food(),)


def test_a_card_is_covered_and_declined_by_name() -> None:
    state = tile(put(begun(), columns=("aa", ""), inventions=("boats", "gourd")), "namib", "apple")
    state = play(state, do.Go(place="namib"), do.Take(column="light"))
    assert read(state, "vp boats") == read(state, "pv bateaux", "fr") == (do.Score(covers="boats"),)
    assert read(state, "none") == (do.Decline(),)
    with pytest.raises(Ambiguous):
        read(state, "vp")


@pytest.mark.parametrize(
    ("card", "text", "action"),
    [
        ("hidden_spring", "cave", do.Use()),
        ("flint_vein", "cave boats", do.Invent(card="boats")),
        ("shaman_stone", "cave light", do.Discard(column="light")),
        ("shaman_stone", "défausse claire", do.Discard(column="light")),
        ("barter_stone", "swap gourd for boats", do.Barter(given="gourd", taken="boats")),
        ("barter_stone", "grotte calebasse contre bateaux", None),
    ],
)
def test_the_cave_is_used_with_what_it_needs(card: str, text: str, action: Any) -> None:
    state = put(begun(), explorers=("indus",), food=2, columns=("a", ""), inventions=("clay_pots",))
    state = replace(cave(state, card), row=("boats", "mud_bricks", "mud_bricks"))
    state = play(state, do.Go(place="tibet"))
    if action is None or isinstance(action, do.Barter):
        with pytest.raises(IllegalAction):  # a starting invention stays
            read(state, text, "fr")
        assert read(state, "swap pots en argile for boats", "fr") == (
            do.Barter(given="clay_pots", taken="boats"),
        )
    else:
        assert read(state, text, "fr") == (action,)


def test_a_look_names_its_places() -> None:
    state = cave(put(begun(), explorers=("indus",)), "lookout")
    state = play(state, do.Go(place="tibet"), do.Use())
    assert read(state, "look namib gobi") == (
        do.Name(place="namib"),
        do.Name(place="gobi"),
        do.Look(),
    )
    assert read(state, "regarde", "fr") == (do.Look(),)


def test_words_are_forgiven_much() -> None:
    state = begun()
    for text in (
        "GO NAMIB",
        "go  Namib.",
        "va namib",
        "go nam",
        "go to Namib",
        "walk to Namib",
        "va au Namib",
        "Walk to the Namib",
        "va sur le Namib",
    ):
        assert read(state, text) == (do.Go(place="namib"),)


@pytest.mark.parametrize(
    ("text", "kind"), [("stroll namib", "verb"), ("go nowhere", "place"), ("go", "place")]
)
def test_what_could_stand_there_is_said(text: str, kind: str) -> None:
    with pytest.raises((Unreadable, Ambiguous)) as refused:
        read(begun(), text)
    if isinstance(refused.value, Unreadable):
        assert refused.value.context["kind"] == kind
        assert refused.value.context["expected"]
    else:
        assert isinstance(refused.value, Ambiguous)
        assert len(refused.value.readings) == 6
