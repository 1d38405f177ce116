"""The terms of a table about time: how fast, on which days, and what happens when time is up."""

from __future__ import annotations

import msgspec

from service.core.errors import Refused
from service.core.models import EVERY_DAY, Match
from service.core.statuses import TimeoutPolicy

PACES = range(1, 31)
BANKS = range(24, 90 * 24 + 1)
INCREMENTS = range(14 * 24 + 1)
HOLDS = range(121)


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a table, as in `Match`.

    With a bank (hours for the whole match, and hours added after each turn), `pace_days` are the
    days each turn has before the bank is touched; they may then be 0.
    """

    pace_days: int = 3
    bank_hours: int | None = None
    increment_hours: int | None = None
    playing_days: int = EVERY_DAY
    timeout: TimeoutPolicy = TimeoutPolicy.WAIT
    hold_minutes: int = 0

    def check(self) -> None:
        """Raises Refused: "bad_pace", "bad_bank", "bad_increment", "no_playing_day",
        "bad_hold".
        """
        if self.pace_days not in PACES and not (self.bank_hours is not None and not self.pace_days):
            raise Refused("bad_pace", least=PACES.start, most=PACES.stop - 1)
        if self.bank_hours is not None and self.bank_hours not in BANKS:
            raise Refused("bad_bank", least=BANKS.start // 24, most=BANKS.stop // 24)
        bonus = self.increment_hours
        if bonus is not None and (self.bank_hours is None or bonus not in INCREMENTS):
            raise Refused("bad_increment", most=INCREMENTS.stop - 1)
        if not 0 < self.playing_days <= EVERY_DAY:
            raise Refused("no_playing_day")
        if self.hold_minutes not in HOLDS:
            raise Refused("bad_hold", most=HOLDS.stop - 1)


def timeout_policy(text: str) -> TimeoutPolicy:
    """The policy for when time is up, as somebody wrote it. Raises Refused: "bad_timeout"."""
    try:
        return TimeoutPolicy(text)
    except ValueError:
        raise Refused("bad_timeout") from None


def terms_of(match: Match) -> Terms:
    """The terms this match is played by."""
    return Terms(
        pace_days=match.pace_days,
        bank_hours=match.bank_hours,
        increment_hours=match.increment_hours,
        playing_days=match.playing_days,
        timeout=match.timeout,
        hold_minutes=match.hold_minutes,
    )
