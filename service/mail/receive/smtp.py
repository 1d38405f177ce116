"""One connection's conversation: LMTP (RFC 2033) for an MTA, or plain SMTP (RFC 5321).

A thin shell around `store`: whatever is answered with 250 is committed. aiosmtpd speaks; here is
what it leaves open: enhanced status codes (RFC 2034), one answer for each recipient of LMTP even to
what is refused whole, and how many may come at once.
"""

from __future__ import annotations

import asyncio
import re

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.core.context import Service
from service.mail.receive.inbound import take
from service.mail.receive.recipients import is_known

log = structlog.get_logger(__name__)

MOST_CONNECTIONS = 50
MOST_RECIPIENTS = 50
# Seconds a connection may be silent (RFC 5321 §4.5.3.2.7)
SILENCE = 300.0
# RFC 5322 §2.1.1 allows 998 bytes; what real programs write is longer, and harmless to us
LONGEST_LINE = 64 * 1024

# What aiosmtpd says after the whole text, which in LMTP is owed once for each recipient
_REFUSED_WHOLE = {
    "500 Line too long (see RFC5321 4.5.3.1.6)": "554 5.6.0 A line is too long",
    "552 Error: Too much mail data": "552 5.3.4 The mail is too big",
}
# A reply is printable ASCII (RFC 5321 §4.2.1), also where it repeats what it has not understood
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\r\n]")
_BARE = re.compile(r"([245])(\d\d) (?![245]\.\d{1,3}\.\d{1,3}\b)")
# RFC 3463: syntax, parameters, order of commands, size
_MEANING = {"500": "5.5.2", "501": "5.5.4", "502": "5.5.1", "503": "5.5.1", "552": "5.3.4"}


class Gate:
    """The count of connections, and of mails being stored right now."""

    def __init__(self) -> None:
        self.connections: set[Conversation] = set()
        self.storing = 0

    @property
    def full(self) -> bool:
        """True if one more is too many."""
        return len(self.connections) >= MOST_CONNECTIONS


class Receiver:
    """aiosmtpd's handler. Each method answers with the reply to one command."""

    def __init__(self, service: Service, gate: Gate, source: str) -> None:
        self._service = service
        self._gate = gate
        self._source = source

    async def handle_EHLO(  # noqa: N802 (aiosmtpd's name)
        self,
        _server: SMTP,
        session: Session,
        _envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Say what LMTP requires besides (RFC 2033 §5)."""
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", "250-ENHANCEDSTATUSCODES", responses[-1]]

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Anybody may write; "<>" is the null path of reports."""
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Go on"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Only addresses that lead somewhere, and no word about where."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        if not await asyncio.to_thread(is_known, self._service, address):
            return f"550 5.1.1 No such address; see {self._service.settings.base_url}/"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Go on"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Commit, then answer."""
        assert isinstance(envelope.original_content, bytes)
        sender = (envelope.mail_from or "").strip("<>")
        # In LMTP each recipient is stored, and answered, by itself.
        alone = self._source == "lmtp"
        groups = [[r] for r in envelope.rcpt_tos] if alone else [envelope.rcpt_tos]
        self._gate.storing += 1
        try:
            return "\r\n".join(
                [await self._stored(sender, group, envelope.original_content) for group in groups]
            )
        finally:
            self._gate.storing -= 1

    async def handle_exception(self, error: Exception) -> str:
        """Have whatever breaks on our side tried again."""
        log.error("mail_not_taken", exc_info=error)
        return "451 4.3.0 Try again later"

    async def _stored(self, sender: str, recipients: list[str], raw: bytes) -> str:
        try:
            await asyncio.to_thread(store, self._service, raw, self._source, sender, recipients)
        except Exception as error:  # noqa: BLE001 (none may cost a mail)
            return await self.handle_exception(error)
        return "250 2.0.0 Taken"


def store(
    service: Service, raw: bytes, source: str, sender: str | None, recipients: list[str]
) -> None:
    """Commit a mail for these recipients, all or none."""
    with service.database.write() as work:
        for recipient in recipients:
            take(service, work, raw, source=source, envelope_from=sender, recipient=recipient)


class Conversation(SMTP):
    """SMTP with a code of RFC 3463 on every reply, counted at the gate."""

    line_length_limit = LONGEST_LINE

    source = "smtp"

    def __init__(self, service: Service, gate: Gate) -> None:
        self._gate = gate
        self._greeting = False
        super().__init__(
            Receiver(service, gate, self.source),
            data_size_limit=service.settings.inbound_limit,
            enable_SMTPUTF8=True,
            hostname=service.settings.mail_domain,
            ident="Paleopost",
            timeout=SILENCE,
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Come in."""
        self._gate.connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Leave."""
        self._gate.connections.discard(self)
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """An address and what stands behind it; None for none (501, which is not tried again).

        Python's parser stumbles over addresses that end too early ("<a@"), and lets control
        characters pass, which no database keeps in a text.
        """
        try:
            address, rest = super()._getaddr(arg)
        except (AttributeError, IndexError):
            return None, None
        return (address, rest) if address is None or address.isprintable() else (None, None)

    async def smtp_EHLO(self, arg: str) -> None:  # noqa: N802 (aiosmtpd's name)
        """The list of extensions carries no codes (RFC 2034 §3)."""
        self._greeting = True
        try:
            await SMTP.smtp_EHLO(self, arg)
        finally:
            self._greeting = False

    async def push(self, status: str | bytes) -> None:
        """Send a reply."""
        text = status.decode() if isinstance(status, bytes) else status
        if text in _REFUSED_WHOLE:
            text = "\r\n".join([_REFUSED_WHOLE[text]] * self._answers_owed())
        elif not self._greeting and not text.startswith("220"):
            text = _BARE.sub(_with_meaning, text, count=1)
        await super().push(_UNPRINTABLE.sub("?", text))

    def _answers_owed(self) -> int:
        return 1


class LmtpConversation(Conversation, LMTP):
    """The same in LMTP: LHLO, and an answer for each recipient."""

    source = "lmtp"

    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 (aiosmtpd's name)
        """The greeting of LMTP is EHLO by another name."""
        await Conversation.smtp_EHLO(self, arg)

    async def smtp_EHLO(self, arg: str) -> None:  # noqa: N802 (aiosmtpd's name)
        """None in LMTP (RFC 2033 §4.1)."""
        await self.push("500 5.5.1 This is LMTP: say LHLO")

    def _answers_owed(self) -> int:
        return len(self.envelope.rcpt_tos) if self.envelope else 1


class TooMany(asyncio.Protocol):
    """The answer to who comes when the house is full."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so and go."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"421 4.3.2 Too many connections, try again later\r\n")
        transport.close()


def _with_meaning(found: re.Match[str]) -> str:
    code = found[1] + found[2]
    return f"{code} {_MEANING.get(code, f'{found[1]}.0.0')} "
