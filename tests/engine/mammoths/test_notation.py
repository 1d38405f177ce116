"""The text of orders (M§24.3): plans, answers, drafts, mail as people write it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.mammoths.actions import (
    Action,
    Answer,
    Bait,
    Beaters,
    Births,
    CampChoice,
    Card,
    CombatCard,
    Condition,
    Done,
    Draft,
    EventLoss,
    Feast,
    Fights,
    Forget,
    Found,
    Herds,
    Loss,
    Move,
    Place,
    PlanFight,
    PlanMove,
    Reenter,
    Retreat,
    Sow,
    Spirits,
    Starve,
    Stores,
    TakeFire,
    Unfed,
    Withdraw,
)
from engine.mammoths.notation import NOTATION
from engine.mammoths.state import Options
from engine.protocol import Ambiguous, IllegalAction, Unreadable
from tests.engine.mammoths.positions import A, B, play, position

OPTIONS = Options(board=1, fire_rules=True, extra_discard=True)
AT = position(
    {(35, A): (4, 2), (22, A): (1, 0), (31, A): (1, 1), (71, B): (1, 1)},
    camps={31: A},
    hands={A: ["T19", "T01"]},
    options=OPTIONS,
)

EXAMPLE = {
    "en": """plan move
if same
move 1w1f 35-45
card T19 45
or
if tribe blue 45
if opponents 45 max 2
move 4w 35-45
otherwise ask
loss 45 wwf""",
    "fr": """plan aller
