"""The position before the first turn (F§3)."""

from __future__ import annotations

from itertools import islice
from typing import Literal

import msgspec

from engine.chance import Chance
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.change import Change
from engine.fire_and_stone.events import event
from engine.fire_and_stone.flow import begin_turn
from engine.fire_and_stone.state import Phase, Player, State, Turn
from engine.protocol import Seat, Step


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table's choices.

    `cave_level` restricts the cave card (F§3.3), `card_spaces` are the spaces of a column that give
    a card (F§3.11), `start_tile` is that of three players (F§3.9). `starting_inventions` plays the
    variant (F§3.12). `first` is the seat that begins; None leaves it to chance. By `plays_forced`
    what has one answer that everybody can foresee is played; older matches ask it (ruling 62).
    """

    cave_level: Literal["any", "beginner"] = "any"
    card_spaces: tuple[int, ...] = (3,)
    start_tile: Literal["sun", "moon"] = "sun"
    starting_inventions: bool = False
    first: Seat | None = None
    plays_forced: bool = False


def setup(seats: int, options: Options, chance: Chance) -> Step[State]:
    """Deal a match. Raises ValueError for a number of players or options out of range.

    Draws in the order of F§3.14.
    """
    if seats not in box.SEATS:
        raise ValueError(f"for {box.SEATS[0]} to {box.SEATS[-1]} players, not {seats}")
    if options.card_spaces not in ((3,), (2, 3)):
        raise ValueError(f"card_spaces: (3,) or (2, 3), not {options.card_spaces}")
    if options.first is not None and options.first not in range(seats):
        raise ValueError(f"first: a seat from 0 to {seats - 1}, not {options.first}")
    tiles, down = [box.NO_TILE] * len(land.NAMES), 0
    for region in (1, 2, 3):
        kinds = chance.shuffled(f"tiles of region {region}", box.DISCOVERY_TILES[region])
        for place, kind in zip(land.FOOD[region], kinds, strict=True):
            tiles[place] = kind
            down |= 1 << place
    game = chance.shuffled(
        "game tiles", [n for n, t in enumerate(box.GAME) for _ in range(t.copies)]
    )
    cards = [c.id for c in box.CAVES if options.cave_level == "any" or not c.expert]
    cave = cards[chance.below("cave card", len(cards))]
    pile = chance.shuffled("inventions", [i.id for i in box.INVENTIONS for _ in range(i.copies)])
    objectives = chance.shuffled("objectives", tuple(box.OBJECTIVES))
    starting: tuple[str, ...] = ()
    if options.starting_inventions:
        starting = chance.shuffled("starting inventions", box.STARTING_IDS)[:seats]
    first = chance.below("first player", seats) if options.first is None else options.first
    columns = _columns(seats, options)
    state = State(
        players=tuple(Player(objective=objectives[seat], columns=columns) for seat in range(seats)),
        tiles="".join(tiles),
        down=down,
        stacks=_stacks(game),
        cave=cave,
        expert=options.cave_level == "any",
        row=pile[: box.ROW],
        pile=pile[box.ROW :],
        bag_tokens=box.BAG_TOKENS,
        undealt=objectives[seats:],
        card_spaces=options.card_spaces,
        plays_forced=options.plays_forced,
        first=first,
        starting=starting,
        rankings=((),) * seats,
        turn=Turn(number=0, seat=first, phase=Phase.RANK if starting else Phase.MOVE),
    )
    change = Change(state)
    change.events.append(event("begun", first=first, row=list(state.row), starting=list(starting)))
    for seat in range(seats):
        change.tell("objective_dealt", seat, objective=objectives[seat])
    if not starting:
        begin_turn(change, 1, first)
    return Step(state=change.state, events=tuple(change.events), reveals=True)


def _columns(seats: int, options: Options) -> tuple[str, str]:
    """F§3.8-9: the light and the dark column with their start tiles."""
    own = ("sun", "moon") if seats == 4 else (options.start_tile,) if seats == 3 else ()
    return box.SUN * ("sun" in own), box.MOON * ("moon" in own)


def _stacks(game: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """F§3.2: by region, from 0, stacks of three game tiles."""
    stacks = iter([game[at : at + box.STACK] for at in range(0, len(game), box.STACK)])
    return tuple([tuple(islice(stacks, number)) for number in box.STACKS])
