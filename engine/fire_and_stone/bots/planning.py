"""The plan that a bot files with its move: an answer to all that may come up but for a cave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.choosing import piece_worth
from engine.fire_and_stone.bots.turns import Move
from engine.fire_and_stone.bots.worth import CARD_WORTH, CARDS, Prospects, turns_left, vp_card
from engine.fire_and_stone.map import IN_REGION, NAMES, REGION, members
from engine.fire_and_stone.plans.lines import MOST_WISHES, PASSING, Plan, Test, Wish
from engine.fire_and_stone.state import State
from engine.kit.plans.reactions import Branch, When
from engine.protocol import Seat

Line = When[str, Test, Wish]
_PASS = Wish("pass")


def plan_for(
    state: State,
    seat: Seat,
    prospects: Prospects,
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
    for kind, moves in after.items():
        lines.append(_line("other", _going(moves), (Test("shown", "is", box.KINDS[kind]),)))
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
    names = sorted((tile.id for tile in box.GAME), key=piece_worth, reverse=True)
    return [Wish("pieces", names=(name,)) for name in names]


def _cards(state: State) -> list[Wish]:
    """Inventions worth more than the VP card now, it, the others."""
    later = CARDS * min(1.0, turns_left(state) / 14)
    uncovered = sorted(state.mover.uncovered, key=CARD_WORTH.__getitem__)
    value = vp_card(state) - later * CARD_WORTH[uncovered[0]] if uncovered else 0.0
    ids = (card.id for card in box.INVENTIONS if card.id not in state.mover.inventions)
    ranked = sorted(ids, key=CARD_WORTH.__getitem__, reverse=True)
    better = [Wish("invention", card) for card in ranked if later * CARD_WORTH[card] > value]
    rest = [Wish("invention", card) for card in ranked if later * CARD_WORTH[card] <= value]
    vp = [Wish("vp", uncovered[0])] if uncovered else []
    ranked_all = [*better[: MOST_WISHES - 2], *vp, *rest]
    return [*ranked_all[: MOST_WISHES - 1], Wish("none")]


def _fires(state: State, prospects: Prospects, places: Iterable[int]) -> list[Wish]:
    """The fires of the regions that the turn leads to, the most promising first."""
    area = state.open_land if state.mover.has("trail_markers") else 0
    for place in (*places, *state.mover.explorers):
        area |= IN_REGION[REGION[place]]
    fires = sorted(members(state.fires & area), key=prospects.ahead, reverse=True)
    wishes = [Wish("place", NAMES[place]) for place in fires[: MOST_WISHES - 1]]
    return [*wishes, Wish("default")]
