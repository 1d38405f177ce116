"""A position that an action changes, and what is told of it on the way."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from engine.protocol import Event, Step

S = TypeVar("S", bound=Any)


class Change(Generic[S]):
    """A position being changed. `reveals` is true once something hidden has come to light; `before`
    is then the position just before, and `told_before` the number of events that led there;
    `may_go_on` as in the step.
    """

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[Event] = []
        self.reveals = False
        self.may_go_on: bool | None = None
        self.before: S | None = None
        self.told_before = 0

    def set(self, **fields: Any) -> None:
        """Give the position these fields."""
        self.state = replace(self.state, **fields)

    def freeze(self) -> S:
        """The position as it is now. A game that works on parts of it puts them together here."""
        return self.state

    def note_reveal(self) -> None:
        """Note that what comes next was hidden up to now."""
        if not self.reveals:
            self.before, self.told_before = self.freeze(), len(self.events)
        self.reveals = True

    def step(self) -> Step[S]:
        """All that was done."""
        return Step(
            state=self.freeze(),
            events=tuple(self.events),
            reveals=self.reveals,
            may_go_on=self.may_go_on,
            state_before_reveal=self.before,
            events_before_reveal=self.told_before,
        )
