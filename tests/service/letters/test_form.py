"""What every letter must be, whatever it says: read by readers that forgive nothing."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import urlsplit

import html5lib
import pytest

from service.mail.render import KINDS
from service.render.templating import LANGUAGES, translations
from tests.support.known_letters import NAMES
from tests.support.letters_to_png import parts_of

STRICT = policy.SMTP.clone(raise_on_defect=True)
VOID = {"br", "img", "meta", "link", "input", "hr"}
ADDRESS = re.compile(r"https?://[^\s\"'<>]+")
PAGES = {"", "m", "t", "s", "w", "i", "in", "a", "u"}
PAGES |= {"again", "erase", "learn", "rules", "settings"}

pytestmark = pytest.mark.parametrize("name", NAMES)


class Outline(HTMLParser):
    """An HTML part as a flat list of tags, checked for nesting while it is read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {attrs}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for found, attrs in self.tags if found == tag]


def test_it_is_a_message_without_defects(known: dict[str, bytes], name: str) -> None:
    raw = known[name]
    message = message_from_bytes(raw, policy=STRICT)
    assert isinstance(message, EmailMessage)
    for part in message.walk():
        assert not part.defects
        if not part.is_multipart():
            part.get_content()
    kinds = [p.get_content_type() for p in message.walk() if p.get_content_type() != "image/png"]
    assert kinds[:2] == ["multipart/alternative", "text/plain"]
    assert kinds[-1] == "text/html"
    assert message["Content-Language"] == name.rpartition(".")[2]
    assert raw.isascii()
    lines = raw.split(b"\r\n")
    # An address in a header cannot be folded; all else is.
    assert max(len(line) for line in lines if not line.startswith(b"List-Unsubscribe: ")) <= 78
    assert max(map(len, lines)) <= 998
    assert not any(b"\n" in line or b"\r" in line for line in lines)


def test_the_text_is_complete_by_itself(known: dict[str, bytes], name: str) -> None:
    _, text, html, _ = parts_of(known[name])
    # A rule is linked in its page, which is named at the end.
    linked = {address.partition("#")[0] for address in ADDRESS.findall(unescape(html))}
    assert linked - set(ADDRESS.findall(text)) == set()
    for line in text.splitlines():
        # What is copied is on one line: several look like several turns.
        whole = line.startswith(("~ ", "python3")) or ADDRESS.fullmatch(line)
        assert len(line) <= 72 or whole
        assert not line.startswith("~  ")
        assert line == line.rstrip()
    assert "\n\n\n" not in text


def test_every_address_is_one_of_ours(known: dict[str, bytes], name: str) -> None:
    message, text, _, _ = parts_of(known[name])
    listed = ADDRESS.findall(message.get("List-Unsubscribe", ""))
    for address in ADDRESS.findall(text) + listed:
        parts = urlsplit(address)
        assert parts.netloc == "paleopost.test"
        assert parts.path.split("/")[1] in PAGES
        assert not parts.fragment


def test_the_hypertext_is_sound_and_harmless(known: dict[str, bytes], name: str) -> None:
    _, _, html, pictures = parts_of(known[name])
    # The parser of the HTML standard, which raises what a validator calls an error.
    html5lib.HTMLParser(strict=True).parse(html)
    outline = Outline(html)
    tags = {tag for tag, _ in outline.tags}
    assert tags.isdisjoint({"script", "link", "iframe", "object", "form", "input", "video", "base"})
    for tag, attrs in outline.tags:
        assert not [a for a in attrs if a.startswith("on") or a in ("background", "srcset")]
        if tag != "a":
            assert "href" not in attrs
    assert "url(" not in html
    assert "@import" not in html
    shown = [(attrs["src"] or "").removeprefix("cid:") for attrs in outline.all("img")]
    assert shown == list(pictures)


def test_it_is_made_for_readers_of_all_kinds(known: dict[str, bytes], name: str) -> None:
    _, _, html, _ = parts_of(known[name])
    outline = Outline(html)
    lang = name.rpartition(".")[2]
    assert [attrs.get("lang") for attrs in outline.all("html")] == [lang]
    for image in outline.all("img"):
        # What a small picture beside a choice or an example shows is said there.
        beside_words = (image["src"] or "").startswith(("cid:choice", "cid:example", "cid:instead"))
        assert image["alt"] == "" if beside_words else len(image["alt"] or "") > 40
        assert image["width"]
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for at, (tag, attrs) in enumerate(outline.tags):
        if tag == "table" and attrs.get("role") != "presentation":
            assert ("th", {"scope": "col"}) in [
                (t, {"scope": a.get("scope")}) for t, a in outline.tags[at : at + 4]
            ]
    # Filters take tiny text for words that are hidden.
    assert not re.search(r"font-size:[0-9](?:\.\d+)?px", html)
    # Inboxes know one or the other way to break a word that is longer than a phone is wide.
    for style in (attrs.get("style") or "" for _, attrs in outline.tags):
        if "monospace" in style:
            assert "overflow-wrap:anywhere" in style
            assert "word-break:break-word" in style
    assert "prefers-color-scheme:dark" in html
    assert "max-width:480px" in html


def test_it_is_small(known: dict[str, bytes], name: str) -> None:
    _, _, html, _ = parts_of(known[name])
    assert len(html.encode()) <= 20_000


@cache
def translated() -> list[tuple[str, str]]:
    """The sentences of the catalogue, English and French."""
    catalogue = getattr(translations("fr"), "_catalog")  # noqa: B009
    pairs = [
        (k.partition("\x04")[2] or k, v)
        for k, v in catalogue.items()
        if isinstance(k, str) and " " in k and "%" not in k
    ]
    assert len(pairs) > 50
    return [pair for pair in pairs if pair[0] != pair[1] and len(pair[0]) > 15]


def test_no_sentence_is_left_untranslated(known: dict[str, bytes], name: str) -> None:
    _, text, html, _ = parts_of(known[name])
    said = f"{' '.join(text.split())}\n{unescape(html)}"
    other = 0 if name.endswith(".fr") else 1
    for pair in translated():
        assert pair[other] not in said


def test_all_kinds_in_all_languages(known: dict[str, bytes], name: str) -> None:
    assert name in known
    kinds = {known_name.partition(".")[0].partition("-")[0] for known_name in known}
    assert kinds == set(KINDS)
    assert {known_name.rpartition(".")[2] for known_name in known} == set(LANGUAGES)
