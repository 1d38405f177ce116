"""Anything said to the LMTP server over a socket: an answer of RFC 5321 and RFC 2033 or the end of
the connection, and never an error of ours. What is acknowledged is stored.
"""

from __future__ import annotations

import logging
import random
import re
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from service.core.models import InboundMail
from tests.inbound.conftest import House
from tests.support.cases import cases
from tests.support.lmtp import Listening

pytestmark = [pytest.mark.on_postgresql, pytest.mark.slow]

REPLY = re.compile(rb"[2-5][0-5][0-9][ -][\x20-\x7e]*\r\n")
"""A line of a reply (RFC 5321 section 4.2)."""
TAKEN = b"250 2.0.0 Taken\r\n"
CODES = {
    *(b"220", b"221", b"250", b"252", b"354", b"421", b"451", b"452", b"454", b"500", b"501"),
    *(b"502", b"503", b"504", b"538", b"550", b"551", b"552", b"553", b"554", b"555"),
}
"""The codes it may say (RFC 5321 section 4.2.3; 454: RFC 3207, 538: RFC 4954)."""

OPENING = (b"LHLO client.example", b"LHLO", b"EHLO client.example", b"HELO a", b"lhlo \xff\xfe")
SENDERS = (
    *(b"MAIL FROM:<a@b.example>", b"MAIL FROM:<>", b"mail from: <a@b.example> SIZE=300000"),
    *(b"MAIL FROM:a@b.example BODY=8BITMIME", b"MAIL FROM:<a@b.example> SIZE=x", b"MAIL FROM:<"),
    *(b"MAIL FROM:<\xff\xfe@b.example>", b"MAIL FROM:<a\x00b@b.example>", b"MAIL"),
    *(
        "MAIL FROM:<zoé@exemple.fr> SMTPUTF8".encode(),
        b"MAIL FROM:<" + b"a" * 5000 + b"@b.example>",
    ),
)
RECIPIENTS = (
    *(b"RCPT TO:<%s>", b"RCPT TO:<%s>", b"RCPT TO:<%s>", b"rcpt to: %s", b"RCPT TO:<%s> NOTIFY=X"),
    *(b"RCPT TO:<nobody@paleopost.test>", b"RCPT TO:<r+\xff@paleopost.test>", b"RCPT TO:<>"),
    *(b"RCPT TO:<r+\x00@paleopost.test>", b"RCPT", b"RCPT TO:<" + b"r+a" * 2000 + b">"),
)
TEXTS = (
    *(b"From: a@b.example\r\nMessage-ID: <%d@x>\r\n\r\nlay hunt-fire\r\n.", b"%d\r\n.", b"."),
    *(b"From: \xff\r\n\r\n\x00\x01\xfe%d\r\n.", b"..\r\n...%d\r\n.", b"%d\n.\r\n.\r\nQUIT\r\n."),
    *(b"a%d" + b"b" * 70_000 + b"\r\n.", b"a%d" + (b"c" * 900 + b"\r\n") * 300 + b"."),
)
OTHERS = (
    *(b"DATA", b"DATA", b"DATA", b"DATA now", b"RSET", b"NOOP", b"NOOP x", b"QUIT", b"VRFY a@b"),
    *(b"EXPN x", b"HELP", b"HELP MAIL", b"BDAT 10 LAST", b"AUTH PLAIN AHgAeA==", b"AUTH", b""),
    *(b"STARTTLS", b"XCLIENT ADDR=1.2.3.4", b"GET / HTTP/1.1", b"\x16\x03\x01\x02\x00\x01", b" "),
    *(b"\x00" * 50, b"N" * 3000, b"N" * 70_000, b"\r", b"\n", b"NOOP\nNOOP"),
)

said = st.one_of(
    *(st.sampled_from(words) for words in (OPENING, SENDERS, RECIPIENTS, TEXTS, OTHERS)),
    st.binary(max_size=80),
)
whole = st.tuples(
    st.just(b"LHLO client.example"),
    st.sampled_from(SENDERS[:3]),
    st.sampled_from(RECIPIENTS[:5]),
    st.just(b"DATA"),
    st.sampled_from(TEXTS),
).map(list)
conversations = st.lists(st.one_of(said.map(lambda one: [one]), whole), max_size=12).map(
    lambda parts: [line for part in parts for line in part]
)
ENDS = ("waits", "waits", "goes", "resets")
some = settings(max_examples=cases(60), deadline=None, suppress_health_check=list(HealthCheck))
_numbers = count(1)


class Errors(logging.Handler):
    """What is logged as an error by any library, from any thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.found.append(self.format(record))


@pytest.fixture
def errors() -> Iterator[Errors]:
    handler = Errors()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


def converse(port: int, lines: list[bytes], end: str, pieces: random.Random) -> bytes:
    """Say all of it at once, in pieces of any size; what was answered, "" to who has hung up."""
    data = b"".join(line + b"\r\n" for line in lines)
    if end == "waits":
        data += b"\r\n.\r\nQUIT\r\n"  # whatever it is at: who closes its half is not answered
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        try:
            while data:
                size = pieces.choice((1, 7, 100, 5000, len(data)))
                line.sendall(data[:size])
                data = data[size:]
            if end == "resets":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if end != "waits":
                return b""
            heard = bytearray()
            while part := line.recv(65_536):
                heard += part
        except (BrokenPipeError, ConnectionResetError):
            return b""  # it had hung up on us, with what we said on its way
    return bytes(heard)


def test_whatever_is_said_is_answered(house: House, errors: Errors) -> None:
    listening = Listening(house.service)
    told: Counter[str] = Counter()
    codes: Counter[bytes] = Counter()

    @some
    @given(conversations, st.sampled_from(ENDS), st.integers(0, 2**32))
    def talk(lines: list[bytes], end: str, seed: int) -> None:
        number = next(_numbers)
        filled = [
            line.replace(b"%s", house.address.encode()).replace(b"%d", b"%d" % number)
            for line in lines
        ]
        before = len(house.mails())
        heard = converse(listening.port, filled, end, random.Random(seed))
        told["conversations"] += 1
        told["lines"] += len(lines)
        replies = heard.splitlines(keepends=True)
        for reply in replies:
            assert REPLY.fullmatch(reply), reply
            assert reply[:3] in CODES, reply
            codes[reply[:3]] += 1
        taken = replies.count(TAKEN)
        told["taken"] += taken
        if taken:
            # The same text for the same recipient again is one mail.
            assert before < len(house.mails()) <= before + taken

    try:
        with structlog.testing.capture_logs() as logged:
            talk()
            until = time.monotonic() + 120
            while listening.gate.connections:
                assert time.monotonic() < until
                time.sleep(0.01)
        assert listening.gate.storing == 0
        assert listening.faults == []
        assert [event for event in logged if event["log_level"] in ("error", "warning")] == []
        assert errors.found == []
        assert told["taken"]
        line = listening.client()
        line.hello()
        mail = b"Message-ID: <last@x>\r\n\r\nlast"
        assert line.deliver("a@b.example", [house.address], mail)[-1] == "250 2.0.0 Taken"
    finally:
        listening.stop()
    with house.service.database.read() as session:
        assert session.scalars(select(InboundMail.raw).order_by(InboundMail.id.desc())).first()
    print(dict(told), dict(codes))
