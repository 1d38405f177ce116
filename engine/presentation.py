"""The things on a game's board: what pages, letters and pictures need beside views and words.

Views and events come as built-in types, as templates have them. A game may offer more: its own
templates reach all of it by `presentation(KEY)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from engine.protocol import Seat

Plain = Mapping[str, Any]
"""A part of a view, an event or a rule's context, as built-in types."""

Touches = tuple[str | tuple[str, ...], ...]
"""What is touched on the board for an action, in this order; a tuple in it in any order."""


class Presentation(Protocol):
    """The things on a board: which an action is about, and which events have filled."""

    def touches(self, action: Any) -> Touches:
        """The things touched to choose this action; none for what is chosen by its name alone."""
        ...

    def untouchable(
        self, kind: str, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str]
    ) -> list[str]:
        """Things that somebody may touch next who does not see why they cannot be used.

        `actions` are all that is open to `seat` in this `kind` of decision, `touched` what it has
        touched so far.
        """
        ...

    def meant(
        self, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str], thing: str
    ) -> list[str]:
        """The actions that somebody may have meant who touches this, in canonical notation, the
        likeliest first.
        """
        ...

    def subjects(self, context: Plain) -> list[str]:
        """The things that a broken rule is about, of all that its context names."""
        ...

    def waiting(self, touched: Sequence[str]) -> Mapping[str, str]:
        """Scenes or pieces shown on places that are touched already and wait for another touch."""
        ...

    def brought(self, events: Iterable[Plain]) -> int:
        """Points that are written on the place that brings them; 0 for none."""
        ...

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        """The places that events have filled, each with the seat whose board it is on."""
        ...


@runtime_checkable
class HasPresentation(Protocol):
    """A game that is played on pages and told in letters.

    Ask by `isinstance(game, HasPresentation)`.
    """

    @property
    def presentation(self) -> Presentation: ...
