"""The sequence of play: turns (S§3, S§4, S§11), refill (S§10, S§13), rounds and the end (S§12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.kit.tuples import with_player
from engine.protocol import Decision, Event, Seat, Step
from engine.sapiens import effects, legality
from engine.sapiens.actions import (
    Abandon,
    Action,
    Bonus,
    Lay,
    Out,
    Remove,
    Retrieve,
    Take,
    Token,
)
from engine.sapiens.bonuses import SCENE_OF
from engine.sapiens.components import COMMON_POOL, SCENES, TILES
from engine.sapiens.errors import illegal
from engine.sapiens.events import event
from engine.sapiens.laying import close, fights_home, lay
from engine.sapiens.legality import RULES, Choices
from engine.sapiens.placing import ABANDONING, LAYING, STARTING
from engine.sapiens.scoring import outcome
from engine.sapiens.state import (
    LAY,
    OVER,
    REMOVE,
    START,
    STUCK,
    State,
    Turn,
    fight_owners,
)


def decisions(state: State) -> tuple[Decision[Action], ...]:
    """The one decision that is open: the turn of the player to move. None when the game is over."""
    turn = state.turn
    if turn.phase == OVER:
        return ()
    return (
        Decision(
            id=f"t{turn.number}",
            turn=str(turn.number),
            seat=turn.seat,
            kind=turn.phase,
            rule=RULES[turn.phase],
            choices=Choices(state),
        ),
    )


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    """The position after an action. Raises IllegalAction. Nothing is drawn after the set-up."""
    turn = state.turn
    if turn.phase == OVER:
        raise illegal("game_over")
    if seat != turn.seat:
        raise illegal("not_your_turn", to_move=turn.seat)
    events: list[Event] = []
    before = _PLAYS[type(action)](state, action, events)
    if not _refilled(before, action):
        return Step(state=before, events=tuple(events))
    events_before_reveal = len(events)
    after = _reveal(before, events)
    if len(after.stack) == len(state.stack):
        return Step(state=after, events=tuple(events))
    return Step(
        state=after,
        events=tuple(events),
        reveals=True,
        state_before_reveal=before,
        events_before_reveal=events_before_reveal,
    )


def _refilled(state: State, action: Action) -> bool:
    """True if the refill is over with this action, which has led here."""
    if isinstance(action, Take):
        return state.turn.phase != REMOVE
    return isinstance(action, Remove)


def _lay(state: State, action: Lay, events: list[Event]) -> State:
    placement = legality.check_lay(state, action)
    how = STARTING if state.turn.phase == START else LAYING
    return lay(state, placement, action.order, how, events)


def _abandon(state: State, action: Abandon, events: list[Event]) -> State:
    placement = legality.check_abandon(state, action)
    return lay(state, placement, action.order, ABANDONING, events)


def _bonus(state: State, action: Bonus, events: list[Event]) -> State:
    scene = legality.check_earned(state, action)
    state = effects.use(state, action, as_token=False, events=events)
    left = state.turn.bonuses & ~(1 << scene)
    state = replace(state, turn=replace(state.turn, bonuses=left))
    return state if left else close(state, events)


def _token(state: State, action: Token, events: list[Event]) -> State:
    """Play a mountain token (S§9). After laying it ends the resolution of the tile (S§4.3)."""
    scene = legality.check_token(state, action)
    state = close(state, events)
    events.append(event("token_played", state.turn.seat, scene=SCENES[scene]))
    state = effects.use(state, action.effect, as_token=True, events=events)
    player = state.mover
    player = replace(player, claimed=player.claimed & ~(1 << scene), used=player.used | 1 << scene)
    state = with_player(state, state.turn.seat, player)
    state = replace(state, turn=replace(state.turn, token_played=True))
    if state.turn.phase not in (LAY, STUCK):
        return state
    return _before_laying(state) or _next_turn(_leave(state, events), events)


def _retrieve(state: State, action: Retrieve, events: list[Event]) -> State:
    legality.check_time(state, action)
    return effects.retrieve(state, action, events)


def _out(state: State, action: Out, events: list[Event]) -> State:
    legality.check_time(state, action)
    return _next_turn(_leave(state, events), events)


def _take(state: State, action: Take, events: list[Event]) -> State:
    """Refill the personal pool (S§10.1). Two players go on to remove (S§10.2, S§13)."""
    tiles = legality.check_take(state, action)
    state = close(state, events)
    seat, player = state.turn.seat, state.mover
    events.append(event("took", seat, tiles=list(action.tiles)))
    state = with_player(state, seat, replace(player, pool=player.pool + tiles))
    common = tuple(tile for tile in state.common if tile not in tiles)
    state = replace(state, common=common)
    if len(state.players) == 2 and common:
        return replace(state, turn=replace(state.turn, phase=REMOVE))
    return state


def _remove(state: State, action: Remove, events: list[Event]) -> State:
    """Take a common tile out of the game (S§13.1); fight tokens on it go home (S§8.4)."""
    tile = legality.check_remove(state, action)
    events.append(
        event(
            "removed",
            state.turn.seat,
            tile=action.tile,
            fights=list(fight_owners(state, tile)),
        )
    )
    state = fights_home(state, tile)
    common = tuple(other for other in state.common if other != tile)
    return replace(state, common=common)


_PLAYS: dict[type[Action], Callable[[State, Any, list[Event]], State]] = {
    Lay: _lay,
    Abandon: _abandon,
    Out: _out,
    Token: _token,
    Retrieve: _retrieve,
    Take: _take,
    Remove: _remove,
    **dict.fromkeys(SCENE_OF, _bonus),
}


def _reveal(state: State, events: list[Event]) -> State:
    """Fill the common pool from the stack (S§10.3); the last tile gone triggers the end
    (S§12.1).
    """
    number = min(COMMON_POOL - len(state.common), len(state.stack))
    if number > 0:
        new, stack = state.stack[:number], state.stack[number:]
        events.append(event("revealed", tiles=[TILES[tile] for tile in new], stack=len(stack)))
        state = replace(
            state,
            common=state.common + new,
            stack=stack,
            known=min(state.known, len(stack)),
        )
    if not state.common and not state.ending:
        events.append(event("end_triggered", round=state.round, last=_last_of_round(state)))
        state = replace(state, ending=True)
    return _next_turn(state, events)


def _last_of_round(state: State) -> Seat:
    """The last player to have a turn in this round, as it stands."""
    seats, mover = len(state.players), state.turn.seat
    # From the mover to the player before the first.
    coming = [(mover + k) % seats for k in range((state.first - mover - 1) % seats + 1)]
    return [seat for seat in coming if seat == mover or not state.players[seat].out][-1]


def _next_turn(state: State, events: list[Event]) -> State:
    """The turn of the next player who is not out, or the end (S§11.4, S§12.1)."""
    seats = len(state.players)
    number, seat, round_ = state.turn.number + 1, state.turn.seat, state.round
    while True:
        if all(player.out for player in state.players):
            return _over(state, "normal" if state.ending else "all_out", events)
        seat = (seat + 1) % seats
        if seat == state.first:
            if state.ending:
                return _over(state, "normal", events)
            round_ += 1
        if state.players[seat].out:
            continue
        turn = Turn(number=number, seat=seat, phase=START if round_ == 1 else LAY)
        state = replace(state, round=round_, turn=turn)
        if turn.phase == START:
            return state
        if ready := _before_laying(state):
            return ready
        state = _leave(state, events)


def _before_laying(state: State) -> State | None:
    """The position with the phase the mover is in before laying.

    Who can neither lay nor abandon is asked only while there is a token to play (S§11.1, S§11.4).
    None: the mover is out.
    """
    if legality.can_lay(state) or legality.can_abandon(state):
        phase = LAY
    elif legality.tokens(state):
        phase = STUCK
    else:
        return None
    if phase == state.turn.phase:
        return state
    return replace(state, turn=replace(state.turn, phase=phase))


def _leave(state: State, events: list[Event]) -> State:
    """The mover is out for the rest of the game (S§11.4), and is told so at once: no letter asks
    them anything any more.
    """
    events.append(replace(event("out", state.turn.seat), notify=(state.turn.seat,)))
    return with_player(state, state.turn.seat, replace(state.mover, out=True))


def _over(state: State, termination: str, events: list[Event]) -> State:
    """The end (S§12)."""
    turn = replace(state.turn, phase=OVER)
    state = replace(state, turn=turn, termination=termination)
    result = outcome(state)
    assert result is not None
    events.append(
        event(
            "over",
            scores=list(result.scores),
            fp=[player.fp for player in state.players],
            sp=[player.sp for player in state.players],
            winners=list(result.winners),
            termination=termination,
        )
    )
    return state
