"""The reasons for suggested moves: what each comes to, of what everybody can see and what is the
reader's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from engine.chance import NoChance
from engine.kit.tuples import put
from engine.mammoths import actions as do
from engine.mammoths.actions import Action
from engine.mammoths.battles import Battle, battles
from engine.mammoths.components import CAMPS, CAMPS_TO_WIN, Board, Hex, Place, Species
from engine.mammoths.moving import play_line, ready
from engine.mammoths.seasons import cost, income
from engine.mammoths.state import State
from engine.mammoths.table import Table
from engine.protocol import Seat


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """The hex of a first camp: the `food` it gives in a turn of summer, what the hexes one step
    `near` it give together, how many `ways` lead to such a hex, and whether lava can reach it; then
    the wishes after it (M§3.3). Of a camp to come, hexes that anybody holds are not counted."""

    terrain: str
    water: bool
    food: int
    near: int
    ways: int
    lava: bool
    others: tuple[Hex, ...] = ()


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a move: `attacks` on hex, tribe, warriors, women, and whether its camp is
    there; `hunts` of hex, species, number; fights that are `joined` by more; hexes to found a camp
    on next turn (M§9.1), and others that are newly `occupied`; camps `given_up` (M§8.6); the hexes
    of camps `founded`, and all `camps` if there are some; those `left_bare`, on which one could be
    founded now. The `race` is of all who may win by camps, with the tribe itself first: seat,
    camps, pawns and food before the fights, camps if the tribe wins all of its fights (M§10.10).

    Then what it is judged by: the `fights` it leads to, on which hexes they `stand` as they did
    before and which are `left`; of a move without fights the ground of its only `site`, and whether
    it is `winter`; other hexes it goes to that `lava` reaches; the food a tribe
    `has`, with what it has `stolen`, what its meals `cost`, what fish and forests `give`, of that
    the `forests`, so much `more` than if nobody moves."""

    attacks: tuple[tuple[Hex, Seat, int, int, bool], ...] = ()
    hunts: tuple[tuple[Hex, Species, int], ...] = ()
    joined: tuple[Hex, ...] = ()
    sites: tuple[Hex, ...] = ()
    occupied: tuple[Hex, ...] = ()
    given_up: tuple[Hex, ...] = ()
    founded: tuple[Hex, ...] = ()
    camps: int = 0
    left_bare: tuple[Hex, ...] = ()
    race: tuple[tuple[Seat, int, int, int, int], ...] = ()
    fights: tuple[Battle, ...] = ()
    stand: tuple[Hex, ...] = ()
    left: tuple[Hex, ...] = ()
    site: Home | None = None
    winter: bool = False
    lava: tuple[Hex, ...] = ()
    has: int = 0
    cost: int = 0
    give: int = 0
    forests: int = 0
    more: int = 0
    stolen: int = 0


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that sealed orders play, else how many standing orders hold, and whether they name
    who is to fall (`losses`); the `fights` there are, with the chances that these orders give, or
    none if no suggestion changes any; `alone` if there is nothing else to choose."""

    cards: tuple[str, ...]
    standing: int
    losses: bool = False
    fights: tuple[Battle, ...] = ()
    alone: bool = False


Reason: TypeAlias = Move | Home | Fight


def reasons(
    state: State, seat: Seat, suggested: Sequence[tuple[Action, ...]]
) -> Sequence[Reason | None]:
    """For each of these submissions what it comes to."""
    found = [_reason(state, seat, actions) for actions in suggested]
    orders = [each for each in found if isinstance(each, Fight)]
    stand = battles(Table(state, NoChance()), seat) if orders else ()
    told = {"fights": ()} if all(each.fights == stand for each in orders) else {}
    sealed = [replace(each, alone=len(found) == 1 and not each.cards, **told) for each in orders]
    return sealed or found


def ideas(state: State, seat: Seat, actions: Sequence[Action]) -> frozenset[tuple[str, Hex]]:
    """The things that a move does, and where, however many pawns do them; to move nobody is one."""
    if actions == (do.Done(),):
        return frozenset({("stay", 0)})
    move = _move(state, seat, actions)
    fights = {each[0] for each in move.attacks} | {each[0] for each in move.hunts}
    done = {"fight": fights.union(move.joined), "go": {*move.sites, *move.occupied},
            "leave": {*move.left}, "found": {*move.founded},
            "hold": {*move.stand, *move.joined}}  # fmt: skip
    cards = ((card.title, 0) for card in actions if isinstance(card, do.Card))
    return frozenset((what, at) for what, hexes in done.items() for at in hexes).union(cards)


def _reason(state: State, seat: Seat, actions: Sequence[Action]) -> Reason | None:
    match actions[0]:
        case do.Place(hexes=(at, *others)):
            return replace(home(state.map, at), others=tuple(others))
        case do.Answer(orders=orders):
            cards = tuple(each.title for each in orders if isinstance(each, do.CombatCard))
            fights = battles(Table(answered(state, seat, orders), NoChance()), seat)
            losses = any(isinstance(each, do.Loss) for each in orders)
            standing = len(state.tribes[seat].orders)
            return Fight(cards=cards, standing=standing, losses=losses, fights=fights)
        case do.Move() | do.Found() | do.TakeFire() | do.Card() | do.Done():
            return _move(state, seat, actions)
    return None


def answered(state: State, seat: Seat, orders: tuple[do.FightOrder, ...]) -> State:
    """The position with these orders of a tribe for its fights."""
    tribe = replace(state.tribes[seat], answer=do.Answer(orders=orders))
    return replace(state, tribes=put(state.tribes, seat, tribe))


def home(valley: Board, at: Hex, held: Collection[Hex] = ()) -> Home:
    """The worth of a hex, without those beside it that are `held`."""
    place = valley.places[at]
    near = [each for each in place.neighbours if not valley.river_between(at, each)]
    land = [valley.places[each] for each in near if each in valley.land and each not in held]
    return Home(
        terrain=place.terrain,
        water=place.has_water,
        food=_feeds(place),
        near=sum(map(_feeds, land)),
        ways=len(land),
        lava=any(at in (top, *hexes) for top, hexes in valley.lava.items()),
    )


def _feeds(place: Place) -> int:
    return place.has_water + (place.terrain == "forest")


def _move(state: State, seat: Seat, actions: Sequence[Action]) -> Move:
    before, after = Table(state, NoChance()), Table(state, NoChance())
    for action in actions:
        if isinstance(action, do.LINES):
            play_line(after, seat, action)
    gone_to = [at for at in after.hexes_of(seat) if not before.count(at, seat)]
    own = after.camps_of(seat)
    given, gave = income(after, seat), income(before, seat)
    founded = tuple(at for at in own if not before.owns_camp(at, seat))
    sites = tuple(
        at
        for at in after.hexes_of(seat)
        if len(own) < CAMPS and after.is_free(at, seat) and at not in after.camps
        if all(after.at(at, seat)) and not all(before.at(at, seat))
    )
    stood, fights = battles(before, seat), battles(after, seat)
    new = [each for each in fights if each.hex in gone_to]
    met = [(each, rival) for each in new for rival in each.rivals]
    had = {each.hex: each.own.bonus for each in stood}
    held = Counter({each: len(after.camps_of(each)) for each in range(state.seats)})
    near = [each for each, camps in held.items() if camps >= CAMPS_TO_WIN]
    race = [seat, *(each for each in near if each != seat)] if near else []
    told = {*sites, *founded, *(fight.hex for fight in fights)}
    given_up = tuple(at for at in own if not after.at(at, seat)[1])
    held[seat] -= len(given_up)
    won = held.copy()
    for fight in fights:
        if fight.camp not in (None, seat):
            won[fight.camp] -= 1
            won[seat] += fight.own.f > 0 and won[seat] < CAMPS
    return Move(
        attacks=tuple((at.hex, who.seat, who.w, who.f, at.camp == who.seat) for at, who in met),
        hunts=tuple((each.hex, *herd[:2]) for each in new for herd in each.herds),
        joined=tuple(each.hex for each in fights if each.own.bonus > had.get(each.hex, 99)),
        sites=sites,
        occupied=tuple(at for at in gone_to if at not in told),
        given_up=given_up,
        founded=founded,
        camps=len(own) if founded else 0,
        left_bare=tuple(ready(after, seat)),
        race=tuple(
            (each, held[each], after.total(each), after.tribes[each].all_food, won[each])
            for each in race
        ),
        fights=fights,
        stand=tuple(each.hex for each in fights if each in stood),
        site=home(state.map, sites[0], after.pawns) if len(sites) == 1 and not fights else None,
        winter=(state.season == "winter") != state.last_turn,
        lava=tuple(at for at in gone_to if at not in sites and home(state.map, at).lava),
        left=tuple(sorted({each.hex for each in stood} - {each.hex for each in fights})),
        has=after.tribes[seat].all_food,
        cost=cost(after, seat),
        give=given.fish + given.forage,
        forests=given.forage,
        more=given.fish + given.forage - gave.fish - gave.forage,
        stolen=max(0, after.tribes[seat].all_food - before.tribes[seat].all_food),
    )
