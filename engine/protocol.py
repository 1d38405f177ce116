"""The protocol of a game: the vocabulary every game speaks and nothing of any one game.

A game is a set of pure functions on an immutable state. It is asked who may act
(`decisions`), told what they do (`apply`), and asked what somebody may know (`view`).
Everything else (journals, records, letters, pages) is built from these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from engine.chance import Chance

Seat: TypeAlias = int
"""A place at the table, 0 .. seats - 1, in clockwise order."""

LONGEST_TEXT = 8000
"""Characters that the text of a submission may have: far more than the longest, plans with
conditions included. A longer one is refused whole (`too_long`), and none is ever cut.
"""

S = TypeVar("S")
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Choices(Protocol[A_co]):
    """The legal actions of a decision: lazy, and iteration and membership agree.

    `action in choices` is true for exactly the actions that iteration would yield. What can be
    chosen depends only on what the seat may know. Of an open decision (`Decision.open`) iteration
    yields examples, every one a member, and membership alone decides.
    """

    def __iter__(self) -> Iterator[A_co]: ...

    def __contains__(self, action: object, /) -> bool: ...


class Asks(StrEnum):
    """The force of a decision: who waits for it."""

    MUST = "must"
    """The game is held up until it is made; when the time is up, the game's default makes it."""

    MAY = "may"
    """An order: it can be filed and replaced while it is open, or left; nobody waits."""

    INVITE = "invite"
    """As `MAY`, and the seat is told once, by a letter, that it may file ahead."""


class Decision(msgspec.Struct, Generic[A], frozen=True, kw_only=True):
    """Something one seat may or must decide now.

    `id` is unique within a match and names one decision for good: it depends on nothing that
    others do, and once closed it never comes back. `turn` is what players call a turn, the same for
    all that is decided in it: what counts turns counts these, never entries; "" for what belongs to
    no turn. `rule` is the section that asks for it, e.g. "S§4".

    What `must` be decided is made by its actions. Steps of one choice share its id; what is
    left to decide after a reveal is a decision of the same turn with a new id. Where the rules let
    a player change an answer until the others have given theirs, it stays open under its id as
    what `may` be decided.

    What `may` be decided, or is an `invite`, is an order. It stays open under its id until the game
    closes it, and the newest order filed for it replaces the one before. An order that takes
    several steps asks `must` from the first of them until it is whole. The game keeps orders in
    its state and consults them when their trigger comes, so nobody waits. Orders are secret and
    silent: they are sealed, reveal nothing, draw nothing and change nothing that others can
    see or are asked.

    What is chosen in a `sealed` decision is for this seat's eyes: others learn of it only by the
    events the game tells them and by their views. Sealed decisions that are open together are
    resolved in seat order once the last one that must be made is in, whatever order they came in;
    until then nobody learns who has decided.

    An `open` decision lists examples of what can be chosen: for texts, lists and conditions that
    nobody could enumerate.
    """

    id: str
    turn: str
    seat: Seat
    kind: str
    rule: str
    choices: Choices[A]
    asks: Asks = Asks.MUST
    open: bool = False
    sealed: bool = False

    @property
    def blocks(self) -> bool:
        """True if the game waits for it."""
        return self.asks is Asks.MUST


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, as data for the wording: a kind and its parameters.

    `audience` lists the seats that are told; None is everybody. Something told in
    two ways is two events with two audiences. Histories are made of events and of nothing
    else: a game tells in them all that a seat is to learn.

    `chapter` is the part of the story it is told in, "" where a story has no parts. `notify` lists
    seats that are to be told now, by a letter, although nothing may be asked of them: who is
    eliminated. They are among the audience. `revealed` is true of what who acts could not know
    before: `engine.play` sets it.
    """

    kind: str
    seat: Seat | None = None
    data: dict[str, Any] = {}
    audience: tuple[Seat, ...] | None = None
    chapter: str = ""
    notify: tuple[Seat, ...] = ()
    revealed: bool = False

    def is_for(self, seat: Seat | None) -> bool:
        """True if `seat` (None: a spectator) may be told this."""
        return self.audience is None or (seat is not None and seat in self.audience)


class Step(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """The result of an action, or of the set-up.

    `reveals` is true when chance was drawn or a seat now knows something hidden before: a
    submission is never rolled back past it, and stops at it. What the same seat has still to
    decide then is a decision with a new id.

    Of a step that reveals `may_go_on` may say whether who acts, by what they knew beforehand, can
    have more to decide then, whatever has come to light. `state_before_reveal` may be the position
    with all that they knew beforehand done and nothing revealed yet, and `events_before_reveal` how
    many of the events led there. It can be looked at as this seat, not played on.
    """

    state: S
    events: tuple[Event, ...] = ()
    reveals: bool = False
    may_go_on: bool | None = None
    state_before_reveal: S | None = None
    events_before_reveal: int = 0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game. `scores` by seat; `winners` share the victory. Where there are none, all
    have lost: by the rules, or because of who left (`engine.leaving`).

    `termination` says why it ended (e.g. "normal", "all_out"); it never depends on the scores.
    """

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    termination: str

    @property
    def ranking(self) -> list[Seat]:
        """The seats, winners first, then by points."""
        seats = range(len(self.scores))
        return sorted(seats, key=lambda seat: (seat not in self.winners, -self.scores[seat]))

    def ahead_of(self, seat: Seat, without: Collection[Seat] = ()) -> int:
        """The number of seats that did better than one: those that have won or have more points."""
        if seat in self.winners:
            return 0
        score = self.scores[seat]
        return sum(
            other not in without and (other in self.winners or points > score)
            for other, points in enumerate(self.scores)
        )


