"""Every way an action can break a rule: code, rule, and what the wording is given with it.

In a context places, fires, cards, pieces and kinds are ids, columns "light" or "dark", players
seats. A context holds nothing that the seat does not know.
"""

from __future__ import annotations

from typing import Final

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX, names
from engine.fire_and_stone.options import (
    PHASES,
    buyable,
    hut_cost,
    lookable,
    return_fires,
    second_fires,
)
from engine.fire_and_stone.state import NO_EXPLORER, Phase, State, columns_for
from engine.kit.refusals import Refusals
from engine.protocol import IllegalAction, Seat

ERROR_CODES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    # The right action at the right time; `asked` is the phase.
    "game_over": ("F§13", ()),
    "not_your_turn": ("F§4", ("to_move",)),
    "not_now": ("", ("asked",)),
    "unknown_place": ("F§2.1", ("place",)),
    # The set-up.
    "ranking": ("F§3.13", ("cards", "revealed")),
    "same_ranking": ("F§3.13", ()),
    # Moving.
    "explorer_first": ("F§4.2", ()),
    "no_such_explorer": ("F§4.2", ("explorer",)),
    "has_moved": ("F§4.2", ("explorer",)),
    "stays": ("F§5.2", ("place",)),
    "closed_region": ("F§5.3", ("place", "region")),
    "too_far": ("F§5.6", ("place", "start", "steps")),
    "not_down": ("F§12.10", ("place",)),
    # Actions; `here` is what the explorer stands on.
    "no_such_action": ("F§6.3", ("here",)),
    "no_room": ("F§6.5", ()),
    "no_food_here": ("F§12", ()),
    "no_game": ("F§7.4", ()),
    "not_held": ("F§7.5", ("piece", "held")),
    "nothing_named": ("F§7.5", ()),
    "cooking": ("F§7.5", ()),
    "wrong_column": ("F§9.3", ("kind", "column")),
    "not_a_neighbour": ("F§10", ("place",)),
    "nothing_to_take": ("F§10", ("place",)),
    "no_hut_left": ("F§7.13", ()),
    "too_dear": ("F§7.12", ("cost", "food")),
    "no_space": ("F§12.7", ("needed", "space")),
    # Decisions.
    "must_keep": ("F§7.3", ()),
    "not_shown": ("F§7.2", ("shown",)),
    "not_a_fire": ("F§7.6", ("place", "fires")),
    "other_region": ("F§7.11", ("place", "fires")),
    "not_in_row": ("F§9.6", ("card", "row")),
    "has_invention": ("F§9.10", ("card",)),
    "nothing_to_cover": ("F§9.11", ("card",)),
    "no_vp_card": ("F§9.11", ()),
    # Caves.
    "marker_used": ("F§12.4", ()),
    "cannot_pay": ("F§12.5", ("cost", "food")),
    "nothing_to_discard": ("F§12.5", ("column",)),
    "no_barter": ("F§12.9", ("given", "taken")),
    "named_already": ("F§12.8", ("place",)),
    "not_lookable": ("F§12.8", ("place",)),
    "enough_named": ("F§12.8", ("most",)),
    "other_tiles": ("F§12", ()),
    "not_undealt": ("F§12", ("objective",)),
    # Plans: raised where they are filed and consulted.
    "same_plan": ("F§19.1", ()),
    "plan_length": ("F§19.1", ("lines", "most")),
    "plan_line": ("F§19.2", ("line",)),
    "wish": ("F§19.3", ("wish",)),
}
"""By code, the rule and the keys of the context, in the order of the rules."""


illegal: Final = Refusals((code, *of) for code, of in ERROR_CODES.items())


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction:
    """The first rule that an action, which is not legal, breaks."""
    turn = state.turn
    if turn.phase == Phase.OVER:
        return illegal("game_over")
    if isinstance(action, do.Rank):
        if turn.phase != Phase.RANK:
            return _not_now(turn.phase)
        if sorted(action.cards) != sorted(state.starting):
            return illegal("ranking", cards=list(action.cards), revealed=list(state.starting))
        return illegal("same_ranking")
    if turn.phase == Phase.RANK:
        return _not_now(turn.phase)
    if seat != turn.seat:
        return illegal("not_your_turn", to_move=turn.seat)
    if not isinstance(action, PHASES[turn.phase].actions):
        if turn.phase == Phase.KEEP and isinstance(action, do.Pass):
            return illegal("must_keep")
        return _not_now(turn.phase)
    place = getattr(action, "place", getattr(action, "fire", None))
    if place is not None and place not in INDEX:
        return illegal("unknown_place", place=place)
    found = _broken(state, action)
    if found is not None:
        return found
    if turn.pieces:
        return illegal("cooking")
    if turn.phase != Phase.ACTION:
        return _not_now(turn.phase)
    return illegal("no_such_action", here=standing_on(state))


def _not_now(phase: Phase) -> IllegalAction:
    return illegal("not_now", PHASES[phase].rule, asked=phase)


