"""The house style is written into templates without harming them."""

from __future__ import annotations

import re

import jinja2
import pytest

from service.mail.render.style import SHEET, Sheet, StyledLoader, StyleError, tokens
from service.render.templating import TEMPLATES

CSS = """
.a { color: #111111; margin: 0 }
.b { color: #222222; }
.quiet, .b.c { color: #333333; }
@media (prefers-color-scheme: dark) {
  .a { color: #eeeeee !important; }
}
"""


@pytest.fixture
def sheet() -> Sheet:
    return Sheet(CSS)


def test_the_cascade_is_worked_out_for_each_set_of_classes(sheet: Sheet) -> None:
    assert sheet.inline('<p class="quiet">', "t") == '<p style="color:#333333">'
    assert sheet.inline('<p class="b c quiet">', "t") == '<p style="color:#333333">'
    both = sheet.inline('<p class="a b">', "t")
    assert 'class="a"' in both
    assert "color:#222222" in both
    assert "margin:0" in both


def test_only_media_rules_stay_a_sheet(sheet: Sheet) -> None:
    assert sheet.media == "@media (prefers-color-scheme:dark){.a{color:#eeeeee!important}}"


def test_a_letter_keeps_the_rules_that_its_tags_wear() -> None:
    media = "@media (max-width: 480px) { .a, .b { color: #111111 } .c { color: #222222 } }"
    sheet = Sheet(CSS.partition("@media")[0] + media)
    letter = f'<style>{sheet.media}</style><p class="b">'
    kept = '<style>@media (max-width:480px){.b{color:#111111}}</style><p class="b">'
    assert sheet.worn(letter) == kept


def test_template_code_survives_wherever_it_stands(sheet: Sheet) -> None:
    source = (
        '<table class="a">\n'
        '  {% for x in rows if x.n > 1 %}<tr title="{{ x.n }}"><td class="b">{{ x.t }}</td></tr>\n'
        "  {% endfor %}</table>"
    )
    env = jinja2.Environment(
        loader=StyledLoader(jinja2.DictLoader({"t.html": source}), sheet), autoescape=True
    )
    said = env.get_template("t.html").render(rows=[{"n": 1, "t": "x"}, {"n": 2, "t": "<y>"}])
    assert "".join(said.split("\n")) == (
        '<table class="a" style="color:#111111;margin:0">'
        '<tr title="2"><td style="color:#222222">&lt;y&gt;</td></tr></table>'
    )


def test_texts_are_left_alone(sheet: Sheet) -> None:
    loader = StyledLoader(jinja2.DictLoader({"t.txt": '  class="a"'}), sheet)
    assert loader.get_source(jinja2.Environment(autoescape=True), "t.txt")[0] == '  class="a"'


@pytest.mark.parametrize(
    "source", ['<p class="misspelt">', '<p class="{{ x }}">', '<p style="color:red">']
)
def test_a_template_that_cannot_be_styled_is_refused(sheet: Sheet, source: str) -> None:
    with pytest.raises(StyleError, match=r"^t\.html: "):
        sheet.inline(source, "t.html")


@pytest.mark.parametrize("css", ["p { color: red }", ".a p { color: red }", "@import url(x.css);"])
def test_a_sheet_that_cannot_be_inlined_is_refused(css: str) -> None:
    with pytest.raises(StyleError):
        Sheet(css)


def test_every_class_of_the_house_style_is_used() -> None:
    css = re.sub(r"/\*.*?\*/", "", (TEMPLATES / SHEET).read_text("utf-8"), flags=re.DOTALL)
    defined = set(re.findall(r"\.([a-z][a-z0-9-]*)\b[^;{}]*\{", css))
    sources = [*TEMPLATES.glob("mail/**/*.html"), *TEMPLATES.glob("games/*/letter.html")]
    found = (re.findall(r'class="([^"]*)"', source.read_text("utf-8")) for source in sources)
    used = {name for names in found for each in names for name in each.split()}
    assert len(defined) > 30
    assert defined == used


def test_colours_are_those_of_the_pages_by_day_and_by_night() -> None:
    sheet = Sheet(
        ".a { color: var(--ink); }"
        "@media (max-width: 480px) { .a { color: var(--ink) !important; } }"
        "@media (prefers-color-scheme: dark) { .a { color: var(--ink) !important; } }"
    )
    day, night = tokens("light")["ink"], tokens("dark")["ink"]
    assert day != night
    assert f'style="color:{day}"' in sheet.inline('<p class="a"></p>', "x.html")
    narrow, dark = sheet.media.split("@media (prefers")
    assert day in narrow
    assert night in dark


def test_a_colour_the_house_has_not_is_an_error() -> None:
    with pytest.raises(StyleError, match="mauve"):
        Sheet(".a { color: var(--mauve); }")


def test_pages_and_letters_name_no_colours_of_their_own() -> None:
    source = (TEMPLATES / SHEET).read_text("utf-8")
    assert set(re.findall(r"#[0-9A-F]{6}", source)) == {"#FFFFFF"}
    base = (TEMPLATES / "pages" / "base.html").read_text("utf-8")
    assert set(re.findall(r"#[0-9A-F]{6}", base)) == {
        tokens(scheme)["ground"] for scheme in ("light", "dark")
    }
