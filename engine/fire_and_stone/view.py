"""The view of a position: what everybody knows, and what one seat knows besides (F§15)."""

from __future__ import annotations

import msgspec

from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import NAMES, members, names
from engine.fire_and_stone.plans.lines import Plan
from engine.fire_and_stone.state import NOBODY, Phase, State
from engine.fire_and_stone.state import Player as PlayerState
from engine.protocol import Seat

DOWN = "down"
_SHOWN = {**box.KINDS, box.NO_TILE: ""}
_GAME_IDS = tuple(tile.id for tile in box.GAME)


class Village(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A territory with huts: those of each seat."""

    place: str
    huts: tuple[int, ...]


class Forest(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A revealed forest, and the number of game tiles in it."""

    place: str
    game: int


class Card(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An invention that somebody has; `covered` is the value of the VP card on it, 0 for none."""

    card: str
    covered: int


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One player's public things. `held` is the number of game tiles; `waiting` is true if the
    second explorer is to be placed in the next turn. `objective` is known at the end.
    """

    vp: int
    food: int
    capacity: int
    bags: int
    explorers: tuple[str, ...]
    waiting: bool
    huts_left: int
    light: tuple[str, ...]
    dark: tuple[str, ...]
    inventions: tuple[Card, ...]
    held: int
    marker: bool
    objective: str | None


class Own(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The things that only the seat itself knows. `looked` are tiles still face down, by place;
    `seen` is what it sees while it chooses: game tiles, or objectives that were not dealt;
    `cooking` are game tiles named for it. `waits` is the number of the line of the plan of which a
    rest waits, None for none.
    """

    objective: str
    held: tuple[str, ...]
    looked: dict[str, str]
    seen: tuple[str, ...]
    cooking: tuple[str, ...]
    ranking: tuple[str, ...]
    plan: Plan | None
    waits: int | None


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The position. `tiles` has for each territory in file order "down", the kind of the tile that
    lies face up, or "". `stacks` are the hunting stacks left by region, from I. `cave` is the card
    once revealed. `pile_bottom` are the cards at the bottom of the pile that everybody knows,
    `vp_card` is the value of the top VP card, 0 when they are gone. `moved` are explorers that have
    moved in this turn and `explorer` is the one in progress, from 1, None for none. `named` are
    places named for a look. `turns_left` are those after this one once the end is triggered.
    `card_spaces` are the spaces of a column that give a card. `own` is None for everybody's view.
    """

    tiles: tuple[str, ...]
    villages: tuple[Village, ...]
    forests: tuple[Forest, ...]
    players: tuple[Player, ...]
    track: int
    regions: int
    stacks: tuple[int, ...]
    cave: str | None
    cave_gone: bool
    row: tuple[str, ...]
    pile: int
    pile_bottom: tuple[str, ...]
    vp_card: int
    vp_cards: int
    bag_tokens: int
    starting: tuple[str, ...]
    card_spaces: tuple[int, ...]
    first: Seat
    to_move: Seat | None
    turn: int
    phase: str
    explorer: int | None
    moved: tuple[int, ...]
    named: tuple[str, ...]
    second_fires: tuple[str, ...]
    turns_left: int | None
    ended_by: Seat | None
    own: Own | None


def view(state: State, seat: Seat | None) -> View:
    """The position as this seat, or everybody, may know it."""
    turn = state.turn
    down = state.down
    tiles = tuple([DOWN if down >> n & 1 else _SHOWN[tile] for n, tile in enumerate(state.tiles)])
    known = len(state.pile) - state.pile_known
    left = len(box.VP_CARDS) - state.vp_taken
    return View(
        tiles=tiles,
        villages=_villages(state),
        forests=tuple([Forest(place=NAMES[f.place], game=len(f.tiles)) for f in state.forests]),
        players=tuple([_player(state, player) for player in state.players]),
        track=state.track,
        regions=state.open_regions,
        stacks=tuple([len(stacks) for stacks in state.stacks[1:]]),
        cave=state.cave if state.cave_up and state.cave else None,
        cave_gone=not state.cave,
        row=state.row,
        pile=len(state.pile),
        pile_bottom=state.pile[known:],
        vp_card=box.VP_CARDS[state.vp_taken] if left else 0,
        vp_cards=left,
        bag_tokens=state.bag_tokens,
        starting=state.starting,
        card_spaces=state.card_spaces,
        first=state.first,
        to_move=None if turn.phase in (Phase.OVER, Phase.RANK) else turn.seat,
        turn=turn.number,
        phase=turn.phase,
        explorer=turn.explorer + 1 if turn.explorer >= 0 else None,
        moved=tuple([number + 1 for number in members(turn.moved)]),
        named=tuple([NAMES[place] for place in turn.named]),
        second_fires=names(state.second_fires),
        turns_left=None if state.turns_left == NOBODY else state.turns_left,
        ended_by=None if state.ended_by == NOBODY else state.ended_by,
        own=None if seat is None else _own(state, seat),
    )


def _villages(state: State) -> tuple[Village, ...]:
    places = sorted({place for player in state.players for place in player.huts})
    return tuple(Village(place=NAMES[place], huts=state.huts_of_each(place)) for place in places)


def _player(state: State, player: PlayerState) -> Player:
    light, dark = player.columns
    return Player(
        vp=player.vp,
        food=player.food,
        capacity=player.capacity,
        bags=player.bags,
        explorers=tuple([NAMES[place] for place in player.explorers]),
        waiting=bool(state.second_fires) and len(player.explorers) == 1,
        huts_left=player.huts_left,
        light=tuple([box.IN_COLUMN[tile] for tile in light]),
        dark=tuple([box.IN_COLUMN[tile] for tile in dark]),
        inventions=tuple(
            Card(card=card, covered=value)
            for card, value in zip(player.inventions, player.covered, strict=True)
        ),
        held=len(player.held),
        marker=player.marker,
        objective=player.objective if state.turn.phase == Phase.OVER else None,
    )


def _own(state: State, seat: Seat) -> Own:
    player, mine = state.players[seat], seat == state.turn.seat
    looked = members(player.looked & state.down)
    waiting = state.waiting if mine else None
    return Own(
        objective=player.objective,
        held=tuple([_GAME_IDS[tile] for tile in player.held]),
        looked={NAMES[place]: box.KINDS[state.tiles[place]] for place in looked},
        seen=_seen(state) if mine else (),
        cooking=tuple([_GAME_IDS[tile] for tile in state.turn.pieces]) if mine else (),
        ranking=state.rankings[seat] if state.turn.phase == Phase.RANK else (),
        plan=state.plan if mine else None,
        waits=None if waiting is None else waiting.line,
    )


def _seen(state: State) -> tuple[str, ...]:
    """The things that the seat to move sees while it chooses."""
    if state.turn.phase == Phase.KEEP:
        forest = state.forest_here
        return tuple([_GAME_IDS[tile] for tile in forest.tiles])
    if state.turn.phase == Phase.ARRANGE:
        return tuple([box.KINDS[state.tiles[place]] for place in state.turn.named])
    return state.undealt if state.turn.phase == Phase.COUNCIL else ()
