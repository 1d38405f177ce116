"""The sequence of play of Hill and Ford, and what is legal in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Asks, Decision, Event, IllegalAction, Outcome, Seat, Step
from tests.engine.toy.actions import (
    PLACES,
    WATCHED,
    Action,
    Bury,
    Camp,
    Pick,
    Play,
    Rest,
    Watch,
    Watched,
)
from tests.engine.toy.state import Options, State, put

HAND = 2


class Offer:
    """Legal actions, made when asked for."""

    def __init__(self, actions: Iterable[Action]) -> None:
        self._actions = actions

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions)

    def __contains__(self, action: object) -> bool:
        return any(action == offered for offered in self._actions)


def setup(seats: int, options: Options, chance: Chance) -> Step[State]:
    cards = range(1, seats * (HAND + 2 * options.rounds) + 3)
    deck = chance.shuffled("deck", cards)
    hands = tuple(deck[HAND * seat : HAND * (seat + 1)] for seat in range(seats))
    first = chance.below("first player", seats)
    nobody: tuple[Watched] = ("none",)
    state = State(
        rounds=options.rounds,
        deck=deck[HAND * seats :],
        hands=hands,
        heaps=((),) * seats,
        discard=(),
        points=(0,) * seats,
        watches=nobody * seats,
        orders=(0,) * seats,
        plays=(0,) * seats,
        first=first,
    )
    dealt = (
        Event(kind="dealt", seat=seat, data={"cards": hand}, audience=(seat,))
        for seat, hand in enumerate(hands)
    )
    return Step(state=state, events=(Event(kind="first", seat=first), *dealt), reveals=True)


def decisions(state: State) -> tuple[Decision[Action], ...]:
    if state.phase == "over":
        return ()
    if state.phase == "duel":
        main = [
            Decision(
                id=f"d{state.round}.{seat}",
                turn=str(state.round),
                seat=seat,
                kind="duel",
                rule="T§5",
                choices=Offer([Play(card=card) for card in state.hands[seat]]),
                sealed=True,
            )
            for seat in range(state.seats)
            if not state.plays[seat]
        ]
    else:
        main = [_turn(state)]
    return (*main, *(_order(state, seat) for seat in range(state.seats)))


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    if state.phase == "over":
        raise IllegalAction("over", "T§6")
    if isinstance(action, Watch):
        return _watch(state, seat, action)
    if isinstance(action, Play):
        return _play(state, seat, action, chance)
    if state.phase == "duel" or seat != state.to_move:
        raise IllegalAction("not_your_turn", "T§3")
    if isinstance(action, Camp) and state.phase == "camp":
        return _camp(state, seat, action)
    if isinstance(action, Rest | Pick) and state.phase == "dig":
        return _dig(state, seat, action)
    if isinstance(action, Bury) and state.phase == "bury":
        return _bury(state, seat, action)
    raise IllegalAction("out_of_order", "T§3", phase=state.phase)


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    final = scores(state)
    winners = tuple(seat for seat, score in enumerate(final) if score == max(final))
    return Outcome(winners=winners, scores=final, termination="normal")


def scores(state: State) -> tuple[int, ...]:
    pairs = zip(state.points, state.heaps, strict=True)
    return tuple(points + sum(heap) for points, heap in pairs)


def _turn(state: State) -> Decision[Action]:
    seat = state.to_move
    id_ = f"t{state.round}.{state.turns}"
    asked = partial(
        Decision[Action], turn=str(state.round), seat=seat, rule="T§3", kind=state.phase
    )
    if state.phase == "camp":
        return asked(id=id_, choices=Offer([Camp(place=place) for place in PLACES]))
    if state.phase == "dig":
        return asked(id=f"{id_}.dig" if state.cut else id_, choices=Offer([Rest(), Pick()]))
    cards = [Bury(card=card) for card in state.hands[seat]]
    return asked(id=f"{id_}.bury", choices=Offer(cards), sealed=True)


def _order(state: State, seat: Seat) -> Decision[Action]:
    return Decision(
        id=f"w{seat}.{state.orders[seat]}",
        turn="",
        seat=seat,
        kind="watch",
        rule="T§4",
        choices=Offer([Watch(place=p) for p in WATCHED if p != state.watches[seat]]),
        asks=Asks.MAY,
        sealed=True,
    )


def _watch(state: State, seat: Seat, action: Watch) -> Step[State]:
    if state.watches[seat] == action.place:
        raise IllegalAction("same_order", "T§4", place=action.place)
    after = replace(
        state,
        watches=put(state.watches, seat, action.place),
        orders=put(state.orders, seat, state.orders[seat] + 1),
    )
    told = Event(kind="ordered", seat=seat, data={"place": action.place}, audience=(seat,))
    return Step(state=after, events=(told,))


def _camp(state: State, seat: Seat, action: Camp) -> Step[State]:
    events = [Event(kind="camped", seat=seat, data={"place": action.place})]
    points, watches = list(state.points), list(state.watches)
    for watcher, place in enumerate(state.watches):
        if watcher == seat or place != action.place:
            continue
        taken = min(1, points[seat])
        points[seat] -= taken
        points[watcher] += taken
        watches[watcher] = "none"
        events.append(Event(kind="caught", seat=watcher, data={"camper": seat, "taken": taken}))
    cut = len(events) > 1
    after = replace(state, phase="dig", points=tuple(points), watches=tuple(watches), cut=cut)
    return Step(state=after, events=tuple(events), reveals=cut)


def _dig(state: State, seat: Seat, action: Rest | Pick) -> Step[State]:
    if isinstance(action, Rest):
        rested = replace(state, points=put(state.points, seat, state.points[seat] + 1))
        return Step(state=_next(rested), events=(Event(kind="rested", seat=seat),))
    card = state.deck[0]
    hand = (*state.hands[seat], card)
    after = replace(
        state, deck=state.deck[1:], hands=put(state.hands, seat, hand), phase="bury", cut=True
    )
    events = (
        Event(kind="drew", seat=seat),
        Event(kind="drawn", seat=seat, data={"card": card}, audience=(seat,)),
    )
    return Step(state=after, events=events, reveals=True)


def _bury(state: State, seat: Seat, action: Bury) -> Step[State]:
    heap = (*state.heaps[seat], action.card)
    after = replace(
        state, hands=_without(state, seat, action.card), heaps=put(state.heaps, seat, heap)
    )
    events = (
        Event(kind="buried", seat=seat),
        Event(kind="heaped", seat=seat, data={"card": action.card}, audience=(seat,)),
    )
    return Step(state=_next(after), events=events)


def _next(state: State) -> State:
    turns = state.turns + 1
    phase = "duel" if turns == state.seats else "camp"
    return replace(state, turns=turns, phase=phase, cut=False)


def _play(state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
    if state.phase != "duel" or state.plays[seat]:
        raise IllegalAction("not_your_turn", "T§5")
    after = replace(
        state,
        hands=_without(state, seat, action.card),
        plays=put(state.plays, seat, action.card),
    )
    laid = Event(kind="laid", seat=seat)
    if not all(after.plays):
        return Step(state=after, events=(laid,))
    resolved = _resolve(after, chance)
    return replace(resolved, events=(laid, *resolved.events))


def _resolve(state: State, chance: Chance) -> Step[State]:
    bounty = 1 + chance.below("bounty", 3)
    winner = state.plays.index(max(state.plays))
    events = [Event(kind="shown", seat=s, data={"card": c}) for s, c in enumerate(state.plays)]
    events.append(Event(kind="bounty", seat=winner, data={"points": bounty}))
    deck, hands = state.deck, []
    for seat, hand in enumerate(state.hands):
        hands.append((*hand, deck[0]))
        events.append(Event(kind="drawn", seat=seat, data={"card": deck[0]}, audience=(seat,)))
        deck = deck[1:]
    last = state.round == state.rounds
    after = replace(
        state,
        deck=deck,
        hands=tuple(hands),
        discard=state.discard + state.plays,
        points=put(state.points, winner, state.points[winner] + bounty),
        plays=(0,) * state.seats,
        round=state.round if last else state.round + 1,
        turns=0,
        phase="over" if last else "camp",
    )
    return Step(state=after, events=tuple(events), reveals=True)


def _without(state: State, seat: Seat, card: int) -> tuple[tuple[int, ...], ...]:
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalAction("not_in_hand", "T§3", card=card)
    return put(state.hands, seat, tuple(c for c in hand if c != card))
