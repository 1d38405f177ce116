"""The legal actions of the seat that is asked, by phase, and the amounts they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from typing import Final

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
    NO_TILE,
    STARTING_IDS,
    VP_CARDS,
)
from engine.fire_and_stone.map import NAMES, members
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
    Player,
    State,
    column_kind,
    columns_for,
)
from engine.protocol import Seat

RULES: Final = {
    RANK: "F§3.13",
    SECOND: "F§8.3",
    MOVE: "F§5",
    ACTION: "F§6",
    KEEP: "F§7.2",
    RETURN: "F§7.11",
    EMBER: "F§10",
    CARD: "F§9.6",
    BASKET: "F§10",
    LOOK: "F§12.8",
    ARRANGE: "F§12",
    TUNNEL: "F§12.10",
    COUNCIL: "F§12",
}
"""The section that asks for the decision of each phase."""


class Choices:
    """The legal actions of the seat to move, made when asked for."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __iter__(self) -> Iterator[Action]:
        return iter(options(self._state))

    def __contains__(self, action: object) -> bool:
        return action in options(self._state)


class Rankings:
    """The rankings a seat may hand in: all but the one it has handed in (F§3.13)."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State, seat: Seat) -> None:
        self._state = state
        self._seat = seat

    def __iter__(self) -> Iterator[Action]:
        handed_in = self._state.rankings[self._seat]
        for cards in permutations(self._state.starting):
            if cards != handed_in:
                yield do.Rank(cards=cards)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, do.Rank) and action in list(self)


def options(state: State) -> list[Action]:
    """Every legal action of the seat to move; never more than 60 (F§16.6)."""
    of_phase = _OF_PHASE.get(state.turn.phase)
    return of_phase(state) if of_phase else []


def reach(state: State, explorer: int) -> int:
    """The set of territories where this explorer's move can end (F§5)."""
    player = state.mover
    start = player.explorers[explorer]
    by_sea = state.rules == "ice_bridges" or player.has("boats")
    cave = state.cave_place if state.rules == "hidden_passage" else -1
    rings = land.rings(start, player.steps, state.open_land, by_sea, cave)
    found = 0
    for ring in rings[1:]:
        found |= ring
    return found | 1 << start if player.has("fur_boots") else found


def hut_cost(state: State, place: int) -> int:
    """The food that a hut in this village costs the seat to move (F§7.12, F§10.5)."""
    cost = state.huts_at(place) - state.mover.has("mud_bricks")
    cost -= state.rules == "clay_pit" and land.REGION[place] == 2
    return max(0, cost)


def empty_food(state: State, place: int) -> int:
    """The food of an empty territory (F§6.5)."""
    if state.rules == "lean_winter" and land.REGION[place] == 1:
        return 0
    return 2 if state.rules == "generous_land" else 1


def leaving_food(state: State, place: int) -> int:
    """The food for leaving a gathering tile (F§7.7)."""
    if state.rules == "lean_winter" and land.REGION[place] == 1:
        return 1
    return 3 if state.rules == "wild_orchard" and land.REGION[place] == 2 else 2


def return_fires(state: State) -> int:
    """The set of fires that the explorer in progress may return to (F§7.11)."""
    if state.mover.has("trail_markers"):
        return state.fires & state.open_land
    return state.fires & land.IN_REGION[land.REGION[state.here]]


def second_fires(state: State) -> int:
    """The set of fires that the second explorer may be put at (F§8.3)."""
    region = land.REGION[state.mover.explorers[0]]
    return state.second_fires & land.IN_REGION[region]


def lookable(state: State) -> int:
    """The set of territories that may be named for a look now (F§12.8)."""
    area = land.IN_REGION[2] if state.rules == "earthquake" else state.open_land
    found = state.down & area
    for place in state.turn.named:
        found &= ~(1 << place)
    return found


def tunnel_targets(state: State) -> int:
    """The set of territories that a Collapsed Tunnel may lead to (F§12.10)."""
    return state.down & (land.IN_REGION[1] | land.IN_REGION[2])


def buyable(state: State, without: str = "") -> list[str]:
    """The inventions of the row that the seat to move may take, as if without one of its own."""
    own = [card for card in state.mover.inventions if card != without]
    return [card for card in dict.fromkeys(state.row) if card not in own]


def _rank(state: State) -> list[Action]:
    return list(Rankings(state, state.turn.seat))


def _second(state: State) -> list[Action]:
    return [do.Second(fire=NAMES[place]) for place in members(second_fires(state))]


def _move(state: State) -> list[Action]:
    turn = state.turn
    if turn.explorer == NO_EXPLORER:
        return [do.Lead(explorer=n + 1) for n in range(len(state.mover.explorers))]
    return [do.Go(place=NAMES[place]) for place in members(reach(state, turn.explorer))]


def _action(state: State) -> list[Action]:
    if state.turn.pieces:
        return _cooking(state)
    place, player = state.here, state.mover
    tile = state.tiles[place]
    found: list[Action] = []
    if tile == FOREST:
        forest = state.forest_at(place)
        if forest is not None and forest.tiles:
            found.append(do.Hunt())
    elif tile == FIRE or land.PRINTED >> place & 1:
        found += _cooking(state)
    elif tile in GATHERING:
        found += [do.Take(column=COLUMNS[c]) for c in columns_for(player, tile)]
        found.append(do.Food())
    elif tile == CAVE:
        found += _OF_CAVE.get(state.cave, _nothing)(state)
    elif tile == NO_TILE:
        found += _on_land(state, place, player)
    found.append(do.Pass())
    return found


