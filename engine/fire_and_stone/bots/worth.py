"""The worth of a position to a seat, in points, by what it knows.

Nothing here looks at what lies face down, so that suggestions betray nothing: chances come from
public counts.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import members
from engine.fire_and_stone.options import hut_cost
from engine.fire_and_stone.scoring import known_points, majorities, majority_value, objective_value
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
_FOOD: Final = 0.25
_FOOD_BEYOND: Final = 0.2
"""Food beyond ENOUGH."""
_ENOUGH: Final = 6
_BAG: Final = 0.3
_BAGS: Final = 6
"""As many bags as are of use."""
CARDS = 0.4
_HELD: Final = 0.55
"""A game tile not cooked yet, against its food and bags."""
_LONG: Final = 14.0
"""Own turns left at the beginning."""
_TILES: Final = (0.0, 0.25, 0.6, 1.0)
"""A column by its number of tiles."""
HUNT: Final = 1.0
LOOK: Final = 0.3
UNKNOWN_CAVE: Final = 1.0
"""What is hidden, on average: game tiles, tiles looked at, the cave card."""
_LATER: Final = 0.75
"""What is a turn farther away."""
_NEXT: Final = 0.2
"""What an explorer could do in its next move, against what is done."""
_RIVAL: Final = 0.6
"""A point of the other, or, of several, of the strongest, shared among them."""
_GOOD: Final = 0.25
"""A piece of food, a bag, a game tile, a tile in a column."""
_CARD: Final = 0.6
"""An invention whose effect works."""
_STEP: Final = 0.03
"""A step away from what lies face down."""


def turns_left(state: State) -> float:
    """About how many turns the seat to move has left."""
    if state.turns_left != NOBODY:
        return (state.turns_left + 1) / len(state.players)
    huts = max(len(player.huts) for player in state.players)
    return max(2.0, min((box.END_AT - state.track) * 4.2 / len(state.players) + 2, 22.0 - huts))


def _shares(left: float) -> tuple[float, float]:
    """The shares that count of what is of use soon, and of what is of use for long."""
    return min(1.0, left / 3), min(1.0, left / _LONG)


def at_once(state: State, seat: Seat) -> float:
    """The points that a seat has at once, and a little for goods and for standing near what lies
    face down.
    """
    player, open_ = state.players[seat], state.open_land
    goods = player.food + player.bags + len(player.held) + sum(map(len, player.columns))
    points: float = known_points(player) + majorities(state)[seat]
    points += objective_value(state, seat, player.objective)
    for place in player.explorers:
        steps = land.distances(place, open_)
        near = min((steps[there] for there in members(state.down & open_)), default=0)
        points -= _STEP * near
    return points + _GOOD * goods + _CARD * len(player.uncovered)


def _column_worth(column: str) -> float:
    return _TILES[min(len(column), box.SPACES)] * (1.0 if column_kind(column) else 0.6)


def food_worth(food: int) -> float:
    """The worth of so much food in store."""
    return min(food, _ENOUGH) * _FOOD + max(0, food - _ENOUGH) * _FOOD_BEYOND


def _held_worth(tile: int, soon: float, later: float) -> float:
    """The worth of a game tile that may be cooked."""
    return soon * _HELD * (box.GAME[tile].food * 0.33 + box.GAME[tile].bags * _BAG * later)


def _share(own: int, most: int) -> float:
    """The share of a majority that counts, with so many huts and as many as the strongest other."""
    if not own:
        return 0.0
    if own > most:
        return 1.0 if own > most + 1 else 0.85
    return 0.25 if own == most else 0.05


def unseen(state: State, seat: Seat, region: int) -> Counter[str]:
    """The tiles that lie face down in a region and that a seat has not looked at: public counts, in
    an order that does not tell where they lie.
    """
    places = state.down & ~state.players[seat].looked & land.IN_REGION[region]
    return Counter(sorted(state.tiles[place] for place in members(places)))


class Prospects:
    """The gains that a seat could come to by ending a move somewhere, roughly."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state = state
        self._seat = seat
        self._player = state.players[seat]
        left = turns_left(state)
        self._soon, self._later = _shares(left)
        self._card = self._best_card(self._player)
        self._hidden = [self._down(region) for region in range(4)]
        self._values: dict[int, float] = {}

    def _down(self, region: int) -> float:
        """The value of turning a tile over."""
        tiles = unseen(self._state, self._seat, region)
        total = sum(tiles.values())
        return sum(n * self.of_kind(kind) for kind, n in tiles.items()) / total if total else 0.0

    def of_kind(self, kind: str) -> float:
        """The value of a tile of this kind, found."""
        player = self._player
        if kind == box.HUT:
            return 1.0 + _share(1, 0) if player.huts_left else 0.0
        if kind == box.FIRE:
            return 1.0 + self._cooking(player)
        if kind == box.FOREST:
            return HUNT
        if kind == box.CACHE:
            bag = self._later * _BAG if player.bags < _BAGS else 0.0
            return bag + self._food(player, 1, more_room=1)
        if kind == box.CAVE:
            return UNKNOWN_CAVE
        return max(self._gathering(player, kind), self._food(player, 2))

    def _food(self, player: Player, number: int, *, more_room: int = 0) -> float:
        """The value of gaining food."""
        food = min(player.capacity + more_room, player.food + number)
        return self._soon * (food_worth(food) - food_worth(player.food))

    def _gathering(self, player: Player, kind: str) -> float:
        """The value of taking a tile: of the longer column, or the card."""
        column = player.columns[columns_for(player, kind)[0]]
        before = _column_worth(column)
        kept = column if column_kind(column) in ("", kind) else ""
        count = len(kept) % box.SPACES + 1  # a full column is about to be discarded
        if count < box.SPACES:
            return self._soon * (_TILES[count] - before)
        return self._card - self._soon * before

    def _best_card(self, player: Player) -> float:
        """The value of the best card that a full column brings."""
        row = [CARD_WORTH[card] for card in self._state.row if card not in player.inventions]
        best = CARDS * self._later * max(row, default=0.0)
        if player.uncovered:
            least = min(CARD_WORTH[card] for card in player.uncovered)
            best = max(best, vp_card(self._state) - CARDS * self._later * least)
        return best

    def _cooking(self, player: Player) -> float:
        """The best of cooking the richest in bags first, one more each time."""
        soon, later = self._soon, self._later
        best, gained, food, room = 0.0, 0.0, player.food, player.capacity
        for tile in sorted(player.held, key=lambda n: (-box.GAME[n].bags, -box.GAME[n].food)):
            room += box.GAME[tile].bags
            food = min(room, food + box.GAME[tile].food)
            gained += later * _BAG * box.GAME[tile].bags - _held_worth(tile, soon, later)
            best = max(best, gained + soon * (food_worth(food) - food_worth(player.food)))
        return best

    def at(self, place: int) -> float:
        """The value of ending a move in a territory."""
        if place not in self._values:
            self._values[place] = self._at(place)
        return self._values[place]

    def _at(self, place: int) -> float:
        state, player = self._state, self._state.players[self._seat]
        if state.down >> place & 1:
            if player.looked >> place & 1:
                return self.of_kind(state.tiles[place])
            return self._hidden[land.REGION[place]]
        tile = state.tiles[place]
        if tile == box.FOREST:
            forest = state.forest_at(place)
            return HUNT if forest is not None and forest.tiles else 0.0
        if tile == box.FIRE or land.PRINTED >> place & 1:
            return self._cooking(player)
        if tile in box.GATHERING:
            return max(self._gathering(player, tile), self._food(player, 2))
        if tile == box.NO_TILE and state.huts_at(place):
            return self._village(place, player)
        if tile == box.CAVE:
            return 0.7 * self._soon
        return self._food(player, 1)

    def _village(self, place: int, player: Player) -> float:
        """Building a hut: its point, the majority, less the food."""
        state = self._state
        cost = hut_cost(state, place) if state.turn.seat == self._seat else state.huts_at(place)
        if not player.huts_left or cost > player.food:
            return 0.0
        own = player.huts.count(place)
        most = max(p.huts.count(place) for n, p in enumerate(state.players) if n != self._seat)
        gain = (_share(own + 1, most) - _share(own, most)) * majority_value(state, place)
        return max(0.0, 1.0 + gain + self._food(player, -cost))

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to, later being less."""
        player, open_ = self._state.players[self._seat], self._state.open_land
        steps = land.distances(place, open_)
        best = 0.0
        for there in members(open_ & ~(1 << place)):
            if (value := self.at(there)) > best:
                best = max(best, value * _LATER ** ((steps[there] - 1) // player.steps))
        return best


class Judging:
    """The worth of positions to a seat: its points against those of the strongest other, and what
    its explorers could come to from where they stand, as the map lay when the turn began.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.prospects = Prospects(state, seat)
        self._ahead: dict[int, float] = {}

    def __call__(self, state: State, seat: Seat) -> float:
        ahead = sum(self.ahead(place) for place in state.players[seat].explorers)
        points = majorities(state)
        rivals = (
            known_points(player) + points[other]
            for other, player in enumerate(state.players)
            if other != seat
        )
        share = _RIVAL / (len(state.players) - 1)
        return at_once(state, seat) + _NEXT * ahead - share * max(rivals)

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to."""
        if place not in self._ahead:
            self._ahead[place] = self.prospects.ahead(place)
        return self._ahead[place]


def vp_card(state: State) -> int:
    """The value of the top VP card, 0 if there is none."""
    return box.VP_CARDS[state.vp_taken] if state.vp_taken < len(box.VP_CARDS) else 0
