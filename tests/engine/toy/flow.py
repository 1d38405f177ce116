"""The sequence of play of Hill and Ford, and what is legal in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from engine.chance import Chance
from engine.protocol import Asks, Decision, Event, Filed, IllegalAction, Outcome, Seat, Step
from tests.engine.toy import plans
from tests.engine.toy.actions import (
    PLACES,
    STONES,
    TILES,
    WATCHED,
    WISHES,
    Action,
    Bury,
    Camp,
    Carry,
    File,
    Pick,
    Play,
    Rest,
    Watch,
    Watched,
    Wish,
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


class Wishes:
    """The wishes anybody may write: more than a page could list."""

    def __iter__(self) -> Iterator[Action]:
        yield Wish(tiles=("berries", "grass"))
        yield Wish(tiles=("grass",))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Wish) and len(action.tiles) in WISHES


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
        plans=((),) * seats,
        plays=(0,) * seats,
        first=first,
        tiles=chance.shuffled("tiles", TILES),
        turned=(False,) * len(PLACES),
        treks=options.treks,
    )
    dealt = (
        Event(kind="dealt", seat=seat, data={"cards": hand}, audience=(seat,), chapter="start")
        for seat, hand in enumerate(hands)
    )
    begun = Event(kind="first", seat=first, chapter="start")
    return Step(state=state, events=(begun, *dealt), reveals=True)


def decisions(state: State) -> tuple[Decision[Action], ...]:
    if state.phase == "over":
        return ()
    if state.phase == "duel":
        main = [_duel(state, seat) for seat in state.in_play]
    else:
        main = [_turn(state), *(_file(state, seat) for seat in state.order[state.turns :])]
    return (*main, *(_watching(state, seat) for seat in state.in_play))


def apply(state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
    if state.phase == "over" or seat not in state.in_play:
        raise IllegalAction("over", "T§8")
    if isinstance(action, Watch):
        return _watch(state, seat, action)
    if isinstance(action, File):
        return _filed(state, seat, action)
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
    if isinstance(action, Carry) and state.phase == "carry":
        if action.stones not in STONES:
            raise IllegalAction("too_heavy", "T§9", stones=action.stones)
        told = _told("carried", seat, stones=action.stones, place=action.place)
        return Step(state=replace(state, phase="wish"), events=(told,))
    if isinstance(action, Wish) and state.phase == "wish":
        return _wish(state, seat, action)
    raise IllegalAction("out_of_order", "T§3", phase=state.phase)


def filed(state: State, seat: Seat) -> tuple[Filed, ...]:
    """What is on file of a seat: its card for the duel, its plan, its watch."""
    said: dict[str, Action] = {}
    nothing: dict[str, Action] = {"file": File(lines=()), "watch": Watch(place="none")}
    if state.plays[seat]:
        said["duel"] = Play(card=state.plays[seat])
    if state.plans[seat]:
        said["file"] = File(lines=state.plans[seat])
    if state.watches[seat] != "none":
        said["watch"] = Watch(place=state.watches[seat])
    mine = [decision for decision in decisions(state) if decision.seat == seat]
    return tuple(
        Filed(
            decision=decision.id,
            actions=(said[decision.kind],),
            withdraws=(nothing[decision.kind],) if decision.kind in nothing else (),
        )
        for decision in mine
        if decision.kind in said
    )


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    final = scores(state)
    best = max((final[seat] for seat in state.in_play), default=0)
    winners = tuple(seat for seat in state.in_play if final[seat] == best)
    if not winners:
        return Outcome(winners=(), scores=final, termination="starved")
    termination = "normal" if len(state.in_play) > 1 else "last"
    return Outcome(winners=winners, scores=final, termination=termination)


def scores(state: State) -> tuple[int, ...]:
    return tuple(
        0 if seat in state.out else state.points[seat] + sum(state.heaps[seat])
        for seat in range(state.seats)
    )


def _turn(state: State) -> Decision[Action]:
    seat = state.to_move
    left = "carry" if state.phase == "wish" else state.phase
    name = "turn" if state.phase == "camp" or not state.cut else left
    asked = partial(
        Decision[Action],
        id=f"{state.round}.{name}.{seat}",
        turn=str(state.round),
        seat=seat,
        rule="T§3",
        kind=state.phase,
    )
    if state.phase == "camp":
        return asked(choices=Offer([Camp(place=place) for place in PLACES]))
    if state.phase == "dig":
        return asked(choices=Offer([Rest(), Pick()]))
    if state.phase == "carry":
        loads = (Carry(stones=n, place=place) for place in PLACES for n in STONES)
        return asked(choices=Offer(list(loads)))
    if state.phase == "wish":
        return asked(choices=Wishes(), open=True)
    return asked(choices=Offer([Bury(card=card) for card in state.hands[seat]]), sealed=True)


def _duel(state: State, seat: Seat) -> Decision[Action]:
    return Decision(
        id=f"{state.round}.duel.{seat}",
        turn=str(state.round),
        seat=seat,
        kind="duel",
        rule="T§5",
        choices=Offer([Play(card=card) for card in state.hands[seat]]),
        asks=Asks.MAY if state.plays[seat] else Asks.MUST,
        sealed=True,
    )


def _file(state: State, seat: Seat) -> Decision[Action]:
    return Decision(
        id=f"{state.round}.file.{seat}",
        turn=str(state.round),
        seat=seat,
        kind="file",
        rule="T§7",
        choices=plans.Plans(state.plans[seat]),
        asks=Asks.MAY if seat == state.to_move else Asks.INVITE,
        open=True,
        sealed=True,
    )


def _watching(state: State, seat: Seat) -> Decision[Action]:
    return Decision(
        id=f"0.watch.{seat}",
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
    after = replace(state, watches=put(state.watches, seat, action.place))
    return Step(state=after, events=(_private("ordered", seat, place=action.place),))


def _filed(state: State, seat: Seat, action: File) -> Step[State]:
    if state.phase == "duel" or seat not in state.order[state.turns :]:
        raise IllegalAction("too_late", "T§7")
    wrong = plans.fault(action)
    if wrong is not None:
        raise IllegalAction(wrong, "T§7")
    if state.plans[seat] == action.lines:
        raise IllegalAction("same_order", "T§7")
    said = -1 if seat == state.to_move else state.said
    after = replace(state, plans=put(state.plans, seat, action.lines), said=said)
    return Step(state=after, events=(_private("filed", seat, lines=len(action.lines)),))


def _camp(state: State, seat: Seat, action: Camp) -> Step[State]:
    at = PLACES.index(action.place)
    then: Literal["carry", "dig"] = "carry" if state.treks else "dig"
    before = replace(state, phase=then, camps=(*state.camps, action.place))
    events = [_told("camped", seat, place=action.place)]
    points, watches = list(state.points), list(state.watches)
    for watcher, place in enumerate(state.watches):
        if watcher == seat or place != action.place:
            continue
        taken = min(1, points[seat])
        points[seat] -= taken
        points[watcher] += taken
        watches[watcher] = "none"
        events.append(_told("caught", watcher, camper=seat, taken=taken))
    if not state.turned[at]:
        tile = state.tiles[at]
        found = {"berries": 1, "wolf": -min(1, points[seat]), "grass": 0}[tile]
        points[seat] += found
        events.append(_told("turned", seat, place=action.place, tile=tile, points=found))
    if len(events) == 1:
        return Step(state=before, events=tuple(events))
    after = replace(
        before,
        points=tuple(points),
        watches=tuple(watches),
        turned=put(state.turned, at, True),
        cut=True,
    )
    return Step(
        state=after,
        events=tuple(events),
        reveals=True,
        state_before_reveal=before,
        events_before_reveal=1,
    )


def _dig(state: State, seat: Seat, action: Rest | Pick) -> Step[State]:
    if isinstance(action, Rest):
        rested = replace(state, points=put(state.points, seat, state.points[seat] + 1))
        return Step(state=_next(rested), events=(_told("rested", seat),))
    card = state.deck[0]
    hand = (*state.hands[seat], card)
    after = replace(
        state, deck=state.deck[1:], hands=put(state.hands, seat, hand), phase="bury", cut=True
    )
    events = (_told("drew", seat), _private("drawn", seat, card=card))
    return Step(state=after, events=events, reveals=True)


def _bury(state: State, seat: Seat, action: Bury) -> Step[State]:
    heap = (*state.heaps[seat], action.card)
    after = replace(
        state, hands=_without(state, seat, action.card), heaps=put(state.heaps, seat, heap)
    )
    events = (_told("buried", seat), _private("heaped", seat, card=action.card))
    return Step(state=_next(after), events=events)


def _wish(state: State, seat: Seat, action: Wish) -> Step[State]:
    if len(action.tiles) not in WISHES:
        raise IllegalAction("long_wish", "T§9", most=WISHES[-1])
    at = PLACES.index(state.camps[-1])
    points = int(state.turned[at] and state.tiles[at] == action.tiles[0])
    told = _told("wished", seat, tiles=action.tiles, points=points)
    after = replace(state, points=put(state.points, seat, state.points[seat] + points))
    return Step(state=_next(after), events=(told,))


def _next(state: State) -> State:
    """The next turn of the round, or the duel. The plan for the turn that is over expires."""
    plans = put(state.plans, state.to_move, ())
    turns = state.turns + 1
    phase = "duel" if turns == len(state.in_play) else "camp"
    return replace(state, turns=turns, phase=phase, cut=False, plans=plans, said=-1)


def _play(state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
    if state.phase != "duel":
        raise IllegalAction("not_your_turn", "T§5")
    hands, laid = _without(state, seat, action.card), state.plays[seat]
    if laid:
        hands = put(hands, seat, (*hands[seat], laid))
    after = replace(state, hands=hands, plays=put(state.plays, seat, action.card))
    told = _private("laid", seat, "duel", card=action.card)
    if not all(after.plays[other] for other in state.in_play):
        return Step(state=after, events=(told,))
    resolved = _resolve(after, chance)
    return replace(resolved, events=(told, *resolved.events))


def _resolve(state: State, chance: Chance) -> Step[State]:
    bounty = 1 + chance.below("bounty", 3)
    winner = state.plays.index(max(state.plays))
    events = [_told("shown", seat, "duel", card=state.plays[seat]) for seat in state.in_play]
    events.append(_told("bounty", winner, "duel", points=bounty))
    deck, hands = state.deck, state.hands
    for seat in state.in_play:
        hands = put(hands, seat, (*hands[seat], deck[0]))
        events.append(_private("drawn", seat, "duel", card=deck[0]))
        deck = deck[1:]
    after = replace(
        state,
        deck=deck,
        hands=hands,
        discard=state.discard + tuple(card for card in state.plays if card),
        points=put(state.points, winner, state.points[winner] + bounty),
        plays=(0,) * state.seats,
    )
    after = _hunger(after, events)
    last = state.round == state.rounds or len(after.in_play) < 2
    after = replace(
        after,
        round=state.round if last else state.round + 1,
        camps=(),
        turns=0,
        phase="over" if last else "camp",
    )
    return Step(state=after, events=tuple(events), reveals=True)


def _hunger(state: State, events: list[Event]) -> State:
    """Everybody eats (T§6); the hands and heaps of who cannot are laid open."""
    cost = state.round - 1
    for seat in state.in_play:
        if state.points[seat] >= cost:
            state = replace(state, points=put(state.points, seat, state.points[seat] - cost))
            continue
        events.append(
            Event(kind="starved", seat=seat, data={"cost": cost}, chapter="hunger", notify=(seat,))
        )
        state = replace(
            state,
            out=(*state.out, seat),
            discard=state.discard + state.hands[seat] + state.heaps[seat],
            hands=put(state.hands, seat, ()),
            heaps=put(state.heaps, seat, ()),
            watches=put(state.watches, seat, "none"),
        )
    return state


def _told(kind: str, seat: Seat, chapter: str = "turns", **data: object) -> Event:
    return Event(kind=kind, seat=seat, data=data, chapter=chapter)


def _private(kind: str, seat: Seat, chapter: str = "turns", **data: object) -> Event:
    return Event(kind=kind, seat=seat, data=data, audience=(seat,), chapter=chapter)


def _without(state: State, seat: Seat, card: int) -> tuple[tuple[int, ...], ...]:
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalAction("not_in_hand", "T§3", card=card)
    return put(state.hands, seat, tuple(c for c in hand if c != card))
