"""The legal actions of the seat that is asked, by phase, and the amounts they depend on."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Final, NamedTuple

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import NAMES, members, names
from engine.fire_and_stone.state import NO_EXPLORER, Phase, Player, State, column_kind, columns_for
from engine.protocol import Seat


class Asked(NamedTuple):
    """A phase as it is asked for: the section that does, and the actions that belong to it."""

    rule: str
    actions: tuple[type[Action], ...]


_HERE: Final = (
    *(do.Pass, do.Food, do.Take, do.Forage, do.Hunt, do.Piece, do.Done, do.Build),
    *(do.Invent, do.Use, do.Discard, do.Barter),
)
PHASES: Final = {
    Phase.RANK: Asked("F§3.13", (do.Rank,)),
    Phase.SECOND: Asked("F§8.3", (do.Second,)),
    Phase.MOVE: Asked("F§5", (do.Lead, do.Go)),
    Phase.ACTION: Asked("F§6", _HERE),
    Phase.KEEP: Asked("F§7.2", (do.Keep,)),
    Phase.RETURN: Asked("F§7.11", (do.Return,)),
    Phase.EMBER: Asked("F§10", (do.Pass, do.Piece, do.Done)),
    Phase.CARD: Asked("F§9.6", (do.Invent, do.Score, do.Decline)),
    Phase.BASKET: Asked("F§10", (do.Hold, do.Drop)),
    Phase.LOOK: Asked("F§12.8", (do.Name, do.Look)),
    Phase.ARRANGE: Asked("F§12", (do.Arrange,)),
    Phase.TUNNEL: Asked("F§12.10", (do.Go,)),
    Phase.COUNCIL: Asked("F§12", (do.Swap, do.Hold)),
}


def rankings(state: State, seat: Seat) -> list[Action]:
    """The rankings a seat may hand in: all but the one it has handed in (F§3.13)."""
    handed_in = state.rankings[seat]
    return [do.Rank(cards=cards) for cards in permutations(state.starting) if cards != handed_in]


def options(state: State) -> list[Action]:
    """Every legal action of the seat to move; never more than 60 (F§16.6)."""
    turn = state.turn
    match turn.phase:
        case Phase.ACTION:
            return _actions(state)
        case Phase.MOVE if turn.explorer == NO_EXPLORER:
            return [do.Lead(explorer=n + 1) for n in range(len(state.mover.explorers))]
        case Phase.MOVE:
            return [do.Go(place=name) for name in names(reach(state, turn.explorer))]
        case Phase.RETURN:
            return [do.Return(fire=name) for name in names(return_fires(state))]
        case Phase.SECOND:
            return [do.Second(fire=name) for name in names(second_fires(state))]
        case Phase.KEEP:
            return _keepings(state)
        case Phase.EMBER:
            found = _cooking(state)
            return found if turn.pieces else [*found, do.Pass()]
        case Phase.CARD:
            left = state.vp_taken < len(box.VP_CARDS)
            scores = [do.Score(covers=card) for card in state.mover.uncovered if left]
            return [*(do.Invent(card=card) for card in buyable(state)), *scores, do.Decline()]
        case Phase.BASKET:
            return [do.Hold(), do.Drop()]
        case Phase.LOOK:
            more = lookable(state) if len(turn.named) < turn.most_named else 0
            return [*(do.Name(place=name) for name in names(more)), do.Look()]
        case Phase.ARRANGE:
            tiles = [box.KINDS[state.tiles[place]] for place in sorted(turn.named)]
            return [do.Arrange(tiles=each) for each in dict.fromkeys(permutations(tiles))]
        case Phase.TUNNEL:
            return [do.Go(place=name) for name in names(tunnel_targets(state))]
        case Phase.COUNCIL:
            return [*(do.Swap(objective=each) for each in state.undealt), do.Hold()]
        case Phase.RANK:
            return rankings(state, turn.seat)
    return []


def reach(state: State, explorer: int) -> int:
    """The set of territories where this explorer's move can end (F§5)."""
    player = state.mover
    start, found = player.explorers[explorer], 0
    for ring in rings(state, start, player.steps)[1:]:
        found |= ring
    return found | 1 << start if player.has("fur_boots") else found


