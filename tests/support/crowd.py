"""Many open matches like one: its rows again and again, with people of their own."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.models import Base, Match

APART = 10_000_000
"""Between the numbers of the copies' players, by seat."""

_COPIES = """
    WITH RECURSIVE copy(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copy WHERE k < :many)
    INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, copy WHERE {which}
"""


def crowd(service: Service, match_id: int, many: int) -> None:
    """Copy a match so often, with its players, seats, journal, decisions and letters. Planners know
    of it.
    """
    with service.database.write() as work:
        session = work.session
        match = session.get_one(Match, match_id)
        players = [seat.player_id for seat in match.seats]
        copied: dict[str, tuple[str, Mapping[str, str]]] = {
            "match": (
                "match.id = :one",
                {"id": f"{APART} + k", "code": "'m' || k", "host_id": f"{APART} + k"},
            ),
            "seat": (
                "seat.match_id = :one",
                {
                    "id": f"{APART} * (seat.seat + 1) + k",
                    "match_id": f"{APART} + k",
                    "player_id": f"{APART} * (seat.seat + 1) + k",
                },
            ),
            "entry": ("entry.match_id = :one", {"match_id": f"{APART} + k"}),
            "decision": ("decision.match_id = :one", {"match_id": f"{APART} + k"}),
            "letter": (
                "letter.match_id = :one",
                {
                    "id": f"{APART} * letter.id + k",
                    "dedupe": "letter.dedupe || '.' || k",
                    "match_id": f"{APART} + k",
                    "player_id": f"{APART} * (coalesce(letter.seat, 0) + 1) + k",
                },
            ),
        }
        for seat, player in enumerate(players):
            changes = {
                "id": f"{APART * (seat + 1)} + k",
                "email": f"'p{seat}.' || k || '@example.org'",
            }
            _copy(session, "player", f"player.id = {player}", changes, match_id, many)
        for table, (which, others) in copied.items():
            _copy(session, table, which, others, match_id, many)
        session.execute(text("ANALYZE"))


def _copy(
    session: Session, table: str, which: str, changes: Mapping[str, str], one: int, many: int
) -> None:
    columns = [column.name for column in Base.metadata.tables[table].columns]
    sql = _COPIES.format(
        table=table,
        columns=", ".join(f'"{name}"' for name in columns),
        values=", ".join(changes.get(name, f'{table}."{name}"') for name in columns),
        which=which,
    )
    session.execute(text(sql), {"many": many} | ({"one": one} if ":one" in which else {}))
