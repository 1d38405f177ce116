"""The position, and the options of a table."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.mammoths.actions import Answer, Draft, Order, Place, PlanFight, PlanMove
from engine.mammoths.components import Board, Hex, Season, Species, board
from engine.protocol import Seat

Phase = Literal["setup", "move", "combat", "over"]
Cause = Literal["burn", "flood", "volcano"]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a table (M§1.5); board 0 is a random one."""

    board: int = 0
    beginner_food: bool = False
    fire_rules: bool = False
    village_bonus: int = 1
    cave_bonus: int = 2
    food_spoils: bool = False
    combat_values: Literal["standard", "house"] = "standard"
    births_need_man: bool = False
    extra_discard: bool = False


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Pawns of one tribe on one hex: warriors and women."""

    hex: Hex
    seat: Seat
    w: int
    f: int


class Herd(msgspec.Struct, frozen=True, kw_only=True):
    """Animals of one species on one hex, by their letters ("*" for none) in the order they die."""

    hex: Hex
    species: Species
    counters: str


class Camp(msgspec.Struct, frozen=True, kw_only=True):
    hex: Hex
    seat: Seat
    palisade: bool = False


class Field(msgspec.Struct, frozen=True, kw_only=True):
    hex: Hex
    ears: int


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """A hex nobody may enter (M§5.4)."""

    hex: Hex
    cause: Cause


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A finished move of this turn: where its move lines start and end (M§24.4)."""

    seat: Seat
    starts: tuple[Hex, ...] = ()
    ends: tuple[Hex, ...] = ()


class Moving(msgspec.Struct, frozen=True, kw_only=True):
    """The move being made, line by line.

    `moved` and `pinned` are pawns that have moved, and that stay, by hex; `rafts` and `marches`
    pawns that may still use the card played on a hex, `goats` hexes of T07; `robbed` are victims
    of T16.
    """

    lines: int = 0
    moved: tuple[tuple[Hex, int, int], ...] = ()
    pinned: tuple[tuple[Hex, int, int], ...] = ()
    rafts: tuple[tuple[Hex, int], ...] = ()
    marches: tuple[tuple[Hex, int], ...] = ()
    goats: tuple[Hex, ...] = ()
    robbed: tuple[Seat, ...] = ()
    starts: tuple[Hex, ...] = ()
    ends: tuple[Hex, ...] = ()


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """Things of a player that only the player knows: cards, and all that is filed."""

    hand: tuple[str, ...] = ()
    orders: tuple[Order, ...] = ()
    wishes: Place | None = None
    plan_move: PlanMove | None = None
    plan_fight: PlanFight | None = None
    draft: Draft | None = None
    answer: Answer | None = None


class Tribe(Own, frozen=True, kw_only=True):
    """A player's things besides those on the board.

    `farm` is food of the second store (M§17.1), `fire` the hex of the marker. A tribe that fell is
    "due" until the turn `due`, then `back` on the map, or "out"; `fell` is the number of the loss
    check of its last elimination. `announced` is true if it had four camps at the end of the last
    turn.
    """

    food: int = 0
    farm: int = 0
    fire: Hex = 0
    status: Literal["map", "due", "out"] = "map"
    due: int = 0
    returned: bool = False
    back: int = 0
    fell: int = 0
    fell_turn: int = 0
    announced: bool = False

    @property
    def all_food(self) -> int:
        return self.food + self.farm


class Public(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a position that everybody may see as it is.

    `seating` are the seats clockwise, `order` this turn's order of all seats, whether on the map or
    not. `neutral` are the owners and hexes of the neutral warrior and woman while they are on the
    board. `asked` are the tribes of the window W3. `event` is the card of this turn, `lasting`
    those of the season; `embers` are lava hexes that give fire.
    """

    options: Options
    board: int
    seating: tuple[Seat, ...]
    order: tuple[Seat, ...]
    groups: tuple[Group, ...] = ()
    herds: tuple[Herd, ...] = ()
    camps: tuple[Camp, ...] = ()
    fields: tuple[Field, ...] = ()
    closed: tuple[Closed, ...] = ()
    frozen: tuple[Hex, ...] = ()
    embers: tuple[Hex, ...] = ()
    neutral: tuple[tuple[Seat, Hex] | None, tuple[Seat, Hex] | None] = (None, None)
    bag: tuple[str, ...]
    aside: int
    spent: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    phase: Phase = "setup"
    turn: int = 0
    season: Season = "summer"
    number: int = 2
    held: bool = False
    lengthened: bool = False
    first_year: bool = True
    event: str = ""
    lasting: tuple[str, ...] = ()
    die: int = 0
    moving: Moving = Moving()
    tracks: tuple[Track, ...] = ()
    asked: tuple[Seat, ...] = ()
    winners: tuple[Seat, ...] = ()
    termination: str = ""


class State(Public, frozen=True, kw_only=True):
    """A position. `mover` is the place in the order of who moves; `shown` are the boards, one text
    for each hex, after each finished move (M§24.5)."""

    tribes: tuple[Tribe, ...]
    piles: tuple[tuple[str, ...], tuple[str, ...]]
    deck: tuple[str, ...]
    discards: tuple[str, ...] = ()
    sown: tuple[Seat, ...] = ()
    mover: int = 0
    shown: tuple[tuple[str, ...], ...] = ()
    checks: int = 0
    unit: int = 0

    @property
    def map(self) -> Board:
        return board(self.board)

    @property
    def seats(self) -> int:
        return len(self.tribes)

    @property
    def to_move(self) -> Seat:
        """The seat whose move it is, in the phase of moves."""
        return self.order[self.mover]

    @property
    def last_turn(self) -> bool:
        """True on the last turn of a season (M§4.3)."""
        return self.number == 3 and not self.held

    def pawns_of(self, seat: Seat) -> tuple[Group, ...]:
        return tuple(group for group in self.groups if group.seat == seat)

    def camps_of(self, seat: Seat) -> tuple[Camp, ...]:
        return tuple(camp for camp in self.camps if camp.seat == seat)
