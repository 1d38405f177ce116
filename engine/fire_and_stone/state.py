"""The position of a match: immutable values, small enough to be read and written at every turn.

Territories are numbers and sets of them ints (see `map`), tiles letters and game tiles numbers (see
`components`). No value here can be part of a cycle, so the garbage collector need not follow them
(`gc=False`).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.plans.lines import Plan
from engine.kit.plans.reactions import Waiting
from engine.protocol import Seat

NOBODY = -1
NO_EXPLORER = -1


class Phase(StrEnum):
    """The phases: what is asked."""

    RANK = "rank"  # starting inventions (F§3.13)
    SECOND = "second"  # the second explorer's fire (F§8.3)
    MOVE = "move"
    ACTION = "action"
    KEEP = "keep"  # which game tile (F§7.2)
    RETURN = "return"  # to which fire (F§7.11)
    EMBER = "ember"  # cooking on return (F§10 `ember_carrier`)
    CARD = "card"
    BASKET = "basket"  # a tile to be kept (F§10 `woven_basket`)
    LOOK = "look"  # naming tiles to look at (F§12.8)
    ARRANGE = "arrange"
    TUNNEL = "tunnel"  # its target (F§12.10)
    COUNCIL = "council"  # an objective (F§12)
    OVER = "over"


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One player.

    `bags` are the own tokens. `explorers` are the territories of those that walk. `huts` has the
    territory of each hut on the board. `columns` are the light and the dark column, a letter for
    each tile from the bottom. `covered` has the value of the VP card on each of `inventions`, 0
    for none. `held` are game tiles, ascending. `marker` is true while it lies on the own objective.
    `looked` is the set of territories whose tiles this player has looked at while face down.
    """

    objective: str
    columns: tuple[str, str] = ("", "")
    vp: int = 0
    food: int = 0
    bags: int = 0
    explorers: tuple[int, ...] = (land.START,)
    huts: tuple[int, ...] = ()
    inventions: tuple[str, ...] = ()
    covered: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    marker: bool = True
    looked: int = 0

    @property
    def huts_left(self) -> int:
        return box.HUTS - len(self.huts)

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The inventions whose permanent effect works (F§10.2)."""
        return tuple(
            [i for i, value in zip(self.inventions, self.covered, strict=True) if not value]
        )

    def has(self, invention: str) -> bool:
        """True if the permanent effect of this invention works for the player."""
        return invention in self.inventions and not self.covered[self.inventions.index(invention)]

    @property
    def capacity(self) -> int:
        """The food that can be stored (F§2.8)."""
        pots = box.POTS_HOLD if self.inventions and self.has("clay_pots") else 0
        return box.PRINTED_BAGS + self.bags + pots

    @property
    def space(self) -> int:
        return self.capacity - self.food

    @property
    def steps(self) -> int:
        """The steps that each explorer may move (F§5.1)."""
        return box.SLED_STEPS if self.has("transport_sled") else box.STEPS


class Forest(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A revealed forest and the game tiles in it. `seen` is the set of seats (a bit each) that know
    them: who hunted last.
    """

    place: int
    tiles: tuple[int, ...]
    seen: int = 0