class IllegalAction(Exception):
    """The rules forbid this action here.

    `code` is stable and has a sentence in the wording, `rule` is the section ("S§5.3"), `context`
    holds what the sentence needs (squares, scenes, numbers). `index` is the place of the
    action in the submission, set by `engine.play`. `begun` is as in `NotationError`.
    """

    def __init__(self, code: str, rule: str, **context: Any) -> None:
        super().__init__(f"{code} ({rule})")
        self.code = code
        self.rule = rule
        self.context = context
        self.index = 0
        self.begun: tuple[Any, ...] = ()


def too_long(length: int) -> IllegalAction:
    """The error of a text of so many characters, which are more than LONGEST_TEXT."""
    return IllegalAction("long_text", "", most=LONGEST_TEXT, length=length)


class DataError(ValueError):
    """A data file that the game cannot be played with.

    `name` is the file, `line` the line (from 1) of the first fault, `code` the kind of fault and
    `context` what is wrong there. The text, for the operator's terminal, has all of it.
    """

    def __init__(self, name: str, line: int, code: str, **context: Any) -> None:
        details = ", ".join(f"{key}={value!r}" for key, value in context.items())
        super().__init__(f"{name}, line {line}: {code}" + (f" ({details})" if details else ""))
        self.name = name
        self.line = line
        self.code = code
        self.context = context


class NotationError(Exception):
    """A text that names no single action. `fragment` is the part that is at fault, `begun` are the
    actions before it, which can be read and played: they need not be chosen again.
    """

    def __init__(self, fragment: str, **context: Any) -> None:
        super().__init__(fragment)
        self.fragment = fragment
        self.context = context
        self.begun: tuple[Any, ...] = ()


class Unreadable(NotationError):
    """No action can be read in the text. `context["expected"]` may name what could stand there;
    where lines are orders `context` has the `line`'s number and its `text`.
    """


class Ambiguous(NotationError):
    """Several actions can be read. `readings` are their canonical texts."""

    def __init__(self, fragment: str, readings: Sequence[str], **context: Any) -> None:
        super().__init__(fragment, **context)
        self.readings = tuple(readings)


LANGUAGES = ("en", "fr")
"""The languages of notation: English and French."""


class Notation(Protocol[S_contra, A]):
    """Text of actions, both ways, in each of the LANGUAGES.

    `parse` reads what `format` writes, and more: case, accents, separators and unambiguous
    prefixes are forgiven, in both languages at once whatever `lang` says. A line end separates
    actions; whether anything else does (commas, semicolons), and which lines are one action, only
    the notation knows: nobody else cuts a text. Actions of a submission are read one after the
    other, each in the position after those before it; reading stops being checked at the first
    reveal. Raises Unreadable, Ambiguous or IllegalAction, which know the actions `begun`.
    """

    @property
    def words(self) -> frozenset[str]:
        """Every word that actions are written with, in both languages: keywords, names, places,
        but no bare numbers; lower-case letters and digits without accents. They tell an order with
        a slip in it from prose.
        """
        ...

    @property
    def keeps(self) -> frozenset[str]:
        """Words that no reader of replies may take for politeness, for what only leads to an order,
        for "something else follows" or for a number's company ("then", "else", "take"): a line that
        begins with one is the notation's. Written as `words`.
        """
        ...

    def format(self, state: S_contra, seat: Seat, action: A, lang: str) -> str: ...

    def parse(self, state: S_contra, seat: Seat, text: str, lang: str) -> tuple[A, ...]: ...

    def meaning(self, state: S_contra, seat: Seat, action: A) -> Hashable:
        """Equal for legal actions that differ in nothing that matters, such as two pieces alike:
        to be listed once."""
        ...

    def nearest(self, state: S_contra, seat: Seat, action: A, limit: int = 3) -> tuple[A, ...]:
        """The legal actions most like an illegal one, for the answer to it."""
        ...


