"""The plan of a decision: every action of it as one line of choices, always a whole legal turn.

A reader changes a line and sees what follows. What they have not chosen is filled in by the
engine and marked so. Nothing here touches a match: positions are those of an `engine.play.Preview`,
a guess of what the seat may know, so that no plan can show what a turn will reveal.

Choices are made, written and tried only where they are listed: in short turns everywhere, in others
in the line that is being chosen and in the one its reader has opened (decision 45).

Actions are carried as canonical notation text (English), in links and forms alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

import msgspec

from engine.play import Preview, decision_of
from engine.protocol import (
    LONGEST_TEXT,
    Decision,
    Event,
    Game,
    IllegalAction,
    NotationError,
    Seat,
    too_long,
)
from service.core.verdicts import JsonObject

CANONICAL = "en"
"""The language of notation that is kept and sent around, whatever the reader reads."""
# Suggestions are asked for this many whole turns, to find one that goes on as the reader began.
SUGGESTIONS = 24
GUESSES = 4
LONGEST = 60
"""Lines of a plan; more than any turn has."""
MOST_LISTED = 300
"""Choices that all lines of a plan may list together. Of 3,000 turns of Sapiens' strongest bots the
busiest had 207, half had 37; a single move of a game of armies has 370.
"""


Further = Callable[[str, Mapping[str, Any]], Iterable[Any]]
"""Choices for a kind of open decision, of a view, besides the examples that it lists."""
Towards = Callable[[Any], bool]
"""True of actions that go on from what the reader has touched."""
First = Callable[["_Attempt", Sequence[tuple[Any, ...]]], Iterable[Any]]
"""The action to fill in first, of an attempt and the turns suggested; none or one."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One choice of a line: its text, the action as plain data, and what it brings.

    `events` are the plain events it leads to, before anything is revealed.
    """

    text: str
    action: JsonObject
    events: list[JsonObject]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One action of a plan, and all that could stand in its place: `options`, none of a line that
    is folded. Of an `open` line they are examples, and others can be written.

    `view` is the position before it. `suggested` lines are the engine's, not the reader's.
    """

    kind: str
    rule: str
    view: JsonObject
    options: list[Option]
    chosen: Option
    suggested: bool
    open: bool = False

    @property
    def folded(self) -> bool:
        """True if it shows only what is chosen."""
        return not self.options

    @property
    def actions(self) -> list[JsonObject]:
        """The actions it lists, or that which is chosen."""
        return [option.action for option in self.options or [self.chosen]]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A whole legal turn, not played.

    `dropped` are texts the reader had chosen that no longer fit. `view` is the position after the
    lines before anything is revealed, `events` what leads there; `reveals` says that the last line
    reveals more, `cut` that the seat will then have more to decide.
    """

    lines: list[Line]
    dropped: list[str]
    view: JsonObject
    events: list[JsonObject]
    reveals: bool
    cut: bool

    @property
    def texts(self) -> list[str]:
        """The actions, canonical."""
        return [line.chosen.text for line in self.lines]

    @property
    def own(self) -> int:
        """The number of lines, from the first on, that are the reader's."""
        return sum(not line.suggested for line in self.lines)

    @property
    def own_events(self) -> list[JsonObject]:
        """Events that the reader's own lines lead to."""
        return [event for line in self.lines[: self.own] for event in line.chosen.events]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as its reader sends it back: the texts chosen, the texts that were shown, and how many
    of these had been the reader's own. A link sends texts alone: all are then the reader's own.
    """

    texts: Sequence[str] = ()
    shown: Sequence[str] = ()
    own: int = 0

    @property
    def changed(self) -> int | None:
        """The first line that was chosen anew."""
        if len(self.shown) != len(self.texts):
            return None
        pairs = zip(self.texts, self.shown, strict=True)
        return next((i for i, (text, shown) in enumerate(pairs) if text != shown), None)

    @property
    def seen(self) -> bool:
        """True if what is chosen is what was shown, as far as that is known."""
        return not self.shown or tuple(self.texts) == tuple(self.shown)

    @property
    def seen_whole(self) -> bool:
        """True if the board after all of it was shown, which is so where every line is the
        reader's own; and of what comes without a page, where nothing is known of that.
        """
        return self.seen and (not self.shown or self.own >= len(self.texts))


class TurnBuilder:
    """Plans for one decision of one seat. Raises NotYourDecision if the seat is not asked this."""

    def __init__(self, game: Game[Any, Any], state: Any, seat: Seat, decision: str) -> None:
        self.game = game
        self.seat = seat
        self.decision = decision
        self._state = state
        self._look(0)
        decision_of(game, self._preview.start, seat, decision)

    def write(
        self,
        draft: Draft,
        opened: int | None = None,
        further: Further | None = None,
        towards: Towards | None = None,
    ) -> Plan:
        """The plan for what the reader has chosen; what does not fit is left out. `opened` is the
        line whose choices they asked for, besides those of the first that is not theirs, and
        there, if it is open, what `further` makes of its kind and the view. That line is filled in
        with an action `towards` which they have begun, if there is one.
        """
        first = partial(self._towards, further, towards) if towards is not None else None
        walk = self._whole_turn(draft, first)
        more = self._further(walk, further) if further is not None else ()
        return self._plan(walk, {walk.own, opened}, more)

    def texts(self, draft: Draft) -> list[str]:
        """The actions alone of the plan for what the reader has chosen, canonical."""
        return self._whole_turn(draft).texts

    def _whole_turn(self, draft: Draft, first: First | None = None) -> _Attempt:
        self._look(0)
        walk = self._complete(draft, first)
        for number in range(1, GUESSES):
            if not walk.cut or walk.certain:
                break
            # What is hidden may cut the turn short, or not: a plan is made for all of it.
            self._look(number)
            other = self._complete(draft, first)
            if len(other.actions) > len(walk.actions):
                walk = other
        self._look(0)
        return walk

    def _look(self, number: int) -> None:
        """Take one of the positions that the seat cannot tell from the true one."""
        self._preview = Preview(self.game, self._state, self.seat, number)

    def _complete(self, draft: Draft, first: First | None) -> _Attempt:
        """What the reader has chosen, and what is left to decide filled in."""
        tries = [self._walk(texts, exact=True) for texts in self._whole(draft)]
        walk = next((walk for walk in tries if walk is not None and walk.over), None)
        if walk is None:
            walk = self._walk(_kept(draft), exact=False)
            assert walk is not None
        walk.own = len(walk.actions)
        if draft.texts and draft.seen and draft.shown:
            walk.own = min(draft.own, walk.own)
        self._finish(walk, first)
        return walk

    def read(self, text: str, lang: str) -> list[str]:
        """A text as canonical actions. Raises Unreadable, Ambiguous or IllegalAction, whose texts
        are in the language given."""
        if len(text) > LONGEST_TEXT:
            raise too_long(len(text))
        actions = self.game.notation.parse(self._preview.start, self.seat, text, lang)
        return list(self._texts(actions))

    def begun(self, error: NotationError | IllegalAction) -> list[str]:
        """The actions of a text before the one that is at fault, canonical."""
        walk = _Attempt(self, self._preview)
        walk.follow(error.begun)
        return walk.texts

    def steps(self, texts: Sequence[str]) -> list[Line]:
        """The canonical texts as lines that list no choices, as far as they fit one another."""
        walk = self._walk(texts, exact=False)
        assert walk is not None
        return [self._line(walk, number, None) for number in range(len(walk.actions))]

    def proposals(self, most: int) -> Iterator[list[str]]:
        """The strongest whole turns that the engine suggests, canonical."""
        for actions in self._suggestions()[:most]:
            walk = _Attempt(self, self._preview)
            walk.follow(actions)
            yield walk.texts

    def localised(self, draft: Draft, texts: Sequence[str], lang: str) -> list[str]:
        """Texts of the plan that was shown before, in the reader's language where it is known."""
        walk = self._walk(list(draft.shown), exact=False)
        assert walk is not None
        words = {
            self.game.notation.format(state, self.seat, action, CANONICAL): (
                self.game.notation.format(state, self.seat, action, lang)
            )
            for state, action in zip(walk.states, walk.actions, strict=False)
        }
        return [words.get(text, text) for text in texts]

    def _whole(self, draft: Draft) -> Iterator[list[str]]:
        """What the reader may have meant by changing a line, if it makes a whole turn: this instead
        of the old, or before it."""
        changed = draft.changed
        if changed is None:
            return
        rest = list(draft.texts[changed + 1 : max(draft.own, changed + 1)])
        begun = list(draft.texts[: changed + 1])
        yield begun + rest
        if changed < draft.own:
            yield [*begun, draft.shown[changed], *rest]

    def _walk(self, texts: Sequence[str], *, exact: bool) -> _Attempt | None:
        """Take the texts one after the other; leave out what does not fit (`exact`: then None)."""
        walk = _Attempt(self, self._preview)
        for text in texts:
            if not walk.take(text):
                if exact:
                    return None
                walk.dropped.append(text)
        return walk

    def _finish(self, walk: _Attempt, first: First | None) -> None:
        """Fill in what is left to decide, beginning with the action that is `first`."""
        if walk.over:
            return
        suggested = self._suggestions()
        if first is not None:
            walk.follow([*first(walk, suggested)])
        begun = tuple(walk.actions)
        for whole in suggested:
            if len(whole) > len(begun) and whole[: len(begun)] == begun:
                walk.follow(whole[len(begun) :])
                break
        if not walk.over:
            walk.follow(self._preview.complete(walk.state, self.decision))
        while (here := walk.here) is not None and len(walk.actions) < LONGEST:
            walk.go(next(iter(here.choices)))

    def _suggestions(self) -> Sequence[tuple[Any, ...]]:
        start = self._preview.start
        blocking = [d for d in self.game.decisions(start) if d.seat == self.seat and d.blocks]
        if not blocking or blocking[0].id != self.decision:
            return ()
        return self.game.suggestions(start, self.seat, SUGGESTIONS)

    def _towards(
        self,
        further: Further | None,
        towards: Towards,
        walk: _Attempt,
        suggested: Sequence[tuple[Any, ...]],
    ) -> Iterator[Any]:
        """The best action that is begun, if there is one: of those suggested, else of all."""
        here, made = walk.here, tuple(walk.actions)
        if here is None:
            return
        more = further(here.kind, self._view(walk.state)) if further is not None else ()
        best = (whole[len(made)] for whole in suggested if whole[: len(made)] == made != whole)
        found = (each for each in chain(best, more, here.choices) if towards(each))
        yield from islice((each for each in found if each in here.choices), 1)

    def _further(self, walk: _Attempt, further: Further) -> Sequence[Any]:
        """Choices of the first line that is not the reader's, if that is open."""
        if walk.own == len(walk.actions) or not walk.decisions[walk.own].open:
            return ()
        here = walk.decisions[walk.own]
        made = further(here.kind, self._view(walk.states[walk.own]))
        return [each for each in made if each in here.choices]

    def _plan(
        self, walk: _Attempt, asked: Collection[int | None], further: Sequence[Any] = ()
    ) -> Plan:
        """The plan of a whole turn, with the choices of the lines `asked` for, and of all if they
        are not too many; `further` are choices of the first line that is not the reader's.
        """
        listed = self._listed(walk, [n for n in range(len(walk.actions)) if n in asked])
        for choice in further:
            state = walk.states[walk.own]
            means = self.game.notation.meaning(state, self.seat, choice)
            listed[walk.own].setdefault(means, choice)
        return Plan(
            lines=[self._line(walk, n, listed.get(n)) for n in range(len(walk.actions))],
            dropped=walk.dropped,
            view=self._view(walk.seen),
            events=walk.events,
            reveals=walk.revealed,
            cut=walk.cut,
        )

    def _listed(self, walk: _Attempt, asked: Sequence[int]) -> dict[int, dict[Hashable, Any]]:
        """The choices of lines by what they mean: of those `asked` for, and of the others as well
        if all together are not more than MOST_LISTED.
        """
        found = {
            number: self._choices(walk.decisions[number], walk.states[number]) for number in asked
        }
        whole, left = dict(found), MOST_LISTED - sum(map(len, found.values()))
        for number, here in enumerate(walk.decisions):
            if left < 0:
                return found
            if number not in found:
                whole[number] = self._choices(here, walk.states[number], left + 1)
                left -= len(whole[number])
        return whole if left >= 0 else found

    def _choices(
        self, here: Decision[Any], state: Any, most: int | None = None
    ) -> dict[Hashable, Any]:
        """The choices by what they mean: of those that come to the same the first stands for all.
        At most so many of them.
        """
        meaning = self.game.notation.meaning
        distinct: dict[Hashable, Any] = {}
        for choice in here.choices:
            distinct.setdefault(meaning(state, self.seat, choice), choice)
            if len(distinct) == most:
                break
        return distinct

    def _line(self, walk: _Attempt, number: int, choices: dict[Hashable, Any] | None) -> Line:
        state, action, here = walk.states[number], walk.actions[number], walk.decisions[number]
        chosen = walk.option(state, action)
        options = []
        if choices is not None:
            meant = self.game.notation.meaning(state, self.seat, action)
            assert here.open or meant in choices, "what is chosen comes to none of the choices"
            options = [
                walk.option(state, choice) for means, choice in choices.items() if means != meant
            ]
            at = list(choices).index(meant) if meant in choices else len(options)
            options.insert(at, chosen)
        return Line(
            kind=here.kind,
            rule=here.rule,
            view=self._view(state),
            options=options,
            chosen=chosen,
            suggested=number >= walk.own,
            open=here.open,
        )

    def _view(self, state: Any) -> JsonObject:
        seen: JsonObject = msgspec.to_builtins(self.game.view(state, self.seat))
        return seen

    def _texts(self, actions: Sequence[Any]) -> Iterator[str]:
        state = self._preview.start
        for action in actions:
            yield self.game.notation.format(state, self.seat, action, CANONICAL)
            state = self._preview.step(state, action).state


