"""The three errors of the notation and what they carry (docs/notation.md)."""

from __future__ import annotations

import pytest

from engine.kit.notation.actions import MOST_LISTED
from engine.kit.notation.text import LONGEST
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from engine.sapiens.actions import Action, Hunt, Lay, PutBear, Recall, Take
from engine.sapiens.components import SCENE_INDEX
from engine.sapiens.legality import Choices
from engine.sapiens.notation import NOTATION
from engine.sapiens.state import BONUS, LAY, REFILL, State
from tests.engine.sapiens.positions import board, position

TRIBE = ("camp-hunt.1 C4 C3",)
POOL = ("hunt-fire.1", "feast-fight.1", "camp-fire.1")
COMMON = ("feast-picking.1", "feast-ritual.1", "feast-camp.1")
OTHER = board(("water-fire.1 D4 D3",), pool=("picking-fire.1", "picking-camp.1"))
LEGAL = "lay hunt-fire C2 D2"


def at(phase: str = LAY, *scenes: str, **mine: object) -> State:
    mine = {"pool": POOL, **mine}
    return position(
        board(TRIBE, **mine),  # type: ignore[arg-type]
        OTHER,
        common=COMMON,
        phase=phase,
        bonuses=sum(1 << SCENE_INDEX[scene] for scene in scenes),
    )


def read(state: State, text: str, lang: str = "en", seat: int = 0) -> tuple[Action, ...]:
    return NOTATION.parse(state, seat, text, lang)


def unreadable(state: State, text: str, lang: str = "en") -> Unreadable:
    with pytest.raises(Unreadable) as raised:
        read(state, text, lang)
    return raised.value


def illegal(state: State, text: str, lang: str = "en", seat: int = 0) -> IllegalAction:
    with pytest.raises(IllegalAction) as raised:
        read(state, text, lang, seat)
    return raised.value


# Unreadable


@pytest.mark.parametrize(
    ("text", "fragment", "kind", "expected"),
    [
        ("", "", "verb", ("lay",)),
        (" ,;\n", ",;", "verb", ("lay",)),
        ("Bonjour à tous", "Bonjour", "verb", ("lay",)),
        ("hunt-fire C2 D2 D3", "D3", "end", ()),
        ("lay hnt-fire C2 D2", "hnt-fire", "tile", ("hunt-fire", "feast-fight", "camp-fire")),
        ("lay fire-hnt C2 D2", "fire-hnt", "tile", ("hunt-fire", "feast-fight", "camp-fire")),
        ("lay hunt-fire C2 D2 now", "now", "end", ()),
        ("C2 D2", "C2", "verb", ("lay",)),
        ("lay hunt-fire C2 D2 pay pink", "pink", "colour", ("yellow",)),
    ],
)
def test_unreadable_names_the_word_and_what_could_stand_there(
    text: str, fragment: str, kind: str, expected: tuple[str, ...]
) -> None:
    error = unreadable(at(), text)
    assert (error.fragment, error.context["kind"]) == (fragment, kind)
    assert error.context["expected"] == expected


def test_a_turn_that_begins_with_a_tile_lays_it() -> None:
    laid = read(at(), LEGAL)
    assert read(at(), "hunt-fire C2 D2") == read(at(), "hunt, fire on C2, D2") == laid
    assert illegal(at(), "picking-water C2").code == "not_in_own_pool", "before the missing place"
    assert illegal(at(), "hunt-fire C4 D4").code == "under_tile"


def test_places_that_could_stand_there_are_legal_ones() -> None:
    error = unreadable(at(), "lay hunt-fire C2 D9")
    assert (error.fragment, error.context["kind"]) == ("D9", "place")
    lays = [action for action in Choices(at()) if isinstance(action, Lay)]
    assert set(error.context["expected"]) <= {p for lay in lays for p in (lay.first, lay.second)}
    assert 1 <= len(error.context["expected"]) <= MOST_LISTED


def test_expected_words_are_in_the_players_language() -> None:
    assert unreadable(at(), "hop", "fr").context["expected"] == ("pose",)
    error = unreadable(at(), "pose chatte-feu C2 D2", "fr")
    assert error.context["expected"] == ("chasse-feu", "festin-baston", "campement-feu")


def test_a_tile_named_by_a_beginning_that_fits_none_of_the_pool_is_unreadable() -> None:
    """fight-water or water-fire; the player holds neither."""
    error = unreadable(at(), "lay fi-wat C2 D2")
    assert error.context["kind"] == "tile"
    assert error.context["expected"] == ("hunt-fire", "feast-fight", "camp-fire")


def test_the_index_is_that_of_the_action_at_fault() -> None:
    assert unreadable(at(), f"{LEGAL}, hup").context["index"] == 1
    assert unreadable(at(), f"{LEGAL}, hunt, nothing more").context["index"] == 2


def test_a_text_longer_than_any_action_is_refused() -> None:
    error = illegal(at(), LEGAL + " " * LONGEST + "x")
    assert (error.code, error.context["most"]) == ("long_line", LONGEST)


@pytest.mark.parametrize("text", ["🦣", "\0", "lay\u202ehunt", "٣", "lay hunt-fire C2 D2 🦣", "%s"])
def test_strange_characters_are_unreadable(text: str) -> None:
    unreadable(at(), text)


# Ambiguous


