"""The position before the first turn (S§2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.kit.tuples import with_player
from engine.protocol import Event, Seat, Step
from engine.sapiens.components import (
    BEARS,
    COMMON_POOL,
    PERSONAL_POOL,
    SCENES,
    SET_ASIDE,
    STEAKS,
    TILES,
)
from engine.sapiens.events import event
from engine.sapiens.halves import Half, faults, valley
from engine.sapiens.halves_file import SHIPPED_HALVES
from engine.sapiens.placing import STARTING, can_place
from engine.sapiens.state import START, Player, State, Turn, Valley


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table's choices. `halves` are all half boards there are, so that a match keeps its own.

    `faces` restricts which of them are dealt, by id ("L1a"); empty for all. `first` is the seat
    that begins; None leaves it to chance.
    """

    halves: tuple[Half, ...] = SHIPPED_HALVES
    faces: tuple[str, ...] = ()
    first: Seat | None = None


class OptionsError(ValueError):
    """Options no match can be set up with: `code` and `context` say why."""

    def __init__(self, code: str, **context: object) -> None:
        details = ", ".join(f"{key}={value!r}" for key, value in context.items())
        super().__init__(f"{code} ({details})")
        self.code = code
        self.context = context


def setup(seats: int, options: Options, chance: Chance) -> Step[State]:
    """Deal a match. Raises OptionsError for a number of players or options out of range.

    Draws, in this order: the 63 tiles (those set aside, the common pool, four tiles for each seat,
    the stack), the left pieces, the right pieces, the faces of the left and the right half of each
    seat, the mountain tokens of each seat (on the caves of the left half, of the right half, and on
    the waterfalls), the first player unless the options name one, and the stack again for every
    redraw (S§2.6).
    """
    if seats not in SET_ASIDE:
        raise OptionsError("players", seats=seats, least=min(SET_ASIDE), most=max(SET_ASIDE))
    if options.first is not None and options.first not in range(seats):
        raise OptionsError("first", first=options.first, seats=seats)
    pieces = _pieces(seats, options)
    tiles = list(chance.shuffled("tiles", range(len(TILES))))
    aside, tiles = tiles[: SET_ASIDE[seats]], tiles[SET_ASIDE[seats] :]
    common, tiles = tiles[:COMMON_POOL], tiles[COMMON_POOL:]
    valleys = _deal(seats, pieces, chance)
    players = []
    for seat in range(seats):
        pool, tiles = tiles[:PERSONAL_POOL], tiles[PERSONAL_POOL:]
        tokens = chance.shuffled(f"mountain tokens of seat {seat}", range(len(SCENES)))
        players.append(Player(valley=valleys[seat], mountain=tokens, pool=tuple(pool)))
    first = chance.below("first player", seats) if options.first is None else options.first
    state = State(
        players=tuple(players),
        common=tuple(common),
        stack=tuple(tiles),
        aside=tuple(aside),
        steaks=STEAKS,
        bears=BEARS,
        first=first,
        turn=Turn(number=1, seat=first, phase=START),
    )
    events: list[Event] = []
    state = _redraw(state, chance, events)
    begun = event(
        "begun",
        first=first,
        common=[TILES[tile] for tile in common],
        stack=len(state.stack),
        aside=len(aside),
    )
    return Step(state=state, events=(begun, *events), reveals=True)


def _pieces(seats: int, options: Options) -> dict[str, list[list[Half]]]:
    """The pieces that may be dealt, by side: each a list of its faces."""
    fault = next(faults(options.halves), None)
    if fault is not None:
        at = {} if fault.half is None else {"half": options.halves[fault.half].id}
        raise OptionsError(fault.code, **at, **fault.context)
    known = {half.id for half in options.halves}
    for face in options.faces:
        if face not in known:
            raise OptionsError("unknown_face", face=face, known=sorted(known))
    found: dict[str, defaultdict[str, list[Half]]] = {
        "left": defaultdict(list),
        "right": defaultdict(list),
    }
    for half in options.halves:
        if not options.faces or half.id in options.faces:
            found[half.side][half.piece].append(half)
    for side, pieces in found.items():
        if len(pieces) < seats:
            raise OptionsError("too_few_pieces", side=side, pieces=len(pieces), needed=seats)
    return {side: list(pieces.values()) for side, pieces in found.items()}


def _deal(seats: int, pieces: dict[str, list[list[Half]]], chance: Chance) -> list[Valley]:
    """A left and a right half for each seat; a piece serves once, on one face (S§2.3)."""
    dealt = {side: chance.shuffled(f"{side} halves", pieces[side]) for side in ("left", "right")}
    return [
        valley(
            *(
                _face(dealt[side][seat], f"face of seat {seat}'s {side} half", chance)
                for side in ("left", "right")
            )
        )
        for seat in range(seats)
    ]


def _face(faces: Sequence[Half], what: str, chance: Chance) -> Half:
    return faces[chance.below(what, len(faces))]


def _redraw(state: State, chance: Chance, events: list[Event]) -> State:
    """In turn order, whoever has no legal starting tile draws four others until one exists (S§2.6).

    The stack is shuffled, four tiles are drawn from it, and the old ones go under it: everybody
    has seen them there.
    """
    seats = len(state.players)
    for seat in ((state.first + k) % seats for k in range(seats)):
        while not can_place(state.players[seat], STARTING, picking_on_plains=False):
            player = state.players[seat]
            stack = chance.shuffled(f"redraw of seat {seat}", state.stack)
            new, rest = stack[:PERSONAL_POOL], stack[PERSONAL_POOL:]
            old = player.pool
            events.append(
                event(
                    "redrawn",
                    seat,
                    old=[TILES[tile] for tile in old],
                    new=[TILES[tile] for tile in new],
                )
            )
            state = replace(state, stack=rest + old, known=len(old))
            state = with_player(state, seat, replace(player, pool=new))
    return state
