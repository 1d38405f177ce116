"""Bots at the table: they submit like anybody else, by the same road."""

from __future__ import annotations

import hashlib

from engine.chance import SeededChance
from service import journal
from service.context import Service
from service.models import DecisionRow, Match
from service.usecases.moves import play, receive


def play_bot(service: Service, match_id: int, decision: str) -> None:
    """Let the bot who is asked this decision make it. Does nothing if it is made already.

    The bot is shown a guess of the state that it cannot tell from the true one, and has a chance of its own:
    nothing it draws touches the match's draws or tells of its seed.
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
    scope = f"bot {match_id} {decision}".encode()
    chance = SeededChance(hashlib.sha256(match.seed + scope).digest())
    seen = game.guess(state, row.seat, chance)
    actions = game.bots[bot](seen, row.seat, chance)
    lines = []
    for action in actions:
        lines.append(game.notation.format(seen, row.seat, action, "en"))
        seen = game.apply(seen, row.seat, action, chance).state
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
