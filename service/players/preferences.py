"""Preferences of players: what they choose for all letters, and for those of one match."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import structlog
from msgspec import UNSET, UnsetType
from sqlalchemy import select

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.locks import LockedMatch
from service.core.models import Letter, Match, Player, SeatRow
from service.core.statuses import LetterStatus, MuteReason
from service.outgoing.outbox import owe_again
from service.players import accounts
from service.time import deadlines, parse
from service.time.reminders import before

log = structlog.get_logger(__name__)

MINUTES = 24 * 60
THREADS = ("match", "turn")
MOST_REMINDERS = 6
LONGEST_QUIET = 20 * 60

_TIME = re.compile(r"(\d{1,2})(?:\s*[:hH.]\s*(\d{2})?)?")


def minutes(text: str) -> int:
    """A time of the day as people write it ("7:30", "7h30", "22h", "8"), as minutes since midnight.

    Raises Refused("bad_time").
    """
    found = _TIME.fullmatch(text.strip())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (24, 0)
    if hour > 23 or minute > 59:
        raise Refused("bad_time", time=text.strip()[:20])
    return hour * 60 + minute


def day(text: str) -> dt.date:
    """A date as forms send it (ISO 8601). Raises Refused("bad_dates")."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise Refused("bad_dates") from error


def clock_time(at: int | None) -> str:
    """Minutes since midnight as "07:30"; "" for None."""
    return "" if at is None else f"{at // 60:02d}:{at % 60:02d}"


def change(
    service: Service,
    work: Work,
    player: Player,
    *,
    name: str | UnsetType = UNSET,
    lang: str | UnsetType = UNSET,
    zone: str | UnsetType = UNSET,
    quiet: tuple[int, int] | UnsetType | None = UNSET,
    reminders: list[str] | UnsetType = UNSET,
    digest: int | UnsetType | None = UNSET,
    thread: str | UnsetType = UNSET,
) -> None:
    """Change what is given, and with it the player's clocks and what waits to be sent.

    `quiet` and `digest` are in minutes of the local day (None: off); `reminders` are "half" or
    lengths before a deadline such as "24h", "90m", "2d". Nothing is changed if anything is refused.
    Raises Refused: as `players.change`; "bad_time", "bad_quiet", "bad_reminder", "bad_thread".
    """
    if quiet is not UNSET and quiet is not None:
        _check_minutes(*quiet)
        if not 0 < (quiet[1] - quiet[0]) % MINUTES <= LONGEST_QUIET:
            raise Refused("bad_quiet", most=LONGEST_QUIET // 60)
    if digest is not UNSET and digest is not None:
        _check_minutes(digest)
    if thread is not UNSET and thread not in THREADS:
        raise Refused("bad_thread", threads=list(THREADS))
    wanted = reminders if reminders is UNSET else _reminders(reminders)
    moves_clocks = not (quiet is UNSET and reminders is UNSET and zone is UNSET)
    if moves_clocks:
        # Before the player's row, which others want who have a match of theirs.
        locks.lock_all(service, work, player)
    accounts.change(player, _or_none(name), _or_none(lang), _or_none(zone))
    if quiet is not UNSET:
        player.quiet_from, player.quiet_to = quiet if quiet is not None else (None, None)
    if wanted is not UNSET:
        player.reminders = wanted
    if thread is not UNSET:
        player.thread_by = thread
    if digest is not UNSET:
        player.digest_at = digest
    work.session.flush()
    given: dict[str, object] = {
        "name": name,
        "lang": lang,
        "zone": zone,
        "quiet": quiet,
        "reminders": reminders,
    }
    given |= {"digest": digest, "thread": thread}
    changed = [what for what, value in given.items() if value is not UNSET]
    log.info("settings_changed", player=player.id, changed=changed)
    if digest is not UNSET or zone is not UNSET:
        release(service, work, player)
    if moves_clocks:
        deadlines.refresh_player(service, work, player)


def mute(service: Service, work: Work, match: Match, seat: int, on: bool) -> None:
    """Have no more letters of this match, or have them again; it goes on all the same.

    Again, what is still asked comes at once. Raises Refused: "no_player" for a bot's seat,
    "seat_left" if it is another's by now.
    """
    match = _lock_seat(service, work, match, seat)
    mute_row(service, work, match, match.seats[seat], on=on)


def mute_row(
    service: Service,
    work: Work,
    match: LockedMatch,
    row: SeatRow,
    *,
    on: bool,
    why: MuteReason | None = None,
) -> None:
    """The same for a player's place at a match, as a row; `why`, unless its player said so here."""
    log.info("letters_muted" if on else "letters_wanted", match=match.id, seat=row.seat)
    if on and row.muted_at is None:
        row.muted_at, row.muted_why = service.now(), why
    elif not on and row.muted_at is not None:
        row.muted_at = row.muted_why = None
        work.session.flush()
        if row.player is not None:
            owe_again(service, work, row.player, match)


def set_digest(service: Service, work: Work, match: Match, seat: int, on: bool | None) -> None:
    """Choose whether this match's letters come in the digest; None: as those of all matches.

    Raises Refused as `mute`.
    """
    match = _lock_seat(service, work, match, seat)
    row = match.seats[seat]
    row.digest = on
    log.info("digest_set", match=match.id, seat=seat, on=on)
    work.session.flush()
    assert row.player is not None
    release(service, work, row.player)


def be_invited(service: Service, player: Player, on: bool) -> None:
    """Have invitations, or none any more, whoever sends them."""
    player.suppressed_at = None if on else player.suppressed_at or service.now()
    log.info("invitations_set", player=player.id, on=on)


def release(service: Service, work: Work, player: Player) -> None:
    """Have delivery look anew at what was gathered for a digest that may not come so any more."""
    gathered = (
        select(Letter)
        .where(Letter.player_id == player.id, Letter.status == LetterStatus.GATHERED)
        .order_by(Letter.id)
        .with_for_update(of=Letter)
        .execution_options(populate_existing=True)
    )
    for letter in work.session.scalars(gathered):
        letter.status, letter.due_at = LetterStatus.DUE, service.now()
        work.enqueue_after_commit("mail.deliver", letter.id)


def _lock_seat(service: Service, work: Work, match: Match, seat: int) -> LockedMatch:
    if seat not in range(len(match.seats)) or match.seats[seat].player is None:
        raise Refused("no_player")
    return locks.lock_seat(service, work, match, seat)


def _check_minutes(*at: int) -> None:
    for minute in at:
        if not 0 <= minute < MINUTES:
            raise Refused("bad_time", time=str(minute))


def _reminders(wanted: list[str]) -> list[str]:
    said = [text.strip().lower() for text in wanted]
    # As in a mail: "mi-temps" and "2j" are what players write in French.
    found = [text if before(text) else _as_kept(text) for text in said]
    tidy = list(dict.fromkeys(found))
    for text in tidy:
        if text != "half" and before(text) is None:
            raise Refused("bad_reminder", reminder=text[:20], most=MOST_REMINDERS)
    if len(tidy) > MOST_REMINDERS:
        raise Refused("bad_reminder", reminder=tidy[MOST_REMINDERS][:20], most=MOST_REMINDERS)
    return tidy


def _or_none(value: Any) -> Any:
    return None if value is UNSET else value


def _as_kept(text: str) -> str:
    read = parse.reminders(text)
    return read[0] if read is not None and len(read) == 1 else text
