"""The position of a match of Fire & Stone: set-up, what is due to whom, and the public state."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.referee.draws import Draws, Wrong
from tests.referee.fire_and_stone_names import (
    BEGINNER,
    COLUMNS,
    EXPERT,
    FOOD_PLACES,
    GATHERING,
    INSTANT,
    LAND,
    OBJECTIVES,
    PIECES,
    PLACES,
    PRINTED,
    REGION,
    SEA,
    SHORE,
    STACKS,
    STARTING,
    VP_CARDS,
    all_inventions,
    all_pieces,
    all_tiles,
)


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise Wrong(f"illegal: {rule}")


@dataclass
class Player:
    objective: str
    vp: int = 0
    food: int = 0
    bags: int = 0
    explorers: list[str] = field(default_factory=lambda: ["cape"])
    waiting: bool = False
    huts: int = 20
    columns: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    inventions: list[list[Any]] = field(default_factory=list)
    """Cards as they were taken, each with the value of the VP card on it or 0."""
    held: list[str] = field(default_factory=list)
    marker: bool = True

    def has(self, card: str) -> bool:
        """Whether the card's effect works: it lies there uncovered (F§9.12)."""
        return [card, 0] in self.inventions

    def uncovered(self) -> list[str]:
        return [card for card, covered in self.inventions if not covered]

    def owns(self, card: str) -> bool:
        """Covered ones block duplicates, too (F§9.10)."""
        return any(card == own for own, _ in self.inventions)

    @property
    def capacity(self) -> int:
        return 2 + self.bags + 2 * self.has("clay_pots")

    def kind(self, column: str) -> str | None:
        """The kind of a column: Sun and Moon have none (F§9.2)."""
        return next((tile for tile in self.columns[column] if tile in GATHERING), None)

    def fitting(self, kind: str) -> list[str]:
        """Columns a tile of this kind may go to (F§9.3-5)."""
        kinds = {name: self.kind(name) for name in COLUMNS}
        own = [name for name in COLUMNS if kinds[name] == kind]
        return own or [name for name in COLUMNS if kinds[name] is None] or list(COLUMNS)


