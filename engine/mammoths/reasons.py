"""The reasons for suggested moves: what each comes to, of what everybody can see and what is the
reader's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from engine.chance import NoChance
from engine.mammoths import actions as do
from engine.mammoths.actions import Action
from engine.mammoths.components import CAMPS, Hex, Species
from engine.mammoths.moving import play_line
from engine.mammoths.seasons import income
from engine.mammoths.state import State
from engine.mammoths.table import Table
from engine.protocol import Seat


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a move: `attacks` on hex, tribe, warriors, women, and whether its camp is
    there; `hunts` of hex, species, number; hexes to found a camp on next turn (M§9.1); camps
    `given_up` (M§8.6); all `camps` if it founds one; the difference in `food` that fish and forests
    make this turn."""

    attacks: tuple[tuple[Hex, Seat, int, int, bool], ...] = ()
    hunts: tuple[tuple[Hex, Species, int], ...] = ()
    sites: tuple[Hex, ...] = ()
    given_up: tuple[Hex, ...] = ()
    camps: int = 0
    food: int = 0


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """The hex of a first camp, how many hexes with fish and forests are next to it, and the wishes
    that come after it (M§4.4)."""

    terrain: str
    water: bool
    fish: int
    forests: int
    others: tuple[Hex, ...]


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that sealed orders play; else how many standing orders hold."""

    cards: tuple[str, ...]
    standing: int


Reason: TypeAlias = Move | Home | Fight


def reasons(
    state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]
) -> Sequence[Reason | None]:
    """For each of these submissions what it comes to; None for one that changes nothing."""
    return [_reason(state, seat, actions) for actions in suggested]


def _reason(state: State, seat: Seat, actions: Sequence[Action]) -> Reason | None:
    match actions[0]:
        case do.Place(hexes=(at, *others)):
            return _home(state, at, tuple(others))
        case do.Answer(orders=orders):
            cards = tuple(each.title for each in orders if isinstance(each, do.CombatCard))
            return Fight(cards=cards, standing=len(state.tribes[seat].orders))
        case do.Move() | do.Found() | do.TakeFire() | do.Card():
            return _move(state, seat, actions)
    return None


def _home(state: State, at: Hex, others: tuple[Hex, ...]) -> Home:
    places = state.map.places
    wet = {hex for hex in state.map.land if places[hex].lakeside or places[hex].rivers}
    near = places[at].neighbours
    return Home(
        terrain=places[at].terrain,
        water=at in wet,
        fish=sum(other in wet for other in near),
        forests=sum(places[other].terrain == "forest" for other in near),
        others=others,
    )


def _move(state: State, seat: Seat, actions: Sequence[Action]) -> Move | None:
    before, after = Table(state, NoChance()), Table(state, NoChance())
    for action in actions:
        if isinstance(action, do.Move | do.Found | do.TakeFire | do.Card):
            play_line(after, seat, action)
    gone_to = [at for at in after.hexes_of(seat) if not before.count(at, seat)]
    own = after.camps_of(seat)
    now, then = income(before, seat), income(after, seat)
    found = Move(
        attacks=tuple(
            (at, other, w, f, after.owns_camp(at, other))
            for at in gone_to
            for other, (w, f) in sorted(after.pawns[at].items())
            if other != seat
        ),
        hunts=tuple(
            (at, species, len(letters))
            for at in gone_to
            for species, letters in after.herds.get(at, {}).items()
        ),
        sites=tuple(
            at
            for at in gone_to
            if len(own) < CAMPS and after.is_free(at, seat) and all(after.at(at, seat))
            if at not in after.camps
        ),
        given_up=tuple(at for at in own if not after.at(at, seat)[1]),
        camps=len(own) * any(isinstance(action, do.Found) for action in actions),
        food=then.fish + then.forage - now.fish - now.forage,
    )
    return found if found != Move() else None
