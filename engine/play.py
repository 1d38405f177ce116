"""Playing a submission: orders are filed whole, then moves are made up to the first reveal.

Nothing here knows a game; everything goes through the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.chance import Chance, NoChance, SeededChance
from engine.protocol import (
    Decision,
    Event,
    Game,
    HasPlans,
    IllegalAction,
    PlanStep,
    Seat,
    Step,
)

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

    `actions` are those that were carried out, orders first: the first `orders` of them.
    `unplayed` are the moves after the first reveal; `remaining` is what is left of a decision that
    was begun, None once it is made. `sealed` is true when any of the moves was this seat's secret
    (orders always are). `turn` is that of the decision the submission was for. `steps` says of a
    submission by a plan which of its lines acted, in order.
    """

    state: S
    actions: tuple[A, ...]
    unplayed: tuple[A, ...]
    events: tuple[Event, ...]
    revealed: bool
    remaining: Decision[A] | None
    sealed: bool
    turn: str
    orders: int = 0
    steps: tuple[PlanStep, ...] = ()

    @property
    def notify(self) -> tuple[Seat, ...]:
        """The seats that are to be told of it now though nothing may be asked of them."""
        return tuple(sorted({seat for event in self.events for seat in event.notify}))


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
        if something is revealed, those before the reveal. Raises IllegalAction.
        """
        step = self._game.apply(state, self._seat, action, self._chance)
        known = step.events[: step.events_before_reveal] if step.reveals else step.events
        told = tuple(e for e in known if e.is_for(self._seat))
        return Step(
            state=step.state,
            events=told,
            reveals=step.reveals,
            may_go_on=step.may_go_on,
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


def decision_for(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A]
) -> str:
    """The decision that these actions, handed in as an answer to `decision`, are a submission for:
    that one, or where all of them are orders the one the first is an order of.

    A player may answer a letter that asks for a move with an order alone, and a letter that offers
    an order with the move that the seat must make by now. Raises NotYourDecision.
    """
    asked = decision_of(game, state, seat, decision)
    if not actions:
        return decision
    own = _own(game, state, seat)
    takers = [_taker(own, None, action) for action in actions]
    if asked.blocks:
        first = takers[0]
        return decision if first is None or None in takers else first.id
    must = _first(own)
    if takers[0] is not None and None not in takers:
        return decision if any(taker.id == decision for taker in takers if taker) else takers[0].id
    return must.id if must is not None else decision


def orders_among(game: Game[S, A], state: S, seat: Seat, actions: Sequence[A]) -> tuple[str, ...]:
    """The decisions that these actions are orders of, as `advance` would file them; "" for a move.

    Raises IllegalAction, with `index`, for an order that cannot be filed.
    """
    run = _Run(game, state, seat, NoChance())
    return tuple(run.file(index, action) or "" for index, action in enumerate(actions))


def advance(
    game: Game[S, A], state: S, seat: Seat, decision: str, actions: Sequence[A], chance: Chance
) -> Played[S, A]:
    """File the orders among the actions, then make the moves one after the other, up to the first
    reveal.

    Orders are what open decisions of the seat take that it may make or leave; the others are moves
    of `decision`, and once that is made of the next one of the same turn. Whatever stands before
    or after it, an order is filed before the first move: so it is refused before anything is
    revealed, and no reveal loses it.

    A decision that was begun may stay open at the end. Raises NotYourDecision, and IllegalAction
    with `index`. What a player is shown of a turn not yet played comes from a `Preview`, not from
    here.
    """
    target = decision_of(game, state, seat, decision)
    run = _Run(game, state, seat, chance)
    moves = [index for index, action in enumerate(actions) if not run.file(index, action)]
    orders = len(run.done)
    left = run.begun
    if left is None:
        left = run.make(target, [(index, actions[index]) for index in moves])
    return run.played(target, actions, left, orders)


class _Run(Generic[S, A]):
    """A submission as it is played. `done` has the places of its actions in the order in which they
    were carried out, `filed` the ids of decisions that orders were filed for; `begun` is an order
    that is not whole yet.
    """

    def __init__(self, game: Game[S, A], state: S, seat: Seat, chance: Chance) -> None:
        self._game = game
        self._seat = seat
        self._chance = chance
        self.state = state
        self.events: list[Event] = []
        self.done: list[int] = []
        self.filed: set[str] = set()
        self.begun: Decision[A] | None = None
        self.revealed = False
        self.sealed = False

    def file(self, index: int, action: A) -> str | None:
        """Carry an order out; the decision it is of, None for what is no order."""
        taker = _taker(self._own, self.begun, action)
        if taker is None:
            return None
        self._apply(index, action, taker)
        self.filed.add(taker.id)
        here = _find(self._own, taker.id)
        self.begun = here if here is not None and here.blocks else None
        return taker.id

    def make(
        self,
        target: Decision[A],
        moves: Sequence[tuple[int, A]],
        said: Mapping[int, PlanStep] | None = None,
    ) -> Decision[A] | None:
        """Make the moves, up to the first reveal; what is left of the decision they end in.

        `said` has the steps of a plan by the place of their first move.
        """
        here = _find(self._own, target.id)
        if not target.blocks and not moves:
            return None if target.id in self.filed else target
        asked: Decision[A] | None = target
        for index, action in moves:
            if asked is None:
                error = IllegalAction("turn_over", "")
                error.index = index
                raise error
            if said and index in said and isinstance(self._game, HasPlans):
                self.state = self._game.plan_used(self.state, self._seat, said[index])
            self._apply(index, action, asked)
            self.sealed = self.sealed or asked.sealed
            here = _find(self._own, asked.id)
            if self.revealed:
                break
            asked = self._next(asked, here)
        return here if here is not None and here.blocks else None

    def _next(self, made: Decision[A], here: Decision[A] | None) -> Decision[A] | None:
        """What is to be decided next within the same turn. (What is secret and what is not are
        never one submission: all of it would have to be hidden.)
        """
        if here is not None and here.blocks:
            return here
        if not made.turn:
            return None
        same = (d for d in self._own if d.blocks and (d.turn, d.sealed) == (made.turn, made.sealed))
        return next(same, None)

    def played(
        self,
        target: Decision[A],
        actions: Sequence[A],
        left: Decision[A] | None,
        orders: int = 0,
        steps: tuple[PlanStep, ...] = (),
    ) -> Played[S, A]:
        """The result, of which `left` is still to be decided."""
        return Played(
            state=self.state,
            actions=tuple(actions[index] for index in self.done),
            unplayed=tuple(a for index, a in enumerate(actions) if index not in self.done),
            events=tuple(self.events),
            revealed=self.revealed,
            remaining=left,
            sealed=self.sealed,
            turn=target.turn,
            orders=orders,
            steps=steps,
        )

    @property
    def _own(self) -> list[Decision[A]]:
        return _own(self._game, self.state, self._seat)

    def _apply(self, index: int, action: A, here: Decision[A]) -> None:
        """Apply an action of the decision `here`, which is one of the seat's own."""
        own = self._own
        try:
            step = self._game.apply(self.state, self._seat, action, self._chance)
            asked = _find(own, here.id)
            # With one decision open, what the game accepts is of this decision.
            if len(own) > 1 and (asked is None or action not in asked.choices):
                raise IllegalAction("other_decision", here.rule, kind=here.kind)
        except IllegalAction as error:
            error.index = index
            raise
        self.state = step.state
        self.events.extend(_told(step))
        self.done.append(index)
        self.revealed = step.reveals


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


