"""Replies as real programs write them: what the player wrote comes out, and nothing else."""

from __future__ import annotations

import pytest

from service.mail.parse.marks import SAMPLE
from service.mail.parse.message import Incoming, read
from tests.inbox import corpus, table


@pytest.mark.parametrize("name", corpus.names())
def test_reply(name: str) -> None:
    expected = corpus.expected(name)
    found = read(corpus.raw(name))
    assert found.own_text.split("\n") == expected.own_text.split("\n")
    assert (found.sender, found.forwarded) == (expected.sender, expected.forwarded)
    assert found.lang_hint == expected.lang
    assert f"r+{corpus.TOKEN}@play.example.org" in found.recipients


def test_the_corpus_has_all_it_should() -> None:
    """At least sixty mails; every client that is promised, most of them in both languages."""
    assert len(corpus.names()) >= 60
    for client in ("gmail-web", "gmail-android", "outlook-desktop", "outlook-web", "outlook-ios",
                   "outlook-android", "apple-mail-mac", "iphone", "thunderbird", "mutt", "k9",
                   "yahoo", "proton", "fastmail", "orange", "free"):  # fmt: skip
        for lang in ("en", "fr"):
            assert any(n.startswith(f"{client}-{lang}-") for n in corpus.names()), (client, lang)
    assert any(n.startswith("laposte-fr-") for n in corpus.names())


@pytest.mark.parametrize("name", corpus.names())
def test_no_own_text_holds_a_sample(name: str) -> None:
    assert not any(line.startswith(SAMPLE) for line in read(corpus.raw(name)).own_text.split("\n"))


def test_a_mail_is_told_whole() -> None:
    assert read(corpus.raw("gmail-web-fr-top")) == Incoming(
        message_id="CAF8x1b@mail.example.org",
        in_reply_to="turn.known.0.t1@play.example.org",
        references=("match.known.0@play.example.org", "turn.known.0.t1@play.example.org"),
        subject="Re: Sapiens avec Bruno (21 novembre 2026)",
        sender="ana@example.org",
        sender_name="Ana Morel",
        recipients=("r+tokentokentokentokentokent@play.example.org",),
        own_text="pose cueillette-feu F5S F5, prends festin-cueillette, retire chasse-feu",
        whole_text="pose cueillette-feu F5S F5, prends festin-cueillette, retire chasse-feu",
        quoted=True,
        forwarded=False,
        length=71,
        attachments=0,
        lang_hint="fr",
    )


@pytest.mark.parametrize(
    ("name", "attachments"),
    [
        ("apple-mail-mac-en-attachment", 1),
        ("attachment-fr-pdf", 2),
        ("outlook-web-en-picture", 0),
        ("smime-en-signed", 0),
        ("thunderbird-fr-forward-attached", 1),
        ("thunderbird-fr-openpgp", 0),
    ],
)
def test_attachments_are_counted_but_not_our_pictures_or_signatures(
    name: str, attachments: int
) -> None:
    assert read(corpus.raw(name)).attachments == attachments


def test_the_documentation_shows_this_corpus() -> None:
    """`python -m tests.inbox.table` writes it."""
    assert table.TARGET.read_text(encoding="utf-8") == table.table()