def standing_on(state: State) -> str:
    """The thing that the explorer in progress stands on: a kind of tile, "village" or "empty"."""
    place = state.here
    if land.PRINTED >> place & 1:
        return box.KINDS[box.FIRE]
    tile = state.tiles[place]
    if tile in box.KINDS:
        return box.KINDS[tile]
    return "village" if state.huts_at(place) else "empty"


def _broken(state: State, action: Action) -> IllegalAction | None:
    """The rule that an action breaks by what it names or needs; None if nothing here offers it."""
    turn, player, on = state.turn, state.mover, standing_on(state)
    cave = state.cave if on == box.KINDS[box.CAVE] else ""
    match action:
        case do.Lead(explorer=number):
            if number - 1 not in range(len(player.explorers)):
                return illegal("no_such_explorer", explorer=number)
            if turn.moved >> (number - 1) & 1:
                return illegal("has_moved", explorer=number)
            return _not_now(turn.phase)
        case do.Go():
            return _going(state, action.place)
        case do.Hunt() if on == "forest":
            return illegal("no_game")
        case do.Food() if on == "empty":
            return illegal("no_food_here") if player.space > 0 else illegal("no_room")
        case do.Piece() if turn.phase == Phase.EMBER or state.fires >> state.here & 1:
            held = [box.GAME[piece].id for piece in player.held]
            return illegal("not_held", piece=action.piece, held=held)
        case do.Done():
            return illegal("nothing_named")
        case do.Take() if on in box.GATHERED:
            return _wrong_column(state, state.tiles[state.here], action.column)
        case do.Forage() if on == "empty" and player.has("foraging_lore"):
            place = INDEX[action.place]
            if not land.LAND[state.here] & state.open_land & 1 << place:
                return illegal("not_a_neighbour", place=action.place)
            if state.up(place) not in box.GATHERING:
                return illegal("nothing_to_take", place=action.place)
            return _wrong_column(state, state.tiles[place], action.column)
        case do.Build() if on == "village" or cave in ("garden_of_eden", "burial_mound"):
            if not player.huts_left:
                return illegal("no_hut_left")
            if cave == "garden_of_eden":
                return illegal("no_space", needed=state.huts_at(state.here), space=player.space)
            return illegal("too_dear", cost=hut_cost(state, state.here), food=player.food)
        case do.Keep():
            forest = state.forest_here
            shown = [box.GAME[piece].id for piece in forest.tiles]
            return illegal("not_shown", shown=shown) if action.pieces else illegal("must_keep")
        case do.Return():
            return _wrong_fire(state, action.fire, return_fires(state))
        case do.Second():
            return _wrong_fire(state, action.fire, second_fires(state))
        case do.Invent() if turn.phase == Phase.CARD or cave == "flint_vein":
            if action.card not in state.row:
                return illegal("not_in_row", card=action.card, row=list(state.row))
            if action.card not in buyable(state):
                return illegal("has_invention", card=action.card)
            return illegal("cannot_pay", cost=2, food=player.food)
        case do.Score():
            gone = state.vp_taken == len(box.VP_CARDS)
            return (
                illegal("no_vp_card") if gone else illegal("nothing_to_cover", card=action.covers)
            )
        case do.Use() if cave in ("painted_walls", "long_pilgrimage"):
            return illegal("marker_used")
        case do.Use() if cave == "council_of_elders":
            return illegal("cannot_pay", cost=1, food=player.food)
        case do.Discard() if cave == "shaman_stone":
            return illegal("nothing_to_discard", column=action.column)
        case do.Barter() if cave == "barter_stone":
            return illegal("no_barter", given=action.given, taken=action.taken)
        case do.Name():
            if INDEX[action.place] in turn.named:
                return illegal("named_already", place=action.place)
            if not lookable(state) >> INDEX[action.place] & 1:
                return illegal("not_lookable", place=action.place)
            return illegal("enough_named", most=turn.most_named)
        case do.Arrange():
            return illegal("other_tiles")
        case do.Swap():
            return illegal("not_undealt", objective=action.objective)
    return None


def _going(state: State, name: str) -> IllegalAction:
    place = INDEX[name]
    if state.turn.phase == Phase.TUNNEL:
        return illegal("not_down", place=name)
    if state.turn.explorer == NO_EXPLORER:
        return illegal("explorer_first")
    start = state.here
    if place == start:
        return illegal("stays", place=name)
    if not state.open_land >> place & 1:
        return illegal("closed_region", place=name, region=land.REGION[place])
    return illegal("too_far", place=name, start=land.NAMES[start], steps=state.mover.steps)


def _wrong_column(state: State, tile: str, column: str) -> IllegalAction:
    """The error of a tile for the wrong column (F§9.3-5)."""
    needed = columns_for(state.mover, tile)[0]
    assert column != box.COLUMNS[needed]
    return illegal("wrong_column", kind=box.KINDS[tile], column=box.COLUMNS[needed])


def _wrong_fire(state: State, fire: str, eligible: int) -> IllegalAction:
    code = "other_region" if state.fires >> INDEX[fire] & 1 else "not_a_fire"
    return illegal(code, place=fire, fires=list(names(eligible)))
