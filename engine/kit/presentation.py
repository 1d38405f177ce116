"""The showing of a game: its board as scenes, and how an action is chosen on them.

Views and events come as built-in types, as templates have them. A game may offer more: its own
templates reach all of it by `presentation(KEY)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import msgspec

from engine.kit.scene import Cell, Scene
from engine.kit.selection import Path
from engine.protocol import Seat

Plain = Mapping[str, Any]
"""A part of a view, an event or a rule's context, as built-in types."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """The things a picture shows beyond the position.

    `last` are the places each seat filled in its last turn, `advised` those that a suggested or
    planned one would fill; `names` the players' by seat ("" or none at all: what the game calls the
    seat). `choices` are the places that the numbered choices beside the picture lead to, in their
    order, "" for none (`LeadsSomewhere`). `asked`: something is to be touched, so that what is past
    stands back.
    """

    last: Mapping[Seat, Collection[str]] = {}
    advised: Mapping[Seat, Collection[str]] = {}
    names: Sequence[str] = ()
    choices: Sequence[str] = ()
    asked: bool = False

    def name(self, seat: Seat) -> str:
        """The name of a seat's player; "" where none is given."""
        return self.names[seat] if seat < len(self.names) else ""


class Occasion(StrEnum):
    """The occasions of letters with pictures."""

    TURN = "turn"
    """The reader is to move, or has something to look at."""
    END = "end"
    """A match is over: everything is shown."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of a position. `name` is one of the game's ("" where it has but one kind).

    `reader` is for whose eyes it is drawn (None: a spectator's, or everybody's where it is the same
    for all, so that it is drawn once). `shown` is whose board is the big one where each has its own
    (None: the reader's, or whose turn it is). `legend`: with what its marks mean, for a reader's
    first turns (on a page, `full`, with the letters alone: `HasLegend.legend` is beside it); a game
    that explains nothing draws it as any other. `alone`: without what another picture beside it has
    already, in games whose seats have boards of their own.
    """

    name: str = ""
    reader: Seat | None = None
    shown: Seat | None = None
    legend: bool = False
    alone: bool = False


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """The thing to touch next: a `code` that the game has a sentence for ("" where none is
    needed), with what that sentence is about; `ranked`: what is touched first counts most, so that
    touched places are numbered. Places that are `listed` can be chosen beside the picture, too.
    """

    code: str = ""
    look: str = ""
    count: int = 0
    ranked: bool = False
    listed: bool = False


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """Points that are written on the place that brings them. `kind` is a code that the game's looks
    draw beside the number (macro `gain`); "" where there is but one.
    """

    count: int = 0
    kind: str = ""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """Something that lies on a square: its `kind` and `look`, codes that the game has words for;
    `beside` is the place of its other half ("" where it has none).
    """

    kind: str
    look: str = ""
    beside: str = ""