def test_readings_are_canonical_texts_that_can_be_sent_back() -> None:
    state = at()
    with pytest.raises(Ambiguous) as raised:
        read(state, "pose", "fr")
    error = raised.value
    assert error.context["total"] == len(list(Choices(state)))
    assert len(error.readings) == min(MOST_LISTED, error.context["total"])
    for text in error.readings:
        (action,) = read(state, text)
        assert NOTATION.format(state, 0, action, "fr") == text


# Illegal


def test_an_illegal_action_names_the_rule_and_the_nearest_choices() -> None:
    state = at()
    error = illegal(state, "lay hunt-fire D2 C2")
    assert (error.code, error.rule) == ("scene_mismatch", "S§5.3")
    assert error.context["text"] == "lay hunt-fire D2 C2"
    assert error.context["nearest"][0] == "lay hunt-fire C2 D2"
    for text in error.context["nearest"]:
        assert read(state, text)[0] in Choices(state)
    assert illegal(state, "lay hunt-fire D2 C2", "fr").context["nearest"][0] == (
        "pose chasse-feu C2 D2"
    )


def test_the_index_and_the_position_are_those_of_the_action() -> None:
    error = illegal(at(), f"{LEGAL}, camp")
    assert (error.code, error.index, error.context["index"]) == ("bonus_not_earned", 1, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("take", "lay_first"),
        ("done", "lay_first"),
        ("camp", "lay_first"),
        ("c", "lay_first"),
        ("fire", "lay_first"),
        ("water", "lay_first"),
        ("remove", "lay_first"),
        ("remove feast-camp", "lay_first"),
        ("out", "not_stuck"),
        ("abandon", "can_still_lay"),
        ("lay water-ritual C2 D2", "not_in_own_pool"),
        ("lay hunt-fire.2 C2 D2", "not_in_own_pool"),
        ("lay hunt-fire A1 H5", "not_side_by_side"),
        ("lay hunt-fire D1S D1", "unknown_place"),
        ("lay hunt-fire WL C2", "on_waterfall"),
        ("lay hunt-fire C2 D2 pay yellow", "order_without_effect"),
        ("retrieve feast-camp", "no_fight_token_on"),
    ],
)
def test_what_is_said_is_judged_and_never_bent(text: str, code: str) -> None:
    assert illegal(at(), text).code == code


def test_it_may_not_be_ones_turn() -> None:
    assert illegal(at(), LEGAL, seat=1).code == "not_your_turn"
    assert illegal(at(), "take", seat=1).code == "not_your_turn"


def test_nothing_follows_a_turn_that_is_made() -> None:
    whole = f"{LEGAL}, take feast-camp feast-ritual, remove feast-picking"
    assert len(read(at(), whole)) == 3
    error = illegal(at(), f"{whole}, lay camp-fire B4 B5")
    assert (error.code, error.index) == ("turn_over", 3)
    assert error.context["nearest"] == ()


# Nearest


def nearest(state: State, action: Action, limit: int = 3) -> tuple[Action, ...]:
    found = NOTATION.nearest(state, 0, action, limit)
    assert all(other in Choices(state) for other in found)
    assert len(set(found)) == len(found) <= limit
    return found


def test_nearest_is_the_same_tile_turned_then_moved_then_another_there() -> None:
    state = at()
    found = nearest(state, Lay(tile="hunt-fire.1", first="D2", second="C2"), 20)
    assert found[0] == Lay(tile="hunt-fire.1", first="C2", second="D2")
    steps = [action.tile for action in found if isinstance(action, Lay)]
    assert steps.index("hunt-fire.1") < len(steps)
    blocked = at(pool=("feast-fight.1", "water-hunt.1"))
    (only, *_) = nearest(blocked, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    assert only == Lay(tile="water-hunt.1", first="D2", second="C2")


def test_interchangeable_copies_are_near_once() -> None:
    state = at(pool=("hunt-fire.1", "hunt-fire.2"))
    found = nearest(state, Lay(tile="hunt-fire.1", first="D2", second="C2"), 4)
    assert all(isinstance(action, Lay) and action.tile == "hunt-fire.1" for action in found)


def test_a_bear_meant_for_another_board_is_near_the_own_one() -> None:
    """Two players: `fire E4` without a colour takes a bear off the own board."""
    state = at(BONUS, "fire")
    error = illegal(state, "fire E4")
    assert error.code == "no_bear_there"
    assert error.context["nearest"][0] == "fire yellow E4"
    (first, *_) = nearest(state, PutBear(board=1, square="E5"))
    assert isinstance(first, PutBear)
    assert first.square in ("E4", "D5")


def test_a_token_named_by_its_scene_is_near_its_place() -> None:
    state = at(BONUS, "ritual", tokens={"C1N": "hunt", "WL": "camp"})
    (first, *_) = nearest(state, Recall(scene="camp"))
    assert NOTATION.format(state, 0, first, "en") == "ritual WL"


def test_other_numbers_and_tiles() -> None:
    assert nearest(at(BONUS, "hunt", steaks=1), Hunt(convert=7))[0] == Hunt(convert=2)
    wrong = Take(tiles=("feast-camp.1", "water-camp.1"))
    (first, *_) = nearest(at(REFILL, pool=POOL[:2]), wrong)
    assert isinstance(first, Take)
    assert "feast-camp.1" in first.tiles


def test_where_nothing_of_the_kind_is_offered_the_first_of_each_kind_is_near() -> None:
    state = at(BONUS, "camp", "hunt")
    found = nearest(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    assert [NOTATION.format(state, 0, action, "en").split()[0] for action in found] == [
        "camp",
        "hunt",
        "take",
    ]
