"""Mail from an ordinary mailbox on a real Dovecot: ours is taken, the rest left as it was."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from sqlalchemy import delete, text

from service.core.context import Service
from service.core.models import InboundMail, MailPlace
from service.core.tls import CertificateRefused
from service.mail.receive import imap
from service.mail.receive.imap import PATIENCE, Reader
from service.mail.receive.imapbox import Abort, Error, connect
from tests.inbound.conftest import House
from tests.support.certificates import Certificate
from tests.support.commands import Begun, command
from tests.support.dovecot import Dovecot
from tests.support.stack import clean_environment
from tests.support.tables import Jobs, settings_for

OWNER = "host@provider.example"
DONE = "Paleopost/Done"


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    server = Dovecot()
    yield server
    server.remove()


class Mailbox:
    """A host's own mailbox with plus-addressing, and the product that reads in it."""

    def __init__(self, dovecot: Dovecot, url: str, owner: str, **changes: str) -> None:
        self.dovecot, self.owner = dovecot, owner
        self.url = dovecot.url(owner)
        jobs = Jobs()
        settings = settings_for(url, IMAP_URL=self.url, PLUS_ADDRESS=owner, **changes)
        service = Service(settings, jobs)
        self.house = House(service, jobs)
        self.reader = Reader(service)
        self.client = dovecot.client(owner)

    def put(self, to: str, number: int, header: str = "To", more: str = "") -> bytes:
        """A mail arrives."""
        raw = (
            f"Return-Path: <ana@example.org>\r\n{header}: {to}\r\nFrom: ana@example.org\r\n"
            f"Message-ID: <{number}@x>\r\n{more}\r\nlay hunt-fire C4 D4\r\n"
        ).encode()
        self.client.append("INBOX", raw)
        return raw

    def look(self) -> int:
        """The product looks, over a connection of its own."""
        box = connect(self.url, DONE)
        try:
            return self.reader.look(box)
        finally:
            box.close()

    def left(self, folder: str = "INBOX") -> dict[str, tuple[bytes, ...]]:
        """The Message-IDs of a folder and their flags, without changing any."""
        self.client.select_folder(folder, readonly=True)
        found = self.client.fetch(
            self.client.search(), ["FLAGS", "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"]
        )
        return {
            next(v for k, v in data.items() if k.startswith(b"BODY["))
            .decode()
            .partition(":")[2]
            .strip(): tuple(f for f in data[b"FLAGS"] if f != b"\\Recent")
            for _, data in sorted(found.items())
        }

    def taken(self) -> list[InboundMail]:
        """What was stored."""
        return self.house.mails()


@pytest.fixture
def mailbox(dovecot: Dovecot, database_url: str, request: pytest.FixtureRequest) -> Mailbox:
    """A mailbox of this test's own."""
    return Mailbox(dovecot, database_url, f"m{abs(hash(request.node.name))}@provider.example")


@pytest.fixture
def light(dovecot: Dovecot, sqlite_url: str, request: pytest.FixtureRequest) -> Mailbox:
    """The same on SQLite alone."""
    return Mailbox(dovecot, sqlite_url, f"l{abs(hash(request.node.name))}@provider.example")


def test_ours_is_taken_and_moved_and_private_mail_untouched(mailbox: Mailbox) -> None:
    mailbox.put(mailbox.owner, 1)
    raw = mailbox.put(mailbox.house.address, 2)
    mailbox.put(f"Somebody <{mailbox.owner.replace('@', '+list@')}>", 3)
    assert mailbox.look() == 1
    [mail] = mailbox.taken()
    assert (mail.raw, mail.source) == (raw, "imap")
    assert (mail.recipient, mail.envelope_from) == (mailbox.house.address, "ana@example.org")
    assert mailbox.house.jobs.take("inbound.handle") == [(mail.id,)]
    assert mailbox.left() == {"<1@x>": (), "<3@x>": ()}
    assert mailbox.left(DONE) == {"<2@x>": (b"\\Seen",)}
    assert mailbox.look() == 0
    mailbox.put(mailbox.house.address, 4)
    assert mailbox.look() == 1
    assert list(mailbox.left(DONE)) == ["<2@x>", "<4@x>"]


