"""Headers hold what people typed, and never more than one field of it."""

from __future__ import annotations

import datetime as dt
import re
from email import message_from_string, policy
from email.header import decode_header, make_header
from email.utils import parseaddr
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.names import clean_name
from service.mail.render import headers
from service.outgoing.identity import local_id

HOSTILE = [
    "Eve\r\nBcc: victim@example.org",
    "Eve\nSubject: You have won",
    "Eve\r\n\r\n<script>alert(1)</script>",
    "Eve\x00\x0b\x0c\x85\u2028Bcc: victim@example.org",
    '"Eve" <victim@example.org>, x',
    "Eve\\",
    "=?utf-8?q?Eve=0D=0ABcc:_victim@example.org?=",
    "\u202eevE\u202c \u200f",
    "E" * 500,
    "É" * 500,
    "𝓣𝓱𝓮 𝓺𝓾𝓲𝓬𝓴 𝓫𝓻𝓸𝔀𝓷 𝓯𝓸𝔁 𝓳𝓾𝓶𝓹𝓼 𝓸𝓿𝓮𝓻",
]


def heading(**changes: Any) -> headers.Heading:
    """A heading that is in order but for the changes."""
    values: dict[str, Any] = {
        "sender": "play@paleopost.test",
        "to": "eve@example.org",
        "name": "Eve",
        "subject": "Sapiens with Ana",
        "date": dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC),
        "lang": "en",
        "domain": "paleopost.test",
        "message_id": "turn.abc.0.t1.mark@paleopost.test",
        "thread": "match.abc.0",
        "group": "match.abc",
        "kind": "turn",
        "reply_to": "r+aaaaaaaaaaaaaaaaaaaaaaaaaa@paleopost.test",
        "unsubscribe": (
            "https://paleopost.test/u/bbbbbbbbbbbbbbbbbbbbbbbbbb",
            "mailto:r+aaaaaaaaaaaaaaaaaaaaaaaaaa@paleopost.test?subject=mute",
        ),
    }
    return headers.Heading(**(values | changes))


def parsed(found: list[str]) -> Any:
    """The fields read back, defects raised."""
    text = "".join(f"{line}\r\n" for line in found) + "\r\n"
    return message_from_string(text, policy=policy.SMTP.clone(raise_on_defect=True))


def test_every_field_is_there_once_and_in_order() -> None:
    message = parsed(headers.lines(heading()))
    assert list(message.keys()) == [
        "From",
        "Reply-To",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "In-Reply-To",
        "References",
        "List-Id",
        "List-Unsubscribe",
        "List-Unsubscribe-Post",
        "Content-Language",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "X-Paleopost",
    ]
    assert message["From"] == "Paleopost <play@paleopost.test>"
    assert message["Date"].datetime == dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
    assert message["Message-ID"] == "<turn.abc.0.t1.mark@paleopost.test>"
    assert message["References"] == message["In-Reply-To"] == "<match.abc.0@paleopost.test>"
    assert message["List-Id"] == "<match.abc.paleopost.test>"
    assert message["Reply-To"].addresses[0].addr_spec == (
        "r+aaaaaaaaaaaaaaaaaaaaaaaaaa@paleopost.test"
    )
    assert message["List-Unsubscribe"] == (
        "<https://paleopost.test/u/bbbbbbbbbbbbbbbbbbbbbbbbbb>, "
        "<mailto:r+aaaaaaaaaaaaaaaaaaaaaaaaaa@paleopost.test?subject=mute>"
    )
    # RFC 8058 §3.1: this field, with this value alone
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["X-Paleopost"] == "turn"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"


def test_a_letter_that_was_asked_for_is_of_no_list_and_no_thread() -> None:
    message = parsed(headers.lines(heading(thread=None, group=None, unsubscribe=())))
    for field in ("In-Reply-To", "References", "List-Id", "List-Unsubscribe"):
        assert field not in message


def test_one_click_is_offered_by_https_only() -> None:
    message = parsed(headers.lines(heading(unsubscribe=("http://localhost:8000/u/x",))))
    assert message["List-Unsubscribe"] == "<http://localhost:8000/u/x>"
    assert "List-Unsubscribe-Post" not in message


def test_an_answer_stands_in_the_conversation_of_the_mail_it_answers() -> None:
    theirs, before = "<mail.7@example.org>", ("<root@example.org>", "<mail.6@example.org>")
    message = parsed(headers.lines(heading(replying=True, in_reply_to=theirs, references=before)))
    assert message["In-Reply-To"] == theirs
    assert message["References"].split() == [*before, theirs]
    assert message["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize(
    "hostile", ["no id", "<a@b>\r\nBcc: x@example.org", "<é@example.org>", f"<{'a' * 300}@b>", ""]
)
def test_an_id_that_is_none_starts_no_conversation(hostile: str) -> None:
    message = parsed(headers.lines(heading(in_reply_to=hostile, references=(hostile,))))
    assert message["In-Reply-To"] == message["References"] == "<match.abc.0@paleopost.test>"
    message = parsed(headers.lines(heading(in_reply_to="<a@b>", references=(hostile,))))
    assert message["References"] == "<a@b>"


