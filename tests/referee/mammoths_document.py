"""The JSON of a record of La Vallée des Mammouths as docs/record.md describes it."""

from __future__ import annotations

from typing import Any

from tests.referee.document import Plain, check_of_every_game, checked, like
from tests.referee.draws import Wrong
from tests.referee.mammoths_names import HEXES, SPECIES, TRICKS

OPTIONS: Plain = {
    "board": int,
    "beginner_food": bool,
    "fire_rules": bool,
    "village_bonus": int,
    "cave_bonus": int,
    "food_spoils": bool,
    "combat_values": str,
    "births_need_man": bool,
    "extra_discard": bool,
}
CONDITION = {
    "what": str,
    "hexes": [int],
    "tribe": (int, None),
    "species": (str, None),
    "most": bool,
    "number": int,
}
ALTERNATIVE = {
    "conditions": [{"condition": CONDITION, "negated": bool}],
    "lines": [dict],
}
PLAN = {"alternatives": [ALTERNATIVE], "otherwise": str}
ORDER: dict[str, Plain] = {
    "loss": {"at": int, "letters": str},
    "event_loss": {"sex": str},
    "fights": {"hexes": [int]},
    "herds": {"at": int, "species": [str]},
    "camp": {"at": int, "burn": bool},
    "combat_card": {
        "title": str,
        "at": int,
        "against": str,
        "trigger": str,
        "most": int,
        "drop": str,
    },
    "retreat": {"at": int, "to": [int], "w": int, "f": int, "drop": str},
    "spirits": {"hexes": [int], "drop": str},
    "beaters": {
        "species": [str],
        "direction": int,
        "herd": (str, None),
        "near": int,
        "distance": int,
        "drop": str,
    },
    "bait": {"at": int, "distance": int, "species": [str], "drop": str},
    "stores": {"title": str, "trigger": str, "drop": str},
    "feast": {"at": int, "sex": str, "drop": str},
    "starve": {"pawns": [list]},
    "unfed": {"pawns": [list]},
    "births": {"hexes": [int]},
    "sow": {"hexes": [int]},
    "reenter": {"hexes": [int]},
    "forget": {"word": str, "title": str},
}
LINE: dict[str, Plain] = {
    "move": {"w": int, "f": int, "path": [int]},
    "found": {"hex": int},
    "fire": {"hex": int, "camp": int},
    "card": {"title": str, "hexes": [int], "tribe": (int, None), "fire": bool, "drop": str},
}
ACTION: dict[str, Plain] = {
    **ORDER,
    **LINE,
    "place": {"hexes": [int], "sow": bool},
    "done": {},
    "answer": {"orders": [dict]},
    "plan_move": {"plan": PLAN, "shown": int},
    "plan_fight": {"plan": PLAN, "shown": int},
    "withdraw": {"plan": str},
    "draft": {"lines": [dict]},
}
SEALED = ("loss", "fights", "herds", "camp", "combat_card", "retreat")


def read(data: bytes) -> Plain:
    """A record whose keys and types are right, as by `checked`."""
    return checked(data, check)


def check(record: Any) -> None:
    """See that keys, types and options are right."""
    check_of_every_game(record, OPTIONS)
    options = record["options"]
    if (
        record["seats"] not in range(2, 7)
        or options["board"] not in range(5)
        or options["village_bonus"] not in range(4)
        or options["cave_bonus"] not in range(4)
        or options["combat_values"] not in ("standard", "house")
    ):
        raise Wrong(f"options {options}")
    for entry in record["entries"]:
        for action in entry["actions"]:
            like_action(action, ACTION)


def like_action(action: Plain, shapes: dict[str, Plain]) -> None:
    kind = action.get("do")
    if not isinstance(kind, str) or kind not in shapes:
        raise Wrong(f"action {kind!r}")
    like(action, {"do": str, **shapes[kind]}, kind)
    for hexes in ("hexes", "path", "to"):
        if not set(action.get(hexes, ())) <= set(HEXES):
            raise Wrong(f"{kind}: no hex of the board in {action[hexes]}")
    species = action.get("species", [])
    if not set(species) <= set(SPECIES) or len(set(species)) != len(species):
        raise Wrong(f"{kind}: species {species}")
    if action.get("title", "") not in ("", *TRICKS) or action.get("drop", "") not in ("", *TRICKS):
        raise Wrong(f"{kind}: title")
    letters = [action.get("letters", ""), action.get("sex", "")]
    letters += [pair[1] for pair in action.get("pawns", ())]
    if not all(set(text) <= set("wf") for text in letters):
        raise Wrong(f"{kind}: pawns {letters}")
    if kind == "answer":
        for order in action["orders"]:
            like_action(order, {word: ORDER[word] for word in SEALED})
    for line in action.get("lines", ()):
        like_action(line, LINE)
    if kind in ("plan_move", "plan_fight"):
        shapes = LINE if kind == "plan_move" else {word: ORDER[word] for word in SEALED}
        if not 1 <= len(action["plan"]["alternatives"]) <= 3:
            raise Wrong(f"{kind}: alternatives")
        for alternative in action["plan"]["alternatives"]:
            for line in alternative["lines"]:
                like_action(line, shapes)
