"""Owing the answer to a mail: one letter, whatever it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service import reading
from service.context import Service
from service.db import Work
from service.models import InboundMail, Match, Player, SeatRow
from service.usecases.outbox import owe


def answer(
    service: Service,
    work: Work,
    mail: InboundMail,
    player: Player,
    results: Sequence[dict[str, Any]],
    *,
    match: Match | None = None,
    row: SeatRow | None = None,
) -> None:
    """Owe the answer to this mail: what became of each thing in it, seen from the reader's seat as
    the match stands now.
    """
    work.session.flush()
    known = ("message_id", "references", "subject")
    thread = {name: mail.details[name] for name in known if mail.details.get(name)}
    _owe(service, work, player, dedupe_of(str(mail.id)), results, match, row, thread)


def warn(
    service: Service,
    work: Work,
    player: Player,
    result: dict[str, Any],
    dedupe: str,
    row: SeatRow | None,
) -> None:
    """Tell a player of a mail that was not theirs, unless that is told under `dedupe` already."""
    match = row.match if row is not None else None
    _owe(service, work, player, dedupe_of(dedupe), [result], match, row, {})


def report(
    service: Service, work: Work, row: SeatRow, results: Sequence[dict[str, Any]], dedupe: str
) -> None:
    """Tell who sits there what became of something that no mail of this moment asked for, unless
    that is told under `dedupe` already.
    """
    if row.player is not None:
        _owe(service, work, row.player, dedupe_of(dedupe), results, row.match, row, {})


def dedupe_of(name: str) -> str:
    """How the letter is called that answers this: the number of a mail, or what `warn` and `report`
    were given.
    """
    return f"answer.{name}"


def _owe(
    service: Service,
    work: Work,
    player: Player,
    dedupe: str,
    results: Sequence[dict[str, Any]],
    match: Match | None,
    row: SeatRow | None,
    thread: dict[str, Any],
) -> None:
    seated = match is not None and row is not None and row.seat is not None
    begun = match is not None and match.started_at is not None
    asked = None
    if match is not None and row is not None and row.seat is not None and match.status == "playing":
        mine = reading.open_decisions(work.session, match, row.seat)
        asked = mine[0].decision if mine and mine[0].blocking else None
    ended = match is not None and match.status == "ended"
    here = begun and seated and row is not None and row.left_at is None
    owe(
        service,
        work,
        "answer",
        player,
        dedupe=dedupe,
        match=match,
        seat=row.seat if row is not None else None,
        entry=match.last_entry if match is not None and here else None,
        decision=asked if here else None,
        details={"results": list(results), **({"ended": True} if ended else {}), **thread},
    )
