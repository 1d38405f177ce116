"""The tables of mail: letters that are owed, and mails that came in."""

from __future__ import annotations

import datetime as dt
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship, synonym

from service.core.letter_details import Details, MailDetails, Notes, as_stored, details_of, notes_of
from service.core.models.base import (
    Base,
    Choice,
    Id,
    Retriable,
    StructJson,
    index_of,
    partial_index,
)
from service.core.models.matches import Match
from service.core.models.players import Player
from service.core.statuses import (
    LetterKind,
    LetterStatus,
    MailStatus,
    MailVerdict,
)

D = TypeVar("D", bound=Details)


class Letter(Retriable, Base):
    """The outbox: a letter that is owed. It is rendered from the journal when it is sent."""

    __tablename__ = "letter"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # (match, seat, entry, kind) in words: makes the letter, and its Message-ID, unique
    dedupe: Mapped[str] = mapped_column(String(128), unique=True)
    kind: Mapped[LetterKind] = mapped_column(Choice(LetterKind, 24))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"))
    seat: Mapped[int | None]
    entry: Mapped[int | None]
    decision: Mapped[str | None] = mapped_column(String(32))
    # Anything the letter says that is in no other row (`details`), and what is noted with it
    # (`notes`)
    stored_details: Mapped[dict[str, Any]] = mapped_column("details")
    # The epoch that its Message-ID and links are of, and the fingerprint of the secret key they are
    # derived with; NULL: those of when it is next taken up
    epoch: Mapped[int | None]
    secret: Mapped[str | None] = mapped_column(String(16))
    status: Mapped[LetterStatus] = mapped_column(Choice(LetterStatus))
    # How often in a row an error of ours, or the death of its sender, has ended a try
    faults: Mapped[int] = mapped_column(default=0)
    failures: Mapped[int] = synonym("faults")
    # Who is sending it: each sender that takes it up has the next number
    claim: Mapped[int] = mapped_column(default=0)
    # Why it has not been taken, as a `service.mail.send.smtp.SmtpFailure` and in words; NULL once
    # it is
    failure: Mapped[str | None] = mapped_column(String(12))
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    # Not to be sent before then (while it is sent: when the claim ends); NULL once nothing is to be
    # done any more
    due_at: Mapped[dt.datetime | None]
    # When it was due when it was first taken up; what it says is seen from `written_at`
    ready_at: Mapped[dt.datetime | None]
    written_at: Mapped[dt.datetime | None]
    # Its bytes (zlib), from when it is taken up until it is known whether the server has taken it:
    # while they are here, it may have
    message: Mapped[bytes | None]
    # The SHA-256 of what was taken
    fingerprint: Mapped[bytes | None]
    # When the mail server took it, or a digest was put together that tells of it: that digest's id
    sent_at: Mapped[dt.datetime | None]
    told_in: Mapped[int | None] = mapped_column(Id)

    player: Mapped[Player] = relationship(lazy="joined")
    match: Mapped[Match | None] = relationship(viewonly=True)

    @property
    def details(self) -> Details:
        """The details that are in no other row: of the struct of its kind, or `Forgotten`."""
        return details_of(self.kind, self.stored_details)

    @details.setter
    def details(self, new: Details) -> None:
        self.stored_details = as_stored(self.kind, new, self.notes)

    def details_as(self, wanted: type[D]) -> D:
        """Its details, which are of this struct. Raises TypeError if they are not."""
        found = self.details
        if not isinstance(found, wanted):
            raise TypeError(f"letter {self.dedupe} has {type(found).__name__}")
        return found

    @property
    def notes(self) -> Notes:
        """The notes made on its way."""
        return notes_of(self.stored_details or {})

    @notes.setter
    def notes(self, new: Notes) -> None:
        self.stored_details = as_stored(self.kind, self.details, new)

    @property
    def date(self) -> dt.datetime:
        """The time it says it was written."""
        return self.written_at or self.created_at

    __table_args__ = (
        # What a turn looks up, however many letters its match or its player ever had
        Index(None, "match_id", "decision", "player_id"),
        Index(None, "player_id", "match_id"),
        index_of("ix_letter_answers", "player_id", "kind = 'answer'", "created_at"),
        partial_index("ix_letter_due", "due_at"),
        index_of("ix_letter_dead_letter", "id", "status = 'dead_letter'"),
        index_of("ix_letter_retried", "created_at", "attempts > 1 AND due_at IS NOT NULL"),
    )


class InboundMail(Retriable, Base):
    """A mail that came in, stored whole before it is acknowledged or looked at."""

    __tablename__ = "inbound"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # Message-ID and recipient, hashed: the same mail is handled once, whatever way it comes
    dedupe: Mapped[str] = mapped_column(String(64), unique=True)
    # lmtp | webhook | imap | mailbox | cli
    source: Mapped[str] = mapped_column(String(24))
    # RFC 5321: the reverse path ("" for reports), and the address it was delivered to
    envelope_from: Mapped[str | None] = mapped_column(String(320))
    recipient: Mapped[str | None] = mapped_column(String(320))
    raw: Mapped[bytes]
    status: Mapped[MailStatus] = mapped_column(Choice(MailStatus))
    # What became of it
    verdict: Mapped[MailVerdict | None] = mapped_column(Choice(MailVerdict, 32))
    details: Mapped[MailDetails] = mapped_column(StructJson(MailDetails), default=MailDetails)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"), index=True)
    failures: Mapped[int] = synonym("attempts")
    received_at: Mapped[dt.datetime]
    pending_since: Mapped[dt.datetime | None]
    due_at: Mapped[dt.datetime | None] = synonym("pending_since")
    done_at: Mapped[dt.datetime | None]
    # When what it said was thrown away, or was to be: `raw` is empty once it is handled
    purged_at: Mapped[dt.datetime | None]

    __table_args__ = (
        partial_index("ix_inbound_pending", "pending_since"),
        partial_index("ix_inbound_kept", "done_at", "purged_at IS NULL"),
        index_of("ix_inbound_dead_letter", "id", "status = 'dead_letter'"),
    )


class MailPlace(Base):
    """The place up to which a mailbox has been looked through for our mail."""

    __tablename__ = "mailplace"

    # Whose mailbox on which server, and the folder
    mailbox: Mapped[str] = mapped_column(String(400), primary_key=True)
    # RFC 3501 §2.3.1.1: numbers are the same messages as long as this is the same
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)
