"""A change of the position, as one action makes it: what it does to supplies, cards and columns."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from msgspec.structs import replace

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.events import event
from engine.fire_and_stone.map import NAMES
from engine.fire_and_stone.state import NOBODY, Player, State, column_kind
from engine.kit import change
from engine.kit.tuples import put, with_player, without
from engine.protocol import Seat


class Then(Enum):
    """The thing that comes after what an action did."""

    ASKED = auto()
    """A decision has been opened."""
    ACTION = auto()
    """The action here (F§6), if there is one."""
    DONE = auto()
    """The explorer is done."""


class Change(change.Change[State]):
    """A change by the mover: everything is the mover's but where a seat is named."""

    @property
    def seat(self) -> Seat:
        return self.state.turn.seat

    @property
    def player(self) -> Player:
        return self.state.mover

    def put(self, seat: Seat | None = None, **fields: Any) -> None:
        """Give a player these fields."""
        at = self.seat if seat is None else seat
        self.state = with_player(self.state, at, replace(self.state.players[at], **fields))

    def turn(self, **fields: Any) -> None:
        """Give the turn these fields."""
        self.state = replace(self.state, turn=replace(self.state.turn, **fields))

    def tell(self, kind: str, seat: Seat | None = None, /, **data: Any) -> None:
        self.events.append(event(kind, self.seat if seat is None else seat, **data))

    def reveal(self, *shown: str) -> None:
        """Note that the next thing told was hidden; `shown` is what comes to light (F§19.3)."""
        self.note_reveal()
        self.turn(shown=shown)

    def walk(self, place: int) -> None:
        """Put the explorer in progress into a territory."""
        self.put(explorers=put(self.player.explorers, self.state.turn.explorer, place))

    # Supplies (F§2.8)

    def food(self, number: int, by: str, seat: Seat | None = None) -> None:
        """Gain food, as far as there is room for it."""
        player = self.player if seat is None else self.state.players[seat]
        gained = min(number, player.space)
        if number:
            self.put(seat, food=player.food + gained)
            self.tell("food", seat, by=by, gained=gained, lost=number - gained)

    def action_food(self, number: int, by: str) -> None:
        """Gain food by the action, or by an invention triggered inside it (F§10.6)."""
        self.food(number, by)
        if number > 0:
            self.fish()

    def fish(self) -> None:
        """Gain the food of the Fishing Net, once in an action that has given food (F§10.6)."""
        on_shore = land.SHORE >> self.state.here & 1
        if on_shore and not self.state.turn.fished and self.player.has("fishing_net"):
            self.turn(fished=True)
            self.food(1, "fishing_net")

    def bags(self, number: int, by: str, seat: Seat | None = None) -> None:
        """Gain bag tokens while there are any (F§2.7)."""
        player = self.player if seat is None else self.state.players[seat]
        gained = min(number, self.state.bag_tokens)
        if gained:
            self.put(seat, bags=player.bags + gained)
            self.set(bag_tokens=self.state.bag_tokens - gained)
            self.tell("bag", seat, by=by, gained=gained)

    def vp(self, number: int, by: str, seat: Seat | None = None) -> None:
        player = self.player if seat is None else self.state.players[seat]
        self.put(seat, vp=player.vp + number)
        self.tell("vp", seat, by=by, vp=number)

    def pay(self, number: int, by: str) -> None:
        self.put(food=self.player.food - number)
        self.tell("paid", food=number, by=by)

    def spill(self) -> None:
        """Discard food above the capacity: Clay Pots are gone (F§10 `clay_pots`)."""
        lost = -self.player.space
        if lost > 0:
            self.put(food=self.player.food - lost)
            self.tell("pots_emptied", lost=lost)

    # Cards (F§9.6-12)

    def own(self, card: str, seat: Seat | None = None) -> None:
        """Take an invention in hand, with its instant effect, bags before food (F§10.1)."""
        player = self.player if seat is None else self.state.players[seat]
        self.put(seat, inventions=(*player.inventions, card), covered=(*player.covered, 0))
        self.bags(box.INVENTION[card].bags, card, seat)
        self.food(box.INVENTION[card].food, card, seat)

    def take_from_row(self, card: str, by: str) -> None:
        """Take an invention from the row, which is refilled (F§9.9)."""
        self.set(row=without(self.state.row, card))
        self.tell("invented", card=card, by=by)
        self.own(card)
        self.refill()

    def refill(self) -> None:
        """Fill the row from the pile; a card not publicly known is revealed (F§16.2)."""
        while len(self.state.row) < box.ROW and self.state.pile:
            new, pile = self.state.pile[0], self.state.pile[1:]
            if len(self.state.pile) > self.state.pile_known:
                self.reveal(new)
            known = min(self.state.pile_known, len(pile))
            self.set(row=(*self.state.row, new), pile=pile, pile_known=known)
            self.events.append(event("row_refilled", card=new, pile=len(pile)))

    def cover(self, card: str) -> None:
        """Take the top VP card and cover an invention with it (F§9.11)."""
        player, value = self.player, box.VP_CARDS[self.state.vp_taken]
        self.put(covered=put(player.covered, player.inventions.index(card), value))
        self.set(vp_taken=self.state.vp_taken + 1)
        self.tell("vp_card", value=value, covers=card)
        self.spill()

    # Columns (F§9)

    def column(self, number: int, tiles: str) -> None:
        """Give a column these tiles."""
        self.put(columns=put(self.player.columns, number, tiles))

    def gather(self, kind: str, place: int, number: int) -> None:
        """Put a gathering tile taken from a territory into a column, emptied first if it must be
        (F§9.1-5). The food of Gourd and Digging Stick comes before any card.
        """
        held = self.player.columns[number]
        if column_kind(held) not in ("", kind):
            self.column(number, "")
            tiles = [box.IN_COLUMN[tile] for tile in held]
            self.tell("column_emptied", column=box.COLUMNS[number], tiles=tiles)
            if self.player.has("gourd"):
                self.action_food(len(held), "gourd")
            held = ""
        self.column(number, held + kind)
        into = {"column": box.COLUMNS[number], "count": len(held) + 1}
        self.tell("gathered", kind=box.IN_COLUMN[kind], place=NAMES[place], **into)
        if self.player.has("digging_stick"):
            self.action_food(1, "digging_stick")

    def discard_column(self, number: int, *, keep: bool) -> None:
        """Discard a full column, but for one tile that a Woven Basket keeps (F§9.7)."""
        held = self.player.columns[number]
        assert len(held) == box.SPACES
        self.column(number, column_kind(held) if keep else "")
        tiles = [box.IN_COLUMN[tile] for tile in held]
        self.tell("column_discarded", column=box.COLUMNS[number], tiles=tiles, kept=keep)

    # Huts and the end (F§8, F§13)

    def hut(self, place: int, cost: int) -> None:
        """Place an own hut; the last one triggers the end."""
        self.put(huts=tuple(sorted((*self.player.huts, place))))
        self.tell("hut_built", place=NAMES[place], cost=cost, left=self.player.huts_left)
        if len(self.player.huts) == box.HUTS:
            self.trigger_end()

    def advance_track(self) -> None:
        """Put a hut tile on the track; what its slot does beside second explorers (F§8.1)."""
        open_before = self.state.open_regions
        self.set(track=self.state.track + 1)
        if self.state.open_regions > open_before:
            self.tell("region_opened", region=self.state.open_regions)
        if self.state.track == box.END_AT:
            self.trigger_end()

    def trigger_end(self) -> None:
        """Count the turns that are left (F§13.4); later triggers are ignored."""
        if self.state.turns_left == NOBODY:
            self.set(turns_left=2 * len(self.state.players) - 1, ended_by=self.seat)
            self.tell("end_triggered", turns_left=self.state.turns_left)
