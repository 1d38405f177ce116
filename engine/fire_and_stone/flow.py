"""The sequence of play (F§4-F§13): who is asked what, and what an action leads to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.chance import Chance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import caves
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.change import Change
from engine.fire_and_stone.components import (
    CACHE,
    CAVE,
    COLUMNS,
    FIRE,
    FOREST,
    GAME,
    GAME_INDEX,
    GATHERING,
    HUT,
    KINDS,
    SECOND_AT,
    SPACES,
)
from engine.fire_and_stone.events import event
from engine.fire_and_stone.map import INDEX, NAMES
from engine.fire_and_stone.options import (
    RULES,
    Choices,
    Rankings,
    empty_food,
    hut_cost,
    leaving_food,
    options,
)
from engine.fire_and_stone.plans.filing import Plans, check_plan
from engine.fire_and_stone.refusal import refusal
from engine.fire_and_stone.scoring import parts, ranked_scores, winners
from engine.fire_and_stone.state import (
    ACTION,
    ARRANGE,
    BASKET,
    CARD,
    COUNCIL,
    EMBER,
    KEEP,
    MOVE,
    NO_EXPLORER,
    NOBODY,
    OVER,
    RANK,
    RETURN,
    SECOND,
    TUNNEL,
    Forest,
    State,
    Turn,
    without_tile,
)
from engine.protocol import Asks, Decision, Seat, Step


def decisions(state: State) -> tuple[Decision[Action], ...]:
    """The open decisions: in the set-up the rankings of all seats; then the mover's next one, and
    beside it the plan for the rest of the turn, which may be filed or left (F§19).
    """
    turn = state.turn
    if turn.phase == OVER:
        return ()
    if turn.phase == RANK:
        return tuple([_ranking(state, seat) for seat in range(len(state.players))])
    asked: Decision[Action] = Decision(
        id=f"{turn.number}.{turn.step}",
        turn=str(turn.number),
        seat=turn.seat,
        kind=turn.phase,
        rule=RULES[turn.phase],
        choices=Choices(state),
        # The tile kept, the arrangement and the objective are the seat's secret (F§15).
        sealed=turn.phase in (KEEP, ARRANGE, COUNCIL),
    )
    plan: Decision[Action] = Decision(
        id=f"{turn.number}.plan",
        turn=str(turn.number),
        seat=turn.seat,
        kind="plan",
        rule="F§19.1",
        choices=Plans(state.plan),
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
        kind=RANK,
        rule=RULES[RANK],
        choices=Rankings(state, seat),
        asks=Asks.MAY if state.rankings[seat] else Asks.MUST,
        sealed=True,
    )


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    """The position after an action. Raises IllegalAction. Nothing is drawn after the set-up
    (F§16.1).
    """
    if isinstance(action, do.Rank):
        return _rank(state, seat, action)
    if state.turn.phase in (OVER, RANK) or seat != state.turn.seat:
        raise refusal(state, seat, action)
    if isinstance(action, do.File):
        return _file(state, action)
    if action not in options(state):
        raise refusal(state, seat, action)
    return play(state, action)


def play(state: State, action: Action) -> Step[State]:
    """The position after a legal action of the seat to move."""
    change = Change(state)
    _PLAYS[type(action)](change, action)
    made = not isinstance(action, do.Lead | do.Piece | do.Name)
    if made and change.state.turn.number == state.turn.number:
        change.turn(step=state.turn.step + 1)  # what comes is another decision
    return Step(
        state=change.state,
        events=tuple(change.events),
        reveals=change.reveals,
        state_before_reveal=change.before,
        events_before_reveal=change.told_before,
    )


# The set-up's ranking (F§3.13)


def _rank(state: State, seat: Seat, action: do.Rank) -> Step[State]:
    if state.turn.phase != RANK or action not in Rankings(state, seat):
        raise refusal(state, seat, action)
    change = Change(state)
    rankings = list(state.rankings)
    rankings[seat] = action.cards
    change.set(rankings=tuple(rankings))
    change.tell("ranked", seat, cards=list(action.cards))
    if not all(rankings):
        return Step(state=change.state, events=tuple(change.events))
    left = list(state.starting)
    # The last in turn order first, then counter-clockwise (F§3.12).
    for chooser in reversed(state.in_order(state.first)):
        card = next(card for card in rankings[chooser] if card in left)
        left.remove(card)
        change.tell("starting_chosen", chooser, card=card)
        change.own(card, chooser)
    change.set(starting=())
    begin_turn(change, 1, state.first)
    return Step(state=change.state, events=tuple(change.events), reveals=True)


# Plans (F§19)


def _file(state: State, action: do.File) -> Step[State]:
    check_plan(state.plan, action.plan)
    change = Change(state)
    change.set(plan=action.plan, waiting=None)
    change.tell("plan_filed", lines=0 if action.plan is None else len(action.plan.lines))
    return Step(state=change.state, events=tuple(change.events))


# Turns (F§4)


def begin_turn(change: Change, number: int, seat: Seat) -> None:
    """Begin a turn; whoever has not placed the second explorer does it first (F§8.5)."""
    player = change.state.players[seat]
    places = change.state.second_fires and len(player.explorers) == 1
    left = change.state.turns_left
    change.set(
        turn=Turn(number=number, seat=seat, phase=SECOND if places else MOVE),
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
    change.turn(phase=MOVE, explorer=explorer, fished=False, revealed_hut=False)


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
    change.turn(phase=OVER, explorer=NO_EXPLORER)
    change.set(plan=None, waiting=None)
    state = change.state
    scores = ranked_scores(state)
    change.events.append(
        event("over", scores=list(scores), winners=list(winners(scores)), parts=parts(state))
    )


def end_explorer(change: Change) -> None:
    """The explorer in progress is done."""
    change.turn(pieces=(), named=())
    _ask_move(change)


def ask_action(change: Change) -> None:
    """Ask for the action here (F§6), if there is one."""
    change.turn(phase=ACTION, fished=False)
    if len(options(change.state)) > 1:
        return
    end_explorer(change)


# Moving and discovering (F§5-F§8)


def _lead(change: Change, action: do.Lead) -> None:
    change.turn(explorer=action.explorer - 1)


def _go(change: Change, action: do.Go) -> None:
    place, number = INDEX[action.place], change.state.turn.explorer
    by_tunnel = change.state.turn.phase == TUNNEL
    explorers = list(change.player.explorers)
    stayed = explorers[number] == place
    explorers[number] = place
    change.put(explorers=tuple(explorers))
    change.turn(moved=change.state.turn.moved | 1 << number)
    if by_tunnel:
        change.tell("tunnel", place=action.place)
    else:
        change.tell("moved", explorer=number + 1, place=action.place, stayed=stayed)
    if change.state.down >> place & 1:
        _discover(change, place)
    else:
        ask_action(change)


def _discover(change: Change, place: int) -> None:
    """Reveal a tile and resolve its discovery effect (F§6.1, F§7)."""
    tile = change.state.tiles[place]
    shown = (KINDS[tile], "gathering") if tile in GATHERING else (KINDS[tile],)
    change.reveal(*shown)
    change.set(down=change.state.down & ~(1 << place))
    for seat, player in enumerate(change.state.players):
        if player.looked >> place & 1:
            change.put(seat, looked=player.looked & ~(1 << place))
    change.tell("revealed", place=NAMES[place], kind=KINDS[tile])
    if tile == FOREST:
        _stock(change, place)
    elif tile == FIRE:
        change.vp(1, "fire")
    elif tile == HUT:
        _hut_tile(change, place)
        return
    elif tile == CACHE:
        change.bags(1, "cache")
        change.food(1, "cache")
        change.set(tiles=without_tile(change.state.tiles, place))
        end_explorer(change)
        return
    elif tile == CAVE:
        caves.discover(change, ask_action, end_explorer)
        return
    ask_action(change)


def _stock(change: Change, place: int) -> None:
    """Put the first stack of the region into a forest (F§7.1)."""
    region = land.REGION[place]
    stacks = list(change.state.stacks)
    stack, *rest = stacks[region]
    stacks[region] = tuple(rest)
    forests = (*change.state.forests, Forest(place=place, tiles=stack))
    change.set(stacks=tuple(stacks), forests=forests)


def _hut_tile(change: Change, place: int) -> None:
    """F§7.9: the free hut, the track, its threshold, the return."""
    placed = change.player.huts_left > 0
    change.set(tiles=without_tile(change.state.tiles, place))
    if placed:
        change.hut(place, 0)
    if change.player.has("bone_needle"):
        change.food(2, "bone_needle")
    change.tell("hut_tile", place=NAMES[place], track=change.state.track + 1, placed=placed)
    change.advance_track()
    change.turn(revealed_hut=True, phase=RETURN)
    if change.state.track == SECOND_AT:
        change.set(second_fires=change.state.fires)
        change.tell("second_explorers", fires=list(land.names(change.state.fires)))
        change.turn(phase=SECOND)


def _second(change: Change, action: do.Second) -> None:
    """Put the second explorer down (F§8.3): the revealer within the turn, others before it."""
    change.put(explorers=(*change.player.explorers, INDEX[action.fire]))
    change.tell("second_placed", fire=action.fire)
    if change.state.turn.revealed_hut:
        change.turn(phase=RETURN)
    else:
        _ask_move(change)


def _return(change: Change, action: do.Return) -> None:
    """F§7.11; an Ember Carrier may cook there (F§10.10)."""
    number = change.state.turn.explorer
    explorers = list(change.player.explorers)
    explorers[number] = INDEX[action.fire]
    change.put(explorers=tuple(explorers))
    change.tell("returned", explorer=number + 1, fire=action.fire)
    change.turn(revealed_hut=False)
    if change.player.held and change.player.has("ember_carrier"):
        change.turn(phase=EMBER, fished=False)
    else:
        end_explorer(change)


# Actions (F§6.3-5, F§7)


def _pass(change: Change, action: do.Pass) -> None:
    change.tell("passed")
    end_explorer(change)


def _food(change: Change, action: do.Food) -> None:
    state, place = change.state, change.state.here
    tile = state.tiles[place]
    if tile in GATHERING:
        change.tell("left_tile", kind=KINDS[tile], place=NAMES[place])
        change.action_food(leaving_food(state, place), "gathering")
    else:
        change.action_food(empty_food(state, place), "land")
    end_explorer(change)


def _take(change: Change, action: do.Take | do.Forage) -> None:
    """Take a gathering tile, here or from a neighbour (F§9); a card if it covers its space."""
    place = INDEX[action.place] if isinstance(action, do.Forage) else change.state.here
    number = COLUMNS.index(action.column)
    kind = change.state.tiles[place]
    change.set(tiles=without_tile(change.state.tiles, place))
    change.gather(kind, place, number)
    change.turn(column=number)
    if len(change.player.columns[number]) not in change.state.card_spaces:
        end_explorer(change)
        return
    change.turn(phase=CARD)
    if len(options(change.state)) == 1:
        _after_card(change)


def _invent(change: Change, action: do.Invent) -> None:
    if change.state.turn.phase == CARD:
        change.take_from_row(action.card, "column")
        _after_card(change)
    else:
        caves.buy(change, action)
        end_explorer(change)


def _score(change: Change, action: do.Score) -> None:
    change.cover(action.covers)
    _after_card(change)


def _decline(change: Change, action: do.Decline) -> None:
    change.tell("declined")
    _after_card(change)


def _after_card(change: Change) -> None:
    """F§9.7: a full column is discarded, after the card."""
    number = change.state.turn.column
    if len(change.player.columns[number]) < SPACES:
        end_explorer(change)
        return
    if change.player.has("gourd"):
        change.action_food(3, "gourd")
    if change.player.has("woven_basket"):
        change.turn(phase=BASKET)
        return
    change.discard_column(number, keep=False)
    end_explorer(change)


def _hold(change: Change, action: do.Hold) -> None:
    if change.state.turn.phase == BASKET:
        change.discard_column(change.state.turn.column, keep=True)
    end_explorer(change)


def _drop(change: Change, action: do.Drop) -> None:
    change.discard_column(change.state.turn.column, keep=False)
    end_explorer(change)


def _hunt(change: Change, action: do.Hunt) -> None:
    """Look at the game tiles; one must be kept then (F§7.2-3)."""
    forest = change.state.forest_at(change.state.here)
    assert forest is not None
    pieces = [GAME[tile].id for tile in forest.tiles]
    change.tell("hunted", place=NAMES[forest.place])
    change.reveal(*pieces)
    _set_forest(change, forest, forest.tiles, forest.seen | 1 << change.seat)
    change.tell("shown", place=NAMES[forest.place], pieces=pieces)
    change.turn(phase=KEEP)


def _keep(change: Change, action: do.Keep) -> None:
    forest = change.state.forest_at(change.state.here)
    assert forest is not None
    kept = [GAME_INDEX[piece] for piece in action.pieces]
    left = list(forest.tiles)
    for tile in kept:
        left.remove(tile)
    # Of what is left nobody but the hunter knows; of nothing everybody does.
    _set_forest(change, forest, tuple(left), 1 << change.seat)
    change.put(held=tuple(sorted((*change.player.held, *kept))))
    change.tell("took_game", place=NAMES[forest.place], number=len(kept))
    change.tell("kept", pieces=list(action.pieces))
    if change.player.has("throwing_spear"):
        change.action_food(len(kept), "throwing_spear")
    end_explorer(change)


def _set_forest(change: Change, forest: Forest, tiles: tuple[int, ...], seen: int) -> None:
    after = Forest(place=forest.place, tiles=tiles, seen=seen)
    change.set(forests=tuple([after if f is forest else f for f in change.state.forests]))


def _piece(change: Change, action: do.Piece) -> None:
    pieces = (*change.state.turn.pieces, GAME_INDEX[action.piece])
    change.turn(pieces=tuple(sorted(pieces)))


def _done(change: Change, action: do.Done) -> None:
    """Cook all that was named, bags before food (F§7.5)."""
    pieces = change.state.turn.pieces
    held = list(change.player.held)
    for piece in pieces:
        held.remove(piece)
    change.put(held=tuple(held))
    each = change.player.has("smoke_rack") + (change.state.rules == "great_herd")
    bags = sum(GAME[piece].bags for piece in pieces)
    food = sum(GAME[piece].food for piece in pieces) + each * len(pieces)
    change.tell(
        "cooked",
        place=NAMES[change.state.here],
        pieces=[GAME[piece].id for piece in pieces],
        bags=bags,
        food=food,
    )
    change.bags(bags, "cooking")
    change.action_food(food, "cooking")
    end_explorer(change)


def _build(change: Change, action: do.Build) -> None:
    """Build a hut in a village (F§7.12) or at the cave (F§12), then return."""
    state, place = change.state, change.state.here
    cost = hut_cost(state, place)
    if state.tiles[place] == CAVE and state.cave == "garden_of_eden":
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
    change.turn(phase=RETURN)


def _use(change: Change, action: do.Use) -> None:
    caves.use(change, end_explorer)


_PLAYS: dict[type[Action], Callable[[Change, Any], None]] = {
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
    do.Use: _use,
    do.Discard: partial(caves.discard, then=end_explorer),
    do.Barter: partial(caves.barter, then=end_explorer),
    do.Name: caves.name,
    do.Look: partial(caves.look, ask=ask_action, then=end_explorer),
    do.Arrange: partial(caves.arrange, ask=ask_action),
    do.Swap: partial(caves.swap, then=end_explorer),
}
