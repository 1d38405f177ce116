"""An open decision as a plan is put to it (F§19.3-4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from engine.chance import NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone import flow
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.default import default
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.options import hut_cost, lookable, options
from engine.fire_and_stone.plans.lines import ANYTHING, OF_ANY, SORTS_OF, Plan, Test, Wish
from engine.fire_and_stone.refusal import standing_on
from engine.fire_and_stone.state import Phase, State, column_kind
from engine.kit.plans.reactions import Acted, Stopped, consult
from engine.protocol import IllegalAction, PlanStep, Seat

_NO_CHANCE = NoChance()
_ALONE: Final[Mapping[str, Action]] = {
    "pass": do.Pass(),
    "hunt": do.Hunt(),
    "none": do.Decline(),
    "keep": do.Hold(),
    "drop": do.Drop(),
}
"""Sorts of wishes with which nothing is named, by the action they stand for."""


def answer(state: State, seat: Seat) -> Acted[Action] | None:
    """The answer of the seat's plan to its open decision; None if the seat is to be asked."""
    found = _consulted(state, seat)
    if state.plan is None or not isinstance(found, Acted):
        return None
    return _with_second_piece(state, state.plan, found)


def stopped(state: State, seat: Seat) -> Stopped | None:
    """The reason why the plan has no answer, once a command of the turn was carried out; None
    without a plan, or if it has one.
    """
    found = _consulted(state, seat) if state.turn.step else None
    return found if isinstance(found, Stopped) else None


def _consulted(state: State, seat: Seat) -> Acted[Action] | Stopped | None:
    turn = state.turn
    if state.plan is None or seat != turn.seat or turn.phase in (Phase.RANK, Phase.OVER):
        return None
    return consult(state.plan, state.waiting, Asked(state, turn.phase))


