"""A position that a seat cannot tell from the true one: what it does not know is drawn anew (F§15).

What a hunter saw counts as known until somebody else hunts there; what the Council showed, until
somebody else visits it.
"""

from __future__ import annotations

from itertools import permutations

from msgspec.structs import replace

from engine.chance import Chance
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import members
from engine.fire_and_stone.state import Phase, State
from engine.kit.guessing import dealt_anew
from engine.protocol import Seat


def guess(state: State, seat: Seat, chance: Chance) -> State:
    """One of the positions that look the same to this seat."""
    state = _tiles(state, seat, chance)
    state = _game(state, seat, chance)
    if not state.cave_up:
        cards = [card.id for card in box.CAVES if state.expert or not card.expert]
        state = replace(state, cave=cards[chance.below("unseen cave card", len(cards))])
    unknown = len(state.pile) - state.pile_known
    (pile,) = dealt_anew(chance, "unseen inventions", [state.pile[:unknown]])
    state = replace(state, pile=pile + state.pile[unknown:])
    state = _objectives(state, seat, chance)
    if state.turn.phase == Phase.RANK:
        state = _rankings(state, seat, chance)
    if seat == state.turn.seat:
        return state
    return replace(state, plan=None, waiting=None, turn=replace(state.turn, shown=(), pieces=()))


def _tiles(state: State, seat: Seat, chance: Chance) -> State:
    tiles = list(state.tiles)
    unseen = state.down & ~state.players[seat].looked
    for region in (1, 2, 3):
        places = members(unseen & land.IN_REGION[region])
        kinds = tuple(tiles[place] for place in places)
        (drawn,) = dealt_anew(chance, f"unseen tiles of region {region}", [kinds])
        for place, kind in zip(places, drawn, strict=True):
            tiles[place] = kind
    return replace(state, tiles="".join(tiles))


def _game(state: State, seat: Seat, chance: Chance) -> State:
    """Game tiles in stacks, in forests seen by others alone, and in others' hands."""
    stacks = [stack for of_region in state.stacks for stack in of_region]
    unknown = [forest for forest in state.forests if not forest.seen >> seat & 1]
    held = [player.held for other, player in enumerate(state.players) if other != seat]
    hidden = (*stacks, *(forest.tiles for forest in unknown), *held)
    drawn = iter(dealt_anew(chance, "unseen game tiles", hidden))
    return replace(
        state,
        stacks=tuple(tuple(next(drawn) for _ in of_region) for of_region in state.stacks),
        forests=tuple(
            replace(forest, tiles=next(drawn)) if forest in unknown else forest
            for forest in state.forests
        ),
        players=tuple(
            player if other == seat else replace(player, held=tuple(sorted(next(drawn))))
            for other, player in enumerate(state.players)
        ),
    )


def _objectives(state: State, seat: Seat, chance: Chance) -> State:
    """Those of the others and the undealt ones; all are known at the end."""
    if state.turn.phase == Phase.OVER:
        return state
    others = tuple(p.objective for other, p in enumerate(state.players) if other != seat)
    known = state.undealt if state.undealt_seen >> seat & 1 else ()
    hidden = [others, () if known else state.undealt]
    theirs, undealt = dealt_anew(chance, "unseen objectives", hidden)
    drawn = iter(theirs)
    players = tuple(
        player if other == seat else replace(player, objective=next(drawn))
        for other, player in enumerate(state.players)
    )
    return replace(state, players=players, undealt=known or undealt)


def _rankings(state: State, seat: Seat, chance: Chance) -> State:
    """The lists of the others: whether they are in, and what they say, is unknown (F§3.13)."""
    cards = list(permutations(state.starting))
    rankings = tuple(
        ranking
        if other == seat or not ranking
        else cards[chance.below("unseen ranking", len(cards))]
        for other, ranking in enumerate(state.rankings)
    )
    return replace(state, rankings=rankings)
