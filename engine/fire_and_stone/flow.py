"""The sequence of play (F§4-F§13): who is asked what, and what an action leads to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.chance import Chance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import caves, scoring
from engine.fire_and_stone import components as box
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.change import Change, Then
from engine.fire_and_stone.events import event
from engine.fire_and_stone.map import INDEX, NAMES, REGION, members
from engine.fire_and_stone.options import (
    PHASES,
    empty_food,
    hut_cost,
    leaving_food,
    options,
    rankings,
)
from engine.fire_and_stone.plans.filing import check_file, examples
from engine.fire_and_stone.plans.lines import SORTS_OF
from engine.fire_and_stone.refusal import refusal
from engine.fire_and_stone.state import (
    NO_EXPLORER,
    NOBODY,
    Forest,
    Phase,
    State,
    Turn,
    without_tile,
)
from engine.kit.choices import Offered
from engine.kit.plans.reactions import made_without
from engine.kit.tuples import put, without
from engine.protocol import Asks, Decision, Seat, Step


def decisions(state: State) -> tuple[Decision[Action], ...]:
    """The open decisions: in the set-up the rankings of all seats; then the mover's next one, and
    beside it the plan for the rest of the turn, which may be filed or left (F§19).
    """
    turn = state.turn
    if turn.phase == Phase.OVER:
        return ()
    if turn.phase == Phase.RANK:
        return tuple([_ranking(state, seat) for seat in range(len(state.players))])
    asked: Decision[Action] = Decision(
        id=f"{turn.number}.{turn.step}",
        turn=str(turn.number),
        seat=turn.seat,
        kind=turn.phase,
        rule=PHASES[turn.phase].rule,
        choices=Offered(partial(options, state)),
        # The tile kept, the arrangement and the objective are the seat's secret (F§15).
        sealed=turn.phase in (Phase.KEEP, Phase.ARRANGE, Phase.COUNCIL),
    )
    offered = partial(examples, state.plan, [REGION[at] for at in state.mover.explorers])
    plan: Decision[Action] = Decision(
        id=f"{turn.number}.plan",
        turn=str(turn.number),
        seat=turn.seat,
        kind="plan",
        rule="F§19.1",
        choices=Offered(offered, do.File, partial(check_file, state.plan)),
        asks=Asks.MAY,
        open=True,
        sealed=True,
    )
    return asked, plan


def _ranking(state: State, seat: Seat) -> Decision[Action]:
    return Decision(
        id=f"0.rank.{seat}",
        turn="0",
        seat=seat,
        kind=Phase.RANK,
        rule=PHASES[Phase.RANK].rule,
        choices=Offered(partial(rankings, state, seat)),
        asks=Asks.MAY if state.rankings[seat] else Asks.MUST,
        sealed=True,
    )


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    """The position after an action. Raises IllegalAction. Nothing is drawn after the set-up
    (F§16.1).
    """
    if isinstance(action, do.Rank):
        return _rank(state, seat, action)
    if state.turn.phase in (Phase.OVER, Phase.RANK) or seat != state.turn.seat:
        raise refusal(state, seat, action)
    if isinstance(action, do.File):
        return _file(state, action)
    if action not in options(state):
        raise refusal(state, seat, action)
    return play(state, action)


def play(state: State, action: Action) -> Step[State]:
    """The position after a legal action of the seat to move."""
    change = Change(state)
    then = _PLAYS[type(action)](change, action)
    if then is Then.ACTION:
        _ask_action(change)
    elif then is Then.DONE:
        _end_explorer(change)
    made = not isinstance(action, do.Lead | do.Piece | do.Name)
    if made and change.state.turn.number == state.turn.number:
        change.turn(step=state.turn.step + 1)  # what comes is another decision
    return change.step()


# The set-up's ranking (F§3.13)


def _rank(state: State, seat: Seat, action: do.Rank) -> Step[State]:
    if state.turn.phase != Phase.RANK or action not in rankings(state, seat):
        raise refusal(state, seat, action)
    change = Change(state)
    lists = put(state.rankings, seat, action.cards)
    change.set(rankings=lists)
    change.tell("ranked", seat, cards=list(action.cards))
    if not all(lists):
        return change.step()
    left = state.starting
    # The last in turn order first, then counter-clockwise (F§3.12).
    for chooser in reversed(state.in_order(state.first)):
        card = next(card for card in lists[chooser] if card in left)
        left = without(left, card)
        change.tell("starting_chosen", chooser, card=card)
        change.own(card, chooser)
    change.set(starting=())
    begin_turn(change, 1, state.first)
    return Step(state=change.state, events=tuple(change.events), reveals=True)


# Plans (F§19)


def _file(state: State, action: do.File) -> Step[State]:
    check_file(state.plan, action)
    change = Change(state)
    change.set(plan=action.plan, waiting=None)
    change.tell("plan_filed", lines=0 if action.plan is None else len(action.plan.lines))
    return change.step()


# Turns (F§4)


def begin_turn(change: Change, number: int, seat: Seat) -> None:
    """Begin a turn; whoever has not placed the second explorer does it first (F§8.5)."""
    player = change.state.players[seat]
    places = change.state.second_fires and len(player.explorers) == 1
    left = change.state.turns_left
    change.set(
        turn=Turn(number=number, seat=seat, phase=Phase.SECOND if places else Phase.MOVE),
        plan=None,
        waiting=None,
    )
    change.tell("turn_begun", number=number, turns_left=None if left == NOBODY else left)
    if not places:
        _ask_move(change)


def _ask_move(change: Change) -> None:
    """Ask for a move: of the only explorer that has not moved, or of one to be chosen."""
    moved, explorers = change.state.turn.moved, len(change.player.explorers)
    still = [number for number in range(explorers) if not moved >> number & 1]
    if not still:
        _end_turn(change)
        return
    explorer = still[0] if len(still) == 1 else NO_EXPLORER
    change.turn(phase=Phase.MOVE, explorer=explorer, fished=False, revealed_hut=False)


def _end_turn(change: Change) -> None:
    state = change.state
    if state.turns_left == 0:
        _end(change)
        return
    if state.turns_left > 0:
        change.set(turns_left=state.turns_left - 1)
    seat = (state.turn.seat + 1) % len(state.players)
    begin_turn(change, state.turn.number + 1, seat)


def _end(change: Change) -> None:
    """The end (F§13-14): objectives are revealed."""
    change.reveal()
    change.turn(phase=Phase.OVER, explorer=NO_EXPLORER)
    change.set(plan=None, waiting=None)
    state = change.state
    scores = scoring.scores(state)
    won = list(scoring.winners(scores))
    told = {"scores": list(scores), "winners": won, "parts": scoring.parts(state)}
    change.events.append(event("over", **told))


def _end_explorer(change: Change) -> None:
    """The explorer in progress is done."""
    change.turn(pieces=(), named=())
    _ask_move(change)


def _ask_action(change: Change) -> None:
    """Ask for the action here (F§6), if there is one."""
    change.turn(phase=Phase.ACTION, fished=False)
    if len(options(change.state)) == 1:
        _end_explorer(change)


def _forced(change: Change) -> Then | None:
    """Play what is asked now if everybody can see that it has one answer (ruling 62); None if it
    is asked. Several tiles of one kind are the hunter's secret.
    """
    state = change.state
    hidden = state.turn.phase == Phase.KEEP and len(state.forest_here.tiles) > 1
    answers = options(state)
    if not state.plays_forced or hidden or len(answers) > 1:
        return None
    if state.plan is not None and state.waiting is not None:
        sorts = SORTS_OF["hunt" if state.turn.phase == Phase.KEEP else "return"]
        change.set(waiting=made_without(state.plan, state.waiting, lambda w: w.do in sorts))
    return _PLAYS[type(answers[0])](change, answers[0])


# Moving and discovering (F§5-F§8)


def _lead(change: Change, action: do.Lead) -> Then:
    change.turn(explorer=action.explorer - 1)
    return Then.ASKED


def _go(change: Change, action: do.Go) -> Then:
    place, number = INDEX[action.place], change.state.turn.explorer
    by_tunnel, start = change.state.turn.phase == Phase.TUNNEL, change.state.here
    change.walk(place)
    change.turn(moved=change.state.turn.moved | 1 << number)
    if by_tunnel:
        change.tell("tunnel", place=action.place)
    else:
        way = {"from": NAMES[start], "place": action.place, "stayed": start == place}
        change.tell("moved", explorer=number + 1, **way)
    return _discover(change, place) if change.state.down >> place & 1 else Then.ACTION


def _discover(change: Change, place: int) -> Then:
    """Reveal a tile and resolve its discovery effect (F§6.1, F§7)."""
    change.may_go_on = _may_go_on(change.state, place)
    tile = change.state.tiles[place]
    shown = (box.KINDS[tile], "gathering") if tile in box.GATHERING else (box.KINDS[tile],)
    change.reveal(*shown)
    change.set(down=change.state.down & ~(1 << place))
    for seat, player in enumerate(change.state.players):
        if player.looked >> place & 1:
            change.put(seat, looked=player.looked & ~(1 << place))
    change.tell("revealed", place=NAMES[place], kind=box.KINDS[tile])
    if tile == box.FOREST:
        _stock(change, place)
    elif tile == box.FIRE:
        change.vp(1, "fire")
    elif tile == box.HUT:
        return _hut_tile(change, place)
    elif tile == box.CACHE:
        change.bags(1, "cache")
        change.food(1, "cache")
        change.set(tiles=without_tile(change.state.tiles, place))
        return Then.DONE
    elif tile == box.CAVE:
        return caves.discover(change)
    return Then.ACTION


def _may_go_on(state: State, place: int) -> bool:
    """True if the mover can have more to decide once this tile is turned over, by what they know: a
    cache leaves nothing to do, and a fire nothing to who has nothing to cook.
    """
    player = state.mover
    hidden = state.down & ~player.looked & land.IN_REGION[land.REGION[place]]
    may_lie = {state.tiles[n] for n in ([place] if player.looked >> place & 1 else members(hidden))}
    dull = box.CACHE if player.held else box.CACHE + box.FIRE
    return state.turn.moved.bit_count() < len(player.explorers) or not may_lie <= set(dull)


def _stock(change: Change, place: int) -> None:
    """Put the first stack of the region into a forest (F§7.1)."""
    region, stacks = land.REGION[place], change.state.stacks
    stack, *rest = stacks[region]
    forests = (*change.state.forests, Forest(place=place, tiles=stack))
    change.set(stacks=put(stacks, region, tuple(rest)), forests=forests)


def _hut_tile(change: Change, place: int) -> Then:
    """F§7.9: the free hut, the track, its threshold, the return."""
    placed = change.player.huts_left > 0
    change.set(tiles=without_tile(change.state.tiles, place))
    if placed:
        change.hut(place, 0)
    if change.player.has("bone_needle"):
        change.food(2, "bone_needle")
    change.tell("hut_tile", place=NAMES[place], track=change.state.track + 1, placed=placed)
    change.advance_track()
    change.turn(revealed_hut=True, phase=Phase.RETURN)
    if change.state.track == box.SECOND_AT:
        change.set(second_fires=change.state.fires)
        change.tell("second_explorers", fires=list(land.names(change.state.fires)))
        change.turn(phase=Phase.SECOND)
        return Then.ASKED
    return _forced(change) or Then.ASKED


def _second(change: Change, action: do.Second) -> Then:
    """Put the second explorer down (F§8.3): the revealer within the turn, others before it."""
    change.put(explorers=(*change.player.explorers, INDEX[action.fire]))
    change.tell("second_placed", fire=action.fire)
    if not change.state.turn.revealed_hut:
        return Then.DONE
    change.turn(phase=Phase.RETURN)
    return Then.ASKED


def _return(change: Change, action: do.Return) -> Then:
    """F§7.11; an Ember Carrier may cook there (F§10.10)."""
    change.walk(INDEX[action.fire])
    change.tell("returned", explorer=change.state.turn.explorer + 1, fire=action.fire)
    change.turn(revealed_hut=False)
    if not change.player.held or not change.player.has("ember_carrier"):
        return Then.DONE
    change.turn(phase=Phase.EMBER, fished=False)
    return Then.ASKED


# Actions (F§6.3-5, F§7)


def _pass(change: Change, action: do.Pass) -> Then:
    change.tell("passed")
    return Then.DONE


def _food(change: Change, action: do.Food) -> Then:
    state, place = change.state, change.state.here
    tile = state.tiles[place]
    if tile in box.GATHERING:
        change.tell("left_tile", kind=box.KINDS[tile], place=NAMES[place])
        change.action_food(leaving_food(state, place), "gathering")
    else:
        change.action_food(empty_food(state, place), "land")
    return Then.DONE


def _take(change: Change, action: do.Take | do.Forage) -> Then:
    """Take a gathering tile, here or from a neighbour (F§9); a card if it covers its space."""
    place = INDEX[action.place] if isinstance(action, do.Forage) else change.state.here
    number = box.COLUMNS.index(action.column)
    kind = change.state.tiles[place]
    change.set(tiles=without_tile(change.state.tiles, place))
    change.gather(kind, place, number)
    change.turn(column=number)
    if len(change.player.columns[number]) not in change.state.card_spaces:
        return Then.DONE
    change.turn(phase=Phase.CARD)
    return _after_card(change) if len(options(change.state)) == 1 else Then.ASKED


def _invent(change: Change, action: do.Invent) -> Then:
    if change.state.turn.phase == Phase.ACTION:
        return caves.buy(change, action)
    change.take_from_row(action.card, "column")
    return _after_card(change)


def _score(change: Change, action: do.Score) -> Then:
    change.cover(action.covers)
    return _after_card(change)


def _decline(change: Change, action: do.Decline) -> Then:
    change.tell("declined")
    return _after_card(change)


def _after_card(change: Change) -> Then:
    """F§9.7: a full column is discarded, after the card."""
    number = change.state.turn.column
    if len(change.player.columns[number]) < box.SPACES:
        return Then.DONE
    if change.player.has("gourd"):
        change.action_food(3, "gourd")
    if change.player.has("woven_basket"):
        change.turn(phase=Phase.BASKET)
        return Then.ASKED
    change.discard_column(number, keep=False)
    return Then.DONE


def _hold(change: Change, action: do.Hold) -> Then:
    if change.state.turn.phase == Phase.BASKET:
        change.discard_column(change.state.turn.column, keep=True)
    return Then.DONE


def _drop(change: Change, action: do.Drop) -> Then:
    change.discard_column(change.state.turn.column, keep=False)
    return Then.DONE


def _hunt(change: Change, action: do.Hunt) -> Then:
    """Look at the game tiles; one must be kept then (F§7.2-3)."""
    forest = change.state.forest_here
    pieces = [box.GAME[tile].id for tile in forest.tiles]
    change.tell("hunted", place=NAMES[forest.place])
    change.reveal(*pieces)
    _set_forest(change, forest, forest.tiles, forest.seen | 1 << change.seat)
    change.tell("shown", place=NAMES[forest.place], pieces=pieces)
    change.turn(phase=Phase.KEEP)
    return _forced(change) or Then.ASKED


def _keep(change: Change, action: do.Keep) -> Then:
    forest = change.state.forest_here
    kept = [box.GAME_INDEX[piece] for piece in action.pieces]
    left = forest.tiles
    for tile in kept:
        left = without(left, tile)
    # Of what is left nobody but the hunter knows; of nothing everybody does.
    _set_forest(change, forest, left, 1 << change.seat)
    change.put(held=tuple(sorted((*change.player.held, *kept))))
    change.tell("took_game", place=NAMES[forest.place], number=len(kept))
    change.tell("kept", pieces=list(action.pieces))
    if change.player.has("throwing_spear"):
        change.action_food(len(kept), "throwing_spear")
    return Then.DONE


def _set_forest(change: Change, forest: Forest, tiles: tuple[int, ...], seen: int) -> None:
    after = Forest(place=forest.place, tiles=tiles, seen=seen)
    change.set(forests=tuple([after if f is forest else f for f in change.state.forests]))


def _piece(change: Change, action: do.Piece) -> Then:
    pieces = (*change.state.turn.pieces, box.GAME_INDEX[action.piece])
    change.turn(pieces=tuple(sorted(pieces)))
    return Then.ASKED


def _done(change: Change, action: do.Done) -> Then:
    """Cook all that was named, bags before food (F§7.5)."""
    pieces = change.state.turn.pieces
    held = change.player.held
    for piece in pieces:
        held = without(held, piece)
    change.put(held=held)
    each = change.player.has("smoke_rack") + (change.state.rules == "great_herd")
    bags = sum(box.GAME[piece].bags for piece in pieces)
    food = sum(box.GAME[piece].food for piece in pieces) + each * len(pieces)
    named = [box.GAME[piece].id for piece in pieces]
    change.tell("cooked", place=NAMES[change.state.here], pieces=named, bags=bags, food=food)
    change.bags(bags, "cooking")
    change.action_food(food, "cooking")
    return Then.DONE


def _build(change: Change, action: do.Build) -> Then:
    """Build a hut in a village (F§7.12) or at the cave (F§12), then return."""
    state, place = change.state, change.state.here
    cost = hut_cost(state, place)
    if state.tiles[place] == box.CAVE and state.cave == "garden_of_eden":
        gained = state.huts_at(place)
        change.hut(place, 0)
        change.action_food(gained, "garden_of_eden")
    else:
        rival = caves.tribute_taker(state, place)
        if cost:
            change.pay(cost, "hut")
        change.hut(place, cost)
        if rival != NOBODY and cost:
            change.food(cost, "tribute", rival)
    change.turn(phase=Phase.RETURN)
    return Then.ASKED


_PLAYS: dict[type[Action], Callable[[Change, Any], Then]] = {
    do.Lead: _lead,
    do.Go: _go,
    do.Pass: _pass,
    do.Food: _food,
    do.Take: _take,
    do.Forage: _take,
    do.Hunt: _hunt,
    do.Keep: _keep,
    do.Piece: _piece,
    do.Done: _done,
    do.Build: _build,
    do.Return: _return,
    do.Second: _second,
    do.Invent: _invent,
    do.Score: _score,
    do.Decline: _decline,
    do.Hold: _hold,
    do.Drop: _drop,
    do.Use: caves.use,
    do.Discard: caves.discard,
    do.Barter: caves.barter,
    do.Name: caves.name,
    do.Look: caves.look,
    do.Arrange: caves.arrange,
    do.Swap: caves.swap,
}
