"""The default turn of a player whose time is up (F§17)."""

from __future__ import annotations

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import NAMES, members
from engine.fire_and_stone.options import (
    buyable,
    options,
    return_fires,
    second_fires,
    tunnel_targets,
)
from engine.fire_and_stone.state import NO_EXPLORER, State
from engine.protocol import Seat


def default(state: State, seat: Seat) -> Action:
    """The next action of the default turn. Never asked when the game is over."""
    turn = state.turn
    match turn.phase:
        case "rank":
            return do.Rank(cards=state.starting)
        case "move":
            return _move(state)
        case "second":
            return do.Second(fire=_nearest(state, state.mover.explorers[0], second_fires(state)))
        case "return":
            own = return_fires(state) & land.IN_REGION[land.REGION[state.here]]
            return do.Return(fire=_nearest(state, state.here, own))
        case "action" | "ember":
            return _action(state)
        case "keep":
            forest = state.forest_here
            return do.Keep(pieces=(box.GAME[forest.tiles[0]].id,))
        case "card":
            cards = buyable(state)
            return do.Invent(card=cards[0]) if cards else do.Decline()
        case "look":
            return do.Look()
        case "arrange":
            tiles = tuple(box.KINDS[state.tiles[place]] for place in sorted(turn.named))
            return do.Arrange(tiles=tiles)
        case "basket" | "council":
            return do.Hold()
        case _:
            return do.Go(place=NAMES[members(tunnel_targets(state))[0]])


def _move(state: State) -> Action:
    """F§17.1-2: stay if that is allowed, else the nearest place, rather without a face-down
    tile; by land, within two steps."""
    number = state.turn.explorer
    if number == NO_EXPLORER:
        return do.Lead(explorer=1)
    start = state.mover.explorers[number]
    if state.mover.has("fur_boots"):
        return do.Go(place=NAMES[start])
    rings = land.rings(start, 2, state.open_land, False, -1)[1:]
    for wanted in (~state.down, state.down):
        for ring in rings:
            if ring & wanted:
                return do.Go(place=NAMES[members(ring & wanted)[0]])
    raise AssertionError("every territory has an open neighbour")


def _action(state: State) -> Action:
    """F§17.3: food, else nothing; cooking that was begun ends with what is named."""
    if state.turn.pieces:
        return do.Done()
    return do.Food() if do.Food() in options(state) else do.Pass()


def _nearest(state: State, start: int, fires: int) -> str:
    """The fire with fewest land steps through open regions, the first in file order."""
    steps = land.distances(start, state.open_land)
    return NAMES[min(members(fires), key=lambda place: (steps[place], place))]