def rings(state: State, start: int, steps: int) -> tuple[int, ...]:
    """The sets of territories 0, 1 .. `steps` steps from one, as the seat to move walks (F§5.1)."""
    by_sea = state.rules == "ice_bridges" or state.mover.has("boats")
    cave = state.cave_place if state.rules == "hidden_passage" else -1
    return land.rings(start, steps, state.open_land, by_sea, cave)


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


def _actions(state: State) -> list[Action]:
    """The actions here (F§6), and to take none."""
    if state.turn.pieces:
        return _cooking(state)
    place, player = state.here, state.mover
    tile = state.tiles[place]
    found: list[Action] = []
    if tile == box.FOREST:
        forest = state.forest_at(place)
        if forest is not None and forest.tiles:
            found.append(do.Hunt())
    elif tile == box.FIRE or land.PRINTED >> place & 1:
        found += _cooking(state)
    elif tile in box.GATHERING:
        found += [do.Take(column=box.COLUMNS[c]) for c in columns_for(player, tile)]
        found.append(do.Food())
    elif tile == box.CAVE:
        found += _at_cave(state, player)
    elif tile == box.NO_TILE and state.huts_at(place):
        if player.huts_left and hut_cost(state, place) <= player.food:
            found.append(do.Build())
    elif tile == box.NO_TILE:
        found += _on_empty_land(state, place, player)
    found.append(do.Pass())
    return found


def _on_empty_land(state: State, place: int, player: Player) -> list[Action]:
    """Food, if there is room for it, and what a neighbour has."""
    found: list[Action] = []
    # The published rule: to gain it there must be room for it.
    if empty_food(state, place) and player.space > 0:
        found.append(do.Food())
    if player.has("foraging_lore"):
        for near in members(land.LAND[place] & state.open_land & ~state.down):
            if state.tiles[near] in box.GATHERING:
                columns = columns_for(player, state.tiles[near])
                found += [do.Forage(place=NAMES[near], column=box.COLUMNS[c]) for c in columns]
    return found


def _cooking(state: State) -> list[Action]:
    """A piece to be named, and, once one is, the end of it (F§16.7)."""
    held = list(state.mover.held)
    for piece in state.turn.pieces:
        held.remove(piece)
    found: list[Action] = [do.Piece(piece=box.GAME[piece].id) for piece in dict.fromkeys(held)]
    if state.turn.pieces:
        found.append(do.Done())
    return found


def _keepings(state: State) -> list[Action]:
    """One game tile of those shown, or two with a Tracking Pack."""
    forest = state.forest_here
    two = state.rules == "tracking_pack" and land.REGION[forest.place] == 2
    sets = [(piece,) for piece in dict.fromkeys(forest.tiles)]
    found = [tuple(sorted(each)) for each in (combinations(forest.tiles, 2) if two else ())]
    return [
        do.Keep(pieces=tuple([box.GAME[piece].id for piece in pieces]))
        for pieces in (*sets, *dict.fromkeys(found))
    ]


def _at_cave(state: State, player: Player) -> list[Action]:
    """The action of the cave card (F§12), if it has one."""
    match state.cave:
        case "hidden_spring" | "lookout":
            return [do.Use()]
        case "painted_walls" | "long_pilgrimage":
            return [do.Use()] if player.marker else []
        case "council_of_elders":
            return [do.Use()] if player.food >= 1 else []
        case "garden_of_eden":
            room = player.space >= state.huts_at(state.here)
            return [do.Build()] if player.huts_left and room else []
        case "burial_mound":
            affordable = hut_cost(state, state.here) <= player.food
            return [do.Build()] if player.huts_left and affordable else []
        case "hearth_hall":
            return _cooking(state)
        case "flint_vein":
            return [do.Invent(card=card) for card in buyable(state) if player.food >= 2]
        case "shaman_stone":
            own = [number for number, tiles in enumerate(player.columns) if column_kind(tiles)]
            return [do.Discard(column=box.COLUMNS[number]) for number in own]
        case "barter_stone":
            return [
                do.Barter(given=given, taken=taken)
                for given in player.uncovered
                if given not in box.STARTING_IDS
                for taken in buyable(state, given)
                if taken != given
            ]
    return []  # the card has none (F§7.15)
