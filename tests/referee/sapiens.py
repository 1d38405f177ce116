"""An independent referee for Sapiens, written from docs/record.md and the rules alone.

    python -m tests.referee.sapiens game.json

It imports nothing of the product. It deals the set-up from the seed, plays every action, and
compares draws, events, public states, digests and the outcome with the record.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

from tests.referee.document import HEX, Unfinished, check, read
from tests.referee.draws import Draws, Wrong, digest, same
from tests.referee.sapiens_default import default
from tests.referee.sapiens_match import Match


def referee(record: dict[str, Any]) -> None:
    """Play a whole record again. Raises Wrong, saying in which entry and where; Unfinished (a kind
    of it) where nothing is wrong and the game goes on.
    """
    check(record)
    seed = bytes_of(record["seed"])
    same("seed_hash", hashlib.sha256(seed).hexdigest(), record["seed_hash"])
    same("game", ["sapiens", 1], [record["game"], record["rules_version"]])
    if record.get("fairness") is not None:
        made_fairly(record["fairness"], seed, record["seats"])
    left_in_order(record)
    try:
        play(record, Draws(seed))
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        # Names of nothing there is: no tile, place or scene of the game.
        raise Wrong(f"nothing that can be done: {error!r}") from error


def bytes_of(text: str) -> bytes:
    """32 bytes as they are written."""
    if not HEX.fullmatch(text):
        raise Wrong(f"{text[:80]!r}: not 64 hexadecimal digits")
    return bytes.fromhex(text)


def made_fairly(fairness: dict[str, Any], seed: bytes, seats: int) -> None:
    """The seed was made of the secret that was committed to, and of the parts."""
    secret = bytes_of(fairness["secret"])
    same("commitment", hashlib.sha256(secret).hexdigest(), fairness["commitment"])
    made = secret + b"paleopost seed"
    givers = [part["seat"] for part in fairness["parts"]]
    if givers != sorted(set(givers)) or not set(givers) <= set(range(seats)):
        raise Wrong(f"parts of seats {givers}")
    for part in fairness["parts"]:
        made += part["seat"].to_bytes(8, "big") + bytes_of(part["part"])
    same("seed", hashlib.sha256(made).hexdigest(), seed.hex())


def left_in_order(record: dict[str, Any]) -> None:
    """Who left did so once, after an entry there is, and somebody stayed."""
    leavings = record.get("leavings", [])
    seats = [leaving["seat"] for leaving in leavings]
    if len(set(seats)) != len(seats) or not set(seats) < set(range(record["seats"])):
        raise Wrong(f"seats {seats} cannot leave")
    after = [leaving["after"] for leaving in leavings]
    if after != sorted(after) or not set(after) <= set(range(len(record["entries"]) + 1)):
        raise Wrong(f"nobody can leave after entries {after}")
    for leaving in leavings:
        if leaving["why"] not in ("resigned", "dropped", "removed"):
            raise Wrong(f"nobody leaves because {leaving['why']}")
        for entry in record["entries"][leaving["after"] :]:
            if entry["seat"] == leaving["seat"] and entry["cause"] == "player":
                raise Wrong(f"entry {entry['n']}: its player had left")


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
    leavings, last = record.get("leavings", []), len(record["entries"])
    over, left_last = match.outcome() is not None, bool(leavings) and leavings[-1]["after"] == last
    if over and left_last:
        raise Wrong("nobody leaves when all is over")
    if not over and not left_last:
        raise Unfinished(f"the game goes on after entry {last}")
    same("outcome", outcome(match, leavings, last), record["outcome"])


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
        referee(read(Path(sys.argv[1]).read_bytes()))
    except Unfinished as unfinished:
        print(f"unfinished: {unfinished}", file=sys.stderr)
        sys.exit(3)
    except Wrong as wrong:
        sys.exit(str(wrong))
