"""What becomes of a letter by the reply of a real SMTP server, and by the command it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.smtp import Refusal, SmtpTransport

if TYPE_CHECKING:
    from tests.support.sink import SmtpSink

LETTER = b"From: play@paleopost.test\r\nTo: ana@example.org\r\nSubject: Hi\r\n\r\nYour turn.\r\n"


def send(transport: SmtpTransport) -> None:
    transport.send("play@paleopost.test", "ana@example.org", LETTER)


@pytest.mark.parametrize("command", ["to_recipient", "replies"])
def test_a_refused_recipient_or_text_is_final(smtp_sink: SmtpSink, command: str) -> None:
    getattr(smtp_sink, command).append("550 5.1.1 nobody of that name")
    transport = SmtpTransport(smtp_sink.url)
    with pytest.raises(Refusal, match=r"^550 5\.1\.1 nobody of that name$"):
        send(transport)
    send(transport)
    assert len(smtp_sink.deliveries) == 1
    transport.close()


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("to_sender", "550 5.7.1 relaying denied"),
        ("to_sender", "451 4.3.0 later"),
        ("to_recipient", "450 4.2.1 later"),
        ("replies", "451 4.3.0 later"),
    ],
)
def test_a_refused_sender_and_every_temporary_reply_are_tried_again(
    smtp_sink: SmtpSink, command: str, reply: str
) -> None:
    getattr(smtp_sink, command).append(reply)
    transport = SmtpTransport(smtp_sink.url)
    with pytest.raises(OSError, match=reply[4:]):
        send(transport)
    send(transport)
    assert len(smtp_sink.deliveries) == 1
    transport.close()


@pytest.mark.parametrize(
    "address",
    ["smtp://user:wrong@127.0.0.1:{}", "smtp+starttls://127.0.0.1:{}"],
    ids=["login", "starttls"],
)
def test_a_login_or_starttls_that_fails_is_tried_again(smtp_sink: SmtpSink, address: str) -> None:
    transport = SmtpTransport(address.format(smtp_sink.port))
    with pytest.raises(OSError, match=r"not supported"):
        send(transport)
    assert smtp_sink.deliveries == []
