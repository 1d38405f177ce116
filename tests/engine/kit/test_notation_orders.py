"""Whole-line orders in two languages, read by the kit."""

from __future__ import annotations

import pytest

from engine.protocol import Ambiguous, Unreadable
from tests.engine.kit.valley import (
    LINES,
    Alternative,
    Begin,
    Condition,
    Count,
    Found,
    Herds,
    Loss,
    Move,
    Or,
    Order,
    Otherwise,
    Plan,
    orders_of,
    write,
)


def read(text: str, lang: str = "en") -> Order:
    _, lines = LINES.cut(text)
    (order,) = LINES.read(lines, lang)
    return order


CASES: list[tuple[Order, str, str]] = [
    (Move(Count(1, 1), (35, 45)), "move 1w1f 35-45", "aller 1g1f 35-45"),
    (Move(Count(4, 0), (35, 45, 46)), "move 4w 35-45-46", "aller 4g 35-45-46"),
    (Found(45), "found 45", "installer 45"),
    (Loss(45, "wwf"), "loss 45 wwf", "pertes 45 ggf"),
    (Loss(None, "fw"), "loss any fw", "pertes partout fg"),
    (Herds(35, ("wolf", "bear")), "herds 35 wolf bear", "troupeaux 35 loup ours"),
    (Condition("same", False), "if same", "si pareil"),
    (Condition("same", True, hexes=(35, 36)), "if not same 35 36", "si pas pareil 35 36"),
    (Condition("tribe", False, "blue", (45,)), "if tribe blue 45", "si tribu bleu 45"),
    (
        Condition("opponents", False, None, (45,), ("max", 2)),
        "if opponents 45 max 2",
        "si adversaires 45 max 2",
    ),
    (Begin(), "plan move", "plan aller"),
    (Or(), "or", "ou"),
    (Otherwise("ask"), "otherwise ask", "sinon demander"),
]


@pytest.mark.parametrize(("order", "english", "french"), CASES, ids=[case[1] for case in CASES])
def test_every_order_has_a_text_in_each_language(order: Order, english: str, french: str) -> None:
    assert (write(order, "en"), write(order, "fr")) == (english, french)
    for text in (english, french, english.upper(), f"  {french.title()} .", f"- {english}"):
        assert read(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "move 1w1f 35-45",
        "move 1w1f, 35, 45",
        "Move 1W1F 35 – 45",
        "aller 1f1g 35->45",
        "mov 1w1f 35/45",
        "aller 1w1f 35 45",
    ],
)
def test_form_is_forgiven(text: str) -> None:
    assert read(text) == Move(Count(1, 1), (35, 45))


def test_accents_are_forgiven() -> None:
    assert read("Sí pâreíl") == Condition("same", False)


@pytest.mark.parametrize(
    ("text", "lang", "number", "fragment", "kind", "expected"),
    [
        ("mvoe 1w 35-45", "en", 1, "mvoe", "order", {"move", "found", "plan move", "or"}),
        ("move 35-45", "en", 1, "35-45", "count", {"1w1f"}),
        ("aller 35-45", "fr", 1, "35-45", "count", {"1g1f"}),
        ("found 45\nmove 1w 35", "en", 2, "move 1w 35", "hex", {"35"}),
        ("found 45\n\nmove 1w 35-99", "en", 3, "35-99", "hex", {"35"}),
        ("plan move\nif tribe pink 45", "en", 2, "pink", "tribe", {"red", "blue"}),
        ("si tribu rose 45", "fr", 1, "rose", "tribe", {"rouge", "bleu"}),
        ("if river 45", "en", 1, "river", "condition", {"same", "free", "not"}),
        ("if opponents 45 about 2", "en", 1, "about", "limit", {"min", "max"}),
        ("otherwise fight", "en", 1, "fight", "closing", {"ask", "stay"}),
        ("loss 45 abc", "en", 1, "abc", "letters", {"wwf"}),
        ("herds 35 wolf and bear", "en", 1, "and", "species", {"wolf", "bear", "mammoth"}),
    ],
)
def test_a_complaint_names_line_word_and_what_could_stand_there(
    text: str, lang: str, number: int, fragment: str, kind: str, expected: set[str]
) -> None:
    with pytest.raises(Unreadable) as raised:
        orders_of(text, lang)
    error = raised.value
    assert (error.context["line"], error.fragment, error.context["kind"]) == (
        number,
        fragment,
        kind,
    )
    assert expected <= set(error.context["expected"])


def test_a_word_that_begins_two_things_is_asked_about_with_both_in_words() -> None:
    with pytest.raises(Ambiguous) as raised:
        orders_of("found 45\nherds 35 wolf b", "fr")
    assert raised.value.readings == ("troupeaux 35 loup ours", "troupeaux 35 loup bison")
    assert (raised.value.context["line"], raised.value.fragment) == (2, "herds 35 wolf b")


def test_what_follows_tells_what_a_beginning_means() -> None:
    assert read("o") == Or()
    assert read("o ask") == Otherwise("ask")


PLAN = (
    """
    plan move
    if same
    move 1w1f 35-45
    or
    if tribe blue 45
    if opponents 45 max 2
    move 4w 35-45
    otherwise ask
    loss 45 wwf
    """,
    """
    plan aller
    si pareil
    aller 1g1f 35-45
    ou
    si tribu bleu 45
    si adversaires 45 max 2
    aller 4g 35-45
    sinon demander
    pertes 45 ggf
    """,
)


@pytest.mark.parametrize("text", PLAN)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_plan_of_several_lines(text: str, lang: str) -> None:
    standing, plan = orders_of(text, lang)
    assert standing == [Loss(45, "wwf")]
    assert plan == Plan(
        [
            Alternative([Condition("same", False)], [Move(Count(1, 1), (35, 45))]),
            Alternative(
                [
                    Condition("tribe", False, "blue", (45,)),
                    Condition("opponents", False, None, (45,), ("max", 2)),
                ],
                [Move(Count(4, 0), (35, 45))],
            ),
        ],
        "ask",
    )


def test_a_line_out_of_place_is_named() -> None:
    with pytest.raises(Unreadable) as raised:
        orders_of("found 45\nif same", "en")
    assert (raised.value.context["line"], raised.value.fragment) == (2, "if same")
