"""What assistive technology needs of every page: language, titles, headings, labels, landmarks."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from tests.support.reader import Reader
from tests.web.conftest import Site, path


class Outline(HTMLParser):
    """The skeleton of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.labels: set[str] = set()
        self.fields: list[dict[str, str]] = []
        self.told: list[str] = []
        self.marks: list[tuple[str, dict[str, str]]] = []
        self._wrapped = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        self.marks.append((tag, found))
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "label":
            self.labels.add(found.get("for", ""))
            self._wrapped += 1
        if tag in ("input", "select", "textarea") and found.get("type") != "hidden":
            self.fields.append(found | {"wrapped": "1" if self._wrapped else ""})
        self.told += found.get("aria-describedby", "").split()
        self.told += found.get("aria-labelledby", "").split()

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._wrapped -= 1


def pages(site: Site, lang: str) -> dict[str, str]:
    """The source of pages of every kind, by address."""
    match = site.table(guests=1, turns=5)
    row = site.awaited(match.id)
    player = match.seats[row.seat].player
    assert player is not None
    reader: Reader = site.signed_in(player.email, lang)
    reader.get(f"/rules?lang={lang}")
    turn = f"/m/{match.code}/{row.seat}/turn/{row.decision}"
    stranger = site.reader(lang)
    found = {
        address: reader.get(address).source
        for address in (
            *("/", "/matches", "/tables/new", "/settings", "/rules", "/rules/sapiens", "/nope"),
            *(turn, f"{turn}?order=dance", f"/m/{match.code}/{row.seat}", f"{turn[:-1]}1"),
        )
    }
    found["/sign-in"] = stranger.get("/sign-in").source
    found["watch"] = stranger.get(path(site.links.watch(match))).source
    return found


@pytest.mark.rarely("en")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_has_its_outline(site: Site, lang: str) -> None:
    for address, source in pages(site, lang).items():
        outline = Outline(source)
        tags = [tag for tag, _ in outline.marks]
        assert ("html", {"lang": lang}) in outline.marks, address
        assert source.count("<title>") >= 1
        assert "<title> " not in source.split("</head>")[0], address
        assert outline.headings.count(1) == 1, address
        assert outline.headings[0] == 1, address
        steps = zip(outline.headings, outline.headings[1:], strict=False)
        assert all(after - before <= 1 for before, after in steps), (address, outline.headings)
        for landmark in ("main", "header", "nav", "footer"):
            assert landmark in tags, address
        doubled = {name for name in outline.ids if outline.ids.count(name) > 1}
        assert not doubled, (address, doubled)
        assert set(outline.told) <= set(outline.ids), address
        for tag, attrs in outline.marks:
            if tag == "img":
                assert "alt" in attrs, address
            if tag == "svg" and attrs.get("role") == "img":
                assert "<title>" in source
            elif tag == "svg" and "viewBox" in attrs and "x" not in attrs:
                assert attrs.get("aria-hidden") == "true", (address, attrs)


@pytest.mark.rarely("en")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_field_has_its_label(site: Site, lang: str) -> None:
    for address, source in pages(site, lang).items():
        outline = Outline(source)
        for field in outline.fields:
            labelled = field.get("id") in outline.labels or field["wrapped"]
            assert labelled, (address, field)


def test_errors_are_announced_and_bound_to_their_field(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "nobody")
    outline = Outline(reader.press(form).source)
    field = next(f for f in outline.fields if f.get("name") == "address")
    assert field["aria-invalid"] == "true"
    assert field["aria-describedby"] == "address-wrong"
    assert any(a.get("id") == "address-wrong" for _, a in outline.marks)
    assert any(a.get("role") == "alert" and a.get("id") == "problem" for _, a in outline.marks)


def test_the_verdict_is_announced(site: Site) -> None:
    match = site.table(guests=1)
    reader = site.reader()
    page = reader.press(
        reader.whole(reader.get(site.turn_link(match))).form("/play/"), "Play this turn"
    )
    assert any(a.get("role") == "status" for _, a in Outline(page.source).marks)


def test_the_board_is_told_in_words(site: Site) -> None:
    match = site.table(guests=1)
    page = site.reader().get(site.turn_link(match))
    words = page.source.split("<desc>")[1].split("</desc>")[0]
    assert "Ana" in words
    assert "Guest 1" in words or "your" in words.lower()
