"""The legal actions of the player to move: the choices of each phase of a turn, and the check of
one action.

Listing and checking rest on the same functions of `placing` and `bonuses`. A check raises
IllegalAction with the first rule that is broken, and gives what `flow` needs to go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from engine.protocol import IllegalAction
from engine.sapiens import bonuses, placing
from engine.sapiens.actions import (
    Abandon,
    Action,
    Bonus,
    Lay,
    Out,
    Remove,
    Retrieve,
    Take,
    Token,
)
from engine.sapiens.components import PERSONAL_POOL, PLACES, SCENES, TILES
from engine.sapiens.errors import illegal
from engine.sapiens.laying import close
from engine.sapiens.placing import ABANDONING, LAYING, STARTING, Placement, scene_names
from engine.sapiens.state import BONUS, LAY, NONE, OVER, REFILL, REMOVE, START, STUCK, State

RULES: Final = {
    START: "S§3.1",
    LAY: "S§4.1",
    STUCK: "S§11.4",
    BONUS: "S§6.3",
    REFILL: "S§10.1",
    REMOVE: "S§13.1",
}
"""The section that asks for the decision of each phase."""

_TOO_EARLY: Final = {START: "lay_first", LAY: "lay_first", STUCK: "stuck"}
_TOO_LATE: Final = {BONUS: "already_laid", REFILL: "already_laid", REMOVE: "remove_first"}
_WRONG_TIME: Final[dict[type[Action], dict[str, str]]] = {
    Lay: {STUCK: "stuck", **_TOO_LATE},
    Abandon: {STUCK: "stuck", **_TOO_LATE},
    Out: dict.fromkeys((START, LAY, BONUS, REFILL, REMOVE), "not_stuck"),
    Token: {START: "start_no_token", REMOVE: "token_too_late"},
    Take: {**_TOO_EARLY, REMOVE: "remove_first"},
    Remove: {**_TOO_EARLY, BONUS: "refill_first", REFILL: "refill_first"},
    Retrieve: {},
    **{bonus: {**_TOO_EARLY, REMOVE: "remove_first"} for bonus in bonuses.SCENE_OF},
}
"""For each action the phases it does not belong to, with the code of the error."""


class Choices:
    """The legal actions of the player to move, made when asked for."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __iter__(self) -> Iterator[Action]:
        return iter(options(self._state))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        try:
            check(self._state, action)
        except IllegalAction:
            return False
        return True


def options(state: State) -> list[Action]:
    """Every legal action of the player to move."""
    phase = state.turn.phase
    found: list[Action] = []
    if phase in (START, LAY):
        found += _layings(state)
    if phase == STUCK:
        found.append(Out())
    if phase == BONUS:
        for scene in range(len(SCENES)):
            if state.turn.bonuses >> scene & 1:
                found += bonuses.options(state, scene, as_token=False)
    if phase in (LAY, STUCK, BONUS, REFILL):
        found += tokens(state)
    if phase in (BONUS, REFILL):
        found += takes(state)
    if phase == REMOVE:
        found += [Remove(tile=TILES[tile]) for tile in state.common]
    if phase != OVER:
        found += [Retrieve(tile=TILES[tile]) for tile in dict.fromkeys(state.mover.fights)]
    return found


def _layings(state: State) -> Sequence[Lay | Abandon]:
    open_ = state.turn.picking_on_plains
    found = placing.placements(state.mover, _how(state), open_)
    action: type[Lay] | type[Abandon] = Lay
    if not found:
        found, action = placing.placements(state.mover, ABANDONING, open_), Abandon
    marked = {tile for player in state.players for tile in player.fights}
    return [
        action(tile=TILES[tile], first=PLACES[first], second=PLACES[second], order=order)
        for tile, first, second in found
        for order in (placing.orders(state, tile) if tile in marked else ((),))
    ]


def tokens(state: State) -> list[Token]:
    """Every legal way to play a mountain token now (S§4.3, S§9)."""
    if state.turn.token_played or state.round == 1:
        return []
    if not state.mover.claimed and state.turn.cave == NONE:
        return []
    resolved = close(state, [])
    claimed = resolved.mover.claimed
    return [
        Token(effect=effect)
        for scene in range(len(SCENES))
        if claimed >> scene & 1
        for effect in bonuses.options(resolved, scene, as_token=True)
    ]


def takes(state: State) -> list[Take]:
    """Every legal way to refill the personal pool (S§10.1)."""
    names = [TILES[tile] for tile in state.common]
    return [Take(tiles=tiles) for tiles in combinations(names, number_to_take(state))]


def number_to_take(state: State) -> int:
    """The number of common tiles the mover takes: up to four personal ones, as far as there are."""
    return min(PERSONAL_POOL - len(state.mover.pool), len(state.common))