Bot: TypeAlias = Callable[[S, Decision[A], Chance], tuple[A, ...]]
"""Chooses a submission for a decision: nothing, if it leaves one that does not block.

It is given a state from `Game.guess`, never the true one, and the decision as it is open there.
"""


class Game(Protocol[S, A]):
    """One game. Every function is pure; states and actions are structs that go through JSON.

    What `decisions` offers a seat, `default`, `suggestions` and errors depend only on what
    the seat may know. `default` and `suggestions` speak for the seat's first blocking decision and
    are asked only when there is one; bots are told the decision. Views and events hold no
    fractions: their JSON is compared byte by byte.
    """

    @property
    def key(self) -> str: ...

    @property
    def rules_version(self) -> int: ...

    @property
    def weight(self) -> int:
        """The amount there is to learn, from 1 (light) to 5 (heavy), as players rate board games.
        Games are listed the lightest first, and newcomers are shown the first.
        """
        ...

    @property
    def seats(self) -> range: ...

    @property
    def state_type(self) -> type[S]: ...

    @property
    def action_type(self) -> Any:
        """A type msgspec can decode into: the union of the game's tagged actions."""
        ...

    @property
    def options_type(self) -> type[msgspec.Struct]:
        """The table's options: a struct whose defaults are the rulebook's."""
        ...

    @property
    def publishes_orders(self) -> bool:
        """True if the record of a finished match holds every order, also those never used, as it
        must where there are any: nobody could verify it without. Players are told beforehand.
        """
        ...

    @property
    def notation(self) -> Notation[S, A]: ...

    @property
    def bots(self) -> Mapping[str, Bot[S, A]]: ...

    def setup(self, seats: int, options: Any, chance: Chance) -> Step[S]:
        """The position before the first decision.

        Raises ValueError for seats or options out of range.
        """
        ...

    def decisions(self, state: S) -> tuple[Decision[A], ...]:
        """The open decisions: the only source of who may act. Empty exactly when there is an
        outcome.
        """
        ...

    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """The position after `action`. Raises IllegalAction and leaves no trace.

        Accepts exactly what some open decision of the seat offers, with the same effect
        for each that offers it.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> msgspec.Struct:
        """The position as `seat` (None: everybody) may know it, built from an allow-list."""
        ...

    def guess(self, state: S, seat: Seat, chance: Chance) -> S:
        """A state that `seat` cannot tell from `state`: what it does not know is drawn anew."""
        ...

    def default(self, state: S, seat: Seat) -> A:
        """The next action of the default turn: legal, and the same for the same view."""
        ...

    def suggestions(self, state: S, seat: Seat, limit: int) -> Sequence[tuple[A, ...]]:
        """Up to `limit` strong and different submissions for the decision, best first."""
        ...

    def in_play(self, state: S) -> tuple[Seat, ...]:
        """The seats that are not eliminated, in order. Who is eliminated is asked nothing any more,
        counts for no pause or vote, cannot win and never comes back; a seat that the rules
        will bring back is in play.
        """
        ...

    def outcome(self, state: S) -> Outcome | None: ...

    def scores(self, state: S) -> tuple[int, ...]:
        """The scores of all seats if the game ended here, what is secret until then counted; at its
        end, those of the outcome. Shown only when a match is over.
        """
        ...


@runtime_checkable
class HasOtherNames(Protocol):
    """A notation that knows by what other names people call things. Ask by `isinstance`."""

    @property
    def seat_words(self) -> Mapping[Seat, str]:
        """The word for each seat in texts, in English."""
        ...

    def by_names(self, text: str) -> str:
        """The text with the notation's words for other names of things, such as what a picture of
        them shows.
        """
        ...

    def guessed(self, text: str) -> str:
        """The text as it may be meant, for who is asked whether it is so."""
        ...

    def verbs(self, text: str) -> frozenset[str]:
        """The verbs of actions that a text may be, whatever is legal; none of what is no action."""
        ...


@runtime_checkable
class HasFirstPlayer(Protocol):
    """A game that one seat begins, where a table may say which; else chance does.

    Ask by `isinstance(game, HasFirstPlayer)`.
    """

    def first_player(self, state: Any) -> Seat:
        """The seat that began, in any position of the match."""
        ...

    def begun_by(self, options: Any) -> Seat | None:
        """The seat that is to begin by these options; None where chance decides."""
        ...

    def with_first(self, options: Any, seat: Seat | None) -> Any:
        """The options with this seat to begin; None leaves it to chance."""
        ...


@runtime_checkable
class HasLaterOptions(Protocol):
    """A game with options that came to it after its first matches.

    In `options_type` their defaults are how it was played before, which holds for matches and
    records that lack them; new tables get those named here. Ask by `later_options(game)`.
    """

    @property
    def later_options(self) -> Mapping[str, Any]: ...


def later_options(game: Any) -> Mapping[str, Any]:
    """The options that came later to the game, by name, as new tables get them."""
    return game.later_options if isinstance(game, HasLaterOptions) else {}


def new_options(game: Any, chosen: Mapping[str, Any] | None = None) -> Any:
    """The options of a new table that has chosen these, maybe written out as forms send them.

    Raises msgspec.ValidationError, a ValueError.
    """
    written = {**later_options(game), **(chosen or {})}
    return msgspec.convert(written, game.options_type, strict=False)


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    """An order on file: the actions that would file it again, for this decision. `withdraws` are
    actions of the same decision that take it off file; none where it can only be replaced.
    """

    decision: str
    actions: tuple[Any, ...]
    withdraws: tuple[Any, ...] = ()


@runtime_checkable
class HasOrders(Protocol):
    """A game in which something may be decided and changed, or left: orders, plans, sealed answers
    until the last one is in. Ask by `isinstance(game, HasOrders)`.
    """

    def filed(self, state: Any, seat: Seat) -> tuple[Filed, ...]:
        """The orders on file of a seat for its open decisions, each at most once, in their order.
        Its player is shown them in words (`Notation.format`) wherever they look; nobody else is.
        """
        ...


class PlanStep(msgspec.Struct, frozen=True, kw_only=True):
    """The actions of one line of a plan: `line` is its place in the plan, from 0."""

    line: int
    actions: tuple[Any, ...]


@runtime_checkable
class HasPlans(Protocol):
    """A game in which a seat may file beforehand what it does under which conditions.

    A plan is an order that the game keeps in its state. It is consulted (`engine.play.planned`)
    before the seat is asked, and its answer is played as an entry of its own (cause "plan"), in
    actions like any others; its seat is to be told. Ask by `isinstance(game, HasPlans)`.
    """

    @property
    def tells_plans(self) -> bool:
        """True if everybody may know that a move was made by a plan; else it is told as a move."""
        ...

    def planned(self, state: Any, seat: Seat, *, expired: bool) -> PlanStep | None:
        """The answer of the seat's plan to what it must decide now: legal actions for it, or None
        if the seat is to be asked. `expired`: its time is up, and the default comes next.

        It depends only on what the seat may know.
        """
        ...

    def plan_used(self, state: Any, seat: Seat, step: PlanStep) -> Any:
        """The position in which the plan notes that it has said this, before it is played: for
        lines that go on where another has ended. Only what the seat itself knows may change.
        """
        ...


@runtime_checkable
class ExplainsPlans(Protocol):
    """A game that can tell what a plan means, as data for sentences: `engine.kit.plans` makes it.

    Ask by `isinstance(game, ExplainsPlans)`.
    """

    def explained(self, state: Any, seat: Seat, action: Any) -> Any:
        """The meaning of an order, for the game's `filed` in `wording.txt`; None if its actions say
        it.
        """
        ...

    def stopped(self, state: Any, seat: Seat) -> Any:
        """The reasons why the plan on file has no answer to what the seat must decide now, for the
        game's `stopped` in `wording.txt`; None if there is no plan for this, or it has an answer.
        """
        ...


@runtime_checkable
class ExplainsSuggestions(Protocol):
    """A game that can say why its suggestions stand in their order, as data for sentences.

    Ask by `isinstance(game, ExplainsSuggestions)`.
    """

    def reasons(
        self, state: Any, seat: Seat, suggested: Sequence[tuple[Any, ...]]
    ) -> Sequence[Any]:
        """For each of these submissions, in the order of `Game.suggestions`, the reason why it
        stands there, for the game's `reason` in `wording.txt`; None where there is nothing to say.

        It depends only on what the seat may know.
        """
        ...


@runtime_checkable
class EndsTurns(Protocol):
    """A game in which an action of its own closes a turn of any length. Who replies to a letter
    with a turn need not write it: the end of what is written closes the turn.

    Ask by `isinstance(game, EndsTurns)`.
    """

    def end_of_turn(self, state: Any, seat: Seat) -> Any:
        """The action that closes the seat's turn; None if it has none to close now."""
        ...


@runtime_checkable
class TakesData(Protocol):
    """A game whose printed matter (boards, cards) can be replaced by an operator's file.

    Ask by `isinstance(game, TakesData)`. Matches begun before keep their own data, which is
    among the options in their set-up.
    """

    def with_data(self, text: str, name: str) -> Game[Any, Any]:
        """The game with the data of this text; `name` is that of the file. Raises DataError."""
        ...


def seats_to_wait_for(decisions: Iterable[Decision[Any]]) -> tuple[Seat, ...]:
    """The seats whose decisions hold the game up, each once, in order."""
    return tuple(dict.fromkeys(d.seat for d in decisions if d.blocks))
