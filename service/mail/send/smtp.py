"""Handing letters to the MTA (RFC 5321): one connection for many letters, opened again when it has
gone.

What a failure means is decided here: whether it is about the letter or about us, and whether the
server may have taken the letter all the same.
"""

from __future__ import annotations

import re
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from select import select
from typing import Protocol
from urllib.parse import unquote, urlsplit

import msgspec

from service.core import system_clock
from service.core.tls import refusals_explained, trusted


class SmtpFailure(StrEnum):
    """The reason why a letter was not taken. Those of `OF_THE_SERVER` would have met any other
    letter, too.
    """

    CONNECT = "connect"  # nobody answers, TLS or the greeting fails, the connection is lost
    LOGIN = "login"
    SENDER = "sender"  # we may not send, or not from this address
    RECIPIENT = "recipient"
    CONTENT = "content"
    TIMEOUT = "timeout"  # no reply in time, before the text had ended
    AFTER_DATA = "after_data"  # the text had ended and no reply came: it may have been taken
    OURS = "ours"  # an error of ours: it never came to the server


OF_THE_SERVER = frozenset(
    {
        SmtpFailure.CONNECT,
        SmtpFailure.LOGIN,
        SmtpFailure.SENDER,
        SmtpFailure.TIMEOUT,
        SmtpFailure.AFTER_DATA,
    }
)


class NotTaken(OSError):
    """The server has not said that it takes the letter: it is to be tried again later."""

    def __init__(self, failure: SmtpFailure, reason: str) -> None:
        super().__init__(reason)
        self.failure = failure


class Refusal(Exception):
    """The MTA refuses this letter for good (a 5xx reply to its recipient or its text): trying again
    would not help. `recipient`: it was the recipient.
    """

    def __init__(self, reason: str, *, recipient: bool = False) -> None:
        super().__init__(reason)
        self.recipient = recipient

    @property
    def failure(self) -> SmtpFailure:
        """The failure: of the recipient, or of the text."""
        return SmtpFailure.RECIPIENT if self.recipient else SmtpFailure.CONTENT


