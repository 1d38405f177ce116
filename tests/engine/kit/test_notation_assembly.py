"""Orders in lines put together: plans of alternatives, answers, drafts, lines taken back.

Fords: a hiker `wade`s from stone to stone (a number), `rest`s, and leaves a `wish` for later.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kit.notation import syntax
from engine.kit.notation.orders import Mark, OrderNotation, PlanKind, Sorts, marks, write_plan
from engine.kit.notation.syntax import into, keyword, leading
from engine.kit.notation.words import Vocabulary, table
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.protocol import Decision, IllegalAction, Step, Unreadable


class _Action(msgspec.Struct, frozen=True):
    pass


class Wade(_Action, frozen=True):
    to: int


class Rest(_Action, frozen=True):
    pass


class Wish(_Action, frozen=True):
    stone: int
    soon: bool = False


class Answer(_Action, frozen=True):
    wishes: tuple[Wish, ...]


class Draft(_Action, frozen=True):
    lines: tuple[Wade, ...]


class Plan(_Action, frozen=True):
    plan: Any


ORDERS = Vocabulary(
    table("""
        wade | passe; rest | repos; wish | voeu; plan | plan; if | si; or | ou;
        otherwise | sinon; answer | réponse; draft | brouillon; undo | annuler;
        restart | recommencer; soon | bientôt
    """)
)
PLANS = Vocabulary(table("walk | marche; dream | rêve"))
CLOSINGS = Vocabulary(table("ask | demander; stay | rester"))
NUMBER = syntax.number()
GRAMMAR = syntax.by_word(
    ORDERS,
    "order",
    {
        "wade": into(Wade, NUMBER),
        "rest": leading(Rest),
        "wish": into(Wish, NUMBER),
        "soon": leading(lambda: Mark("soon")),
        **marks(PLANS, CLOSINGS, NUMBER, keyword({"en": "not", "fr": "pas"})),
    },
)


def _write(action: Any, lang: str) -> str:
    match action:
        case Wade(to):
            return f"{ORDERS.write('wade', lang)} {to}"
        case Wish(stone):
            return f"{ORDERS.write('wish', lang)} {stone}"
        case Plan(plan):
            said = write_plan(plan, lang, ORDERS, lambda each, _: f"if {each.condition}", _write)
            return " ".join(("plan walk", *said, plan.otherwise))
    return str(action)


def _apply(state: int, seat: int, action: Any) -> Step[int]:
    """Stones lie side by side; nobody wades further than to the next."""
    if isinstance(action, Wade):
        if action.to != state + 1:
            raise IllegalAction("far", "F§1", to=action.to)
        return Step(state=action.to, events=())
    return Step(state=state, events=())


def _decisions(state: int) -> tuple[Decision[Any], ...]:
    choices = (Wade(state + 1), Rest())
    return (Decision(id="1", turn="1", seat=0, kind="move", rule="F§1", choices=choices),)


def notation(*, answers: bool = False, on_file: tuple[Any, ...] = ()) -> OrderNotation[int, Any]:
    return OrderNotation(
        words=ORDERS.words,
        keeps=frozenset(),
        write=_write,
        decisions=_decisions,
        apply=_apply,
        grammar=GRAMMAR,
        kinds=("order", "number"),
        most=20,
        orders=ORDERS,
        belongs=lambda plain, at: plain[at - 1] == "plan",
        sorts=Sorts(
            lines=(Wade,),
            done=Rest,
            played=(Wade, Rest, Answer),
            orders=(Wish,),
            gather=lambda wishes, wish: (*wishes, wish),
            answer=Answer,
            draft=Draft,
            plans={"walk": PlanKind((Wade,), Plan), "dream": PlanKind((Wish,), Plan, True)},
            amend=lambda action, mark: (
                msgspec.structs.replace(action, soon=True) if isinstance(action, Wish) else None
            ),
        ),
        answers=lambda state, seat: answers,
        on_file=lambda state, seat: on_file,
        nothing_left=lambda: IllegalAction("nothing_left", "F§2"),
        empty_alternative=lambda: IllegalAction("empty_alternative", "F§2"),
    )


def read(text: str, **more: Any) -> tuple[Any, ...]:
    return notation(**more).parse(0, 0, text, "en")


WALK = Alternatives(
    alternatives=(
        Alternative(conditions=(If(condition=3),), lines=(Wade(1), Wade(2))),
        Alternative(conditions=(If(condition=4, negated=True),), lines=(Wade(1),)),
    ),
    otherwise=Otherwise.STAY,
)


@pytest.mark.parametrize(
    "text",
    [
        "plan walk\nif 3\nwade 1\nwade 2\nor\nif not 4\nwade 1\notherwise stay",
        "plan walk if 3 wade 1, wade 2 or if not 4 wade 1; otherwise stay",
        "plan marche\nsi 3\npasse 1\npasse 2\nou\nsi pas 4\npasse 1\nsinon rester",
    ],
)
def test_a_plan_is_put_together_of_its_lines(text: str) -> None:
    assert read(text) == (Plan(WALK),)


def test_a_plan_ends_with_its_closing_word_or_the_next_plan() -> None:
    first, second = read("plan walk\nwade 1\nplan dream\nwish 4")
    assert first.plan.otherwise is second.plan.otherwise is Otherwise.ASK
    assert second.plan.alternatives == (Alternative(lines=(Wish(4),)),)
    plan, wade = read("plan walk wade 1 otherwise ask wade 1")
    assert isinstance(plan, Plan)
    assert wade == Wade(1)


def test_a_plan_is_written_as_it_is_read() -> None:
    assert _write(Plan(WALK), "en").startswith("plan walk if 3 wade 1 wade 2 or if 4 wade 1")


def test_an_alternative_that_says_nothing_is_refused_where_it_means_something_else() -> None:
    with pytest.raises(IllegalAction) as raised:
        read("wade 1\nplan walk\nor\nif 3")
    context = raised.value.context
    assert (raised.value.code, context["line"], context["text"]) == (
        "empty_alternative",
        2,
        "plan walk",
    )
    assert read("plan dream\nor\nif 3")


def test_answers_hold_orders_up_to_what_closes_them() -> None:
    assert read("answer\nwish 1\nwish 2\nrest") == (Answer((Wish(1), Wish(2))),)
    assert read("wish 1 wish 2 rest", answers=True) == (Answer((Wish(1), Wish(2))),)
    assert read("wish 1\nwade 1\nrest") == (Wish(1), Wade(1), Rest())
    with pytest.raises(Unreadable):
        read("answer\nwade 1")


def test_lines_are_taken_back_and_kept_as_a_draft() -> None:
    assert read("wade 3\nundo\nwade 1") == (Wade(1),)
    assert read("wade 3\nwade 4\nrestart\nwade 1") == (Wade(1),)
    assert read("wade 1\nwade 2\ndraft") == (Draft((Wade(1), Wade(2))),)
    for text in ("undo", "if 3", "soon", "wade 1\nsoon"):
        with pytest.raises(Unreadable):
            read(text)


def test_a_mark_of_the_game_changes_the_action_before_it() -> None:
    assert read("wish 4\nsoon") == (Wish(4, soon=True),)


def test_a_wrapped_line_is_joined_and_an_order_begins_where_its_word_does() -> None:
    lines = [(line.number, line.text) for line in notation().cut("wade\n1, wade 2\n\nrest")]
    assert lines == [(1, "wade 1"), (2, "wade 2"), (3, "rest")]


def test_orders_are_checked_before_moves_and_errors_name_line_and_nearest() -> None:
    with pytest.raises(IllegalAction) as raised:
        read("wade 1\nwade 5\nwish 1")
    context = raised.value.context
    assert (context["line"], context["text"], context["index"]) == (2, "wade 5", 1)
    assert context["nearest"] == ("wade 2",)
    assert raised.value.begun == (Wade(1),)


def test_what_is_on_file_need_not_be_said_again() -> None:
    assert read("wish 1\nwade 1", on_file=(Wish(1),)) == (Wade(1),)
    assert read("wish 1", on_file=(Wish(1),)) == (Wish(1),)


def test_a_text_without_anything_is_unreadable_and_one_taken_back_is_refused() -> None:
    with pytest.raises(Unreadable):
        read(" \n ")
    with pytest.raises(IllegalAction) as raised:
        read("wade 1\nundo")
    assert raised.value.code == "nothing_left"
