"""The turns a letter offered, by their numbers, for who answers with a number."""

from __future__ import annotations

from sqlalchemy.orm import Session

from service.context import Service
from service.letters.choices import choices
from service.letters.desk import Desk
from service.letters.table import Table
from service.models import DecisionRow, Letter, Match


def offered(service: Service, session: Session, match: Match, asked: DecisionRow) -> list[str]:
    """The texts of the choices in the letter that asked for this decision, first to last.

    Nothing if the position is another by now and would be offered others: a number must mean what
    its writer saw.
    """
    then = _at(service, session, match, asked, asked.opened_entry)
    if match.last_entry == asked.opened_entry:
        return then
    return then if then == _at(service, session, match, asked, match.last_entry) else []


def _at(
    service: Service, session: Session, match: Match, asked: DecisionRow, entry: int
) -> list[str]:
    player = match.seats[asked.seat].player
    if player is None:
        return []
    letter = Letter(
        dedupe="",
        kind="turn",
        player=player,
        player_id=player.id,
        match_id=match.id,
        seat=asked.seat,
        entry=entry,
        decision=asked.decision,
        details={},
        created_at=asked.opened_at,
    )
    with session.no_autoflush:
        table = Table.at(Desk(service, session, letter, player.lang))
        return [choice.notation for choice in choices(table, asked.decision)]
