"""Letters as an IMAP server of another make takes them apart (RFC 3501 §7.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from typing import Any

import pytest
import time_machine

from service.mail.send import delivery
from service.matches.tables import BotSeat
from tests.support.known_letters import BEGAN
from tests.support.tables import World


@pytest.fixture(scope="module")
def taken_apart(known: dict[str, bytes]) -> Iterator[dict[str, dict[bytes, Any]]]:
    """What the server says of each letter, by name."""
    from tests.support.dovecot import Dovecot

    server = Dovecot()
    try:
        yield _put(server, known)
    finally:
        server.remove()


def _put(server: Any, letters: dict[str, bytes]) -> dict[str, dict[bytes, Any]]:
    client = server.client("reader")
    try:
        for raw in letters.values():
            client.append("INBOX", raw)
        client.select_folder("INBOX")
        numbers = client.search()
        found = client.fetch(numbers, ["ENVELOPE", "BODYSTRUCTURE", "RFC822.SIZE"])
        return dict(zip(letters, (found[n] for n in numbers), strict=True))
    finally:
        client.logout()


def shape(part: Any) -> Any:
    """A body structure as nested content types."""
    if isinstance(part[0], list):
        return (f"multipart/{part[1].decode().lower()}", [shape(p) for p in part[0]])
    return f"{part[0].decode().lower()}/{part[1].decode().lower()}"


def expected(message: Any) -> Any:
    """The same by the reader of the standard library."""
    if message.is_multipart():
        return (message.get_content_type(), [expected(p) for p in message.iter_parts()])
    return message.get_content_type()


def test_it_reads_in_every_letter_what_was_written(
    taken_apart: dict[str, dict[bytes, Any]], known: dict[str, bytes]
) -> None:
    assert len(taken_apart) == len(known) > 20
    for name, said in taken_apart.items():
        message = message_from_bytes(known[name], policy=policy.SMTP)
        envelope = said[b"ENVELOPE"]
        assert said[b"RFC822.SIZE"] == len(known[name])
        assert envelope.message_id.decode() == message["Message-ID"]
        assert str(make_header(decode_header(envelope.subject.decode()))) == message["Subject"]
        assert len(envelope.from_) == len(envelope.to) == 1
        assert envelope.from_[0].host == b"paleopost.test"
        assert f"{envelope.to[0].mailbox.decode()}@{envelope.to[0].host.decode()}" == (
            message["To"].addresses[0].addr_spec
        )
        if "Reply-To" in message:
            assert envelope.reply_to[0].mailbox.startswith(b"r+")
        assert shape(said[b"BODYSTRUCTURE"]) == expected(message)


def test_it_finds_the_calendar_file_beside_the_letter(own_world: World, game_key: str) -> None:
    from tests.support.dovecot import Dovecot

    with time_machine.travel(BEGAN, tick=False) as clock:
        match_id = own_world.open([BotSeat(bot="random")], game_key)
        while own_world.awaited(match_id).seat != 0:
            own_world.hear()
        clock.shift(60)
        (letter,) = own_world.letters(match_id, "turn")
        assert delivery.deliver(own_world.service, own_world.post, letter.id)
    server = Dovecot()
    try:
        said = _put(server, {"turn": own_world.post.sent[-1][2]})["turn"][b"BODYSTRUCTURE"]
    finally:
        server.remove()
    kind, (body, calendar) = shape(said)
    assert (kind, body[0], calendar) == (
        "multipart/mixed",
        "multipart/alternative",
        "text/calendar",
    )
