"""Everything a player can do: one struct for each kind of action, JSON by its tag `do`.

Places, cards, pieces and fires are ids. Steps of one choice are actions of their own (F§16.7):
`Lead` before `Go`, `Piece` before `Done`, `Name` before `Look`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.fire_and_stone.plans.lines import Plan

ColumnName = Literal["light", "dark"]


class _Action(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="do"):
    pass


class Rank(_Action, frozen=True, kw_only=True, tag="rank"):
    """Hand in a ranking of all revealed starting inventions (F§3.13)."""

    cards: tuple[str, ...]


class Lead(_Action, frozen=True, kw_only=True, tag="lead"):
    """Choose the explorer to move, 1 or 2 (F§4.2)."""

    explorer: int


class Go(_Action, frozen=True, kw_only=True, tag="go"):
    """Move the explorer to a territory (F§5); from a Collapsed Tunnel, to a face-down tile."""

    place: str


class Pass(_Action, frozen=True, kw_only=True, tag="pass"):
    """Take no action (F§6.3)."""


class Food(_Action, frozen=True, kw_only=True, tag="food"):
    """Gain the food of an empty territory (F§6.5), or leave a gathering tile for food (F§7.7)."""


class Take(_Action, frozen=True, kw_only=True, tag="take"):
    """Take the gathering tile here into a column, which is emptied first if it must be (F§9)."""

    column: ColumnName


class Forage(_Action, frozen=True, kw_only=True, tag="forage"):
    """Take a neighbour's gathering tile into a column (F§10 `foraging_lore`)."""

    place: str
    column: ColumnName


class Hunt(_Action, frozen=True, kw_only=True, tag="hunt"):
    """Look at the game tiles of the forest here, to keep one (F§7.2)."""


class Keep(_Action, frozen=True, kw_only=True, tag="keep"):
    """Keep these game tiles of those shown."""

    pieces: tuple[str, ...]


class Piece(_Action, frozen=True, kw_only=True, tag="piece"):
    """Name a held game tile to be cooked (F§7.5); they are cooked together by `Done`."""

    piece: str


class Done(_Action, frozen=True, kw_only=True, tag="done"):
    """Cook the game tiles that were named."""


class Build(_Action, frozen=True, kw_only=True, tag="build"):
    """Build a hut here: in a village (F§7.12), or by the cave card's action (F§12)."""


class Return(_Action, frozen=True, kw_only=True, tag="return"):
    """Return with the explorer to a fire (F§7.11)."""

    fire: str


class Second(_Action, frozen=True, kw_only=True, tag="second"):
    """Put the second explorer at a fire (F§8.3)."""

    fire: str


class Invent(_Action, frozen=True, kw_only=True, tag="invent"):
    """Take an invention of the row (F§9.6); at a Flint Vein, pay for it."""

    card: str


class Score(_Action, frozen=True, kw_only=True, tag="score"):
    """Take the top VP card and cover this invention with it (F§9.11)."""

    covers: str


class Decline(_Action, frozen=True, kw_only=True, tag="decline"):
    """Take no card (F§9.8)."""


class Hold(_Action, frozen=True, kw_only=True, tag="hold"):
    """Keep a tile of the discarded column (F§10 `woven_basket`), or the own objective (F§12)."""


class Drop(_Action, frozen=True, kw_only=True, tag="drop"):
    """Discard all tiles of the column."""


class Use(_Action, frozen=True, kw_only=True, tag="use"):
    """Use the action of the cave card that needs no more to be said (F§12)."""


class Discard(_Action, frozen=True, kw_only=True, tag="discard"):
    """Discard the top tile of a column (F§12 `shaman_stone`)."""

    column: ColumnName


class Barter(_Action, frozen=True, kw_only=True, tag="barter"):
    """Exchange an own invention for one of the row (F§12 `barter_stone`)."""

    given: str
    taken: str


class Name(_Action, frozen=True, kw_only=True, tag="name"):
    """Name a territory to look at (F§12.8)."""

    place: str


class Look(_Action, frozen=True, kw_only=True, tag="look"):
    """Look at all that were named."""


class Arrange(_Action, frozen=True, kw_only=True, tag="arrange"):
    """Put the tiles looked at back, in file order of their territories (F§12 `earthquake`)."""

    tiles: tuple[str, ...]


class Swap(_Action, frozen=True, kw_only=True, tag="swap"):
    """Exchange the own objective for one that was not dealt (F§12 `council_of_elders`)."""

    objective: str


class File(_Action, frozen=True, kw_only=True, tag="plan"):
    """File a plan for the rest of the turn, in place of the one on file; none drops it (F§19.1)."""

    plan: Plan | None


_Moving = Lead | Go | Return | Second
_Acting = Pass | Food | Take | Forage | Hunt | Keep | Piece | Done | Build
_Card = Invent | Score | Decline | Hold | Drop
_Cave = Use | Discard | Barter | Name | Look | Arrange | Swap
Action = Rank | _Moving | _Acting | _Card | _Cave | File
