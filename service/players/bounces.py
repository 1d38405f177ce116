"""Letters that come back: counted until an address is given up, and taken up again.

A failure fades: it counts half after a week. Nobody is given up for one refused letter, as servers
have bad days; nor is a table left waiting for an address that is dead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import structlog
from msgspec.structs import replace
from sqlalchemy import select

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import Reachable, Unreachable
from service.core.models import Letter, Match, Player, SeatRow
from service.core.statuses import LetterKind, MatchStatus, StopReason
from service.mail.parse.reports import Failure
from service.outgoing import copies, news
from service.outgoing.outbox import owe_again
from service.time import deadlines

log = structlog.get_logger(__name__)

HARD, SOFT = 1.0, 0.25
HALF_LIFE = 7 * 86400.0  # seconds
ENOUGH = 2.0
# A second hard failure is enough while this much of others is left: about a week of one.
STILL = 0.5

# RFC 3463 §3.2 and §3.3: no such mailbox, domain or address, moved, disabled. About ourselves as
# sender are 5.1.7 and 5.1.8.
_DEAD = re.compile(r"\b5\.(?:1\.(?:[0-36]|10)|2\.1)\b")
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")


def count(service: Service, work: Work, letter: Letter, failures: Iterable[Failure]) -> None:
    """Count what was told of a letter that did not arrive. The same letter counts once.

    Enough of it stops the mail of its reader, tells their tables and holds their clocks.
    """
    found = list(failures)
    if not found or letter.kind == LetterKind.ALIAS:
        return
    locks.lock_all(service, work, letter.player)
    work.session.refresh(letter, with_for_update={"of": Letter})
    if letter.notes.failed:
        return
    player, now = letter.player, service.now()
    letter.notes = replace(letter.notes, failed=True)
    before = faded(player, now.timestamp())
    hard = any(failure.hard for failure in found)
    player.bounce_score, player.bounced_at = before + (HARD if hard else SOFT), now
    log.info("letter_failed", letter=letter.id, hard=hard, score=round(player.bounce_score, 2))
    if player.bounce_score >= ENOUGH or (hard and before >= STILL):
        stop(service, work, player, StopReason.BOUNCES)


def faded(player: Player, at: float) -> float:
    """The score that is left of the player's failures at this time (seconds since 1970)."""
    if player.bounced_at is None:
        return 0.0
    age = max(0.0, at - player.bounced_at.timestamp())
    return float(player.bounce_score * 0.5 ** (age / HALF_LIFE))


def refused(reason: str) -> Failure:
    """A recipient's refusal during SMTP, as a failure. Only what says that there is no such mailbox
    is hard: servers refuse with bare codes for reasons of their own, too.
    """
    status = _STATUS.search(reason)
    return Failure(
        recipient=None,
        status=status.group() if status else None,
        hard=_DEAD.search(reason) is not None,
        diagnostic=reason[:200],
    )


def stop(service: Service, work: Work, player: Player, why: StopReason) -> None:
    """Send nothing more to this player but what they ask for.

    Their tables are told, and their clocks stand.
    """
    locks.lock_all(service, work, player)
    if player.stopped_at is not None:
        return
    player.stopped_at, player.stopped_why = service.now(), why
    work.session.flush()
    log.warning("mail_stopped", player=player.id, why=why)
    _tell_tables(service, work, player, Unreachable)
    deadlines.refresh_player(service, work, player)


def revive(service: Service, work: Work, player: Player) -> bool:
    """Mail reaches this player again: they have signed in or written. True if it was stopped.

    What an operator has stopped stays so. What still asks something is sent now,
    once more if it came back.
    """
    if player.stopped_at is not None:
        locks.lock_all(service, work, player)
    if player.stopped_at is None or player.stopped_why is StopReason.OPERATOR:
        player.bounce_score, player.bounced_at = 0.0, None
        return False
    return _start_again(service, work, player)


def _start_again(service: Service, work: Work, player: Player) -> bool:
    player.bounce_score, player.bounced_at = 0.0, None
    player.stopped_at = player.stopped_why = None
    work.session.flush()
    _tell_tables(service, work, player, Reachable)
    deadlines.refresh_player(service, work, player)
    # First what came back: what was held back all the time is on its way after that.
    copies.of_what_came_back(service, work, player)
    owe_again(service, work, player)
    log.info("mail_starts_again", player=player.id)
    return True


def forbid(service: Service, work: Work, player: Player) -> None:
    """Send nothing at all to this player, not even what they ask for, until an operator allows it
    again.
    """
    stop(service, work, player, StopReason.OPERATOR)
    player.stopped_why = StopReason.OPERATOR


def allow(service: Service, work: Work, player: Player) -> bool:
    """Send letters to this player again, whatever stopped them. True if they were stopped."""
    locks.lock_all(service, work, player)
    return player.stopped_at is not None and _start_again(service, work, player)


def _tell_tables(
    service: Service, work: Work, player: Player, event: type[Unreachable | Reachable]
) -> None:
    """News to the others at every table that is being played. A table of bots needs none."""
    rows = work.session.scalars(
        select(SeatRow)
        .join(Match)
        .where(
            SeatRow.player_id == player.id,
            SeatRow.seat.is_not(None),
            SeatRow.left_at.is_(None),
            Match.status == MatchStatus.PLAYING,
        )
        .order_by(SeatRow.match_id)
    )
    for own in rows:
        match = own.match
        if own.is_out:
            continue  # nobody waits for them
        for other in news.in_play(match):
            if other.id != own.id:
                key = f"{own.seat}.{int(service.now().timestamp())}"
                news.tell(service, work, match, event(about=own.seat), key, to=[other])
