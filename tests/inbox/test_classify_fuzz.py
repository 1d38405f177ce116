"""Bytes of any kind raise nothing, and fields that others add do not swallow a person's mail."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.mail.parse.authentication import verdict
from service.mail.parse.classify import Classification, classify
from service.mail.parse.message import parse
from service.mail.parse.reports import report_of
from tests.inbox.kept import DOMAIN, kept
from tests.inbox.test_classify import PERSON
from tests.support.cases import cases

pytestmark = pytest.mark.slow

CORPUS = [mail.raw for mail in kept("autoreplies", "reports", "others")]
PEOPLE = [m for m in kept("others") if m.facts["kind"] == "person"]

PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [
            b"\r\n",
            b"\r\n\r\n",
            b"\x00",
            b"\xff\xfe",
            b"=?utf-8?q?=ff?=",
            b"=?x?b?!?=",
            b"Content-Type: message/delivery-status\r\n\r\n",
            b"Content-Type: multipart/report; report-type*=x''%FF; boundary=\r\n",
            b"Content-Transfer-Encoding: base64\r\n",
            b"Final-Recipient: utf-8; \\x{110000}\\x{D800}\r\nAction: failed\r\n",
            b"Authentication-Results: mx.play.example.org; dkim=pass (((\r\n",
            b"From: <<<>>>@@\r\n",
            b"X-Failed-Recipients: \xe9@\xe9\r\n",
        ]
    ),
)


def everything(raw: bytes, envelope: str | None = None) -> Classification:
    """All that is asked of a mail here."""
    message = parse(raw)
    report_of(message, envelope)
    assert verdict(message, "mx.play.example.org", "ana@example.com") in ("pass", "fail", "none")
    return classify(message, envelope, DOMAIN)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A kept mail with some of its bytes cut out, doubled or replaced."""
    raw = draw(st.sampled_from(CORPUS))
    for _ in range(draw(st.integers(1, 6))):
        a = draw(st.integers(0, len(raw)))
        b = min(len(raw), a + draw(st.integers(0, 200)))
        middle = draw(st.one_of(PIECES, st.just(raw[a:b] * 2), st.just(b"")))
        raw = raw[:a] + middle + raw[b:]
    return raw


@given(raw=mutated(), envelope=st.sampled_from([None, "", "<>", "ana@example.org"]))
@settings(max_examples=cases(300))
def test_mutated_mail_raises_nothing(raw: bytes, envelope: str | None) -> None:
    everything(raw, envelope)


@given(raw=st.one_of(st.binary(max_size=2000), st.lists(PIECES, max_size=30).map(b"".join)))
@settings(max_examples=cases(300))
def test_random_bytes_raise_nothing(raw: bytes) -> None:
    everything(raw)


NAMES = st.from_regex(r"X-[A-Za-z]{1,12}(-[A-Za-z]{1,12}){0,3}", fullmatch=True).filter(
    lambda name: (
        not name.lower().startswith(
            (
                "x-auto",
                "x-paleopost",
                "x-precedence",
                "x-loop",
                "x-beenthere",
                "x-failed",
                "x-mail-auto",
            )
        )
    )
)
VALUES = st.one_of(
    st.from_regex(r"[ -~]{0,60}", fullmatch=True),
    st.sampled_from(["yes", "true", "auto-replied", "bulk", "list", "out of office", "All", "<>"]),
)


@given(fields=st.lists(st.tuples(NAMES, VALUES), max_size=12), at=st.integers(0, len(PEOPLE)))
@settings(max_examples=cases(300))
def test_a_persons_mail_stays_a_persons(fields: list[tuple[str, str]], at: int) -> None:
    """Spam filters, companies and clients add fields of their own to people's mail."""
    extra = "".join(f"{name}: {value}\r\n" for name, value in fields).encode()
    raw = PERSON % b"" if at == len(PEOPLE) else PEOPLE[at].raw
    envelope = "ana@example.org" if at == len(PEOPLE) else PEOPLE[at].facts["envelope_from"]
    assert everything(extra + raw, envelope) == Classification("person", "no-evidence")
