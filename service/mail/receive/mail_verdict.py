"""The verdict on a mail, for the operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from service.core import verdicts
from service.core.results import (
    GameCancelled,
    GameOver,
    NoSuchChoice,
    NotBegun,
    NothingFound,
    NotYourTurn,
    NumberAsked,
    OrderFiled,
    OrderInMessage,
    Result,
    RulesShown,
    SeatBack,
    SeatLost,
    SetBack,
    SeveralTurns,
    TurnGivenUp,
    TurnHeld,
    TurnPlayed,
    TurnStale,
    TurnWithdrawn,
    TurnWrong,
    Unsure,
    WordMeant,
    WordMisused,
)
from service.core.statuses import MailVerdict

QUESTIONS = (
    SeveralTurns,
    OrderInMessage,
    NumberAsked,
    Unsure,
    WordMeant,
)
"""Results that ask something back."""

_VERDICTS: Final[Mapping[type[Result], MailVerdict]] = {
    TurnStale: MailVerdict.STALE,
    TurnWithdrawn: MailVerdict.WITHDRAWN,
    TurnGivenUp: MailVerdict.DEAD_LETTER,
    NotYourTurn: MailVerdict.WAITING,
    GameOver: MailVerdict.OVER,
    GameCancelled: MailVerdict.CANCELLED,
    NotBegun: MailVerdict.NOT_BEGUN,
    SeatLost: MailVerdict.LEFT,
    SeatBack: MailVerdict.SEAT_BACK,
    SetBack: MailVerdict.SET_BACK,
    OrderInMessage: MailVerdict.ORDER_IN_MESSAGE,
    RulesShown: MailVerdict.NOTHING_SAID,
}


def verdict_of(results: Sequence[Result]) -> MailVerdict:
    """The verdict on a mail, for the operator."""
    if any(isinstance(r, TurnWrong) and isinstance(r.verdict, verdicts.Ambiguous) for r in results):
        return MailVerdict.QUESTION
    if any(isinstance(each, TurnPlayed) for each in results):
        return MailVerdict.PLAYED
    if any(isinstance(each, OrderFiled) for each in results):
        return MailVerdict.FILED
    if any(isinstance(each, TurnHeld) for each in results):
        return MailVerdict.HELD
    if any(isinstance(each, (TurnWrong, NoSuchChoice)) for each in results):
        return MailVerdict.MEND
    if any(isinstance(each, QUESTIONS) for each in results):
        return MailVerdict.QUESTION
    if any(each.word is not None for each in results):
        return MailVerdict.WORD
    if not results or any(isinstance(each, (NothingFound, WordMisused)) for each in results):
        return MailVerdict.NOTHING_SAID
    return _VERDICTS.get(type(results[0]), MailVerdict.WORD)