class Transport(Protocol):
    """Takes a finished message to where it is sent from. Raises Refusal, or OSError to try again
    later.

    `before_end` is called when only the end of the text is left to be told: whatever fails before
    it, the letter was not taken. It is called again if the reply is not prompt. What it raises ends
    the sending.
    """

    def send(
        self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
    ) -> None: ...


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds. RFC 5321 §4.5.3.2 has longer ones, for servers far away: ours is near, but for the
    reply to a text (10 minutes there), as a 250 that nobody waits for means a letter sent twice.
    """

    connect: float = 10
    command: float = 30
    # From the recipient to the end of the text
    text: float = 120
    reply: float = 600
    # A reply that comes within this time is prompt
    prompt: float = 10

    @property
    def longest(self) -> float:
        """One try, with greeting, TLS and login, and two addresses of the server."""
        return 2 * self.connect + 6 * self.command + self.text + self.reply


TIMEOUTS = Timeouts()
IDLE = 30.0
"""Seconds after which a connection is not used again: servers and routers forget them."""

_DOT = re.compile(rb"(?m)^\.")
# RFC 3463: about the sender's address (5.1.7, 5.1.8), or what we may do there (5.7). Many servers
# say so only when they hear the recipient (Postfix: smtpd_delay_reject).
_ABOUT_US = re.compile(r"5\.(?:1\.[78]|7\.\d{1,3})\b")
_LOGIN_FIRST = frozenset({530, 534, 535, 538})


class SmtpTransport:
    """SMTP by URL: smtp://host:port, smtps://user:password@host (TLS), smtp+starttls://...

    `ca` are certificates to believe besides the system's (PEM).
    """

    def __init__(self, url: str, timeouts: Timeouts = TIMEOUTS, ca: str | None = None) -> None:
        self._url = urlsplit(url)
        self._ca = ca
        self._timeouts = timeouts
        self._client: smtplib.SMTP | None = None
        self._used = 0.0

    def send(
        self,
        sender: str,
        to: str,
        message: bytes,
        before_end: Callable[[], None] = lambda: None,
    ) -> None:
        """Hand over one message. Raises Refusal or NotTaken, and what `before_end` raises.

        A refused greeting, sender, login or STARTTLS is no Refusal, whatever its code: it is about
        our settings and not about this letter, which can go once they are right.
        """
        try:
            self._transfer(sender, to, message, before_end)
        except Refusal:
            self._reset()
            raise
        except NotTaken as error:
            if error.failure in (SmtpFailure.RECIPIENT, SmtpFailure.CONTENT):
                self._reset()
            else:
                self._drop()
            raise
        except BaseException:
            self._drop()
            raise
        self._used = system_clock.monotonic()

    def _transfer(
        self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
    ) -> None:
        client = self._begun(sender)
        with (
            _Limit(client, self._timeouts.text) as limit,
            _telling(SmtpFailure.TIMEOUT, limit),
        ):
            code, text = client.rcpt(to)
            if code not in (250, 251):
                raise _refused_recipient(code, _said(text))
            code, text = client.docmd("DATA")
            if code != 354:
                raise _refused_text(code, _said(text))
            client.send(_DOT.sub(b"..", message))
            if not message.endswith(b"\r\n"):
                client.send(b"\r\n")
        before_end()
        prompt = self._timeouts.prompt
        with (
            _Limit(client, self._timeouts.reply) as limit,
            _telling(SmtpFailure.AFTER_DATA, limit),
        ):
            if client.sock is not None:
                client.sock.settimeout(self._timeouts.reply)
            client.send(b".\r\n")
            if client.sock is not None and not select([client.sock], [], [], prompt)[0]:
                before_end()
            code, text = client.getreply()
            if client.sock is not None:
                client.sock.settimeout(self._timeouts.command)
        if code // 100 != 2:
            raise _refused_text(code, _said(text))

    def _begun(self, sender: str) -> smtplib.SMTP:
        """A connection that has taken the sender. One that was idle may be dead: another is
        opened, which is no failure of the letter.
        """
        if self._client is not None and system_clock.monotonic() - self._used > IDLE:
            self.close()
        if self._client is not None:
            try:
                return self._mail(self._client, sender)
            except NotTaken as error:
                if error.failure not in (SmtpFailure.CONNECT, SmtpFailure.TIMEOUT):
                    raise
                self._drop()
        self._client = self._connect()
        return self._mail(self._client, sender)

    def _mail(self, client: smtplib.SMTP, sender: str) -> smtplib.SMTP:
        with _telling(SmtpFailure.TIMEOUT):
            client.ehlo_or_helo_if_needed()
            code, text = client.mail(sender)
        # An idle connection may end by a reply (421) instead of silence.
        if code != 250:
            raise NotTaken(_about_us(code), f"{code} {_said(text)}")
        return client

    def _connect(self) -> smtplib.SMTP:
        """A connection that is logged in. Raises NotTaken: CONNECT, LOGIN or TIMEOUT."""
        host = self._url.hostname or "localhost"
        with _telling(SmtpFailure.TIMEOUT), refusals_explained(host, "SMTP_URL"):
            client = self._greeted(host)
        try:
            if self._url.username:
                with _telling(SmtpFailure.TIMEOUT, refused=SmtpFailure.LOGIN):
                    client.login(unquote(self._url.username), unquote(self._url.password or ""))
        except BaseException:
            client.close()
            raise
        self._used = system_clock.monotonic()
        return client

    def _greeted(self, host: str) -> smtplib.SMTP:
        secure = self._url.scheme == "smtps"
        port = self._url.port or (465 if secure else 25)
        # What a machine trusts takes 20 ms to read, and nothing of it is asked of a plain server.
        client = (
            smtplib.SMTP_SSL(host, port, timeout=self._timeouts.connect, context=trusted(self._ca))
            if secure
            else smtplib.SMTP(host, port, timeout=self._timeouts.connect)
        )
        try:
            if client.sock is not None:
                client.sock.settimeout(self._timeouts.command)
                # A letter ends with a small packet: without this it waits for the other side's ACK.
                client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._url.scheme == "smtp+starttls":
                client.starttls(context=trusted(self._ca))
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
                if client.sock is not None:
                    client.sock.settimeout(self._timeouts.connect)
                client.quit()
            except (OSError, smtplib.SMTPException):
                client.close()

    def _reset(self) -> None:
        """Make the connection ready for the next letter."""
        try:
            if self._client is not None and self._client.rset()[0] == 250:
                self._used = system_clock.monotonic()
                return
        except (OSError, smtplib.SMTPException):
            pass
        self._drop()

    def _drop(self) -> None:
        """End the connection without a word: nobody can be expected to answer."""
        client, self._client = self._client, None
        if client is not None:
            client.close()


class _Limit:
    """Ends a conversation that takes too long as a whole, however lively it is: from then on the
    server seems to have hung up. Begins when it is made; used as a context, it ends there.
    """

    def __init__(self, client: smtplib.SMTP, seconds: float) -> None:
        self.passed = False
        self._sock = client.sock
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> _Limit:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.passed = True
        try:
            # Not the method of an SSLSocket, which would take its cipher from under a reader.
            if self._sock is not None:
                socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
        except OSError:
            pass  # it has been closed meanwhile


@contextmanager
def _telling(
    late: SmtpFailure, limit: _Limit | None = None, refused: SmtpFailure = SmtpFailure.CONNECT
) -> Iterator[None]:
    """Around what smtplib does: its errors as NotTaken. `late`: no reply came in time; `refused`:
    one came, and it was no.
    """
    try:
        yield
    except (NotTaken, Refusal):
        raise
    except (OSError, smtplib.SMTPException) as error:
        if isinstance(error, smtplib.SMTPServerDisconnected):
            in_time = not (_timed_out(error) or (limit is not None and limit.passed))
            lost = SmtpFailure.CONNECT if late is SmtpFailure.TIMEOUT else late
            raise NotTaken(lost if in_time else late, str(error)) from error
        if isinstance(error, smtplib.SMTPException):
            raise NotTaken(refused, _reason(error)) from error
        if isinstance(error, TimeoutError) or late is SmtpFailure.AFTER_DATA:
            raise NotTaken(late, str(error)) from error
        raise NotTaken(SmtpFailure.CONNECT, str(error)) from error


def failure_of(error: OSError) -> SmtpFailure:
    """The meaning of a transport's error."""
    if isinstance(error, NotTaken):
        return error.failure
    return SmtpFailure.TIMEOUT if isinstance(error, TimeoutError) else SmtpFailure.CONNECT


def _timed_out(error: BaseException | None) -> bool:
    """True if smtplib's "disconnected" was a time-out: it does not tell them apart itself."""
    while error is not None:
        if isinstance(error, TimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _about_us(code: int) -> SmtpFailure:
    if code == 421:
        return SmtpFailure.CONNECT
    return SmtpFailure.LOGIN if code in _LOGIN_FIRST else SmtpFailure.SENDER


def _refused_recipient(code: int, said: str) -> Exception:
    reason = f"{code} {said}"
    if code in (421, 503) or code in _LOGIN_FIRST or _ABOUT_US.match(said):
        return NotTaken(_about_us(code), reason)
    if 500 <= code < 600:
        return Refusal(reason, recipient=True)
    return NotTaken(SmtpFailure.RECIPIENT, reason)


def _refused_text(code: int, said: str) -> Exception:
    reason = f"{code} {said}"
    if code == 421 or code in _LOGIN_FIRST:
        return NotTaken(_about_us(code), reason)
    return Refusal(reason) if 500 <= code < 600 else NotTaken(SmtpFailure.CONTENT, reason)


def _said(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _reason(error: smtplib.SMTPException) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return f"{error.smtp_code} {said if isinstance(said, str) else _said(said)}"
    return str(error)
