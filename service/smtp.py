"""Handing letters to the MTA: one connection for many letters, opened again when it has gone."""

from __future__ import annotations

import smtplib
import socket
from enum import StrEnum
from typing import Protocol
from urllib.parse import unquote, urlsplit

from service.trust import refusals_explained, trusted


class FailureKind(StrEnum):
    """At what a letter's way to the MTA ended. AFTER_DATA: it may have been taken."""

    CONNECT = "connect"
    LOGIN = "login"
    SENDER = "sender"
    RECIPIENT = "recipient"
    CONTENT = "content"
    TIMEOUT = "timeout"
    AFTER_DATA = "after_data"
    OURS = "ours"


class Refusal(Exception):
    """The MTA refuses this letter for good (a 5xx reply to its recipient or its text): trying again
    would not help. `recipient`: it was the recipient.
    """

    def __init__(self, reason: str, *, recipient: bool = False) -> None:
        super().__init__(reason)
        self.recipient = recipient


def kind_of(error: BaseException) -> FailureKind:
    """The kind of a failure that `Transport.send` has raised, or that came before it."""
    if isinstance(error, Refusal) and error.__cause__ is not None:
        return kind_of(error.__cause__)
    # smtplib calls it a disconnection when it has waited in vain for a reply.
    waited = isinstance(error, smtplib.SMTPServerDisconnected) and error.__context__
    for kind, errors in _KINDS:
        if isinstance(waited or error, errors):
            return kind
    return FailureKind.OURS


# The first that fits: smtplib's errors are OSErrors, and a time-out is one, too.
_KINDS: tuple[tuple[FailureKind, tuple[type[BaseException], ...]], ...] = (
    (FailureKind.TIMEOUT, (TimeoutError,)),
    (FailureKind.LOGIN, (smtplib.SMTPAuthenticationError, smtplib.SMTPNotSupportedError)),
    (FailureKind.SENDER, (smtplib.SMTPSenderRefused, smtplib.SMTPHeloError)),
    (FailureKind.RECIPIENT, (smtplib.SMTPRecipientsRefused,)),
    (FailureKind.CONTENT, (smtplib.SMTPDataError,)),
    (FailureKind.CONNECT, (OSError,)),
)


class Transport(Protocol):
    """Takes a finished message to where it is sent from. Raises Refusal, or OSError to try again
    later.
    """

    def send(self, sender: str, to: str, message: bytes) -> None: ...


class SmtpTransport:
    """SMTP by URL: smtp://host:port, smtps://user:password@host (TLS), smtp+starttls://...

    `ca` are certificates to believe besides the system's (PEM).
    """

    def __init__(self, url: str, timeout: float = 30, ca: str | None = None) -> None:
        self._url = urlsplit(url)
        self._ca = ca
        self._timeout = timeout
        self._client: smtplib.SMTP | None = None

    def send(self, sender: str, to: str, message: bytes) -> None:
        """Hand over one message. Raises Refusal or OSError (smtplib's errors are OSErrors).

        A refused greeting, sender, login or STARTTLS is no Refusal, whatever its code: it is about
        our settings and not about this letter, which can go once they are right.
        """
        reused = self._client is not None
        try:
            self._transfer(sender, to, message)
        except (smtplib.SMTPServerDisconnected, ConnectionError):
            self.close()
            if not reused:
                raise
            # An idle connection that the server closed: not a failure of this letter.
            self._transfer(sender, to, message)

    def _transfer(self, sender: str, to: str, message: bytes) -> None:
        if self._client is None:
            self._client = self._connect()
        try:
            self._client.sendmail(sender, [to], message)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
            code, text = _reply(error)
            self.close()
            about_us = isinstance(error, (smtplib.SMTPSenderRefused, smtplib.SMTPHeloError))
            if 500 <= code < 600 and not about_us:
                whom = isinstance(error, smtplib.SMTPRecipientsRefused)
                raise Refusal(f"{code} {text}", recipient=whom) from error
            raise

    def _connect(self) -> smtplib.SMTP:
        with refusals_explained(self._url.hostname or "localhost", "SMTP_URL"):
            return self._greeted()

    def _greeted(self) -> smtplib.SMTP:
        host = self._url.hostname or "localhost"
        secure = self._url.scheme == "smtps"
        port = self._url.port or (465 if secure else 25)
        context = trusted(self._ca)
        client = (
            smtplib.SMTP_SSL(host, port, timeout=self._timeout, context=context)
            if secure
            else smtplib.SMTP(host, port, timeout=self._timeout)
        )
        try:
            if client.sock is not None:
                # A letter ends with a small packet: without this it waits for the other side's ACK.
                client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._url.scheme == "smtp+starttls":
                client.starttls(context=context)
            if self._url.username:
                client.login(unquote(self._url.username), unquote(self._url.password or ""))
        except BaseException:
            client.close()
            raise
        return client

    def greet(self) -> None:
        """Connect, log in and send nothing. Raises OSError when no letter could be handed over."""
        if self._client is None:
            self._client = self._connect()
        self._client.noop()

    def close(self) -> None:
        """Say goodbye if anybody is still listening."""
        client, self._client = self._client, None
        if client is not None:
            try:
                client.quit()
            except (OSError, smtplib.SMTPException):
                client.close()


def _reply(error: Exception) -> tuple[int, str]:
    """Code and text of the server's reply. A refused recipient's counts for the one recipient there
    is.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, raw = next(iter(error.recipients.values()))
        return code, raw.decode("utf-8", "replace")
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return error.smtp_code, said if isinstance(said, str) else said.decode("utf-8", "replace")
    raise error