class Turn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The turn being played. `number` counts all turns of the match from 1; 0 is the set-up.

    `step` counts the decisions made in it. `explorer` is the one in progress, or named for the
    move, `moved` the set of those that have moved. `pieces` are game tiles named for cooking,
    `named` territories named for a look, in order; `most_named` as many as may be. `column` is the
    one that a card was won with. `fished` is true once the Fishing Net has given its food in this
    action. `revealed_hut` is true while a hut tile makes the explorer return. `shown` are the
    things that the last stop of this turn showed (F§19.3).
    """

    number: int
    seat: Seat
    phase: Phase
    step: int = 0
    explorer: int = NO_EXPLORER
    moved: int = 0
    pieces: tuple[int, ...] = ()
    named: tuple[int, ...] = ()
    most_named: int = 0
    column: int = 0
    fished: bool = False
    revealed_hut: bool = False
    shown: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole position.

    `tiles` has a letter for each territory, `down` is the set of those whose tile lies face down.
    `stacks` are the hunting stacks left by region. `cave` is the card in play, revealed or not
    (`cave_up`), "" once it has left the game; `expert` is true if expert cards were in the draw.
    The last `pile_known` cards of the pile of inventions are known to everybody; `vp_taken` counts
    VP cards gone. `undealt` are the objectives nobody has, `undealt_seen` the set of seats that
    know them. `second_fires` is the set of fires when hut 5 was placed, 0 before. `turns_left` are
    the turns after this one, NOBODY before the end is triggered by `ended_by`. `starting` are the
    revealed starting inventions, `rankings` the lists handed in. `plan` is that of the seat to
    move, `waiting` the rest of it that waits (F§19.4). `plays_forced` is the option of the table.
    """

    players: tuple[Player, ...]
    tiles: str
    down: int
    stacks: tuple[tuple[tuple[int, ...], ...], ...]
    forests: tuple[Forest, ...] = ()
    track: int = 0
    cave: str
    cave_up: bool = False
    expert: bool
    row: tuple[str, ...]
    pile: tuple[str, ...]
    pile_known: int = 0
    vp_taken: int = 0
    bag_tokens: int
    undealt: tuple[str, ...]
    undealt_seen: int = 0
    card_spaces: tuple[int, ...]
    plays_forced: bool = False
    first: Seat
    second_fires: int = 0
    turns_left: int = NOBODY
    ended_by: Seat = NOBODY
    starting: tuple[str, ...] = ()
    rankings: tuple[tuple[str, ...], ...] = ()
    plan: Plan | None = None
    waiting: Waiting | None = None
    turn: Turn

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn.seat]

    @property
    def here(self) -> int:
        """The territory of the explorer in progress."""
        return self.mover.explorers[self.turn.explorer]

    @property
    def is_last(self) -> bool:
        """True in the last turn of who is to move (F§13.2)."""
        return NOBODY < self.turns_left < len(self.players)

    @property
    def open_regions(self) -> int:
        """The number of regions that are open, from I on (F§5.3)."""
        return 1 + (self.track >= box.REGION_II_AT) + (self.track >= box.REGION_III_AT)

    @property
    def open_land(self) -> int:
        """The set of territories in open regions."""
        return _OPEN[self.open_regions]

    @property
    def rules(self) -> str:
        """The cave card whose rule holds for everybody (F§12.1), "" before it is revealed."""
        return self.cave if self.cave_up else ""

    @property
    def cave_place(self) -> int:
        """The territory with the revealed cave, -1 for none."""
        return self.tiles.index(box.CAVE) if self.cave_up and self.cave else -1

    @property
    def fires(self) -> int:
        """The set of territories that are fires (F§7.6)."""
        found = land.PRINTED
        at = self.tiles.find(box.FIRE)
        while at >= 0:
            if not self.down >> at & 1:
                found |= 1 << at
            at = self.tiles.find(box.FIRE, at + 1)
        if self.cave_up and self.cave == "hearth_hall":
            found |= 1 << self.cave_place
        return found

    def huts_at(self, place: int) -> int:
        """The huts in a territory, whoever owns them."""
        return sum([player.huts.count(place) for player in self.players])

    def huts_of_each(self, place: int) -> tuple[int, ...]:
        """The huts of each seat in a territory."""
        return tuple([player.huts.count(place) for player in self.players])

    def majority_at(self, place: int) -> Seat | None:
        """The seat with strictly the most huts in a village (F§14.2)."""
        huts = self.huts_of_each(place)
        most = max(huts)
        return huts.index(most) if most and huts.count(most) == 1 else None

    def up(self, place: int) -> str:
        """The letter of the tile that lies face up in a territory, NO_TILE for none."""
        return box.NO_TILE if self.down >> place & 1 else self.tiles[place]

    def is_empty(self, place: int) -> bool:
        """True for an empty food territory (F§6.5)."""
        return (
            self.tiles[place] == box.NO_TILE
            and not land.PRINTED >> place & 1
            and not any(place in player.huts for player in self.players)
        )

    def forest_at(self, place: int) -> Forest | None:
        return next((forest for forest in self.forests if forest.place == place), None)

    @property
    def forest_here(self) -> Forest:
        """The forest that the explorer in progress stands in, hunting."""
        return next(forest for forest in self.forests if forest.place == self.here)

    def in_order(self, first: Seat) -> tuple[Seat, ...]:
        """The seats in turn order from one of them."""
        seats = len(self.players)
        return tuple([(first + k) % seats for k in range(seats)])


_OPEN = (
    0,
    land.IN_REGION[1],
    land.IN_REGION[1] | land.IN_REGION[2],
    land.IN_REGION[1] | land.IN_REGION[2] | land.IN_REGION[3],
)


def column_kind(column: str) -> str:
    """The kind of a column, "" for one that has none: empty, or with Sun or Moon alone (F§9.2)."""
    top = column[-1:]
    return top if top in box.GATHERING else ""


def columns_for(player: Player, kind: str) -> tuple[int, ...]:
    """The columns that a tile of this kind may go to, those that must be emptied for it included
    (F§9.3-5).
    """
    kinds = [column_kind(column) for column in player.columns]
    if kind in kinds:
        return (kinds.index(kind),)
    free = tuple([number for number, each in enumerate(kinds) if not each])
    return free or (0, 1)


def without_tile(tiles: str, place: int) -> str:
    """The tiles with none in this territory."""
    return f"{tiles[:place]}{box.NO_TILE}{tiles[place + 1 :]}"
