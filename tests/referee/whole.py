"""What holds for the record of any game: its seed, who left, the end, and what is compared."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.referee.document import HEX, Plain, Unfinished
from tests.referee.draws import Draws, Wrong, digest, same


def judge(
    record: Plain, game: str, check: Callable[[Plain], None], play: Callable[[Plain, Draws], None]
) -> None:
    """Play a whole record of a game again. Raises Wrong, saying in which entry and where;
    Unfinished (a kind of it) where nothing is wrong and the game goes on.
    """
    check(record)
    seed = bytes_of(record["seed"])
    same("seed_hash", hashlib.sha256(seed).hexdigest(), record["seed_hash"])
    same("game", [game, 1], [record["game"], record["rules_version"]])
    if record.get("fairness") is not None:
        made_fairly(record["fairness"], seed, record["seats"])
    left_in_order(record)
    try:
        play(record, Draws(seed))
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        # Names of nothing there is in the game.
        raise Wrong(f"nothing that can be done: {error!r}") from error


def play_entries(
    record: Plain, match: Any, draws: Draws, play: Callable[[Any, Plain], None]
) -> None:
    """Compare the set-up, play entry after entry, compare each, and the end."""
    compare("set-up", match, draws, record["setup"])
    for number, entry in enumerate(record["entries"], 1):
        same("entry", number, entry["n"])
        match.events = []
        draws.give(entry["draws"])
        try:
            play(match, entry)
        except Wrong as wrong:
            raise Wrong(f"entry {number}: {wrong}") from wrong
        compare(f"entry {number}", match, draws, entry)
    ended(record, match)


def main(read: Callable[[bytes], Plain], referee: Callable[[Plain], None]) -> None:
    """Judge the file that the command line names; its status is 3 for a match that goes on."""
    try:
        referee(read(Path(sys.argv[1]).read_bytes()))
    except Unfinished as unfinished:
        print(f"unfinished: {unfinished}", file=sys.stderr)
        sys.exit(3)
    except Wrong as wrong:
        sys.exit(str(wrong))


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
            if entry["seat"] == leaving["seat"] and entry["cause"] in ("player", "plan"):
                raise Wrong(f"entry {entry['n']}: its player had left")


def ended(record: dict[str, Any], match: Any) -> None:
    """The match is over, by the rules or as somebody left, with this outcome. Raises Unfinished."""
    leavings, last = record.get("leavings", []), len(record["entries"])
    over, left_last = match.outcome() is not None, bool(leavings) and leavings[-1]["after"] == last
    if over and left_last:
        raise Wrong("nobody leaves when all is over")
    if not over and not left_last:
        raise Unfinished(f"the game goes on after entry {last}")
    same("outcome", outcome(match, leavings, last), record["outcome"])


def outcome(match: Any, leavings: list[dict[str, Any]], entries: int) -> dict[str, Any] | None:
    """How it ended, without a victory for those who left."""
    ended: dict[str, Any] | None = match.outcome()
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


def compare(where: str, match: Any, draws: Draws, entry: dict[str, Any]) -> None:
    draws.all_used()
    same(f"{where}: events", match.events, entry["events"])
    same(f"{where}: state", match.view(), entry["state"])
    same(f"{where}: digest", digest(entry["state"]), entry["digest"])
