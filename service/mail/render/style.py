"""The house style of letters, written into the templates once, when they are loaded.

Inboxes need the style of an element on the element itself. Inlining a finished letter costs as much
as writing it, and inlining a template's source breaks it: an HTML parser moves `{% for %}` out of
tables. So the style sheet (`templates/mail/_style.css`) knows classes only, css-inline works the
cascade out for every set of classes that a template names, and the `class="..."` in its source gets
the `style="..."` beside it. What stands in `@media` (dark mode, narrow screens) cannot be inlined:
it stays a sheet in the letter's head, and the classes it speaks of stay in the tags; all other
class names are dropped.

Colours come from the style sheet of the pages, where the house has them by day and by night.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import css_inline
import jinja2

SHEET = "mail/_style.css"
HOUSE = Path(__file__).resolve().parents[2] / "web" / "static" / "style.css"
"""Where the colours are: in its first two `:root`, that of the day and that of the night."""

_CLASS = re.compile(r'\bclass="([^"]*)"')
_OWN_STYLE = re.compile(r"<[a-z][^>]*\sstyle=", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_RULE = re.compile(r"(\.[a-z0-9.,-]+)(\{[^{}]*\})")
_NAME = re.compile(r"\.([a-z][a-z0-9-]*)")
_SELECTORS = re.compile(r"\s*(?:\.[a-z][a-z0-9-]*)+(?:\s*,\s*(?:\.[a-z][a-z0-9-]*)+)*\s*")
_ROOT = re.compile(r":root\s*\{([^{}]*)\}")
_TOKEN = re.compile(r"--([a-z-]+):\s*(#[0-9A-Fa-f]{6})\s*;")
_VAR = re.compile(r"var\(--([a-z-]+)\)")
_SPACE = re.compile(r"\s*([{}:;,!])\s*|\s+")


class StyleError(ValueError):
    """The style sheet or a template asks for something that cannot be written into tags."""


class Sheet:
    """One style sheet, split into what is inlined and what stays a sheet (`media`)."""

    def __init__(self, css: str) -> None:
        css = _COMMENT.sub("", css)
        base, blocks = _split(css)
        self._base = _coloured(base, "light")
        media = "\n".join(_coloured(block, _scheme_of(block)) for block in blocks)
        for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", self._base):
            if not _SELECTORS.fullmatch(selectors):
                raise StyleError(f"only classes can be inlined, not {selectors.strip()!r}")
        self.media = _squeezed(media)
        self._inliner = css_inline.CSSInliner(load_remote_stylesheets=False)
        self._live = set(_NAME.findall(media))
        self._known = self._live | set(_NAME.findall(re.sub(r"\{[^{}]*\}", " ", self._base)))
        self._attributes = cache(self._resolve)
        self._media_with = cache(self._spared)

    def inline(self, source: str, name: str) -> str:
        """A template's source with the style written into its tags. Raises StyleError for an
        unknown or computed class, and for a tag with a style of its own.
        """
        if own := _OWN_STYLE.search(source):
            raise StyleError(f"{name}: {own.group()!r}: the style belongs into {SHEET}")
        try:
            styled = _CLASS.sub(lambda found: self._attributes(found.group(1)), source)
        except StyleError as error:
            raise StyleError(f"{name}: {error}") from error
        return _INDENT.sub("", styled)

    def worn(self, html: str) -> str:
        """A finished letter with as much of `media` as its tags wear: the rest is weight."""
        classes = " ".join(set(_CLASS.findall(html))).split()
        return html.replace(self.media, self._media_with(frozenset(classes)), 1)

    def _spared(self, worn: frozenset[str]) -> str:
        def kept(rule: re.Match[str]) -> str:
            selectors = [each for each in rule[1].split(",") if each[1:] in worn]
            return f"{','.join(selectors)}{rule[2]}" if selectors else ""

        return _RULE.sub(kept, self.media)

    def _resolve(self, names: str) -> str:
        classes = names.split()
        if unknown := [c for c in classes if c not in self._known]:
            raise StyleError(f"no such class: {' '.join(unknown)}")
        page = f'<html><head><style>{self._base}</style></head><body><p class="{names}"></p></body>'
        found = re.search(r'<p class="[^"]*"(?: style="([^"]*)")?>', self._inliner.inline(page))
        if found is None:
            raise StyleError(f"cannot work out the style of {names!r}")
        kept = " ".join(c for c in classes if c in self._live)
        declarations = _squeezed(found.group(1) or "").rstrip(";")
        return " ".join(
            f'{attribute}="{value}"'
            for attribute, value in (("class", kept), ("style", declarations))
            if value
        )


class StyledLoader(jinja2.BaseLoader):
    """Loads HTML templates with the sheet written in, all others as they are."""

    def __init__(self, loader: jinja2.BaseLoader, sheet: Sheet) -> None:
        self._loader = loader
        self._sheet = sheet

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, path, fresh = self._loader.get_source(environment, template)
        if template.endswith(".html"):
            source = self._sheet.inline(source, template)
        return source, path, fresh

    def list_templates(self) -> list[str]:
        return self._loader.list_templates()


@cache
def tokens(scheme: str) -> dict[str, str]:
    """The colours of the house by name, "light" or "dark"."""
    day, night, *_ = (
        dict(_TOKEN.findall(root)) for root in _ROOT.findall(HOUSE.read_text("utf-8"))
    )
    return day if scheme == "light" else day | night


def _coloured(css: str, scheme: str) -> str:
    """A sheet whose `var()` are worked out. Raises StyleError for a colour the house has not."""
    known = tokens(scheme)
    try:
        return _VAR.sub(lambda found: known[found.group(1)], css)
    except KeyError as error:
        raise StyleError(f"the house has no colour {error}") from error


def _scheme_of(block: str) -> str:
    return "dark" if "prefers-color-scheme: dark" in block.partition("{")[0] else "light"


def _split(css: str) -> tuple[str, list[str]]:
    """The plain rules, and the @media blocks (which hold one level of rules)."""
    blocks = re.findall(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", css)
    plain = css
    for block in blocks:
        plain = plain.replace(block, "")
    if "@" in plain:
        raise StyleError(f"only @media can stay a sheet: {plain[plain.index('@') :][:40]!r}")
    return plain, blocks


def _squeezed(css: str) -> str:
    return _SPACE.sub(lambda m: m.group(1) or " ", css).replace(";}", "}").strip()
