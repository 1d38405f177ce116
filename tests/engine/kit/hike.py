"""Hike: a made-up game whose notation is made with the kit, conditional lines included.

Somebody walks between places, eats and rests. H§1 A day is any number of actions and ends with
`rest`. H§2 `go` leads to a neighbour; the boar in the forest and the cave is seen on arrival only,
and that stops the day's orders. H§3 `take` takes some of the apples of the place, `eat` one of
those carried: all red ones are alike, and so are all green ones. H§4 Lines beginning with `when`
say what to do on arrival.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.chance import Chance
from engine.kit.notation import syntax
from engine.kit.notation.actions import ActionNotation
from engine.kit.notation.lines import WholeLines
from engine.kit.notation.meaning import Meaning, exactly, saying
from engine.kit.notation.syntax import Parser, after, before, into, keyword, many, maybe, parted
from engine.kit.notation.text import LINE_ENDS, Folding
from engine.kit.notation.words import Vocabulary, words_of
from engine.protocol import Decision, IllegalAction, Seat, Step

NEIGHBOURS = {
    "meadow": ("forest", "upper_cave"),
    "forest": ("meadow", "old_hut"),
    "upper_cave": ("meadow",),
    "old_hut": ("forest",),
}
UNSEEN = ("forest", "upper_cave")

# Positions and actions


class Go(msgspec.Struct, frozen=True, tag="go"):
    """Walk to a neighbour."""

    place: str


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take that many apples."""

    apples: int


class Eat(msgspec.Struct, frozen=True, tag="eat"):
    """Eat one of the apples, each of which has a number: even ones are red, odd ones green."""

    apple: int


class Rest(msgspec.Struct, frozen=True, tag="rest"):
    """End the day."""


class Condition(msgspec.Struct, frozen=True):
    """A condition on an amount."""

    amount: str
    relation: str
    number: int


class Wish(msgspec.Struct, frozen=True):
    """Something to do if it is possible; `what` is a place or a number of apples."""

    do: str
    what: str | int | None = None


class Branch(msgspec.Struct, frozen=True):
    """What is done in order, each time the first that is possible, if all conditions hold."""

    conditions: tuple[Condition, ...]
    steps: tuple[tuple[Wish, ...], ...]


class Plan(msgspec.Struct, frozen=True, tag="plan"):
    """One conditional line: what to do on arrival."""

    event: str
    branches: tuple[Branch, ...]


Action = Go | Take | Eat | Rest | Plan


class State(msgspec.Struct, frozen=True):
    """A position."""

    day: int = 1
    place: str = "meadow"
    apples: tuple[int, ...] = (1, 2, 3, 4)
    seen: tuple[str, ...] = ()
    plan: tuple[Plan, ...] = ()


