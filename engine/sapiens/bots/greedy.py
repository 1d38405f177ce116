"""The bot `greedy`: what brings the most points at once, action by action."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.chance import Chance
from engine.protocol import Decision
from engine.sapiens import legality
from engine.sapiens.actions import Abandon, Action, Lay, Out, Picking, Remove, Take, Token
from engine.sapiens.bots.appraisal import fits, worth_to_mover
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.uses import best_use
from engine.sapiens.components import (
    CAMP,
    FEAST,
    FIGHT,
    FIRE,
    HUNT,
    PICKING,
    PLACES,
    RITUAL,
    TILES,
    WATER,
)
from engine.sapiens.laying import close
from engine.sapiens.placing import ABANDONING, LAYING, STARTING, Placement, orders, placements
from engine.sapiens.state import BONUS, LAY, REFILL, START, STUCK, State

ORDER: Final = (CAMP, PICKING, HUNT, RITUAL, FEAST, FIRE, FIGHT, WATER)
"""The order bonuses are used in: `water` last, when it is clear what the pool lacks."""


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn, or what is left of it."""
    return finish(begin(state)).actions


def finish(line: Line) -> Line:
    """The line with the rest of the turn played greedily."""
    return line.finish(next_action)


def next_action(state: State) -> Action:
    """The action to play now."""
    phase = state.turn.phase
    if phase in (START, LAY):
        return _lay(state)
    if phase == BONUS:
        return _bonus(state) or _token(state) or take(state)
    if phase == STUCK:
        return _token(state) or Out()
    if phase == REFILL:
        return _token(state) or take(state)
    return remove(state)


def ranked(state: State) -> list[tuple[float, Placement, str]]:
    """The placements of the mandatory tile with their worth and how they are laid, best first."""
    player, open_ = state.mover, state.turn.picking_on_plains
    how = STARTING if state.turn.phase == START else LAYING
    found = placements(player, how, open_)
    if not found:
        how = ABANDONING
        found = placements(player, how, open_)
    valued = [(worth_to_mover(state, placement, how), placement, how) for placement in found]
    return sorted(valued, key=lambda each: -each[0])


def laying(state: State, placement: Placement, how: str) -> Lay | Abandon:
    """The action of a placement, with the fight tokens paid in order of seats if that matters."""
    kind = Abandon if how == ABANDONING else Lay
    tile, first, second = placement
    order = next(orders(state, tile))
    return kind(tile=TILES[tile], first=PLACES[first], second=PLACES[second], order=order)


def _lay(state: State) -> Action:
    _, placement, how = ranked(state)[0]
    opening = Token(effect=Picking())
    if how == ABANDONING and opening in legality.Choices(state):
        opened = begin(state).play(opening)
        if ranked(opened.state)[0][2] == LAYING:
            return opening
    return laying(state, placement, how)


def _bonus(state: State) -> Action | None:
    for scene in ORDER:
        if state.turn.bonuses >> scene & 1:
            use = best_use(state, scene, as_token=False)
            if use is not None:
                return use.action
    return None


def _token(state: State) -> Action | None:
    """The mountain token that brings the most at once, if one brings anything."""
    if state.turn.token_played or state.round == 1:
        return None
    resolved = close(state, [])
    uses = [
        best_use(resolved, scene, as_token=True)
        for scene in ORDER
        if resolved.mover.claimed >> scene & 1
    ]
    best = max((use for use in uses if use is not None), key=lambda use: use.points, default=None)
    return None if best is None else Token(effect=best.action)


def take(state: State) -> Take:
    """The common tiles that fit best, each for itself."""
    number = legality.number_to_take(state)
    fit = fits(state.mover, state.common)
    best = max(
        combinations(state.common, number),
        key=lambda tiles: sum(fit[tile] for tile in tiles),
    )
    return Take(tiles=tuple(TILES[tile] for tile in best))


def remove(state: State) -> Remove:
    """The common tile that would do the other player most good, and the mover least."""
    own, others = (
        fits(player, state.common) for player in (state.mover, state.players[1 - state.turn.seat])
    )
    return Remove(tile=TILES[max(state.common, key=lambda tile: others[tile] - own[tile])])