def planned(
    game: Game[S, A], state: S, seat: Seat, *, expired: bool = False
) -> tuple[PlanStep, ...]:
    """The steps that the seat's plan makes from here: up to a reveal, to the end of what it is
    asked in this turn, or to the last decision that the plan can make whole. None where it has no
    answer.

    `expired` is true when the seat's time is up.
    """
    chance = SeededChance(b"plan")
    steps: list[PlanStep] = []
    whole = 0
    asked = _first(_own(game, state, seat))
    while asked is not None and isinstance(game, HasPlans):
        step = game.planned(state, seat, expired=expired)
        if step is None:
            break
        state = game.plan_used(state, seat, step)
        done: list[A] = []
        for action in step.actions:
            after = game.apply(state, seat, action, chance)
            state = after.state
            done.append(action)
            if after.reveals:
                return (*steps, msgspec.structs.replace(step, actions=tuple(done)))
        steps.append(step)
        made, asked = asked, _first(_own(game, state, seat))
        if asked is None or asked.id != made.id:
            whole = len(steps)
        if asked is None or (asked.turn, asked.sealed) != (made.turn, made.sealed):
            break
    return tuple(steps[:whole])


def submit_planned(
    game: Game[S, A],
    state: S,
    seat: Seat,
    decision: str,
    steps: tuple[PlanStep, ...],
    chance: Chance,
) -> Played[S, A]:
    """Play what the seat's plan has said (`planned`). Raises as `submit`."""
    target = decision_of(game, state, seat, decision)
    run = _Run(game, state, seat, chance)
    actions: list[A] = []
    said = {}
    for step in steps:
        said[len(actions)] = step
        actions += step.actions
    left = run.make(target, list(enumerate(actions)), said)
    if not run.revealed and left is not None:
        raise Incomplete(run.state, left)
    return run.played(target, actions, left, steps=steps)


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


def written(
    game: Game[S, A], state: S, seat: Seat, actions: Sequence[A], lang: str
) -> tuple[str, ...]:
    """The lines of a submission: `texts`, orders behind the moves, where every notation reads them;
    they are filed first all the same (`advance`).

    Raises as `texts` and `orders_among`.
    """
    pairs = zip(
        orders_among(game, state, seat, actions),
        texts(game, state, seat, actions, lang),
        strict=True,
    )
    return tuple(text for _, text in sorted(pairs, key=lambda pair: pair[0] != ""))


def _told(step: Step[S]) -> tuple[Event, ...]:
    """The events of a step; those that follow from what it reveals are marked."""
    if not step.reveals:
        return step.events
    known = step.events_before_reveal
    shown = (msgspec.structs.replace(event, revealed=True) for event in step.events[known:])
    return (*step.events[:known], *shown)


def _own(game: Game[S, A], state: S, seat: Seat) -> list[Decision[A]]:
    return [d for d in game.decisions(state) if d.seat == seat]


def _find(own: Sequence[Decision[A]], decision: str) -> Decision[A] | None:
    return next((d for d in own if d.id == decision), None)


def _first(own: Sequence[Decision[A]]) -> Decision[A] | None:
    """The first of the seat's decisions that it must make."""
    return next((d for d in own if d.blocks), None)


def _taker(own: Sequence[Decision[A]], begun: Decision[A] | None, action: A) -> Decision[A] | None:
    """The decision that this action is an order of: the one begun, or one that may be left."""
    if begun is not None and action in begun.choices:
        return begun
    return next((d for d in own if not d.blocks and action in d.choices), None)
