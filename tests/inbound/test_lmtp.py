"""Mail by LMTP and SMTP over real sockets: what is acknowledged is stored, once."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from service.access import reply_keys
from service.core.errors import CannotStart
from service.mail.receive import lmtp as lmtp_process
from service.mail.receive import smtp
from service.mail.receive.smtp import Conversation
from tests.support.commands import Begun, command
from tests.support.lmtp import Line, Listening
from tests.support.ports import free_port
from tests.support.stack import clean_environment

pytestmark = pytest.mark.both_databases

if TYPE_CHECKING:
    from tests.inbound.conftest import House

MAIL = b"From: ana@example.org\r\nMessage-ID: <%d@x>\r\n\r\nlay hunt-fire C4 D4"


@pytest.fixture
def lmtp(house: House) -> Iterator[Listening]:
    listening = Listening(house.service)
    yield listening
    listening.stop()


@pytest.fixture
def light(hut: House) -> Iterator[Listening]:
    listening = Listening(hut.service)
    yield listening
    listening.stop()


def test_a_mail_is_stored_whole_with_its_envelope_and_rung_for(
    lmtp: Listening, house: House
) -> None:
    raw = b"From: ana@example.org\r\n\r\n.\r\n bytes \xe9\xff and a dot above"
    with smtplib.LMTP("127.0.0.1", lmtp.port) as client:
        assert client.sendmail("ana+x@example.org", [house.address.upper()], raw) == {}
    [mail] = house.mails()
    assert mail.raw == raw + b"\r\n"
    assert (mail.source, mail.status) == ("lmtp", "received")
    assert mail.envelope_from == "ana+x@example.org"
    assert mail.recipient is not None
    assert mail.recipient.lower() == house.address
    assert house.jobs.take("inbound.handle") == [(mail.id,)]


def test_each_recipient_gets_an_answer_of_its_own(lmtp: Listening, house: House) -> None:
    other, forged = house.issue("two"), f"r+{'a' * 26}@paleopost.test"
    line = lmtp.client()
    line.hello()
    said = line.deliver("ana@example.org", [house.address, forged, other], MAIL % 1)
    assert [reply[:9] for reply in said] == ["250 2.1.5", "550 5.1.1", "250 2.1.5"] + [
        "250 2.0.0"
    ] * 2
    assert "http://paleopost.test/" in said[1]
    assert [m.recipient for m in house.mails()] == [house.address, other]


def test_the_answer_to_whether_to_give_up_is_taken(light: Listening, hut: House) -> None:
    question = hut.issue("two", reply_keys.RESIGNING)
    line = light.client()
    line.hello()
    said = line.deliver("ana@example.org", [question], MAIL % 1)
    assert said[-1] == "250 2.0.0 Taken"
    assert [m.recipient for m in hut.mails()] == [question]


def test_the_same_mail_again_is_acknowledged_and_stored_once(lmtp: Listening, house: House) -> None:
    line = lmtp.client()
    line.hello()
    for _ in range(3):
        assert line.deliver("a@b.example", [house.address], MAIL % 1)[-1] == "250 2.0.0 Taken"
    assert len(house.mails()) == 1


def test_what_cannot_be_stored_is_asked_for_again(lmtp: Listening, house: House) -> None:
    def rename(old: str, new: str) -> None:
        with house.service.database.write() as work:
            work.session.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    line = lmtp.client()
    line.hello()
    rename("inbound", "elsewhere")
    assert line.deliver("a@b.example", [house.address], MAIL % 1)[-1] == "451 4.3.0 Try again later"
    rename("elsewhere", "inbound")
    assert house.mails() == []
    assert line.deliver("a@b.example", [house.address], MAIL % 1)[-1] == "250 2.0.0 Taken"
    rename("key", "elsewhere")
    assert line.deliver("a@b.example", [house.address], MAIL % 2) == ["451 4.3.0 Try again later"]
    rename("elsewhere", "key")
    assert len(house.mails()) == 1


@pytest.mark.parametrize(
    "address",
    [
        "play@paleopost.test",
        "r+@paleopost.test",
        "r+{token}@elsewhere.test",
        "x+{token}@paleopost.test",
        "bounce+1-aaaaaaaaaaaaaaaa@paleopost.test",
        "r+{signin}@paleopost.test",
        "postmaster",
    ],
)
def test_whom_nobody_knows_is_refused(light: Listening, hut: House, address: str) -> None:
    with hut.service.database.write() as work:
        signin = hut.service.keys.issue(work.session, "signin", "ana")
    token = hut.address.partition("+")[2].partition("@")[0]
    line = light.client()
    line.hello()
    asked = address.format(token=token, signin=signin)
    [said] = line.deliver("a@b.example", [asked], MAIL % 1)
    assert said == "550 5.1.1 No such address; see http://paleopost.test/"
    assert hut.mails() == []


@pytest.mark.parametrize(
    "address", ["<", "<a@", "a@", '<"', "a@[", "<a\x00b@b.example>", "<\x1b[2J@b.example>"]
)
@pytest.mark.parametrize("command", ["MAIL FROM", "RCPT TO"])
def test_what_is_no_address_is_refused_for_good(
    light: Listening, command: str, address: str
) -> None:
    line = light.client()
    line.hello()
    if command == "RCPT TO":
        line.say("MAIL FROM:<a@b.example>")
    said = line.say(f"{command}:{address}")
    assert said[:3] in ("501", "553"), said


def test_what_is_not_understood_comes_back_as_printable_text(light: Listening) -> None:
    assert light.client().say("\x16\x03\x01 é") == '500 5.5.2 Error: command "???" not recognized'


def test_reports_come_with_the_null_path(light: Listening, hut: House) -> None:
    line = light.client()
    line.hello()
    assert line.deliver("", [hut.bounce(7)], MAIL % 1)[-1] == "250 2.0.0 Taken"
    [mail] = hut.mails()
    assert mail.envelope_from == ""


def test_it_says_what_it_can(light: Listening) -> None:
    line = light.client()
    assert line.greeting == "220 paleopost.test Paleopost"
    said = line.hello().split("|")
    assert said[0] == "250-paleopost.test"
    assert {"SIZE 200000", "8BITMIME", "SMTPUTF8", "PIPELINING", "ENHANCEDSTATUSCODES"} <= {
        one[4:] for one in said
    }
    assert line.say("EHLO client.example").startswith("500 5.5.1 ")
    assert line.say("RCPT TO:<a@b.example>").startswith("503 5.5.1 ")
    assert line.say("NOOP") == "250 2.0.0 OK"
    assert line.say("QUIT") == "221 2.0.0 Bye"


def test_addresses_in_utf8_are_heard(light: Listening, hut: House) -> None:
    line = light.client()
    line.hello()
    assert line.say("MAIL FROM:<zoé@exemple.fr> BODY=8BITMIME SMTPUTF8").startswith("250 2.1.0")
    assert line.say(f"RCPT TO:<{hut.address}>").startswith("250 2.1.5")
    line.say("DATA")
    assert line.say(MAIL % 1, ".") == "250 2.0.0 Taken"
    assert hut.mails()[0].envelope_from == "zoé@exemple.fr"


def test_all_can_be_said_at_once(light: Listening, hut: House) -> None:
    line = light.client()
    line.hello()
    said = [
        line.say("MAIL FROM:<a@b.example>", f"RCPT TO:<{hut.address}>", "DATA"),
        line.hear(),
        line.hear(),
    ]
    assert [reply[:3] for reply in said] == ["250", "250", "354"]
    assert line.say(MAIL % 1, ".") == "250 2.0.0 Taken"


def test_a_mail_that_is_too_big_is_refused_for_each_recipient(light: Listening, hut: House) -> None:
    line = light.client()
    line.hello()
    assert line.say("MAIL FROM:<a@b.example> SIZE=200001").startswith("552 5.3.4 ")
    both = [hut.address, hut.issue("two")]
    big = MAIL % 1 + b"\r\n" + (b"x" * 78 + b"\r\n") * 2600
    said = line.deliver("a@b.example", both, big)
    assert said[2:] == ["552 5.3.4 The mail is too big"] * 2
    long = MAIL % 2 + b"\r\n" + b"x" * 70_000
    said = line.deliver("a@b.example", both, long)
    assert said[2:] == ["554 5.6.0 A line is too long"] * 2
    fine = MAIL % 3 + b"\r\n" + b"x" * 60_000
    assert line.deliver("a@b.example", both, fine)[2:] == ["250 2.0.0 Taken"] * 2
    assert len(hut.mails()) == 2


def test_not_too_many_recipients_and_connections(
    light: Listening, hut: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "MOST_RECIPIENTS", 2)
    monkeypatch.setattr(smtp, "MOST_CONNECTIONS", 2)
    line, second, third = light.client(), light.client(), light.client()
    assert third.greeting == "421 4.3.2 Too many connections, try again later"
    assert third.hear() == ""
    line.hello()
    said = line.deliver("a@b.example", [hut.address] * 3, MAIL % 1)
    assert said[2] == "452 4.5.3 Too many recipients"
    assert len(said) == 5
    second.close()
    line.say("QUIT")
    line.close()
    until = time.monotonic() + 120
    while light.gate.connections:
        assert time.monotonic() < until
    assert light.client().greeting.startswith("220 ")


def test_half_a_mail_is_none(light: Listening, hut: House) -> None:
    line = light.client()
    line.hello()
    line.say("MAIL FROM:<a@b.example>")
    line.say(f"RCPT TO:<{hut.address}>")
    line.say("DATA")
    line.close()
    again = light.client()
    again.hello()
    assert again.deliver("a@b.example", [hut.address], MAIL % 1)[-1] == "250 2.0.0 Taken"
    assert len(hut.mails()) == 1


def test_plain_smtp_answers_once_for_all(house: House) -> None:
    listening = Listening(house.service, Conversation)
    both = [house.address, house.issue("two")]
    try:
        with smtplib.SMTP("127.0.0.1", listening.port) as client:
            assert client.sendmail("ana@example.org", both, MAIL % 1) == {}
            with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
                client.sendmail("ana@example.org", ["nobody@paleopost.test"], MAIL % 1)
        assert caught.value.recipients["nobody@paleopost.test"][0] == 550
    finally:
        listening.stop()
    assert [(m.source, m.recipient) for m in house.mails()] == [("smtp", r) for r in both]


class Process:
    """`paleopost lmtp` on a socket and a port."""

    def __init__(self, folder: Path, url: str, redis_url: str, **changes: str) -> None:
        self.port, self.socket = free_port(), folder / "lmtp.sock"
        env = clean_environment(
            SECRET_KEY="test-" * 8,
            DATABASE_URL=url,
            REDIS_URL=redis_url,
            SMTP_URL="smtp://127.0.0.1:1",
            BASE_URL="http://paleopost.test",
            LMTP_LISTEN=f"unix:{self.socket}",
            SMTP_LISTEN=f"127.0.0.1:{self.port}",
            **changes,
        )
        self._said = folder / "said"
        self.process = Begun(("-m", "service.cli", "lmtp"), env, folder, self._said)
        until = time.monotonic() + 120
        while True:
            try:
                Line(self.port).close()
                break
            except ConnectionRefusedError:
                assert time.monotonic() < until
                assert self.process.poll() is None
                time.sleep(0.05)

    def said(self) -> str:
        """What it logged until its end."""
        return self._said.read_text()


def test_what_was_acknowledged_survives_a_killed_process(tmp_path: Path, house: House) -> None:
    url = house.service.database.url.render_as_string(False)
    running = Process(tmp_path, url, "redis://127.0.0.1:1/0")
    try:
        with smtplib.LMTP(str(running.socket)) as client:
            client.sendmail("a@b.example", [house.address], MAIL % 1)
            os.kill(running.process.pid, signal.SIGKILL)
            client.close()
    finally:
        running.process.kill()
        running.process.wait(120)
    # The job was lost with a broker that is away; the row is there for the sweep.
    [mail] = house.mails()
    assert mail.pending_since is not None
    assert "job_not_enqueued" in running.said()


def test_it_ends_at_once_when_asked_and_logs_no_address(tmp_path: Path, hut: House) -> None:
    url = hut.service.database.url.render_as_string(False)
    running = Process(tmp_path, url, "redis://127.0.0.1:1/0")
    line = Line(running.port)
    line.say("EHLO a.example")
    line.deliver("a@b.example", [hut.address], MAIL % 1)
    running.process.terminate()
    assert running.process.wait(120) == 0
    assert line.hear() == ""
    assert hut.address not in running.said()


def test_only_a_group_comes_near_the_socket(tmp_path: Path, hut: House) -> None:
    """Who may write to it may hand in mail in anybody's name."""
    group = max(os.getgroups()) if os.getuid() else 12345
    url = hut.service.database.url.render_as_string(False)
    (tmp_path / "lmtp.sock").unlink(missing_ok=True)
    running = Process(tmp_path, url, "redis://127.0.0.1:1/0", SOCKET_GROUP=str(group))
    try:
        found = running.socket.stat()
        assert (oct(stat.S_IMODE(found.st_mode)), found.st_gid) == ("0o660", group)
        with smtplib.LMTP(str(running.socket)) as client:
            client.sendmail("a@b.example", [hut.address], MAIL % 1)
    finally:
        running.process.kill()
        running.process.wait(120)
    assert len(hut.mails()) == 1


