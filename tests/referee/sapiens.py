"""An independent referee for Sapiens, written from docs/record.md and the rules alone.

    python -m tests.referee.sapiens game.json

It imports nothing of the product. It deals the set-up from the seed, plays every action, and
compares draws, events, public states, digests and the outcome with the record.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from tests.referee.draws import Draws, Wrong, digest, same
from tests.referee.sapiens_match import Match


def referee(record: dict[str, Any]) -> None:
    """Play a whole record again. Raises Wrong, saying in which entry and where."""
    seed = bytes.fromhex(record["seed"])
    same("seed_hash", hashlib.sha256(seed).hexdigest(), record["seed_hash"])
    same("game", ["sapiens", 1], [record["game"], record["rules_version"]])
    draws = Draws(seed)
    draws.give(record["setup"]["draws"])
    match = Match(record["seats"], record["options"], draws)
    compare("set-up", match, draws, record["setup"])
    for number, entry in enumerate(record["entries"], 1):
        same("entry", [number, match.seat, f"t{match.turn}"], [entry[k] for k in HEAD])
        match.events = []
        draws.give(entry["draws"])
        for action in entry["actions"]:
            match.play(action)
        compare(f"entry {number}", match, draws, entry)
    leavings = record.get("leavings", [])
    for leaving in leavings:
        for entry in record["entries"][leaving["after"] :]:
            if entry["seat"] == leaving["seat"] and entry["cause"] == "player":
                raise Wrong(f"entry {entry['n']}: its player had left")
    same("outcome", outcome(match, leavings, len(record["entries"])), record["outcome"])


def outcome(match: Match, leavings: list[dict[str, Any]], entries: int) -> dict[str, Any] | None:
    """How it ended, without a victory for those who left."""
    ended = match.outcome()
    left = {leaving["seat"] for leaving in leavings}
    if not left:
        return ended
    if ended is None:
        last = leavings[-1]
        same("the last leaving", entries, last["after"])
        ended = {"winners": [], "scores": match.scores(), "termination": last["why"]}
        if last["why"] == "removed":
            return ended
    best = max(score for seat, score in enumerate(ended["scores"]) if seat not in left)
    winners = [seat for seat in ended["winners"] if seat not in left] or [
        seat for seat, score in enumerate(ended["scores"]) if score == best and seat not in left
    ]
    return {**ended, "winners": winners}


HEAD = ("n", "seat", "decision")


def compare(where: str, match: Match, draws: Draws, entry: dict[str, Any]) -> None:
    draws.all_used()
    same(f"{where}: events", match.events, entry["events"])
    same(f"{where}: state", match.view(), entry["state"])
    same(f"{where}: digest", digest(entry["state"]), entry["digest"])


if __name__ == "__main__":
    try:
        referee(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    except Wrong as wrong:
        sys.exit(str(wrong))