def test_a_long_conversation_keeps_its_root_and_its_end() -> None:
    before = tuple(f"<mail.{n}@example.org>" for n in range(40))
    found = headers.lines(heading(in_reply_to="<last@example.org>", references=before))
    ids = parsed(found)["References"].split()
    assert (ids[0], ids[-2:]) == (before[0], [before[-1], "<last@example.org>"])
    assert len(ids) == 12


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_in_its_field(name: str) -> None:
    found = headers.lines(heading(name=name, subject=f"Sapiens with {name}"))
    message = parsed(found)
    assert len(message.keys()) == len(set(message.keys())) == 15
    assert [a.addr_spec for a in message["To"].addresses] == ["eve@example.org"]
    assert message["To"].defects == ()
    text = "\r\n".join(found)
    assert text.isascii()
    # An address cannot be folded.
    lines = [line for line in text.split("\r\n") if "<mailto:" not in line]
    assert max(map(len, lines)) <= 78 or name == "E" * 500


@given(st.text(max_size=80), st.text(max_size=80))
def test_names_and_subjects_come_back_as_they_were(name: str, other: str) -> None:
    name, other = clean_name(name), clean_name(other)
    subject = " ".join(f"Sapiens avec {name} et {other}".split())
    found = headers.lines(heading(name=name, subject=subject))
    assert parsed(found)["Subject"] == subject
    # The stdlib's own reader of address fields loses spaces between encoded words: decode them by
    # hand.
    unfolded = found[2].removeprefix("To: ").replace("\r\n ", " ")
    phrase, address = parseaddr(unfolded)
    assert address == "eve@example.org"
    assert str(make_header(decode_header(phrase))) == name


def test_line_breaks_in_a_subject_become_spaces_and_hard_spaces_stay() -> None:
    subject = "Sapiens\u00a0: c'est fini\r\nBcc: x@example.org\u2028\x00 !"
    message = parsed(headers.lines(heading(subject=subject)))
    assert message["Subject"] == "Sapiens\u00a0: c'est fini Bcc: x@example.org !"
    assert "Bcc" not in message


def test_a_name_in_the_shape_of_an_encoded_word_is_shown_as_typed() -> None:
    name = "=?utf-8?q?Anna?="
    assert parsed(headers.lines(heading(name=name)))["To"].addresses[0].display_name == name


@pytest.mark.parametrize(
    ("speaker", "shown"),
    [
        (None, "Paleopost"),
        ("Bruno", "Bruno (Paleopost)"),
        ("Zoé", "Zoé (Paleopost)"),
        ("Bruno <3", "Bruno <3 (Paleopost)"),
        ("M" * 40, "M" * 28 + " (Paleopost)"),
        ("support@bank.example", "Paleopost"),
        ("Bank.example", "Paleopost"),
        ("ana＠bank", "Paleopost"),
        ("me @ home", "Paleopost"),
    ],
)
def test_a_letter_with_a_players_words_shows_who_speaks_from_our_address(
    speaker: str | None, shown: str
) -> None:
    (sender,) = parsed(headers.lines(heading(speaker=speaker)))["From"].addresses
    assert sender.display_name == shown
    assert sender.addr_spec == "play@paleopost.test", "DMARC looks at the address (RFC 7489, 3.1)"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("to", "eve@example.org\r\nBcc: x@example.org"),
        ("to", "eve@example.org,x@example.org"),
        ("to", "no address"),
        ("sender", "Play <play@paleopost.test>"),
        ("domain", "paleopost.test\r\n"),
        ("lang", "en\nX: y"),
        ("unsubscribe", ("https://paleopost.test/\r\nX: y",)),
        ("reply_to", "r+a@paleopost.test\r\nX: y"),
        ("kind", "turn\r\nX: y"),
    ],
)
def test_what_cannot_stand_in_a_header_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"is no address|cannot stand"):
        headers.lines(heading(**{field: value}))


def test_a_message_id_is_made_of_any_key() -> None:
    plain, odd = (
        parsed(headers.lines(heading(message_id=f"{local_id(dedupe)}@paleopost.test")))[
            "Message-ID"
        ]
        for dedupe in ("turn.abc.0.t1", "turn.abc.0.combat: A > B")
    )
    assert plain == "<turn.abc.0.t1@paleopost.test>"
    assert re.fullmatch(r"<[0-9a-f]{40}@paleopost\.test>", odd)