class Position:
    """Everything there is on the table, and what happens to more than one thing on it."""

    def __init__(self, seats: int, options: dict[str, Any], draws: Draws) -> None:
        self.events: list[dict[str, Any]] = []
        self.hidden: dict[str, str] = {}
        for region in STACKS:
            places = [place for place in FOOD_PLACES if REGION[place] == region]
            kinds = draws.shuffled(f"tiles of region {region}", all_tiles(region))
            self.hidden.update(zip(places, kinds, strict=True))
        self.up = dict.fromkeys(PLACES, "")
        pieces = draws.shuffled("game tiles", all_pieces())
        threes = [pieces[at : at + 3] for at in range(0, len(pieces), 3)]
        self.stacks = {1: threes[:3], 2: threes[3:7], 3: threes[7:]}
        caves = BEGINNER if options["cave_level"] == "beginner" else (*BEGINNER, *EXPERT)
        self.cave_card = caves[draws.number("cave card", len(caves))]
        self.cave_known = self.cave_gone = False
        cards = draws.shuffled("inventions", all_inventions())
        self.row, self.pile = cards[:3], cards[3:]
        self.bottom: list[str] = []
        dealt = draws.shuffled("objectives", OBJECTIVES)
        self.players = [Player(objective) for objective in dealt[:seats]]
        self.undealt = dealt[seats:]
        self.starting: list[str] = []
        if options["starting_inventions"]:
            self.starting = draws.shuffled("starting inventions", STARTING)[:seats]
        self.first = options["first"]
        if self.first is None:
            self.first = draws.number("first player", seats)
        for player in self.players:
            for tile, column in (("sun", "light"), ("moon", "dark")):
                if seats == 4 or (seats == 3 and options["start_tile"] == tile):
                    player.columns[column].append(tile)
        self.spaces: list[int] = options["card_spaces"]
        self.plays_forced: bool = options.get("plays_forced", False)
        self.villages: dict[str, list[int]] = {}
        self.forests: dict[str, list[str]] = {}
        self.vp_cards = list(VP_CARDS)
        self.tokens = 24
        self.track = 0
        self.seat: int = self.first
        self.turn = 0
        self.phase = "rank"
        self.explorer: int | None = None
        self.moved: list[int] = []
        self.named: list[str] = []
        self.second_fires: list[str] = []
        self.turns_left: int | None = None
        self.ended_by: int | None = None
        self.net_used = False
        begun = {"first": self.first, "row": list(self.row), "starting": list(self.starting)}
        self.tell("begun", None, **begun)

    def tell(self, name: str, seat: int | None, /, **data: Any) -> None:
        self.events.append({"kind": name, "seat": seat, "data": data})

    def told(self, name: str, /, **data: Any) -> None:
        """Tell of the player whose turn it is."""
        self.tell(name, self.seat, **data)

    @property
    def mover(self) -> Player:
        return self.players[self.seat]

    @property
    def here(self) -> str:
        """The territory of the explorer in progress."""
        assert self.explorer is not None
        return self.mover.explorers[self.explorer - 1]

    @property
    def regions(self) -> int:
        """How many regions are open (F§5.3)."""
        return 1 + (self.track >= 3) + (self.track >= 9)

    def cave_is(self, card: str) -> bool:
        """Whether this card's rule holds (F§12.1)."""
        return self.cave_known and not self.cave_gone and self.cave_card == card

    def order(self) -> list[int]:
        """Seats in turn order from the one whose turn it is."""
        return [(self.seat + k) % len(self.players) for k in range(len(self.players))]

    # What can be reached, and from where

    def is_fire(self, place: str) -> bool:
        """F§7.6, and Hearth Hall."""
        up = self.up[place]
        return place in PRINTED or up == "fire" or (up == "cave" and self.cave_is("hearth_hall"))

    def fires(self, region: int | None = None) -> list[str]:
        """Fires of a region, or of all open ones, in file order."""
        return [
            place
            for place in PLACES
            if self.is_fire(place)
            and (REGION[place] <= self.regions if region is None else REGION[place] == region)
        ]

    def neighbours(self, place: str) -> set[str]:
        """Where one step leads (F§5.1, F§5.4, Hidden Passage)."""
        found = set(LAND[place])
        if self.mover.has("boats") or self.cave_is("ice_bridges"):
            found |= SEA[place]
        if self.cave_is("hidden_passage"):
            if self.up[place] == "cave":
                found |= PRINTED
            elif place in PRINTED:
                found |= {other for other in PLACES if self.up[other] == "cave"}
        return {other for other in found if REGION[other] <= self.regions}

    def destinations(self, start: str) -> set[str]:
        """F§5: with Fur Boots also where it began."""
        reached = {start}
        for _ in range(3 if self.mover.has("transport_sled") else 2):
            reached |= {other for place in reached for other in self.neighbours(place)}
        return reached if self.mover.has("fur_boots") else reached - {start}

    def by_land(self, start: str) -> dict[str, int]:
        """Steps by land through open regions."""
        steps, edge = {start: 0}, [start]
        while edge:
            place = edge.pop(0)
            for other in LAND[place]:
                if other not in steps and REGION[other] <= self.regions:
                    steps[other] = steps[place] + 1
                    edge.append(other)
        return steps

    def cost(self, place: str) -> int:
        """Food that a hut in a village costs (F§7.12, F§10.5)."""
        price = sum(self.villages.get(place, ()))
        price -= self.mover.has("mud_bricks")
        price -= self.cave_is("clay_pit") and REGION[place] == 2
        return max(0, price)

    def land_food(self, place: str) -> int:
        """Food of an empty food territory."""
        if self.cave_is("lean_winter") and REGION[place] == 1:
            return 0
        return 2 if self.cave_is("generous_land") else 1

    def tile_food(self, place: str) -> int:
        """Food for leaving a gathering tile."""
        if self.cave_is("lean_winter") and REGION[place] == 1:
            return 1
        return 3 if self.cave_is("wild_orchard") and REGION[place] == 2 else 2

    def takeable(self, given: str | None = None) -> list[str]:
        """Cards of the row that may be taken (F§9.10, RULING 51)."""
        return [card for card in self.row if not self.mover.owns(card) and card != given]

    # Gains

    def food(self, due: int, by: str, seat: int | None = None) -> None:
        """F§2.8: as far as there is room."""
        if due <= 0:
            return
        seat = self.seat if seat is None else seat
        player = self.players[seat]
        gained = max(0, min(due, player.capacity - player.food))
        player.food += gained
        self.tell("food", seat, by=by, gained=gained, lost=due - gained)

    def action_food(self, due: int, by: str) -> None:
        """Food of an action, which the Fishing Net adds to once (F§10.6, rulings 64, 65)."""
        self.food(due, by)
        if due > 0 and self.here in SHORE and self.mover.has("fishing_net") and not self.net_used:
            self.net_used = True
            self.food(1, "fishing_net")

    def bag(self, due: int, by: str, seat: int | None = None) -> None:
        """F§2.7: while tokens last."""
        seat = self.seat if seat is None else seat
        gained = min(due, self.tokens)
        if gained:
            self.tokens -= gained
            self.players[seat].bags += gained
            self.tell("bag", seat, by=by, gained=gained)

    def points(self, vp: int, by: str, seat: int | None = None) -> None:
        seat = self.seat if seat is None else seat
        self.players[seat].vp += vp
        self.tell("vp", seat, by=by, vp=vp)

    def pay(self, food: int, by: str) -> None:
        require(self.mover.food >= food, "F§12.5 cannot be paid")
        self.mover.food -= food
        self.told("paid", food=food, by=by)

    def instant(self, card: str, seat: int | None = None) -> None:
        """Bags before food (F§10.1)."""
        bags, food = INSTANT.get(card, (0, 0))
        self.bag(bags, card, seat)
        self.food(food, card, seat)

    def from_the_row(self, card: str, by: str) -> bool:
        """Take a card and refill (F§9.9); whether one came that nobody knew of."""
        self.row.remove(card)
        self.mover.inventions.append([card, 0])
        self.told("invented", card=card, by=by)
        self.instant(card)
        revealed = False
        while self.pile and len(self.row) < 3:
            if len(self.pile) == len(self.bottom):
                self.bottom.pop(0)
            else:
                revealed = True
            self.row.append(self.pile.pop(0))
            self.tell("row_refilled", None, card=self.row[-1], pile=len(self.pile))
        return revealed

    def spill(self) -> None:
        """Food above the capacity goes when Clay Pots are lost (F§10 `clay_pots`)."""
        lost = self.mover.food - self.mover.capacity
        if lost > 0:
            self.mover.food -= lost
            self.told("pots_emptied", lost=lost)

    def hut(self, cost: int) -> None:
        """Place an own hut here; the twentieth is a trigger (F§13.1)."""
        place, player = self.here, self.mover
        require(player.huts > 0, "F§7.13 no hut left")
        player.huts -= 1
        self.villages.setdefault(place, [0] * len(self.players))[self.seat] += 1
        self.told("hut_built", place=place, cost=cost, left=player.huts)
        if player.huts == 0:
            self.trigger()

    def trigger(self) -> None:
        """F§13.2-4, once."""
        if self.ended_by is None:
            self.ended_by, self.turns_left = self.seat, 2 * len(self.players) - 1
            self.told("end_triggered", turns_left=self.turns_left)

    # What everybody sees

    def view(self) -> dict[str, Any]:
        over = self.phase == "over"
        known = self.cave_known and not self.cave_gone
        return {
            "tiles": ["down" if place in self.hidden else self.up[place] for place in PLACES],
            "villages": [
                {"place": place, "huts": self.villages[place]}
                for place in PLACES
                if place in self.villages
            ],
            "forests": [
                {"place": place, "game": len(left)} for place, left in self.forests.items()
            ],
            "players": [self.player(player, over) for player in self.players],
            "track": self.track,
            "regions": self.regions,
            "stacks": [len(self.stacks[region]) for region in STACKS],
            "cave": self.cave_card if known else None,
            "cave_gone": self.cave_gone,
            "row": self.row,
            "pile": len(self.pile),
            "pile_bottom": self.bottom,
            "vp_card": self.vp_cards[0] if self.vp_cards else 0,
            "vp_cards": len(self.vp_cards),
            "bag_tokens": self.tokens,
            "starting": self.starting,
            "card_spaces": self.spaces,
            "first": self.first,
            "to_move": None if over or self.phase == "rank" else self.seat,
            "turn": self.turn,
            "phase": self.phase,
            "explorer": None if over else self.explorer,
            "moved": self.moved,
            "named": self.named,
            "second_fires": self.second_fires,
            "turns_left": self.turns_left,
            "ended_by": self.ended_by,
            "own": None,
        }

    @staticmethod
    def player(player: Player, over: bool) -> dict[str, Any]:
        return {
            "vp": player.vp,
            "food": player.food,
            "capacity": player.capacity,
            "bags": player.bags,
            "explorers": player.explorers,
            "waiting": player.waiting,
            "huts_left": player.huts,
            "light": player.columns["light"],
            "dark": player.columns["dark"],
            "inventions": [{"card": card, "covered": vp} for card, vp in player.inventions],
            "held": len(player.held),
            "marker": player.marker,
            "objective": player.objective if over else None,
        }

    # F§11, F§14

    def majority(self, place: str) -> int | None:
        """Who has strictly more huts there than every other (F§14.2)."""
        huts = self.villages[place]
        return huts.index(max(huts)) if huts.count(max(huts)) == 1 else None

    def majority_vp(self, place: str) -> int:
        if self.cave_is("burial_mound") and self.up[place] == "cave":
            return 5
        return 2 if self.cave_is("rival_clans") and REGION[place] == 2 else 1

    def objective_vp(self, seat: int) -> int:
        """F§11, at most 10 (RULING 48)."""
        objective = self.players[seat].objective
        own = [place for place in PLACES if place in self.villages and self.villages[place][seat]]
        if objective == "woods":
            vp = 2 * sum(any(self.up[near] == "forest" for near in LAND[place]) for place in own)
        elif objective == "hearths":
            near_fire = [place for place in own if any(map(self.is_fire, LAND[place]))]
            vp = sum(1 + (self.majority(place) == seat) for place in near_fire)
        elif objective == "shores":
            vp = 2 * sum(place in SHORE for place in own)
        elif objective == "kin":
            vp = 3 * sum(bool(LAND[place] & set(own)) for place in own)
        else:
            regions = Counter(REGION[place] for place in own)
            vp = 2 * sum(n >= 2 for n in regions.values()) + 4 * (len(regions) == 3)
        return min(10, vp)

    def parts(self) -> list[dict[str, Any]]:
        """Where each seat's points come from."""
        return [
            {
                "vp": player.vp,
                "vp_cards": sum(vp for _, vp in player.inventions),
                "huts": sum(huts[seat] for huts in self.villages.values()),
                "majorities": sum(
                    self.majority_vp(p) for p in self.villages if self.majority(p) == seat
                ),
                "objective": player.objective,
                "objective_vp": self.objective_vp(seat),
            }
            for seat, player in enumerate(self.players)
        ]

    def scores(self) -> list[int]:
        """F§14.1, also where the match ends because players left (ruling 72)."""
        keys = ["vp", "vp_cards", "huts", "majorities", "objective_vp"]
        return [sum(part[key] for key in keys) for part in self.parts()]

    def piece_sums(self, pieces: list[str]) -> tuple[int, int]:
        """Bags and food of pieces that are cooked, with what is added to each."""
        more = self.mover.has("smoke_rack") + self.cave_is("great_herd")
        return (
            sum(PIECES[piece][1] for piece in pieces),
            sum(PIECES[piece][2] + more for piece in pieces),
        )
