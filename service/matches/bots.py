"""Bots at the table: they submit like anybody else, by the same road."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec
import structlog
from sqlalchemy import select

from engine.bots import ask, chance_of
from engine.chance import SeededChance
from engine.play import complete, decision_of, texts, written
from engine.protocol import Game
from service.core import locks, verdicts
from service.core.context import Service
from service.core.db import Work
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Match, Submission
from service.core.statuses import BOT_SOURCE, CLOCK_SOURCE, WAITING, MatchStatus, SubmissionStatus
from service.matches import journal
from service.matches.moves import play, receive, withdraw
from service.outgoing import news

log = structlog.get_logger(__name__)


def play_bot(service: Service, match_id: int, decision: str, *, ponder: bool = True) -> None:
    """Let the bot who is asked this decision make it. Does nothing if it is made already.

    The bot sees no more than a player in its seat, and has a chance of its own: nothing it draws
    touches the match's draws. A table does not wait for a bot that fails, or plays what is refused:
    the default turn is played instead, at once if `ponder` is false. What it has pondered is
    nothing if meanwhile the turn before it was taken back, or its player has come back.
    """
    with service.database.read() as session:
        match = session.get_one(Match, match_id)
        row = session.get(DecisionRow, (match_id, decision))
        if row is None or row.closed_entry is not None or match.status != MatchStatus.PLAYING:
            return
        bot = match.seats[row.seat].played_by
        if bot is None:
            return
        if _is_asleep(match):
            # Until the pause is over: that enqueues it anew (`deadlines.refresh`).
            _ask_no_more(service, match_id, decision, _is_asleep)
            return
        game = journal.game_of(match)
        state = journal.position(session, match).state
    chance = chance_of(match.seed, row.seat, match.last_entry + 1)
    turn = _pondered(game, bot, state, row, chance) if ponder else None
    if not row.blocks:
        # A bot is asked for an order once: what it leaves is left.
        _ask_no_more(service, match_id, decision)
    if turn:
        lines = written(game, state, row.seat, turn, "en")
        done = _submit(service, match, row, bot, f"{BOT_SOURCE}{bot}", lines)
        if (
            done is None
            or done.status != SubmissionStatus.REFUSED
            or isinstance(done.verdict, verdicts.Stale)
        ):
            return
        log.error(
            "bot_refused",
            match=match_id,
            decision=decision,
            verdict=msgspec.to_builtins(done.verdict),
        )
    if not row.blocks:
        return  # nobody waits for an order
    default = complete(game, state, row.seat, decision, chance)
    _submit(service, match, row, bot, CLOCK_SOURCE, texts(game, state, row.seat, default, "en"))


def _is_asleep(match: Match) -> bool:
    """True if the match is paused and there is nobody a bot could play with."""
    return match.paused_at is not None and not news.present(match)


def _ask_no_more(
    service: Service,
    match_id: int,
    decision: str,
    still: Callable[[Match], bool] = lambda match: True,
) -> None:
    """Enqueue a decision no more, if that is what to do `still` once the match is locked."""
    with service.database.write() as work:
        match = locks.lock_number(service, work, match_id)
        row = work.session.get(DecisionRow, (match_id, decision), populate_existing=True)
        if row is not None and still(match):
            row.enqueued_at = None


def _pondered(
    game: Game[Any, Any], bot: str, state: Any, row: DecisionRow, chance: SeededChance
) -> tuple[Any, ...] | None:
    """What the bot plays; None if it fails, which shall not be the table's trouble."""
    try:
        decision = decision_of(game, state, row.seat, row.decision)
        return ask(game, bot, state, decision, chance)
    except Exception:
        log.exception("bot_failed", bot=bot, game=game.key)
        return None


def _submit(
    service: Service, match: Match, row: DecisionRow, bot: str, source: str, lines: Sequence[str]
) -> Submission | None:
    """Store and play it; None, and nothing is stored, if it is no longer this bot's to make: a
    refusal would stand in the way of whoever is asked the same later.
    """
    with service.database.write() as work:
        held = locks.lock_number(service, work, match.id)
        if not _is_still_asked(work, held, row, bot):
            return None
        submission = receive(
            service,
            work,
            match=held,
            seat=row.seat,
            decision=row.decision,
            body="\n".join(lines),
            lang="en",
            source=source,
            dedupe=f"{source}.{match.id}.{row.decision}.{match.last_entry}",
            at_once=True,
        )
    return play(service, submission.id)


def _is_still_asked(work: Work, match: Match, pondered: DecisionRow, bot: str) -> bool:
    """True if the decision is the one that was pondered, and this bot's. One that was asked anew
    has the same id, on another position.
    """
    row = work.session.get(DecisionRow, (pondered.match_id, pondered.decision))
    if row is None or row.closed_entry is not None or match.status != MatchStatus.PLAYING:
        return False
    return row.opened_at == pondered.opened_at and match.seats[row.seat].played_by == bot


def call_off(
    service: Service,
    work: Work,
    match: LockedMatch,
    decisions: Collection[str],
    *,
    of_bots_only: bool = False,
) -> None:
    """Call off what was handed in for these decisions and is not played: it does not stand in the
    way of the same if it is handed in again.
    """
    query = select(Submission).where(
        Submission.match_id == match.id,
        Submission.decision.in_(decisions),
        Submission.status != SubmissionStatus.PLAYED,
    )
    if of_bots_only:
        query = query.where(~Submission.by_player)
    for submission in work.session.scalars(query.execution_options(populate_existing=True)):
        submission.dedupe = submission.code
        if submission.status in (*WAITING, SubmissionStatus.DEAD_LETTER):
            withdraw(service, match, submission, verdicts.TakenBack())
