"""The reasons for suggested turns: what differs between the places they lead to, and what their
first action is good for. Of what is hidden only public counts are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow, options
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.suggesting import Last, earned
from engine.fire_and_stone.bots.worth import Prospects, near
from engine.fire_and_stone.map import INDEX, LAND, NAMES, SHORE, distances, members, names
from engine.fire_and_stone.scoring import majorities, objective_value
from engine.fire_and_stone.state import NO_EXPLORER, Phase, State, column_kind
from engine.kit.tuples import with_player
from engine.protocol import Seat

Toward: TypeAlias = tuple[str, str, int] | None
"""The best to walk to next from a place, with its tile, and how many steps it is."""
Lazy: TypeAlias = Callable[[], Prospects]
"""The prospects, for whoever asks for them."""


class Unseen(msgspec.Struct, frozen=True, kw_only=True):
    """A place face down that is walked to `through` these, with these `unseen` ones beside it, and
    these `fires` for who has game to cook, else where it leads `toward`; the most points of the
    `objective` that a tile there can bring, and its kind; a `shore` that a Fishing Net is good for.
    Where some are alike in number of unseen ones, so many are face down `around` each, within the
    steps of the next turn; else 0.
    """

    through: tuple[str, ...]
    unseen: tuple[str, ...]
    fires: tuple[str, ...]
    toward: Toward
    objective: tuple[int, str]
    shore: bool
    around: int = 0


class AtFire(msgspec.Struct, frozen=True, kw_only=True):
    """A fire with so many places face down `near` it: within the steps of the next turn; where it
    leads `toward`, if that is none of those.
    """

    near: int
    toward: Toward


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """An action where an explorer stands: of a tile taken the number still `lacking` in its column
    and of those `lost` for it; of a hut its `place`, its `points` (its own, those of majorities,
    those of the objective), and by how many huts its owner is `ahead` of the others; of food, that
    in the `store` and the room for it; of game kept, the `bags` it brings; where a walk that ends
    there leads `toward`; what all of a `last` turn earns.
    """

    do: str
    lacking: int = 0
    lost: int = 0
    place: str = ""
    points: tuple[int, ...] = ()
    ahead: int = 0
    store: tuple[int, int] = (0, 0)
    bags: int = 0
    toward: Toward = None
    last: Last | None = None


_DONE: Final = Deed(do="go")
Why: TypeAlias = Unseen | AtFire | Deed | None


def reasons(state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]) -> Sequence[Why]:
    """For each of these submissions what is known of the place it walks to first, if nobody has
    seen it, of the fire it chooses, or of what it does first. Plans among them tell nothing.
    """
    prospects = cache(lambda: Prospects(state, seat))
    turns = [[each for each in some if not isinstance(each, do.File)] for some in suggested]
    found = [_reason(state, seat, actions, prospects) for actions in turns]
    if state.is_last:
        last = [earned(state, seat, actions) for actions in turns]
        if len(last) > 1 and not any(each is None or each[0] or each[2] for each in last):
            return [Deed(do="nothing")] * len(last)
        told = (w if isinstance(w, Deed) and w.do in ("build", "take") else _DONE for w in found)
        return [replace(why, toward=None, last=each) for why, each in zip(told, last, strict=True)]
    alike = Counter(len(why.unseen) for why in found if isinstance(why, Unseen))
    return [
        why
        if not isinstance(why, Unseen) or max(alike.values()) < 2
        else replace(why, around=near(state, seat, _walked_to(actions)))
        for why, actions in zip(found, turns, strict=True)
    ]


def _walked_to(actions: Sequence[Action]) -> int:
    return next(INDEX[action.place] for action in actions if isinstance(action, do.Go))


def _reason(state: State, seat: Seat, actions: Sequence[Action], prospects: Lazy) -> Why:
    toward = None
    for action in actions:
        match action:
            case do.Return(fire=name) | do.Second(fire=name):
                return _at_fire(state, seat, INDEX[name], prospects)
            case do.Go(place=name) if (state.down & ~state.mover.looked) >> INDEX[name] & 1:
                return _unseen(state, seat, INDEX[name], prospects)
            case do.Lead() | do.Go() if state.turn.phase == Phase.MOVE:
                state = flow.play(state, action).state
                if isinstance(action, do.Go):
                    toward = _toward(state, seat, INDEX[action.place], prospects)
                    if state.turn.phase == Phase.MOVE:
                        break
            case do.Take(column=column) | do.Forage(column=column):
                return _taken(state, action, box.COLUMNS.index(column), toward)
            case do.Build():
                return _built(state, seat, action)
            case do.Food() if state.turn.phase == Phase.ACTION:
                store = (state.mover.food, state.mover.capacity)
                return Deed(do="food", store=store, toward=toward)
            case do.Keep(pieces=pieces) if state.turn.phase == Phase.KEEP:
                bags = sum(box.GAME[box.GAME_INDEX[piece]].bags for piece in pieces)
                return Deed(do="keep", bags=bags)
            case do.Hold() | do.Drop() if state.turn.phase == Phase.BASKET:
                return Deed(do=str(action.__struct_config__.tag))
            case do.Pass() | do.Hunt() if state.turn.phase == Phase.ACTION:
                return Deed(do=str(action.__struct_config__.tag), toward=toward)
            case _:
                break
    return Deed(do="go", toward=toward) if toward else None


def _unseen(state: State, seat: Seat, place: int, prospects: Lazy) -> Unseen:
    player, beside = state.players[seat], LAND[place] & state.open_land
    unseen = names(beside & state.down & ~player.looked)
    return Unseen(
        through=_through(state, place),
        unseen=unseen,
        fires=names(beside & state.fires) if player.held else (),
        toward=None if unseen else _toward(state, seat, place, prospects),
        objective=_for_objective(state, seat, place, box.HUT + box.FOREST + box.FIRE),
        shore=bool(SHORE >> place & 1) and player.has("fishing_net"),
    )


def _through(state: State, place: int) -> tuple[str, ...]:
    """The places that a walk of the explorer to move, one of the shortest, passes on its way."""
    turn = state.turn
    explorer = 0 if turn.explorer == NO_EXPLORER else turn.explorer
    rings = options.rings(state, state.mover.explorers[explorer], state.mover.steps)
    passed: list[int] = []
    for ring in reversed(rings[1 : next(n for n, ring in enumerate(rings) if ring >> place & 1)]):
        last = passed[0] if passed else place
        passed.insert(0, members(ring & options.rings(state, last, 1)[1])[0])
    return tuple(NAMES[each] for each in passed)


def _at_fire(state: State, seat: Seat, fire: int, prospects: Lazy) -> AtFire:
    count = near(state, seat, fire)
    toward = _toward(state, seat, fire, prospects)
    there = toward is not None and (toward[1] != "down" or not count)
    return AtFire(near=count, toward=toward if there else None)


def _toward(state: State, seat: Seat, place: int, prospects: Lazy) -> Toward:
    """None towards land without a tile."""
    _, there = prospects().goal(place)
    if there == place:
        return None
    steps = distances(place, state.open_land)[there]
    if (state.down & ~state.players[seat].looked) >> there & 1:
        return NAMES[there], "down", steps
    tile = "village" if state.huts_at(there) else box.KINDS.get(state.tiles[there], "")
    return (NAMES[there], tile, steps) if tile else None


def _taken(state: State, action: do.Take | do.Forage, number: int, toward: Toward) -> Deed:
    place = INDEX[action.place] if isinstance(action, do.Forage) else state.here
    column = state.mover.columns[number]
    kept = column_kind(column) in ("", state.tiles[place])
    there = len(column) if kept else 0
    lost = len(column) - there
    return Deed(do="take", lacking=box.SPACES - there - 1, lost=lost, toward=toward)


def _built(state: State, seat: Seat, action: Action) -> Deed:
    place, after = state.here, flow.play(state, action).state
    own, *others = (after.players[n].huts.count(place) for n in state.in_order(seat))
    objective = state.players[seat].objective
    before, then = (
        (len(at.players[seat].huts), majorities(at)[seat], objective_value(at, seat, objective))
        for at in (state, after)
    )
    points = tuple(new - old for old, new in zip(before, then, strict=True))
    return Deed(do="build", place=NAMES[place], points=points, ahead=own - max(others))


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