def _on_land(state: State, place: int, player: Player) -> list[Action]:
    """In a village, or on an empty food territory."""
    if state.huts_at(place):
        return [do.Build()] if player.huts_left and hut_cost(state, place) <= player.food else []
    found: list[Action] = []
    # The published rule: to gain it there must be room for it.
    if empty_food(state, place) and player.space > 0:
        found.append(do.Food())
    if player.has("foraging_lore"):
        for near in members(land.LAND[place] & state.open_land & ~state.down):
            if state.tiles[near] in GATHERING:
                columns = columns_for(player, state.tiles[near])
                found += [do.Forage(place=NAMES[near], column=COLUMNS[c]) for c in columns]
    return found


def _cooking(state: State) -> list[Action]:
    """A piece to be named, and, once one is, the end of it (F§16.7)."""
    held = list(state.mover.held)
    for piece in state.turn.pieces:
        held.remove(piece)
    found: list[Action] = [do.Piece(piece=GAME[piece].id) for piece in dict.fromkeys(held)]
    if state.turn.pieces:
        found.append(do.Done())
    return found


def _ember(state: State) -> list[Action]:
    found = _cooking(state)
    return found if state.turn.pieces else [*found, do.Pass()]


def _keep(state: State) -> list[Action]:
    forest = state.forest_at(state.here)
    assert forest is not None
    two = state.rules == "tracking_pack" and land.REGION[forest.place] == 2
    sets = [(piece,) for piece in dict.fromkeys(forest.tiles)]
    found = [tuple(sorted(each)) for each in (combinations(forest.tiles, 2) if two else ())]
    return [
        do.Keep(pieces=tuple([GAME[piece].id for piece in pieces]))
        for pieces in (*sets, *dict.fromkeys(found))
    ]


def _return(state: State) -> list[Action]:
    return [do.Return(fire=NAMES[place]) for place in members(return_fires(state))]


def _card(state: State) -> list[Action]:
    found: list[Action] = [do.Invent(card=card) for card in buyable(state)]
    if state.vp_taken < len(VP_CARDS):
        found += [do.Score(covers=card) for card in state.mover.uncovered]
    return [*found, do.Decline()]


def _basket(state: State) -> list[Action]:
    return [do.Hold(), do.Drop()]


def _look(state: State) -> list[Action]:
    found: list[Action] = []
    if len(state.turn.named) < state.turn.most_named:
        found += [do.Name(place=NAMES[place]) for place in members(lookable(state))]
    return [*found, do.Look()]


def _arrange(state: State) -> list[Action]:
    named = sorted(state.turn.named)
    tiles = [KINDS[state.tiles[place]] for place in named]
    return [do.Arrange(tiles=each) for each in dict.fromkeys(permutations(tiles))]


def _tunnel(state: State) -> list[Action]:
    return [do.Go(place=NAMES[place]) for place in members(tunnel_targets(state))]


def _council(state: State) -> list[Action]:
    return [*(do.Swap(objective=each) for each in state.undealt), do.Hold()]


_OF_PHASE: dict[str, Callable[[State], list[Action]]] = {
    RANK: _rank,
    SECOND: _second,
    MOVE: _move,
    ACTION: _action,
    KEEP: _keep,
    RETURN: _return,
    EMBER: _ember,
    CARD: _card,
    BASKET: _basket,
    LOOK: _look,
    ARRANGE: _arrange,
    TUNNEL: _tunnel,
    COUNCIL: _council,
}
assert OVER not in _OF_PHASE


# Actions on the cave (F§12)


def _nothing(state: State) -> list[Action]:
    """No action: the card has none (F§7.15)."""
    return []


def _use(state: State) -> list[Action]:
    return [do.Use()]


def _once(state: State) -> list[Action]:
    return [do.Use()] if state.mover.marker else []


def _eden(state: State) -> list[Action]:
    room = state.mover.space >= state.huts_at(state.here)
    return [do.Build()] if state.mover.huts_left and room else []


def _mound(state: State) -> list[Action]:
    affordable = hut_cost(state, state.here) <= state.mover.food
    return [do.Build()] if state.mover.huts_left and affordable else []


def _vein(state: State) -> list[Action]:
    if state.mover.food < 2:
        return []
    return [do.Invent(card=card) for card in buyable(state)]


def _stone(state: State) -> list[Action]:
    return [
        do.Discard(column=COLUMNS[number])
        for number, column in enumerate(state.mover.columns)
        if column_kind(column)
    ]


def _barter(state: State) -> list[Action]:
    return [
        do.Barter(given=given, taken=taken)
        for given in state.mover.uncovered
        if given not in STARTING_IDS
        for taken in buyable(state, given)
        if taken != given
    ]


def _elders(state: State) -> list[Action]:
    return [do.Use()] if state.mover.food >= 1 else []


_OF_CAVE: dict[str, Callable[[State], list[Action]]] = {
    "garden_of_eden": _eden,
    "hidden_spring": _use,
    "painted_walls": _once,
    "flint_vein": _vein,
    "hearth_hall": _cooking,
    "lookout": _use,
    "shaman_stone": _stone,
    "burial_mound": _mound,
    "barter_stone": _barter,
    "long_pilgrimage": _once,
    "council_of_elders": _elders,
}
