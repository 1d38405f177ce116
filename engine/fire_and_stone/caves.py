"""The cave cards (F§12): what each does when it is revealed, and its action.

Rules that hold for everybody stand where they are asked for: `State.rules`.
"""

from __future__ import annotations

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.change import Change, Then
from engine.fire_and_stone.map import INDEX, NAMES
from engine.fire_and_stone.options import lookable, tunnel_targets
from engine.fire_and_stone.state import NOBODY, Phase, State, without_tile
from engine.protocol import Seat

LETTER = {kind: letter for letter, kind in box.KINDS.items()}


def discover(change: Change) -> Then:
    """Reveal the card and resolve its discovery effect as far as possible (F§12.1)."""
    card = change.state.cave
    change.turn(shown=("cave", card))
    change.set(cave_up=True)
    change.tell("cave_card", card=card)
    match card:
        case "hidden_spring":
            change.bags(1, card)
            change.food(2, card)
        case "hearth_hall":
            change.vp(1, card)
        case "old_store":
            for seat in change.state.in_order(change.seat):
                change.bags(1, card, seat)
            change.food(2, card)
        case "ice_bridges":
            for seat in change.state.in_order(change.seat):
                if change.state.players[seat].has("boats"):
                    change.vp(2, card, seat)
        case "earthquake" if lookable(change.state):
            change.turn(phase=Phase.LOOK, most_named=3)
            return Then.ASKED
        case "collapsed_tunnel":
            return _collapse(change)
    return Then.ACTION


def _collapse(change: Change) -> Then:
    """F§12.10: the cave is gone, and the explorer goes where a tile lies face down, if any does."""
    place = change.state.here
    change.set(tiles=without_tile(change.state.tiles, place), cave="")
    if not tunnel_targets(change.state):
        return Then.DONE
    change.turn(phase=Phase.TUNNEL)
    return Then.ASKED


def use(change: Change, action: do.Use) -> Then:
    """Use the card's action that needs no more to be said."""
    card = change.state.cave
    match card:
        case "hidden_spring":
            change.action_food(3, card)
        case "painted_walls":
            _put_marker(change)
            change.vp(2, card)
        case "long_pilgrimage":
            _put_marker(change)
            change.walk(land.START)
            change.tell("pilgrimage", explorer=change.state.turn.explorer + 1)
            change.vp(3, card)
        case "council_of_elders":
            return _consult_elders(change)
        case "lookout" if lookable(change.state):
            change.turn(phase=Phase.LOOK, most_named=2)
            return Then.ASKED
        case "lookout":
            change.action_food(1, card)
    return Then.DONE


def _put_marker(change: Change) -> None:
    """F§12.4: once per player."""
    change.put(marker=False)
    change.tell("marker", card=change.state.cave)


def _consult_elders(change: Change) -> Then:
    """Pay 1 food and look at the objectives that were not dealt."""
    change.pay(1, "council_of_elders")
    change.tell("council")
    change.reveal(*change.state.undealt)
    # Who has looked before does not learn whether one is exchanged now.
    change.set(undealt_seen=1 << change.seat)
    change.tell("saw_objectives", objectives=list(change.state.undealt))
    change.turn(phase=Phase.COUNCIL)
    return Then.ASKED


def swap(change: Change, action: do.Swap) -> Then:
    """Exchange the own objective. Others do not learn whether it was done."""
    own = change.player.objective
    undealt = tuple([own if card == action.objective else card for card in change.state.undealt])
    change.set(undealt=undealt)
    change.put(objective=action.objective)
    change.tell("exchanged", objective=action.objective)
    return Then.DONE


def buy(change: Change, action: do.Invent) -> Then:
    """F§12 `flint_vein`."""
    change.pay(2, "flint_vein")
    change.take_from_row(action.card, "flint_vein")
    return Then.DONE


def discard(change: Change, action: do.Discard) -> Then:
    """F§12 `shaman_stone`."""
    number = box.COLUMNS.index(action.column)
    held = change.player.columns[number]
    change.column(number, held[:-1])
    change.tell("discarded", kind=box.IN_COLUMN[held[-1]], column=action.column)
    change.vp(2, "shaman_stone")
    return Then.DONE


def barter(change: Change, action: do.Barter) -> Then:
    """F§12.9: the card given goes under the pile, for all to see; with an empty pile it refills the
    row.
    """
    player, state = change.player, change.state
    at = player.inventions.index(action.given)
    change.put(
        inventions=(*player.inventions[:at], *player.inventions[at + 1 :]),
        covered=(*player.covered[:at], *player.covered[at + 1 :]),
    )
    change.set(pile=(*state.pile, action.given), pile_known=state.pile_known + 1)
    change.tell("bartered", given=action.given, taken=action.taken)
    change.spill()
    change.take_from_row(action.taken, "barter_stone")
    return Then.DONE


def name(change: Change, action: do.Name) -> Then:
    """Name a territory to look at (F§12.8)."""
    change.turn(named=(*change.state.turn.named, INDEX[action.place]))
    return Then.ASKED


def look(change: Change, action: do.Look) -> Then:
    """Look at all that were named, at once; none named shows nothing and is no stop."""
    state = change.state
    named = state.turn.named
    if named:
        change.tell("looked", places=[NAMES[place] for place in named])
        tiles = {NAMES[place]: box.KINDS[state.tiles[place]] for place in named}
        change.reveal(*tiles.values())
        change.put(looked=change.player.looked | land.mask(named))
        change.tell("saw", tiles=tiles)
    if state.rules == "earthquake" and not named:
        return Then.ACTION
    if state.rules == "earthquake":
        change.turn(phase=Phase.ARRANGE)
        return Then.ASKED
    change.action_food(1, "lookout")
    return Then.DONE


def arrange(change: Change, action: do.Arrange) -> Then:
    """F§12 `earthquake`: put the tiles back."""
    so = dict(zip(sorted(change.state.turn.named), action.tiles, strict=True))
    tiles = list(change.state.tiles)
    for place, kind in so.items():
        tiles[place] = LETTER[kind]
    change.set(tiles="".join(tiles))
    change.tell("arranged", places=[NAMES[place] for place in so])
    change.tell("arranged_so", tiles={NAMES[place]: kind for place, kind in so.items()})
    change.turn(named=())
    return Then.ACTION


def tribute_taker(state: State, place: int) -> Seat:
    """The opponent who gets the food paid for a village hut here (F§12 `tribute`), before it is
    built; NOBODY if there is none.
    """
    if state.rules != "tribute" or land.REGION[place] != 2 or state.tiles[place] == box.CAVE:
        return NOBODY
    holder = state.majority_at(place)
    return NOBODY if holder is None or holder == state.turn.seat else holder
