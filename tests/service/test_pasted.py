"""Addresses as they are pasted: what parts them, whose a name is, and that none is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.names import NAME_LENGTH
from service.players.pasted import Named, line_of, named

ZOE, MARC = Named("zoe@x.org"), Named("marc@y.org")


@pytest.mark.parametrize(
    "between",
    ["\n", "\r\n\r\n", ",", ", ", ";", " ; ", " ", "\t", "\u00a0", ">,<", "> <", "\u2028", ",;\n,"],
)
def test_whatever_parts_them_every_address_is_a_guest(between: str) -> None:
    text = between.join(["zoe@x.org", "marc@y.org"])
    assert named(f"<{text}>" if ">" in between else text) == [ZOE, MARC]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zoé <zoe@x.org>", [("zoe@x.org", "Zoé")]),
        ("Zoé (work) <zoe@x.org>", [("zoe@x.org", "Zoé work")]),
        ("zoe@x.org Marc (m) <marc@y.org>", [("zoe@x.org", ""), ("marc@y.org", "Marc m")]),
        ("Zoé Roux zoe@x.org", [("zoe@x.org", "Zoé Roux")]),
        ("Zoé: zoe@x.org", [("zoe@x.org", "Zoé")]),
        ("zoe@x.org (Zoé)", [("zoe@x.org", "Zoé")]),
        ("zoe@x.org Zoé Roux", [("zoe@x.org", "Zoé Roux")]),
        ("Zoé\tzoe@x.org\tMarc\tmarc@y.org", [("zoe@x.org", "Zoé"), ("marc@y.org", "Marc")]),
        ("zoe@x.org Zoé marc@y.org Marc", [("zoe@x.org", "Zoé"), ("marc@y.org", "Marc")]),
        ("zoe@x.org (Zoé) marc@y.org (Marc)", [("zoe@x.org", "Zoé"), ("marc@y.org", "Marc")]),
        ("(Zoé) zoe@x.org (Marc) marc@y.org", [("zoe@x.org", "Zoé"), ("marc@y.org", "Marc")]),
        ("zoe@x.org Marc <marc@y.org>", [("zoe@x.org", ""), ("marc@y.org", "Marc")]),
        ("Zoé <zoe@x.org> Marc <marc@y.org>", [("zoe@x.org", "Zoé"), ("marc@y.org", "Marc")]),
        ('"Doe, John" <j@x.org>', [("j@x.org", "Doe, John")]),
        (
            '"Doe; John" <j@x.org>; Zoé <zoe@x.org>',
            [("j@x.org", "Doe; John"), ("zoe@x.org", "Zoé")],
        ),
        (
            'j@x.org (Doe, John), "Roy, É." <e@x.org>',
            [("j@x.org", "Doe, John"), ("e@x.org", "Roy, É.")],
        ),
        (r'"Jo \"Jo\" Doe" <j@x.org>', [("j@x.org", "Jo Jo Doe")]),
        ('"Zoé <zoe@x.org>', [("zoe@x.org", "Zoé")]),
        ("Zoé (work <zoe@x.org>", [("zoe@x.org", "Zoé work")]),
        ("D’Arc O'Neil <d.o'neil@x.org>", [("d.o'neil@x.org", "D’Arc O'Neil")]),
    ],
)
def test_a_name_goes_with_its_address(text: str, found: list[tuple[str, str]]) -> None:
    assert [(who.address, who.name) for who in named(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        '"zoe@x.org" <zoe@x.org>',
        '"zoe@home.org" <zoe@x.org>',
        "'zoe@x.org' <zoe@x.org>",
        "zoe@x.org <zoe@x.org>",
        "zoe@x.org<mailto:zoe@x.org>",
        '"zoe@x.org"',
        "[zoe@x.org]",
        "'mailto:zoe@x.org':",
    ],
)
def test_an_address_for_a_name_is_no_other_guest(text: str) -> None:
    assert named(text) == [ZOE]


@pytest.mark.parametrize("text", ['"zoe@x.org, marc@y.org"', "zoe@x.org (marc@y.org)"])
def test_an_address_in_quotes_or_brackets_is_a_guest(text: str) -> None:
    assert named(text) == [ZOE, MARC]


def test_what_holds_no_address_is_kept_to_be_refused() -> None:
    assert named("Zoé, from  work\n@zoe") == [Named("Zoé"), Named("from work"), Named("@zoe")]


def test_nothing_is_nobody() -> None:
    assert named(' \n,;, "" "  " <> () ') == []


PASTED = st.text(alphabet="ab@.:é'\"\\<>()[],; \t\nmailto", max_size=80)


@given(PASTED)
def test_no_address_becomes_a_name_and_what_is_shown_reads_the_same(text: str) -> None:
    found = named(text)
    for who in found:
        assert "@" not in who.name
        assert len(who.name) <= NAME_LENGTH
        assert who.address
        assert named(line_of(who)) == [who]
    assert named("\n".join(line_of(who) for who in found)) == found


WORD = st.text(alphabet="abcdé-", min_size=1, max_size=8)


@given(st.lists(st.tuples(WORD, st.sampled_from([" ", "\t", "\n", ", ", "; ", " Zoé "]))))
def test_none_is_lost(parts: list[tuple[str, str]]) -> None:
    # Numbered, for an address directly repeated is one.
    addresses = [f"{word}{n}@x.org" for n, (word, _) in enumerate(parts)]
    text = "".join(a + between for a, (_, between) in zip(addresses, parts, strict=True))
    assert [who.address for who in named(text)] == addresses
