"""Data of every kind the engine of Sapiens tells, for the wording to be tried on."""

from __future__ import annotations

from typing import Any

NAMES = ["Anna", "Marc", "Yann", "Hélène"]

ERROR_VALUES: dict[str, list[Any]] = {
    "tile": ["hunt-fire.1"],
    "scene": ["hunt"],
    "place": ["C1N", "WL", "D4"],
    "seat": [7],
    "to_move": [1],
    "players": [3],
    "first": ["C4", "C1N"],
    "second": ["D4", "WR"],
    "pool": [["hunt-fire.1", "water-camp.2"]],
    "cave": ["C1N"],
    "entrance": ["C1"],
    "given": ["D1"],
    "caves": [["C1N", "A3W"]],
    "square": ["C4"],
    "by": ["tile", "bear"],
    "other": ["D4", "C1N"],
    "other_scene": ["water"],
    "token": ["camp"],
    "owners": [[1, 2], [1]],
    "order": [[2, 1], []],
    "earned": [["camp", "fire"], []],
    "lying": [["C1N", "WL"], []],
    "used": [["hunt"], []],
    "tiles": [["hunt-fire.1", "water-camp.2"], []],
    "home": [1, 2],
    "convert": [5],
    "steaks": [0, 1, 3],
    "board": [0, 1],
    "bears": [["C4", "D5"], []],
    "claimed": [["hunt", "fire"], []],
    "common": [["hunt-fire.1"], []],
    "needed": [1, 2],
}
"""Values an error's context can have, by key."""

OTHER_ERROR_VALUES: dict[tuple[str, str], list[Any]] = {("take_number", "given"): [3]}
"""Keys that mean something else in one code."""

EVENT_DATA: dict[str, list[dict[str, Any]]] = {
    "begun": [{"first": 1, "common": ["hunt-fire.1"], "stack": 38, "aside": 12}],
    "redrawn": [{"old": ["hunt-fire.1"], "new": ["water-camp.1", "feast-ritual.2"]}],
    "fight_paid": [{"tile": "hunt-fire.1", "owner": owner} for owner in (0, 1)],
    "fight_unpaid": [{"tile": "hunt-fire.1", "owner": owner} for owner in (0, 1)],
    "fight_own": [{"tile": "hunt-fire.1"}],
    "laid": [
        {
            "tile": "hunt-fire.1",
            "first": "C4",
            "second": "D4",
            "how": how,
            "fp": fp,
            "connected": [{"scene": "hunt", "square": "C4", "fp": fp}] if fp else [],
            "tribe": 0,
        }
        for how, fp in (("start", 0), ("turn", 3), ("turn", 0), ("feast", 0), ("abandon", 0))
    ],
    "cave_scored": [
        {"cave": "C1N", "value": "high", "sp": 7},
        {"cave": "C1N", "value": "low", "sp": 5},
    ],
    "token_claimed": [
        {"scene": "hunt", "place": "C1N", "by": "cave"},
        {"scene": "hunt", "place": "WR", "by": "ritual"},
    ],
    "abandoned": [
        {"cave": "C1N", "discarded": None, "tribe": 0},
        {"cave": "C1N", "discarded": "water", "tribe": 0},
    ],
    "out": [{}],
    "token_played": [{"scene": "camp"}],
    "declined": [{"scenes": ["hunt"]}, {"scenes": ["hunt", "fire"]}],
    "picked": [{"fp": 1}],
    "plains_opened": [{}],
    "token_recalled": [{"scene": "fire"}],
    "fight_placed": [
        {"tile": "hunt-fire.1", "pool": pool, "moved": moved}
        for pool in (None, 0, 1, 2)
        for moved in (None, "water-camp.1")
    ],
    "fight_retrieved": [{"tile": "hunt-fire.1", "pool": pool} for pool in (None, 0, 1, 2)],
    "swapped": [
        {"gave": "hunt-fire.1", "got": "water-camp.1", "pool": pool} for pool in (None, 0, 2)
    ],
    "camped": [{"sp": 3}],
    "hunted": [
        {"taken": taken, "converted": converted, "fp": fp, "left": 1}
        for taken in (0, 1)
        for converted, fp in ((0, 0), (1, 1), (5, 10))
    ],
    "bear_put": [
        {"board": board, "square": "C3", "tiles": ["hunt-fire.1"], "sp": 2} for board in (0, 2, 3)
    ],
    "bear_removed": [{"square": "C3"}],
    "took": [{"tiles": ["hunt-fire.1", "water-camp.1"]}, {"tiles": []}],
    "removed": [
        {"tile": "hunt-fire.1", "fights": []},
        {"tile": "hunt-fire.1", "fights": [0, 1]},
    ],
    "revealed": [
        {"tiles": ["hunt-fire.1"], "stack": 1},
        {"tiles": ["hunt-fire.1", "water-camp.1"], "stack": 12},
        {"tiles": [], "stack": 0},
    ],
    "end_triggered": [{"round": 11, "last": 0}, {"round": 11, "last": 2}],
    "over": [
        {
            "scores": [28, 30, 12, 30],
            "fp": [38, 30, 12, 40],
            "sp": [28, 31, 14, 30],
            "winners": winners,
            "termination": "normal",
        }
        for winners in ([0], [1], [1, 3], [0, 1])
    ],
}
"""Examples of every kind of event."""
