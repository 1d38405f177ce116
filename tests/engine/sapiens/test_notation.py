"""Turns as text (docs/notation.md): forgiving in form, never in meaning."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import ask, chance_of
from engine.chance import NoChance, SeededChance
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from engine.sapiens import GAME
from engine.sapiens import actions as do
from engine.sapiens.state import State

read = GAME.notation.parse
write = GAME.notation.format


@cache
def turns() -> tuple[State, ...]:
    """Positions in which a turn begins, from games of 2, 3 and 4 players."""
    found = []
    for seats in (2, 3, 4):
        seed = bytes([seats]) * 32
        chance = SeededChance(seed)
        state = GAME.setup(seats, GAME.options_type(), chance).state
        while decisions := GAME.decisions(state):
            found.append(state)
            seat = decisions[0].seat
            for action in ask(GAME, "greedy", state, seat, chance_of(seed, seat, len(found))):
                state = GAME.apply(state, seat, action, chance).state
    return tuple(found)


def seat_of(state: State) -> int:
    return GAME.decisions(state)[0].seat


def some(kind: type[do.Action]) -> tuple[State, do.Action]:
    """A position and an action of this kind offered there or later in that turn."""
    for start in turns():
        state, seat = start, seat_of(start)
        for action in (*GAME.suggestions(start, seat, 1)[0], None):
            for offered in GAME.decisions(state)[0].choices if GAME.decisions(state) else ():
                if isinstance(offered, kind):
                    return state, offered
            if action is None or not GAME.decisions(state) or seat_of(state) != seat:
                break
            state = GAME.apply(state, seat, action, NoChance()).state
    raise AssertionError(f"no {kind} in these games")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "kind", [do.Lay, do.Feast, do.Claim, do.Fight, do.Water, do.Hunt, do.PutBear, do.Take]
)
def test_what_is_written_is_read_back(kind: type[do.Action], lang: str) -> None:
    state, action = some(kind)
    text = write(state, seat_of(state), action, lang)
    assert read(state, seat_of(state), text, lang) == (action,)


def test_a_turn_reads_in_the_order_of_its_actions() -> None:
    state = turns()[6]
    seat = seat_of(state)
    turn = GAME.suggestions(state, seat, 1)[0]
    here, texts = state, []
    for action in turn:
        texts.append(write(here, seat, action, "fr"))
        here = GAME.apply(here, seat, action, NoChance()).state
    for separator in (", ", ";", "\n", " ,\r\n"):
        assert read(state, seat, separator.join(texts), "en") == turn


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        str.title,
        lambda t: t.replace("-", " "),
        lambda t: t.replace("-", "/"),
        lambda t: t.replace("-", "–"),
        lambda t: t.replace(" ", "   "),
        lambda t: f"  {t} .",
        lambda t: t.replace("lay", "la"),
        lambda t: t.replace("lay", "pose"),
        lambda t: "".join(c + "\u0301" if c in "aeiou" else c for c in t),
    ],
)
def test_form_is_forgiven(change) -> None:  # type: ignore[no-untyped-def]
    state, action = some(do.Lay)
    text = write(state, seat_of(state), action, "en")
    assert read(state, seat_of(state), change(text), "en") == (action,)


def test_either_order_of_scenes_is_read() -> None:
    state, action = some(do.Lay)
    assert isinstance(action, do.Lay)
    verb, tile, first, second = write(state, seat_of(state), action, "en").split()
    one, other = tile.split("-")
    other, _, copy = other.partition(".")
    turned = f"{verb} {other}-{one}{'.' + copy if copy else ''} {second} {first}"
    assert read(state, seat_of(state), turned, "en") == (action,)


@pytest.mark.parametrize(
    "text", ["", " , ;\n", "hello", "lay", "lay hnt-fire C4 D4", "take 7", "🦣"]
)
def test_what_is_no_action_is_unreadable_or_asked_back(text: str) -> None:
    state = turns()[8]
    with pytest.raises((Unreadable, Ambiguous)):
        read(state, seat_of(state), text, "en")


def test_unreadable_says_what_could_stand_there() -> None:
    state = turns()[8]
    with pytest.raises(Unreadable) as caught:
        read(state, seat_of(state), "lay hnt-fire C4 D4", "fr")
    assert caught.value.fragment == "hnt-fire"
    assert caught.value.context["kind"] == "tile"
    assert 1 <= len(caught.value.context["expected"]) <= 4
    assert caught.value.context["index"] == 0


def test_a_beginning_of_two_words_is_asked_back() -> None:
    """`fe` is festin or feu, `fi` fight or fire."""
    for state in turns():
        seat = seat_of(state)
        for action in GAME.decisions(state)[0].choices:
            if not isinstance(action, do.Lay):
                continue
            text = write(state, seat, action, "fr")
            tile = text.split()[1]
            if "feu" not in tile or tile.replace("feu", "festin") == tile:
                continue
            other = {"festin", "feu"} - {tile.split("-")[0]}
            pool = {
                write(state, seat, a, "fr").split()[1].split(".")[0]
                for a in GAME.decisions(state)[0].choices
                if isinstance(a, do.Lay)
            }
            twin = tile.split(".")[0].replace("feu", "festin")
            turned = "-".join(reversed(twin.split("-")))
            if other and (twin in pool or turned in pool):
                short = text.replace("feu", "fe", 1)
                with pytest.raises(Ambiguous) as caught:
                    read(state, seat, short, "fr")
                assert len(caught.value.readings) >= 2
                return
    raise AssertionError("no pool holds both")


def test_an_illegal_action_names_its_rule_and_what_is_near() -> None:
    state = turns()[8]
    seat = seat_of(state)
    offered = next(a for a in GAME.decisions(state)[0].choices if isinstance(a, do.Lay))
    taken = next(iter(GAME.view(state, None).players[seat].board.tiles))
    text = write(state, seat, offered, "en").rsplit(" ", 2)[0]
    with pytest.raises(IllegalAction) as caught:
        read(state, seat, f"{text} {taken.first} {taken.second}", "en")
    assert caught.value.rule in ("S§5.1", "S§7.3")
    near = caught.value.context["nearest"]
    assert near
    for other in near:
        assert read(state, seat, other, "en")[0] in GAME.decisions(state)[0].choices


def test_nothing_follows_a_turn_that_is_made() -> None:
    state = turns()[6]
    seat = seat_of(state)
    here, texts = state, []
    for action in GAME.suggestions(state, seat, 1)[0]:
        texts.append(write(here, seat, action, "en"))
        here = GAME.apply(here, seat, action, NoChance()).state
    with pytest.raises(IllegalAction, match="turn_over"):
        read(state, seat, ", ".join([*texts, texts[0]]), "en")


WORDS = st.sampled_from(
    [
        "lay",
        "pose",
        "abandon",
        "feast",
        "picking",
        "ritual",
        "hunt",
        "fire",
        "fight",
        "water",
        "camp",
        "token",
        "take",
        "done",
        "remove",
        "retrieve",
        "hunt-fire",
        "chasse-feu",
        "fe",
        "fi",
        "C4",
        "d4",
        "C1N",
        "WL",
        "red",
        "rouge",
        "pay",
        "from",
        "3",
        ".2",
        "-",
        ",",
        ";",
        "\n",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 60), st.one_of(st.text(max_size=60), st.lists(WORDS).map(" ".join)))
def test_no_text_breaks_the_reader_or_is_read_as_something_illegal(at: int, text: str) -> None:
    state = turns()[at % len(turns())]
    seat = seat_of(state)
    try:
        actions = read(state, seat, text, "en")
    except (Unreadable, Ambiguous, IllegalAction):
        return
    for action in actions:
        assert action in GAME.decisions(state)[0].choices
        state = GAME.apply(state, seat, action, NoChance()).state