class _Attempt:
    """Actions taken one after the other on a guess. `states` are the positions, the first first,
    `decisions` what each action decides; `seen` is the last position before a reveal. The first
    `own` actions are the reader's."""

    def __init__(self, builder: TurnBuilder, preview: Preview[Any, Any]) -> None:
        self._builder = builder
        self._preview = preview
        self.states = [preview.start]
        self.seen = preview.start
        self.actions: list[Any] = []
        self.decisions: list[Decision[Any]] = []
        self.own = 0
        self.events: list[JsonObject] = []
        self.dropped: list[str] = []
        self.revealed = False
        self._may_go_on: bool | None = None

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def texts(self) -> list[str]:
        """The actions, canonical."""
        return [
            self._written(state, a) for state, a in zip(self.states, self.actions, strict=False)
        ]

    def option(self, state: Any, action: Any) -> Option:
        """An action with what it brings."""
        return Option(
            text=self._written(state, action),
            action=msgspec.to_builtins(action),
            events=plain(self._preview.step(state, action).events),
        )

    def _written(self, state: Any, action: Any) -> str:
        return self._builder.game.notation.format(state, self._builder.seat, action, CANONICAL)

    @property
    def here(self) -> Decision[Any] | None:
        """The decision, while it is to be made and nothing is revealed."""
        if self.revealed:
            return None
        builder = self._builder
        mine = builder.game.decisions(self.state)
        here = next((d for d in mine if d.id == builder.decision and d.seat == builder.seat), None)
        # What may be decided again is open still, but made.
        return None if here is not None and self.actions and not here.blocks else here

    @property
    def over(self) -> bool:
        """True if nothing is left to decide."""
        return self.here is None

    @property
    def cut(self) -> bool:
        """True if a reveal has come, or may have, before the seat had decided all it has to."""
        if not self.revealed:
            return False
        if self.certain:
            return bool(self._may_go_on)
        here = self._builder.game.decisions(self.state)
        return any(d.seat == self._builder.seat and d.blocks for d in here)

    @property
    def certain(self) -> bool:
        """True if the game says whether it is cut: no guess of what is hidden says more."""
        return self._may_go_on is not None

    def follow(self, actions: Sequence[Any]) -> None:
        """Take legal actions, as long as there is something to decide."""
        for action in actions:
            if self.over:
                return
            self.go(action)

    def take(self, text: str) -> bool:
        """Take the one action a text means, if it means one and it is legal here."""
        here = self.here
        if here is None:
            return False
        builder = self._builder
        try:
            actions = builder.game.notation.parse(self.state, builder.seat, text, CANONICAL)
        except (NotationError, IllegalAction):
            return False
        if len(actions) != 1 or actions[0] not in here.choices:
            return False
        self.go(actions[0])
        return True

    def go(self, action: Any) -> None:
        """Take a legal action."""
        builder, step = self._builder, self._preview.step(self.state, action)
        self.decisions.append(decision_of(builder.game, self.state, builder.seat, builder.decision))
        self.actions.append(action)
        self.states.append(step.state)
        self.revealed, self._may_go_on = step.reveals, step.may_go_on
        if not step.reveals:
            self.seen = step.state
        elif step.state_before_reveal is not None:
            self.seen = step.state_before_reveal
        self.events += plain(step.events)


def plain(events: Iterable[Event]) -> list[JsonObject]:
    """Events as the wording takes them."""
    return [{"kind": e.kind, "seat": e.seat, "data": e.data} for e in events]


def _kept(draft: Draft) -> list[str]:
    """What is left of what the reader sent: everything if no line was chosen anew, else the lines
    that were own before, and those up to the last one that was chosen anew."""
    if draft.changed is None:
        return list(draft.texts)
    pairs = zip(draft.texts, draft.shown, strict=True)
    last = max(i for i, (text, shown) in enumerate(pairs) if text != shown)
    return list(draft.texts[: max(draft.own, last + 1)])