def can_lay(state: State) -> bool:
    """True if the mover can lay any personal tile in the active tribe (S§11.1)."""
    return placing.can_place(state.mover, LAYING, state.turn.picking_on_plains)


def can_abandon(state: State) -> bool:
    """True if the mover finds a cave for a new tribe (S§11.2). That no tile can be laid is not
    asked.
    """
    return placing.can_place(state.mover, ABANDONING, state.turn.picking_on_plains)


def check(state: State, action: Action) -> None:
    """Raises IllegalAction for an action the player to move may not play now."""
    if isinstance(action, Lay):
        check_lay(state, action)
    elif isinstance(action, Abandon):
        check_abandon(state, action)
    elif isinstance(action, Token):
        check_token(state, action)
        bonuses.check(close(state, []), action.effect, as_token=True)
    elif isinstance(action, Take):
        check_take(state, action)
    elif isinstance(action, Remove):
        check_remove(state, action)
    elif isinstance(action, Retrieve):
        check_time(state, action)
        bonuses.own_fight(state, action.tile)
    elif isinstance(action, Out):
        check_time(state, action)
    else:
        check_earned(state, action)
        bonuses.check(state, action, as_token=False)


def check_time(state: State, action: Action) -> None:
    """Raises IllegalAction for an action that does not belong to this moment of a turn."""
    phase = state.turn.phase
    if phase == OVER:
        raise illegal("game_over")
    if isinstance(action, Remove) and len(state.players) != 2:
        raise illegal("removal_for_two_only", players=len(state.players))
    if code := _WRONG_TIME[type(action)].get(phase):
        raise illegal(code)


def check_lay(state: State, action: Lay) -> Placement:
    """The placement of the mandatory tile (S§3.1, S§5)."""
    check_time(state, action)
    placement = placing.check(state, _how(state), action.tile, action.first, action.second)
    placing.check_order(state, placement.tile, action.order)
    return placement


def check_abandon(state: State, action: Abandon) -> Placement:
    """The placement of the first tile of a new tribe, when no tile can be laid (S§11.1-2)."""
    check_time(state, action)
    player, how, open_ = state.mover, _how(state), state.turn.picking_on_plains
    if placing.can_place(player, how, open_):
        tile, first, second = placing.placements(player, how, open_)[0]
        raise illegal("can_still_lay", tile=TILES[tile], first=PLACES[first], second=PLACES[second])
    placement = placing.check(state, ABANDONING, action.tile, action.first, action.second)
    placing.check_order(state, placement.tile, action.order)
    return placement


def check_earned(state: State, action: Bonus) -> int:
    """The scene of a bonus that is still to be used (S§6.3). Its use is for `bonuses` to check."""
    check_time(state, action)
    scene = bonuses.SCENE_OF[type(action)]
    if not state.turn.bonuses >> scene & 1:
        earned = scene_names(state.turn.bonuses)
        raise illegal("bonus_not_earned", scene=SCENES[scene], earned=earned)
    return scene


def check_token(state: State, action: Token) -> int:
    """The scene of a mountain token that can be played now (S§4.3). Its effect is for `bonuses`.

    A token on the cave of the tile being resolved is claimed first: playing one ends the
    resolution."""
    check_time(state, action)
    if state.round == 1:
        raise illegal("start_no_token")
    if state.turn.token_played:
        raise illegal("token_already_played")
    scene = bonuses.SCENE_OF[type(action.effect)]
    claimed = close(state, []).mover.claimed
    if not claimed >> scene & 1:
        raise illegal("token_not_claimed", scene=SCENES[scene], claimed=scene_names(claimed))
    return scene


def check_take(state: State, action: Take) -> tuple[int, ...]:
    """The tiles taken (S§10.1)."""
    check_time(state, action)
    tiles = tuple(common_tile(state, name) for name in action.tiles)
    for at, tile in enumerate(tiles):
        if tile in tiles[:at]:
            raise illegal("taken_twice", tile=TILES[tile])
    if len(tiles) != number_to_take(state):
        raise illegal("take_number", given=len(tiles), needed=number_to_take(state))
    in_order = tuple(tile for tile in state.common if tile in tiles)
    if tiles != in_order:
        raise illegal("take_order", tiles=[TILES[tile] for tile in in_order])
    return tiles


def check_remove(state: State, action: Remove) -> int:
    """The tile removed (S§13.1)."""
    check_time(state, action)
    return common_tile(state, action.tile)


def common_tile(state: State, name: str) -> int:
    """The common tile of this name. Raises IllegalAction."""
    tile = placing.tile_number(name)
    if tile not in state.common:
        raise illegal("not_in_common_pool", tile=name, common=[TILES[t] for t in state.common])
    return tile


def _how(state: State) -> str:
    """The way the mandatory tile is laid now."""
    return STARTING if state.turn.phase == START else LAYING