class Square(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a board that is read as a table. `place` is its name as it is touched, `ground` a
    code that the game has a word for; `points` are the numbers written there, `lies` what lies on
    it, the topmost first.
    """

    place: str
    ground: str
    points: tuple[int, ...] = ()
    lies: tuple[Piece, ...] = ()


class BoardTable(msgspec.Struct, frozen=True, kw_only=True):
    """A board as a table, for who reads it square by square: the board of a `seat` (None: everybody
    plays on it). `columns` and `rows` are codes of their headings that the game has words for;
    `squares` are row by row, None where there is nothing to tell.
    """

    seat: Seat | None = None
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[tuple[Square | None, ...], ...]


class Presentation(Protocol):
    """A game's pictures, and choosing on them."""

    @property
    def width(self) -> int:
        """The width a position's picture is meant to be shown at, in CSS pixels."""
        ...

    def pictures(self, view: Plain, reader: Seat | None, occasion: Occasion) -> Sequence[Wanted]:
        """The pictures of a letter to `reader` (None: a spectator), the most important first."""
        ...

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        """A position; `full` with all that a page has room for. Names in `marks` can be drawn."""
        ...

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        """The public view beside a link: about twice as wide as high; without `names` the board of
        `shown` alone.
        """
        ...

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        """One public view of a match in motion, after the one before. All have the same size."""
        ...

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        """The board of a seat, small and without words; what it filled last is marked."""
        ...

    def common(self) -> Sequence[Cell]:
        """Cells that pictures most often consist of, to be drawn before the first."""
        ...

    def touches(self, action: Any) -> Path:
        """The things touched to choose this action; none for what is chosen by its name alone."""
        ...

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        """The thing to touch next in this `kind` of decision, where these `actions` are open."""
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
        """Looks of what is shown on places that are touched already and wait for another touch."""
        ...

    def brought(self, events: Iterable[Plain]) -> Points:
        """The points that are written on the place that brings them; 0 for none."""
        ...

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        """The places that events have filled, each with the seat whose board it is on."""
        ...


class CommonBoard:
    """The part of a presentation (`Presentation`) that is the same for most games in which all play
    on one board: the same picture for everybody, touches that need no explanation.

    A game gives the rest (`width`, `scene`, `card`, `film`, `glance`, `touches`, `filled`), and
    whatever of this it does otherwise.
    """

    def pictures(self, view: Plain, reader: Seat | None, occasion: Occasion) -> Sequence[Wanted]:
        return (Wanted(),)

    def common(self) -> Sequence[Cell]:
        return ()

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        return Prompt()

    def untouchable(
        self, kind: str, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str]
    ) -> list[str]:
        return []

    def meant(
        self, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str], thing: str
    ) -> list[str]:
        return []

    def subjects(self, context: Plain) -> list[str]:
        return []

    def waiting(self, touched: Sequence[str]) -> Mapping[str, str]:
        return {}

    def brought(self, events: Iterable[Plain]) -> Points:
        return Points()

    def ends(
        self, course: Sequence[Sequence[int]], most: int, deep: float
    ) -> list[tuple[float, Seat]]:
        """The heights below the top at which the curves of a plot end in words, with their seats,
        from the highest: 12 apart at least. A curve has a number for each position.
        """
        found: list[tuple[float, Seat]] = []
        last = ((each[-1], seat) for seat, each in enumerate(course))
        for number, seat in sorted(last, reverse=True):
            y = deep - number * deep / most
            found.append((max(y, found[-1][0] + 12) if found else y, seat))
        # None below the plot: those that would be move up, and what is above them as well.
        above: list[tuple[float, Seat]] = []
        for y, seat in reversed(found):
            above.append((min(y, above[-1][0] - 12 if above else deep), seat))
        return above[::-1]


@runtime_checkable
class HasCloseUps(Protocol):
    """A presentation whose picture on a page may be too small to read on a phone, and which draws
    its parts large, too.

    Ask by `isinstance(presentation, HasCloseUps)`.
    """

    def close_ups(self, view: Plain) -> Sequence[str]:
        """The names (`Wanted.name`) of such pictures of a position; none if none is needed."""
        ...


@runtime_checkable
class HasConcerned(Protocol):
    """A presentation that knows whom an event is about besides the seat it is of: who is robbed,
    struck or pushed away. In a story they are told of it first.

    Ask by `isinstance(presentation, HasConcerned)`.
    """

    def concerned(self, event: Plain) -> Collection[Seat]:
        """The seats besides its own that this event is about."""
        ...


@runtime_checkable
class HasSpecimen(Protocol):
    """A presentation with a picture for who does not know the game, where neither its glance nor
    its card shows what is played with.

    Ask by `isinstance(presentation, HasSpecimen)`.
    """

    def specimen(self, view: Plain, shown: Seat) -> Scene:
        """The part of the public view that `shown` plays in."""
        ...


