"""What becomes of a letter by the reply of a real SMTP server, and by the command it answers."""

from __future__ import annotations

import datetime as dt
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
import time_machine

from service.smtp import FailureKind, Refusal, SmtpTransport, kind_of
from service.trust import CertificateRefused
from service.usecases import delivery
from service.usecases.tables import Guest
from tests.support.certificates import Certificate
from tests.support.sink import SmtpSink
from tests.support.tables import World

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


@pytest.mark.parametrize(
    ("command", "reply", "kind"),
    [
        ("to_sender", "550 5.7.1 relaying denied", FailureKind.SENDER),
        ("to_recipient", "550 5.1.1 nobody", FailureKind.RECIPIENT),
        ("to_recipient", "450 4.2.1 later", FailureKind.RECIPIENT),
        ("replies", "554 5.7.1 spam", FailureKind.CONTENT),
        ("replies", "451 4.3.0 later", FailureKind.CONTENT),
    ],
)
def test_a_failure_has_its_kind(
    smtp_sink: SmtpSink, command: str, reply: str, kind: FailureKind
) -> None:
    getattr(smtp_sink, command).append(reply)
    assert _kind_of_failure(SmtpTransport(smtp_sink.url)) is kind


def test_a_failure_before_anything_was_said_has_its_kind(smtp_sink: SmtpSink) -> None:
    assert _kind_of_failure(SmtpTransport("smtp://127.0.0.1:1")) is FailureKind.CONNECT
    with_login = SmtpTransport(f"smtp://user:wrong@127.0.0.1:{smtp_sink.port}")
    assert _kind_of_failure(with_login) is FailureKind.LOGIN
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        hanging = SmtpTransport(f"smtp://127.0.0.1:{port}", timeout=0.2)
        assert _kind_of_failure(hanging) is FailureKind.TIMEOUT
    assert kind_of(KeyError("template")) is FailureKind.OURS


def _kind_of_failure(transport: SmtpTransport) -> FailureKind:
    with pytest.raises((Refusal, OSError)) as failed:
        send(transport)
    return kind_of(failed.value)


@pytest.fixture(params=["smtps", "starttls"])
def secure_sink(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[SmtpSink, Certificate]]:
    """A server with a certificate that it has signed itself, and the certificate."""
    certificate = Certificate(tmp_path)
    sink = SmtpSink(context=certificate.context(), asked=request.param == "starttls")
    yield sink, certificate
    sink.stop()


def test_a_server_of_ones_own_is_believed_by_its_certificate(
    secure_sink: tuple[SmtpSink, Certificate],
) -> None:
    sink, certificate = secure_sink
    transport = SmtpTransport(sink.url, ca=f"À nous :\n{certificate.pem}")
    send(transport)
    transport.close()
    assert len(sink.deliveries) == 1


def test_a_letter_waits_where_the_certificate_is_not_believed(
    secure_sink: tuple[SmtpSink, Certificate], world: World, tmp_path: Path, game_key: str
) -> None:
    """Nothing is said to such a server; the log tells what would help, and then the letter goes."""
    sink, certificate = secure_sink
    (tmp_path / "another").mkdir()
    another = Certificate(tmp_path / "another")
    match_id = world.open([Guest(address="ben@example.org")], game_key)
    (letter,) = world.letters(match_id)
    for n, ca in enumerate((None, another.pem)):
        with (
            time_machine.travel(world.service.now() + dt.timedelta(hours=n)),
            structlog.testing.capture_logs() as logged,
        ):
            delivery.deliver(world.service, SmtpTransport(sink.url, ca=ca), letter.id)
        (said,) = [event for event in logged if event["event"] == "letter_waits"]
        assert "self-signed certificate" in said["reason"]
        assert "the certificate of 127.0.0.1 is not believed" in said["reason"]
        assert "MAIL_CA" in said["reason"]
        (letter,) = world.letters(match_id)
        assert (letter.status, letter.attempts) == ("due", n + 1)
    assert sink.deliveries == []
    with time_machine.travel(world.service.now() + dt.timedelta(hours=3)):
        delivery.deliver(world.service, SmtpTransport(sink.url, ca=certificate.pem), letter.id)
    assert [x.recipients for x in sink.deliveries] == [["ben@example.org"]]


def test_a_certificate_of_another_server_is_refused(tmp_path: Path) -> None:
    certificate = Certificate(tmp_path, "192.0.2.1")
    sink = SmtpSink(context=certificate.context())
    with pytest.raises(CertificateRefused, match=r"127\.0\.0\.1 is not believed: .*SMTP_URL"):
        send(SmtpTransport(sink.url, ca=certificate.pem))
    sink.stop()
