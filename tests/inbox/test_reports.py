"""Delivery reports: the kept ones of many servers, then codes, words and addresses alone."""

from __future__ import annotations

import time

import pytest

from service.mail.parse.message import parse
from service.mail.parse.reports import Failure, Report, is_hard, report_of
from tests.inbox.kept import Kept, kept

REPORTS = kept("reports")


def formal(*blocks: str, kind: str = "delivery-status", before: str = "") -> Report | None:
    """What is made of a report with these blocks of fields about recipients."""
    body = "\n\n".join(("Reporting-MTA: dns; mx.example.org", *blocks))
    text = (
        "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered\nMIME-Version: 1.0\n"
        f"{before}Content-Type: multipart/report; report-type={kind}; boundary=b\n\n"
        f"--b\nContent-Type: text/plain\n\nIt failed.\n\n"
        f"--b\nContent-Type: message/{kind}\n\n{body}\n\n--b--\n"
    )
    return report_of(parse(text.encode().replace(b"\n", b"\r\n")))


def informal(
    text: str, subject: str = "failure notice", sender: str = "MAILER-DAEMON"
) -> Report | None:
    """What is made of a report in no standard's form."""
    raw = f"Return-Path: <>\nFrom: {sender}\nSubject: {subject}\n\n{text}\n"
    return report_of(parse(raw.encode().replace(b"\n", b"\r\n")))


def one(report: Report | None) -> Failure:
    """Its only failure."""
    assert report is not None
    assert len(report.failures) == 1
    return report.failures[0]


@pytest.mark.parametrize("mail", REPORTS, ids=lambda mail: mail.name)
def test_kept_reports_say_who_and_why(mail: Kept) -> None:
    facts = mail.facts
    report = report_of(parse(mail.raw), facts["envelope_from"])
    assert report is not None
    wanted = facts.get("failures", [])
    assert [(f.recipient, f.status, f.hard) for f in report.failures] == [
        (w.get("recipient"), w.get("status"), w["hard"]) for w in wanted
    ]
    for failure, want in zip(report.failures, wanted, strict=True):
        assert want["said"] in failure.diagnostic
    assert report.delayed == facts["delayed"]
    assert report.original_message_id == facts.get("original_message_id")


def test_the_kept_reports_are_of_all_sorts() -> None:
    facts = [mail.facts for mail in REPORTS]
    failures = [f for of in facts for f in of.get("failures", [])]
    assert sum(f["hard"] for f in failures) >= 5
    assert sum(not f["hard"] for f in failures) >= 5
    assert sum(of["delayed"] for of in facts) >= 3


@pytest.mark.parametrize("mail", kept("autoreplies", "others"), ids=lambda mail: mail.name)
def test_nothing_else_is_a_report(mail: Kept) -> None:
    assert report_of(parse(mail.raw), mail.facts["envelope_from"]) is None


@pytest.mark.parametrize(
    ("status", "diagnostic", "hard"),
    [
        ("5.1.1", "", True),
        ("5.1.10", "", True),
        ("5.2.1", "", True),
        ("5.4.1", "Access denied", True),
        ("5.4.4", "", True),
        ("5.5.0", "mailbox unavailable", True),
        ("5.1.8", "bad sender's system", False),
        ("5.2.2", "", False),
        ("5.2.3", "too long", False),
        ("5.3.4", "", False),
        ("5.4.7", "expired", False),
        ("5.4.300", "expired", False),
        ("5.6.0", "content", False),
        ("5.7.1", "User unknown", False),
        ("4.4.7", "expired", False),
        ("4.2.2", "", False),
        ("5.0.0", "", True),
        ("5.0.0", "550 5.2.2 full", False),
        ("5.0.0", "550 5.1.1 unknown", True),
        ("5.0.0", "552 no more", False),
        ("5.0.0", "421 later", False),
        ("5.0.0", "550 rejected as spam", False),
        ("4.0.0", "550 5.1.1 unknown", True),
        ("4.0.0", "", False),
        (None, "550 no such user", True),
        (None, "550-5.1.1 gone", True),
        (None, "450 greylisted", False),
        (None, "552 whatever", False),
        (None, "554 your mailbox is full", False),
        (None, "Adresse inconnue", True),
        (None, "boîte pleine, adresse inconnue", False),
        (None, "la boîte de Bruno est pleine", False),
        (None, "Sorry.", False),
        (None, "", False),
        # No codes: a version, a host's number, a queue's name.
        (None, "Exim 5.98.2 at 5.1.1.9", False),
        (None, "id 20261121.550-x", False),
    ],
)
def test_hard_and_soft(status: str | None, diagnostic: str, hard: bool) -> None:
    assert is_hard(status, diagnostic) == hard


def test_several_recipients_and_actions() -> None:
    report = formal(
        "Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1",
        "Final-Recipient: rfc822; b@example.org\nAction: Delayed\nStatus: 4.4.1",
        "Final-Recipient: rfc822; c@example.org\nAction: delivered\nStatus: 2.0.0",
        "Final-Recipient: rfc822; d@example.org\nAction: expanded\nStatus: 2.0.0",
        "Final-Recipient: rfc822; e@example.org\nAction: error\nStatus: 5.2.2",
        "Final-Recipient: rfc822; f@example.org\nStatus: 5.1.2",
    )
    assert report is not None
    assert [f.recipient for f in report.failures] == [
        "a@example.org",
        "e@example.org",
        "f@example.org",
    ]
    assert not report.delayed


def test_a_delay_counts_for_nothing() -> None:
    for action in ("delayed", "Delayed (for 4 hours)"):
        report = formal(f"Final-Recipient: rfc822; b@example.org\nAction: {action}\nStatus: 5.4.1")
        assert report == Report(failures=(), original_message_id=None, delayed=True)


