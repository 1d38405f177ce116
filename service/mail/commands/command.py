"""Command words, and the context they are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, TypeVar

import msgspec

from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match, Player, SeatRow
from service.core.results import Result
from service.core.statuses import MatchStatus, SeatStatus
from service.mail.commands.arguments import nothing

A = TypeVar("A", bound=msgspec.Struct)
_NOTHING: Any = nothing


@dataclass(frozen=True, kw_only=True)
class CommandContext:
    """The context of a command: who writes, about what. `match` is None for a mail about no table;
    `row` is the seat of a table that is being played or over, or the place of a guest.

    `dedupe` names the mail: what is asked twice under it is done once. `part` is what it adds to
    the chance of a match that it accepts or opens.
    """

    service: Service
    work: Work
    player: Player
    match: Match | None
    row: SeatRow | None
    dedupe: str
    part: bytes

    @property
    def guest(self) -> bool:
        """True if the writer is asked to a table that has not begun."""
        return self.row is not None and self.table.status in (
            MatchStatus.INVITING,
            MatchStatus.CANCELLED,
        )

    @property
    def invited(self) -> bool:
        """True if the writer is asked to sit down: at a table that has not begun, or to take a seat
        over in a match that is being played.
        """
        asked_over = (
            self.row is not None
            and self.row.successor_of is not None
            and self.row.status == SeatStatus.INVITED
        )
        return self.guest or asked_over

    @property
    def table(self) -> Match:
        """The match. Raises Refused("no_table") for a mail about none."""
        if self.match is None:
            raise Refused("no_table")
        return self.match

    @property
    def place(self) -> SeatRow:
        """The writer's seat in a match that has begun. Raises Refused: "no_table", "not_begun",
        "seat_left".
        """
        if self.row is None:
            raise Refused("no_table")
        if self.row.left_at is not None:
            raise Refused("seat_left")
        if self.row.seat is None or self.table.status in (
            MatchStatus.INVITING,
            MatchStatus.CANCELLED,
        ):
            raise Refused("not_begun")
        return self.row

    @property
    def playing(self) -> SeatRow:
        """The writer's seat in a match that goes on. Raises as `place`, and Refused("ended")."""
        row = self.place
        if self.table.status != MatchStatus.PLAYING:
            raise Refused("ended")
        return row

    @property
    def seat(self) -> int:
        """The number of `playing`."""
        seat = self.playing.seat
        assert seat is not None
        return seat


@dataclass(frozen=True)
class Command(Generic[A]):
    """`spellings` are words without accents, in both languages. `arguments` reads the rest of the
    line: None if it does not fit; most words take nothing. `act` does it; None if there is nothing
    it could mean here.

    `phrases` are whole lines that say the same, as tokens; politeness around them does no harm.
    `sample`: something can stand behind it, and templates/wording/answers.txt shows how.
    `asks_nothing`: a question mark behind it makes it a question, and that is not what is done.
    `takes_all`: whatever stands below belongs to it as well; `takes_paragraph`: the lines right
    below, up to an empty or polite one, or another word. `stays_away`: whoever writes it does
    not take their seat back from a bot by that.
    """

    name: str
    spellings: str
    _: KW_ONLY
    act: Callable[[CommandContext, A], Result | None]
    arguments: Callable[[str], A | None] = _NOTHING
    phrases: tuple[str, ...] = ()
    sample: bool = False
    asks_nothing: bool = False
    takes_all: bool = False
    takes_paragraph: bool = False
    stays_away: bool = False
