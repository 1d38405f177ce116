"""Recorded games in short: seats, seed and options, then each entry with the beginning of the
digest of the public state after it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.chance import seed_hash, seed_of_number
from engine.journal import begin, extend
from engine.protocol import Game

FOLDER = Path(__file__).parents[1] / "fixtures" / "games"
S = TypeVar("S")


def digest(game: Game[S, Any], state: S) -> str:
    """The beginning of the digest of the public state (docs/record.md)."""
    public = msgspec.to_builtins(game.view(state, None))
    text = json.dumps(public, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def replayed(game: Game[S, Any], path: Path) -> tuple[dict[str, Any], S]:
    """The head of a file and the last position, every digest on the way compared."""
    head, *entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    options = msgspec.convert(head["options"], game.options_type)
    seed = seed_of_number(head["seed"])
    _, position = begin(game, head["seats"], options, seed, seed_hash(seed))
    assert digest(game, position.state) == head["setup"]
    for n, (seat, decision, cause, plain, expected) in enumerate(entries, 1):
        actions = [msgspec.convert(each, game.action_type) for each in plain]
        _, position, played = extend(game, position, seat, decision, actions, cause, seed)
        assert not played.unplayed
        assert digest(game, position.state) == expected, f"entry {n}"
    return head, position.state
