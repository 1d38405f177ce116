"""Actions: lines of a move, orders for later, plans of both (M§8, M§19.4, M§24)."""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias

import msgspec

from engine.kit.plans.alternatives import Alternatives
from engine.mammoths.components import Hex, Sex, Species
from engine.protocol import Seat

Trigger = Literal["start", "behind", "fighters", "never"]
Counted = Literal["opponents", "mine", "animals", "herd", "food", "camps"]
Circumstance = (
    Counted
    | Literal["same", "always", "free", "closed", "tribe", "tribes", "came", "left", "still"]
)
Supply = Literal["starving", "always", "never"]


class _Tagged(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that can be done."""


# Set-up (M§3.5)


class Place(_Tagged, frozen=True, kw_only=True, tag="place"):
    """The wish list for the first camp."""

    hexes: tuple[Hex, ...]
    sow: bool = True


# A move (M§8.2)


class Move(_Tagged, frozen=True, kw_only=True, tag="move"):
    """Pawns along a path, from its first hex to its last."""

    w: int
    f: int
    path: tuple[Hex, ...]


class Found(_Tagged, frozen=True, kw_only=True, tag="found"):
    hex: Hex


class TakeFire(_Tagged, frozen=True, kw_only=True, tag="fire"):
    """`camp` is where the marker stands, 0 for the default (M§16.3)."""

    hex: Hex
    camp: Hex = 0


class Card(_Tagged, frozen=True, kw_only=True, tag="card"):
    """A trick of the window M. T16 names a tribe, others hexes. `drop` goes with it (M§17.4)."""

    title: str
    hexes: tuple[Hex, ...] = ()
    tribe: Seat | None = None
    fire: bool = False
    drop: str = ""


class Done(_Tagged, frozen=True, kw_only=True, tag="done"):
    """The move is whole, public and final."""


# Orders: what is kept until it is used (M§19.4). `at` is 0 for any hex.


class Loss(_Tagged, frozen=True, kw_only=True, tag="loss"):
    at: Hex
    letters: str


class EventLoss(_Tagged, frozen=True, kw_only=True, tag="event_loss"):
    sex: Sex


class Fights(_Tagged, frozen=True, kw_only=True, tag="fights"):
    hexes: tuple[Hex, ...]


class Herds(_Tagged, frozen=True, kw_only=True, tag="herds"):
    at: Hex
    species: tuple[Species, ...]


class CampChoice(_Tagged, frozen=True, kw_only=True, tag="camp"):
    at: Hex
    burn: bool


class CombatCard(_Tagged, frozen=True, kw_only=True, tag="combat_card"):
    """T04, T08, T09, T10. `against` is "tribes", a species, or "" for any fight; `most` goes with
    the trigger `fighters` (M§14.4)."""

    title: str
    at: Hex = 0
    against: str = ""
    trigger: Trigger
    most: int = 0
    drop: str = ""


class Retreat(_Tagged, frozen=True, kw_only=True, tag="retreat"):
    """Hexes by preference; without numbers all pawns leave."""

    title: ClassVar[str] = "T20"
    at: Hex
    to: tuple[Hex, ...]
    w: int = 0
    f: int = 0
    drop: str = ""


class Spirits(_Tagged, frozen=True, kw_only=True, tag="spirits"):
    """Without hexes any own camp."""

    title: ClassVar[str] = "T13"
    hexes: tuple[Hex, ...] = ()
    drop: str = ""


class Beaters(_Tagged, frozen=True, kw_only=True, tag="beaters"):
    """The second species counts with fire. Without a herd it is played always."""

    title: ClassVar[str] = "T11"
    species: tuple[Species, ...]
    direction: int
    herd: Species | None = None
    near: Hex = 0
    distance: int = 0
    drop: str = ""


class Bait(_Tagged, frozen=True, kw_only=True, tag="bait"):
    title: ClassVar[str] = "T12"
    at: Hex
    distance: int
    species: tuple[Species, ...]
    drop: str = ""


class Stores(_Tagged, frozen=True, kw_only=True, tag="stores"):
    """T14 and T15."""

    title: str
    trigger: Supply
    drop: str = ""


class Feast(_Tagged, frozen=True, kw_only=True, tag="feast"):
    title: ClassVar[str] = "T17"
    at: Hex
    sex: Sex
    drop: str = ""


class Starve(_Tagged, frozen=True, kw_only=True, tag="starve"):
    """The pawns that starve first: hexes, each with letters in their order."""

    pawns: tuple[tuple[Hex, str], ...]


class Unfed(_Tagged, frozen=True, kw_only=True, tag="unfed"):
    """Pawns left unfed on purpose."""

    pawns: tuple[tuple[Hex, str], ...]


class Births(_Tagged, frozen=True, kw_only=True, tag="births"):
    hexes: tuple[Hex, ...]


class Sow(_Tagged, frozen=True, kw_only=True, tag="sow"):
    """Without hexes nothing is sown."""

    hexes: tuple[Hex, ...]


class Reenter(_Tagged, frozen=True, kw_only=True, tag="reenter"):
    hexes: tuple[Hex, ...]


class Forget(_Tagged, frozen=True, kw_only=True, tag="forget"):
    """The word of an order, "card" with a title, or "all"."""

    word: str
    title: str = ""


FightOrder: TypeAlias = Loss | Fights | Herds | CampChoice | CombatCard | Retreat
"""All that the window W3 takes (M§19.1), and herds, which it may as well."""
_OtherCard: TypeAlias = Spirits | Beaters | Bait | Stores | Feast
_OtherOrder: TypeAlias = EventLoss | Starve | Unfed | Births | Sow | Reenter
Order: TypeAlias = FightOrder | _OtherCard | _OtherOrder


class Answer(_Tagged, frozen=True, kw_only=True, tag="answer"):
    """The sealed orders of a combat phase; what they leave open, standing orders say."""

    orders: tuple[FightOrder, ...] = ()


# Plans (M§24)


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """Something public (M§24.4). `most` says whether `number` is a maximum or a minimum."""

    what: Circumstance
    hexes: tuple[Hex, ...] = ()
    tribe: Seat | None = None
    species: Species | None = None
    most: bool = False
    number: int = 0


CONDITION_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "same": ("hexes",),
    "always": (),
    **dict.fromkeys(("free", "closed", "tribes"), ("hexes",)),
    **dict.fromkeys(("opponents", "mine", "animals"), ("hexes", "number")),
    "herd": ("hexes", "species", "number"),
    **dict.fromkeys(("tribe", "came", "left"), ("tribe", "hexes")),
    "still": ("tribe",),
    "food": ("number",),
    "camps": ("tribe", "number"),
}
"""What each condition names, in the order in which it is written; a number is a limit."""

Line: TypeAlias = Move | Found | TakeFire | Card
LINES: Final = (Move, Found, TakeFire, Card)


class PlanMove(_Tagged, frozen=True, kw_only=True, tag="plan_move"):
    """A move filed ahead. `shown` is the number of moves that were done on the board its player
    was shown (M§24.5): 0 for the invitation's."""

    plan: Alternatives[Condition, Line]
    shown: int = 0


class PlanFight(_Tagged, frozen=True, kw_only=True, tag="plan_fight"):
    """Combat orders filed ahead."""

    plan: Alternatives[Condition, FightOrder]
    shown: int = 0


class Withdraw(_Tagged, frozen=True, kw_only=True, tag="withdraw"):
    plan: Literal["move", "combat"]


class Draft(_Tagged, frozen=True, kw_only=True, tag="draft"):
    """Lines that are done as they stand if the time is up before the move is made (M§19.6)."""

    lines: tuple[Line, ...]


Action: TypeAlias = (
    Place | Line | Done | Answer | PlanMove | PlanFight | Withdraw | Draft | Order | Forget
)

CARD_ORDERS = (CombatCard, Retreat, Spirits, Beaters, Bait, Stores, Feast)
FIGHT_ORDERS = (Loss, Fights, Herds, CampChoice, CombatCard, Retreat)


def title_of(order: object) -> str:
    """The title of the trick an order is about, "" for none."""
    return "" if isinstance(order, Forget) else getattr(order, "title", "")


def hexes_of(line: Line) -> tuple[Hex, ...]:
    """The hexes a line of a move names."""
    match line:
        case Move(path=path):
            return path
        case Found(hex=at):
            return (at,)
        case TakeFire(hex=at, camp=camp):
            return (at, camp) if camp else (at,)
        case Card(hexes=hexes):
            return hexes


def word_of(order: object) -> str:
    """The word an order, or a kind of orders, begins with: its tag, "card" for all tricks."""
    kind = order if isinstance(order, type) else type(order)
    if kind in CARD_ORDERS:
        return "card"
    return str(getattr(kind, "__struct_config__").tag)  # noqa: B009


def key_of(order: object) -> tuple[str, str, object]:
    """The word, and hex or title and place: equal for orders that replace each other (M§24.3)."""
    place = getattr(order, "at", 0), getattr(order, "against", "")
    return word_of(order), title_of(order), place


def with_order(orders: tuple[Order, ...], order: Order) -> tuple[Order, ...]:
    """The orders with this one instead of the one it replaces."""
    kept = {key_of(each): each for each in orders} | {key_of(order): order}
    return tuple(kept.values())
