"""An independent referee for La Vallée des Mammouths, written from docs/record.md and the rules.

    python -m tests.referee.mammoths game.json

It imports nothing of the product. It deals the set-up from the seed, makes every draw, plays every
action, and compares draws, events, public states, digests and the outcome with the record.
"""

from __future__ import annotations

from typing import Any

from tests.referee.draws import Draws, Wrong, same
from tests.referee.mammoths_document import ORDER, check, read
from tests.referee.mammoths_match import FILED, LINES
from tests.referee.mammoths_plans import Planned
from tests.referee.whole import judge, main, play_entries


def referee(record: dict[str, Any]) -> None:
    """Play a whole record again, as `judge` says."""
    judge(record, "mammoths", check, play)


def play(record: dict[str, Any], draws: Draws) -> None:
    draws.give(record["setup"]["draws"])
    match = Planned(record["seats"], record["options"], draws)
    match.begin()
    play_entries(record, match, draws, play_entry)


def play_entry(match: Planned, entry: dict[str, Any]) -> None:
    """Orders first, then a whole decision."""
    seat, decision = entry["seat"], entry["decision"]
    if match.over or seat not in range(len(match.tribes)):
        raise Wrong("nobody is asked")
    _, kind, _ = decision.split(".")
    same("decision", f"{0 if kind == 'orders' else match.turn}.{kind}.{seat}", decision)
    same("turn", "" if kind == "orders" else str(match.turn), entry["turn"])
    actions = entry["actions"]
    orders = [action for action in actions if action["do"] in (*ORDER, *FILED)]
    rest = actions[len(orders) :]
    if orders != actions[: len(orders)] or not actions:
        raise Wrong("orders come first")
    if entry["cause"] == "default":
        default = {"setup": {"do": "place", "hexes": [], "sow": True}, "move": {"do": "done"}}
        default["combat"] = {"do": "answer", "orders": []}
        same("default turn", [default[kind]], actions)
    if entry["cause"] == "plan":
        match.see_plan(seat, actions)
    else:
        match.see_nothing_planned()
    for order in orders:
        match.order_filed(seat, order)
    if kind in ("orders", "file", "prepare"):
        same("decision", [], rest)
    elif kind == "setup":
        same("phase", "setup", match.phase)
        (wish,) = rest
        same("action", "place", wish["do"])
        match.place(seat, wish)
    elif kind == "move":
        same("phase", "move", match.phase)
        if any(action["do"] not in (*LINES, "done") for action in rest):
            raise Wrong("no line of a move")
        match.whole_move(seat, rest)
    elif kind == "combat":
        same("phase", "combat", match.phase)
        (answer,) = rest
        same("action", "answer", answer["do"])
        match.answer(seat, answer["orders"])
    else:
        raise Wrong(f"no decision {decision}")


if __name__ == "__main__":
    main(read, referee)