def test_the_first_of_two_equal_fields_counts() -> None:
    block = "Final-Recipient: rfc822; a@example.org\nAction: failed\nAction: delivered"
    assert one(formal(f"{block}\nStatus: 5.1.1\nStatus: 2.0.0")).status == "5.1.1"


@pytest.mark.parametrize(
    ("fields", "recipient"),
    [
        ("Final-Recipient: rfc822; a@example.org", "a@example.org"),
        ("Final-Recipient: RFC822;A@Example.org", "a@example.org"),
        ("Final-Recipient: <a@example.org>", "a@example.org"),
        ("Final-Recipient: rfc822; <a@example.org>", "a@example.org"),
        ("Final-Recipient: rfc822; b@x.org\nOriginal-Recipient: rfc822;a@x.org", "a@x.org"),
        ("Final-Recipient: rfc822; b@x.org\nOriginal-Recipient: rfc822;a+2Bt@x.org", "a+t@x.org"),
        (
            "Final-Recipient: rfc822; a+2Bt@x.org\nOriginal-Recipient: rfc822;a+2Bt@x.org",
            "a+2bt@x.org",
        ),
        ("Final-Recipient: utf-8; l\\x{E9}on@x.org", "léon@x.org"),
        ("Final-Recipient: utf-8; l\\x{D800}on@x.org", "l\\x{d800}on@x.org"),
        ("Final-Recipient:", None),
    ],
)
def test_recipients(fields: str, recipient: str | None) -> None:
    failure = one(formal(f"{fields}\nAction: failed\nStatus: 5.1.1"))
    assert failure.recipient == recipient


def test_a_folded_diagnostic_is_one_line_and_not_endless() -> None:
    said = "Diagnostic-Code: smtp; 550-5.1.1 one\n 550 5.1.1\ttwo " + "x" * 900
    failure = one(formal(f"Final-Recipient: rfc822; a@example.org\nAction: failed\n{said}"))
    assert failure.diagnostic.startswith("550-5.1.1 one 550 5.1.1 two xxx")
    assert len(failure.diagnostic) == 300
    assert failure.status == "5.1.1"


def test_the_letter_a_report_answers_if_nothing_of_it_is_returned() -> None:
    block = "Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.1.1"
    report = formal(block, before="In-Reply-To: <x@play.example.org>\n")
    assert report is not None
    assert report.original_message_id == "x@play.example.org"
    report = formal(block, before="References: <root@play.example.org> <x@play.example.org>\n")
    assert report is not None
    assert report.original_message_id == "x@play.example.org"


def test_two_recipients_in_a_form_of_its_own_keep_their_own_reasons() -> None:
    report = informal(
        "Hi. This is the qmail-send program at mx.example.org.\n\n"
        "<a@example.org>:\nOver quota. (#5.2.2)\n\n<b@example.org>:\nNo such user. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\nMessage-ID: <x@play.example.org>\n"
    )
    assert report is not None
    assert [(f.recipient, f.status, f.hard) for f in report.failures] == [
        ("a@example.org", "5.2.2", False),
        ("b@example.org", "5.1.1", True),
    ]
    assert report.failures[0].diagnostic.startswith("Over quota. (#5.2.2)")
    assert "No such user" not in report.failures[0].diagnostic
    assert report.original_message_id == "x@play.example.org"


def test_words_alone_tell_if_nobody_is_named() -> None:
    failure = one(informal("Bonjour,\n\nVotre message n'est pas arrivé : destinataire inconnu."))
    assert failure == Failure(
        recipient=None,
        status=None,
        hard=True,
        diagnostic="Votre message n'est pas arrivé : destinataire inconnu.",
    )


def test_html_alone_tells_too() -> None:
    raw = (
        b"From: MAILER-DAEMON\r\nSubject: Undeliverable: Sapiens\r\nContent-Type: text/html\r\n\r\n"
        b"<style>p{550 x}</style><p>Delivery failed</p><p>550 5.2.2 mailbox <b>full</b></p>\r\n"
    )
    assert one(report_of(parse(raw))).diagnostic == "550 5.2.2 mailbox full"


def test_a_server_that_says_nothing_has_reported_nothing() -> None:
    assert informal("Hello.") is None
    letter = "Subject: 550 5.1.1 user unknown\n\nWho is that?"
    assert informal(f"Hello.\n\n--- Below this line is a copy of the message.\n\n{letter}") is None


def test_a_charset_nobody_knows_hides_nothing() -> None:
    field = b"Content-Type: text/plain; charset=x-own"
    raw = b"From: MAILER-DAEMON\r\n" + field + b"\r\n\r\n550 no such user\r\n"
    assert one(report_of(parse(raw))).hard


def test_a_delay_in_a_form_of_its_own() -> None:
    text = "Your message has not yet been delivered to:\n\n  a@slow.example\n"
    report = informal(text, subject="Warning: message x delayed 24 hours")
    assert report == Report(failures=(), original_message_id=None, delayed=True)


def test_people_report_nothing() -> None:
    text = "<bruno@example.org>:\n550 5.1.1 No such user. (#5.1.1)"
    assert informal(text, "Re: failure notice", "ana@example.org") is None
    raw = f"From: ana@example.org\r\nSubject: failure notice\r\n\r\n{text}\r\n".encode()
    assert report_of(parse(raw), "ana@example.org") is None


def test_a_report_that_is_made_to_take_long_does_not() -> None:
    start = time.process_time()
    informal("failed addresses follow:\n" + "x" * 290_000)
    informal("failed addresses follow:\n" + ("x" * 390 + "\n") * 700)
    informal("-" * 500_000 + "\n" + "domain " * 50_000)
    informal("<" * 200_000 + "style" * 10_000)
    assert time.process_time() - start < 5
