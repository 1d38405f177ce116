"""The body is read back as it was written, by a reader that forgives nothing."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.mail.render.draft import Picture
from service.mail.render.mime import body

STRICT = policy.SMTP.clone(raise_on_defect=True)
PNG = bytes(range(256)) * 40


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=STRICT)
    assert isinstance(message, EmailMessage)
    return message


def test_text_then_html_with_its_pictures() -> None:
    pictures = [Picture("a@x.test", "a.png", PNG), Picture("b@x.test", "b.png", b"\x89PNG")]
    message = read(body("Hello\n", "<p>Hello</p>\n", pictures, "mark"))
    assert [p.get_content_type() for p in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "image/png",
    ]
    found = [p for p in message.walk() if p.get_content_type() == "image/png"]
    assert [p["Content-ID"] for p in found] == ["<a@x.test>", "<b@x.test>"]
    assert [p.get_content() for p in found] == [PNG, b"\x89PNG"]
    assert {p.get_content_disposition() for p in found} == {"inline"}


def test_without_pictures_there_is_nothing_related() -> None:
    message = read(body("Hello\n", "<p>Hello</p>\n", [], "mark"))
    assert [p.get_content_type() for p in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


def test_a_calendar_file_stands_beside_the_letter() -> None:
    file = b"BEGIN:VCALENDAR\r\nSUMMARY:\xc3\x89\r\nEND:VCALENDAR\r\n"
    message = read(
        body("Hello\n", "<p>Hello</p>\n", [Picture("a@x.test", "a.png", PNG)], "m", file)
    )
    assert [p.get_content_type() for p in message.iter_parts()] == [
        "multipart/alternative",
        "text/calendar",
    ]
    (part,) = message.iter_attachments()
    assert part.get_payload(decode=True) == file
    assert part.get_filename() == "paleopost.ics"
    assert part["Content-Type"].params["method"] == "PUBLISH"


# What a text part may hold: any character but those that end lines in some systems only.
TEXTS = st.text(
    st.characters(
        exclude_categories=["Cs"], exclude_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
    )
)


@given(TEXTS, TEXTS)
def test_texts_come_back_and_lines_stay_short(text: str, html: str) -> None:
    raw = body(text, html, [Picture("a@x.test", "a.png", PNG)], "mark")
    parts = [p for p in read(raw).walk() if p.get_content_maintype() == "text"]
    for part, sent in zip(parts, (text, html), strict=True):
        assert part.get_content() == "".join(f"{line}\r\n" for line in sent.splitlines() or [""])
    lines = raw.split(b"\r\n")
    assert max(map(len, lines)) <= 78
    assert b"\r" not in b"".join(lines)
    assert b"\n" not in b"".join(lines)
    assert raw.isascii()


@pytest.mark.parametrize("text", ["--=_amark", "--=_amark--", "--=_rmark", "."])
def test_a_text_cannot_end_its_part(text: str) -> None:
    message = read(body(f"{text}\nafter\n", "<p>x</p>\n", [], "mark"))
    assert next(iter(message.iter_parts())).get_content() == f"{text}\r\nafter\r\n"
