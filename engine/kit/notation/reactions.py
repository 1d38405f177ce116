"""Plans of reactions as text, both ways, and submissions that hold their lines.

    when EVENT [if TEST and TEST]: WISH or WISH [then WISH ...] [else [if TEST:] WISH ...]

One line stands for each `When`; "no plan", alone, drops the plan on file. Lines are cut out of a
submission before its actions are read; several may be written as one, with slashes between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.kit.notation import syntax
from engine.kit.notation.actions import ActionNotation
from engine.kit.notation.lines import WholeLines
from engine.kit.notation.syntax import Parser, after, before, either, into, keyword, many, parted
from engine.kit.notation.text import LINE_ENDS, Folding
from engine.kit.notation.words import Names, Vocabulary
from engine.kit.plans.reactions import Branch, Reactions, When
from engine.protocol import Seat, Unreadable

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O", bound=Any)  # noqa: E741
C = TypeVar("C")
W = TypeVar("W")

Line: TypeAlias = When[str, C, W]

NO_PLAN: Final = "no plan"
_JOINTS: Final[Mapping[str, Names]] = {
    "when": {"en": "when", "fr": "quand"},
    "if": {"en": "if", "fr": "si"},
    "and": {"en": "and", "fr": "et"},
    "colon": {"en": (":", "then"), "fr": (":", "alors")},
    "then": {"en": "then", "fr": "puis"},
    "else": {"en": "else", "fr": "sinon"},
    "or": {"en": ("or", ">"), "fr": ("ou", ">")},
    NO_PLAN: {"en": NO_PLAN, "fr": "sans plan"},
}
JOINTS: Final = Vocabulary(_JOINTS)
KEEPS: Final = frozenset(("when", "quand", "then", "puis", "else", "sinon", "or", "ou"))
"""Words that begin a line, or go on with one: never politeness (`Notation.keeps`)."""
LONGEST_LINE: Final = 600
"""The characters of a line: a dozen names of things are 200, and a line has several lists."""

_FOLDING = Folding(marks=":<=>,;", between=LINE_ENDS)
_SLASH = re.compile(r"\s/\s*(?=(?:when|quand)\b)", re.I)
_BEGINS = Vocabulary({key: _JOINTS[key] for key in ("when", NO_PLAN)})
_CONTINUES = Vocabulary(
    {
        "then": {"en": "then", "fr": ("puis", "alors")},
        "else": _JOINTS["else"],
        "or": {"en": "or", "fr": "ou"},
    }
)
_AWAITS = Vocabulary({key: _JOINTS[key] for key in ("if", "and", "colon", "then", "else", "or")})
"""A line of a plan does not end with one of these."""
_COLON, _THEN, _ELSE, _OR = (keyword(_JOINTS[key]) for key in ("colon", "then", "else", "or"))


class PlanLines(Generic[C, W]):
    """The grammar of a game's plans.

    `first` gives by event the wishes that its first list may hold, `later` those of lists behind
    `then`. `kinds` are kinds of what can be missing, the most telling first. At most `most` lines
    are read.
    """

    def __init__(
        self,
        *,
        events: Vocabulary[str],
        test: Parser[C],
        first: Mapping[str, Parser[W]],
        later: Parser[W],
        write_test: Callable[[C, str], str],
        write_wish: Callable[[W, str], str],
        kinds: Sequence[str],
        most: int,
    ) -> None:
        self._events = events
        self._guard = after(keyword(_JOINTS["if"]), parted(test, keyword(_JOINTS["and"])))
        self._later = many(after(_THEN, parted(later, _OR)))
        self._write_test = write_test
        self._write_wish = write_wish
        by_event = {event: self._line(event, wish) for event, wish in first.items()}
        grammar: Parser[Line[C, W] | None] = either(
            after(keyword(_JOINTS["when"]), syntax.by_word(events, "event", by_event)),
            into(lambda _: None, keyword(_JOINTS[NO_PLAN])),
        )
        self._lines: WholeLines[Line[C, W] | None] = WholeLines(
            grammar,
            self.write_line,
            folding=_FOLDING,
            kinds=kinds,
            begins=_BEGINS,
            continues=_CONTINUES,
            awaits=_AWAITS,
            most=most,
            longest=LONGEST_LINE,
        )

    def _line(self, event: str, wish: Parser[W]) -> Parser[Line[C, W]]:
        lists = into(lambda one, more: (one, *more), parted(wish, _OR), self._later)
        if_so = before(_COLON, self._guard)
        guarded = either(into(lambda _: (), _COLON), if_so)
        otherwise = either(
            into(lambda found: _branch((), found), lists), into(_branch, if_so, lists)
        )
        return into(
            lambda one, more: When(event=event, branches=(one, *more)),
            into(_branch, guarded, lists),
            many(after(_ELSE, otherwise)),
        )

    def read(self, text: str, lang: str) -> tuple[str, list[Line[C, W] | None]]:
        """The text without its plan lines, and what they say, None for "no plan".

        Raises Unreadable for an action behind a plan line, for "no plan" beside others, and as
        WholeLines does; Ambiguous, IllegalAction.
        """
        rest, lines = self._lines.cut(_SLASH.sub("\n", text))
        if not lines:
            return rest, []
        for number, line in enumerate(rest.splitlines(), 1):
            if number > lines[0].number and line.strip():
                raise _stray(line.strip(), number)
        found = self._lines.read(lines, lang)
        if None in found and len(found) > 1:
            at = lines[found.index(None)]
            raise _stray(at.text, at.number)
        return rest, found

    def write(self, plan: Reactions[str, C, W] | None, lang: str) -> str:
        """A plan as one text, its lines parted by slashes."""
        lines: Sequence[Line[C, W] | None] = (None,) if plan is None else plan.lines
        return " / ".join(self.write_line(line, lang) for line in lines)

    def write_line(self, line: Line[C, W] | None, lang: str) -> str:
        """A line as text, "no plan" for None."""
        joint = {key: JOINTS.write(key, lang) for key in _JOINTS}
        if line is None:
            return joint[NO_PLAN]
        said = [joint["when"], self._events.write(line.event, lang)]
        colon = " :" if lang == "fr" else ":"
        for number, branch in enumerate(line.branches):
            if number:
                said.append(joint["else"])
            if branch.guard:
                tests = (self._write_test(test, lang) for test in branch.guard)
                said += [joint["if"], f" {joint['and']} ".join(tests)]
            if branch.guard or not number:
                said[-1] += colon
            written = (
                f" {joint['or']} ".join(self._write_wish(wish, lang) for wish in wishes)
                for wishes in branch.lists
            )
            said.append(f" {joint['then']} ".join(written))
        return " ".join(said)


def _branch(guard: tuple[C, ...], lists: tuple[tuple[W, ...], ...]) -> Branch[C, W]:
    return Branch(guard=guard, lists=lists)


def _stray(text: str, line: int) -> Unreadable:
    """The error of a line that may not stand there."""
    return Unreadable(text, text=text, line=line, kind="event", expected=())


class PlanningNotation(ActionNotation[S, A, O]):
    """Actions, and behind them the lines of a plan; `file` makes the order that files it, None
    dropping the one on file, and may raise IllegalAction. The rest is ActionNotation's.
    """

    def __init__(
        self,
        *,
        lines: PlanLines[Any, Any],
        file: Callable[[Reactions[str, Any, Any] | None], A],
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        self._plan_lines = lines
        self._file = file

    def parse(self, state: S, seat: Seat, text: str, lang: str) -> tuple[A, ...]:
        rest, lines = self._plan_lines.read(text, lang)
        if not lines:
            return super().parse(state, seat, text, lang)
        whole = tuple(line for line in lines if line is not None)
        filed = self._file(Reactions(lines=whole) if whole else None)
        if not rest.strip():
            return (filed,)
        # It is filed first: what an action reveals ends the submission.
        return (filed, *super().parse(state, seat, rest, lang))
