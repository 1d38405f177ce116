"""What comes to people's inboxes from a running product, and how they answer it."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Mapping
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path

from service.dev.mailbox.letter import Letter
from tests.support.stack import Stack

SAMPLE = re.compile(r"^((?:~ (?!~).+\n)+)", re.MULTILINE)


class ByLmtp:
    """Letters are read in the mail sink, answers given to the LMTP server by the MTA."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.stack = Stack(folder, settings)

    def letters(self, address: str) -> list[Letter]:
        """All letters to somebody, oldest first."""
        return self.stack.letters(address)

    def send(self, author: str, to: str, mail: bytes) -> None:
        """Somebody's mail goes off."""
        deliver(self.stack, author, to, mail)

    def stop(self) -> None:
        """End it."""
        self.stack.stop()


def deliver(stack: Stack, author: str, to: str, mail: bytes) -> None:
    """Give somebody's mail to the product's LMTP server, as the MTA does."""
    host, _, port = str(stack.settings().lmtp_listen).rpartition(":")
    with smtplib.LMTP(host, int(port)) as client:
        client.sendmail(author, [to], mail)


def header(letter: Letter, name: str) -> str:
    """What stands in a header."""
    return dict(letter.headers).get(name, "")


def kind(letter: Letter) -> str:
    """What kind of letter it is: the first word of its Message-ID."""
    return header(letter, "Message-ID").strip("<>").partition(".")[0]


def answered(letter: Letter, author: str, text: str) -> tuple[str, bytes]:
    """Where an answer goes, and the answer with the letter quoted below it."""
    to = re.search(r"[^\s<>]+@[^\s<>]+", header(letter, "Reply-To"))
    assert to is not None
    message = EmailMessage(policy=SMTP)
    message["From"] = author
    message["To"] = to[0]
    message["Subject"] = f"Re: {letter.subject}"
    message["Message-ID"] = make_msgid(domain="example.org")
    message["In-Reply-To"] = header(letter, "Message-ID")
    quoted = "\n".join(f"> {line}".rstrip() for line in (letter.text or "").splitlines())
    above = "Le sam. 21 nov. 2026 à 14:00, Paleopost <play@example.org> a écrit :"
    message.set_content(f"{text}\n\n{above}\n{quoted}\n", cte="quoted-printable")
    return to[0], message.as_bytes()


def sample(letter: Letter) -> str:
    """The order of the first choice, as the letter says it."""
    found = SAMPLE.search((letter.text or "").replace("\r\n", "\n"))
    assert found is not None, letter.text
    return " ".join(line.removeprefix("~").strip() for line in found[1].splitlines())
