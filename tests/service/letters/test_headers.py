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

from service.letters import headers
from service.names import clean_name

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
        "dedupe": "turn.abc.0.t1",
        "thread": "match.abc.0",
        "group": "match.abc",
        "unsubscribe": "https://paleopost.test/settings",
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
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "In-Reply-To",
        "References",
        "List-Id",
        "List-Unsubscribe",
        "Content-Language",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
    ]
    assert message["From"] == "Paleopost <play@paleopost.test>"
    assert message["Date"].datetime == dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
    assert message["Message-ID"] == "<turn.abc.0.t1@paleopost.test>"
    assert message["References"] == message["In-Reply-To"] == "<match.abc.0@paleopost.test>"
    assert message["List-Id"] == "<match.abc.paleopost.test>"
    assert message["List-Unsubscribe"] == "<https://paleopost.test/settings>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"


def test_a_letter_that_was_asked_for_is_of_no_list_and_no_thread() -> None:
    message = parsed(headers.lines(heading(thread=None, group=None, unsubscribe=None)))
    for field in ("In-Reply-To", "References", "List-Id", "List-Unsubscribe"):
        assert field not in message


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_in_its_field(name: str) -> None:
    found = headers.lines(heading(name=name, subject=f"Sapiens with {name}"))
    message = parsed(found)
    assert len(message.keys()) == len(set(message.keys())) == 12
    assert [a.addr_spec for a in message["To"].addresses] == ["eve@example.org"]
    assert message["To"].defects == ()
    text = "\r\n".join(found)
    assert text.isascii()
    assert max(len(line) for line in text.split("\r\n")) <= 78 or name == "E" * 500


@given(st.text(max_size=80), st.text(max_size=80))
def test_names_and_subjects_come_back_as_they_were(name: str, other: str) -> None:
    name, other = clean_name(name), clean_name(other)
    subject = " ".join(f"Sapiens avec {name} et {other}".split())
    found = headers.lines(heading(name=name, subject=subject))
    assert parsed(found)["Subject"] == subject
    # The stdlib's own reader of address fields loses spaces between encoded words: decode them by
    # hand.
    unfolded = found[1].removeprefix("To: ").replace("\r\n ", " ")
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
    ("field", "value"),
    [
        ("to", "eve@example.org\r\nBcc: x@example.org"),
        ("to", "eve@example.org,x@example.org"),
        ("to", "no address"),
        ("sender", "Play <play@paleopost.test>"),
        ("domain", "paleopost.test\r\n"),
        ("lang", "en\nX: y"),
        ("unsubscribe", "https://paleopost.test/\r\nX: y"),
    ],
)
def test_what_cannot_stand_in_a_header_is_refused(field: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"is no address|cannot stand"):
        headers.lines(heading(**{field: value}))


def test_a_message_id_is_made_of_any_key() -> None:
    plain = parsed(headers.lines(heading(dedupe="turn.abc.0.t1")))["Message-ID"]
    odd = parsed(headers.lines(heading(dedupe="turn.abc.0.combat: A > B")))["Message-ID"]
    assert plain == "<turn.abc.0.t1@paleopost.test>"
    assert re.fullmatch(r"<[0-9a-f]{40}@paleopost\.test>", odd)
