"""Meanings of a reading in a position: the tiles it names, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import msgspec

from engine.kit.notation.meaning import Meaning, exactly, saying
from engine.protocol import Seat
from engine.sapiens import actions as do
from engine.sapiens.components import PLACES, TILES
from engine.sapiens.notation import naming
from engine.sapiens.notation.grammar import Order
from engine.sapiens.state import State

_Meaning = Meaning[do.Action]

NAMED: Final[Mapping[str, tuple[type[do.Action], tuple[str, ...]]]] = {
    "lay": (do.Lay, ("tile",)),
    "abandon": (do.Abandon, ("tile",)),
    "feast": (do.Feast, ("tile",)),
    "fight": (do.Fight, ("tile", "moved")),
    "water": (do.Water, ("give", "get")),
    "retrieve": (do.Retrieve, ("tile",)),
    "remove": (do.Remove, ("tile",)),
}
"""By its first word, an action and the fields in which it names tiles, in written order."""

_BARE: Mapping[str, do.Action] = {"out": do.Out(), "picking": do.Picking(), "camp": do.Camp()}


def meanings(state: State, seat: Seat, order: Order) -> list[_Meaning]:
    """Everything a reading can mean here."""
    if order.verb in NAMED:
        found = list(_naming_tiles(state, seat, order))
    elif order.verb in ("take", "done"):
        found = list(_taking(state, order))
    else:
        found = [_bare(state, seat, order)]
    return [_of_token(meaning) for meaning in found] if order.token else found


def _of_token(meaning: _Meaning) -> _Meaning:
    assert isinstance(meaning.action, do.Bonus)
    return msgspec.structs.replace(
        meaning,
        action=do.Token(effect=meaning.action),
        fits=lambda action: isinstance(action, do.Token) and meaning.fits(action.effect),
    )


def _naming_tiles(state: State, seat: Seat, order: Order) -> Iterator[_Meaning]:
    """An action that names tiles, each to be looked for where this action finds it."""
    kind, fields = NAMED[order.verb]
    placed = kind in (do.Lay, do.Abandon, do.Feast)
    filled = {name: TILES[0] for name in fields if name != "moved"}
    if placed:
        filled |= {"first": PLACES[0], "second": PLACES[1]}
    named = [
        naming.found(state, name, naming.scope_of(state, seat, order.verb, nth))
        for nth, name in enumerate(order.tiles)
    ]
    for tiles in product(*named):
        said: dict[str, Any] = dict(zip(fields, (tile for tile, _, _ in tiles), strict=False))
        if placed and tiles:
            # The first scene named lies on the first place named.
            slots = ("second", "first") if naming.swapped(tiles[0][1]) else ("first", "second")
            said |= dict(zip(slots, order.places, strict=False))
        if order.pay:
            said["order"] = order.pay
        yield Meaning(
            action=kind(**filled | said),
            fits=saying(kind, **said),
            missing="" if filled.keys() <= said.keys() else "place" if tiles else "tile",
            present=all(present for _, _, present in tiles),
        )


def _taking(state: State, order: Order) -> Iterator[_Meaning]:
    """Tiles to take: every set of those in the common pool that the names can mean."""
    if not order.tiles:
        yield Meaning(action=do.Take(tiles=()), fits=saying(do.Take), missing="tile")
        return
    sets: dict[frozenset[tuple[naming.Kind, int]], tuple[int, ...]] = {}
    if len(order.tiles) <= len(state.common):
        for choice in product(*(naming.matching(name, state.common) for name in order.tiles)):
            chosen = {tile for tile, _ in choice}
            if len(chosen) == len(choice):
                tiles = tuple(tile for tile in state.common if tile in chosen)
                sets.setdefault(naming.kinds(state, tiles), tiles)
    named = [tuple(TILES[tile] for tile in tiles) for tiles in sets.values()]
    if not sets:
        found = [naming.found(state, name, state.common) for name in order.tiles]
        if all(len(each) == 1 for each in found):
            named = [tuple(each[0][0] for each in found)]
    for names in named:
        fits = saying(do.Take, tiles=frozenset(names))
        yield Meaning(action=do.Take(tiles=names), fits=fits, present=bool(sets))


def _bare(state: State, seat: Seat, order: Order) -> _Meaning:
    """An action that names no tile."""
    match order:
        case Order(verb="ritual", places=(place,)):
            return exactly(do.Claim(place=place))
        case Order(verb="ritual", scene=str(scene)):
            return exactly(do.Recall(scene=scene))
        case Order(verb="ritual"):
            either = saying(do.Claim, do.Recall)
            return Meaning(action=do.Claim(place=PLACES[-1]), fits=either, missing="place")
        case Order(verb="fire", board=None, places=(square,)):
            return exactly(do.RemoveBear(square=square))
        case Order(verb="fire", board=int(board), places=(square,)):
            return exactly(do.PutBear(board=board, square=square))
        case Order(verb="fire", board=int(board)):
            bear = do.PutBear(board=board, square=PLACES[0])
            return Meaning(action=bear, fits=saying(do.PutBear, board=board), missing="place")
        case Order(verb="fire"):
            bear = do.PutBear(board=(seat + 1) % len(state.players), square=PLACES[0])
            either = saying(do.PutBear, do.RemoveBear)
            return Meaning(action=bear, fits=either, missing="place")
        case Order(verb="hunt"):
            return exactly(do.Hunt(convert=order.number or 0))
        case _:
            return exactly(_BARE[order.verb])
