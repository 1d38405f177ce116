"""Every way an action can break a rule: code, rule, and what the wording is given with it.

In a context places, fires, cards, pieces and kinds are ids, columns "light" or "dark", players
seats. A context holds nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.components import (
    CAVE,
    COLUMNS,
    FIRE,
    FOREST,
    GAME,
    GATHERING,
    KINDS,
    VP_CARDS,
)
from engine.fire_and_stone.map import INDEX, names
from engine.fire_and_stone.options import (
    RULES,
    buyable,
    hut_cost,
    lookable,
    return_fires,
    second_fires,
    tunnel_targets,
)
from engine.fire_and_stone.state import (
    ACTION,
    ARRANGE,
    BASKET,
    CARD,
    COUNCIL,
    EMBER,
    KEEP,
    LOOK,
    MOVE,
    NO_EXPLORER,
    OVER,
    RANK,
    RETURN,
    SECOND,
    TUNNEL,
    State,
    columns_for,
)
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


def illegal(code: str, rule: str = "", **context: Any) -> IllegalAction:
    """The error of this code. Raises KeyError for a code or context not listed above."""
    its_rule, keys = ERROR_CODES[code]
    if set(context) != set(keys):
        raise KeyError(f"{code} takes {keys}, not {sorted(context)}")
    return IllegalAction(code, rule or its_rule, **context)


PHASES: Final[dict[type[Action], tuple[str, ...]]] = {
    do.Rank: (RANK,),
    do.Lead: (MOVE,),
    do.Go: (MOVE, TUNNEL),
    do.Pass: (ACTION, EMBER),
    do.Food: (ACTION,),
    do.Take: (ACTION,),
    do.Forage: (ACTION,),
    do.Hunt: (ACTION,),
    do.Keep: (KEEP,),
    do.Piece: (ACTION, EMBER),
    do.Done: (ACTION, EMBER),
    do.Build: (ACTION,),
    do.Return: (RETURN,),
    do.Second: (SECOND,),
    do.Invent: (CARD, ACTION),
    do.Score: (CARD,),
    do.Decline: (CARD,),
    do.Hold: (BASKET, COUNCIL),
    do.Drop: (BASKET,),
    do.Use: (ACTION,),
    do.Discard: (ACTION,),
    do.Barter: (ACTION,),
    do.Name: (LOOK,),
    do.Look: (LOOK,),
    do.Arrange: (ARRANGE,),
    do.Swap: (COUNCIL,),
}
"""For each action the phases it belongs to."""


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction:
    """The first rule that an action, which is not legal, breaks."""
    turn = state.turn
    if turn.phase == OVER:
        return illegal("game_over")
    if isinstance(action, do.Rank):
        return _ranking(state, seat, action)
    if turn.phase == RANK:
        return illegal("not_now", RULES[RANK], asked=RANK)
    if seat != turn.seat:
        return illegal("not_your_turn", to_move=turn.seat)
    if turn.phase not in PHASES[type(action)]:
        if turn.phase == KEEP and isinstance(action, do.Pass):
            return illegal("must_keep")
        return illegal("not_now", RULES[turn.phase], asked=turn.phase)
    place = getattr(action, "place", None) or getattr(action, "fire", None)
    if place is not None and place not in INDEX:
        return illegal("unknown_place", place=place)
    reason = _REASONS.get(type(action))
    found = reason(state, action) if reason else None
    return found or _out_of_place(state)


def _out_of_place(state: State) -> IllegalAction:
    """The error of an action that what is here does not offer."""
    if state.turn.pieces:
        return illegal("cooking")
    if state.turn.phase != ACTION:
        return illegal("not_now", RULES[state.turn.phase], asked=state.turn.phase)
    return illegal("no_such_action", here=here(state))


def here(state: State) -> str:
    """The name of what the explorer in progress stands on: a kind of tile, "village" or "empty"."""
    place = state.here
    if land.PRINTED >> place & 1:
        return KINDS[FIRE]
    tile = state.tiles[place]
    if tile in KINDS:
        return KINDS[tile]
    return "village" if state.huts_at(place) else "empty"


def _ranking(state: State, seat: Seat, action: do.Rank) -> IllegalAction:
    if state.turn.phase != RANK:
        return illegal("not_now", RULES[state.turn.phase], asked=state.turn.phase)
    if sorted(action.cards) != sorted(state.starting):
        return illegal("ranking", cards=list(action.cards), revealed=list(state.starting))
    return illegal("same_ranking")


def _lead(state: State, action: do.Lead) -> IllegalAction | None:
    if action.explorer - 1 not in range(len(state.mover.explorers)):
        return illegal("no_such_explorer", explorer=action.explorer)
    if state.turn.moved >> (action.explorer - 1) & 1:
        return illegal("has_moved", explorer=action.explorer)
    return illegal("not_now", RULES[MOVE], asked=MOVE)


def _go(state: State, action: do.Go) -> IllegalAction | None:
    place = INDEX[action.place]
    if state.turn.phase == TUNNEL:
        assert not tunnel_targets(state) >> place & 1
        return illegal("not_down", place=action.place)
    if state.turn.explorer == NO_EXPLORER:
        return illegal("explorer_first")
    start = state.mover.explorers[state.turn.explorer]
    if place == start:
        return illegal("stays", place=action.place)
    if not state.open_land >> place & 1:
        return illegal("closed_region", place=action.place, region=land.REGION[place])
    return illegal("too_far", place=action.place, start=land.NAMES[start], steps=state.mover.steps)


def _hunt(state: State, action: do.Hunt) -> IllegalAction | None:
    return illegal("no_game") if here(state) == KINDS[FOREST] else None


def _food(state: State, action: do.Food) -> IllegalAction | None:
    if here(state) != "empty":
        return None
    return illegal("no_food_here") if state.mover.space > 0 else illegal("no_room")


def _piece(state: State, action: do.Piece) -> IllegalAction | None:
    cooks = state.turn.phase == EMBER or here(state) == KINDS[FIRE]
    if not cooks and state.fires >> state.here & 1 == 0:
        return None
    held = [GAME[piece].id for piece in state.mover.held]
    return illegal("not_held", piece=action.piece, held=held)


def _done(state: State, action: do.Done) -> IllegalAction | None:
    return illegal("nothing_named")


def _take(state: State, action: do.Take) -> IllegalAction | None:
    tile = state.tiles[state.here]
    return _column(state, tile, action.column) if tile in GATHERING else None


def _column(state: State, tile: str, column: str) -> IllegalAction:
    """The error of a tile for the wrong column (F§9.3-5)."""
    needed = columns_for(state.mover, tile)[0]
    assert column != COLUMNS[needed]
    return illegal("wrong_column", kind=KINDS[tile], column=COLUMNS[needed])


def _forage(state: State, action: do.Forage) -> IllegalAction | None:
    place = INDEX[action.place]
    if here(state) != "empty" or not state.mover.has("foraging_lore"):
        return None
    if not land.LAND[state.here] & state.open_land & 1 << place:
        return illegal("not_a_neighbour", place=action.place)
    if state.up(place) not in GATHERING:
        return illegal("nothing_to_take", place=action.place)
    return _column(state, state.tiles[place], action.column)


def _build(state: State, action: do.Build) -> IllegalAction | None:
    at_cave = state.tiles[state.here] == CAVE
    if not at_cave and here(state) != "village":
        return None
    if at_cave and state.cave not in ("garden_of_eden", "burial_mound"):
        return None
    if not state.mover.huts_left:
        return illegal("no_hut_left")
    if at_cave and state.cave == "garden_of_eden":
        return illegal("no_space", needed=state.huts_at(state.here), space=state.mover.space)
    return illegal("too_dear", cost=hut_cost(state, state.here), food=state.mover.food)


def _keep(state: State, action: do.Keep) -> IllegalAction | None:
    if not action.pieces:
        return illegal("must_keep")
    forest = state.forest_at(state.here)
    assert forest is not None
    return illegal("not_shown", shown=[GAME[piece].id for piece in forest.tiles])


def _fire(state: State, fire: str, eligible: int) -> IllegalAction:
    fires = list(names(eligible))
    if not state.fires >> INDEX[fire] & 1:
        return illegal("not_a_fire", place=fire, fires=fires)
    return illegal("other_region", place=fire, fires=fires)


def _invent(state: State, action: do.Invent) -> IllegalAction | None:
    at_vein = state.turn.phase == ACTION and state.tiles[state.here] == CAVE
    if state.turn.phase == ACTION and not (at_vein and state.cave == "flint_vein"):
        return None
    if action.card not in state.row:
        return illegal("not_in_row", card=action.card, row=list(state.row))
    if action.card not in buyable(state):
        return illegal("has_invention", card=action.card)
    return illegal("cannot_pay", cost=2, food=state.mover.food)


def _score(state: State, action: do.Score) -> IllegalAction | None:
    if state.vp_taken == len(VP_CARDS):
        return illegal("no_vp_card")
    return illegal("nothing_to_cover", card=action.covers)


def _use(state: State, action: do.Use) -> IllegalAction | None:
    if state.tiles[state.here] != CAVE:
        return None
    if state.cave in ("painted_walls", "long_pilgrimage"):
        return illegal("marker_used")
    if state.cave == "council_of_elders":
        return illegal("cannot_pay", cost=1, food=state.mover.food)
    return None


def _discard(state: State, action: do.Discard) -> IllegalAction | None:
    if state.tiles[state.here] != CAVE or state.cave != "shaman_stone":
        return None
    return illegal("nothing_to_discard", column=action.column)


def _barter(state: State, action: do.Barter) -> IllegalAction | None:
    if state.tiles[state.here] != CAVE or state.cave != "barter_stone":
        return None
    return illegal("no_barter", given=action.given, taken=action.taken)


def _name(state: State, action: do.Name) -> IllegalAction | None:
    place = INDEX[action.place]
    if place in state.turn.named:
        return illegal("named_already", place=action.place)
    if not lookable(state) >> place & 1:
        return illegal("not_lookable", place=action.place)
    return illegal("enough_named", most=state.turn.most_named)


_REASONS: dict[type[Action], Callable[[State, Any], IllegalAction | None]] = {
    do.Lead: _lead,
    do.Go: _go,
    do.Hunt: _hunt,
    do.Food: _food,
    do.Piece: _piece,
    do.Done: _done,
    do.Take: _take,
    do.Forage: _forage,
    do.Build: _build,
    do.Keep: _keep,
    do.Return: lambda state, action: _fire(state, action.fire, return_fires(state)),
    do.Second: lambda state, action: _fire(state, action.fire, second_fires(state)),
    do.Invent: _invent,
    do.Score: _score,
    do.Use: _use,
    do.Discard: _discard,
    do.Barter: _barter,
    do.Name: _name,
    do.Arrange: lambda state, action: illegal("other_tiles"),
    do.Swap: lambda state, action: illegal("not_undealt", objective=action.objective),
}