@runtime_checkable
class HasLegend(Protocol):
    """A presentation that explains the marks of its boards, each once: in pictures that are wanted
    with a `legend`, and in one by itself.

    Ask by `isinstance(presentation, HasLegend)`.
    """

    def legend(self, view: Plain, shown: Seat) -> Scene | Mapping[str, Scene]:
        """The meanings of the marks on the board of a seat, or on that of all, without the board:
        for a page, whose picture of the board has their letters (`Wanted.legend`); or the marks
        themselves, by what `called` of the game's looks says of each.
        """
        ...


@runtime_checkable
class HasBoardTables(Protocol):
    """A presentation whose boards can be read square by square, as tables beside the picture. The
    game's `squares.txt` has the words: `caption(table, names, me)`, `heading(code)`, `square(it)`.

    Ask by `isinstance(presentation, HasBoardTables)`.
    """

    def board_tables(self, view: Plain) -> Sequence[BoardTable]:
        """All boards of a view; of those of seats that of seat 0 first."""
        ...


@runtime_checkable
class HasPatches(Protocol):
    """A presentation that shows what a choice does on a small picture of its own.

    Ask by `isinstance(presentation, HasPatches)`.
    """

    def patch(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene | None:
        """The part of the board of a seat about the places that were filled `last`, as it is then;
        None where nothing is filled.
        """
        ...


@runtime_checkable
class HasFights(HasPatches, Protocol):
    """A presentation that shows on such pictures what the reader's fights are about.

    Ask by `isinstance(presentation, HasFights)`.
    """

    def fights(self, view: Plain) -> Sequence[Plain]:
        """The fights of the view's reader, each with its `hex`, a place."""
        ...


@runtime_checkable
class ShowsPlans(HasPatches, Protocol):
    """A presentation that shows on such a picture what an order filed ahead would do.

    Ask by `isinstance(presentation, ShowsPlans)`.
    """

    def foretold(self, order: Plain) -> Collection[str]:
        """The places that it would fill; none where it names none."""
        ...


@runtime_checkable
class LeadsSomewhere(Protocol):
    """A presentation whose board has the numbers of the choices beside it where these lead.

    Ask by `isinstance(presentation, LeadsSomewhere)`.
    """

    def leads_to(self, turn: Sequence[Plain]) -> str:
        """The place that a turn of these actions leads to, or several parted by spaces, that which
        it leads to first in front; "" if it stays.
        """
        ...


@runtime_checkable
class DrawsStories(Protocol):
    """A presentation that draws some of what a story tells, besides its words: fights with their
    dice.

    Ask by `isinstance(presentation, DrawsStories)`.
    """

    def story_scene(
        self, events: Sequence[Plain], reader: Seat | None = None, names: Sequence[str] = ()
    ) -> Scene | None:
        """A drawing of these events, as wide as a board, in which the `reader` is "you" and others
        have these `names`; None where nothing is to be seen."""
        ...


@runtime_checkable
class HasForgone(Protocol):
    """A presentation that knows what an action lets go that would have cost nothing. The game's
    wording has a sentence for it, `forgone(names)`.

    Ask by `isinstance(presentation, HasForgone)`.
    """

    def forgone(self, events: Iterable[Plain], choices: Sequence[Any]) -> Sequence[str]:
        """Names of what these events of an action give up, of what one of the `choices` that were
        open in its place would have used.
        """
        ...


@runtime_checkable
class HasFurtherChoices(Protocol):
    """A presentation that makes choices of open decisions from touches: nobody could list them all.

    Ask by `isinstance(presentation, HasFurtherChoices)`.
    """

    def further(self, kind: str, view: Plain, touched: Sequence[str]) -> Iterable[Any]:
        """Choices of this `kind` of decision that begin with these touches, with one more at most;
        what is not legal among them is left out.
        """
        ...


@runtime_checkable
class HasPresentation(Protocol):
    """A game that is played on pages and told in letters.

    Ask by `isinstance(game, HasPresentation)`.
    """

    @property
    def presentation(self) -> Presentation: ...
