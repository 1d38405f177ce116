"""The worth of things: food, caves, steaks (S§6.2, S§7, S§8.7), and who has won (S§12.2)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.protocol import Outcome, Seat
from engine.sapiens.components import CAMP, PICKING, SQUARES, TILE_SCENES
from engine.sapiens.placing import Placement, rivals_on
from engine.sapiens.state import NONE, OVER, Player, State

STEAK_VALUES: Final = (0, 1, 3, 5, 7, 10)
"""FP for converting 0..5 steaks; more than five are worth no more (S§8.7)."""
PICKING_FP: Final = 1
CAMP_SP: Final = 3


def steak_value(steaks: int) -> int:
    """The FP for converting this many steaks at once (S§8.7)."""
    return STEAK_VALUES[min(steaks, len(STEAK_VALUES) - 1)]


class Connected(NamedTuple):
    """A scene of a tile that touches its like, the square it lies on, and the FP there (S§6.2)."""

    scene: int
    square: int
    fp: int


def connected(player: Player, placement: Placement) -> tuple[Connected, ...]:
    """The connected scenes of a legal placement, before it is laid. Scenes on caves never are."""
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    found: tuple[Connected, ...] = ()
    if first < SQUARES and player.near[a] >> first & 1:
        found = (Connected(a, first, player.valley.food(first)),)
    if second < SQUARES and player.near[b] >> second & 1:
        found += (Connected(b, second, player.valley.food(second)),)
    return found


def cave_index(player: Player, placement: Placement) -> int:
    """The player's cave that a placement covers, or NONE."""
    place = max(placement.first, placement.second)
    if place < SQUARES:
        return NONE
    return next(k for k, site in enumerate(player.valley.caves) if site.place == place)


def cave_value(player: Player, cave: int) -> int:
    """The SP for covering a cave now: high with a token on it, else low (S§7.1-2)."""
    site = player.valley.caves[cave]
    return site.low if player.mountain[cave] == NONE else site.high


class Gain(NamedTuple):
    """The gain of the mandatory tile at once. `bonuses` are the scenes whose bonus it earns."""

    fp: int
    sp: int
    bonuses: int


def gain(state: State, placement: Placement) -> Gain:
    """The mover's FP and SP for laying a tile in a turn (S§6): fight tokens, food, cave.

    Bonuses count for what they bring without a choice: `picking` 1 FP, `camp` 3 SP.
    """
    player = state.mover
    cave = cave_index(player, placement)
    fp = -min(player.fp, len(rivals_on(state, placement.tile)))
    sp = 0 if cave == NONE else cave_value(player, cave)
    bonuses = 0
    for scene, _, food in connected(player, placement):
        bonuses |= 1 << scene
        fp += food + (PICKING_FP if scene == PICKING else 0)
        sp += CAMP_SP if scene == CAMP else 0
    return Gain(fp, sp, bonuses)


def score(player: Player) -> int:
    """The lower of FP and SP (S§12.2)."""
    return min(player.fp, player.sp)


def winners(scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats with the highest score; a tie is shared (S§12.2)."""
    best = max(scores)
    return tuple(seat for seat, points in enumerate(scores) if points == best)


def scores(state: State) -> tuple[int, ...]:
    """The scores as they stand."""
    return tuple(score(player) for player in state.players)


def outcome(state: State) -> Outcome | None:
    """The end of the game; None before."""
    if state.turn.phase != OVER:
        return None
    final = scores(state)
    return Outcome(winners=winners(final), scores=final, termination=state.termination)