def test_a_socket_is_never_open_to_others_not_even_for_a_moment(tmp_path: Path) -> None:
    """Nothing is taken away afterwards: it is made so, however loose the mask of the process is."""
    place, before = tmp_path / "lmtp.sock", os.umask(0)
    try:
        bound = lmtp_process.bind_socket(place, None)
        assert stat.S_IMODE(place.stat().st_mode) == 0o660
        assert os.umask(0) == 0, "what it was"
        with pytest.raises(ConnectionRefusedError):
            socket.socket(socket.AF_UNIX).connect(str(place))
        bound.close()
        lmtp_process.bind_socket(place, None).close()  # what was left there is no obstacle
        place.unlink()
        place.write_text("no socket")
        with pytest.raises(OSError, match="in use"):
            lmtp_process.bind_socket(place, None)
        assert place.read_text() == "no socket"
    finally:
        os.umask(before)


def test_a_group_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="SOCKET_GROUP: there is no group 'nobodys-group' here"):
        lmtp_process.bind_socket(tmp_path / "lmtp.sock", "nobodys-group")


@pytest.mark.parametrize("place", ["127.0.0.1:{port}", "unix:{folder}/missing/lmtp.sock"])
def test_a_place_that_cannot_be_listened_on_is_named(
    hut: House, tmp_path: Path, place: str
) -> None:
    taken = Listening(hut.service)
    try:
        env = clean_environment(
            SECRET_KEY="test-" * 8,
            DATABASE_URL=hut.service.database.url.render_as_string(False),
            REDIS_URL="redis://127.0.0.1:1/0",
            SMTP_URL="smtp://127.0.0.1:1",
            BASE_URL="http://paleopost.test",
            LMTP_LISTEN=place.format(port=taken.port, folder=tmp_path),
        )
        done = command("lmtp", env=env)
    finally:
        taken.stop()
    assert done.returncode == 1
    assert done.stderr.startswith(f"paleopost: LMTP_LISTEN: {env['LMTP_LISTEN']} cannot be")
