"""Results of a player: how each of their games that are over ended, with whom, against whom they
have won, and how long their turns took.

Two statements, however many games there are.
"""

from __future__ import annotations

import datetime as dt
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select, type_coerce
from sqlalchemy.orm import Session, aliased

from engine.protocol import Asks, Outcome, Seat
from service.core.models import DecisionRow, Letter, Match, Player, SeatRow, Submission, UtcTime
from service.core.statuses import LetterKind, MatchStatus, SeatStatus, SubmissionStatus
from service.render.bots import shown_name

MOST_TURNS = 2000
"""The newest turns of a player that are looked at."""


class Ending(StrEnum):
    """The end of a game as one of its players sees it. Several share a victory: it is `DRAWN`."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    NOBODY = "nobody"


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over. `opponents` has who else played, by their marks; `left` is true of who
    gave up or was taken off.
    """

    match: int
    game: str
    ending: Ending
    opponents: dict[str, Versus]
    left: bool = False


class Versus(msgspec.Struct, kw_only=True):
    """All games with one opponent, a player or a kind of bot: how often who has won. `mark` names
    them in addresses: a place both have had. Of games that neither has won nothing is counted but
    that they were played.
    """

    mark: str
    name: str
    bot: bool
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def neither(self) -> int:
        """The number of games that neither of the two has won."""
        return self.games - self.won - self.lost - self.drawn


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """The time that turns took from the letter that asked to the turn: the median of so many."""

    median: dt.timedelta
    turns: int


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """All of it: games that are over by their ids, the newest first; opponents, those of most games
    first; the speed of turns by match, and of all.
    """

    past: Mapping[int, Past]
    versus: list[Versus]
    speeds: Mapping[int, Speed]
    speed: Speed | None

    def chosen(self, ending: str = "", opponent: str = "") -> list[int]:
        """The matches that ended so, with this opponent; "" for any."""
        return [
            past.match
            for past in self.past.values()
            if ending in ("", past.ending) and (not opponent or opponent in past.opponents)
        ]

    @property
    def endings(self) -> list[Ending]:
        """The ways in which at least one game ended."""
        return [ending for ending in Ending if self.count(ending)]

    def count(self, ending: str) -> int:
        """The number of games that ended so."""
        return sum(past.ending == ending for past in self.past.values())


def results_of(session: Session, player: Player, lang: str) -> Results:
    """The results of a player, who reads them in this language."""
    past, versus = _past(session.execute(_SEATS, {"player": player.id}), lang)
    turns = _durations(session.execute(_TURNS, {"player": player.id}))
    every = [each for some in turns.values() for each in some]
    return Results(
        past=past,
        versus=sorted(versus, key=lambda one: (one.bot, -one.games, one.name.casefold())),
        speeds={match: _speed(some) for match, some in turns.items()},
        speed=_speed(every) if every else None,
    )


def ending_of(outcome: Outcome, seat: Seat) -> Ending:
    """The end of a game for who sat there."""
    if not outcome.winners:
        return Ending.NOBODY
    if seat not in outcome.winners:
        return Ending.LOST
    return Ending.WON if len(outcome.winners) == 1 else Ending.DRAWN


_MINE = aliased(SeatRow)
_SEATS = (
    select(
        Match.id,
        Match.code,
        Match.game,
        Match.outcome,
        _MINE.seat.label("mine"),
        _MINE.left_at,
        SeatRow.seat,
        SeatRow.player_id,
        SeatRow.bot,
        SeatRow.name,
    )
    .select_from(_MINE)
    .join(Match, Match.id == _MINE.match_id)
    .join(SeatRow, SeatRow.match_id == Match.id)
    .where(
        _MINE.player_id == bindparam("player"),
        _MINE.status == SeatStatus.ACCEPTED,
        _MINE.seat.is_not(None),
        Match.status == MatchStatus.ENDED,
        Match.outcome.is_not(None),
        SeatRow.seat.is_not(None),
    )
    .order_by(Match.id.desc(), SeatRow.seat)
)
# Since a digest may have told of it later, or the mail server had not taken the letter.
_SENT_AT = (
    select(func.min(Letter.sent_at))
    .where(
        Letter.match_id == Submission.match_id,
        Letter.decision == Submission.decision,
        Letter.player_id == bindparam("player"),
        Letter.kind == LetterKind.TURN,
    )
    .scalar_subquery()
)
_TURNS = (
    select(
        Submission.match_id,
        Submission.entry,
        Submission.received_at,
        DecisionRow.opened_at,
        SeatRow.former,
        type_coerce(_SENT_AT, UtcTime).label("sent_at"),
    )
    .join(SeatRow, (SeatRow.match_id == Submission.match_id) & (SeatRow.seat == Submission.seat))
    .join(
        DecisionRow,
        (DecisionRow.match_id == Submission.match_id)
        & (DecisionRow.decision == Submission.decision),
    )
    .where(
        SeatRow.player_id == bindparam("player"),
        Submission.status == SubmissionStatus.PLAYED,
        Submission.entry.is_not(None),
        Submission.by_player,
        DecisionRow.asks == Asks.MUST,
    )
    .order_by(Submission.id.desc())
    .limit(MOST_TURNS)
)


def _past(rows: Iterable[Any], lang: str) -> tuple[dict[int, Past], list[Versus]]:
    known: dict[tuple[str, Any], Versus] = {}
    found: dict[int, Past] = {}
    outcomes: dict[int, Outcome] = {}
    for row in rows:
        if row.id not in outcomes:
            outcomes[row.id] = msgspec.json.decode(row.outcome, type=Outcome)
        ending = ending_of(outcomes[row.id], row.mine)
        past = found.setdefault(
            row.id,
            Past(
                match=row.id,
                game=row.game,
                ending=ending,
                opponents={},
                left=row.left_at is not None,
            ),
        )
        if row.seat == row.mine:
            continue
        who = ("bot", f"{row.game} {row.bot}") if row.bot is not None else ("", row.player_id)
        mark = f"{row.code}.{row.seat}"
        name = shown_name(row.game, row.bot, row.name, lang)
        other = known.setdefault(who, Versus(mark=mark, name=name, bot=row.bot is not None))
        if other.mark in past.opponents:
            continue  # two of a kind of bot are one opponent
        past.opponents[other.mark] = other
        winners = outcomes[row.id].winners
        other.games += 1
        other.won += row.mine in winners and row.seat not in winners
        other.lost += row.seat in winners and row.mine not in winners
        other.drawn += row.mine in winners and row.seat in winners
    return found, list(known.values())


def _durations(rows: Iterable[Any]) -> dict[int, list[dt.timedelta]]:
    found: dict[int, list[dt.timedelta]] = defaultdict(list)
    for row in rows:
        if row.former and row.entry <= max(int(n) for n in row.former):
            continue  # of who sat there before
        asked = row.opened_at
        if row.sent_at is not None and asked < row.sent_at <= row.received_at:
            asked = row.sent_at
        found[row.match_id].append(max(dt.timedelta(0), row.received_at - asked))
    return found


def _speed(turns: Collection[dt.timedelta]) -> Speed:
    median = statistics.median(each.total_seconds() for each in turns)
    return Speed(median=dt.timedelta(seconds=median), turns=len(turns))
