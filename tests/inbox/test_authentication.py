"""Whether the receiving server vouches for a sender: as servers write it, and as forgers do."""

from __future__ import annotations

import time

import pytest

from service.mail.parse.authentication import verdict
from service.mail.parse.message import parse

OURS = "mx.play.example.org"
SENDER = "ana@example.com"
RECEIVED = "Received: from a by mx.play.example.org; Sat, 21 Nov 2026 12:00:00 +0100\n"


def of(fields: str, sender: str = SENDER, server: str | None = OURS) -> str:
    """The verdict on a mail that begins with these fields."""
    text = f"{fields}From: <{sender}>\nSubject: Re: Sapiens\n\nstatus\n"
    return verdict(parse(text.encode().replace(b"\n", b"\r\n")), server, sender)


def says(*results: str, server: str = OURS) -> str:
    """The field in which a server says this."""
    return f"Authentication-Results: {server};\n\t" + ";\n\t".join(results) + "\n"


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        # OpenDKIM, OpenDMARC, rspamd, Gmail, policyd-spf, amavis
        (
            ["dkim=pass (2048-bit key; unprotected) header.d=example.com header.i=@example.com"],
            "pass",
        ),
        (['dkim=pass header.i=@example.com header.s=20230601 header.b="ab/+="'], "pass"),
        (
            ["spf=pass (mx: ana@example.com designates 192.0.2.1) smtp.mailfrom=ana@example.com"],
            "pass",
        ),
        (["spf=pass (mailfrom) smtp.mailfrom=example.com (client-ip=192.0.2.1; helo=x)"], "pass"),
        (["dmarc=pass (p=none dis=none) header.from=example.com"], "pass"),
        (["dmarc=pass"], "pass"),
        # Relaxed alignment, both ways
        (["dkim=pass header.d=mail.example.com"], "pass"),
        (["spf=pass smtp.mailfrom=bounce@out.example.com"], "pass"),
        # One of several signatures is enough
        (["dkim=fail header.d=example.com", "dkim=pass header.d=example.com"], "pass"),
        (["dkim=pass header.d=lists.example.net", "spf=pass smtp.mailfrom=example.com"], "pass"),
        # Somebody else's
        (["dkim=pass header.d=evil.example"], "none"),
        (["dkim=pass header.d=notexample.com"], "none"),
        (["dkim=pass header.d=com"], "none"),
        (["spf=pass smtp.mailfrom=ana@evil.example"], "none"),
        (["dmarc=pass header.from=evil.example"], "none"),
        (["spf=pass smtp.helo=example.com"], "none"),
        (['spf=pass smtp.mailfrom="x; dkim=pass header.d=example.com"@evil.example'], "none"),
        (["spf=pass (dkim=pass header.d=example.com) smtp.mailfrom=evil.example"], "none"),
        # Failures
        (["dkim=fail header.d=example.com"], "fail"),
        (["spf=fail smtp.mailfrom=ana@example.com"], "fail"),
        (["spf=softfail smtp.mailfrom=ana@example.com"], "fail"),
        (["dmarc=fail (p=reject dis=none) header.from=example.com"], "fail"),
        (["dmarc=fail header.from=example.com", "spf=pass smtp.mailfrom=example.com"], "fail"),
        (["dkim=fail header.d=example.com", "spf=pass smtp.mailfrom=example.com"], "pass"),
        (["dkim=fail header.d=lists.example.net"], "none"),
        # Nothing said
        (["none"], "none"),
        (["dkim=none", "spf=neutral smtp.mailfrom=example.com"], "none"),
        (["dkim=temperror header.d=example.com"], "none"),
        (["auth=pass smtp.auth=ana@example.com"], "none"),
    ],
)
def test_what_servers_say(results: list[str], wanted: str) -> None:
    assert of(says(*results) + RECEIVED) == wanted


def test_a_name_counts_in_any_case_and_with_a_version() -> None:
    assert of(says("dkim=pass header.d=Example.COM", server="MX.play.example.org 1")) == "pass"
    assert of(says("dkim=pass header.d=example.com"), server="MX.Play.Example.ORG") == "pass"


def test_a_parent_domain_may_sign_for_those_below_it_but_no_sister() -> None:
    assert of(says("dkim=pass header.d=example.com"), "ana@mail.example.com") == "pass"
    assert of(says("dkim=pass header.d=out.example.com"), "ana@mail.example.com") == "none"


def test_another_servers_word_counts_for_nothing() -> None:
    forged = says("dkim=pass header.d=example.com", server="mx.elsewhere.example")
    assert of(forged) == "none"
    assert of(says("dkim=pass header.d=example.com"), server=None) == "none"
    assert of(says("dkim=pass header.d=example.com"), server="") == "none"


def test_a_sender_cannot_vouch_for_themselves_in_our_name() -> None:
    forged = says("dkim=pass header.d=example.com", "dmarc=pass header.from=example.com")
    # Ours stands above: of a method it has the word, and below a Received nothing counts.
    assert of(says("dkim=none") + RECEIVED + forged) == "none"
    assert of(says("dkim=fail header.d=example.com", "dmarc=fail") + forged) == "fail"
    assert of(says("dkim=none") + says("dmarc=none") + forged) == "none"


def test_servers_may_say_it_in_several_fields() -> None:
    fields = says("spf=none smtp.mailfrom=example.com") + says("dkim=pass header.d=example.com")
    assert of("Return-Path: <ana@example.com>\n" + RECEIVED + fields) == "pass"


@pytest.mark.parametrize(
    "field",
    [
        # Exchange without a name; nonsense; nothing
        "Authentication-Results: spf=pass smtp.mailfrom=a.com; dkim=pass header.d=example.com\n",
        "Authentication-Results:\n",
        f"Authentication-Results: {OURS}\n",
        f"Authentication-Results: {OURS}; dkim\n",
        f"Authentication-Results: {OURS}; dkim=pass header.d=\n",
        f"Authentication-Results: {OURS}; dkim=pass (((header.d=example.com\n",
        f"Authentication-Results: {OURS}; dkim=pass header.d=exämple.com\n",
    ],
)
def test_what_cannot_be_read_says_nothing(field: str) -> None:
    assert of(field) == "none"


@pytest.mark.parametrize("sender", ["", "ana", "ana@localhost", "@", "ana@"])
def test_senders_without_a_domain(sender: str) -> None:
    assert of(says("dkim=pass header.d=example.com"), sender=sender) == "none"


def test_fields_made_to_take_long_do_not() -> None:
    start = time.process_time()
    for piece in ("(", "()", "a=b ", '"', "\\", "; dkim=pass ", "dkim=pass (x) "):
        assert of(f"Authentication-Results: {OURS}; {piece * (7000 // len(piece))}\n") == "none"
    assert time.process_time() - start < 5
