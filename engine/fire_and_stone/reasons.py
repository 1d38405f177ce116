"""The reasons for suggested turns: what differs between the places they lead to, and what their
first action is good for. Of what is hidden only public counts are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.worth import Prospects, beside, near
from engine.fire_and_stone.map import INDEX, NAMES, SHORE
from engine.fire_and_stone.scoring import objective_value
from engine.fire_and_stone.state import Phase, State, column_kind
from engine.kit.tuples import with_player
from engine.protocol import Seat


class Unseen(msgspec.Struct, frozen=True, kw_only=True):
    """A place face down with so many more `unseen` beside it; the most points of the `objective`
    that a tile there can bring, and its kind; a `shore` that a Fishing Net is good for.
    """

    unseen: int
    objective: tuple[int, str]
    shore: bool


class AtFire(msgspec.Struct, frozen=True, kw_only=True):
    """A fire with so many places face down `near` it: within the steps of the next turn; `toward`
    is the best that can be walked to from there, with its tile, where that is none of those.
    """

    near: int
    toward: tuple[str, str] | None


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """An action where an explorer stands: of a tile taken the number still `lacking` in its column
    and of those `lost` for it; of a hut the points of the `objective`, and by how many huts its
    owner is `ahead` of the others.
    """

    do: str
    lacking: int = 0
    lost: int = 0
    objective: tuple[int, str] = (0, "")
    ahead: int = 0


Why: TypeAlias = Unseen | AtFire | Deed | None


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Why]:
    """For each of these submissions what is known of the place it walks to first, if nobody has
    seen it, of the fire it chooses, or of what it does first.
    """
    return [_reason(state, seat, actions) for actions in suggested]


def _reason(state: State, seat: Seat, actions: Sequence[Action]) -> Why:
    for action in actions:
        match action:
            case do.Return(fire=name) | do.Second(fire=name):
                return _at_fire(state, seat, INDEX[name])
            case do.Go(place=name) if (state.down & ~state.mover.looked) >> INDEX[name] & 1:
                place = INDEX[name]
                best = _for_objective(state, seat, place, box.HUT + box.FOREST + box.FIRE)
                net = bool(SHORE >> place & 1) and state.mover.has("fishing_net")
                return Unseen(unseen=beside(state, seat, place), objective=best, shore=net)
            case do.Lead() | do.Go() if state.turn.phase == Phase.MOVE:
                state = flow.play(state, action).state
                if state.turn.phase == Phase.MOVE and isinstance(action, do.Go):
                    return None
            case do.Take(column=column) | do.Forage(column=column):
                return _taken(state, action, box.COLUMNS.index(column))
            case do.Build():
                place = state.here
                own, *others = (state.players[n].huts.count(place) for n in state.in_order(seat))
                gain = _for_objective(state, seat, place, box.HUT)
                return Deed(do="build", objective=gain, ahead=own + 1 - max(others))
            case do.Pass() | do.Food() | do.Hunt() if state.turn.phase == Phase.ACTION:
                return Deed(do=str(action.__struct_config__.tag))
            case _:
                break
    return None


def _at_fire(state: State, seat: Seat, fire: int) -> AtFire:
    _, there = Prospects(state, seat).goal(fire)
    tile = "village" if state.huts_at(there) else box.KINDS.get(state.tiles[there], "")
    seen = tile and not state.down >> there & 1
    return AtFire(near=near(state, seat, fire), toward=(NAMES[there], tile) if seen else None)


def _taken(state: State, action: do.Take | do.Forage, number: int) -> Deed:
    place = INDEX[action.place] if isinstance(action, do.Forage) else state.here
    column = state.mover.columns[number]
    kept = column_kind(column) in ("", state.tiles[place])
    there = len(column) if kept else 0
    return Deed(do="take", lacking=box.SPACES - there - 1, lost=len(column) - there)


def _for_objective(state: State, seat: Seat, place: int, kinds: str) -> tuple[int, str]:
    """The most points of the seat's objective that one of these kinds in a place would bring, and
    which.
    """
    player, found = state.players[seat], (0, "")
    now = objective_value(state, seat, player.objective)
    for kind in kinds:
        tiles = f"{state.tiles[:place]}{kind}{state.tiles[place + 1 :]}"
        after = replace(state, tiles=tiles, down=state.down & ~(1 << place))
        if kind == box.HUT:
            after = with_player(after, seat, replace(player, huts=(*player.huts, place)))
        points = objective_value(after, seat, player.objective) - now
        found = max(found, (points, box.KINDS[kind]), key=lambda each: each[0])
    return found
