"""The canonical text of every action, in both languages (docs/notation.md), and names of tiles."""

from __future__ import annotations

import pytest

from engine.protocol import Ambiguous
from engine.sapiens.actions import (
    Abandon,
    Action,
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Lay,
    Out,
    Picking,
    PutBear,
    Recall,
    Remove,
    RemoveBear,
    Retrieve,
    Take,
    Token,
    Water,
)
from engine.sapiens.components import SCENE_INDEX
from engine.sapiens.legality import Choices
from engine.sapiens.notation import NOTATION
from engine.sapiens.state import BONUS, LAY, REFILL, REMOVE, STUCK, State
from tests.engine.sapiens.positions import Sketch, board, position

TRIBE = ("camp-hunt.1 C4 C3",)
POOL = ("hunt-fire.1", "fight-fire.1", "camp-fire.1")
OTHER = board(("water-fire.1 D4 D3",), pool=("picking-fire.1", "feast-camp.1"))
COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1")


def place(scene: str = "", phase: str = BONUS, *, mine: Sketch | None = None) -> State:
    """The mover, red, has the bonus of this scene to use."""
    return position(
        mine or board(TRIBE, pool=POOL, steaks=3, bears=["A1"]),
        OTHER,
        common=COMMON,
        phase=phase,
        bonuses=1 << SCENE_INDEX[scene] if scene else 0,
    )


def claimed(scene: str) -> State:
    return place(phase=REFILL, mine=board(TRIBE, pool=POOL, claimed=[scene]))


def marked(*fights: str) -> State:
    return place("fight", mine=board(TRIBE, pool=POOL, fights=fights))


STARTING = board(pool=("ritual-hunt.1",), tokens={"C1N": "hunt"})
STUCK_NOWHERE = board(("camp-hunt.1 B5 A5",), pool=("fight-fire.1",), fp=2)
PAYING = position(
    board(TRIBE, pool=("hunt-fire.1",), fp=1),
    board(fights=["hunt-fire.1"]),
    board(fights=["hunt-fire.1"]),
    common=COMMON,
)
ALL_OUT = ("feast-picking.1", "feast-ritual.1", "feast-camp.1")

CASES: list[tuple[State, Action, str, str]] = [
    (
        place(phase=LAY),
        Lay(tile="hunt-fire.1", first="C2", second="D2"),
        "lay hunt-fire C2 D2",
        "pose chasse-feu C2 D2",
    ),
    (
        position(STARTING, board(), common=COMMON, phase="start", round=1),
        Lay(tile="ritual-hunt.1", first="C1", second="C1N"),
        "lay ritual-hunt C1 C1N",
        "pose rituel-chasse C1 C1N",
    ),
    (
        PAYING,
        Lay(tile="hunt-fire.1", first="C2", second="D2", order=(2, 1)),
        "lay hunt-fire C2 D2 pay green yellow",
        "pose chasse-feu C2 D2 paie vert jaune",
    ),
    (
        place("feast"),
        Feast(tile="camp-fire.1", first="B4", second="B5"),
        "feast camp-fire B4 B5",
        "festin campement-feu B4 B5",
    ),
    (place("picking"), Picking(), "picking", "cueillette"),
    (place("ritual"), Claim(place="C1N"), "ritual C1N", "rituel C1N"),
    (place("ritual"), Claim(place="WL"), "ritual WL", "rituel WL"),
    (
        place("ritual", mine=board(TRIBE, pool=POOL, tokens={}, used=["hunt"])),
        Recall(scene="hunt"),
        "ritual hunt",
        "rituel chasse",
    ),
    (place("fight"), Fight(tile="feast-camp.1"), "fight feast-camp", "baston festin-campement"),
    (
        marked(*ALL_OUT),
        Fight(tile="hunt-fire.1", moved="feast-ritual.1"),
        "fight hunt-fire from feast-ritual",
        "baston chasse-feu depuis festin-rituel",
    ),
    (
        place("water"),
        Water(give="hunt-fire.1", get="feast-fight.1"),
        "water hunt-fire feast-fight",
        "eau chasse-feu festin-baston",
    ),
    (place("camp"), Camp(), "camp", "campement"),
    (place("hunt"), Hunt(), "hunt", "chasse"),
    (place("hunt"), Hunt(convert=3), "hunt 3", "chasse 3"),
    (place("fire"), PutBear(board=1, square="E4"), "fire yellow E4", "feu jaune E4"),
    (place("fire"), RemoveBear(square="A1"), "fire A1", "feu A1"),
    (claimed("camp"), Token(effect=Camp()), "token camp", "jeton campement"),
    (claimed("hunt"), Token(effect=Hunt()), "token hunt", "jeton chasse"),
    (
        claimed("fire"),
        Token(effect=PutBear(board=1, square="E4")),
        "token fire yellow E4",
        "jeton feu jaune E4",
    ),
    (
        marked("feast-picking.1"),
        Retrieve(tile="feast-picking.1"),
        "retrieve feast-picking",
        "reprends festin-cueillette",
    ),
    (
        place(phase=REFILL),
        Take(tiles=("feast-ritual.1",)),
        "take feast-ritual",
        "prends festin-rituel",
    ),
    (
        place(phase=REFILL, mine=board(TRIBE, pool=POOL[:2])),
        Take(tiles=("feast-picking.1", "feast-fight.1")),
        "take feast-picking feast-fight",
        "prends festin-cueillette festin-baston",
    ),
    (
        position(board(TRIBE, pool=POOL), OTHER, common=(), stack=0, phase=REFILL),
        Take(tiles=()),
        "done",
        "fini",
    ),
    (
        place(phase=REMOVE),
        Remove(tile="feast-ritual.1"),
        "remove feast-ritual",
        "retire festin-rituel",
    ),
    (
        position(board(TRIBE, claimed=["camp"], pool=POOL), OTHER, common=COMMON, phase=STUCK),
        Out(),
        "out",
        "sors",
    ),
    (
        position(
            board(("camp-hunt.1 E5 D5",), bears=["F5", "E4", "D4", "C5"], pool=("hunt-fire.1",)),
            OTHER,
            common=COMMON,
        ),
        Abandon(tile="hunt-fire.1", first="C1N", second="C1"),
        "abandon hunt-fire C1N C1",
        "abandonne chasse-feu C1N C1",
    ),
]


