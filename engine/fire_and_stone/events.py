"""Everything that is told of a match: kinds of events and their data.

An event's `seat` is the player it is about. Places, fires, cards, pieces and kinds are ids, columns
"light" or "dark". `PRIVATE` kinds are told to their seat alone: what they hold nobody else learns.
"""

from __future__ import annotations

from typing import Any, Final

from engine.protocol import Event, Seat

EVENT_KINDS: Final[dict[str, tuple[str, ...]]] = {
    # Set-up (F§3). `starting`: the revealed starting inventions, none without the variant.
    "begun": ("first", "row", "starting"),
    "objective_dealt": ("objective",),
    "ranked": ("cards",),
    "starting_chosen": ("card",),  # one for each seat, in the choosing order
    # A turn and its moves. `explorer` is 1 or 2.
    "turn_begun": ("number", "turns_left"),
    "moved": ("explorer", "from", "place", "stayed"),
    "revealed": ("place", "kind"),
    "passed": (),
    # Food and bags: what was gained or paid, of which `lost` found no room; `by`: what gave it.
    "food": ("by", "gained", "lost"),
    "bag": ("by", "gained"),
    "vp": ("by", "vp"),
    "paid": ("food", "by"),
    # Hunting and cooking. `shown` is for the hunter alone, with all that lay in the forest.
    "hunted": ("place",),
    "shown": ("place", "pieces"),
    "kept": ("pieces",),
    "took_game": ("place", "number"),
    "cooked": ("place", "pieces", "bags", "food"),
    # Gathering. `from`: the territory; `count`: tiles in the column afterwards.
    "gathered": ("kind", "place", "column", "count"),
    "left_tile": ("kind", "place"),
    "column_emptied": ("column", "tiles"),
    "column_discarded": ("column", "tiles", "kept"),
    "invented": ("card", "by"),
    "vp_card": ("value", "covers"),
    "declined": (),
    "row_refilled": ("card", "pile"),
    "pots_emptied": ("lost",),
    # Huts. `track`: hut tiles on the track afterwards.
    "hut_built": ("place", "cost", "left"),
    "hut_tile": ("place", "track", "placed"),
    "region_opened": ("region",),
    "second_explorers": ("fires",),
    "returned": ("explorer", "fire"),
    "second_placed": ("fire",),
    "tribute": ("food", "lost"),
    # Caves.
    "cave_card": ("card",),
    "looked": ("places",),
    "saw": ("tiles",),  # by place, for the looker alone
    "arranged": ("places",),
    "arranged_so": ("tiles",),
    "tunnel": ("place",),
    "marker": ("card",),
    "discarded": ("kind", "column"),
    "bartered": ("given", "taken"),
    "pilgrimage": ("explorer",),
    "council": (),
    "saw_objectives": ("objectives",),
    "exchanged": ("objective",),
    # The end.
    "end_triggered": ("turns_left",),
    "over": ("scores", "winners", "parts"),
    # A plan was filed, or dropped.
    "plan_filed": ("lines",),
}
"""Keys of the data, by kind."""

PRIVATE: Final = frozenset(
    (
        *("objective_dealt", "ranked", "shown", "kept", "saw", "arranged_so"),
        *("saw_objectives", "exchanged", "plan_filed"),
    )
)


def event(kind: str, seat: Seat | None = None, /, **data: Any) -> Event:
    """An event, told to everybody or to its seat alone."""
    audience = (seat,) if kind in PRIVATE and seat is not None else None
    return Event(kind=kind, seat=seat, data=data, audience=audience)
