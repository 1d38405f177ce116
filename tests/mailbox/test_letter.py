"""Taking letters apart: ours, and whatever hostile bytes call themselves one."""

from __future__ import annotations

import datetime as dt
from email.message import EmailMessage

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from service.dev.mailbox.letter import passages, read, with_pictures
from service.dev.mailbox.store import Kept
from service.mail.render.letter_context import wrapped
from tests.support.cases import cases

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)


def kept(raw: bytes) -> Kept:
    now = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    return Kept(id=1, received_at=now, sender="", recipients=("a@b.example",), raw=raw)


def whole() -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "À toi de jouer\u202e"
    message["From"] = "Paleopost <play@paleopost.example>"
    message.set_content("Bonjour é\n")
    message.add_alternative('<p><img src="cid:board@x"> é</p>', subtype="html")
    _, html = message.iter_parts()
    assert isinstance(html, EmailMessage)
    html.add_related(PNG, "image", "png", cid="<board@x>", filename="board.png")
    message.add_attachment(b"BEGIN:VCALENDAR", "text", "calendar", filename="tour.ics")
    return message


def test_text_html_pictures_and_files_are_told_apart() -> None:
    letter = read(kept(whole().as_bytes()))
    assert letter.subject == "À toi de jouer\u202e"
    assert letter.author == "Paleopost <play@paleopost.example>"
    assert letter.text == "Bonjour é\n"
    assert letter.gist == "Bonjour é"
    assert [(p.kind, p.name, p.cid, p.body) for p in letter.pictures] == [
        ("image/png", "board.png", "board@x", PNG)
    ]
    assert [(p.kind, p.name) for p in letter.attachments] == [("text/calendar", "tour.ics")]
    assert letter.html is not None
    [picture] = letter.pictures
    shown = with_pictures(letter.html, letter.parts, "/part/")
    assert f'<img src="/part/{picture.number}"> é' in shown


def test_cid_addresses_without_a_part_and_percent_signs() -> None:
    letter = read(kept(whole().as_bytes()))
    text = '<img src=cid:board%40x><i style="background:url( \'CID:board@x\' )"><img src="cid:no">'
    number = letter.pictures[0].number
    assert with_pictures(text, letter.parts, "/p/") == (
        f'<img src=/p/{number}><i style="background:url( \'/p/{number}\' )"><img src="cid:no">'
    )


def test_an_svg_is_a_file_and_no_picture() -> None:
    message = EmailMessage()
    message.set_content("x")
    message.add_attachment(b"<svg onload='alert(1)'/>", "image", "svg+xml", filename="a.svg")
    letter = read(kept(message.as_bytes()))
    assert letter.pictures == ()
    assert [p.kind for p in letter.attachments] == ["image/svg+xml"]


def test_an_attached_page_is_not_taken_for_the_letter() -> None:
    raw = (
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n"
        b"Content-Disposition: attachment\r\n\r\n<b>file</b>\r\n--x--\r\n"
    )
    assert read(kept(raw)).html is None


HOSTILE = st.sampled_from(
    [
        b"=?",
        b"?=",
        b'charset="',
        b"unknown-8bit",
        b"\x00",
        b"\xff\xfe",
        b"utf-7",
        b"rot13",
        b"undefined",
        b"base64",
        b"uuencode",
        b"message/rfc822",
        b"multipart/mixed",
        b"*0*=",
        b"filename*=",
        b"%",
        b";",
        b"\r\n\r\n",
        b"\r\n ",
        b"=?utf-8?b?a?=",
        b"\xed\xa0\x80",
    ]
)


@settings(max_examples=cases(400))
@given(
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 20), HOSTILE | st.binary(max_size=4)), max_size=6
    )
)
def test_nothing_in_a_letter_makes_reading_it_fail(edits: list[tuple[float, int, bytes]]) -> None:
    raw = bytearray(whole().as_bytes())
    for where, length, text in edits:
        at = int(where * len(raw))
        raw[at : at + length] = text
    letter = read(kept(bytes(raw)))
    # Everything can be written out as UTF-8: no lone surrogate is left.
    msgspec.json.encode(letter)
    letter.gist.encode()
    with_pictures(letter.html or "", letter.parts, "/p/")


def test_sentences_are_whole_again_and_boards_keep_their_columns() -> None:
    sentence = " ".join(["words"] * 30)
    written = (
        f"Choose:\nhttps://a.example/t/1.\n\n1. {wrapped(sentence, '   ')}\n- no\n\n  A  B\n1 f  g"
    )
    links, said, board = passages(written)
    assert [run.text for run in links.lines[1]] == ["https://a.example/t/1", "."]
    assert [run.is_link for run in links.lines[1]] == [True, False]
    assert ["".join(run.text for run in line) for line in said.lines] == [f"1. {sentence}", "- no"]
    assert (board.drawn, len(board.lines)) == (True, 2)
    assert not said.drawn


def test_points_and_what_holds_together_are_whole_again() -> None:
    """Lines were broken before words that a space holds to a sign, and below a point further in."""
    held = "It is all about shelter, which comes from caves and from camps, so the"
    written = (
        f"{held}\ncaves\u00a0: today\n\n- Open: D1N 7|5\n  E1N 8|4\n\nA bear is ##.".splitlines()
    )
    first, second, third = passages("\n".join(written))
    assert ["".join(run.text for run in line) for line in first.lines] == [
        f"{held} caves\u00a0: today"
    ]
    assert ["".join(run.text for run in line) for line in second.lines] == [
        "- Open: D1N 7|5 E1N 8|4"
    ]
    assert not third.drawn


@given(st.text())
@settings(max_examples=cases(200))
def test_no_sign_of_a_text_is_lost(text: str) -> None:
    told = "".join(run.text for each in passages(text) for line in each.lines for run in line)
    assert "".join(told.split()) == "".join(text.split())
