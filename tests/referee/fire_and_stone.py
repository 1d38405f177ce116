"""An independent referee for Fire & Stone, written from docs/record.md and the rules alone.

    python -m tests.referee.fire_and_stone game.json

It imports nothing of the product. It deals the set-up from the seed, plays every action, and
compares draws, events, public states, digests and the outcome with the record. Of an entry by a
plan it sees that what was done is legal, not that it is what the plan says.
"""

from __future__ import annotations

from typing import Any

from tests.referee.draws import Draws, Wrong, same
from tests.referee.fire_and_stone_columns import Columns
from tests.referee.fire_and_stone_default import default
from tests.referee.fire_and_stone_document import check, read
from tests.referee.fire_and_stone_match import BEGINS
from tests.referee.whole import judge, main, play_entries


def referee(record: dict[str, Any]) -> None:
    """Play a whole record again, as `judge` says."""
    judge(record, "fire_and_stone", check, play)


def play(record: dict[str, Any], draws: Draws) -> None:
    draws.give(record["setup"]["draws"])
    match = Columns(record["seats"], record["options"], draws)
    play_entries(record, match, draws, play_entry)


def play_entry(match: Columns, entry: dict[str, Any]) -> None:
    """Orders first, then decisions of one turn, up to the first reveal; none is left half made."""
    seat, turn, asked = entry["seat"], match.turn, match.phase
    if match.phase == "over":
        raise Wrong("the game was over")
    if seat != match.seat and asked != "rank":
        raise Wrong(f"seat {match.seat} is to move")
    same("turn", str(turn), entry["turn"])
    orders = [action for action in entry["actions"] if action["do"] == "plan"]
    moves = entry["actions"][len(orders) :]
    if len(orders) > 1 or orders != entry["actions"][: len(orders)]:
        raise Wrong("orders come first, and one for each decision")
    if entry["cause"] == "default" and orders:
        raise Wrong("a default turn files nothing")
    if entry["cause"] == "plan" and (orders or match.plan is None):
        raise Wrong("no plan lies on file")
    decision = match.decision(seat) if moves else f"{turn}.plan"
    same("decision", decision, entry["decision"])
    if not entry["actions"]:
        raise Wrong("nothing was done")
    for order in orders:
        match.play(order, seat)
    made, revealed, whole = match.made, False, True
    for place, action in enumerate(moves):
        if revealed or match.turn != turn or match.phase == "over":
            raise Wrong(f"action {place}: after a reveal or the turn")
        if entry["cause"] == "default":
            if match.made != made:
                raise Wrong("more than one decision by default")
            same("default turn", default(match, seat), action)
        match.play(action, seat)
        revealed, whole = match.revealed, action["do"] not in BEGINS
        if match.secret and len(moves) > 1:
            raise Wrong("what is secret is an entry of its own")
    if not whole:
        raise Wrong("a decision is not made")


if __name__ == "__main__":
    main(read, referee)
