"""Mutated mails and random bytes: reading never raises, takes no longer than the bytes are many,
and never takes a sample for a player's word.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from service.mail.parse.marks import SAMPLE
from service.mail.parse.message import parse, read
from tests.inbox import corpus
from tests.support.cases import cases

pytestmark = pytest.mark.slow

SAMPLES = tuple(
    " ".join(found.split())
    for found in (
        "lay picking-fire F5S F5, take feast-fire",
        "lay fight-camp D1 D1N, take picking-fight",
        "lay water-fire B5 B5S, take water-hunt",
        "lay picking-hunt A3 A3W, take picking-fight",
        "pose cueillette-feu F5S F5, prends festin-feu",
        "pose baston-campement D1 D1N, prends cueillette-baston",
        "pose eau-feu B5 B5S, prends eau-chasse",
        "pose cueillette-chasse A3 A3W, prends cueillette-baston",
    )
)
"""How the samples of the quoted letters begin; no own order of the corpus begins so."""

FIELDS = (b"From", b"To", b"Content-Type", b"Content-Transfer-Encoding", b"Message-ID", b"Subject")

mails = st.sampled_from(corpus.names()).map(corpus.raw)
few = settings(max_examples=cases(60), deadline=2_000, suppress_health_check=[HealthCheck.too_slow])


def check(raw: bytes) -> str:
    """Read it; its own text, with one space where there were several."""
    own = read(raw).own_text
    assert not any(line.startswith(SAMPLE) for line in own.split("\n"))
    return re.sub(r"\s+", " ", own)


@few
@given(st.binary(max_size=4_000))
@example(b"")
@example(b"From: \xff\xfe <a@b\n\n\x00")
@example(b"Content-Type: multipart/mixed\n\n--\n")
@example(b"Content-Type: text/plain; charset*=x''%FF; format=flowed\n\n>>> \xff")
@example(b"Content-Transfer-Encoding: base64\n\n=")
@example(b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\nzz")
def test_random_bytes(raw: bytes) -> None:
    check(raw)


@few
@given(mails, st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=8), st.integers(0, 40))))
def test_mutated_mails(raw: bytes, changes: list[tuple[float, bytes, int]]) -> None:
    for where, put, cut in changes:
        at = int(where * len(raw))
        raw = raw[:at] + put + raw[at + cut :]
    check(raw)


@few
@given(mails, mails, st.floats(0, 1), st.floats(0, 1))
def test_spliced_mails(one: bytes, other: bytes, here: float, there: float) -> None:
    check(one[: int(here * len(one))] + other[int(there * len(other)) :])


@few
@given(mails, st.sampled_from(FIELDS), st.binary(max_size=200))
def test_mails_with_a_wrong_field(raw: bytes, field: bytes, value: bytes) -> None:
    wrong = re.sub(rb"(?im)^" + field + rb":.*$", lambda _: field + b": " + value, raw)
    check(wrong)


@few
@given(mails, st.data())
def test_lines_that_come_and_go_never_make_a_sample_an_order(
    raw: bytes, data: st.DataObject
) -> None:
    """Lines of the body are lost or doubled, quote marks are taken off: no sample is own text."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = body.split(b"\n")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "blank", "bare"])):
            case "drop":
                del lines[at : at + data.draw(st.integers(1, 5))]
            case "double":
                lines[at:at] = lines[at : at + 3]
            case "blank":
                lines.insert(at, b"")
            case _:
                lines = [line.lstrip(b"> ") if b"~" in line else line for line in lines]
        if not lines:
            return
    own = check(head + b"\n\n" + b"\n".join(lines))
    assert not any(sample in own for sample in SAMPLES)


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: text/html\n\n" + b"<div>" * 100_000,
        b"Content-Type: text/html\n\n" + b"<blockquote><b>" * 30_000 + b"x",
        b"Content-Type: text/html\n\n<div " + b"a=b " * 100_000 + b">x",
        b"To: " + b"a@b.c, " * 200_000 + b"\n\nhi",
        b"From: " + b"(" * 500_000 + b"\n\nhi",
        b"Content-Type: text/plain; " + b"a=b; " * 200_000 + b"\n\nhi",
        b"Content-Type: text/plain; " + b"(" * 7_000 + b"\n\nhi",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3_000)
        ),
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000,
        b"\n\n" + b"On " * 100_000,
        b"\n\n" + b"On 21 a@\n" * 30_000,
        b"\n\n" + b"From: a\n" * 30_000,
        b"\n\n" + (b"a" * 390 + b":\n") * 3_000,
        b"\n\n" + (b"sent from my " * 20 + b":\n") * 3_000,
        b"\n\n" + b"> " * 200_000,
        b"\n\n" + b" " * 2_000_000 + b"x",
        b"Content-Type: text/plain; charset=punycode\n\n" + b"a-b" * 60_000,
        b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 30_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"AAAA" * 1_000_000,
    ],
    ids=lambda raw: raw[:40].decode("latin-1").strip()[:24] or "spaces",
)
def test_hostile_mails_take_no_time(raw: bytes) -> None:
    began = time.process_time()
    check(raw)
    assert time.process_time() - began < 3, "seconds of work for one mail"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_millions_of_lines_are_not_all_taken_apart(end: bytes) -> None:
    raw = b"From: ana@example.org" + end * 2 + b"status" + end * 2 + (b"> a" + end) * 400_000
    began = time.process_time()
    found = parse(raw)
    assert len(str(found.get_payload()).splitlines()) < 200_000
    assert read(raw).own_text == "status"
    assert time.process_time() - began < 3


def test_a_large_photograph_is_not_cut() -> None:
    picture = b"Content-Transfer-Encoding: base64\n\n" + (b"A" * 76 + b"\n") * 100_000
    assert len(str(parse(picture).get_payload()).splitlines()) == 100_000


def test_a_mail_nested_beyond_reason_keeps_its_headers() -> None:
    nest = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(99)
    )
    message = parse(b"From: ana@example.org\n" + nest)
    assert message["From"] == "ana@example.org"
    assert message.get_payload() == ""
