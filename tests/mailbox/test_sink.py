"""The mail sink as a process: a letter that was acknowledged is kept, whatever happens next."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.dev.embedded.lifeline import lifeline
from service.dev.mailbox.store import MailboxStore
from service.ops import processes
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
LETTER = b"Subject: Hi\r\n\r\n.\r\nA line that begins with a dot, and bytes: \xe9\xff\r\n"


class Running:
    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            processes.mail_sink("127.0.0.1", self.port, self.folder),
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
            preexec_fn=lifeline(),
        )

    def client(self) -> smtplib.SMTP:
        until = time.monotonic() + 120
        while True:
            try:
                return smtplib.SMTP("127.0.0.1", self.port, timeout=60)
            except ConnectionRefusedError:
                assert time.monotonic() < until
                time.sleep(0.05)


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.process.kill()
    running.process.wait()


def test_it_keeps_envelope_and_every_byte(sink: Running) -> None:
    with sink.client() as client:
        client.sendmail("bounce+x@a.example", ["Ann@B.example", "bob@b.example"], LETTER)
    store = MailboxStore(sink.folder)
    assert {a.address for a in store.addresses()} == {"ann@b.example", "bob@b.example"}
    [kept] = store.letters("ANN@b.example", 10)
    assert kept.raw == LETTER
    assert (kept.sender, kept.recipients) == (
        "bounce+x@a.example",
        ("ann@b.example", "bob@b.example"),
    )


def test_an_acknowledged_letter_survives_a_killed_sink(sink: Running) -> None:
    with sink.client() as client:
        client.sendmail("a@a.example", ["b@b.example"], LETTER)
        os.kill(sink.process.pid, signal.SIGKILL)
        sink.process.wait()
        client.close()
    assert len(MailboxStore(sink.folder).letters("b@b.example", 10)) == 1
    sink.start()
    with sink.client() as client:
        client.sendmail("a@a.example", ["b@b.example"], LETTER)
    assert len(MailboxStore(sink.folder).letters("b@b.example", 10)) == 2


def test_it_ends_at_once_when_asked(sink: Running) -> None:
    with sink.client():
        sink.process.terminate()
        assert sink.process.wait(120) == 0


def test_what_cannot_be_kept_is_asked_for_again(sink: Running) -> None:
    with sink.client() as client:
        (sink.folder / "mailbox.db").mkdir()
        with pytest.raises(smtplib.SMTPDataError) as caught:
            client.sendmail("a@a.example", ["b@b.example"], LETTER)
        assert caught.value.smtp_code == 451
        (sink.folder / "mailbox.db").rmdir()
        client.sendmail("a@a.example", ["b@b.example"], LETTER)
    assert len(MailboxStore(sink.folder).letters("b@b.example", 10)) == 1


def test_letters_come_newest_first_and_page_by_page(tmp_path: Path) -> None:
    store = MailboxStore(tmp_path)
    numbers = [store.keep("a@a.example", ["b@b.example"], b"%d" % i) for i in range(5)]
    store.close()
    first = store.letters("b@b.example", 2)
    assert [k.id for k in first] == numbers[:2:-1]
    assert [k.id for k in store.letters("b@b.example", 9, before=first[-1].id)] == numbers[2::-1]


def test_before_the_first_letter_there_is_nothing_to_read(tmp_path: Path) -> None:
    store = MailboxStore(tmp_path)
    assert (store.addresses(), store.letters("a@b.example", 5), store.letter(1)) == ([], [], None)
    assert not list(tmp_path.iterdir())
