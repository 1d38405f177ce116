"""Everything that is told of a match: kinds of events, their chapters and their data (M§25.1).

All data has `turn`, `unit` (what is told in one breath), `hexes` and `concerns`: the seats that are
named in it, or have a pawn or a camp on or beside one of its hexes. Other keys stand below.
"""

from __future__ import annotations

from typing import Final

CHAPTERS: Final = ("dawn", "arrivals", "herds", "moves", "combats", "survival", "births", "dusk")

PRIVATE: Final = {"placed", "ordered", "filed", "answered"}
"""Kinds that confirm to their seat what it has filed: they are in no chapter."""

EVENT_KINDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    # Set-up is told at the first dawn.
    "begun": (("dawn",), ("board", "seating", "first")),
    "settled_down": (("dawn",), ("camp", "sown", "by_default")),
    "dealt": (("dawn",), ("titles",)),
    "placed": (("",), ("wishes", "sow")),
    "ordered": (("",), ("word", "title")),
    "filed": (("",), ("plan", "alternatives")),
    "answered": (("",), ("orders",)),
    "turn_began": (("dawn",), ("season", "number", "held")),
    "markers_cleared": (("dawn",), ()),
    "event_drawn": (("dawn",), ("card",)),
    "event_die": (("dawn",), ("die", "what", "result")),
    "counters_drawn": (("dawn",), ("counters",)),
    "event_hit": (("dawn",), ("card", "protected")),
    "wolves_placed": (("dawn",), ("number",)),
    "herd_returned": (("dawn", "combats"), ("species", "number", "left")),
    "field_lost": (("dawn", "arrivals", "herds", "survival"), ("ears", "left", "cause")),
    "food_lost": (("dawn", "moves", "combats", "dusk"), ("cause", "lost", "before", "after")),
    "hex_closed": (("dawn",), ("cause",)),
    "hex_frozen": (("dawn",), ()),
    "pawn_lost": (("dawn", "combats", "survival"), ("sex", "cause", "neutral")),
    "camp_lost": (("dawn", "moves", "combats", "survival"), ("cause", "kind")),
    "fire_lost": (("dawn", "moves", "combats", "survival"), ("cause",)),
    "fire_moved": (("dawn", "moves", "combats", "survival"), ("camp",)),
    "fire_taken": (("moves", "combats"), ("camp", "how")),
    "trick_played": (
        ("dawn", "herds", "moves", "combats", "survival", "births"),
        ("title", "target", "dropped"),
    ),
    "tribe_out": (("dawn", "combats", "survival"), ("cause", "due")),
    "herd_arrived": (("arrivals",), ("species", "number", "herd")),
    "counter_returned": (("arrivals",), ("species", "letter", "cause")),
    "tribe_reentered": (("arrivals",), ("food", "tricks")),
    "reentry_waits": (("arrivals",), ()),
    "direction_die": (("herds",), ("die",)),
    "herd_moved": (("herds",), ("species", "number", "path", "reversed", "joined")),
    "herd_held": (("herds",), ("species", "number", "cause")),
    "order_set": (("moves",), ("order", "by_lot")),
    "move_began": (("moves",), ()),
    "pawns_moved": (("moves",), ("w", "f", "path")),
    "pawn_joined": (("moves",), ("sex",)),
    "camp_founded": (("moves",), ("kind", "quick")),
    "field_sown": (("moves", "dusk"), ("paid", "before", "after")),
    "palisade_built": (("moves",), ()),
    "palisade_lost": (("dawn", "moves", "combats", "survival"), ()),
    "food_gained": (("moves", "combats", "survival"), ("cause", "gained", "before", "after")),
    "move_done": (("moves",), ("lines", "skipped")),
    "location_opened": (("combats",), ("by", "pawns", "herds")),
    "fight_began": (("combats",), ("sides", "against")),
    "round_rolled": (("combats",), ("sides", "losers")),
    "animal_killed": (("combats",), ("species", "left", "cause")),
    "pawns_scattered": (("combats",), ("w", "f", "to")),
    "camp_conquered": (("combats",), ("victim", "burnt", "loot", "last")),
    "women_captured": (("combats",), ("victim", "joined", "died")),
    "hunt_paid": (("combats",), ("species", "number", "each", "before", "after")),
    "location_closed": (("combats",), ("holder",)),
    "settled": (
        ("survival",),
        ("before", "fish", "forage", "harvest", "cost", "fed", "after", "spared"),
    ),
    "birth_rolled": (("births",), ("die", "twins")),
    "child_born": (("births",), ("sex", "how")),
    "birth_cancelled": (("births",), ("sex",)),
    "tricks_counted": (("dusk",), ("drawn", "pile")),
    "trick_received": (("arrivals", "dusk"), ("titles",)),
    "food_spoiled": (("dusk",), ("lost", "before", "after")),
    "tribe_announced": (("dusk",), ("camps",)),
    "season_turned": (("dusk",), ("season", "number", "held")),
    "game_ended": (("dawn", "moves", "combats", "survival", "dusk"), ("termination", "rows")),
}
"""Chapters each kind can stand in, and the keys of its data."""
