"""A position that a seat cannot tell from the true one: what it does not know is drawn anew (F§15).

What a hunter saw counts as known until somebody else hunts there; what the Council showed, until
somebody else visits it.
"""

from __future__ import annotations

from itertools import islice, permutations

from msgspec.structs import replace

from engine.chance import Chance
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.map import members
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Seat


def guess(state: State, seat: Seat, chance: Chance) -> State:
    """One of the positions that look the same to this seat."""
    state = _tiles(state, seat, chance)
    state = _game(state, seat, chance)
    if not state.cave_up:
        cards = [card.id for card in box.CAVES if state.expert or not card.expert]
        state = replace(state, cave=cards[chance.below("unseen cave card", len(cards))])
    unknown = len(state.pile) - state.pile_known
    if unknown:
        pile = chance.shuffled("unseen inventions", sorted(state.pile[:unknown]))
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
        if places:
            kinds = sorted(tiles[place] for place in places)
            drawn = chance.shuffled(f"unseen tiles of region {region}", kinds)
            for place, kind in zip(places, drawn, strict=True):
                tiles[place] = kind
    return replace(state, tiles="".join(tiles))


def _game(state: State, seat: Seat, chance: Chance) -> State:
    """Game tiles in stacks, in forests seen by others alone, and in others' hands."""
    unknown = [forest for forest in state.forests if not forest.seen >> seat & 1]
    others = [player for other, player in enumerate(state.players) if other != seat]
    unseen = [tile for stacks in state.stacks for stack in stacks for tile in stack]
    unseen += [tile for forest in unknown for tile in forest.tiles]
    unseen += [tile for player in others for tile in player.held]
    drawn = iter(chance.shuffled("unseen game tiles", sorted(unseen)) if unseen else ())

    def dealt(tiles: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(islice(drawn, len(tiles)))

    return replace(
        state,
        stacks=tuple(tuple(map(dealt, stacks)) for stacks in state.stacks),
        forests=tuple(
            replace(forest, tiles=dealt(forest.tiles)) if forest in unknown else forest
            for forest in state.forests
        ),
        players=tuple(
            player if other == seat else replace(player, held=tuple(sorted(dealt(player.held))))
            for other, player in enumerate(state.players)
        ),
    )


def _objectives(state: State, seat: Seat, chance: Chance) -> State:
    """Those of the others and the undealt ones; all are known at the end."""
    if state.turn.phase == Phase.OVER:
        return state
    others = [player.objective for other, player in enumerate(state.players) if other != seat]
    knows_undealt = state.undealt_seen >> seat & 1
    unseen = others if knows_undealt else [*others, *state.undealt]
    drawn = iter(chance.shuffled("unseen objectives", sorted(unseen)))
    players = tuple(
        player if other == seat else replace(player, objective=next(drawn))
        for other, player in enumerate(state.players)
    )
    undealt = state.undealt if knows_undealt else tuple(drawn)
    return replace(state, players=players, undealt=undealt)


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