@pytest.mark.parametrize(
    "header", ["Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc", "tO"]
)
def test_the_tag_is_found_in_every_header_that_names_it(light: Mailbox, header: str) -> None:
    more = "" if header.lower() == "to" else "To: undisclosed-recipients:;\r\n"
    light.put(f'"The table" <{light.house.address}>, x@y.example', 1, header, more)
    light.put("x@y.example", 2, more=f"X-Forwarded-To: {light.house.address}\r\n")
    assert light.look() == 1
    assert light.left() == {"<2@x>": ()}


def test_of_private_mail_only_recipients_are_asked_for(light: Mailbox) -> None:
    light.put(light.owner, 1)
    box = connect(light.url, DONE)
    [(_, head)] = box.heads(box.uids(0))
    assert head.decode().split() == ["To:", light.owner]
    box.close()


def test_reports_have_the_null_path(light: Mailbox) -> None:
    bounce = light.house.bounce(9)
    light.client.append("INBOX", f"Return-Path: <>\r\nTo: {bounce}\r\n\r\nno\r\n".encode())
    assert light.look() == 1
    [mail] = light.taken()
    assert (mail.envelope_from, mail.recipient) == ("", bounce)


def test_a_mail_to_two_of_our_addresses_is_for_both(light: Mailbox) -> None:
    other = light.house.issue("two")
    light.put(f"{light.house.address}, {other}", 1)
    assert light.look() == 1
    assert [m.recipient for m in light.taken()] == [light.house.address, other]


def test_what_is_too_long_is_cut(light: Mailbox) -> None:
    light.house.service.settings = settings_for(
        light.house.service.settings.database_url, INBOUND_LIMIT="100000"
    )
    light.client.append(
        "INBOX",
        f"To: {light.house.address}\r\n\r\nlay hunt-fire C4 D4\r\n".encode() + b"x" * 200_000,
    )
    assert light.look() == 1
    assert len(light.taken()[0].raw) == 100_000


