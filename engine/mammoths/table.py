"""The table while something happens on it: a position that changes, and what is told of it.

Every function of the rules takes a table made of a state and leaves the state alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec.structs import replace

from engine.chance import Chance
from engine.kit.change import Change
from engine.kit.tuples import without
from engine.mammoths import components as box
from engine.mammoths.actions import Answer, Order, title_of, word_of
from engine.mammoths.components import SPECIES, Hex, Sex, Species
from engine.mammoths.events import EVENT_KINDS
from engine.mammoths.state import Camp, Closed, Field, Group, Herd, State, Tribe
from engine.protocol import Event, Seat

Facts: TypeAlias = dict[str, Any]
"""Data of an event, on its way into it."""


class Over(Exception):
    """The game has ended; whoever plays phases stops."""


class Table(Change[State]):
    """A position being worked on. `chance` draws, `chapter` is that of what is told now; `state`
    has all that stands in no field of the table, as it was or as it was replaced.
    """

    def __init__(self, state: State, chance: Chance) -> None:
        super().__init__(state)
        self.chance = chance
        self.board = state.map
        self.options = state.options
        self.chapter = "moves"
        self.tribes = list(state.tribes)
        self.pawns: dict[Hex, dict[Seat, list[int]]] = {}
        for group in state.groups:
            self.pawns.setdefault(group.hex, {})[group.seat] = [group.w, group.f]
        self.herds: dict[Hex, dict[Species, str]] = {}
        for herd in state.herds:
            self.herds.setdefault(herd.hex, {})[herd.species] = herd.counters
        self.camps: dict[Hex, Camp] = {camp.hex: camp for camp in state.camps}
        self.fields = {field.hex: field.ears for field in state.fields}
        self.closed = {each.hex: each.cause for each in state.closed}
        self.frozen = set(state.frozen)
        self.neutral = list(state.neutral)
        self.bag = list(state.bag)
        self.aside = state.aside
        self.unit = state.unit

    def freeze(self) -> State:
        """The position as it is now."""
        return replace(
            self.state,
            tribes=tuple(self.tribes),
            groups=tuple(
                Group(hex=at, seat=seat, w=w, f=f)
                for at in sorted(self.pawns)
                for seat, (w, f) in sorted(self.pawns[at].items())
            ),
            herds=tuple(
                Herd(hex=at, species=species, counters=self.herds[at][species])
                for at in sorted(self.herds)
                for species in SPECIES
                if species in self.herds[at]
            ),
            camps=tuple(self.camps[at] for at in sorted(self.camps)),
            fields=tuple(Field(hex=at, ears=self.fields[at]) for at in sorted(self.fields)),
            closed=tuple(Closed(hex=at, cause=self.closed[at]) for at in sorted(self.closed)),
            frozen=tuple(sorted(self.frozen)),
            neutral=(self.neutral[0], self.neutral[1]),
            bag=tuple(self.bag),
            aside=self.aside,
            unit=self.unit,
        )

    def tribe(self, seat: Seat, **fields: Any) -> Tribe:
        """The tribe, with these fields from now on."""
        if fields:
            self.tribes[seat] = replace(self.tribes[seat], **fields)
        return self.tribes[seat]

    # Telling

    def breath(self) -> None:
        """Begin another unit of the story (M§25.2)."""
        self.unit += 1

    def tell(
        self,
        kind: str,
        seat: Seat | None = None,
        hexes: Iterable[Hex] = (),
        /,
        *,
        tribes: Iterable[Seat] = (),
        only: Seat | None = None,
        notify: tuple[Seat, ...] = (),
        **facts: Any,
    ) -> None:
        """Tell something: to all, or to one seat only."""
        if set(facts) != set(EVENT_KINDS[kind][1]):
            raise KeyError(f"{kind} takes {EVENT_KINDS[kind][1]}, not {tuple(facts)}")
        hexes = tuple(hexes)
        concerned = {*tribes} | ({seat} if seat is not None else set())
        for at in hexes:
            for near in (at, *self.board.places[at].neighbours):
                concerned.update(self.pawns.get(near, ()))
                if near in self.camps:
                    concerned.add(self.camps[near].seat)
        facts |= {
            "turn": self.state.turn,
            "unit": self.unit,
            "hexes": hexes,
            "concerns": tuple(sorted(concerned)),
        }
        to, chapter = None if only is None else (only,), self.chapter
        self.events.append(
            Event(kind=kind, seat=seat, data=facts, audience=to, chapter=chapter, notify=notify)
        )

    # Who is where

    def on_map(self) -> list[Seat]:
        """The tribes with pawns, in player order."""
        there = {seat for groups in self.pawns.values() for seat in groups}
        return [seat for seat in self.state.order if seat in there]

    def at(self, at: Hex, seat: Seat) -> tuple[int, int]:
        """The warriors and women of a tribe on a hex."""
        w, f = self.pawns.get(at, {}).get(seat, (0, 0))
        return w, f

    def of_sex(self, at: Hex, seat: Seat, sex: Sex) -> int:
        return self.at(at, seat)["wf".index(sex)]

    def count(self, at: Hex, seat: Seat) -> int:
        return sum(self.at(at, seat))

    def tribes_at(self, at: Hex) -> list[Seat]:
        """The tribes with pawns on a hex, in player order."""
        there = self.pawns.get(at)
        return [seat for seat in self.state.order if seat in there] if there else []

    def animals(self, at: Hex) -> int:
        return sum(map(len, self.herds.get(at, {}).values()))

    def opponents(self, at: Hex, seat: Seat) -> int:
        """All animals and all pawns of other tribes there (M§1.1)."""
        there = self.pawns.get(at)
        others = sum(w + f for who, (w, f) in there.items() if who != seat) if there else 0
        return others + (self.animals(at) if at in self.herds else 0)

    def is_free(self, at: Hex, seat: Seat) -> bool:
        """True if it is not lake, not closed, and holds no opponents (M§1.1)."""
        terrain = self.board.places[at].terrain
        return terrain != "lake" and at not in self.closed and not self.opponents(at, seat)

    def hexes_of(self, seat: Seat) -> list[Hex]:
        """The hexes a tribe occupies, ascending."""
        return sorted(at for at, groups in self.pawns.items() if seat in groups)

    def total(self, seat: Seat) -> int:
        return sum(sum(groups[seat]) for groups in self.pawns.values() if seat in groups)

    def camps_of(self, seat: Seat) -> list[Hex]:
        return sorted(at for at, camp in self.camps.items() if camp.seat == seat)

    def wealth(self, seat: Seat) -> tuple[int, int, int]:
        """Camps, pawns and food: who has more comes first (M§8.1, M§15.5)."""
        return len(self.camps_of(seat)), self.total(seat), self.tribes[seat].all_food

    def owns_camp(self, at: Hex, seat: Seat) -> bool:
        return at in self.camps and self.camps[at].seat == seat

    def in_hand(self, seat: Seat, sex: Sex) -> int:
        """The pawns of this sex that are not on the board; neutral ones are above the limit."""
        kind = 0 if sex == "w" else 1
        there = sum(groups[seat][kind] for groups in self.pawns.values() if seat in groups)
        neutral = self.neutral[kind]
        mine = neutral is not None and neutral[0] == seat
        return (box.WOMEN if kind else box.WARRIORS) - there + mine

    def camp_markers(self, seat: Seat) -> int:
        return box.CAMPS - len(self.camps_of(seat))

    def has_fire(self, seat: Seat) -> bool:
        return self.tribes[seat].fire > 0

    # Pawns

    def add(self, at: Hex, seat: Seat, w: int = 0, f: int = 0) -> None:
        pawns = self.pawns.setdefault(at, {}).setdefault(seat, [0, 0])
        pawns[0] += w
        pawns[1] += f

    def take(self, at: Hex, seat: Seat, w: int = 0, f: int = 0) -> list[int]:
        """Take pawns off a hex; the neutral ones among them, 0 the warrior and 1 the woman: each is
        the last of its kind to go (M§23.2)."""
        pawns = self.pawns[at][seat]
        pawns[0] -= w
        pawns[1] -= f
        last = [kind for kind, went in enumerate((w, f)) if went and not pawns[kind]]
        if not any(pawns):
            del self.pawns[at][seat]
            if not self.pawns[at]:
                del self.pawns[at]
        return [kind for kind in last if self.neutral[kind] == (seat, at)]

    def shift(self, seat: Seat, start: Hex, end: Hex, w: int, f: int) -> None:
        """Move pawns from hex to hex."""
        for kind in self.take(start, seat, w, f):
            self.neutral[kind] = (seat, end)
        self.add(end, seat, w, f)

    def kill(self, at: Hex, seat: Seat, sex: Sex, cause: str) -> None:
        """One pawn dies. The camp is looked at by the next loss check."""
        neutral = self.take(at, seat, w=sex == "w", f=sex == "f")
        for kind in neutral:
            self.neutral[kind] = None
        self.tell("pawn_lost", seat, (at,), sex=sex, cause=cause, neutral=bool(neutral))

    def loss_of(self, at: Hex, seat: Seat, wanted: Sex) -> Sex:
        """This sex, or the other where there is none of it (RULING A5)."""
        other: Sex = "f" if wanted == "w" else "w"
        return wanted if self.of_sex(at, seat, wanted) else other

    # Animals, fields

    def put_back(self, at: Hex, species: Species, number: int, cause: str = "") -> None:
        """Animals go back to the bag, unlettered wolves aside, in the order they die; with a cause
        it is told as a return."""
        counters = self.herds[at][species]
        gone, left = counters[:number], counters[number:]
        self.to_bag(species, gone)
        if left:
            self.herds[at][species] = left
        else:
            del self.herds[at][species]
            if not self.herds[at]:
                del self.herds[at]
        if cause:
            self.tell("herd_returned", None, (at,), species=species, number=number, left=len(left))

    def to_bag(self, species: Species, counters: str) -> None:
        kind = SPECIES.index(species)
        lettered = counters.replace(box.LONE_WOLF, "")
        self.aside += len(counters) - len(lettered)
        self.bag[kind] = in_order(self.bag[kind] + lettered)

    def put_herd(self, at: Hex, species: Species, counters: str) -> None:
        here = self.herds.get(at, {})
        here[species] = in_order(here.get(species, "") + counters)
        self.herds[at] = {each: here[each] for each in SPECIES if each in here}

    def lose_ears(self, at: Hex, ears: int, cause: str) -> None:
        """A field loses ears; without any it is gone."""
        left = max(0, self.fields[at] - ears)
        lost = self.fields[at] - left
        if left:
            self.fields[at] = left
        else:
            del self.fields[at]
        self.tell("field_lost", None, (at,), ears=lost, left=left, cause=cause)

    def sow(self, at: Hex, seat: Seat, paid: int) -> None:
        """A field is sown, for so much food."""
        before = self.tribes[seat].all_food
        self.spend(seat, paid)
        self.fields[at] = 2
        self.tell("field_sown", seat, (at,), paid=paid, before=before, after=before - paid)

    # Food: two stores, of which the farm's is touched last (M§17.1)

    def gain(self, seat: Seat, food: int, farm: int = 0) -> None:
        tribe = self.tribes[seat]
        if not self.options.food_spoils:
            food, farm = food + farm, 0
        self.tribe(seat, food=tribe.food + food, farm=tribe.farm + farm)

    def spend(self, seat: Seat, amount: int) -> tuple[int, int]:
        """Take food away, as far as there is any: what came of each store."""
        tribe = self.tribes[seat]
        food = min(amount, tribe.food)
        farm = min(amount - food, tribe.farm)
        self.tribe(seat, food=tribe.food - food, farm=tribe.farm - farm)
        return food, farm

    def lose_food(
        self, seat: Seat, amount: int, cause: str, hexes: Iterable[Hex] = (), *to: Seat
    ) -> tuple[int, int]:
        """The same, told; `to` are tribes that it goes to."""
        food, farm = self.spend(seat, amount)
        lost, after = food + farm, self.tribes[seat].all_food
        if lost:
            told: Facts = {"cause": cause, "lost": lost, "before": after + lost, "after": after}
            self.tell("food_lost", seat, hexes, tribes=to, **told)
        return food, farm

    def gain_told(
        self, kind: str, seat: Seat, food: int, farm: int = 0, *hexes: Hex, **facts: Any
    ) -> None:
        """Food is gained, told as an event of this kind with what there was before and is now."""
        before = self.tribes[seat].all_food
        self.gain(seat, food, farm)
        self.tell(kind, seat, hexes, **facts, before=before, after=before + food + farm)

    # Camps and fire

    def remove_camp(self, at: Hex, cause: str, *, takes_fire: bool = False) -> None:
        """A camp goes; the marker returns to hand. The fire marker moves to another camp (M§16.3),
        unless the event takes it (RULING A6)."""
        camp = self.camps.pop(at)
        self.tell("camp_lost", camp.seat, (at,), cause=cause, kind=self.board.camp_on(at))
        if camp.palisade:
            self.tell("palisade_lost", camp.seat, (at,))
        if self.tribes[camp.seat].fire == at:
            other = self.fire_place(camp.seat)
            if other and not takes_fire:
                self.tribe(camp.seat, fire=other)
                self.tell("fire_moved", camp.seat, (other,), camp=other)
            else:
                self.lose_fire(camp.seat, cause)

    def lose_fire(self, seat: Seat, cause: str) -> None:
        self.tribe(seat, fire=0)
        self.tell("fire_lost", seat, cause=cause)

    def fire_place(self, seat: Seat) -> Hex:
        """The camp with most pawns (RULING A35), 0 without a camp."""
        camps = self.camps_of(seat)
        return min(camps, key=lambda at: (-self.count(at, seat), at), default=0)

    def give_fire(self, seat: Seat, how: str, camp: Hex = 0) -> None:
        place = camp or self.fire_place(seat)
        self.tribe(seat, fire=place)
        self.tell("fire_taken", seat, (place,), camp=place, how=how)

    # Tricks

    def play_card(
        self, seat: Seat, title: str, hexes: Iterable[Hex] = (), target: Any = None, drop: str = ""
    ) -> None:
        """A trick leaves the hand; `drop` goes with it where that is allowed (M§17.4)."""
        tribe = self.tribes[seat]
        hand = without(tribe.hand, title)
        dropped = drop if self.options.extra_discard and drop in hand else ""
        discards = [] if title in ("T02", "T03") else [title]
        if dropped:
            hand = without(hand, dropped)
            discards.append(dropped)
        self.tribe(seat, hand=hand)
        self.set(discards=(*self.state.discards, *discards))
        self.tell("trick_played", seat, hexes, title=title, target=target, dropped=dropped)

    def orders_of(self, seat: Seat) -> tuple[Order, ...]:
        """Standing orders, and those of this combat phase instead of them where they have the same
        word, of cards the same title (M§24.7)."""
        tribe = self.tribes[seat]
        answer = tribe.answer or Answer()
        replaced = {(word_of(order), title_of(order)) for order in answer.orders}
        kept = (o for o in tribe.orders if (word_of(o), title_of(o)) not in replaced)
        return (*answer.orders, *kept)

    def order_of(self, seat: Seat, kind: type[Any], at: Hex = 0) -> Any:
        """The first order of this type for a hex, else for any; None without."""
        orders = [o for o in self.orders_of(seat) if isinstance(o, kind)]
        fitting = [order for order in orders if getattr(order, "at", 0) in (0, at)]
        return min(fitting, key=lambda order: not getattr(order, "at", 0), default=None)

    def draw_tricks(self, seats: list[Seat], each: int) -> dict[Seat, tuple[str, ...]]:
        """Tricks for these tribes, in order (M§4.4)."""
        deck, discards = self.state.deck, self.state.discards
        if len(deck) < each * len(seats) and discards:
            deck, discards = self.chance.shuffled("trick discards", (*deck, *discards)), ()
        drawn = {}
        for seat in seats:
            drawn[seat], deck = deck[:each], deck[each:]
            self.tribe(seat, hand=(*self.tribes[seat].hand, *drawn[seat]))
        self.set(deck=deck, discards=discards)
        return drawn

    # Losses

    def loss_check(self, cause: str, *, waiting: Hex = 0) -> None:
        """Camps without a woman of their tribe go, and tribes without pawns (M§1.4). On the hex
        `waiting` a tribe stage is fought, whose winner comes first (M§10.8)."""
        for at in sorted(self.camps):
            if at != waiting and not self.at(at, self.camps[at].seat)[1]:
                self.remove_camp(at, cause)
        if waiting:
            return
        gone = [
            seat
            for seat in self.state.order
            if self.tribes[seat].status == "map" and not self.total(seat)
        ]
        if gone:
            self.set(checks=self.state.checks + 1)
        for seat in gone:
            self._eliminate(seat, cause)

    def _eliminate(self, seat: Seat, cause: str) -> None:
        """A tribe is out (M§15.1), for good or until the next turn (M§15.2)."""
        tribe = self.tribes[seat]
        comes_back = self.state.first_year and not tribe.returned
        due = self.state.turn + 1 if comes_back else 0
        reenter = tuple(order for order in tribe.orders if word_of(order) == "reenter")
        self.set(discards=(*self.state.discards, *tribe.hand))
        self.tribes[seat] = Tribe(
            status="due" if comes_back else "out",
            due=due,
            returned=tribe.returned,
            fell=self.state.checks,
            fell_turn=self.state.turn,
            orders=reenter if comes_back else (),
        )
        self.tell("tribe_out", seat, notify=(seat,), cause=cause, due=due)

    def check_end(self) -> None:
        """The last tribe on the map wins, unless one is due; without any all lose (M§15.6). Raises
        Over."""
        if any(tribe.status == "due" for tribe in self.tribes):
            return
        there = self.on_map()
        if len(there) == 1:
            self.end(tuple(there), "last_tribe")
        if not there:
            self.end((), "all_lost")

    def end(self, winners: tuple[Seat, ...], termination: str) -> None:
        """The game ends. Raises Over."""
        self.set(phase="over", winners=tuple(sorted(winners)), termination=termination)
        raise Over

    # Shown boards (M§24.5)

    def look(self, at: Hex) -> str:
        """All that `same` compares of a hex."""
        parts = [f"{s}:{w}/{f}" for s, (w, f) in sorted(self.pawns.get(at, {}).items())]
        parts += [f"{kind}{len(n)}" for kind, n in sorted(self.herds.get(at, {}).items())]
        if at in self.camps:
            camp = self.camps[at]
            parts.append(f"camp{camp.seat}{'+' * camp.palisade}")
        if at in self.fields:
            parts.append(f"ears{self.fields[at]}")
        if at in self.closed:
            parts.append(self.closed[at])
        if at in self.frozen:
            parts.append("frozen")
        return " ".join(parts)

    def looks(self) -> tuple[str, ...]:
        return tuple(self.look(at) for at in self.board.hexes)


def in_order(counters: str) -> str:
    """Counters in the order they die (M§23.3)."""
    return "".join(sorted(counters, key=box.COUNTER_ORDER.index))
