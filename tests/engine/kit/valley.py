"""A made-up grammar of whole-line orders: moves, standing orders, and plans of several lines.

V§1 A reply is one order in each line. V§2 `plan` begins one; `if` lines are its conditions, `or`
begins the next alternative, `otherwise` closes it. V§3 A comma is a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from engine.kit.notation import syntax
from engine.kit.notation.lines import Line, WholeLines
from engine.kit.notation.syntax import Parser, into, keyword, leading, many
from engine.kit.notation.text import LINE_ENDS, Folding
from engine.kit.notation.words import Vocabulary
from engine.protocol import Unreadable

Hex = int


class Count(msgspec.Struct, frozen=True):
    """Pawns: warriors and women."""

    warriors: int
    women: int


class Move(msgspec.Struct, frozen=True):
    """Pawns along a path."""

    count: Count
    path: tuple[Hex, ...]


class Found(msgspec.Struct, frozen=True):
    """A camp."""

    hex: Hex


class Loss(msgspec.Struct, frozen=True):
    """Who dies first somewhere: letters w and f."""

    hex: Hex | None
    letters: str


class Herds(msgspec.Struct, frozen=True):
    """The order in which herds are fought."""

    hex: Hex
    species: tuple[str, ...]


class Condition(msgspec.Struct, frozen=True):
    """Something on the board; `limit` is "min" or "max" and a number."""

    what: str
    negated: bool
    tribe: str | None = None
    hexes: tuple[Hex, ...] = ()
    limit: tuple[str, int] | None = None


class Begin(msgspec.Struct, frozen=True):
    """A plan begins."""


class Or(msgspec.Struct, frozen=True):
    """The next alternative begins."""


class Otherwise(msgspec.Struct, frozen=True):
    """The plan ends."""

    what: str


Order = Move | Found | Loss | Herds | Condition | Begin | Or | Otherwise

ORDERS = Vocabulary(
    {
        "move": {"en": "move", "fr": "aller"},
        "found": {"en": "found", "fr": "installer"},
        "loss": {"en": "loss", "fr": "pertes"},
        "herds": {"en": "herds", "fr": "troupeaux"},
        "plan": {"en": "plan move", "fr": "plan aller"},
        "if": {"en": "if", "fr": "si"},
        "or": {"en": "or", "fr": "ou"},
        "otherwise": {"en": "otherwise", "fr": "sinon"},
    }
)
SPECIES = Vocabulary(
    {
        "wolf": {"en": "wolf", "fr": "loup"},
        "bear": {"en": "bear", "fr": "ours"},
        "bison": {"en": "bison", "fr": "bison"},
        "mammoth": {"en": "mammoth", "fr": "mammouth"},
    }
)
TRIBES = Vocabulary({"red": {"en": "red", "fr": "rouge"}, "blue": {"en": "blue", "fr": "bleu"}})
LIMITS = Vocabulary({"min": {"en": "min", "fr": "min"}, "max": {"en": "max", "fr": "max"}})
CLOSINGS = Vocabulary(
    {"ask": {"en": "ask", "fr": "demander"}, "stay": {"en": "stay", "fr": "rester"}}
)
CONDITIONS = Vocabulary(
    {
        "same": {"en": "same", "fr": "pareil"},
        "free": {"en": "free", "fr": "libre"},
        "tribe": {"en": "tribe", "fr": "tribu"},
        "opponents": {"en": "opponents", "fr": "adversaires"},
    }
)


def _count(match: re.Match[str]) -> Count:
    parts = re.findall(r"([0-9]+)([wgf])", match[0])
    return Count(
        sum(int(n) for n, letter in parts if letter in "wg"),
        sum(int(n) for n, letter in parts if letter == "f"),
    )


_HEX = syntax.pattern(
    r"([1-6][1-7])(?![0-9a-z])",
    lambda match: int(match[1]),
    "hex",
    examples={"en": "35", "fr": "35"},
)
_COUNT = syntax.pattern(
    r"(?:[1-9][0-9]?[wgf])+(?![a-z0-9])",
    _count,
    "count",
    examples={"en": ("1w1f", "2w"), "fr": ("1g1f", "2g")},
)
_LETTERS = syntax.pattern(
    r"[wgf]+(?![a-z0-9])",
    lambda match: match[0].replace("g", "w"),
    "letters",
    examples={"en": "wwf", "fr": "ggf"},
)
_ANY: Parser[Hex | None] = keyword({"en": "any", "fr": "partout"}, "hex")
_LIMIT = into(
    lambda side, number: (side, number),
    syntax.each(LIMITS, "limit"),
    syntax.number(),
)


def _condition(negated: bool) -> dict[str, Parser[Condition]]:
    def made(what: str) -> Parser[Condition]:
        return leading(lambda: Condition(what, negated))

    def on(what: str) -> Parser[Condition]:
        return into(lambda hex_: Condition(what, negated, hexes=(hex_,)), _HEX)

    return {
        "same": into(lambda hexes: Condition("same", negated, hexes=hexes), many(_HEX)),
        "free": on("free"),
        "tribe": into(
            lambda tribe, hex_: Condition("tribe", negated, tribe, (hex_,)),
            syntax.each(TRIBES, "tribe"),
            _HEX,
        ),
        "opponents": into(
            lambda hex_, limit: Condition("opponents", negated, None, (hex_,), limit),
            _HEX,
            _LIMIT,
        ),
    }


ORDER: Parser[Order] = syntax.by_word(
    ORDERS,
    "order",
    {
        "move": into(Move, _COUNT, many(_HEX, 2)),
        "found": into(Found, _HEX),
        "loss": into(Loss, syntax.either(_HEX, _ANY), _LETTERS),
        "herds": into(Herds, _HEX, many(syntax.each(SPECIES, "species"), 1)),
        "plan": leading(Begin),
        "if": syntax.either(
            syntax.by_word(CONDITIONS, "condition", _condition(False)),
            syntax.after(
                keyword({"en": "not", "fr": "pas"}),
                syntax.by_word(CONDITIONS, "condition", _condition(True)),
            ),
        ),
        "or": leading(Or),
        "otherwise": into(Otherwise, syntax.each(CLOSINGS, "closing")),
    },
)


def write(order: Order, lang: str) -> str:
    """An order as text."""
    fighter = "w" if lang == "en" else "g"
    match order:
        case Move(count, path):
            pawns = (f"{count.warriors}{fighter}" if count.warriors else "") + (
                f"{count.women}f" if count.women else ""
            )
            return f"{ORDERS.write('move', lang)} {pawns} {'-'.join(map(str, path))}"
        case Found(hex_):
            return f"{ORDERS.write('found', lang)} {hex_}"
        case Loss(hex_, letters):
            place = hex_ or ("any" if lang == "en" else "partout")
            return f"{ORDERS.write('loss', lang)} {place} {letters.replace('w', fighter)}"
        case Herds(hex_, species):
            named = " ".join(SPECIES.write(each, lang) for each in species)
            return f"{ORDERS.write('herds', lang)} {hex_} {named}"
        case Begin():
            return ORDERS.write("plan", lang)
        case Or():
            return ORDERS.write("or", lang)
        case Otherwise(what):
            return f"{ORDERS.write('otherwise', lang)} {CLOSINGS.write(what, lang)}"
        case Condition():
            said = [ORDERS.write("if", lang)]
            said += [("not" if lang == "en" else "pas")] if order.negated else []
            said.append(CONDITIONS.write(order.what, lang))
            said += [TRIBES.write(order.tribe, lang)] if order.tribe else []
            said += [str(hex_) for hex_ in order.hexes]
            if order.limit:
                said += [LIMITS.write(order.limit[0], lang), str(order.limit[1])]
            return " ".join(said)


LINES = WholeLines(
    ORDER,
    write,
    folding=Folding(blanks=",", between=LINE_ENDS),
    kinds=("order", "condition", "count", "hex", "letters", "species", "tribe", "limit", "number"),
)


class Alternative(msgspec.Struct):
    """Conditions, and what is done if all hold."""

    conditions: list[Condition] = msgspec.field(default_factory=list)
    orders: list[Order] = msgspec.field(default_factory=list)


class Plan(msgspec.Struct):
    """Alternatives in order of preference, and what to do when none can be done."""

    alternatives: list[Alternative]
    otherwise: str = "ask"


def orders_of(text: str, lang: str) -> tuple[list[Order], Plan | None]:
    """The standing orders and the plan in a reply. Raises Unreadable, Ambiguous."""
    _, lines = LINES.cut(text)
    return assembled(zip(lines, LINES.read(lines, lang), strict=True))


def assembled(read: Iterable[tuple[Line, Order]]) -> tuple[list[Order], Plan | None]:
    """Orders, and the plan that some of the lines are."""
    standing: list[Order] = []
    plan: Plan | None = None
    inside = False
    for line, order in read:
        if isinstance(order, Begin):
            plan, inside = Plan([Alternative()]), True
        elif not inside or plan is None:
            if isinstance(order, Condition | Or | Otherwise):
                raise Unreadable(line.text, text=line.text, line=line.number, kind="order")
            standing.append(order)
        elif isinstance(order, Otherwise):
            plan.otherwise, inside = order.what, False
        elif isinstance(order, Or):
            plan.alternatives.append(Alternative())
        elif isinstance(order, Condition):
            plan.alternatives[-1].conditions.append(order)
        else:
            plan.alternatives[-1].orders.append(order)
    return standing, plan
