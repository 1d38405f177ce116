"""The worth of a position to a seat, in points, by what it knows.

Nothing here looks at what lies face down, so that suggestions betray nothing: chances come from
public counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import members
from engine.fire_and_stone.options import hut_cost
from engine.fire_and_stone.scoring import (
    known_points,
    majorities,
    majority_value,
    objective_value,
    score,
)
from engine.fire_and_stone.state import NOBODY, Player, State, column_kind, columns_for
from engine.protocol import Seat

_CARDS_OF: Final = {
    2.6: "mud_bricks",
    2.4: "transport_sled",
    2.2: "clay_pots",
    1.8: "smoke_rack",
    1.6: "fishing_net woven_basket bone_needle",
    1.4: "trail_markers gourd",
    1.2: "ember_carrier digging_stick foraging_lore throwing_spear fur_boots",
    0.8: "boats",
}
CARD_WORTH: Final = {card: worth for worth, of in _CARDS_OF.items() for card in of.split()}
"""An invention for the whole of a game; its instant effect is counted as what it gives."""
_FOOD: Final = 0.24
_FOOD_BEYOND: Final = 0.05
"""Food that there are huts or moves for, and food beyond that."""
_SPENT: Final = 0.8
"""Food that is spent in a move."""
_BAG: Final = 0.35
_BAGS: Final = 6
"""As many bags as are of use."""
CARDS: Final = 0.4
_ANY: Final = 1.6
"""An invention that is not known yet."""
_HELD: Final = 0.65
_COOKED: Final = 6
"""A game tile not cooked yet, against its food and bags, and the moves in which it surely is."""
_LONG: Final = 14.0
"""Own turns left in which a bag or an invention is worth all of it."""
_TILE: Final = 0.45
_PACE: Final = 3.0
"""A tile lacking in a column, in points and in moves."""
HUNT: Final = 0.3
LOOK: Final = 0.3
FOUND: Final = 0.3
UNKNOWN_CAVE: Final = 1.0
"""What is hidden, on average: game tiles, tiles looked at, any tile, as the game goes on, and the
cave card.
"""
_LATER: Final = 0.75
"""What is a turn farther away."""
_NEXT: Final = 0.4
"""What an explorer could do in its next move, against what is done."""
_RIVAL: Final = {2: 0.6, 3: 0.1, 4: 0.07}
"""A point of the strongest other: of several, the others are glad of it, too."""
_GOOD: Final = 0.25
"""A piece of food, a bag, a game tile, a tile in a column."""
_CARD: Final = 0.6
"""An invention whose effect works."""
_TRIFLE: Final = 0.01
"""What earns no points in a last turn, against what does."""
_WALK: Final = 2
_STEP: Final = 0.03
"""A step away from what lies face down."""


def turns_left(state: State) -> float:
    """About how many turns the seat to move has left, as games of bots went."""
    if state.turns_left != NOBODY:
        return (state.turns_left + 1) / len(state.players)
    a_tile = {2: 2.9, 3: 2.0, 4: 1.7}[len(state.players)]
    huts = box.HUTS - max(len(player.huts) for player in state.players)
    return min((box.END_AT - state.track) * a_tile + 2.5, huts * (0.85 + 0.04 * huts) + 1)


class AtOnce:
    """The points that a seat has at once, and a little for goods and for standing near what lies
    face down.
    """

    hunt = 1.0
    found = FOUND

    def __call__(self, state: State, seat: Seat) -> float:
        player, open_ = state.players[seat], state.open_land
        goods = player.food + player.bags + len(player.held) + sum(map(len, player.columns))
        points: float = score(state, seat)
        for place in player.explorers:
            steps = land.distances(place, open_)
            near = min((steps[there] for there in members(state.down & open_)), default=0)
            points -= _STEP * near
        return points + _GOOD * goods + _CARD * len(player.uncovered)


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


def near(state: State, seat: Seat, fire: int) -> int:
    """The number of places that the seat has not seen and a walk from a fire can lead to."""
    hidden = state.down & ~state.players[seat].looked
    away = land.distances(fire, state.open_land)
    return sum(1 for there in members(hidden) if 0 < away[there] <= _WALK)


def beside(state: State, seat: Seat, place: int) -> int:
    """The number of places beside one that the seat has not seen."""
    hidden = state.down & ~state.players[seat].looked
    return (hidden & land.LAND[place] & state.open_land).bit_count()


class Goods:
    """The points that food, bags, game tiles, columns and inventions come to in the moves that a
    seat has left.
    """

    def __init__(self, state: State) -> None:
        left = turns_left(state)
        self._moves = left * (1 + (state.track >= box.SECOND_AT))
        self._later = min(1.0, left / _LONG)
        self.vp = vp_card(state)
        self.bag = _BAG * self._later
        self.card = CARDS * self._later

    def __call__(self, player: Player) -> float:
        use = min(player.huts_left * 2.0, self._moves * _SPENT)
        food = _FOOD * min(player.food, use) + _FOOD_BEYOND * max(0.0, player.food - use)
        held = sum(self.tile(n) for n in player.held) * _HELD * min(1.0, self._moves / _COOKED)
        bags = self.bag * min(player.bags, _BAGS)
        free = [CARD_WORTH[card] for card in player.uncovered]
        columns = self.columns(player.columns, len(free))
        return food + bags + held + self.card * sum(free) + columns

    def tile(self, n: int) -> float:
        """The worth of a game tile that is cooked in time."""
        return box.GAME[n].food * _FOOD + box.GAME[n].bags * self.bag

    def columns(self, columns: Iterable[str], free: int) -> float:
        """The cards that columns lead to: a VP card for one that can be covered, or an invention,
        and what it lets one cover.
        """
        near, far = sorted(box.SPACES - len(column) for column in columns)
        card = self.card * _ANY
        if free:
            return self._lacking(near, max(self.vp - card, card)) + self._lacking(far, card)
        return self._lacking(near, card) + self._lacking(near + far, self.vp - card)

    def _lacking(self, tiles: int, value: float) -> float:
        """What is worth so much once so many tiles more are taken."""
        return max(0.0, value - _TILE * tiles) * min(1.0, self._moves / (_PACE * tiles + 0.1))


class Prospects:
    """The gains that a seat could come to by ending a move somewhere, roughly."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state = state
        self._seat = seat
        self._player = state.players[seat]
        self.goods = Goods(state)
        self._had = self.goods(self._player)
        self._best = self._best_card()
        self._kinds: dict[str, float] = {}
        self._hidden = [self._down(region) for region in range(4)]
        self._values: dict[int, float] = {}

    def _down(self, region: int) -> float:
        """The value of turning a tile over."""
        tiles = unseen(self._state, self._seat, region)
        total = sum(tiles.values())
        if not total:
            return 0.0
        return FOUND + sum(n * self.of_kind(kind) for kind, n in tiles.items()) / total

    def of_kind(self, kind: str) -> float:
        """The value of a tile of this kind, found."""
        if kind not in self._kinds:
            self._kinds[kind] = self._of_kind(kind)
        return self._kinds[kind]

    def _of_kind(self, kind: str) -> float:
        player = self._player
        if kind == box.HUT:
            return 2.0 if player.huts_left else 0.0
        if kind == box.FIRE:
            return 1.0 + self._cooking(player)
        if kind == box.FOREST:
            return HUNT
        if kind == box.CACHE:
            return self._gain(player, 1, 1)
        if kind == box.CAVE:
            return UNKNOWN_CAVE
        return max(self._gathering(player, kind), self._gain(player, 2))

    def _gain(self, player: Player, food: int, bags: int = 0) -> float:
        """The value of gaining food and bags."""
        food = min(player.capacity + bags, player.food + food)
        return self.goods(replace(player, food=food, bags=player.bags + bags)) - self._had

    def _gathering(self, player: Player, kind: str) -> float:
        """The value of taking a tile: of the longer column, or the card."""
        number = columns_for(player, kind)[0]
        columns = list(player.columns)
        kept = columns[number] if column_kind(columns[number]) in ("", kind) else ""
        columns[number] = f"{kept}{kind}"
        gained = 0.0
        if len(columns[number]) == box.SPACES:
            columns[number] = ""
            gained = self._best
        free = len(player.uncovered)
        return gained + self.goods.columns(columns, free) - self.goods.columns(player.columns, free)

    def _best_card(self) -> float:
        """The value of the best card that a full column brings."""
        player, goods = self._player, self.goods
        row = [CARD_WORTH[card] for card in self._state.row if card not in player.inventions]
        best = goods.card * max(row, default=0.0)
        if player.uncovered:
            least = min(CARD_WORTH[card] for card in player.uncovered)
            best = max(best, goods.vp - goods.card * least)
        return best

    def _cooking(self, player: Player) -> float:
        """The best of cooking the richest in bags first, one more each time."""
        best, food, bags = 0.0, player.food, player.bags
        held = sorted(player.held, key=lambda n: (-box.GAME[n].bags, -box.GAME[n].food))
        while held:
            tile = box.GAME[held.pop(0)]
            bags += tile.bags
            food = min(player.capacity + bags - player.bags, food + tile.food)
            after = replace(player, food=food, bags=bags, held=tuple(held))
            best = max(best, self.goods(after) - self._had)
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
            return self.of_kind(tile)
        if tile == box.NO_TILE and state.huts_at(place):
            return self._village(place, player)
        if tile == box.CAVE:
            return 0.5
        return self._gain(player, 1)

    def _village(self, place: int, player: Player) -> float:
        """Building a hut: its point, the majority, less the food."""
        state = self._state
        cost = hut_cost(state, place) if state.turn.seat == self._seat else state.huts_at(place)
        if not player.huts_left or cost > player.food:
            return 0.0
        own = player.huts.count(place)
        most = max(p.huts.count(place) for n, p in enumerate(state.players) if n != self._seat)
        gain = (_share(own + 1, most) - _share(own, most)) * majority_value(state, place)
        return max(0.0, 1.0 + gain + self._gain(player, -cost))

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to, later being less."""
        return self.goal(place)[0]

    def goal(self, place: int) -> tuple[float, int]:
        """The same, and where that is."""
        player, open_ = self._state.players[self._seat], self._state.open_land
        steps = land.distances(place, open_)
        best = 0.0, place
        for there in members(open_ & ~(1 << place)):
            if (value := self.at(there)) > best[0]:
                best = max(best, (value * _LATER ** ((steps[there] - 1) // player.steps), there))
        return best


class Judging:
    """The worth of positions to a seat: its points against those of the strongest other, what its
    goods come to, and what its explorers could come to from where they stand, as the map lay when
    the turn began.
    """

    hunt = HUNT
    found = FOUND

    def __init__(self, state: State, seat: Seat) -> None:
        self.prospects = Prospects(state, seat)
        self._goods = self.prospects.goods
        self._ahead: dict[int, float] = {}

    def __call__(self, state: State, seat: Seat) -> float:
        player, points = state.players[seat], majorities(state)
        ahead = sum(self.ahead(place) for place in player.explorers)
        own = known_points(player) + points[seat] + objective_value(state, seat, player.objective)
        rivals = (
            known_points(player) + points[other]
            for other, player in enumerate(state.players)
            if other != seat
        )
        share = _RIVAL[len(state.players)]
        value: float = own + self._goods(player) + _NEXT * ahead - share * max(rivals)
        return value

    def ahead(self, place: int) -> float:
        """The best that an explorer standing here could come to."""
        if place not in self._ahead:
            self._ahead[place] = self.prospects.ahead(place)
        return self._ahead[place]


class AtEnd(Judging):
    """The same in a last turn: points, and next to nothing else."""

    hunt = found = 0.0

    def __call__(self, state: State, seat: Seat) -> float:
        return score(state, seat) + _TRIFLE * super().__call__(state, seat)


def vp_card(state: State) -> int:
    """The value of the top VP card, 0 if there is none."""
    return box.VP_CARDS[state.vp_taken] if state.vp_taken < len(box.VP_CARDS) else 0
