"""The tables. The database is the only truth; the queue only carries the ids of these rows.

Times are UTC. JSON of the engine (options, actions, draws, events, states) is kept as the bytes
that msgspec wrote, so that nothing between the engine and the disk interprets it.
"""

from __future__ import annotations

from service.core.models.base import Base, CauseText, Choice, Retriable, StructJson, UtcTime
from service.core.models.keys import Epoch, Key, SecretKey
from service.core.models.mail import InboundMail, Letter, MailPlace
from service.core.models.matches import (
    EVERY_DAY,
    DecisionRow,
    EntryRow,
    Match,
    Pause,
    SeatRow,
    Submission,
    TableMessage,
)
from service.core.models.operation import (
    Breaker,
    CensusRow,
    Outage,
    Probe,
    Pulse,
    RetentionMark,
    Tally,
)
from service.core.models.players import REMINDERS, Absence, Alias, Player

__all__ = [
    "EVERY_DAY",
    "REMINDERS",
    "Absence",
    "Alias",
    "Base",
    "Breaker",
    "CauseText",
    "CensusRow",
    "Choice",
    "DecisionRow",
    "EntryRow",
    "Epoch",
    "InboundMail",
    "Key",
    "Letter",
    "MailPlace",
    "Match",
    "Outage",
    "Pause",
    "Player",
    "Probe",
    "Pulse",
    "RetentionMark",
    "Retriable",
    "SeatRow",
    "SecretKey",
    "StructJson",
    "Submission",
    "TableMessage",
    "Tally",
    "UtcTime",
]
