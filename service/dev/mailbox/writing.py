"""Mail from the built-in mailbox, made as a mail program makes it and handed to the LMTP server.

It goes the way of all mail: nothing here knows what an answer means.
"""

from __future__ import annotations

import datetime as dt
import smtplib
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

import msgspec

from service.core import randomness
from service.dev.mailbox.letter import Letter

LONGEST_TEXT = 20_000
LONGEST_SUBJECT = 200


class NotTaken(Exception):
    """The server took it not: `reply` is what it said, "" if it said nothing."""

    def __init__(self, reply: str = "") -> None:
        super().__init__(reply)
        self.reply = reply


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an answer to a letter besides its text."""

    to: str
    subject: str
    message_id: str
    references: str
    quoted: str


def answer_to(letter: Letter) -> Answer | None:
    """The answer to this letter, to be written; None if it asks for none (it has no Reply-To)."""
    headers = {name.lower(): value for name, value in letter.headers}
    to = parseaddr(headers.get("reply-to", ""))[1]
    if not to:
        return None
    message_id = _words(headers.get("message-id", ""))
    again = letter.subject.lower().startswith("re:")
    return Answer(
        to=to,
        subject=letter.subject if again else f"Re: {letter.subject}",
        message_id=message_id,
        references=_words(f"{headers.get('references', '')} {message_id}"),
        quoted=letter.text or "",
    )


def compose(
    author: str,
    to: str,
    subject: str,
    text: str,
    now: dt.datetime,
    answer: Answer | None = None,
    attribution: str = "",
) -> EmailMessage:
    """A mail; the letter it answers is quoted below, after a line that says whose words follow."""
    message = EmailMessage(policy=SMTP)
    message["From"] = author
    message["To"] = to
    message["Subject"] = _words(subject)[:LONGEST_SUBJECT]
    message["Date"] = format_datetime(now)
    message["Message-ID"] = (
        f"<{randomness.token_hex(16)}@{author.rpartition('@')[2] or 'localhost'}>"
    )
    body = text.replace("\r\n", "\n").strip() + "\n"
    if answer is not None:
        if answer.message_id:
            message["In-Reply-To"] = answer.message_id
            message["References"] = answer.references
        if answer.quoted:
            lines = (f"> {line}".rstrip() for line in answer.quoted.splitlines())
            body += "\n" + "\n".join((attribution, *lines)) + "\n"
    message.set_content(body, cte="quoted-printable")
    return message


def deliver(place: str, author: str, to: str, message: EmailMessage) -> None:
    """Hand a mail to the LMTP server at `place` (LMTP_LISTEN). Raises NotTaken."""
    host, _, port = place.rpartition(":")
    unix = place.startswith("unix:")
    try:
        with smtplib.LMTP(
            place.removeprefix("unix:") if unix else host.strip("[]"), 0 if unix else int(port)
        ) as client:
            client.sendmail(author, [to], message.as_bytes())
    except smtplib.SMTPRecipientsRefused as error:
        raise NotTaken(_said(*next(iter(error.recipients.values())))) from error
    except smtplib.SMTPResponseException as error:
        raise NotTaken(_said(error.smtp_code, error.smtp_error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken from error


def _said(code: int, text: bytes | str) -> str:
    return f"{code} {text if isinstance(text, str) else text.decode('utf-8', 'replace')}"


def _words(text: str) -> str:
    return " ".join(text.split())
