"""What becomes of a letter by the reply of a real SMTP server, and by the command it answers."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
import time_machine

from service.mail.send import delivery
from service.mail.send.smtp import NotTaken, Refusal, SmtpFailure, SmtpTransport, Timeouts
from service.matches.tables import Guest
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
    with pytest.raises(OSError, match=r"not supported|credentials invalid"):
        send(transport)
    assert smtp_sink.deliveries == []


@pytest.mark.parametrize(
    ("command", "reply", "kind"),
    [
        ("to_sender", "550 5.7.1 relaying denied", SmtpFailure.SENDER),
        ("to_recipient", "550 5.1.1 nobody", SmtpFailure.RECIPIENT),
        ("to_recipient", "450 4.2.1 later", SmtpFailure.RECIPIENT),
        ("replies", "554 5.7.1 spam", SmtpFailure.CONTENT),
        ("replies", "451 4.3.0 later", SmtpFailure.CONTENT),
    ],
)
def test_a_failure_has_its_kind(
    smtp_sink: SmtpSink, command: str, reply: str, kind: SmtpFailure
) -> None:
    getattr(smtp_sink, command).append(reply)
    assert _kind_of_failure(SmtpTransport(smtp_sink.url)) is kind


def _kind_of_failure(transport: SmtpTransport) -> SmtpFailure:
    with pytest.raises((Refusal, NotTaken)) as failed:
        send(transport)
    assert isinstance(failed.value, Refusal | NotTaken)
    return failed.value.failure


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
    with pytest.raises(NotTaken, match=r"127\.0\.0\.1 is not believed: .*SMTP_URL") as refused:
        send(SmtpTransport(sink.url, ca=certificate.pem))
    assert refused.value.failure is SmtpFailure.CONNECT
    sink.stop()


def impatient(url: str, reply: float = 30) -> SmtpTransport:
    """A transport that does not wait for a command's reply."""
    return SmtpTransport(url, Timeouts(command=0.3, reply=reply))


@pytest.mark.parametrize("where", ["MAIL", "RCPT"])
def test_a_server_that_hangs_is_not_waited_for(smtp_sink: SmtpSink, where: str) -> None:
    smtp_sink.hangs.add(where)
    with pytest.raises(NotTaken) as late:
        send(impatient(smtp_sink.url))
    smtp_sink.hangs.clear()
    assert late.value.failure is SmtpFailure.TIMEOUT
    assert smtp_sink.deliveries == []


def test_a_text_whose_reply_does_not_come_may_have_been_taken(smtp_sink: SmtpSink) -> None:
    smtp_sink.hangs.add("end")
    with pytest.raises(NotTaken) as late:
        send(impatient(smtp_sink.url, reply=0.3))
    smtp_sink.hangs.clear()
    assert late.value.failure is SmtpFailure.AFTER_DATA
    assert len(smtp_sink.deliveries) == 1


def test_a_late_250_is_waited_for(smtp_sink: SmtpSink) -> None:
    """Longer than for a command's reply: nobody else knows that the letter was taken."""
    smtp_sink.hangs.add("end")
    transport = impatient(smtp_sink.url)
    sending = threading.Thread(target=send, args=(transport,), daemon=True)
    sending.start()
    sending.join(1)  # three times as long as any other reply is waited for
    assert sending.is_alive()
    smtp_sink.hangs.clear()
    sending.join(60)
    assert not sending.is_alive()
    send(transport)
    transport.close()
    assert len(smtp_sink.deliveries) == 2


def test_a_reply_that_is_not_prompt_is_told(smtp_sink: SmtpSink) -> None:
    """Who sends has a claim that lasts for a prompt one."""
    transport = SmtpTransport(smtp_sink.url, Timeouts(prompt=0.1))
    smtp_sink.hangs.add("end")
    told: list[int] = []

    def before_end() -> None:
        told.append(len(smtp_sink.deliveries))
        if len(told) == 2:
            smtp_sink.hangs.clear()

    transport.send("play@paleopost.test", "ana@example.org", LETTER, before_end)
    assert len(told) == 2
    assert told[0] == 0
    transport.close()


def test_a_connection_lost_after_the_text_is_not_tried_on_the_same_breath(
    smtp_sink: SmtpSink,
) -> None:
    transport = SmtpTransport(smtp_sink.url)
    send(transport)
    smtp_sink.drops = 1
    with pytest.raises(NotTaken) as lost:
        send(transport)
    assert lost.value.failure is SmtpFailure.AFTER_DATA
    assert len(smtp_sink.deliveries) == 2


def test_what_comes_before_the_end_of_the_text_can_stop_it(smtp_sink: SmtpSink) -> None:
    transport = SmtpTransport(smtp_sink.url)

    def stop() -> None:
        assert smtp_sink.deliveries == []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transport.send("play@paleopost.test", "ana@example.org", LETTER, stop)
    assert smtp_sink.deliveries == []
    send(transport)
    assert len(smtp_sink.deliveries) == 1


def test_a_refused_login_is_named(smtp_sink: SmtpSink) -> None:
    smtp_sink.password = "right"
    for password, failure in (("wrong", SmtpFailure.LOGIN), ("right", None)):
        transport = SmtpTransport(f"smtp://user:{password}@127.0.0.1:{smtp_sink.port}")
        if failure is None:
            send(transport)
            continue
        with pytest.raises(NotTaken, match="535") as refused:
            send(transport)
        assert refused.value.failure is failure
    assert len(smtp_sink.deliveries) == 1


@pytest.mark.parametrize("reply", ["554 5.7.1 relay access denied", "530 5.7.0 log in first"])
def test_what_is_said_of_us_to_a_recipient_is_about_us(smtp_sink: SmtpSink, reply: str) -> None:
    """Postfix tells what it thinks of client and sender when it hears the recipient."""
    smtp_sink.to_recipient.append(reply)
    transport = SmtpTransport(smtp_sink.url)
    with pytest.raises(NotTaken) as refused:
        send(transport)
    assert refused.value.failure in (SmtpFailure.SENDER, SmtpFailure.LOGIN)
    send(transport)
    assert len(smtp_sink.deliveries) == 1


def test_lines_that_begin_with_a_dot_arrive_as_they_are(smtp_sink: SmtpSink) -> None:
    transport = SmtpTransport(smtp_sink.url)
    transport.send("a@paleopost.test", "b@example.org", LETTER + b".\r\n..two\r\n.end\r\n")
    assert smtp_sink.deliveries[0].raw.endswith(b"turn.\r\n.\r\n..two\r\n.end\r\n")
