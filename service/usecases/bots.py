"""Bots at the table: they submit like anybody else, by the same road."""

from __future__ import annotations

from engine.bots import ask, chance_of
from engine.play import texts
from service import journal
from service.context import Service
from service.models import DecisionRow, Match
from service.usecases.moves import play, receive


def play_bot(service: Service, match_id: int, decision: str) -> None:
    """Let the bot who is asked this decision make it. Does nothing if it is made already.

    The bot sees no more than a player in its seat, and has a chance of its own: nothing it draws
    touches the match's draws.
    """
    with service.database.read() as session:
        match = session.get_one(Match, match_id)
        row = session.get(DecisionRow, (match_id, decision))
        if row is None or row.closed_entry is not None or match.status != "playing":
            return
        bot = match.seats[row.seat].bot
        if bot is None:
            return
        game = journal.game_of(match)
        state = journal.position(session, match).state
    actions = ask(game, bot, state, row.seat, chance_of(match.seed, row.seat, match.last_entry + 1))
    lines = texts(game, state, row.seat, actions, "en")
    with service.database.write() as work:
        submission = receive(
            service,
            work,
            match_id=match_id,
            seat=row.seat,
            decision=decision,
            body="\n".join(lines),
            lang="en",
            source=f"bot:{bot}",
            dedupe=f"bot.{match_id}.{decision}",
        )
        # Played at once, here: the sweep would ring for it if this process died now.
        work.bells.clear()
    play(service, submission.id)
