"""The position of La Vallée des Mammouths, what is told, and what every phase does with pawns,
camps, food and cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.referee.draws import Draws, Wrong
from tests.referee.mammoths_names import (
    DYING,
    HEXES,
    LETTERS,
    NEAR,
    SPECIES,
    Board,
    Plain,
)


class Tribe:
    """One player: what lies beside the board."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.hand: list[str] = []
        self.food = 0
        """All of it, `farm` too."""
        self.farm = 0
        self.fire = 0
        self.status = "map"
        self.due = 0
        self.announced = False
        self.fell = 0
        """Number of the loss check at which it went out last."""
        self.orders: list[Plain] = []
        self.answer: list[Plain] | None = None
        self.plans: dict[str, Plain] = {}
        self.draft: list[Plain] | None = None


class Position:
    def __init__(self, seats: int, options: Plain, draws: Draws) -> None:
        self.options, self.draws = options, draws
        self.fiery: bool = options["fire_rules"]
        self.house: bool = options["combat_values"] == "house"
        self.tribes = [Tribe(seat) for seat in range(seats)]
        self.seating: list[int] = []
        self.order: list[int] = []
        self.groups: dict[tuple[int, int], dict[str, int]] = {}
        self.neutral: dict[str, tuple[int, int] | None] = {"w": None, "f": None}
        self.herds: dict[tuple[int, int], str] = {}
        self.camps: dict[int, list[Any]] = {}
        """By hex: seat and whether there is a palisade."""
        self.fields: dict[int, int] = {}
        self.closed: dict[int, str] = {}
        self.frozen: set[int] = set()
        self.embers: list[int] = []
        self.bag = list(LETTERS)
        self.aside = 8
        self.piles: dict[str, list[str]] = {"summer": [], "winter": []}
        self.spent: dict[str, list[str]] = {"summer": [], "winter": []}
        self.deck: list[str] = []
        self.discards: list[str] = []
        self.phase, self.turn, self.season, self.number = "setup", 0, "summer", 2
        self.held = self.lengthened = False
        self.first_year = True
        self.event, self.die = "", 0
        self.lasting: list[str] = []
        self.to_move: int | None = None
        self.asked: list[int] = []
        self.tracks: list[Plain] = []
        self.winners: list[int] = []
        self.termination = ""
        self.rows: list[Plain] = []
        self.events: list[Plain] = []
        self.unit = 0
        self.checks = 0
        self.board: Board
        self.board_number = 0

    # What is told

    def tell(
        self,
        kind: str,
        seat: int | None = None,
        hexes: Iterable[int] = (),
        also: Iterable[int] = (),
        /,
        **data: Any,
    ) -> None:
        hexes = list(hexes)
        around = {there for here in hexes for there in (here, *NEAR[here])}
        named = {*also, *(() if seat is None else (seat,))}
        near = {s for (h, s) in self.groups if h in around}
        near |= {camp[0] for h, camp in self.camps.items() if h in around}
        data |= {"turn": self.turn, "unit": self.unit, "hexes": hexes}
        data["concerns"] = sorted(named | near)
        self.events.append({"kind": kind, "seat": seat, "data": data})

    def new_unit(self) -> None:
        self.unit += 1

    # Pawns

    def pawns(self, here: int, seat: int) -> dict[str, int]:
        return self.groups.get((here, seat), {"w": 0, "f": 0})

    def count(self, here: int, seat: int) -> int:
        return sum(self.pawns(here, seat).values())

    def where(self, seat: int) -> list[int]:
        return sorted(h for h, s in self.groups if s == seat)

    def total(self, seat: int) -> int:
        return sum(sum(group.values()) for (_, s), group in self.groups.items() if s == seat)

    def in_turn(self) -> list[int]:
        """The tribes with pawns, in this turn's order."""
        alive = {seat for _, seat in self.groups}
        return [seat for seat in self.order if seat in alive]

    def here_in_turn(self, here: int) -> list[int]:
        return [seat for seat in self.order if (here, seat) in self.groups]

    def put(self, here: int, seat: int, sex: str, number: int = 1) -> None:
        if number:
            group = self.groups.setdefault((here, seat), {"w": 0, "f": 0})
            group[sex] += number

    def take(self, here: int, seat: int, sex: str, number: int = 1) -> bool:
        """Take pawns off a hex; true if the neutral one, the last of its kind, is among them."""
        if not number:
            return False
        group = self.groups[here, seat]
        group[sex] -= number
        if group[sex] < 0:
            raise Wrong(f"hex {here}: not so many pawns")
        neutral = self.neutral[sex] == (seat, here) and group[sex] == 0
        if not any(group.values()):
            del self.groups[here, seat]
        return neutral

    def shift(self, start: int, end: int, seat: int, sex: str, number: int) -> None:
        if self.take(start, seat, sex, number):
            self.neutral[sex] = (seat, end)
        self.put(end, seat, sex, number)

    def lose(self, here: int, seat: int, sex: str, cause: str) -> None:
        neutral = self.take(here, seat, sex)
        if neutral:
            self.neutral[sex] = None
        self.tell("pawn_lost", seat, [here], sex=sex, cause=cause, neutral=neutral)

    def in_hand(self, seat: int, sex: str) -> int:
        on_board = sum(group[sex] for (_, s), group in self.groups.items() if s == seat)
        neutral = self.neutral[sex]
        on_board -= neutral is not None and neutral[0] == seat
        return (10 if sex == "w" else 6) - on_board

    # Animals

    def herds_at(self, here: int) -> list[int]:
        return [k for k in range(6) if (here, k) in self.herds]

    def animals(self, here: int) -> int:
        return sum(len(self.herds[here, k]) for k in self.herds_at(here))

    def join(self, here: int, species: int, counters: str) -> None:
        joined = self.herds.get((here, species), "") + counters
        self.herds[here, species] = "".join(sorted(joined, key=DYING.index))

    def into_bag(self, species: int, counters: str) -> None:
        self.aside += counters.count("*")
        held = self.bag[species] + counters.replace("*", "")
        self.bag[species] = "".join(sorted(held, key=DYING.index))

    def animals_back(self, here: int, species: int, number: int) -> int:
        """The first to die go back to the bag; how many are left."""
        herd = self.herds.pop((here, species))
        self.into_bag(species, herd[:number])
        if herd[number:]:
            self.herds[here, species] = herd[number:]
        return len(herd) - number

    # Hexes

    def opponents(self, here: int, seat: int) -> int:
        others = (sum(g.values()) for (h, s), g in self.groups.items() if h == here and s != seat)
        return self.animals(here) + sum(others)

    def free(self, here: int, seat: int) -> bool:
        if self.board.terrain[here] == "lake" or here in self.closed:
            return False
        return not self.opponents(here, seat)

    def river(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.board.edges and self.event != "N01"

    # Camps, fields, fire and food

    def camps_of(self, seat: int) -> list[int]:
        return sorted(h for h, camp in self.camps.items() if camp[0] == seat)

    def own_camp(self, here: int, seat: int) -> bool:
        return here in self.camps and self.camps[here][0] == seat

    def burning(self, seat: int) -> bool:
        """It has fire, and that counts."""
        return self.tribes[seat].fire != 0

    def best_camp(self, seat: int) -> int:
        return min(self.camps_of(seat), key=lambda h: (-self.count(h, seat), h))

    def camp_goes(self, here: int, cause: str, drowns: bool = False) -> None:
        seat, palisade = self.camps.pop(here)
        tribe = self.tribes[seat]
        self.tell("camp_lost", seat, [here], cause=cause, kind=self.board.kind(here))
        if palisade:
            self.tell("palisade_lost", seat, [here])
        if tribe.fire == here:
            if self.camps_of(seat) and not drowns:
                tribe.fire = self.best_camp(seat)
                self.tell("fire_moved", seat, [tribe.fire], camp=tribe.fire)
            else:
                self.fire_goes(seat, cause)

    def fire_goes(self, seat: int, cause: str) -> None:
        self.tribes[seat].fire = 0
        self.tell("fire_lost", seat, cause=cause)

    def take_fire(self, seat: int, how: str, camp: int = 0) -> None:
        tribe = self.tribes[seat]
        tribe.fire = camp or self.best_camp(seat)
        self.tell("fire_taken", seat, [tribe.fire], camp=tribe.fire, how=how)

    def field_loses(self, here: int, ears: int, cause: str) -> None:
        if here in self.fields:
            lost = min(ears, self.fields[here])
            self.fields[here] -= lost
            left = self.fields[here]
            if not left:
                del self.fields[here]
            self.tell("field_lost", None, [here], ears=lost, left=left, cause=cause)

    def gain(self, seat: int, number: int, farm: bool = False) -> None:
        tribe = self.tribes[seat]
        tribe.food += number
        if farm and self.options["food_spoils"]:
            tribe.farm += number

    def pay(self, seat: int, number: int) -> int:
        """Take food, the other store first; how much of it was from the farm."""
        tribe = self.tribes[seat]
        tribe.food -= number
        farm = max(0, tribe.farm - tribe.food)
        tribe.farm -= farm
        if tribe.food < 0:
            raise Wrong(f"seat {seat}: not so much food")
        return farm

    # Cards

    def plays(self, seat: int, title: str, target: Any, drop: str, *hexes: int) -> None:
        """Put a trick on the discards, and the one that is dropped with it."""
        hand = self.tribes[seat].hand
        hand.remove(title)
        if title not in ("T02", "T03"):
            self.discards.append(title)
        dropped = drop if self.options["extra_discard"] and drop in hand else ""
        if dropped:
            hand.remove(dropped)
            self.discards.append(dropped)
        self.tell("trick_played", seat, hexes, title=title, target=target, dropped=dropped)

    def deal(self, seat: int, number: int) -> int:
        tribe, cards = self.tribes[seat], self.deck[:number]
        tribe.hand += cards
        del self.deck[:number]
        return len(cards)

    def refill(self, due: int) -> None:
        if len(self.deck) < due and self.discards:
            self.deck = self.draws.shuffled("trick discards", self.deck + self.discards)
            self.discards = []

    @property
    def limit(self) -> int:
        return 5 if len(self.tribes) <= 4 else 4

    # Orders

    def orders_of(self, seat: int) -> Iterator[Plain]:
        tribe = self.tribes[seat]
        answer = tribe.answer or []
        yield from answer
        said = {(word(order), title_of(order)) for order in answer}
        for order in tribe.orders:
            if (word(order), title_of(order)) not in said:
                yield order

    def first_order(
        self, seat: int, do: str, holds: Callable[[Plain], bool] = lambda order: True
    ) -> Plain | None:
        return next((o for o in self.orders_of(seat) if o["do"] == do and holds(o)), None)

    def order_at(self, seat: int, do: str, here: int) -> Plain | None:
        """The first for the hex, else the first for any."""
        exact = self.first_order(seat, do, lambda order: order["at"] == here)
        return exact or self.first_order(seat, do, lambda order: order["at"] == 0)

    # Losses

    def camps_without_woman(self, cause: str, seats: Iterable[int] | None = None) -> None:
        for here in sorted(self.camps):
            seat = self.camps[here][0]
            if not self.pawns(here, seat)["f"] and (seats is None or seat in seats):
                self.camp_goes(here, cause)

    def loss_check(self, cause: str) -> None:
        self.camps_without_woman(cause)
        self.checks += 1
        for seat in self.order:
            tribe = self.tribes[seat]
            if tribe.status == "map" and not self.total(seat):
                self.discards += tribe.hand
                again = self.first_year and not tribe.fell
                tribe.fell = self.checks
                tribe.hand, tribe.food, tribe.farm, tribe.announced = [], 0, 0, False
                tribe.status, tribe.due = ("due", self.turn + 1) if again else ("out", 0)
                tribe.orders = [o for o in tribe.orders if o["do"] == "reenter"]
                tribe.answer, tribe.draft, tribe.plans = None, None, {}
                self.tell("tribe_out", seat, cause=cause, due=tribe.due)

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def end_check(self) -> bool:
        """M§15.6; true if the game is over."""
        living = [tribe.seat for tribe in self.tribes if tribe.status == "map"]
        if len(living) > 1 or any(tribe.status == "due" for tribe in self.tribes):
            return False
        self.end("last_tribe" if living else "all_lost", living)
        return True

    def end(self, termination: str, winners: list[int]) -> None:
        self.new_unit()
        self.phase, self.to_move = "over", None
        self.termination, self.winners = termination, winners
        self.rows = self.standing()
        self.tell("game_ended", termination=termination, rows=self.rows)

    def score(self, seat: int) -> list[int]:
        if self.tribes[seat].status != "map":
            return [0, 0, 0]
        return [len(self.camps_of(seat)), self.total(seat), self.tribes[seat].food]

    def standing(self) -> list[Plain]:
        """M§15.8."""

        def key(tribe: Tribe) -> tuple[Any, ...]:
            if tribe.seat in self.winners:
                return (0,)
            if not self.winners:
                return (4, -tribe.fell)
            if tribe.status == "map":
                return (1, *(-part for part in self.score(tribe.seat)))
            return (2,) if tribe.status == "due" else (3, -tribe.fell)

        rows = []
        tribes = sorted(self.tribes, key=lambda tribe: (key(tribe), tribe.seat))
        for tribe in tribes:
            rank = 1 + sum(key(other) < key(tribe) for other in tribes)
            won, shared = tribe.seat in self.winners, len(self.winners)
            rows.append(
                {
                    "rank": rank if self.winners else len(tribes),
                    "seat": tribe.seat,
                    "result": ("won" if shared == 1 else "shared") if won else "lost",
                    "points": ("1" if shared == 1 else f"1/{shared}") if won else "0",
                    "score": self.score(tribe.seat),
                }
            )
        return rows

    def scores(self) -> list[int]:
        scores = (self.score(tribe.seat) for tribe in self.tribes)
        return [c * 1_000_000 + p * 10_000 + min(food, 9999) for c, p, food in scores]

    def outcome(self) -> Plain | None:
        if not self.over:
            return None
        return {
            "winners": self.winners,
            "scores": self.scores(),
            "termination": self.termination,
        }

    # The public state

    def view(self) -> Plain:
        empty: list[int] = []
        names = ("moved", "pinned", "rafts", "marches", "goats", "robbed", "starts", "ends")
        neutral = (self.neutral["w"], self.neutral["f"])
        return {
            "options": self.options,
            "board": self.board_number,
            "seating": self.seating,
            "order": self.order,
            "tribes": [self._tribe(tribe) for tribe in self.tribes],
            "groups": [{"hex": h, "seat": s, **self.groups[h, s]} for h, s in sorted(self.groups)],
            "herds": [
                {"hex": h, "species": SPECIES[k], "counters": self.herds[h, k]}
                for h, k in sorted(self.herds)
            ],
            "camps": [
                {"hex": h, "seat": seat, "palisade": palisade}
                for h, (seat, palisade) in sorted(self.camps.items())
            ],
            "fields": [{"hex": h, "ears": ears} for h, ears in sorted(self.fields.items())],
            "closed": [{"hex": h, "cause": cause} for h, cause in sorted(self.closed.items())],
            "frozen": sorted(self.frozen),
            "embers": self.embers,
            "neutral": [None if at is None else list(at) for at in neutral],
            "bag": self.bag,
            "aside": self.aside,
            "piles": [len(self.piles["summer"]), len(self.piles["winter"])],
            "spent": [self.spent["summer"], self.spent["winter"]],
            "deck": len(self.deck),
            "discards": sorted(self.discards),
            "phase": self.phase,
            "turn": self.turn,
            "season": self.season,
            "number": self.number,
            "held": self.held,
            "lengthened": self.lengthened,
            "first_year": self.first_year,
            "event": self.event,
            "lasting": self.lasting,
            "die": self.die,
            "to_move": self.to_move,
            "moving": {"lines": 0, **dict.fromkeys(names, empty)},
            "tracks": self.tracks,
            "asked": self.asked,
            "winners": self.winners,
            "termination": self.termination,
            "rows": self.rows,
            "own": None,
        }

    def _tribe(self, tribe: Tribe) -> Plain:
        return {
            "hand": len(tribe.hand),
            "food": tribe.food - tribe.farm,
            "farm": tribe.farm,
            "fire": tribe.fire,
            "status": tribe.status,
            "due": tribe.due,
            "announced": tribe.announced,
            "place": self.order.index(tribe.seat),
            "pawns": self.total(tribe.seat),
            "camps": len(self.camps_of(tribe.seat)),
        }


CARD_ORDERS = {"retreat": "T20", "spirits": "T13", "beaters": "T11", "bait": "T12", "feast": "T17"}


def word(order: Plain) -> str:
    cards = (*CARD_ORDERS, "combat_card", "stores")
    return "card" if order["do"] in cards else str(order["do"])


def title_of(order: Plain) -> str:
    return str(order.get("title") or CARD_ORDERS.get(order["do"], ""))


def place_of(order: Plain) -> Any:
    at = order.get("at")
    return (at, order["against"]) if order["do"] == "combat_card" else at


assert len(HEXES) == 37
