"""The JSON of a record of Fire & Stone as docs/record.md describes it."""

from __future__ import annotations

from typing import Any

from tests.referee.document import Plain, check_of_every_game, checked, like
from tests.referee.draws import Wrong
from tests.referee.fire_and_stone_names import (
    CARDS,
    COLUMNS,
    GATHERING,
    KINDS,
    OBJECTIVES,
    PIECES,
    PLACES,
)

OPTIONS: Plain = {
    "cave_level": str,
    "card_spaces": [int],
    "start_tile": str,
    "starting_inventions": bool,
    "first": (int, None),
}
LATER = "plays_forced"
"""An option that older records lack."""
WISH = {"do": str, "what": str, "column": str, "number": int, "names": [str]}
TEST = {"subject": str, "relation": str, "value": object}
BRANCH = {"guard": [dict], "lists": [[WISH]]}
LINE = {"event": str, "branches": [BRANCH]}
PLAN = {"lines": [LINE]}
ACTION: dict[str, Plain] = {
    "rank": {"cards": [str]},
    "plan": {"plan": (PLAN, None)},
    "lead": {"explorer": int},
    "go": {"place": str},
    "take": {"column": str},
    "forage": {"place": str, "column": str},
    "keep": {"pieces": [str]},
    "piece": {"piece": str},
    "return": {"fire": str},
    "second": {"fire": str},
    "invent": {"card": str},
    "score": {"covers": str},
    "discard": {"column": str},
    "barter": {"given": str, "taken": str},
    "name": {"place": str},
    "arrange": {"tiles": [str]},
    "swap": {"objective": str},
    **{kind: {} for kind in ("pass", "food", "hunt", "done", "build", "decline")},
    **{kind: {} for kind in ("hold", "drop", "use", "look")},
}
MOST_LINES, MOST_BRANCHES, MOST_WISHES = 24, 6, 12
SUBJECTS = ("food", "space", "bags", "huts", "track", "cost", "tiles", "held")
WORDS = (*SUBJECTS, *COLUMNS, "shown", "explorer")
RELATIONS = ("at_least", "at_most", "is")
EVENTS = (
    *("forest", "fire", "gathering", "apple", "nut", "mushroom", "root", "village", "empty"),
    *("cave", "hunt", "hut", "return", "second", "ember", "card", "basket", "tunnel", "look"),
    *("arrange", "council", "other", "anything"),
)
WISHES = (
    *("kind", "take", "food", "forage", "hunt", "pieces", "most_food", "most_bags", "cook"),
    *("build", "cave", "place", "invention", "vp", "none", "keep", "drop", "look", "same"),
    *("objective", "pass", "default", "ask"),
)
WHAT: dict[str, tuple[str, ...]] = {
    "kind": GATHERING,
    "forage": PLACES,
    "place": PLACES,
    "build": ("", *PLACES),
    "invention": CARDS["invention"],
    "vp": ("", *CARDS["invention"]),
    "objective": OBJECTIVES,
}
"""What stands in `what` of a wish, and in its `names`."""
NAMES: dict[str, tuple[str, ...]] = {
    "pieces": tuple(PIECES),
    "cook": tuple(PIECES),
    "cave": (*PLACES, *CARDS["invention"], *COLUMNS, *PIECES, "all"),
    "look": PLACES,
}


def read(data: bytes) -> Plain:
    """A record whose keys and types are right, as by `checked`."""
    return checked(data, check)


def check(record: Any) -> None:
    """See that keys, types and options are right."""
    options = record["options"]
    check_of_every_game(record, OPTIONS | ({LATER: bool} if LATER in options else {}))
    if (
        record["seats"] not in (2, 3, 4)
        or options["cave_level"] not in ("any", "beginner")
        or options["card_spaces"] not in ([3], [2, 3])
        or options["start_tile"] not in ("sun", "moon")
        or options["first"] not in (None, *range(record["seats"]))
    ):
        raise Wrong(f"options {options}")
    for entry in record["entries"]:
        for action in entry["actions"]:
            kind = action.get("do")
            if not isinstance(kind, str) or kind not in ACTION:
                raise Wrong(f"action {kind!r}")
            like(action, {"do": str, **ACTION[kind]}, kind)
            if kind == "plan" and action["plan"] is not None:
                check_plan(action["plan"])


def check_plan(plan: Plain) -> None:
    """F§19.1-3: how long a plan is, and its words."""
    if not 1 <= len(plan["lines"]) <= MOST_LINES:
        raise Wrong("a plan of as many lines")
    for line in plan["lines"]:
        if line["event"] not in (*EVENTS, *CARDS["cave"]):
            raise Wrong(f"plan: event {line['event']}")
        if not 1 <= len(line["branches"]) <= MOST_BRANCHES:
            raise Wrong("plan: branches")
        for branch in line["branches"]:
            for test in branch["guard"]:
                check_test(test)
            if not branch["lists"]:
                raise Wrong("plan: a branch without wishes")
            for wishes in branch["lists"]:
                if not 1 <= len(wishes) <= MOST_WISHES:
                    raise Wrong("plan: wishes")
                for wish in wishes:
                    check_wish(wish)


def check_wish(wish: Plain) -> None:
    """Things there are, and nothing where there is nothing to say."""
    do = wish["do"]
    if (
        do not in WISHES
        or wish["what"] not in WHAT.get(do, ("",))
        or wish["column"] not in ("", *(COLUMNS if do in ("kind", "take", "forage") else ()))
        or not 0 <= wish["number"] <= (99 if do == "food" else 0)
        or not set(wish["names"]) <= set(NAMES.get(do, ()))
    ):
        raise Wrong(f"plan: wish {wish}")


def check_test(test: Plain) -> None:
    if test.keys() != TEST.keys() or test["subject"] not in WORDS:
        raise Wrong(f"plan: test {test}")
    value = test["value"]
    if test["relation"] not in RELATIONS or type(value) not in (int, str):
        raise Wrong(f"plan: test {test}")
    shown = (*KINDS, "gathering", *PIECES, *CARDS["cave"], *CARDS["invention"], *PLACES)
    if isinstance(value, str) and value not in ("free", *shown):
        raise Wrong(f"plan: test {test}")
