"""Positions made for a test: a set-up with things put where they are wanted."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import NO_EXPLORER, Forest, Phase, State
from engine.kit.tuples import with_player
from engine.protocol import Event, IllegalAction, Step

LETTER = {**{kind: letter for letter, kind in box.KINDS.items()}, "": box.NO_TILE}


def begun(seats: int = 2, number: int = 1, **options: Any) -> State:
    """The first turn of a match, seat 0's."""
    chance = SeededChance(seed_of_number(number))
    return GAME.setup(seats, Options(first=0, **options), chance).state


def put(state: State, seat: int = 0, **fields: Any) -> State:
    """The position with these fields of a player; places by name, inventions uncovered."""
    for name in ("explorers", "huts"):
        if name in fields:
            fields[name] = tuple(INDEX[place] for place in fields[name])
    if "inventions" in fields:
        fields.setdefault("covered", (0,) * len(fields["inventions"]))
    state = with_player(state, seat, replace(state.players[seat], **fields))
    if seat == state.turn.seat and state.turn.phase == Phase.MOVE:
        # Of several explorers one is to be chosen.
        explorer = 0 if len(state.mover.explorers) == 1 else NO_EXPLORER
        state = turn(state, explorer=explorer)
    return state


def tile(state: State, place: str, kind: str, *, up: bool = True) -> State:
    """The position with this tile in a territory, "" for none; a forest with three game tiles."""
    at = INDEX[place]
    tiles = f"{state.tiles[:at]}{LETTER[kind]}{state.tiles[at + 1 :]}"
    down = state.down & ~(1 << at) if up else state.down | 1 << at
    state = replace(state, tiles=tiles, down=down)
    if kind == "forest" and up:
        return forest(state, place, 0, 3, 2)
    return state


def forest(state: State, place: str, *pieces: int, seen: int = 0) -> State:
    """The position with these game tiles in a forest that is revealed."""
    others = tuple(f for f in state.forests if f.place != INDEX[place])
    made = Forest(place=INDEX[place], tiles=pieces, seen=seen)
    return replace(state, forests=(*others, made))


def cave(state: State, card: str, place: str = "tibet") -> State:
    """The position with this cave card revealed."""
    old = state.tiles.index(LETTER["cave"])
    tiles = state.tiles.replace(LETTER["cave"], LETTER["apple"])
    state = replace(state, tiles=tiles, down=state.down | 1 << old, track=max(3, state.track))
    return replace(tile(state, place, "cave"), cave=card, cave_up=True)


def turn(state: State, **fields: Any) -> State:
    """The position with these fields of the turn."""
    return replace(state, turn=replace(state.turn, **fields))


def step(state: State, action: Action) -> Step[State]:
    """What an action of the seat to move leads to."""
    return GAME.apply(state, state.turn.seat, action, NoChance())


def play(state: State, *actions: Action) -> State:
    """The position after these actions of the seat to move."""
    for action in actions:
        state = step(state, action).state
    return state


def offered(state: State) -> list[Action]:
    """What the seat to move is offered."""
    return list(GAME.decisions(state)[0].choices)


def refused(state: State, action: Action) -> IllegalAction:
    """The error of an action that must be refused, and is not offered."""
    assert action not in offered(state)
    with pytest.raises(IllegalAction) as error:
        step(state, action)
    assert error.value.rule.startswith("F§")
    return error.value


def told(events: tuple[Event, ...], kind: str) -> list[dict[str, Any]]:
    """The data of the events of a kind."""
    return [event.data for event in events if event.kind == kind]
