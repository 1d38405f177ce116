"""Turns of a bot: what to do up to what is hidden, and what a move may come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.chance import NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.worth import (
    CARD_WORTH,
    LOOK,
    UNKNOWN_CAVE,
    AtOnce,
    Judging,
    Prospects,
    near,
    unseen,
)
from engine.fire_and_stone.map import IN_REGION, INDEX, NAMES, REGION, members
from engine.fire_and_stone.options import options, reach, tunnel_targets
from engine.fire_and_stone.state import NO_EXPLORER, Phase, State
from engine.protocol import Seat

Judge: TypeAlias = AtOnce | Judging
Valued: TypeAlias = tuple[float, tuple[Action, ...]]
"""Actions, and what they are worth."""
SEALED = (Phase.KEEP, Phase.ARRANGE, Phase.COUNCIL)


def piece_worth(piece: str) -> float:
    """The worth of a game tile that could be kept."""
    tile = box.GAME[box.GAME_INDEX[piece]]
    return tile.food * 0.33 + tile.bags * 0.5


def ranking(state: State) -> do.Rank:
    """The starting inventions, the best first."""
    return do.Rank(cards=tuple(sorted(state.starting, key=lambda card: -CARD_WORTH[card])))


def best(state: State, seat: Seat, judge: Judge) -> Valued:
    """The best actions of the seat from here to its explorer's end, the next reveal or a move, and
    what they are worth.
    """
    return _searched(state, seat, judge, 4)


def ranked(state: State, seat: Seat, judge: Judge) -> list[tuple[Action, ...]]:
    """The options here, each with the best that follows, best first: of fires worth the same that
    with more to see about it.
    """

    def worth(each: Valued) -> tuple[float, int]:
        value, (first, *_) = each
        fire = first.fire if isinstance(first, do.Return | do.Second) else ""
        return -round(value, 9), -near(state, seat, INDEX[fire]) if fire else 0

    return [actions for _, actions in sorted(_all(state, seat, judge, 4), key=worth)]


def _chooses(state: State, seat: Seat) -> bool:
    """True if a search of actions goes on here: the seat chooses, and not where to go."""
    not_here = (Phase.MOVE, Phase.OVER, Phase.TUNNEL)
    return state.turn.seat == seat and state.turn.phase not in not_here


def _all(state: State, seat: Seat, judge: Judge, depth: int) -> Iterator[Valued]:
    """Every option here with the best that follows, and its value."""
    for actions in _candidates(state):
        value, after, revealed = _tried(state, seat, judge, actions)
        more: tuple[Action, ...] = ()
        if not revealed and depth > 1 and _chooses(after, seat):
            value, more = _searched(after, seat, judge, depth - 1)
        yield value, (*actions, *more)


def _searched(state: State, seat: Seat, judge: Judge, depth: int) -> Valued:
    """The value of the best actions from here, and these."""
    if not _chooses(state, seat):
        return judge(state, seat), ()
    return max(_all(state, seat, judge, depth), key=lambda each: each[0])


def _candidates(state: State) -> list[tuple[Action, ...]]:
    """The options, steps of one choice together."""
    if state.turn.pieces:
        return [(do.Done(),)]
    offered = options(state)
    names = [action for action in offered if isinstance(action, do.Name)]
    if names:
        return [(*names[: state.turn.most_named - len(state.turn.named)], do.Look())]
    found: list[tuple[Action, ...]] = [(a,) for a in offered if not isinstance(a, do.Piece)]
    return [*_cookings(state), *found] if len(found) < len(offered) else found


def _cookings(state: State) -> list[tuple[Action, ...]]:
    """Some sets of held game tiles: the richest in bags first, one more each time."""
    held = sorted(state.mover.held, key=lambda n: (-box.GAME[n].bags, -box.GAME[n].food))
    pieces = [do.Piece(piece=box.GAME[n].id) for n in held]
    return [(*pieces[:number], do.Done()) for number in range(1, len(pieces) + 1)]


def _tried(
    state: State, seat: Seat, judge: Judge, actions: tuple[Action, ...]
) -> tuple[float, State, bool]:
    """The value after these actions, where they lead, and whether they reveal something.

    What is revealed is not looked at: a hunt, a look and the council are worth what they are on
    average, and a card that comes to the row is none the seat has.
    """
    bonus = 0.0
    for action in actions:
        if isinstance(action, do.Hunt):
            return judge(state, seat) + judge.hunt, state, True
        if isinstance(action, do.Look) and state.turn.named:
            return judge(state, seat) + LOOK, state, True
        if isinstance(action, do.Use) and state.rules == "council_of_elders":
            return judge(state, seat) - LOOK, state, True
        if isinstance(action, do.Keep):
            bonus += sum(map(piece_worth, action.pieces)) * 0.01
        step = flow.play(state, action)
        state = step.state
        # The rest of a discarded column is judged as it lies.
        if step.reveals:
            return judge(state, seat) + bonus, state, True
    return judge(state, seat) + bonus, state, False


_NO_CHANCE = NoChance()


class Case(NamedTuple):
    """A kind of tile that a move may find, with the best actions then and what they are worth."""

    kind: str
    chance: float
    actions: tuple[Action, ...]
    value: float


class Move(NamedTuple):
    """A move of one explorer, what it is worth, and the best actions after it where nothing is
    turned over; else the cases.
    """

    explorer: int
    place: int
    value: float
    actions: tuple[Action, ...] = ()
    cases: tuple[Case, ...] = ()


def explorers_to_move(state: State) -> list[int]:
    """The explorers that the seat to move can choose from."""
    if state.turn.explorer != NO_EXPLORER:
        return [state.turn.explorer]
    return list(range(len(state.mover.explorers)))


def moves(state: State, seat: Seat, judge: Judge, explorers: list[int]) -> Iterator[Move]:
    """Every move of these explorers, judged."""
    for explorer in explorers:
        led = replace(state, turn=replace(state.turn, explorer=explorer))
        for place in members(reach(led, explorer)):
            yield judged(led, seat, judge, place)


def judged(state: State, seat: Seat, judge: Judge, place: int) -> Move:
    """The move of the explorer in progress to a territory."""
    explorer, go = state.turn.explorer, do.Go(place=NAMES[place])
    if not state.down >> place & 1:
        value, actions = _then_best(state, seat, judge, go)
        return Move(explorer, place, value, actions)
    if state.players[seat].looked >> place & 1:
        kinds = {state.tiles[place]: 1}
    else:
        kinds = dict(unseen(state, seat, REGION[place]))
    total = sum(kinds.values())
    cases = []
    for kind, number in kinds.items():
        if kind == box.CAVE:
            value, actions = judge(state, seat) + UNKNOWN_CAVE, ()
        else:
            value, actions = _then_best(_supposed(state, seat, place, kind), seat, judge, go)
        cases.append(Case(kind, number / total, actions, value))
    value = judge.found + sum(case.chance * case.value for case in cases)
    return Move(explorer, place, value, cases=tuple(cases))


def _supposed(state: State, seat: Seat, place: int, kind: str) -> State:
    """The position with a tile of this kind face down there, changed with one that is unseen."""
    tiles = list(state.tiles)
    if tiles[place] == kind:
        return state
    hidden = members(state.down & ~state.players[seat].looked & IN_REGION[REGION[place]])
    other = next(n for n in hidden if tiles[n] == kind)
    tiles[place], tiles[other] = kind, tiles[place]
    return replace(state, tiles="".join(tiles))


def found(state: State, seat: Seat, move: Move, case: Case) -> State:
    """The position after a move that has found this, and the best actions then, as far as nothing
    else comes to light.
    """
    state = _supposed(state, seat, move.place, case.kind)
    state = replace(state, turn=replace(state.turn, explorer=move.explorer))
    state = flow.play(state, do.Go(place=NAMES[move.place])).state
    for action in case.actions:
        if isinstance(action, do.Hunt):
            action = do.Pass()  # what is kept changes nothing for the other explorer
        step = flow.play(state, action)
        state = step.state
        if step.reveals:
            break
    return state


def _then_best(state: State, seat: Seat, judge: Judge, go: do.Go) -> Valued:
    """The value of a move with the best actions after it, and these."""
    number, after = state.turn.number, flow.play(state, go).state
    if after.turn.number != number or after.turn.phase == Phase.MOVE:
        return judge(after, seat), ()
    return best(after, seat, judge)


def follow(
    state: State, seat: Seat, choose: Callable[[State], tuple[Action, ...]]
) -> tuple[tuple[Action, ...], State, bool]:
    """The actions chosen from here up to what is hidden or the end of the turn, and the position
    after them; if the last brings something to light, that before it, and True. What is secret and
    what is not are never one submission.
    """
    done: list[Action] = []
    whole = (state.turn.number, state.turn.phase in SEALED)
    while (state.turn.number, state.turn.phase in SEALED) == whole:
        if state.turn.phase == Phase.OVER:
            break
        for action in choose(state):
            done.append(action)
            step = flow.apply(state, seat, action, _NO_CHANCE)
            if step.reveals:
                return tuple(done), state, True
            state = step.state
    return tuple(done), state, False


def turn(state: State, seat: Seat, judge: Judge) -> tuple[Action, ...]:
    """The seat's actions up to what is hidden or the end of the turn, each the best by itself."""
    if state.turn.phase == Phase.RANK:
        return (ranking(state),)
    return follow(state, seat, lambda at: next_actions(at, seat, judge))[0]


def next_actions(state: State, seat: Seat, judge: Judge) -> tuple[Action, ...]:
    """The best next actions by themselves."""
    if state.turn.phase == Phase.TUNNEL:
        prospects = Prospects(state, seat)
        place = max(members(tunnel_targets(state)), key=prospects.at)
        return (do.Go(place=NAMES[place]),)
    if state.turn.phase != Phase.MOVE:
        return best(state, seat, judge)[1]
    explorers = explorers_to_move(state)
    move = max(moves(state, seat, judge, explorers), key=lambda move: move.value)
    return opening(state, move)


def opening(state: State, move: Move) -> tuple[Action, ...]:
    """The actions that make a move."""
    go = do.Go(place=NAMES[move.place])
    if state.turn.explorer == NO_EXPLORER:
        return (do.Lead(explorer=move.explorer + 1), go)
    return (go,)
