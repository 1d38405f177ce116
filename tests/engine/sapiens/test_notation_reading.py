"""What reading forgives, what it completes, and that it never guesses (docs/notation.md)."""

from __future__ import annotations

import pytest

from engine.kit.notation.syntax import Reader
from engine.kit.notation.text import Plain
from engine.protocol import Ambiguous
from engine.sapiens.actions import (
    Action,
    Camp,
    Claim,
    Hunt,
    Lay,
    PutBear,
    Remove,
    RemoveBear,
    Retrieve,
    Take,
    Water,
)
from engine.sapiens.components import SCENE_INDEX
from engine.sapiens.legality import Choices
from engine.sapiens.notation import NOTATION
from engine.sapiens.notation.grammar import ACTION
from engine.sapiens.state import BONUS, LAY, REFILL, REMOVE, START, State
from tests.engine.sapiens.positions import board, position

TRIBE = ("camp-hunt.1 C4 C3",)
POOL = ("hunt-fire.1", "feast-fight.1", "camp-fire.1")
COMMON = ("feast-picking.1", "feast-ritual.1", "feast-camp.1")
OTHER = board(("water-fire.1 D4 D3",), pool=("picking-fire.1", "picking-camp.1"))


def at(phase: str = LAY, *scenes: str, common: tuple[str, ...] = COMMON, **mine: object) -> State:
    mine = {"pool": POOL, "steaks": 3, **mine}
    return position(
        board(TRIBE, **mine),  # type: ignore[arg-type]
        OTHER,
        common=common,
        phase=phase,
        bonuses=sum(1 << SCENE_INDEX[scene] for scene in scenes),
    )


def read(state: State, text: str, lang: str = "en") -> tuple[Action, ...]:
    return NOTATION.parse(state, 0, text, lang)


HUNT_FIRE = Lay(tile="hunt-fire.1", first="C2", second="D2")


