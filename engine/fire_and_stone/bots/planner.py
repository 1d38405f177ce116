"""The bot `planner`: looks at all that a move may find and at where the explorers stand then, and
files a plan for what it cannot know yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.chance import Chance, NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots import turns, worth
from engine.fire_and_stone.bots.turns import Move
from engine.fire_and_stone.bots.worth import Judging
from engine.fire_and_stone.map import IN_REGION, INDEX, NAMES, REGION, members
from engine.fire_and_stone.plans.lines import MOST_WISHES, PASSING, Plan, Test, Wish
from engine.fire_and_stone.state import Phase, State
from engine.kit.plans.reactions import Branch, When
from engine.protocol import Decision, Seat

_NO_CHANCE = NoChance()
_TRIED = 12
"""Of the moves that may come after, as many as are judged for each thing that may be found."""


def play(state: State, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
    """The turn up to what is hidden, with a plan for the rest of it."""
    if not decision.blocks:
        return ()
    if state.turn.phase == Phase.RANK:
        return (turns.ranking(state),)
    seat = decision.seat
    judging = Judging(state, seat)
    made: list[Move] = []

    def choose(here: State) -> tuple[Action, ...]:
        if here.turn.phase != Phase.MOVE:
            return turns.next_actions(here, seat, judging)
        made.append(_chosen(here, seat, judging))
        return (*turns.opening(here, made[-1]), *made[-1].actions)

    done, at, reveals = turns.follow(state, seat, choose)
    if state.turn.phase in turns.SEALED:
        return done
    others = _others(at, seat, judging, made) if reveals else ()
    after = _after(at, seat, judging, made, others) if reveals else {}
    # After a hunt what was seen last is the game: the general line is for that.
    others = after.pop(box.FOREST, others)
    plan = plan_for(state, seat, judging.prospects, made, others, after)
    return done if plan == state.plan else (do.File(plan=plan), *done)


def _chosen(state: State, seat: Seat, judging: Judging) -> Move:
    """The move to make now: of each explorer its best, those that find nothing hidden first."""
    best = [
        max(turns.moves(state, seat, judging, [explorer]), key=lambda move: move.value)
        for explorer in turns.explorers_to_move(state)
    ]
    return min(best, key=lambda move: (bool(move.cases), -move.value))


def _others(state: State, seat: Seat, judging: Judging, made: Sequence[Move]) -> list[Move]:
    """The moves of the explorer that has not moved when something comes to light, best first."""
    moved = {move.explorer for move in made}
    explorers = range(len(state.players[seat].explorers))
    left = [n for n in explorers if n not in moved and not state.turn.moved >> n & 1]
    return sorted(turns.moves(state, seat, judging, left), key=lambda move: -move.value)


def _after(
    state: State, seat: Seat, judging: Judging, made: Sequence[Move], others: Sequence[Move]
) -> dict[str, list[Move]]:
    """The moves of the other explorer, best first, by what the move made last finds; of the most
    promising ones before it alone.
    """
    if not made or not made[-1].cases or not others:
        return {}
    tried = [NAMES[move.place] for move in others[:_TRIED]]
    found: dict[str, list[Move]] = {}
    for case in made[-1].cases:
        if case.kind == box.CAVE:
            continue
        there = turns.found(state, seat, made[-1], case)
        if there.turn.phase != Phase.MOVE or there.turn.seat != seat:
            continue
        every = (turns.judged(there, seat, judging, INDEX[name]) for name in tried)
        found[case.kind] = sorted(every, key=lambda move: -move.value)
    return found


# The plan: an answer to all that may come up but for a cave

Line = When[str, Test, Wish]
_PASS = Wish("pass")


def plan_for(
    state: State,
    seat: Seat,
    prospects: worth.Prospects,
    made: Sequence[Move],
    others: Sequence[Move],
    after: Mapping[str, Sequence[Move]],
) -> Plan:
    """The plan for a turn whose moves are `made`, and after those one of `others`, best first, or
    of those `after` a kind of tile that the last move may find.
    """
    lines = []
    kinds: dict[str, tuple[Action, ...]] = {}
    for move in (*made, *others[:1]):
        for case in move.cases:
            kinds.setdefault(case.kind, case.actions)
    for kind, actions in kinds.items():
        if kind in box.GATHERING:
            lines.append(_line(box.KINDS[kind], _gathering(box.KINDS[kind], actions)))
        elif kind == box.FIRE:
            lines.append(_line("fire", [*_cooking(actions), _PASS]))
    held = [Wish("cook")] if state.players[seat].held else []
    lines += [
        *([] if {*box.GATHERING} <= {*kinds} else [_OTHER_TILE]),
        _line(box.KINDS[box.FOREST], [Wish("hunt"), _PASS]),
        _line("hunt", _pieces()),
        *([] if box.FIRE in kinds else [_line("fire", [*held, _PASS])]),
        _line("ember", [*held, _PASS]),
        _line("village", [Wish("build"), _PASS]),
        _line("empty", [Wish("food"), _PASS]),
        _line("card", _cards(state)),
        _line("basket", [Wish("keep")]),
    ]
    fires = _fires(state, prospects, [move.place for move in (*made, *others[:1])])
    lines += [_line("return", fires), _line("second", fires)]
    for kind, found in after.items():
        lines.append(_line("other", _going(found), (Test("shown", "is", box.KINDS[kind]),)))
    lines.append(_line("other", _going(others) or [Wish("default")]))
    return Plan(lines=tuple(lines))


def _line(event: str, wishes: Sequence[Wish], guard: tuple[Test, ...] = ()) -> Line:
    assert event in PASSING or _PASS not in wishes
    branch = Branch(guard=guard, lists=(tuple(wishes[:MOST_WISHES]),))
    return When(event=event, branches=(branch,))


_OTHER_TILE = _line("gathering", [Wish("take"), Wish("food"), _PASS])


def _going(moves: Iterable[Move]) -> list[Wish]:
    """The places that moves lead to, each once."""
    return [Wish("place", name) for name in dict.fromkeys(NAMES[move.place] for move in moves)]


def _gathering(kind: str, actions: Iterable[Action]) -> list[Wish]:
    """The wishes for a gathering tile, by what is best if it is found."""
    first = next(iter(actions), None)
    if isinstance(first, do.Take):
        return [Wish("kind", kind, column=first.column), Wish("food"), _PASS]
    return [Wish("food"), Wish("kind", kind), _PASS] if isinstance(first, do.Food) else [_PASS]


def _cooking(actions: Iterable[Action]) -> list[Wish]:
    names = tuple(action.piece for action in actions if isinstance(action, do.Piece))
    return [Wish("cook", names=names)] if names else []


def _pieces() -> list[Wish]:
    names = sorted((tile.id for tile in box.GAME), key=turns.piece_worth, reverse=True)
    return [Wish("pieces", names=(name,)) for name in names]


def _cards(state: State) -> list[Wish]:
    """Inventions worth more than the VP card now, it, the others."""
    later = worth.CARDS * min(1.0, worth.turns_left(state) / 14)
    uncovered = sorted(state.mover.uncovered, key=worth.CARD_WORTH.__getitem__)
    value = worth.vp_card(state) - later * worth.CARD_WORTH[uncovered[0]] if uncovered else 0.0
    ids = (card.id for card in box.INVENTIONS if card.id not in state.mover.inventions)
    ranked = sorted(ids, key=worth.CARD_WORTH.__getitem__, reverse=True)
    better = [Wish("invention", card) for card in ranked if later * worth.CARD_WORTH[card] > value]
    rest = [Wish("invention", card) for card in ranked if later * worth.CARD_WORTH[card] <= value]
    vp = [Wish("vp", uncovered[0])] if uncovered else []
    ranked_all = [*better[: MOST_WISHES - 2], *vp, *rest]
    return [*ranked_all[: MOST_WISHES - 1], Wish("none")]


def _fires(state: State, prospects: worth.Prospects, places: Iterable[int]) -> list[Wish]:
    """The fires of the regions that the turn leads to, the most promising first."""
    area = state.open_land if state.mover.has("trail_markers") else 0
    for place in (*places, *state.mover.explorers):
        area |= IN_REGION[REGION[place]]
    fires = sorted(members(state.fires & area), key=prospects.ahead, reverse=True)
    wishes = [Wish("place", NAMES[place]) for place in fires[: MOST_WISHES - 1]]
    return [*wishes, Wish("default")]
