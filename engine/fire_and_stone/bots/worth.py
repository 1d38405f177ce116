"""The worth of a position to a seat, in points, by what it knows.

Nothing here looks at what lies face down, so that suggestions betray nothing: chances come from
public counts.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.fire_and_stone import map as land
from engine.fire_and_stone.components import (
    CACHE,
    CAVE,
    END_AT,
    FIRE,
    FOREST,
    GAME,
    GATHERING,
    HUT,
    NO_TILE,
    SPACES,
    VP_CARDS,
)
from engine.fire_and_stone.map import members
from engine.fire_and_stone.options import hut_cost
from engine.fire_and_stone.scoring import known_points, majority_value, objective_value
from engine.fire_and_stone.state import NOBODY, Player, State, column_kind, columns_for
from engine.protocol import Seat

CARD_WORTH: Final = {
    "clay_pots": 2.2,
    "fishing_net": 1.6,
    "smoke_rack": 1.8,
    "boats": 0.8,
    "transport_sled": 2.4,
    "trail_markers": 1.4,
    "mud_bricks": 2.6,
    "ember_carrier": 1.2,
    "digging_stick": 1.2,
    "woven_basket": 1.6,
    "foraging_lore": 1.2,
    "throwing_spear": 1.2,
    "fur_boots": 1.2,
    "bone_needle": 1.6,
    "gourd": 1.4,
}
"""An invention for the whole of a game; its instant effect is counted as what it gives."""
_FOOD: Final = 0.42
_FOOD_BEYOND: Final = 0.2
"""Food beyond ENOUGH."""
_ENOUGH: Final = 6
_BAG: Final = 0.45
_HELD: Final = 0.75
"""A game tile not cooked yet, against its food and bags."""
_LONG: Final = 14.0
"""Own turns left at the beginning."""
_TILES: Final = (0.0, 0.5, 1.35, 2.6)
"""A column by its number of tiles."""
_LATER: Final = 0.75
"""What is a turn farther away."""
_NEXT: Final = 0.55
"""What an explorer could do in its next move, against what is done."""


def turns_left(state: State) -> float:
    """About how many turns the seat to move has left."""
    if state.turns_left != NOBODY:
        return (state.turns_left + 1) / len(state.players)
    huts = max(len(player.huts) for player in state.players)
    return max(2.0, min((END_AT - state.track) * 4.2 / len(state.players) + 2, 22.0 - huts))


def worth(state: State, seat: Seat, left: float) -> float:
    """The worth of what a seat has with so many turns left: points, and what may become points."""
    player = state.players[seat]
    later, soon = min(1.0, left / _LONG), min(1.0, left / 3)
    points = known_points(player) + _majorities(state, seat)
    points += objective_value(state, seat, player.objective)
    points += soon * food_worth(player.food) + later * _BAG * min(player.bags, 6)
    points += sum(_held_worth(tile, soon, later) for tile in player.held)
    for column in player.columns:
        points += soon * _TILES[min(len(column), SPACES)] * (1 if column_kind(column) else 0.6)
    for card in player.uncovered:
        points += later * CARD_WORTH[card]
    return points


def food_worth(food: int) -> float:
    """The worth of so much food in store."""
    return min(food, _ENOUGH) * _FOOD + max(0, food - _ENOUGH) * _FOOD_BEYOND


def _held_worth(tile: int, soon: float, later: float) -> float:
    """The worth of a game tile that may be cooked."""
    return soon * _HELD * (GAME[tile].food * 0.33 + GAME[tile].bags * _BAG * later)


def _majorities(state: State, seat: Seat) -> float:
    """Villages by who has most huts in them, ties and near misses counting for something."""
    points = 0.0
    for place in set(state.players[seat].huts):
        own = state.players[seat].huts.count(place)
        most = max(p.huts.count(place) for n, p in enumerate(state.players) if n != seat)
        share = 1.0 if own > most + 1 else 0.85 if own > most else 0.25 if own == most else 0.05
        points += share * majority_value(state, place)
    return points


def unseen(state: State, seat: Seat, region: int) -> Counter[str]:
    """The tiles that lie face down in a region and that a seat has not looked at: public counts, in
    an order that does not tell where they lie.
    """
    places = state.down & ~state.players[seat].looked & land.IN_REGION[region]
    return Counter(sorted(state.tiles[place] for place in members(places)))


class Prospects:
    """What a seat could do by ending a move somewhere, roughly, in a position."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state = state
        self._seat = seat
        self._left = turns_left(state)
        self._hidden = [self._down(region) for region in range(4)]
        self._values: dict[int, float] = {}

    def _down(self, region: int) -> float:
        """The value of turning a tile over."""
        tiles = unseen(self._state, self._seat, region)
        total = sum(tiles.values())
        return sum(n * self.of_kind(kind) for kind, n in tiles.items()) / total if total else 0.0

    def of_kind(self, kind: str) -> float:
        """The value of a tile of this kind, found."""
        player = self._state.players[self._seat]
        if kind == HUT:
            return 2.2 if player.huts_left else 0.0
        if kind == FIRE:
            return 1.0 + self._cooking(player)
        if kind == FOREST:
            return 1.0
        if kind == CACHE:
            return 0.8
        if kind == CAVE:
            return 1.0
        return self._gathering(player, kind)

    def _gathering(self, player: Player, kind: str) -> float:
        number = columns_for(player, kind)[0]
        column = player.columns[number]
        count = len(column) if column_kind(column) in ("", kind) else 0
        count %= SPACES  # a full column is about to be discarded
        value = _TILES[count + 1] - _TILES[count] - (0.4 if not count and column else 0)
        return max(value, min(2, player.space) * _FOOD * 0.9)

    def _cooking(self, player: Player) -> float:
        """The best of cooking the richest in bags first, one more each time."""
        soon, later = min(1.0, self._left / 3), min(1.0, self._left / _LONG)
        best, gained, food, room = 0.0, 0.0, player.food, player.capacity
        for tile in sorted(player.held, key=lambda n: (-GAME[n].bags, -GAME[n].food)):
            room += GAME[tile].bags
            food = min(room, food + GAME[tile].food)
            gained += later * _BAG * GAME[tile].bags - _held_worth(tile, soon, later)
            best = max(best, gained + soon * (food_worth(food) - food_worth(player.food)))
        return best

    def at(self, place: int) -> float:
        """The value of ending a move in a territory."""
        found = self._values.get(place)
        if found is None:
            found = self._values[place] = self._at(place)
        return found

    def _at(self, place: int) -> float:
        state, player = self._state, self._state.players[self._seat]
        if state.down >> place & 1:
            if player.looked >> place & 1:
                return self.of_kind(state.tiles[place])
            return self._hidden[land.REGION[place]]
        tile = state.tiles[place]
        if tile == FOREST:
            forest = state.forest_at(place)
            return 0.9 if forest is not None and forest.tiles else 0.0
        if tile == FIRE or land.PRINTED >> place & 1:
            return self._cooking(player)
        if tile in GATHERING:
            return self._gathering(player, tile)
        if tile == NO_TILE and state.huts_at(place):
            return self._village(place, player)
        if tile == CAVE:
            return 0.7
        return _FOOD * 0.8 if player.space else 0.0

    def _village(self, place: int, player: Player) -> float:
        """Building a hut: its point, the majority, less the food."""
        state = self._state
        cost = hut_cost(state, place) if state.turn.seat == self._seat else state.huts_at(place)
        if not player.huts_left or cost > player.food:
            return 0.0
        own = player.huts.count(place)
        most = max(p.huts.count(place) for n, p in enumerate(state.players) if n != self._seat)
        gain = 1.0 if own <= most < own + 1 else 0.4 if own + 1 == most else 0.15
        return 1.0 + gain * majority_value(state, place) - cost * _FOOD

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to, later being less."""
        player, open_ = self._state.players[self._seat], self._state.open_land
        steps = land.distances(place, open_)
        best = 0.0
        for there in members(open_ & ~(1 << place)):
            value = self.at(there)
            if value > best:
                best = max(best, value * _LATER ** ((steps[there] - 1) // player.steps))
        return best


class Judging:
    """The worth of positions to a seat, as a turn begins: how long the game will go on, and what
    its explorers could come to from where they stand, are taken from there.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.prospects = Prospects(state, seat)
        self._left = turns_left(state)
        self._share = _NEXT * min(1.0, self._left / 2)
        self._ahead: dict[int, float] = {}

    def __call__(self, state: State, seat: Seat) -> float:
        ahead = sum(self.ahead(place) for place in state.players[seat].explorers)
        return worth(state, seat, self._left) + self._share * ahead

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to."""
        found = self._ahead.get(place)
        if found is None:
            found = self._ahead[place] = self.prospects.ahead(place)
        return found


class Nearness:
    """The worth of positions to a seat, and a little for standing near what lies face down."""

    def __init__(self, state: State) -> None:
        self._left = turns_left(state)

    def __call__(self, state: State, seat: Seat) -> float:
        player, open_ = state.players[seat], state.open_land
        near = 0.0
        for place in player.explorers:
            steps = land.distances(place, open_)
            near -= 0.03 * min((steps[there] for there in members(state.down & open_)), default=0)
        return worth(state, seat, self._left) + near


def vp_card(state: State) -> int:
    """The value of the top VP card, 0 if there is none."""
    return VP_CARDS[state.vp_taken] if state.vp_taken < len(VP_CARDS) else 0