@pytest.mark.parametrize(
    "text",
    [
        "lay hunt-fire C2 D2",
        "LAY HUNT-FIRE C2 D2",
        "  lay   hunt-fire\tC2  D2 . ",
        "lay hunt fire c2 d2",
        "lay hunt/fire c2d2",
        "lay hunt+fire C2-D2",
        "lay hunt–fire 2C 2D",
        "lay hunt_fire C 2 / D 2",
        "lay fire-hunt D2 C2",
        "layhuntfireC2D2",
        "pose chasse-feu C2 D2",
        "Posé Chàssé-Feû c2 d2",
        "pose hunt-feu C2 D2",
        "la hu-fir C2 D2",
        "p ch-feu C2 D2",
        "l h-fi c2 d2",
        "lay hunt-fire.1 C2 D2",
        "lay hunt-fire 1 C2 D2",
        "lay hunt-fire (C2, D2)",
        "lay hunt-fire, C2, D2",
        "ｌａｙ hunt-fire Ｃ２ D2",
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_form_is_forgiven_whatever_the_language(text: str, lang: str) -> None:
    assert read(at(), text, lang) == (HUNT_FIRE,)


def test_a_square_with_its_row_first_is_no_copy_of_a_tile() -> None:
    def whole(text: str) -> list[tuple[int | None, tuple[str, ...]]]:
        orders = Reader(Plain(text)).readings(ACTION)
        return [(order.tiles[0].copy, order.places) for order in orders if order.tiles]

    assert whole("lay hunt-fire 2F 2E") == [(None, ("F2", "E2"))]
    assert whole("lay hunt-fire 2 2F 2E") == [(2, ("F2", "E2"))]
    assert whole("lay hunt-fire.2F2E2") == [(2, ("F2", "E2"))]


def test_the_first_scene_named_lies_on_the_first_square_named() -> None:
    state = at(pool=("camp-fire.1",))
    there = Lay(tile="camp-fire.1", first="B4", second="B5")
    back = Lay(tile="camp-fire.1", first="C5", second="B5")
    assert read(state, "lay camp-fire B4 B5") == (there,)
    assert read(state, "lay fire-camp B5 B4") == (there,)
    assert read(state, "lay fire-camp B5 C5") == (back,)


def test_caves_and_waterfalls_in_both_languages() -> None:
    state = at(BONUS, "ritual")
    for text in ("ritual a2w", "rituel A2O", "ritual 2 A - W"):
        assert read(state, text) == (Claim(place="A2W"),)
    for text in ("ritual wr", "rituel CD"):
        assert read(state, text) == (Claim(place="WR"),)
    assert read(state, "rituel cg") == (Claim(place="WL"),)


def test_a_whole_word_is_itself_even_if_another_begins_with_it() -> None:
    """`camp` also begins campement, `out` nothing else, `feu` is fire and no beginning of feast."""
    assert read(at(BONUS, "camp", "hunt", "picking"), "camp") == (Camp(),)
    bears = at(BONUS, "fire", "feast", bears=["A1"])
    assert read(bears, "feu A1") == (RemoveBear(square="A1"),)


def test_colours_in_both_languages_and_in_either_place() -> None:
    state = at(BONUS, "fire", bears=["E4"])
    for text in ("fire yellow E4", "feu jaune E4", "fire E4 yellow", "feu J e4", "fire y4e"):
        assert read(state, text) == (PutBear(board=1, square="E4"),)
    assert read(state, "fire E4") == (RemoveBear(square="E4"),)


def test_tiles_to_take_may_be_separated_by_commas_and_come_in_any_order() -> None:
    state = at(REFILL, pool=POOL[:2])
    both = Take(tiles=("feast-picking.1", "feast-ritual.1"))
    for text in (
        "take feast-picking feast-ritual",
        "take feast-ritual, feast-picking",
        "prends rituel-festin; cueillette-festin",
    ):
        assert read(state, text) == (both,)


def test_a_hyphen_makes_a_tile_of_ritual_and_a_scene() -> None:
    state = at(REFILL, pool=POOL[:2], common=("ritual-hunt.1", "feast-ritual.1"))
    taken = Take(tiles=("ritual-hunt.1", "feast-ritual.1"))
    assert read(state, "take feast-ritual, ritual-hunt") == (taken,)


def test_actions_are_read_one_after_the_other_in_their_positions() -> None:
    actions = (
        Lay(tile="hunt-fire.1", first="C2", second="D2"),
        Hunt(convert=3),
        Take(tiles=("feast-ritual.1", "feast-camp.1")),
        Remove(tile="feast-picking.1"),
    )
    texts = ["lay hunt-fire C2 D2", "hunt 3", "take feast-camp feast-ritual", "retire feast-pick"]
    for separator in (", ", ";", "\n", " ;;\r\n , "):
        assert read(at(), separator.join(texts)) == actions


# What is left out


def test_what_is_left_out_is_completed_if_one_way_is_legal() -> None:
    start = position(board(pool=("feast-fight.1",), tokens={"C5S": "feast"}), board(), phase=START)
    cave = Lay(tile="feast-fight.1", first="C5S", second="C5")
    for text in ("lay feast-fight C5S C5", "lay feast-fight C5S", "lay feast-fight", "lay"):
        assert read(start, text) == (cave,)
    assert read(at(REMOVE, common=COMMON[:1]), "remove") == (Remove(tile=COMMON[0]),)
    assert read(at(REFILL, pool=POOL, common=COMMON[:1]), "take") == (Take(tiles=COMMON[:1]),)
    assert read(at(REFILL, fights=[COMMON[0]]), "retrieve") == (Retrieve(tile=COMMON[0]),)


def test_two_ways_to_complete_are_asked_back() -> None:
    state = at()
    with pytest.raises(Ambiguous) as raised:
        read(state, "lay hunt-fire C2")
    assert set(raised.value.readings) == {
        "lay hunt-fire C2 B2",
        "lay hunt-fire C2 D2",
        "lay hunt-fire C2 C1",
    }
    with pytest.raises(Ambiguous) as raised:
        read(at(REFILL), "prends", "fr")
    assert raised.value.readings == (
        "prends festin-cueillette",
        "prends festin-rituel",
        "prends festin-campement",
    )
    assert raised.value.context["total"] == 3


def test_hunt_alone_converts_nothing() -> None:
    assert read(at(BONUS, "hunt"), "hunt") == (Hunt(convert=0),)
    assert read(at(BONUS, "hunt"), "chasse 4") == (Hunt(convert=4),)


def test_a_plain_name_twice_takes_two_copies() -> None:
    common = ("feast-fire.1", "feast-fire.2", *COMMON[:3])
    state = at(REFILL, pool=POOL[:2], common=common)
    assert read(state, "take feast-fire feast-fire") == (Take(tiles=common[:2]),)


def test_nothing_to_take_may_be_said_with_any_word_for_the_end() -> None:
    state = at(REFILL, common=())
    for text in ("take", "done", "fini", "prends"):
        assert read(state, text) == (Take(tiles=()),)


def test_the_order_of_fight_tokens_is_asked_for_where_it_matters() -> None:
    state = position(
        board(TRIBE, pool=("hunt-fire.1",), fp=1),
        board(fights=["hunt-fire.1"]),
        board(fights=["hunt-fire.1"]),
        common=COMMON,
    )
    with pytest.raises(Ambiguous) as raised:
        read(state, "lay hunt-fire C2 D2")
    assert raised.value.readings == (
        "lay hunt-fire C2 D2 pay yellow green",
        "lay hunt-fire C2 D2 pay green yellow",
    )
    (lay,) = read(state, "pose chasse-feu C2 D2, paie v j", "fr")
    assert lay == Lay(tile="hunt-fire.1", first="C2", second="D2", order=(2, 1))


# Beginnings of words


def test_fe_is_festin_or_feu_where_both_lie() -> None:
    state = at(pool=("camp-fire.1", "feast-camp.2"))
    with pytest.raises(Ambiguous) as raised:
        read(state, "pose fe-campement B5 B4", "fr")
    assert raised.value.readings == (
        "pose festin-campement B5 B4",
        "pose campement-feu B4 B5",
    )


def test_fi_is_fight_or_fire_where_both_lie() -> None:
    state = at(pool=("hunt-fire.1", "fight-hunt.1"))
    with pytest.raises(Ambiguous) as raised:
        read(state, "lay hunt-fi C2 D2")
    assert set(raised.value.readings) == {"lay hunt-fire C2 D2", "lay fight-hunt D2 C2"}


def test_an_ambiguous_word_is_not_settled_by_what_is_legal() -> None:
    """`c` is chasse or cueillette; that only the first may touch the hunt on C3 settles nothing."""
    state = at(pool=("hunt-fire.1", "picking-fire.2"))
    assert HUNT_FIRE in Choices(state)
    assert Lay(tile="picking-fire.2", first="C2", second="D2") not in Choices(state)
    with pytest.raises(Ambiguous) as raised:
        read(state, "pose c-feu C2 D2", "fr")
    assert set(raised.value.readings) == {
        "pose chasse-feu C2 D2",
        "pose cueillette-feu C2 D2",
    }


def test_a_beginning_is_settled_by_what_lies_there() -> None:
    state = at(pool=("hunt-fire.1", "feast-camp.2"))
    assert read(state, "lay hunt-f C2 D2") == (HUNT_FIRE,)


def test_a_beginning_of_two_verbs_is_asked_back_unless_what_follows_tells() -> None:
    state = at(BONUS, "fight", "fire", bears=["A1"])
    assert read(state, "fi A1") == (RemoveBear(square="A1"),)
    with pytest.raises(Ambiguous) as raised:
        read(state, "fi")
    verbs = {text.split()[0] for text in raised.value.readings}
    assert verbs == {"fight", "fire", "take"}  # fini
    with pytest.raises(Ambiguous) as raised:
        read(at(REFILL, fights=["feast-ritual.1"]), "ret feast-ritual", "fr")
    assert set(raised.value.readings) == {"reprends festin-rituel", "retire festin-rituel"}


def test_what_lies_there_settles_between_verbs_too() -> None:
    """`ret` is retrieve or retire; without an own fight token there is none to retrieve."""
    removed = (Remove(tile="feast-ritual.1"),)
    assert read(at(REMOVE), "ret feast-ritual") == removed
    with pytest.raises(Ambiguous):
        read(at(REMOVE, fights=["feast-ritual.1"]), "ret feast-ritual")


def test_water_names_what_is_given_first() -> None:
    state = at(BONUS, "water")
    swap = Water(give="hunt-fire.1", get="picking-camp.1")
    for text in ("water hunt-fire picking-camp", "eau chasse-feu contre cueillette-campement"):
        assert read(state, text) == (swap,)
