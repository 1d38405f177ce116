"""The reasons for the order of suggestions: by what each leaves its player better or worse off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.protocol import Seat
from engine.sapiens.actions import Action
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.outlook import NOTHING, Points, yields
from engine.sapiens.bots.standing import foreseen, is_stuck, parts, slopes, turns_left
from engine.sapiens.components import CAMP, PICKING, SCENES, TILES
from engine.sapiens.placing import LAYING, Placement, placements
from engine.sapiens.scoring import CAMP_SP, PICKING_FP, cave_index, cave_value, connected
from engine.sapiens.state import NONE, START, Player, State

_LEAST: Final = 0.3
"""Points by which a part of the standing differs at least to be worth telling."""
_LEAST_OF_FIRST: Final = 0.2
"""The same of first tiles, of which less is known."""
_LEVEL: Final = 0.5
"""Points within which two turns are about as good."""


class Following(msgspec.Struct, frozen=True, kw_only=True):
    """The next turn after a first tile: how many tiles of the pool (`fitting`) can be laid, and the
    one that brings most, with the food and the shelter that it brings, those of picking and camp
    too, and the `scenes` whose bonus it wins.
    """

    fitting: int
    tile: str
    fp: int
    sp: int
    scenes: tuple[str, ...]


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why a turn stands where it does, beside the `other` (its number, 0 for one that is
    alone): what it is `better` and `worse` for, and whether both are about as good (`level`); and
    whether no tile of the pool could then be laid in the next turn (`stuck`, S§11.1).

    What may be told: "food" and "shelter" at once, "token" (mountain tokens held), "steaks" kept,
    "fights" (fight tokens), "room" to lay tiles, "rich" squares within reach, "caves" near,
    "tiles" of the pool that bring more next turn than any would. Of these it is known how many
    `points` more (or less) the best brings at once, and how many more of them (`fitting`) can be
    laid then. After the first tile all choices say what is `following`.
    """

    other: int = 0
    better: str = ""
    worse: str = ""
    level: bool = False
    stuck: bool = False
    points: int = 0
    fitting: int = 0
    following: Following | None = None


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Reason]:
    """For each of these turns, as `suggestions` orders them, the first beside the second and the
    others beside the first, or beside a later one of which the same would be told.
    """
    turns = turns_left(state)
    ends = [begin(state).follow(actions) for actions in suggested]
    first = state.turn.phase == START
    following = [_following(end.state.players[seat]) if first else None for end in ends]
    found: list[Reason] = []
    told: list[Reason] = []
    for at, end in enumerate(ends):
        why = Reason()
        for beside in range(at) if at else range(1, len(ends)):
            same = _alike(following[at], following[beside])
            why = _beside(end, ends[beside], beside + 1, seat, turns, alike=same)
            if why not in told:
                break
        told.append(why)
        stuck = turns > 0 and is_stuck(end.state.players[seat])
        found.append(replace(why, stuck=stuck, following=following[at]))
    return found


def _alike(one: Following | None, other: Following | None) -> bool:
    """True if the next turns of both bring as much, and as many tiles fit in them."""
    if one is None or other is None:
        return False
    return (one.fitting, one.fp, one.sp) == (other.fitting, other.fp, other.sp)


def _following(player: Player) -> Following | None:
    """The turn after a first tile; None if no tile can be laid in it."""
    found = placements(player, LAYING, picking_on_plains=False)
    if not found:
        return None

    def worth(placement: Placement) -> tuple[int, float]:
        return sum(_points(player, placement)), sum(yields(player, placement))

    best = max(found, key=worth)
    fp, sp = _points(player, best)
    scenes = (scene for scene, _, _ in connected(player, best))
    return Following(
        fitting=len({placement.tile for placement in found}),
        tile=TILES[best.tile],
        fp=fp,
        sp=sp,
        scenes=tuple(SCENES[scene] for scene in scenes),
    )


def _points(player: Player, placement: Placement) -> tuple[int, int]:
    """Food and shelter that laying a tile brings at once, with those of picking and camp."""
    met = connected(player, placement)
    cave = cave_index(player, placement)
    fp = sum(food + (PICKING_FP if scene == PICKING else 0) for scene, _, food in met)
    sp = sum(CAMP_SP for scene, _, _ in met if scene == CAMP)
    return fp, sp + (0 if cave == NONE else cave_value(player, cave))


def _next_turn(player: Player) -> tuple[int, int]:
    """The points that the best tile brings then, and how many tiles can be laid."""
    found = placements(player, LAYING, picking_on_plains=False)
    best = max((sum(_points(player, placement)) for placement in found), default=0)
    return best, len({placement.tile for placement in found})


def _beside(
    line: Line, other: Line, number: int, seat: Seat, turns: int, *, alike: bool = False
) -> Reason:
    """Why the line is better or worse than the other; where their next turns are `alike`, by
    something else.
    """
    apart = foreseen(line.state, seat, turns) - foreseen(other.state, seat, turns)
    gains = _gains(parts(line.state, seat, turns), parts(other.state, seat, turns), turns)
    if alike:
        gains["tiles"] = 0.0
    least = _LEAST_OF_FIRST if alike else _LEAST
    level = abs(apart) < _LEVEL
    better = max(gains, key=lambda name: gains[name])
    worse = min(gains, key=lambda name: gains[name])
    # An advantage alone would not say why a turn stands behind, however small what outweighs it.
    better_for, worse_for = gains[better] >= least, gains[worse] <= -least
    if not level and apart < 0 and better_for:
        worse_for = gains[worse] < 0
    if not level and apart > 0 and worse_for:
        better_for = gains[better] > 0
    why = Reason(
        other=number,
        better=better if better_for else "",
        worse=worse if worse_for else "",
        level=level,
    )
    if "tiles" not in (why.better, why.worse):
        return why
    points, fitting = _next_turn(line.state.players[seat])
    others_points, others_fitting = _next_turn(other.state.players[seat])
    # Told as far as they say the same.
    sign = 1 if why.better == "tiles" else -1
    return replace(
        why,
        points=sign * max(0, sign * (points - others_points)),
        fitting=sign * max(0, sign * (fitting - others_fitting)),
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
