"""The default turn of a player whose time is up (S§14)."""

from __future__ import annotations

from engine.sapiens import legality, placing
from engine.sapiens.actions import Abandon, Action, Camp, Hunt, Lay, Out, Picking, Remove, Take
from engine.sapiens.bonuses import steaks_after
from engine.sapiens.components import CAMP, HUNT, PICKING, PLACES, TILES
from engine.sapiens.placing import ABANDONING, LAYING, STARTING, Placement
from engine.sapiens.scoring import STEAK_VALUES, cave_index, gain
from engine.sapiens.state import BONUS, LAY, REMOVE, START, STUCK, State


def default(state: State) -> Action:
    """The next action of the default turn: the same for the same view.

    The tile that brings the most FP and SP at once, the first of equals; the bonuses that need no
    target (`picking`, `camp`, and `hunt` with as many steaks converted as are paid for); no
    tokens; the first common tiles to refill, and the first to remove. Never asked when the game is
    over."""
    turn = state.turn
    if turn.phase in (START, LAY):
        return _tile(state)
    if turn.phase == STUCK:
        return Out()
    if turn.phase == REMOVE:
        return Remove(tile=TILES[state.common[0]])
    if turn.phase == BONUS:
        if turn.bonuses >> PICKING & 1:
            return Picking()
        if turn.bonuses >> CAMP & 1:
            return Camp()
        if turn.bonuses >> HUNT & 1:
            return Hunt(convert=min(steaks_after(state), len(STEAK_VALUES) - 1))
    tiles = state.common[: legality.number_to_take(state)]
    return Take(tiles=tuple(TILES[tile] for tile in tiles))


def _tile(state: State) -> Lay | Abandon:
    player, turn = state.mover, state.turn

    def worth(placement: Placement) -> int:
        fp, sp, _ = gain(state, placement)
        return fp + sp

    def low(placement: Placement) -> int:
        return player.valley.caves[cave_index(player, placement)].low

    how = STARTING if turn.phase == START else LAYING
    action: type[Lay] | type[Abandon] = Lay
    found = placing.placements(player, how, turn.picking_on_plains)
    if found:
        best = max(found, key=worth)
    else:
        action = Abandon
        best = max(placing.placements(player, ABANDONING, turn.picking_on_plains), key=low)
    order = next(placing.orders(state, best.tile))
    return action(
        tile=TILES[best.tile], first=PLACES[best.first], second=PLACES[best.second], order=order
    )
