"""Names and addresses as people, and people of ill will, type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.names import NAME_LENGTH, BadAddress, clean_address, clean_name, name_from_address


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ana   Lu ", "Ana Lu"),
        ("Ana\r\nBcc: all@example.org", "Ana Bcc: all@example.org"),
        ("Ana\u202eluL", "AnaluL"),
        ("A\u200bna", "Ana"),
        ("<b>Ana</b>", "<b>Ana</b>"),
        ("e\u0301lan", "élan"),
        ("\x00\x1b[31mred", "[31mred"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("a\u2028b", "a b"),
        ("http://evil.example", "http evil.example"),
        ("HTTPS://WWW.evil.example/x", "HTTPS evil.example/x"),
        ("www.www.evil.example", "evil.example"),
        ("w:\u200b//ww:://ww", "w ww: ww"),
        ("Ana www.evil.example", "Ana evil.example"),
        ("awww. Ana", "awww. Ana"),
    ],
)
def test_a_name_is_one_line_that_turns_nothing_around(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "  ", "\r\n", "\u202e\u200b", "\u200d"])
def test_nothing_left_of_a_name_gives_the_other(typed: str) -> None:
    assert clean_name(typed, "Guest") == "Guest"


@given(st.text())
def test_any_name_is_short_and_printable(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= NAME_LENGTH
    assert all(c.isprintable() or c == "\u200d" for c in name)
    assert clean_name(name) == name


@given(st.text("htps:/w.\u200b\u200d ", max_size=60))
def test_no_name_is_an_address_to_press(text: str) -> None:
    name = clean_name(text)
    assert "://" not in name
    assert not name.startswith("www.")
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Ana@Example.ORG ", "ana@example.org"),
        ("ana.lu+games@mail.example.org", "ana.lu+games@mail.example.org"),
        ("ana@paleopost.test", "ana@paleopost.test"),
        ("ana@bücher.example.org", "ana@xn--bcher-kva.example.org"),
    ],
)
def test_an_address_has_one_form(typed: str, kept: str) -> None:
    assert clean_address(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ana",
        "ana@",
        "@example.org",
        "a b@example.org",
        "ana@example.org\nBcc: b@example.org",
        "ana@example.org,b@example.org",
        "Ana <ana@example.org>",
        "ana@localhost",
        "ana@[127.0.0.1]",
        "x" * 300 + "@example.org",
    ],
)
def test_what_is_no_address_is_refused_with_what_was_typed(typed: str) -> None:
    with pytest.raises(BadAddress) as caught:
        clean_address(typed)
    assert caught.value.address == typed[:100]


def test_a_name_can_be_had_from_an_address() -> None:
    assert name_from_address("ana.lu+play@example.org") == "Ana Lu"