def test_what_was_committed_but_not_moved_is_moved_and_not_stored_again(
    light: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    light.put(light.house.address, 1)
    box = connect(light.url, DONE)

    class Killed(BaseException):
        """As if the process ended here."""

    def die(uid: int) -> None:
        raise Killed

    monkeypatch.setattr(box, "put_away", die)
    with pytest.raises(Killed):
        light.reader.look(box)
    box.close()
    assert len(light.taken()) == 1
    assert light.left() == {"<1@x>": ()}
    light.reader = Reader(light.house.service)
    light.look()
    assert len(light.taken()) == 1
    assert list(light.left(DONE)) == ["<1@x>"]


def test_a_place_is_kept_and_numbers_given_anew_are_looked_at_anew(mailbox: Mailbox) -> None:
    mailbox.put(mailbox.owner, 1)
    mailbox.look()

    def place() -> MailPlace:
        with mailbox.house.service.database.read() as session:
            return session.query(MailPlace).one()

    before = place()
    assert before.uid == 1
    assert mailbox.house.address not in before.mailbox
    # The folder is lost and made anew: its messages have the numbers of others (RFC 3501).
    mailbox.client.select_folder("INBOX")
    mailbox.client.delete_messages(mailbox.client.search())
    mailbox.client.expunge()
    mailbox.client.unselect_folder()
    for name in ("dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"):
        for file in (mailbox.dovecot.folder / "mail" / mailbox.owner).glob(name):
            file.unlink()
    time.sleep(1.1)  # Dovecot takes the second for the new UIDVALIDITY
    mailbox.client.logout()
    mailbox.client = mailbox.dovecot.client(mailbox.owner)
    mailbox.put(mailbox.house.address, 2)
    assert mailbox.look() == 1
    after = place()
    assert after.uidvalidity != before.uidvalidity
    assert mailbox.left() == {}


def test_private_mail_is_looked_at_once(light: Mailbox) -> None:
    asked: list[list[int]] = []

    def look() -> None:
        box = connect(light.url, DONE)
        heads = box.heads

        def noted(uids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
            asked.append(list(uids))
            return heads(uids)

        box.heads = noted  # type: ignore[method-assign]
        Reader(light.house.service).look(box)
        box.close()

    light.put(light.owner, 1)
    look()
    look()
    light.put(light.owner, 2)
    look()
    assert asked == [[1], [2]]


def test_old_mail_of_a_mailbox_that_is_new_to_us_is_left(light: Mailbox) -> None:
    import datetime as dt

    raw = f"To: {light.house.address}\r\n\r\nold\r\n".encode()
    long_ago = dt.datetime.now(dt.UTC) - dt.timedelta(days=60)
    light.client.append("INBOX", raw, msg_time=long_ago)
    assert light.look() == 0
    assert light.look() == 0
    with light.house.service.database.write() as work:
        work.session.execute(delete(MailPlace))
    light.client.append("INBOX", raw, msg_time=dt.datetime.now(dt.UTC) - dt.timedelta(days=20))
    assert light.look() == 1


@pytest.mark.skipif(os.getuid() != 0, reason="its reader must be another user than ours")
def test_a_message_that_cannot_be_read_does_not_stop_the_line(light: Mailbox) -> None:
    for number in (1, 2, 3):
        light.put(light.house.address, number)

    def file() -> Path:
        files = (light.dovecot.folder / "mail" / light.owner).glob("[cn][ue][rw]/*")
        return next(f for f in files if b"<2@x>" in f.read_bytes())

    file().chmod(0)
    looks = 0
    while len(light.taken()) < 2:
        looks += 1
        assert looks <= 2 * PATIENCE
        try:
            light.look()
        except (Abort, Error, OSError):
            continue
    assert [m.raw.count(b"<2@x>") for m in light.taken()] == [0, 0]
    file().chmod(0o600)
    light.put(light.house.address, 4)
    light.look()
    assert {"<1@x>", "<3@x>", "<4@x>"} <= set(light.left(DONE))


def test_a_message_that_cannot_be_moved_is_taken_once_and_left(light: Mailbox) -> None:
    in_the_way = light.dovecot.folder / "mail" / light.owner / ".Paleopost.Done"
    for number in (1, 2):
        light.put(light.house.address, number)
    in_the_way.touch()
    for _ in range(PATIENCE + 1):
        light.look()
    assert len(light.taken()) == 2
    in_the_way.unlink()
    light.put(light.house.address, 3)
    assert light.look() == 1
    assert list(light.left()) == ["<1@x>", "<2@x>"]
    assert list(light.left(DONE)) == ["<3@x>"]


def test_while_the_database_is_away_nothing_is_given_up(light: Mailbox) -> None:
    def rename(old: str, new: str) -> None:
        with light.house.service.database.write() as work:
            work.session.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    light.put(light.house.address, 1)
    rename("inbound", "elsewhere")
    for _ in range(PATIENCE + 2):
        with pytest.raises(imap.Unreachable):
            light.look()
    rename("elsewhere", "inbound")
    assert light.look() == 1
    assert light.left() == {}


def test_folders_are_named_as_the_server_names_them(sqlite_url: str) -> None:
    server = Dovecot(separator=".", prefix="INBOX.", without="IMAP4rev1 NAMESPACE UIDPLUS")
    try:
        mailbox = Mailbox(server, sqlite_url, OWNER)
        # What its owner has marked for removal must not be removed by us.
        mailbox.put(OWNER, 1)
        mailbox.client.select_folder("INBOX")
        mailbox.client.delete_messages([1])
        mailbox.put(mailbox.house.address, 2)
        assert mailbox.look() == 1
        assert mailbox.left() == {"<1@x>": (b"\\Deleted",)}
        assert list(mailbox.left("INBOX.Paleopost.Done")) == ["<2@x>"]
    finally:
        server.remove()


def environment(mailbox: Mailbox, **more: str) -> dict[str, str]:
    """What a process needs to read in this mailbox."""
    return clean_environment(
        SECRET_KEY="test-" * 8,
        DATABASE_URL=mailbox.house.service.database.url.render_as_string(False),
        REDIS_URL="redis://127.0.0.1:1/0",
        SMTP_URL="smtp://127.0.0.1:1",
        BASE_URL="http://paleopost.test",
        IMAP_URL=mailbox.url,
        PLUS_ADDRESS=mailbox.owner,
        **more,
    )


class Watching:
    """`paleopost imap` as a process."""

    def __init__(self, mailbox: Mailbox, **more: str) -> None:
        self._folder = Path(mkdtemp())
        self._said = self._folder / "said"
        words = ("-m", "service.cli", "imap")
        self.process = Begun(words, environment(mailbox, **more), self._folder, self._said)

    def said(self) -> str:
        """What it has logged."""
        return self._said.read_text()

    def stop(self) -> str:
        """End it; what it logged."""
        self.process.terminate()
        assert self.process.wait(120) == 0
        said = self.said()
        rmtree(self._folder)
        return said


def checked(mailbox: Mailbox, **more: str) -> str:
    """What `paleopost check` says of the mailbox."""
    done = command("check", env=environment(mailbox) | more)
    return next(one for one in done.stdout.splitlines() if " imap " in one)


def wait(condition: Callable[[], bool], patience: float = 240) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_process_hears_at_once_and_comes_back_after_a_loss(sqlite_url: str) -> None:
    server = Dovecot()
    try:
        mailbox = Mailbox(server, sqlite_url, OWNER)
        watching = Watching(mailbox, IMAP_EVERY="3600")
        try:
            mailbox.put(mailbox.house.address, 1)
            wait(lambda: len(mailbox.taken()) == 1)
            mailbox.put(mailbox.house.address, 2)
            wait(lambda: len(mailbox.taken()) == 2)
            server.stop()
            server.start()
            mailbox.client = server.client(OWNER)
            mailbox.put(mailbox.house.address, 3)
            wait(lambda: len(mailbox.taken()) == 3)
        finally:
            said = watching.stop()
        assert "mailbox_unreachable" in said
        assert mailbox.house.address not in said
        assert "p@ss" not in said
    finally:
        server.remove()


@pytest.mark.parametrize("scheme", ["imaps", "imap+starttls"])
def test_a_server_that_has_signed_its_own_certificate(
    sqlite_url: str, tmp_path: Path, scheme: str
) -> None:
    """It is not let hear the password until the operator says that it is the right one."""
    certificate = Certificate(tmp_path)
    server = Dovecot(certificate=certificate)
    try:
        mailbox = Mailbox(server, sqlite_url, OWNER)
        mailbox.put(mailbox.house.address, 1)
        mailbox.url = server.url(OWNER, scheme)
        box = connect(mailbox.url, DONE, certificate.pem)
        assert mailbox.reader.look(box) == 1
        box.close()
        with pytest.raises(CertificateRefused, match="self-signed certificate"):
            connect(mailbox.url, DONE)
        watching = Watching(mailbox)
        wait(lambda: "mailbox_unreachable" in watching.said())
        said = watching.stop()
        assert "the certificate of 127.0.0.1 is not believed: self-signed certificate" in said
        assert "MAIL_CA" in said
        mailbox.put(mailbox.house.address, 2)
        watching = Watching(mailbox, MAIL_CA_FILE=str(certificate.file))
        wait(lambda: len(mailbox.taken()) == 2)
        assert "mailbox_unreachable" not in watching.stop()
        assert checked(mailbox).startswith("WRONG")
        assert "MAIL_CA" in checked(mailbox)
        assert checked(mailbox, MAIL_CA_FILE=str(certificate.file)).split()[0] == "ok"
    finally:
        server.remove()


def test_the_check_says_whether_the_mailbox_answers(light: Mailbox) -> None:
    assert checked(light).split()[0] == "ok"
    wrong = checked(light, IMAP_URL=light.url.replace("p%40ss", "pass"))
    assert wrong.startswith("WRONG")
    assert "IMAP_URL" in wrong
    assert "pass" not in wrong
