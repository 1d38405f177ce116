"""Whole turns of a bot: moves and actions up to what is hidden, and what a move may come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from engine.chance import NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.choosing import SEALED, Judge, best, ranking
from engine.fire_and_stone.bots.worth import UNKNOWN_CAVE, Prospects, unseen
from engine.fire_and_stone.map import IN_REGION, NAMES, REGION, members
from engine.fire_and_stone.options import reach, tunnel_targets
from engine.fire_and_stone.state import NO_EXPLORER, Phase, State, Turn
from engine.protocol import Seat

_NO_CHANCE = NoChance()
_FOUND = 0.3
"""The worth of turning a tile over, whatever it is: the game goes on."""


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
    value = _FOUND + sum(case.chance * case.value for case in cases)
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


def _then_best(
    state: State, seat: Seat, judge: Judge, go: do.Go
) -> tuple[float, tuple[Action, ...]]:
    """The value of a move with the best actions after it, and these."""
    number, after = state.turn.number, flow.play(state, go).state
    if after.turn.number != number or after.turn.phase == Phase.MOVE:
        return judge(after, seat), ()
    return best(after, seat, judge)


def turn(state: State, seat: Seat, judge: Judge, begun: Turn | None = None) -> tuple[Action, ...]:
    """The seat's actions from here up to what is hidden or the end of the turn, each the best by
    itself. What is secret and what is not are never one submission, which may have `begun` before.
    """
    if state.turn.phase == Phase.RANK:
        return (ranking(state),)
    begun = begun or state.turn
    number, secret = begun.number, begun.phase in SEALED
    done: list[Action] = []
    while (state.turn.number, state.turn.phase in SEALED) == (number, secret):
        if state.turn.phase == Phase.OVER:
            break
        for action in next_actions(state, seat, judge):
            done.append(action)
            step = flow.apply(state, seat, action, _NO_CHANCE)
            state = step.state
            if step.reveals:
                return tuple(done)
    return tuple(done)


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
