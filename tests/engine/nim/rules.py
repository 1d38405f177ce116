"""The rules of Nim: positions, what may be taken, who has won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from engine.chance import Chance
from engine.protocol import Decision, Event, IllegalAction, Outcome, Seat, Step

HEAPS: Final = (3, 4, 5)
"""The stones of each heap at the beginning (N§1)."""
NAMES: Final = "ABC"
"""The heaps, as players call them."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table: by `last_loses` who takes the last stone loses (N§4)."""

    last_loses: bool = False


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take `count` stones from one heap, "A" to "C"."""

    heap: str
    count: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A position, all of which everybody sees. `taken` counts turns, `seat` is to take next."""

    options: Options
    heaps: tuple[int, ...]
    seat: Seat
    taken: int = 0

    @property
    def is_over(self) -> bool:
        return not any(self.heaps)


class Takings:
    """All that may be taken: one stone or more, from one heap (N§2)."""

    def __init__(self, heaps: tuple[int, ...]) -> None:
        self._heaps = heaps

    def __iter__(self) -> Iterator[Take]:
        for name, stones in zip(NAMES, self._heaps, strict=True):
            yield from (Take(name, count) for count in range(1, stones + 1))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Take) and action in list(self)


def setup(seats: int, options: Options, chance: Chance) -> Step[State]:
    """N§1: three heaps, and lots for who begins."""
    if seats != 2:
        raise ValueError(f"Nim is for 2 players, not {seats}")
    seat = chance.below("who begins", seats)
    state = State(options=options, heaps=HEAPS, seat=seat)
    return Step(state=state, events=(Event(kind="began", seat=seat),))


def decisions(state: State) -> tuple[Decision[Take], ...]:
    """N§2: the players take turns."""
    if state.is_over:
        return ()
    turn = str(state.taken + 1)
    choices = Takings(state.heaps)
    return (
        Decision(id=turn, turn=turn, seat=state.seat, kind="take", rule="N§2", choices=choices),
    )


def apply(state: State, seat: Seat, action: Take) -> Step[State]:
    """N§2: stones leave their heap, and it is the other's turn."""
    if state.is_over:
        raise IllegalAction("match_over", "N§3")
    if seat != state.seat:
        raise IllegalAction("not_your_turn", "N§2")
    if action.heap not in tuple(NAMES):
        raise IllegalAction("no_such_heap", "N§1", heap=action.heap)
    at = NAMES.index(action.heap)
    there = state.heaps[at]
    if not 1 <= action.count <= there:
        raise IllegalAction("not_so_many", "N§2", heap=action.heap, count=action.count, there=there)
    left = there - action.count
    heaps = (*state.heaps[:at], left, *state.heaps[at + 1 :])
    after = State(options=state.options, heaps=heaps, seat=1 - seat, taken=state.taken + 1)
    took = Event(
        kind="took", seat=seat, data={"heap": action.heap, "count": action.count, "left": left}
    )
    ended = outcome(after)
    won = () if ended is None else (Event(kind="won", seat=ended.winners[0]),)
    return Step(state=after, events=(took, *won))


def outcome(state: State) -> Outcome | None:
    """N§3, N§4: who took the last stone has won, or lost. At the end the other would be next."""
    if not state.is_over:
        return None
    winner = state.seat if state.options.last_loses else 1 - state.seat
    scores = tuple(int(seat == winner) for seat in range(2))
    return Outcome(winners=(winner,), scores=scores, termination="last_stone")
