"""An open decision of one seat, on which the turn of a reply is tried without leaving a trace."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from engine.chance import SeededChance
from engine.play import Incomplete, NotYourDecision, Preview, decision_for, submit
from engine.protocol import (
    Ambiguous,
    EndsTurns,
    Game,
    HasOtherNames,
    IllegalAction,
    Notation,
    Seat,
    Unreadable,
)
from service.core.plain import tokens

MOST_COMPARED = 3000
"""Actions that are looked through for what a text may mean."""


class Asked:
    """One open decision of one seat: a move, orders, or both, for whichever of the seat's decisions
    takes them (`engine.play.decision_for`). `only` are the decisions that may be answered, None all
    of the seat.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any,
        seat: Seat,
        decision: str,
        lang: str,
        only: Collection[str] | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.decision = decision
        self.lang = lang
        self._only = only
        self._choices: dict[str, tuple[str, ...]] = {}

    def tried(self, text: str) -> tuple[Any, ...] | Exception:
        """The actions of a legal turn, or what is wrong with it."""
        game, seat = self.game, self.seat
        try:
            actions = game.notation.parse(self.state, seat, text, self.lang)
            start = Preview(game, self.state, seat).start
            decision = decision_for(game, start, seat, self.decision, actions)
            if self._only is not None and decision not in self._only:
                raise NotYourDecision(seat, decision)
            submit(game, start, seat, decision, actions, SeededChance(b"reply"))
        except (IllegalAction, Unreadable, Ambiguous, Incomplete, NotYourDecision) as error:
            return error
        return tuple(actions)

    def spelled(self, actions: Sequence[Any], lang: str) -> tuple[str, ...]:
        """The texts of actions up to the first that reveals something."""
        game, preview = self.game, Preview(self.game, self.state, self.seat)
        state, found = preview.start, []
        for n, action in enumerate(actions):
            found.append(game.notation.format(state, self.seat, action, lang))
            if n + 1 < len(actions):
                step = preview.step(state, action)
                if step.reveals:
                    break
                state = step.state
        return tuple(found)

    def written(self, actions: Sequence[Any]) -> str:
        """The same on one line, in the language of the seat."""
        return ", ".join(self.spelled(actions, self.lang))

    def end_of(self, text: str) -> list[str]:
        """The line that closes a turn left open, where the game lets a reply leave it out."""
        game, seat = self.game, self.seat
        end = game.end_of_turn(self.state, seat) if isinstance(game, EndsTurns) else None
        if end is None or not isinstance(self.tried(text), Incomplete):
            return []
        line = game.notation.format(self.state, seat, end, self.lang)
        return [] if isinstance(self.tried(f"{text}\n{line}"), Exception) else [line]

    def whole(self, begun: Sequence[str]) -> tuple[str, ...]:
        """These turns, each with the rest of it as the game would play it where it is not all."""
        game, seat = self.game, self.seat
        found = []
        for text in begun:
            tried = self.tried(text)
            if isinstance(tried, Incomplete):
                actions = game.notation.parse(self.state, seat, text, self.lang)
                rest = next(iter(game.suggestions(tried.state, seat, 1)), ())
                found.append(self.written((*actions, *rest)))
            elif not isinstance(tried, Exception):
                found.append(text)
        return tuple(dict.fromkeys(found))

    def choices(self, begun: str) -> Sequence[str]:
        """The actions that may come behind what was begun, "" for nothing, as they are written."""
        if begun not in self._choices:
            self._choices[begun] = tuple(self._written_choices(begun))
        return self._choices[begun]

    def _written_choices(self, begun: str) -> Iterator[str]:
        game, seat, state = self.game, self.seat, self.state
        own: list[Any] = [each for each in game.decisions(state) if each.seat == seat]
        if begun:
            tried = self.tried(begun)
            if not isinstance(tried, Incomplete):
                return
            state, own = tried.state, [tried.remaining]
        for decision in own:
            for action in islice(decision.choices, MOST_COMPARED):
                yield game.notation.format(state, seat, action, self.lang)

    def called(self, players: Sequence[str]) -> dict[str, str]:
        """The notation's words for these players, by seat, by their names; none if it has none."""
        notation = self.game.notation
        words = notation.seat_words if isinstance(notation, HasOtherNames) else {}
        return {
            name: words[seat]
            for seat, name in enumerate(players)
            if seat in words and players.count(name) == 1
        }

    def guessed(self, text: str) -> str:
        """The text as it may be meant."""
        notation = self.game.notation
        return notation.guessed(text) if isinstance(notation, HasOtherNames) else text

    def seat_words(self) -> Collection[str]:
        """The notation's words for seats."""
        notation = self.game.notation
        return notation.seat_words.values() if isinstance(notation, HasOtherNames) else ()

    def by_names(self, text: str) -> str:
        """The text with the notation's words for other names of things."""
        notation = self.game.notation
        return notation.by_names(text) if isinstance(notation, HasOtherNames) else text

    def once_each(self, turns: Sequence[str]) -> tuple[str, ...]:
        """These legal turns, of those that differ in nothing but equal things the first."""
        game, found = self.game, dict[Hashable, str]()
        for text in turns:
            actions = self.tried(text)
            if isinstance(actions, Exception):
                continue
            preview, meant = Preview(game, self.state, self.seat), list[Hashable]()
            state = preview.start
            for action in actions:
                meant.append(game.notation.meaning(state, self.seat, action))
                step = preview.step(state, action)
                if step.reveals:
                    break
                state = step.state
            found.setdefault(tuple(meant), text)
        return tuple(found.values())

    def same_verb(self, text: str, action: str) -> bool:
        """False if the verb of a text is another than that of an action."""
        notation = self.game.notation
        if not isinstance(notation, HasOtherNames):
            return True
        said = notation.verbs(text)
        return not said or not said.isdisjoint(notation.verbs(action))

    def decision_of(self, text: str) -> str:
        """The decision that a legal turn is for."""
        actions = self.game.notation.parse(self.state, self.seat, text, self.lang)
        return decision_for(self.game, self.state, self.seat, self.decision, actions)

    def reads(self, line: str) -> bool:
        """As `can_be_read`."""
        return can_be_read(self.game.notation, self.state, self.seat, line, self.lang)


def can_be_read(notation: Notation[Any, Any], state: Any, seat: Seat, line: str, lang: str) -> bool:
    """True if the notation reads a line here, though it may be illegal or mean several things."""
    try:
        notation.parse(state, seat, line, lang)
    except Unreadable:
        return False
    except (IllegalAction, Ambiguous):
        return True
    return True


def begins_as_a_turn(
    notation: Notation[Any, Any], state: Any, seat: Seat, line: str, lang: str
) -> bool:
    """True if the first word of a line is a verb of the game, whatever follows it."""
    first = tokens(line)[:1]
    if notation.words.isdisjoint(first):
        return False
    try:
        notation.parse(state, seat, line, lang)
    except Unreadable as fault:
        return tokens(fault.fragment)[:1] != first
    except (IllegalAction, Ambiguous):
        return True
    return True