class Offer:
    """What can be done: of plans no example."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __iter__(self) -> Iterator[Action]:
        yield from (Go(place) for place in NEIGHBOURS[self.state.place])
        yield from (Take(number) for number in (1, 2, 3))
        yield from (Eat(apple) for apple in self.state.apples)
        yield Rest()

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Plan) or action in list(self)


def decisions(state: State) -> tuple[Decision[Action], ...]:
    """One: the day."""
    if state.day > 2:
        return ()
    return (
        Decision(
            id=f"{state.day}",
            turn=f"{state.day}",
            seat=0,
            kind="day",
            rule="H§1",
            choices=Offer(state),
        ),
    )


def apply(state: State, seat: Seat, action: Action, chance: Chance | None = None) -> Step[State]:
    """What an action does."""
    new = msgspec.structs.replace
    if seat != 0 or state.day > 2:
        raise IllegalAction("not_your_turn", "H§1")
    match action:
        case Go(place):
            if place not in NEIGHBOURS[state.place]:
                raise IllegalAction("no_way", "H§2", place=place)
            reveals = place in UNSEEN and place not in state.seen
            there = new(state, place=place, seen=(*state.seen, place))
            # Who comes unawares meets a boar that eats the apples.
            return Step(state=new(there, apples=()) if reveals else there, reveals=reveals)
        case Take(number):
            if not 1 <= number <= 3:
                raise IllegalAction("not_so_many", "H§3", number=number)
            return Step(state=new(state, apples=tuple(range(1, len(state.apples) + number + 1))))
        case Eat(apple):
            if apple not in state.apples:
                raise IllegalAction("no_such_apple", "H§3", apple=apple)
            return Step(state=new(state, apples=tuple(a for a in state.apples if a != apple)))
        case Rest():
            return Step(state=new(state, day=state.day + 1))
        case Plan():
            return Step(state=new(state, plan=(*state.plan, action)))


# Words

PLACES = Vocabulary(
    {
        "meadow": {"en": "Meadow", "fr": "Pré"},
        "forest": {"en": "Forest", "fr": "Forêt"},
        "upper_cave": {"en": "Upper Cave", "fr": "Grotte d'en haut"},
        "old_hut": {"en": "Old Hut", "fr": "Vieille hutte"},
    }
)
VERBS = Vocabulary(
    {
        "go": {"en": "go", "fr": "va"},
        "take": {"en": "take", "fr": "prends"},
        "eat": {"en": "eat", "fr": "mange"},
        "rest": {"en": "rest", "fr": "repos"},
    }
)
COLOURS = Vocabulary({"red": {"en": "red", "fr": "rouge"}, "green": {"en": "green", "fr": "verte"}})
EVENTS = Vocabulary(
    {"forest": {"en": "forest", "fr": "forêt"}, "cave": {"en": "cave", "fr": "grotte"}}
)
WISHES = Vocabulary(
    {
        "hunt": {"en": "hunt", "fr": "chasse"},
        "look": {"en": "look", "fr": "regarde"},
        "go": {"en": "go", "fr": "va"},
        "rest": {"en": "rest", "fr": "repos"},
        "ask": {"en": "ask", "fr": "demande"},
    }
)
AMOUNTS = Vocabulary(
    {"apples": {"en": "apples", "fr": "pommes"}, "day": {"en": "day", "fr": "jour"}}
)
RELATIONS = Vocabulary(
    {
        "least": {"en": ("at least", ">="), "fr": ("au moins", ">=")},
        "most": {"en": ("at most", "<="), "fr": ("au plus", "<=")},
        "is": {"en": ("is", "="), "fr": ("est", "=")},
    }
)
JOINTS = Vocabulary(
    {
        "when": {"en": "when", "fr": "quand"},
        "if": {"en": "if", "fr": "si"},
        "and": {"en": "and", "fr": "et"},
        "then": {"en": "then", "fr": "puis"},
        "else": {"en": "else", "fr": "sinon"},
        "or": {"en": "or", "fr": "ou"},
    }
)
ALL = (PLACES, VERBS, COLOURS, EVENTS, WISHES, AMOUNTS, RELATIONS, JOINTS)
BEGINS = Vocabulary({"when": {"en": "when", "fr": "quand"}})
CONTINUES = Vocabulary(
    {
        "then": {"en": "then", "fr": "puis"},
        "else": {"en": "else", "fr": "sinon"},
        "or": {"en": "or", "fr": "ou"},
    }
)

# Conditional lines

_IF = keyword({"en": "if", "fr": "si"})
_AND = keyword({"en": "and", "fr": "et"})
_COLON = keyword({"en": (":", "then"), "fr": (":", "alors")})
_THEN = keyword({"en": "then", "fr": "puis"})
_ELSE = keyword({"en": "else", "fr": "sinon"})
_OR = keyword({"en": ("or", ">"), "fr": ("ou", ">")})

_PLACE = syntax.each(PLACES, "place")
_NUMBER = syntax.number()


def _wish(*verbs: str) -> Parser[Wish]:
    bare: dict[str, Parser[Wish]] = {
        verb: syntax.leading(lambda verb=verb: Wish(verb)) for verb in verbs
    }
    bare["go"] = into(lambda place: Wish("go", place), _PLACE)
    apples = keyword({"en": "apples", "fr": "pommes"})
    return syntax.either(
        syntax.by_word(WISHES, "wish", bare),
        into(lambda number: Wish("take", number), before(apples, _NUMBER)),
    )


_CONDITION = into(
    Condition, syntax.each(AMOUNTS, "amount"), syntax.each(RELATIONS, "relation"), _NUMBER
)
_GUARD = after(_IF, parted(_CONDITION, _AND))


def _line(event: str, *verbs: str) -> Parser[Plan]:
    steps = parted(parted(_wish(*verbs, "rest", "ask"), _OR), _THEN)
    first = into(Branch, before(_COLON, maybe(_GUARD, ())), steps)
    other = after(_ELSE, into(Branch, maybe(before(_COLON, _GUARD), ()), steps))
    return into(lambda one, more: Plan(event, (one, *more)), first, many(other))


LINE = after(
    keyword({"en": "when", "fr": "quand"}),
    syntax.by_word(
        EVENTS, "event", {"forest": _line("forest", "hunt"), "cave": _line("cave", "look")}
    ),
)


def write_line(plan: Plan, lang: str) -> str:
    """A conditional line as text."""
    said = [JOINTS.write("when", lang), EVENTS.write(plan.event, lang)]
    for n, branch in enumerate(plan.branches):
        said += [JOINTS.write("else", lang)] if n else []
        given = [
            f"{AMOUNTS.write(t.amount, lang)} {RELATIONS.write(t.relation, lang)} {t.number}"
            for t in branch.conditions
        ]
        if given:
            said += [JOINTS.write("if", lang), f" {JOINTS.write('and', lang)} ".join(given)]
        said += [":"] if given or not n else []
        listed = (
            f" {JOINTS.write('or', lang)} ".join(_written(wish, lang) for wish in step)
            for step in branch.steps
        )
        said.append(f" {JOINTS.write('then', lang)} ".join(listed))
    return " ".join(said).replace(" :", " :" if lang == "fr" else ":")


def _written(wish: Wish, lang: str) -> str:
    if wish.do == "take":
        return f"{wish.what} {AMOUNTS.write('apples', lang)}"
    place = f" {PLACES.write(wish.what, lang)}" if isinstance(wish.what, str) else ""
    return WISHES.write(wish.do, lang) + place


PLANS = WholeLines(
    LINE,
    write_line,
    folding=Folding(marks=":<=>,", between=LINE_ENDS),
    kinds=("event", "amount", "relation", "wish", "place", "number", "word"),
    begins=BEGINS,
    continues=CONTINUES,
    most=3,
)

# Actions


class Order(msgspec.Struct, frozen=True):
    """An action as written: a verb and what stands behind it, if anything."""

    verb: str
    what: str | int | None = None


GRAMMAR = syntax.by_word(
    VERBS,
    "verb",
    {
        "go": syntax.leading(lambda *what: Order("go", *what), _PLACE),
        "take": syntax.leading(lambda *what: Order("take", *what), _NUMBER),
        "eat": syntax.leading(lambda *what: Order("eat", *what), syntax.each(COLOURS, "colour")),
        "rest": syntax.leading(lambda: Order("rest")),
    },
)


def meanings(state: State, seat: Seat, order: Order) -> Iterator[Meaning[Action]]:
    """What an order means in a position."""
    match order:
        case Order("go", str(place)):
            yield exactly(Go(place))
        case Order("go"):
            yield Meaning(action=Go("meadow"), fits=saying(Go), missing="place")
        case Order("take", int(number)):
            yield exactly(Take(number))
        case Order("take"):
            yield Meaning(action=Take(1), fits=saying(Take), missing="number")
        case Order("eat", colour):
            fitting = [a for a in state.apples if colour in (None, _colour(a))]
            yield Meaning(
                action=Eat(fitting[0] if fitting else 0),
                fits=lambda action: isinstance(action, Eat) and action.apple in fitting,
                missing="" if colour else "colour",
                present=bool(fitting),
            )
        case _:
            yield exactly(Rest())


def _colour(apple: int) -> str:
    return "green" if apple % 2 else "red"


def write(state: State, seat: Seat, action: Action, lang: str) -> str:
    """An action as text."""
    match action:
        case Go(place):
            return f"{VERBS.write('go', lang)} {PLACES.write(place, lang)}"
        case Take(number):
            return f"{VERBS.write('take', lang)} {number}"
        case Eat(apple):
            return f"{VERBS.write('eat', lang)} {COLOURS.write(_colour(apple), lang)}"
        case Rest():
            return VERBS.write("rest", lang)
        case Plan():
            return write_line(action, lang)


class HikeNotation(ActionNotation[State, Action, Order]):
    """Actions, and conditional lines behind them."""

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[Action, ...]:
        rest, lines = PLANS.cut(text)
        plans = PLANS.read(lines, lang)
        if plans and not rest.strip():
            return tuple(plans)
        # Plans come first: what an action reveals ends the submission.
        return (*plans, *super().parse(state, seat, rest, lang))


NOTATION = HikeNotation(
    words=words_of(*ALL),
    keeps=frozenset(
        {"when", "quand", "then", "puis", "else", "sinon", "or", "ou", "take", "prends"}
    ),
    grammar=GRAMMAR,
    meanings=meanings,
    format=write,
    decisions=decisions,
    apply=apply,
    kinds=("verb", "place", "number", "colour", "end"),
    meaning=lambda state, seat, action: (
        ("eat", _colour(action.apple)) if isinstance(action, Eat) else action
    ),
)


class Hike:
    """As much of a game as the reader of replies needs."""

    notation = NOTATION

    def guess(self, state: State, seat: Seat, chance: Chance) -> State:
        return state

    def decisions(self, state: State) -> Sequence[Decision[Action]]:
        return decisions(state)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        return apply(state, seat, action)

    def default(self, state: State, seat: Seat) -> Action:
        return Rest()


GAME: Any = Hike()
