"""Everything that is told of a match: kinds of events and their data.

An event's `seat` is the player it is about; all are told to everybody, for nothing in Sapiens is
told to some only. In the data places are names ("C4", "C1N", "WL"), tiles "hunt-fire.1", scenes
"hunt", players seats. A `pool` is the seat of its owner, or None for the common pool."""

from __future__ import annotations

from typing import Any, Final

from engine.protocol import Event, Seat

EVENT_KINDS: Final[dict[str, tuple[str, ...]]] = {
    # Set-up. `redrawn`: no legal starting tile; `old` went under the stack, `new` are the pool
    # (S§2.6).
    "begun": ("first", "common", "stack", "aside"),
    "redrawn": ("old", "new"),
    # Laying. Fight tokens are settled before the tile is laid (S§6.1): `seat` is the layer,
    # `owner` gets 1 FP or, the layer having none, nothing. `fight_own`: an own token goes home
    # without effect.
    "fight_paid": ("tile", "owner"),
    "fight_unpaid": ("tile", "owner"),
    "fight_own": ("tile",),
    # `how`: "start", "turn", "feast" or "abandon". `connected`: {"scene", "square", "fp"} of
    # each connected scene, `fp` their sum (S§6.2); there is none for a feast's tile.
    "laid": ("tile", "first", "second", "how", "fp", "connected", "tribe"),
    # `value`: "high" or "low" (S§7).
    "cave_scored": ("cave", "value", "sp"),
    # `by`: "cave" or "ritual".
    "token_claimed": ("scene", "place", "by"),
    # `tribe`: the number of the one left behind, `discarded`: the scene of the cave's token, or
    # None.
    "abandoned": ("cave", "discarded", "tribe"),
    "out": (),
    # Bonuses, of a tile or of a token.
    "token_played": ("scene",),
    "declined": ("scenes",),
    "picked": ("fp",),
    "plains_opened": (),
    "token_recalled": ("scene",),
    # `moved`: the tile it was on before, None from home.
    "fight_placed": ("tile", "pool", "moved"),
    "fight_retrieved": ("tile", "pool"),
    "swapped": ("gave", "got", "pool"),
    "camped": ("sp",),
    # `taken`: 0 or 1 steak, `left`: own steaks afterwards.
    "hunted": ("taken", "converted", "fp", "left"),
    # `tiles`: those the bear touches on the board of seat `board`.
    "bear_put": ("board", "square", "tiles", "sp"),
    "bear_removed": ("square",),
    # Refill. `fights`: owners whose tokens went home with a removed tile.
    "took": ("tiles",),
    "removed": ("tile", "fights"),
    "revealed": ("tiles", "stack"),
    # `last`: the seat of the last turn of the round.
    "end_triggered": ("round", "last"),
    "over": ("scores", "fp", "sp", "winners", "termination"),
}
"""Keys of the data, by kind."""


def event(kind: str, seat: Seat | None = None, **data: Any) -> Event:
    """An event told to everybody."""
    return Event(kind=kind, seat=seat, data=data)
