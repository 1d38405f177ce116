"""The reasons for the order of suggestions: by what each leaves its player better or worse off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.protocol import Seat
from engine.sapiens.actions import Action
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.outlook import NOTHING, Points
from engine.sapiens.bots.standing import foreseen, parts, slopes, turns_left
from engine.sapiens.placing import LAYING, can_place
from engine.sapiens.state import Player, State

_LEAST: Final = 0.3
"""Points by which a part of the standing differs at least to be worth telling."""
_LEVEL: Final = 0.5
"""Points within which two turns are about as good."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why a turn stands where it does, beside the `other` (its number, 0 for one that is
    alone): what it is `better` and `worse` for, and whether both are about as good (`level`); and
    whether no tile of the pool could then be laid in the next turn (`stuck`, S§11.1).

    What may be told: "food" and "shelter" at once, "token" (mountain tokens held), "steaks" kept,
    "fights" (fight tokens), "room" to lay tiles, "rich" squares within reach, "caves" near,
    "tiles" of the pool that bring more next turn than any would.
    """

    other: int = 0
    better: str = ""
    worse: str = ""
    level: bool = False
    stuck: bool = False


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Reason]:
    """For each of these turns, as `suggestions` orders them, the first beside the second and the
    others beside the first, or beside a later one of which the same would be told.
    """
    turns = turns_left(state)
    ends = [begin(state).follow(actions) for actions in suggested]
    found: list[Reason] = []
    told: list[Reason] = []
    for at, end in enumerate(ends):
        why = Reason()
        for beside in range(at) if at else range(1, len(ends)):
            why = _beside(end, ends[beside], beside + 1, seat, turns)
            if why not in told:
                break
        told.append(why)
        found.append(replace(why, stuck=turns > 0 and _is_stuck(end.state.players[seat])))
    return found


def _is_stuck(player: Player) -> bool:
    return not player.out and not can_place(player, LAYING, picking_on_plains=False)


def _beside(line: Line, other: Line, number: int, seat: Seat, turns: int) -> Reason:
    """Why the line is better or worse than the other."""
    apart = foreseen(line.state, seat, turns) - foreseen(other.state, seat, turns)
    gains = _gains(parts(line.state, seat, turns), parts(other.state, seat, turns), turns)
    level = abs(apart) < _LEVEL
    better = max(gains, key=lambda name: gains[name])
    worse = min(gains, key=lambda name: gains[name])
    # An advantage alone would not say why a turn stands behind, however small what outweighs it.
    better_for, worse_for = gains[better] >= _LEAST, gains[worse] <= -_LEAST
    if not level and apart < 0 and better_for:
        worse_for = gains[worse] < 0
    if not level and apart > 0 and worse_for:
        better_for = gains[better] > 0
    return Reason(
        other=number,
        better=better if better_for else "",
        worse=worse if worse_for else "",
        level=level,
    )


def _gains(
    ours: Mapping[str, Points], others: Mapping[str, Points], turns: int
) -> dict[str, float]:
    """By how much each part of a standing adds to it beyond that of another."""
    total = NOTHING
    for part in (*ours.values(), *others.values()):
        total = total.plus(part, 0.5)
    by = slopes(total, turns)
    return {
        name: ours.get(name, NOTHING).weighed(by) - others.get(name, NOTHING).weighed(by)
        for name in ours.keys() | others.keys()
    }
