"""Bots at the table: they submit like anybody else, by the same road."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog

from engine.bots import ask, chance_of
from engine.chance import SeededChance
from engine.play import complete, texts
from engine.protocol import Game, Seat
from service import journal
from service.context import Service
from service.models import DecisionRow, Match, Submission
from service.usecases.moves import play, receive

log = structlog.get_logger(__name__)


def play_bot(service: Service, match_id: int, decision: str, *, ponder: bool = True) -> None:
    """Let the bot who is asked this decision make it. Does nothing if it is made already.

    The bot sees no more than a player in its seat, and has a chance of its own: nothing it draws
    touches the match's draws. A table does not wait for a bot that fails, or plays what is refused:
    the default turn is played instead, at once if `ponder` is false.
    """
    with service.database.read() as session:
        match = session.get_one(Match, match_id)
        row = session.get(DecisionRow, (match_id, decision))
        if row is None or row.closed_entry is not None or match.status != "playing":
            return
        bot = match.seats[row.seat].played_by
        if bot is None:
            return
        game = journal.game_of(match)
        state = journal.position(session, match).state
    chance = chance_of(match.seed, row.seat, match.last_entry + 1)
    turn = _pondered(game, bot, state, row.seat, chance) if ponder else None
    if turn is not None:
        done = _submit(service, match, row, f"bot:{bot}", texts(game, state, row.seat, turn, "en"))
        if done.status != "refused" or (done.verdict or {}).get("code") == "stale":
            return
        log.error("bot_refused", match=match_id, decision=decision, verdict=done.verdict)
    default = complete(game, state, row.seat, decision, chance)
    _submit(service, match, row, "default", texts(game, state, row.seat, default, "en"))


def _pondered(
    game: Game[Any, Any], bot: str, state: Any, seat: Seat, chance: SeededChance
) -> tuple[Any, ...] | None:
    """What the bot plays; None if it fails, which shall not be the table's trouble."""
    try:
        return ask(game, bot, state, seat, chance)
    except Exception:
        log.exception("bot_failed", bot=bot, game=game.key)
        return None


def _submit(
    service: Service, match: Match, row: DecisionRow, source: str, lines: Sequence[str]
) -> Submission:
    with service.database.write() as work:
        submission = receive(
            service,
            work,
            match_id=match.id,
            seat=row.seat,
            decision=row.decision,
            body="\n".join(lines),
            lang="en",
            source=source,
            dedupe=f"{source}.{match.id}.{row.decision}.{match.last_entry}",
        )
        # Played at once, here: the sweep would ring for it if this process died now.
        work.bells.clear()
    return play(service, submission.id)