si pareil
aller 1g1f 35-45
carte T19 45
ou
si tribu bleu 45
si adversaires 45 max 2
aller 4g 35-45
sinon demander
pertes 45 ggf""",
}


def _when(what: Any, **facts: Any) -> If[Condition]:
    return If(condition=Condition(what=what, **facts))


def test_the_example_of_the_rules_in_both_languages() -> None:
    four = position({(35, A): (4, 2), (71, B): (1, 1)}, seats=4, hands={A: ["T19"]})
    first: Any = Alternative(
        conditions=(_when("same"),),
        lines=(Move(w=1, f=1, path=(35, 45)), Card(title="T19", hexes=(45,))),
    )
    second: Any = Alternative(
        conditions=(
            _when("tribe", tribe=3, hexes=(45,)),
            _when("opponents", hexes=(45,), most=True, number=2),
        ),
        lines=(Move(w=4, f=0, path=(35, 45)),),
    )
    plan = PlanMove(plan=Alternatives(alternatives=(first, second)))
    for lang, text in EXAMPLE.items():
        for spelt in (text, text.upper(), text.replace("\n", "\r\n\r\n")):
            assert NOTATION.parse(four, A, spelt, lang) == (plan, Loss(at=45, letters="wwf"))
        written = NOTATION.format(four, A, plan, lang)
        assert NOTATION.parse(four, A, written, "en") == (plan,)


ORDERS: list[tuple[str, str, Action]] = [
    ("move 2w1f 35-45-46", "aller 2g1f 35-45-46", Move(w=2, f=1, path=(35, 45, 46))),
    ("found 35", "installer 35", Found(hex=35)),
    ("fire 22", "feu 22", TakeFire(hex=22)),
    ("fire 22 camp 31", "feu 22 camp 31", TakeFire(hex=22, camp=31)),
    ("card T01 31 drop T19", "carte T01 31 jeter T19", Card(title="T01", hexes=(31,), drop="T19")),
    ("done", "fin", Done()),
    ("withdraw move", "retirer aller", Withdraw(plan="move")),
    ("event-loss w", "perte-évènement g", EventLoss(sex="w")),
    ("fights 35 46", "combats 35 46", Fights(hexes=(35, 46))),
    ("herds 35 wolf bear", "troupeaux 35 loup ours", Herds(at=35, species=("wolf", "bear"))),
    ("camp 45 burn", "camp 45 brûler", CampChoice(at=45, burn=True)),
    ("camp any take", "camp partout prendre", CampChoice(at=0, burn=False)),
    (
        "card T08 at 45 against tribes start",
        "carte T08 à 45 contre tribus début",
        CombatCard(title="T08", at=45, against="tribes", trigger="start"),
    ),
    (
        "card T10 against bear fighters 2",
        "carte T10 contre ours combattants 2",
        CombatCard(title="T10", against="bear", trigger="fighters", most=2),
    ),
    (
        "card T20 at 35 start to 36 46 2w",
        "carte T20 à 35 début vers 36 46 2g",
        Retreat(at=35, to=(36, 46), w=2),
    ),
    ("card T13 hit 35 31", "carte T13 touché 35 31", Spirits(hexes=(35, 31))),
    ("card T13 hit camps", "carte T13 touché camps", Spirits()),
    (
        "card T11 wolf bear dir 4 always",
        "carte T11 loup ours dir 4 toujours",
        Beaters(species=("wolf", "bear"), direction=3),
    ),
    (
        "card T11 wolf dir 1 herd wolf 33 2",
        "carte T11 loup dir 1 troupeau loup 33 2",
        Beaters(species=("wolf",), direction=0, herd="wolf", near=33, distance=2),
    ),
    ("card T12 35 2 rhino", "carte T12 35 2 rhino", Bait(at=35, distance=2, species=("rhino",))),
    ("card T14 starving", "carte T14 famine", Stores(title="T14", trigger="starving")),
    ("card T17 31 f always", "carte T17 31 f toujours", Feast(at=31, sex="f")),
    ("starve 35 2w1f 31 1f", "affamer 35 2g1f 31 1f", Starve(pawns=((35, "wwf"), (31, "f")))),
    ("unfed 35 1w1f1w", "priver 35 1g1f1g", Unfed(pawns=((35, "wfw"),))),
    ("births 31", "naissances 31", Births(hexes=(31,))),
    ("sow none", "semer rien", Sow(hexes=())),
    ("reenter 11 71", "revenir 11 71", Reenter(hexes=(11, 71))),
]


@pytest.mark.parametrize(("english", "french", "action"), ORDERS, ids=lambda each: str(each)[:30])
def test_each_order_in_both_languages(english: str, french: str, action: Action) -> None:
    state = AT
    if isinstance(action, Withdraw):
        state = _with_plan()
    for text, lang in ((english, "en"), (french, "fr")):
        assert NOTATION.format(state, A, action, lang) == text
        for spoken in ("en", "fr"):
            assert NOTATION.parse(state, A, text, spoken) == (action,)


def _with_plan() -> Any:
    plan: Any = Alternatives(alternatives=(Alternative(),), otherwise=Otherwise.STAY)
    return play(AT, A, PlanMove(plan=plan))


CONDITIONS = [
    ("if not free 45", If(condition=Condition(what="free", hexes=(45,)), negated=True)),
    ("si pas fermée 45", If(condition=Condition(what="closed", hexes=(45,)), negated=True)),
    ("if always", _when("always")),
    ("if same 45 46", _when("same", hexes=(45, 46))),
    ("if herd 45 wolf min 2", _when("herd", hexes=(45,), species="wolf", number=2)),
    ("if came yellow 45", _when("came", tribe=1, hexes=(45,))),
    ("si immobile rouge", _when("still", tribe=0)),
    ("si nourriture max 3", _when("food", most=True, number=3)),
    ("if camps red min 4", _when("camps", tribe=0, number=4)),
    ("if tribes 45", _when("tribes", hexes=(45,))),
]


@pytest.mark.parametrize(("text", "condition"), CONDITIONS)
def test_each_condition(text: str, condition: If[Condition]) -> None:
    one: Any = Alternative(conditions=(condition,))
    plan = PlanMove(plan=Alternatives(alternatives=(one,), otherwise=Otherwise.STAY))
    assert NOTATION.parse(AT, A, f"plan move\n{text}\notherwise stay", "en") == (plan,)
    for lang in ("en", "fr"):
        assert NOTATION.parse(AT, A, NOTATION.format(AT, A, plan, lang), "en") == (plan,)


def test_a_mail_with_a_move_and_orders_behind_it() -> None:
    text = "Move 1W1F 35-45, move 1w 35 46;\nfin\n\nloss any ffw\ncard T13 hit camps"
    assert NOTATION.parse(AT, A, text, "en") == (
        Move(w=1, f=1, path=(35, 45)),
        Move(w=1, f=0, path=(35, 46)),
        Done(),
        Loss(at=0, letters="ffw"),
        Spirits(),
    )


def test_a_wrapped_line_goes_on() -> None:
    assert NOTATION.parse(AT, A, "starve 35 2w1f\n31 1f", "en") == (
        Starve(pawns=((35, "wwf"), (31, "f"))),
    )


def test_undo_restart_and_draft() -> None:
    lines = "move 1w 35-45\nmove 1w 35-46\n"
    first = Move(w=1, f=0, path=(35, 45))
    assert NOTATION.parse(AT, A, lines + "undo\ndone", "en") == (first, Done())
    assert NOTATION.parse(AT, A, lines + "recommencer\nfin", "fr") == (Done(),)
    drafted = (Draft(lines=(first, Move(w=1, f=0, path=(35, 46)))),)
    for word in ("secours", "brouillon"):  # the second stands in letters of old
        assert NOTATION.parse(AT, A, lines + word, "fr") == drafted
    assert NOTATION.format(AT, A, drafted[0], "fr").endswith(" secours")
    assert NOTATION.parse(AT, A, NOTATION.format(AT, A, drafted[0], "fr"), "en") == drafted


def test_m14_4_who_is_losing_is_told_by_a_word_that_means_it() -> None:
    ambush = CombatCard(title="T08", at=35, trigger="behind")
    assert NOTATION.format(AT, A, ambush, "fr") == "carte T08 à 35 perdant"
    for word in ("perdant", "retard"):  # the second stands in letters of old
        assert NOTATION.parse(AT, A, f"carte T08 à 35 {word}", "fr") == (ambush,)


def test_combat_orders_are_sealed_by_done() -> None:
    met = position({(35, A): (2, 0), (35, B): (2, 0)}, phase="combat", asked=(A, B))
    orders = (Loss(at=35, letters="ww"), CombatCard(title="T08", trigger="start"))
    for text in (
        "loss 35 ww\ncard T08 start\ndone",
        "combat\npertes 35 gg\ncarte T08 début",
        "combat loss 35 ww card T08 start done",
    ):
        assert NOTATION.parse(met, A, text, "en") == (Answer(orders=orders),)
    assert NOTATION.parse(met, A, "fin", "fr") == (Answer(),)
    standing = NOTATION.parse(met, A, "loss 35 ww", "en")
    assert standing == (orders[0],)


def test_a_combat_plan() -> None:
    text = "plan combat\nif opponents 35 min 3\ncard T08 at 35 start\nor\notherwise orders"
    hard: Any = Alternative(
        conditions=(_when("opponents", hexes=(35,), number=3),),
        lines=(CombatCard(title="T08", at=35, trigger="start"),),
    )
    plan: Any = Alternatives(alternatives=(hard, Alternative()), otherwise=Otherwise.ORDERS)
    assert NOTATION.parse(AT, A, text, "en") == (PlanFight(plan=plan),)


def test_a_wish_list_with_its_field() -> None:
    start = position({}, phase="setup", turn=0, tribes={A: {"status": "map"}})
    both = NOTATION.parse(start, A, "place 34 33\nsow no", "en")
    assert both == (Place(hexes=(34, 33), sow=False),)
    assert NOTATION.parse(start, A, "placer 34, 33", "fr") == (Place(hexes=(34, 33)),)


def test_forgetting() -> None:
    card = CombatCard(title="T08", trigger="start")
    kept = play(AT, A, card, EventLoss(sex="w"))
    for text, action in (
        ("forget card T08", Forget(word="card", title="T08")),
        ("oublier perte-évènement", Forget(word="event_loss")),
        ("forget all", Forget(word="all")),
    ):
        assert NOTATION.parse(kept, A, text, "en") == (action,)


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("dance", "order", 1),
        ("move 35-45", "count", 1),
        ("done\nmove 1w 35", "hex", 2),
        ("card T99 35", "title", 1),
        ("if free 45", "order", 1),
        ("plan move\nloss 35 w", "order", 2),
        ("plan move\nif sunny", "condition", 2),
        ("otherwise ask", "order", 1),
        ("herds 35 cow", "species", 1),
    ],
)
def test_what_cannot_be_read_says_where_and_what(text: str, kind: str, line: int) -> None:
    with pytest.raises(Unreadable) as refused:
        NOTATION.parse(AT, A, text, "en")
    assert (refused.value.context["kind"], refused.value.context["line"]) == (kind, line)


def test_the_rule_that_a_line_breaks_is_told_with_what_is_near() -> None:
    with pytest.raises(IllegalAction) as refused:
        NOTATION.parse(AT, A, "move 1w 35-36\nmove 1w 35-45-44", "fr")
    error = refused.value
    assert (error.code, error.index, error.context["text"]) == ("into_lake", 1, "move 1w 35-45-44")
    assert error.context["nearest"][0].startswith("aller")
    assert error.begun == (Move(w=1, f=0, path=(35, 36)),)


def test_two_readings_are_asked_about() -> None:
    with pytest.raises(Ambiguous) as asked:
        NOTATION.parse(AT, A, "withdraw m\nherds 35 b", "en")
    assert asked.value.readings == ("herds 35 bear", "herds 35 bison")


def test_an_order_that_is_on_file_hinders_nothing_that_comes_with_it() -> None:
    """Whoever writes the same standing order under each plan is not refused."""
    at = play(AT, A, Loss(at=0, letters="wwf"))
    text = "plan combat card T08 behind otherwise orders\nloss any wwf"
    (plan,) = NOTATION.parse(at, A, text, "en")
    assert isinstance(plan, PlanFight)
    with pytest.raises(IllegalAction):
        NOTATION.parse(at, A, "loss any wwf", "en")
