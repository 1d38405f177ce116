"""Letters signed by us: verified by the other half of the key, the same bytes every time."""

from __future__ import annotations

import subprocess
from email import message_from_bytes, policy

import dkim
import pytest
import time_machine

from service.core.context import Service
from service.core.models import Letter
from service.core.settings import SettingsError
from service.mail.render import render
from service.players.accounts import ask_sign_in
from tests.support.tables import Jobs, World, settings_for


@pytest.fixture(scope="module")
def key() -> str:
    """An RSA key, of another make than the library."""
    made = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True)
    return made.stdout.decode()


@pytest.fixture(scope="module")
def published(key: str) -> bytes:
    """What the DNS says of it (RFC 6376 §3.6.1)."""
    made = subprocess.run(
        ["openssl", "rsa", "-pubout"], input=key.encode(), capture_output=True, check=True
    )
    body = b"".join(line for line in made.stdout.split(b"\n") if b"-----" not in line)
    return b"v=DKIM1; k=rsa; p=" + body


def signed(sqlite_url: str, key: str) -> tuple[bytes, bytes]:
    """A sign-in letter, rendered twice at different times."""
    jobs = Jobs()
    service = Service(settings_for(sqlite_url, DKIM_KEY=key, DKIM_SELECTOR="s1"), jobs)
    world = World(service, jobs)
    with service.database.write() as work:
        ask_sign_in(service, work, "zoe@example.org", "fr")
    (letter,) = world.letters(kind="signin")
    found = []
    for day in (21, 23):
        with time_machine.travel(f"2027-01-{day}"), service.database.read() as session:
            found.append(render(service, session, session.get_one(Letter, letter.id)))
    service.database.dispose()
    return found[0], found[1]


def test_the_signature_holds_and_is_the_same_again(
    sqlite_url: str, key: str, published: bytes
) -> None:
    asked = []

    def dns(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name.decode())
        return published

    first, again = signed(sqlite_url, key)
    assert first == again
    assert dkim.verify(first, dnsfunc=dns)
    assert asked[0].rstrip(".") == "s1._domainkey.paleopost.test"
    message = message_from_bytes(first, policy=policy.SMTP)
    fields = message["DKIM-Signature"].replace(" ", "").split(";")
    (names,) = [field[2:].split(":") for field in fields if field.startswith("h=")]
    assert {"from", "to", "subject", "date", "message-id", "mime-version"} <= set(names)
    assert names.count("from") == 2, "nobody can add another one"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Subject: ", b"Subject: No "),
        (b"Auto-Submitted: auto-generated", b"Auto-Submitted: no"),
        (b"Content-Transfer-Encoding: quoted-printable\r\n\r\n", b"\r\n\r\n"),
    ],
)
def test_what_was_changed_on_the_way_is_seen(
    sqlite_url: str, key: str, published: bytes, old: bytes, new: bytes
) -> None:
    letter, _ = signed(sqlite_url, key)
    assert old in letter
    assert not dkim.verify(letter.replace(old, new, 1), dnsfunc=lambda *_, **__: published)


def test_a_second_sender_breaks_it(sqlite_url: str, key: str, published: bytes) -> None:
    letter, _ = signed(sqlite_url, key)
    forged = b"From: <evil@example.org>\r\n" + letter
    assert not dkim.verify(forged, dnsfunc=lambda *_, **__: published)


def test_a_key_that_is_none_stops_the_start() -> None:
    with pytest.raises(SettingsError, match="DKIM_KEY"):
        settings_for("sqlite:///x.db", DKIM_KEY="secret")
