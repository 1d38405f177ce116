"""One letter a day instead of many: what was gathered for it, and every board that waits.

Composing is idempotent: one digest a player and local day, whoever rings for it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.context import Service
from service.daytime import awake, digest_hour, next_time
from service.db import Work
from service.models import DecisionRow, Letter, Match, Player, SeatRow
from service.pace import today
from service.usecases.outbox import is_asked, is_unwanted, owe

# A board of its own stands for these; of the others the digest says a line.
_SHOWN_AS_BOARDS = frozenset({"turn", "reminder", "nudge"})
MOST_BOARDS = 40


def compose(service: Service, work: Work, player: Player) -> None:
    """Owe the player's digest of now, if there is anything to tell.

    What was gathered is then told by it. If today's has been sent already, it waits for tomorrow's.
    """
    session, now = work.session, service.now()
    gathered = list(
        session.scalars(
            select(Letter)
            .where(Letter.player_id == player.id, Letter.status == "gathered")
            .order_by(Letter.id)
            .with_for_update(of=Letter)
        )
    )
    dedupe = f"digest.{player.id}.{today(now, player.zone).isoformat()}"
    if session.scalar(select(Letter.id).where(Letter.dedupe == dedupe)) is not None:
        hour = digest_hour(player, None) or 0
        for letter in gathered:
            letter.due_at = awake(player, next_time(player.zone, hour, now))
        return
    told = []
    for letter in gathered:
        wanted = is_asked(session, letter) and not _is_muted(session, letter)
        letter.status, letter.due_at = ("sent" if wanted else "dropped"), None
        letter.sent_at = now if wanted else None
        if wanted and letter.kind not in _SHOWN_AS_BOARDS:
            told.append(letter.id)
    boards = _boards(session, player)
    if boards or told:
        details = {"boards": boards, "letters": told}
        owe(service, work, "digest", player, dedupe=dedupe, details=details)


def _is_muted(session: Session, letter: Letter) -> bool:
    seat = session.scalar(
        select(SeatRow).where(
            SeatRow.match_id == letter.match_id, SeatRow.player_id == letter.player_id
        )
    )
    return is_unwanted(letter.kind, letter.player, seat)


def _boards(session: Session, player: Player) -> list[dict[str, Any]]:
    """Every decision that waits for the player at a table whose letters come in the digest, the
    most pressing first.
    """
    asked = session.execute(
        select(DecisionRow, SeatRow, Match.last_entry)
        .join(Match, Match.id == DecisionRow.match_id)
        .join(
            SeatRow,
            (SeatRow.match_id == DecisionRow.match_id) & (SeatRow.seat == DecisionRow.seat),
        )
        .where(
            SeatRow.player_id == player.id,
            SeatRow.stand_in.is_(None),
            SeatRow.muted_at.is_(None),
            Match.status == "playing",
            DecisionRow.blocking,
            DecisionRow.closed_entry.is_(None),
        )
        .order_by(DecisionRow.deadline.is_(None), DecisionRow.deadline, DecisionRow.opened_at)
    ).all()
    return [
        {
            "match": row.match_id,
            "seat": row.seat,
            "decision": row.decision,
            # As of the newest entry: a later one asks others only.
            "entry": last,
        }
        for row, seat, last in asked
        if digest_hour(player, seat) is not None
    ][:MOST_BOARDS]