def planned(state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
    """The answer of the plan, once a command of the turn was carried out or the time is up."""
    if not state.turn.step and not expired:
        return None
    found = answer(state, seat)
    return None if found is None else PlanStep(line=found.place.line, actions=found.actions)


def used(state: State, seat: Seat, step: PlanStep) -> State:
    """The position in which the plan has noted that it has spoken: what waits of it."""
    found = answer(state, seat)
    return state if found is None else replace(state, waiting=found.waiting)


def events(state: State) -> tuple[str, ...]:
    """The events of the open decision."""
    turn = state.turn
    if turn.phase == Phase.MOVE:
        return ("other",) if turn.moved else ()
    if turn.phase == Phase.KEEP:
        return ("hunt",)
    if turn.phase == Phase.RETURN:
        return ("return", "hut") if turn.revealed_hut else ("return",)
    return _of_place(state) if turn.phase == Phase.ACTION else (turn.phase,)


def _of_place(state: State) -> tuple[str, ...]:
    """The events of the action here."""
    here = standing_on(state)
    if here in box.GATHERED:
        return ("gathering", here)
    return ("cave", state.cave) if here == "cave" else (here,)


class Asked(msgspec.Struct, frozen=True, gc=False):
    """The decision of the seat to move. It depends on nothing that the seat does not know: `play`
    goes on with what a wish stands for, of which only the last can reveal something.
    """

    state: State
    phase: str

    def fits(self, event: str) -> bool:
        return event == ANYTHING or event in events(self.state)

    def holds(self, test: Test) -> bool:
        held = self._subject(test)
        if isinstance(held, bool):
            return held
        if test.relation == "at_least":
            return held >= int(test.value)
        return held <= int(test.value) if test.relation == "at_most" else held == test.value

    def _subject(self, test: Test) -> int | bool:
        """The number that a test is about, or whether what it says is so."""
        state = self.state
        player, turn = state.mover, state.turn
        if test.subject == "shown":
            return test.value in turn.shown
        if test.subject in box.COLUMNS:
            column = player.columns[box.COLUMNS.index(test.subject)]
            if isinstance(test.value, int):
                return len(column)
            kind = column_kind(column)
            return test.value == (box.IN_COLUMN[kind] if kind else "free")
        place = state.here if turn.explorer >= 0 else land.START
        forest = state.forest_at(place)
        in_village = turn.explorer >= 0 and state.huts_at(place) > 0
        return {
            "food": player.food,
            "space": player.space,
            "bags": player.bags,
            "huts": player.huts_left,
            "track": state.track,
            "cost": hut_cost(state, place) if in_village else 0,
            "tiles": len(forest.tiles) if turn.explorer >= 0 and forest else 0,
            "held": len(player.held),
            "explorer": turn.explorer + 1,
        }[test.subject]

    def belongs(self, wish: Wish) -> bool:
        return wish.do in OF_ANY or any(wish.do in SORTS_OF[e] for e in events(self.state))

    def asks(self, wish: Wish) -> bool:
        return wish.do == "ask"

    def actions(self, wish: Wish) -> tuple[Action, ...]:
        if wish.do == "default":
            return self._default()
        if not self.belongs(wish):
            raise self._illegal(wish)
        found = self._meant(wish)
        if not found:
            raise self._illegal(wish)
        return tuple(found)

    def play(self, action: Action) -> Self:
        if self.state.turn.number == 0 or self.state.turn.phase == Phase.OVER:
            raise IllegalAction("turn_over", "")
        step = flow.apply(self.state, self.state.turn.seat, action, _NO_CHANCE)
        return replace(self, state=step.state)

    def _illegal(self, wish: Wish) -> IllegalAction:
        return IllegalAction("wish", "F§19.3", wish=wish.do)

    def _default(self) -> tuple[Action, ...]:
        """All that the default does in this decision."""
        found: list[Action] = []
        state = self.state
        made = (state.turn.number, state.turn.step)
        while (state.turn.number, state.turn.step) == made and state.turn.phase != Phase.OVER:
            found.append(default(state, self.state.turn.seat))
            state = flow.play(state, found[-1]).state
        return tuple(found)

    def _meant(self, wish: Wish) -> Sequence[Action]:
        """The actions of a wish for this decision; none if it stands for none here."""
        state, player = self.state, self.state.mover
        match wish.do:
            case alone if alone in _ALONE:
                return [_ALONE[alone]]
            case "kind" | "take":
                here = box.KINDS[state.tiles[state.here]]
                return self._taking(wish) if wish.do == "take" or wish.what == here else []
            case "food":
                return self._food(wish.number)
            case "forage":
                return self._taking(wish)
            case "pieces" | "most_food" | "most_bags":
                piece = best_piece(self._in_forest(), wish)
                return [do.Keep(pieces=(piece,))] if piece else []
            case "cook":
                return self._cooking(wish.names)
            case "build":
                back = [do.Return(fire=wish.what)] if wish.what else []
                return [do.Build(), *back]
            case "cave":
                return self._cave(wish.names)
            case "place" if self.phase == Phase.RETURN:
                return [do.Return(fire=wish.what)]
            case "place" if self.phase == Phase.SECOND:
                return [do.Second(fire=wish.what)]
            case "place":
                return [do.Go(place=wish.what)]
            case "invention":
                return [do.Invent(card=wish.what)]
            case "vp":
                open_ = (wish.what,) if wish.what else player.uncovered
                return [do.Score(covers=open_[0])] if len(open_) == 1 else []
            case "look":
                down = lookable(state)
                names = [name for name in wish.names if down >> INDEX[name] & 1]
                return [*(do.Name(place=name) for name in names), do.Look()]
            case "same":
                named = sorted(state.turn.named)
                return [do.Arrange(tiles=tuple(box.KINDS[state.tiles[place]] for place in named))]
            case "objective":
                return [do.Swap(objective=wish.what)]
        return []

    def _taking(self, wish: Wish) -> Sequence[Action]:
        """Taking a tile: into the column named, or where there is no choice (F§19.3)."""
        found = [a for a in options(self.state) if isinstance(a, do.Take | do.Forage)]
        if wish.do == "forage":
            found = [a for a in found if isinstance(a, do.Forage) and a.place == wish.what]
        else:
            found = [a for a in found if isinstance(a, do.Take)]
        if wish.column:
            return [action for action in found if action.column == wish.column]
        alike = self.state.mover.columns == ("", "")
        return found[:1] if len(found) == 1 or alike else []

    def _food(self, number: int) -> Sequence[Action]:
        """Food, if so much would really be stored."""
        if do.Food() not in options(self.state):
            return []
        after = flow.play(self.state, do.Food()).state.players[self.state.turn.seat]
        return [do.Food()] if after.food - self.state.mover.food >= number else []

    def _in_forest(self) -> tuple[int, ...]:
        forest = self.state.forest_at(self.state.here)
        return forest.tiles if forest is not None else ()

    def _cooking(self, names: Sequence[str]) -> Sequence[Action]:
        held = list(self.state.mover.held)
        pieces = [box.GAME_INDEX[name] for name in names] or held
        for piece in set(pieces):
            if pieces.count(piece) > held.count(piece):
                return []
        if not pieces:
            return []
        return [*(do.Piece(piece=box.GAME[piece].id) for piece in pieces), do.Done()]

    def _cave(self, names: Sequence[str]) -> Sequence[Action]:
        """The card's action with what it needs."""
        card, offered = self.state.cave, options(self.state)
        if card in ("garden_of_eden", "burial_mound"):
            return [do.Build(), *(do.Return(fire=name) for name in names)]
        if card == "hearth_hall":
            return self._cooking(() if tuple(names) == ("all",) else names)
        if card == "flint_vein":
            return [do.Invent(card=name) for name in names[:1]]
        if card == "barter_stone":
            return [do.Barter(given=names[0], taken=names[1])] if len(names) == 2 else []
        if card == "shaman_stone":
            found = [a for a in offered if isinstance(a, do.Discard)]
            if names:
                return [action for action in found if action.column == names[0]]
            return found if len(found) == 1 else []
        return [do.Use()] if not names else []


def best_piece(tiles: Sequence[int], wish: Wish) -> str:
    """The game tile that a wish means among these, "" for none; ties in file order (F§19.3)."""
    if wish.do == "pieces":
        return next((name for name in wish.names if box.GAME_INDEX[name] in tiles), "")
    if not tiles:
        return ""
    if wish.do == "most_bags":
        return box.GAME[max(sorted(tiles), key=lambda tile: box.GAME[tile].bags)].id
    return box.GAME[max(sorted(tiles), key=lambda tile: box.GAME[tile].food)].id


def _with_second_piece(state: State, plan: Plan, found: Acted[Action]) -> Acted[Action]:
    """Of a Tracking Pack's two tiles the best two by the list, if it holds two (F§19.3)."""
    first = found.actions[0]
    if state.rules != "tracking_pack" or not isinstance(first, do.Keep) or len(first.pieces) > 1:
        return found
    forest = state.forest_here
    left = list(forest.tiles)
    left.remove(box.GAME_INDEX[first.pieces[0]])
    place = found.place
    wishes = plan.lines[place.line].branches[place.branch].lists[place.list][place.wish :]
    for wish in wishes:
        if wish.do in ("pieces", "most_food", "most_bags"):
            piece = best_piece(left, wish)
            if piece:
                both = sorted((*first.pieces, piece), key=box.GAME_INDEX.__getitem__)
                keep = do.Keep(pieces=tuple(both))
                return replace(found, actions=(keep,)) if keep in options(state) else found
    return found
