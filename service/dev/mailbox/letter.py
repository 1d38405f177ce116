"""A kept letter taken apart for showing. Whatever it is made of, reading it raises nothing."""

from __future__ import annotations

import html as markup
import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from textwrap import shorten
from urllib.parse import parse_qs, unquote, urlencode

import msgspec

from service.dev.mailbox.store import Kept
from service.mail.parse.marks import REPLY_ABOVE

# Pictures a browser shows without running anything in them (an SVG may hold a script).
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

# Characters of a letter's text that a list shows.
GIST = 110

# What the standard library raises on headers and charsets that are not what they say.
UNREADABLE = (MessageError, LookupError, ValueError)

# As `service.mail.render.letter_context.wrapped` breaks sentences
_COLUMNS = 72
_LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:)]")
# What begins a line of its own: a point of a list, an order, an address, a line below a heading
_BEGINS = re.compile(r"\s*(?:\d+\. |[-~*>=] ?|https?:)")
# A gap or an upright between two signs, as drawn boards and tables have
_DRAWN = re.compile(r"\S {2,}\S|[|+#]\S*[|+#]|[\u2500-\u257f]")

_CID = re.compile(r"""(?i)(=\s*["']?\s*|url\(\s*["']?\s*)cid:([^"'\s>)]+)""")

_MAILTO = re.compile(r"""(?i)(\bhref\s*=\s*)(["'])mailto:([^"'?]*)(?:\?([^"']*))?\2""")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of the letter. `number` names it in addresses, `cid` within the letter."""

    number: int
    kind: str
    name: str
    cid: str
    body: bytes

    @property
    def is_picture(self) -> bool:
        """True if it may be shown as a picture."""
        return self.kind in PICTURES


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A letter as the page shows it. `html` and `text` are None if it has no such part."""

    subject: str
    author: str
    text: str | None
    html: str | None
    headers: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]

    @property
    def gist(self) -> str:
        """The beginning of the text, to tell letters of one thread apart; without our marks."""
        lines = (self.text or "").splitlines()
        said = " ".join(line for line in lines if not line.startswith(REPLY_ABOVE))
        return shorten(said, GIST, placeholder=" …")

    @property
    def pictures(self) -> tuple[Part, ...]:
        """The parts that can be shown as pictures."""
        return tuple(part for part in self.parts if part.is_picture)

    @property
    def attachments(self) -> tuple[Part, ...]:
        """The parts that are neither shown as text nor as pictures."""
        shown = ("text/plain", "text/html")
        return tuple(p for p in self.parts if not p.is_picture and p.kind not in shown)


class Run(msgspec.Struct, frozen=True):
    """Some of a text, and whether it is the address of a page."""

    text: str
    is_link: bool = False


class Passage(msgspec.Struct, frozen=True):
    """Lines of a text between two empty ones. What is `drawn`, a board or a table, keeps its
    columns; sentences are whole again, to be broken anew.
    """

    lines: tuple[tuple[Run, ...], ...]
    drawn: bool


def passages(text: str) -> list[Passage]:
    """A letter's text, to be shown on a screen of any width."""
    found: list[Passage] = []
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip("\n")):
        lines = block.split("\n")
        drawn = sum(1 for line in lines if _DRAWN.search(line)) * 3 > len(lines)
        drawn = drawn and not (len(lines) == 1 and lines[0].endswith("."))
        whole = lines if drawn else _unbroken(lines)
        told = tuple(tuple(_runs(line)) for line in whole)
        if drawn and found and found[-1].drawn:
            # Rows of one board, which slide together
            told = (*found.pop().lines, (Run(""),), *told)
        found.append(Passage(told, drawn))
    return found


def _unbroken(lines: list[str]) -> list[str]:
    """The lines as they were before they were broken: where the next word had no room."""
    whole: list[str] = []
    before = ""
    for line in lines:
        # Not at spaces that hold words together: there no line was broken
        word = next(filter(None, line.split(" ")), "")
        full = before and not _LINK.match(before) and len(before) + 1 + len(word) > _COLUMNS
        hangs = line.startswith("  ") and whole and whole[-1].startswith("- ")
        if whole and (full or hangs) and word and not _BEGINS.match(line):
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line)
        before = line
    return whole


