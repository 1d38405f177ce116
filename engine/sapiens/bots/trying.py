"""The uses of a bonus that are worth trying out: the few best of each by a first look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.sapiens import bonuses
from engine.sapiens.actions import Bonus, Feast, Hunt, PutBear, Water
from engine.sapiens.bots.appraisal import fits, worth_to_mover
from engine.sapiens.bots.outlook import after, average
from engine.sapiens.bots.uses import best_use, pools_of_others
from engine.sapiens.components import (
    CAMP,
    FEAST,
    FIGHT,
    FIRE,
    HUNT,
    PICKING,
    PLACE_INDEX,
    PLACES,
    RITUAL,
    TILES,
    WATER,
)
from engine.sapiens.placing import FEASTING, Placement, orders, placements
from engine.sapiens.scoring import STEAK_VALUES
from engine.sapiens.state import State

_FEASTS: Final = 5
_GIVEN: Final = 2
_GOT: Final = 3
_BEARS: Final = 6
_BEAR_OFF: Final = 2.5
"""Taking a bear off the own board is looked at before bears that touch fewer tiles than this."""
_TURNS_AHEAD: Final = 4.0
"""Turns over which the room that a feast's tile makes or takes is counted."""


def tries(state: State, scene: int, *, as_token: bool) -> Sequence[Bonus]:
    """The uses of this scene's bonus to try. Not to use it at all is not among them."""
    return _TRIES[scene](state, as_token)


def _all(scene: int) -> Callable[[State, bool], Sequence[Bonus]]:
    return lambda state, as_token: bonuses.options(state, scene, as_token)


def _feasts(state: State, as_token: bool) -> Sequence[Bonus]:
    """Shelter at once, and what the board is good for afterwards."""
    player = state.mover

    def worth(placement: Placement) -> float:
        then = average(after(player, placement), _TURNS_AHEAD)
        return worth_to_mover(state, placement, FEASTING) + sum(then) / 2

    found = placements(player, FEASTING, state.turn.picking_on_plains)
    found.sort(key=worth, reverse=True)
    return [
        Feast(
            tile=TILES[tile],
            first=PLACES[first],
            second=PLACES[second],
            order=next(iter(orders(state, tile))),
        )
        for tile, first, second in found[:_FEASTS]
    ]


def _fights(state: State, as_token: bool) -> Sequence[Bonus]:
    use = best_use(state, FIGHT, as_token=as_token)
    return [] if use is None else [use.action]


def _waters(state: State, as_token: bool) -> Sequence[Bonus]:
    """The own tiles that fit worst for those of others that fit best."""
    own, others = state.mover.pool, pools_of_others(state)
    fit = fits(state.mover, (*own, *others))
    given = sorted(own, key=fit.__getitem__)[:_GIVEN]
    got = sorted(others, key=fit.__getitem__, reverse=True)[:_GOT]
    return [Water(give=TILES[give], get=TILES[get]) for give in given for get in got]


def _hunts(state: State, as_token: bool) -> Sequence[Bonus]:
    """Convert none, three, as many as are paid for; less is little worth (S§8.7)."""
    most = 0 if as_token else min(bonuses.steaks_after(state), len(STEAK_VALUES) - 1)
    return [Hunt(convert=number) for number in sorted({0, min(3, most), most})]


def _fires(state: State, as_token: bool) -> Sequence[Bonus]:
    """Bears that touch most tiles, on the board of who has most points; bears off the own board."""

    def worth(action: Bonus) -> tuple[float, int]:
        if not isinstance(action, PutBear):
            return _BEAR_OFF, 0
        player = state.players[action.board]
        touched = bonuses.touching(player, PLACE_INDEX[action.square])
        return float(len(touched)), player.fp + player.sp

    return sorted(bonuses.options(state, FIRE, as_token), key=worth, reverse=True)[:_BEARS]


_TRIES: Final[dict[int, Callable[[State, bool], Sequence[Bonus]]]] = {
    FEAST: _feasts,
    PICKING: _all(PICKING),
    RITUAL: _all(RITUAL),
    FIGHT: _fights,
    WATER: _waters,
    CAMP: _all(CAMP),
    HUNT: _hunts,
    FIRE: _fires,
}
