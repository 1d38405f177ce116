"""Links in what other players say: to be read in a letter, and to be clicked in no mail program."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from service.core import locks
from service.core.models import Letter
from service.mail.render import render
from service.mail.render.defused import defused
from service.matches import messages
from service.matches.tables import Guest
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

LINKS = (
    "https://evil.example/login?next=index.php",
    "evil.example",
    "www.evil.co.uk/a",
    "HTTP://EVIL.EXAMPLE",
    "http://192.0.2.7/x",
    "http://localhost:8000",
    "//evil.example",
    "ana@evil.example",
    "mailto:ana@evil.example",
    "tel:+33612345678",
    "javascript:alert(1)",
    "evil。example",
    "evil．example",
    "xn--evl-8la.xn--p1ai",
    "ev\u200dil.example",
    "bit.ly/abc",
)
_LINKED = re.compile(
    r"\w:/|(?<!\])//\w|\bwww\.|[^\s.\[][.。．][^\W\d_]{2}|\w@\w|\b(?:mailto|tel|javascript):|\d\.\d+\.\d",
    re.IGNORECASE,
)
"""What mail programs make links of, and more: bare domains, addresses, schemes."""


@pytest.mark.parametrize("link", LINKS)
def test_nothing_is_left_that_programs_make_a_link_of(link: str) -> None:
    assert _LINKED.search(link.replace("\u200d", "")), "the test would see it"
    shown = defused(f"Look: {link} (good)")
    assert not _LINKED.search(shown.removeprefix("Look: ")), shown
    assert re.sub(r"\[(.)\]", r"\1", shown).replace("/ /", "//") == f"Look: {link} (good)"


@pytest.mark.parametrize(
    "text", ["e.g. this... and so on. Next", "3.5 points at 10:02", "2:1", "Dr. No", "well – yes"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert defused(text) == text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_letter_shows_who_wrote_a_link_and_makes_none(
    world: World, game_key: str, lang: str
) -> None:
    world.player("ana@example.org", name="Ana", lang=lang)
    match_id = world.begun([Guest(address="bruno@example.org", name="Bruno")], game_key)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        messages.say(world.service, work, match, 1, "\n".join(LINKS), "links")
    with world.service.database.read() as session:
        letter = session.scalars(select(Letter).where(Letter.kind == "message")).one()
        _, text, html, _ = parts_of(render(world.service, session, letter))
    said = [line for line in text.replace("\r\n", "\n").split("\n") if line.startswith("| ")]
    assert len(said) == len(LINKS)
    assert not any(_LINKED.search(line) for line in said), said
    assert re.search(r"Bruno (wrote|a écrit), ", text)
    (quote,) = re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", html, re.DOTALL)
    assert "href" not in quote
    assert not _LINKED.search(re.sub(r"<[^>]*>", "\n", quote)), quote
    assert "evil[.]example" in html.split("</div>")[0], "in what the inbox shows, too"
