"""The meaning of a reading of the syntax in a position: an action, or several that it leaves open.

What a word names is settled by what lies there, never by what would be legal; only what is left
out is completed by what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec

from engine.protocol import Choices, Seat
from engine.sapiens import actions as do
from engine.sapiens.components import PLACES, TILES
from engine.sapiens.notation import naming
from engine.sapiens.notation.grammar import Order, TileName
from engine.sapiens.state import State

_PLACED: dict[str, type[do.Lay | do.Abandon | do.Feast]] = {
    "lay": do.Lay,
    "abandon": do.Abandon,
    "feast": do.Feast,
}


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """One way to understand a text: every offered action of `types` whose fields are `said`.

    `action` says the same with whatever was left out filled in anyhow; `whole` if nothing was.
    `tiles` are the tiles named, in written order; `present` is false when one of them does not lie
    where the action looks for it.
    """

    types: tuple[type, ...]
    said: dict[str, Any]
    action: do.Action
    whole: bool
    token: bool = False
    tiles: tuple[str, ...] = ()
    present: bool = True

    def completions(self, choices: Choices[do.Action] | tuple[()]) -> list[do.Action]:
        """The offered actions that the text can mean."""
        if self.whole and self.action in choices:
            return [self.action]
        return [action for action in choices if self._says(action)]

    def _says(self, action: do.Action) -> bool:
        if isinstance(action, do.Token) != self.token:
            return False
        effect: do.Action = action.effect if isinstance(action, do.Token) else action
        return isinstance(effect, self.types) and all(
            _agrees(getattr(effect, name), value) for name, value in self.said.items()
        )


def _agrees(given: Any, said: Any) -> bool:
    """True if a field is as said; of tiles to take, whether those said are among them."""
    return set(said) <= set(given) if isinstance(said, frozenset) else bool(given == said)


def meanings(state: State, seat: Seat, order: Order) -> list[Meaning]:
    """Everything a reading can mean here."""
    found = list(_READERS[order.verb](state, seat, order))
    if not order.token:
        return found
    return [
        msgspec.structs.replace(meaning, action=do.Token(effect=meaning.action), token=True)
        for meaning in found
        if isinstance(meaning.action, do.Bonus)
    ]


def _found(
    state: State, scope: Sequence[int], name: TileName
) -> list[tuple[str, tuple[str, str], bool]]:
    """The tiles a name can mean, with the scenes as written, and whether they are in scope."""
    here = naming.candidates(state, name, scope)
    if here:
        return [(TILES[tile], pair, True) for tile, pair in here]
    elsewhere = ((naming.tile_of(pair, name.copy or 1), pair) for pair in naming.scene_pairs(name))
    return [(tile, pair, False) for tile, pair in elsewhere if tile is not None]


def _placed(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    kind = _PLACED[order.verb]
    if not order.tiles:
        action = kind(tile=TILES[0], first=PLACES[0], second=PLACES[1])
        yield Meaning(types=(kind,), said={}, action=action, whole=False)
        return
    scope = naming.scope_of(state, seat, order.verb)
    for tile, pair, present in _found(state, scope, order.tiles[0]):
        slots = ("second", "first") if naming.swapped(pair) else ("first", "second")
        given = dict(zip(slots, order.places, strict=False))
        said: dict[str, Any] = {"tile": tile, **given}
        if order.pay:
            said["order"] = order.pay
        action = kind(
            tile=tile,
            first=given.get("first", PLACES[0]),
            second=given.get("second", PLACES[1]),
            order=order.pay,
        )
        yield Meaning(
            types=(kind,),
            said=said,
            action=action,
            whole=len(given) == 2,
            tiles=(tile,),
            present=present,
        )


def _take(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    if not order.tiles:
        yield Meaning(types=(do.Take,), said={}, action=do.Take(tiles=()), whole=False)
        return
    sets: dict[frozenset[tuple[Any, int]], tuple[str, ...]] = {}
    if len(order.tiles) <= len(state.common):
        fitting = [naming.matching(state, name, state.common) for name in order.tiles]
        for choice in product(*fitting):
            chosen = {tile for tile, _ in choice}
            if len(chosen) == len(choice):
                ordered = tuple(tile for tile in state.common if tile in chosen)
                sets.setdefault(_kinds(state, ordered), tuple(TILES[tile] for tile in ordered))
    for tiles in sets.values():
        yield _taking(tiles, present=True)
    if not sets:
        named = [_found(state, state.common, name) for name in order.tiles]
        if all(len(found) == 1 for found in named):
            yield _taking(tuple(found[0][0] for found in named), present=False)


def _kinds(state: State, tiles: Sequence[int]) -> frozenset[tuple[Any, int]]:
    kinds = [naming.kind(state, tile) for tile in tiles]
    return frozenset((kind, kinds.count(kind)) for kind in kinds)


def _taking(tiles: tuple[str, ...], *, present: bool) -> Meaning:
    return Meaning(
        types=(do.Take,),
        said={"tiles": frozenset(tiles)},
        action=do.Take(tiles=tiles),
        whole=True,
        tiles=tiles,
        present=present,
    )


def _fight(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    if not order.tiles:
        action = do.Fight(tile=TILES[0])
        yield Meaning(types=(do.Fight,), said={}, action=action, whole=False)
        return
    targets = _found(state, naming.scope_of(state, seat, "fight"), order.tiles[0])
    if len(order.tiles) == 1:
        for tile, _, present in targets:
            yield Meaning(
                types=(do.Fight,),
                said={"tile": tile},
                action=do.Fight(tile=tile),
                whole=True,
                tiles=(tile,),
                present=present,
            )
        return
    sources = _found(state, naming.scope_of(state, seat, "fight", 1), order.tiles[1])
    for (tile, _, there), (moved, _, marked) in product(targets, sources):
        yield Meaning(
            types=(do.Fight,),
            said={"tile": tile, "moved": moved},
            action=do.Fight(tile=tile, moved=moved),
            whole=True,
            tiles=(tile, moved),
            present=there and marked,
        )


def _water(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    nothing: list[tuple[str, tuple[str, str], bool]] = [(TILES[0], ("", ""), True)]
    names = order.tiles
    own_pool = naming.scope_of(state, seat, "water")
    gives = _found(state, own_pool, names[0]) if names else nothing
    pools = naming.scope_of(state, seat, "water", 1)
    gets = _found(state, pools, names[1]) if names[1:] else nothing
    for (give, _, own), (get, _, there) in product(gives, gets):
        said = dict(zip(("give", "get"), (give, get)[: len(names)], strict=False))
        yield Meaning(
            types=(do.Water,),
            said=said,
            action=do.Water(give=give, get=get),
            whole=len(names) == 2,
            tiles=tuple(said.values()),
            present=own and there,
        )


def _one_tile(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    kind: type[do.Retrieve | do.Remove] = do.Retrieve if order.verb == "retrieve" else do.Remove
    if not order.tiles:
        yield Meaning(types=(kind,), said={}, action=kind(tile=TILES[0]), whole=False)
        return
    for tile, _, present in _found(state, naming.scope_of(state, seat, order.verb), order.tiles[0]):
        yield Meaning(
            types=(kind,),
            said={"tile": tile},
            action=kind(tile=tile),
            whole=True,
            tiles=(tile,),
            present=present,
        )


def _ritual(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    if order.places:
        action: do.Action = do.Claim(place=order.places[0])
    elif order.scene is not None:
        action = do.Recall(scene=order.scene)
    else:
        claim = do.Claim(place=PLACES[-1])
        yield Meaning(types=(do.Claim, do.Recall), said={}, action=claim, whole=False)
        return
    yield _whole(action)


def _fire(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    match order:
        case Order(board=None, places=()):
            types: tuple[type, ...] = (do.PutBear, do.RemoveBear)
            said: dict[str, Any] = {}
        case Order(board=None, places=(square,)):
            yield _whole(do.RemoveBear(square=square))
            return
        case Order(board=board, places=(square,)) if board is not None:
            yield _whole(do.PutBear(board=board, square=square))
            return
        case _:
            types, said = (do.PutBear,), {"board": order.board}
    board = (seat + 1) % len(state.players) if order.board is None else order.board
    action = do.PutBear(board=board, square=PLACES[0])
    yield Meaning(types=types, said=said, action=action, whole=False)


def _bare(state: State, seat: Seat, order: Order) -> Iterator[Meaning]:
    match order.verb:
        case "out":
            yield _whole(do.Out())
        case "picking":
            yield _whole(do.Picking())
        case "camp":
            yield _whole(do.Camp())
        case _:
            yield _whole(do.Hunt(convert=order.number or 0))


def _whole(action: do.Action) -> Meaning:
    said = {name: getattr(action, name) for name in action.__struct_fields__}
    return Meaning(types=(type(action),), said=said, action=action, whole=True)


_READERS = {
    "lay": _placed,
    "abandon": _placed,
    "feast": _placed,
    "out": _bare,
    "picking": _bare,
    "ritual": _ritual,
    "fight": _fight,
    "water": _water,
    "camp": _bare,
    "hunt": _bare,
    "fire": _fire,
    "retrieve": _one_tile,
    "take": _take,
    "done": _take,
    "remove": _one_tile,
}