def _runs(line: str) -> Iterator[Run]:
    at = 0
    for link in _LINK.finditer(line):
        if link.start() > at:
            yield Run(line[at : link.start()])
        yield Run(link[0], is_link=True)
        at = link.end()
    if at < len(line) or not line:
        yield Run(line[at:])


def read(kept: Kept) -> Letter:
    """Take a letter apart."""
    message = BytesParser(policy=policy.compat32).parsebytes(kept.raw)
    parts, texts = [], {"text/plain": "", "text/html": ""}
    for number, leaf in enumerate(p for p in message.walk() if not p.is_multipart()):
        kind = leaf.get_content_type()
        body = _body(leaf)
        if kind in texts and not texts[kind] and not _is_attached(leaf):
            texts[kind] = _text(leaf, body)
        parts.append(
            Part(
                number=number,
                kind=kind,
                name=_one_line(_file_name(leaf)),
                cid=_printable(str(leaf.get("Content-ID", ""))).strip().strip("<>"),
                body=body,
            )
        )
    return Letter(
        subject=header(message, "Subject"),
        author=header(message, "From"),
        text=texts["text/plain"] or None,
        html=texts["text/html"] or None,
        headers=tuple((name, _decoded(value)) for name, value in message.raw_items()),
        parts=tuple(parts),
    )


def header(message: Message, name: str) -> str:
    """A header as readable text on one line, "" if it is missing."""
    return _one_line(_decoded(message.get(name, "")))


def with_pictures(html: str, parts: tuple[Part, ...], address: str) -> str:
    """The HTML part with `cid:` addresses (RFC 2392) replaced by `address` + the part's number."""
    numbers = {part.cid: part.number for part in parts if part.cid}

    def replace(found: re.Match[str]) -> str:
        number = numbers.get(unquote(found[2]))
        return found[0] if number is None else f"{found[1]}{address}{number}"

    return _CID.sub(replace, html)


def with_answers(html: str, to: str, address: str) -> str:
    """The HTML part with links that write an answer (`mailto:` to `to`, RFC 6068) leading to the
    page at `address`, which has a box for it; `text` is what they begin it with.
    """

    def replace(found: re.Match[str]) -> str:
        if unquote(markup.unescape(found[3])).strip().lower() != to.lower():
            return found[0]
        # A plus sign is itself there, and no space.
        fields = parse_qs(markup.unescape(found[4] or "").replace("+", "%2B"))
        said = {name.lower(): values[0] for name, values in fields.items()}.get("body", "")
        query = f"?{urlencode({'text': said})}" if said else ""
        return f"{found[1]}{found[2]}{markup.escape(address + query)}#reply{found[2]}"

    return _MAILTO.sub(replace, html)


def _decoded(value: object) -> str:
    text = str(value)
    try:
        text = str(make_header(decode_header(text)))
    except UNREADABLE:
        return _printable(text)
    return _printable(text)


def _printable(text: str) -> str:
    """Without the lone surrogates that undecodable bytes leave: they cannot be written out."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _body(leaf: Message) -> bytes:
    try:
        body = leaf.get_payload(decode=True)
    except UNREADABLE:
        body = str(leaf.get_payload()).encode("utf-8", "replace")
    return body if isinstance(body, bytes) else b""


def _text(leaf: Message, body: bytes) -> str:
    try:
        return _printable(body.decode(leaf.get_content_charset("utf-8"), "replace"))
    except UNREADABLE:
        return body.decode("utf-8", "replace")


def _is_attached(leaf: Message) -> bool:
    return leaf.get_content_disposition() == "attachment"


def _file_name(leaf: Message) -> str:
    try:
        return _printable(leaf.get_filename() or "")
    except UNREADABLE:
        return ""
