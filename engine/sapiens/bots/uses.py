"""The best use of a bonus or a token, judged by what it brings at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.sapiens import bonuses
from engine.sapiens.actions import (
    Bonus,
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Picking,
    PutBear,
    Recall,
    Water,
)
from engine.sapiens.bots.appraisal import fits, worth_to_mover
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
    SCENE_INDEX,
    TILES,
    WATER,
)
from engine.sapiens.placing import FEASTING, orders, placements
from engine.sapiens.scoring import CAMP_SP, PICKING_FP, STEAK_VALUES, score
from engine.sapiens.state import State

TOKEN_WORTH: Final = {
    FEAST: 1.0,
    PICKING: 1.0,
    RITUAL: 1.5,
    FIGHT: 1.0,
    WATER: 0.5,
    CAMP: 3.0,
    HUNT: 1.0,
    FIRE: 2.0,
}
"""What holding a mountain token is worth, by its scene: enough to choose between them."""


class Use(NamedTuple):
    """A way to use a bonus and the points it brings at once."""

    points: float
    action: Bonus


def best_use(state: State, scene: int, *, as_token: bool) -> Use | None:
    """The mover's best use of this scene's bonus; None if there is none worth using."""
    found = _FINDERS[scene](state, as_token)
    return found if found is not None and found.points > 0 else None


def _feast(state: State, as_token: bool) -> Use | None:
    """The tile that finds most shelter (S§8.1); one in the open brings nothing at once."""
    player = state.mover
    found = placements(player, FEASTING, state.turn.picking_on_plains)
    if not found:
        return None
    points, best = max((worth_to_mover(state, each, FEASTING), each) for each in found)
    order = next(orders(state, best.tile))
    tile, first, second = TILES[best.tile], PLACES[best.first], PLACES[best.second]
    return Use(points, Feast(tile=tile, first=first, second=second, order=order))


def _picking(state: State, as_token: bool) -> Use | None:
    """As a token it brings nothing itself (S§9.4)."""
    return None if as_token else Use(PICKING_FP, Picking())


def _ritual(state: State, as_token: bool) -> Use | None:
    player = state.mover
    found: list[Use] = []
    for action in bonuses.options(state, RITUAL, as_token):
        match action:
            case Claim(place=place):
                at = bonuses.token_places(player).index(PLACE_INDEX[place])
                found.append(Use(TOKEN_WORTH[player.mountain[at]], action))
            case Recall(scene=name):
                found.append(Use(TOKEN_WORTH[SCENE_INDEX[name]], action))
            case _:
                raise AssertionError(action)
    return _best(found)


def _fight(state: State, as_token: bool) -> Use | None:
    """On the tile another player will most likely lay, the strongest player's first (S§8.4)."""
    if not state.mover.fight_tokens:
        return None
    found: list[tuple[float, int, int]] = []
    for seat, player in enumerate(state.players):
        if seat != state.turn.seat and not player.out:
            unmarked = [tile for tile in player.pool if tile not in state.mover.fights]
            found += [
                (points, score(player), tile)
                for tile, points in fits(player, unmarked).items()
                if points > 0
            ]
    return Use(1.0, Fight(tile=TILES[max(found)[2]])) if found else None


def _water(state: State, as_token: bool) -> Use | None:
    """The own tile that fits worst for the one that fits best (S§8.5)."""
    player = state.mover
    others = pools_of_others(state)
    if not player.pool or not others:
        return None
    fit = fits(player, (*player.pool, *others))
    give = min(player.pool, key=fit.__getitem__)
    get = max(others, key=fit.__getitem__)
    return Use(fit[get] - fit[give], Water(give=TILES[give], get=TILES[get]))


def pools_of_others(state: State) -> list[int]:
    """The tiles the mover may get by swapping: those of the other players, then the common ones."""
    others = (player.pool for seat, player in enumerate(state.players) if seat != state.turn.seat)
    return [*(tile for pool in others for tile in pool), *state.common]


def _camp(state: State, as_token: bool) -> Use | None:
    return Use(CAMP_SP, Camp())


def _hunt(state: State, as_token: bool) -> Use | None:
    if as_token:
        return Use(float(min(1, state.steaks)), Hunt())
    steaks = min(bonuses.steaks_after(state), len(STEAK_VALUES) - 1)
    return Use(STEAK_VALUES[steaks], Hunt(convert=steaks)) if steaks else None


def _fire(state: State, as_token: bool) -> Use | None:
    """The bear that touches most tiles, on the strongest player's board if several do (S§8.8)."""
    best: tuple[int, int, PutBear] | None = None
    for action in bonuses.options(state, FIRE, as_token):
        if isinstance(action, PutBear):
            player = state.players[action.board]
            tiles = len(bonuses.touching(player, PLACE_INDEX[action.square]))
            if best is None or (tiles, score(player)) > best[:2]:
                best = (tiles, score(player), action)
    return None if best is None else Use(best[0], best[2])


def _best(found: list[Use]) -> Use | None:
    return max(found, key=lambda use: use.points, default=None)


_FINDERS: dict[int, Callable[[State, bool], Use | None]] = {
    FEAST: _feast,
    PICKING: _picking,
    RITUAL: _ritual,
    FIGHT: _fight,
    WATER: _water,
    CAMP: _camp,
    HUNT: _hunt,
    FIRE: _fire,
}
