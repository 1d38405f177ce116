"""Playing a submission: a list of actions taken whole up to the first reveal.

Nothing here knows a game; everything goes through the protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.chance import Chance, NoChance, SeededChance
from engine.protocol import Decision, Event, Game, IllegalAction, Seat, Step

S = TypeVar("S")
A = TypeVar("A")


class NotYourDecision(Exception):
    """The seat has no open decision of that id."""

    def __init__(self, seat: Seat, decision: str) -> None:
        super().__init__(f"seat {seat} has no decision {decision}")
        self.seat = seat
        self.decision = decision


class Incomplete(Exception):
    """The actions are legal but leave the decision open; `remaining` is what is left of it."""

    def __init__(self, state: Any, remaining: Decision[Any]) -> None:
        super().__init__(f"{remaining.kind} is still to be decided")
        self.state = state
        self.remaining = remaining


class Played(msgspec.Struct, Generic[S, A], frozen=True, kw_only=True):
    """The result of a submission.

    `unplayed` are the actions after the first reveal; `remaining` is what is left of the decision,
    None once it is made. `sealed` is true when any of the actions was this seat's secret.
    """

    state: S
    actions: tuple[A, ...]
    unplayed: tuple[A, ...]
    events: tuple[Event, ...]
    revealed: bool
    remaining: Decision[A] | None
    sealed: bool


class Preview(Generic[S, A]):
    """Actions a seat has not submitted, played on a guess: all that it may be shown of them.

    What the seat does not know cannot come through; view the positions as this seat, and those
    after a reveal not at all, but only the `state_before_reveal`. Another `number` is another guess
    of what is hidden.
    """

    def __init__(self, game: Game[S, A], state: S, seat: Seat, number: int = 0) -> None:
        self._game = game
        self._seat = seat
        self._chance = SeededChance(b"preview %d" % number)
        self.start: S = game.guess(state, seat, self._chance)
        """One of the positions that the seat cannot tell from the true one."""

    def step(self, state: S, action: A) -> Step[S]:
        """The step this action leads to. The events are those the seat may be told before it plays:
        if something is revealed, those that are foretold. Raises IllegalAction.
        """
        step = self._game.apply(state, self._seat, action, self._chance)
        known = step.events[: step.events_before_reveal] if step.reveals else step.events
        told = tuple(e for e in known if e.is_for(self._seat))
        return Step(
            state=step.state,
            events=told,
            reveals=step.reveals,
            state_before_reveal=step.state_before_reveal,
            events_before_reveal=len(told) if step.reveals else 0,
        )

    def complete(self, state: S, decision: str) -> tuple[A, ...]:
        """As the function `complete`, from this position of the guess."""
        return complete(self._game, state, self._seat, decision, self._chance)


def decision_of(game: Game[S, A], state: S, seat: Seat, decision: str) -> Decision[A]:
    """The seat's open decision of that id. Raises NotYourDecision."""
    found = _find(_own(game, state, seat), decision)
    if found is None:
        raise NotYourDecision(seat, decision)
    return found


def advance(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A], chance: Chance
) -> Played[S, A]:
    """Apply the actions one after the other, up to the first reveal.

    The decision may stay open at the end. Raises NotYourDecision, and IllegalAction with `index`.
    What a player is shown of a turn not yet played comes from a `Preview`, not from here.
    """
    events: list[Event] = []
    done = 0
    sealed = revealed = False
    own = _own(game, state, seat)
    here = _find(own, decision)
    if here is None:
        raise NotYourDecision(seat, decision)
    for index, action in enumerate(actions):
        try:
            if here is None:
                raise IllegalAction("turn_over", "")
            step = _apply(game, state, own, here, action, chance)
        except IllegalAction as error:
            error.index = index
            raise
        revealed = step.reveals
        sealed = sealed or here.sealed
        done = index + 1
        state = step.state
        events.extend(step.events)
        own = _own(game, state, seat)
        here = _find(own, decision)
        if revealed:
            break
    return Played(
        state=state,
        actions=tuple(actions[:done]),
        unplayed=tuple(actions[done:]),
        events=tuple(events),
        revealed=revealed,
        remaining=here,
        sealed=sealed,
    )


def submit(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A], chance: Chance
) -> Played[S, A]:
    """Play a submission: as `advance`, and it must make the decision or reach a reveal.

    Raises NotYourDecision, IllegalAction, or Incomplete; `state` is untouched in every case.
    """
    played = advance(game, state, seat, decision, actions, chance)
    if not played.revealed and played.remaining is not None:
        raise Incomplete(played.state, played.remaining)
    return played


def complete(
    game: Game[S, A], state: S, seat: Seat, decision: str, chance: Chance
) -> tuple[A, ...]:
    """The default actions that make the decision from here, or lead to the next reveal.

    None for a decision that does not block: its default is not to make it.
    """
    actions: list[A] = []
    while True:
        here = _find(_own(game, state, seat), decision)
        if here is None or not here.blocks:
            return tuple(actions)
        action = game.default(state, seat)
        step = game.apply(state, seat, action, chance)
        actions.append(action)
        if step.reveals:
            return tuple(actions)
        state = step.state


def texts(
    game: Game[S, A], state: S, seat: Seat, actions: Sequence[A], lang: str
) -> tuple[str, ...]:
    """The notation of legal actions, each in the position it is played in.

    Raises IllegalAction; raises `engine.chance.Divergence` if any but the last draws.
    """
    written = []
    for index, action in enumerate(actions):
        written.append(game.notation.format(state, seat, action, lang))
        if index + 1 < len(actions):
            state = game.apply(state, seat, action, NoChance()).state
    return tuple(written)


def _own(game: Game[S, A], state: S, seat: Seat) -> list[Decision[A]]:
    return [d for d in game.decisions(state) if d.seat == seat]


def _find(own: Sequence[Decision[A]], decision: str) -> Decision[A] | None:
    return next((d for d in own if d.id == decision), None)


def _apply(
    game: Game[S, A],
    state: S,
    own: Sequence[Decision[A]],
    here: Decision[A],
    action: A,
    chance: Chance,
) -> Step[S]:
    """Apply an action of the decision `here`, which is one of the seat's `own`."""
    step = game.apply(state, here.seat, action, chance)
    # With one decision open, what the game accepts is of this decision.
    if len(own) > 1 and action not in here.choices:
        raise IllegalAction("other_decision", here.rule, kind=here.kind)
    return step
