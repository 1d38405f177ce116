"""An independent referee for Sapiens, written from docs/record.md and the rules alone.

    python -m tests.referee.sapiens game.json

It imports nothing of the product. It deals the set-up from the seed, plays every action, and
compares draws, events, public states, digests and the outcome with the record.
"""

from __future__ import annotations

from typing import Any

from tests.referee.document import check, read
from tests.referee.draws import Draws, Wrong, same
from tests.referee.sapiens_default import default
from tests.referee.sapiens_match import Match
from tests.referee.whole import compare, ended, judge, main


def referee(record: dict[str, Any]) -> None:
    """Play a whole record again, as `judge` says."""
    judge(record, "sapiens", check, play)


def play(record: dict[str, Any], draws: Draws) -> None:
    draws.give(record["setup"]["draws"])
    match = Match(record["seats"], record["options"], draws)
    compare("set-up", match, draws, record["setup"])
    for number, entry in enumerate(record["entries"], 1):
        same("entry", [number, match.seat, f"t{match.turn}"], [entry[k] for k in HEAD])
        if match.phase == "over":
            raise Wrong(f"entry {number}: the game was over")
        same(f"entry {number}: turn", str(match.turn), entry.get("turn", str(match.turn)))
        match.events = []
        draws.give(entry["draws"])
        by_default = entry["cause"] == "default"
        for action in entry["actions"]:
            if (match.seat, f"t{match.turn}") != (entry["seat"], entry["decision"]):
                raise Wrong(f"entry {number}: the turn was over")
            if by_default:
                same(f"entry {number}: default turn", default(match), action)
            match.play(action)
        if match.phase != "over" and match.turn == int(entry["decision"][1:]):
            raise Wrong(f"entry {number}: the turn is not done")
        compare(f"entry {number}", match, draws, entry)
    ended(record, match)


HEAD = ("n", "seat", "decision")


if __name__ == "__main__":
    main(read, referee)
