"""The actions of a turn, as values that know no position.

Squares are "A1" .. "H5", caves are named after entrance and side ("C1N"), waterfalls are "WL" and
"WR" (S§1.3-5). A tile is named by its two scenes in the order of `components.SCENES` and its copy:
"hunt-fire.1". `first` is the place of the first-named scene, `second` of the other.
"""

from __future__ import annotations

import msgspec

from engine.protocol import Seat


class _Action(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="do", forbid_unknown_fields=True
):
    # No value here can be part of a cycle, so the garbage collector need not follow them.
    pass


class Lay(_Action, frozen=True, kw_only=True, tag="lay"):
    """The mandatory tile of a turn, starting turn included (S§3.1, S§4.1).

    `order` names the owners of the fight tokens on the tile in the order they are resolved
    (S§8.4). It is given only where it matters: with tokens of two or more others and some FP, but
    fewer than tokens.
    """

    tile: str
    first: str
    second: str
    order: tuple[Seat, ...] = ()


class Abandon(_Action, frozen=True, kw_only=True, tag="abandon"):
    """Open a new tribe on a free cave (S§11)."""

    tile: str
    first: str
    second: str
    order: tuple[Seat, ...] = ()


class Out(_Action, frozen=True, kw_only=True, tag="out"):
    """Leave the game when no tile can be laid and no cave opened (S§11.4)."""


class Feast(_Action, frozen=True, kw_only=True, tag="feast"):
    """One more tile, without FP or bonus (S§8.1)."""

    tile: str
    first: str
    second: str
    order: tuple[Seat, ...] = ()


class Picking(_Action, frozen=True, kw_only=True, tag="picking"):
    """+1 FP (S§8.2); as a token, `picking` may lie on plains this turn (S§9.4)."""


class Claim(_Action, frozen=True, kw_only=True, tag="claim"):
    """`ritual`: claim the mountain token lying on an own cave or waterfall (S§8.3)."""

    place: str


class Recall(_Action, frozen=True, kw_only=True, tag="recall"):
    """`ritual` when none lies there: take back the used token of this scene (S§8.3)."""

    scene: str


class Fight(_Action, frozen=True, kw_only=True, tag="fight"):
    """Put an own fight token on a tile of any pool (S§8.4).

    `moved` is the tile it is taken from when all three are out (it may be the same), else empty.
    """

    tile: str
    moved: str = ""


class Water(_Action, frozen=True, kw_only=True, tag="water"):
    """Swap an own personal tile with one of another pool (S§8.5)."""

    give: str
    get: str


class Camp(_Action, frozen=True, kw_only=True, tag="camp"):
    """+3 SP (S§8.6)."""


class Hunt(_Action, frozen=True, kw_only=True, tag="hunt"):
    """Take a steak, then convert this many own steaks (S§8.7); 0 as a token (S§9.2)."""

    convert: int = 0


class PutBear(_Action, frozen=True, kw_only=True, tag="bear"):
    """`fire`: a bear on another player's board (S§8.8)."""

    board: Seat
    square: str


class RemoveBear(_Action, frozen=True, kw_only=True, tag="unbear"):
    """`fire`: take a bear off the own board (S§8.8)."""

    square: str


Bonus = Feast | Picking | Claim | Recall | Fight | Water | Camp | Hunt | PutBear | RemoveBear
"""One use of a scene's bonus; the tag tells the scene."""


class Token(_Action, frozen=True, kw_only=True, tag="token"):
    """Play a claimed mountain token of the scene of this bonus (S§9)."""

    effect: Bonus


class Retrieve(_Action, frozen=True, kw_only=True, tag="retrieve"):
    """Take back an own fight token from a tile (S§4.4)."""

    tile: str


class Take(_Action, frozen=True, kw_only=True, tag="take"):
    """Refill the personal pool (S§10.1): exactly as many common tiles as are missing, as far as
    there are.

    The tiles are in the order of the common pool. Bonuses not used by now are declined. With
    nothing to take (an empty common pool) the action still ends the turn."""

    tiles: tuple[str, ...]


class Remove(_Action, frozen=True, kw_only=True, tag="remove"):
    """Two players: take this common tile out of the game (S§13.1)."""

    tile: str


Action = Lay | Abandon | Out | Bonus | Token | Retrieve | Take | Remove