@pytest.mark.parametrize(("state", "action", "english", "french"), CASES, ids=[c[2] for c in CASES])
def test_every_action_has_one_text_in_each_language(
    state: State, action: Action, english: str, french: str
) -> None:
    assert action in Choices(state)
    assert NOTATION.format(state, 0, action, "en") == english
    assert NOTATION.format(state, 0, action, "fr") == french
    for text in (english, french):
        for lang in ("en", "fr"):
            assert NOTATION.parse(state, 0, text, lang) == (action,)


def test_every_kind_of_action_is_among_these() -> None:
    kinds = {type(action) for _, action, _, _ in CASES}
    kinds |= {type(a.effect) for _, a, _, _ in CASES if isinstance(a, Token)}
    assert kinds == set(Action.__args__)


# Copies of a tile


def texts(state: State, lang: str = "en") -> dict[Action, str]:
    return {action: NOTATION.format(state, 0, action, lang) for action in Choices(state)}


def test_interchangeable_copies_share_the_plain_name_and_it_means_the_first() -> None:
    state = position(board(TRIBE, pool=("hunt-fire.2", "hunt-fire.1")), OTHER, common=COMMON)
    first = Lay(tile="hunt-fire.2", first="C2", second="D2")
    second = Lay(tile="hunt-fire.1", first="C2", second="D2")
    assert texts(state)[first] == "lay hunt-fire C2 D2"
    assert texts(state)[second] == "lay hunt-fire.1 C2 D2"
    assert NOTATION.parse(state, 0, "lay hunt-fire C2 D2", "en") == (first,)
    assert NOTATION.parse(state, 0, "lay hunt-fire.1 C2 D2", "en") == (second,)


def test_copies_with_other_fight_tokens_are_told_apart() -> None:
    state = position(
        board(TRIBE, pool=("hunt-fire.1", "hunt-fire.2"), fp=1),
        board(fights=["hunt-fire.2"]),
        common=COMMON,
    )
    with pytest.raises(Ambiguous) as raised:
        NOTATION.parse(state, 0, "pose chasse-feu C2 D2", "fr")
    assert raised.value.readings == ("pose chasse-feu.1 C2 D2", "pose chasse-feu.2 C2 D2")
    for copy in (1, 2):
        (read,) = NOTATION.parse(state, 0, f"lay hunt-fire.{copy} C2 D2", "en")
        assert read == Lay(tile=f"hunt-fire.{copy}", first="C2", second="D2")


def test_copies_in_different_pools_are_told_apart() -> None:
    state = position(
        board(TRIBE, pool=POOL),
        board(("water-fire.1 D4 D3",), pool=("feast-fight.2",)),
        common=COMMON,
        phase=BONUS,
        bonuses=1 << SCENE_INDEX["fight"],
    )
    assert texts(state)[Fight(tile="feast-fight.2")] == "fight feast-fight.2"
    with pytest.raises(Ambiguous):
        NOTATION.parse(state, 0, "fight feast-fight", "en")


def test_several_copies_are_taken_by_plain_names_where_that_is_enough() -> None:
    state = position(
        board(TRIBE, pool=POOL[:2]),
        OTHER,
        common=("feast-picking.3", "feast-picking.1", "feast-ritual.1", "feast-picking.2"),
        phase=REFILL,
    )
    written = texts(state)
    assert written[Take(tiles=("feast-picking.3", "feast-picking.1"))] == (
        "take feast-picking feast-picking"
    )
    assert written[Take(tiles=("feast-picking.1", "feast-picking.2"))] == (
        "take feast-picking.1 feast-picking.2"
    )
    for action, text in written.items():
        assert NOTATION.parse(state, 0, text, "en") == (action,)
