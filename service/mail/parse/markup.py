"""An HTML body as lines: what mail programs mark as quoted is quoted, what they mark as signature
goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from service.mail.parse.lines import LONGEST_LINE, MOST_LINES, Line, tidy

LONGEST = 500_000
_MOST_NODES = 100_000

_UNSEEN = frozenset({"head", "style", "script", "title", "template", "noscript", "object", "svg"})
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form"}
    | {"fieldset", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li"}
    | {"main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "ul", "ol"})
_CELLS = frozenset({"td", "th"})

_HIDDEN = re.compile(
    r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden", re.IGNORECASE
)
_QUOTED = re.compile(
    # Yahoo and AOL; Zoho; Zimbra (Free, La Poste); QQ. Others use blockquote.
    r"yahoo_quoted|aolmail_|\bzmail_extra\b|__QUOTED_TEXT__|__HEADERS__|\bis(?:Reply|Forward)Content\b",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(r"\bmoz-cite-prefix\b|\breply-intro\b")
"""Thunderbird and Roundcube put "On ... wrote:" into an element of its own."""
_REST_IS_QUOTED = re.compile(
    # Outlook on the web, for Windows 10 and on phones; Exchange's old one.
    r"\bdivRplyFwdMsg\b|\bappendonsend\b|\bOutlookMessageHeader\b"
    r"|\bmail-editor-reference-message-container\b"
)
_SIGNATURE = re.compile(
    r"\bgmail_signature(?:_prefix)?\b|\bmoz-signature\b|\bprotonmail_signature_block\b"
    r"|\bms-outlook-mobile-signature\b|\bAppleMailSignature\b|^Signature\b|__SIG_P(?:OST|RE)__"
    r"|^sig\d+\b|\btutanota_signature\b|\bzm_signature\b"
)


_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})")
_SHALLOW = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
    | {"p", "li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "option"}
)
"""Elements that hold nothing, or that the next of their kind closes."""
_DEEPEST = 500


class _Writer:
    """Lines in the making."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._held: list[str] = []

    def add(self, text: str) -> None:
        """More of the present line."""
        self._held.append(text)

    def end(self, depth: int, *, even_blank: bool = False) -> None:
        """End the present line if there is one."""
        text = tidy("".join(self._held))[:LONGEST_LINE]
        if text or even_blank:
            self.lines.append(Line(text, depth, len(text)))
        self._held = []

    def gap(self, depth: int) -> None:
        """A blank line, unless there is one."""
        if self.lines and not self.lines[-1].blank:
            self.lines.append(Line("", depth))


class _State(msgspec.Struct, frozen=True):
    """What an element means for what stands in it."""

    depth: int = 0
    unseen: bool = False
    literal: bool = False


def of_html(html: str, *, signatures: bool = False) -> list[Line]:
    """The lines of an HTML body. With `signatures` also what is marked as one: some programs put
    the player's own words into that element.
    """
    root = LexborHTMLParser(_shallow(html[:LONGEST])).root
    if root is None:
        return []
    writer = _Writer()
    states = [_State()]
    for node, opening in _walk(root):
        state = states[-1]
        depth = state.depth
        if node.is_text_node:
            if opening and not state.unseen:
                _text(writer, node.text_content or "", state, depth)
            continue
        tag = node.tag or ""
        if not opening:
            states.pop()
            if tag in _BLOCKS and not state.unseen:
                writer.end(depth)
                if _spaced(tag, node):
                    writer.gap(depth)
            continue
        if tag == "br" and not state.unseen:
            writer.end(depth, even_blank=True)
        elif tag in _CELLS:
            writer.add(" ")
        inner, cuts = _meaning(node, tag, state, signatures)
        if (tag in _BLOCKS and not inner.unseen) or inner.depth > state.depth or cuts:
            writer.end(depth)
            if _spaced(tag, node):
                writer.gap(depth)
        if cuts:
            writer.lines.append(Line("", depth, heads=True))
        states.append(inner)
        if len(writer.lines) > MOST_LINES:
            break
    writer.end(0)
    return writer.lines


def _shallow(html: str) -> str:
    """The text up to where it nests beyond reason: building such a tree takes quadratic time."""
    open_: dict[str, int] = {}
    depth = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _SHALLOW:
            continue
        if not tag[1]:
            open_[name] = open_.get(name, 0) + 1
            depth += 1
            if depth > _DEEPEST:
                return html[: tag.start()]
        elif open_.get(name):
            open_[name] -= 1
            depth -= 1
    return html


def _text(writer: _Writer, text: str, state: _State, depth: int) -> None:
    if not state.literal:
        writer.add(text)
        return
    first, *others = text.split("\n")
    writer.add(first)
    for line in others:
        writer.end(depth, even_blank=True)
        writer.add(line)


def _meaning(node: LexborNode, tag: str, outer: _State, signatures: bool) -> tuple[_State, bool]:
    """What the element means for its content, and whether all that follows is quoted."""
    attributes = node.attributes
    names = " ".join(
        filter(None, (attributes.get("id"), attributes.get("class"), attributes.get("data-marker")))
    )[:400]
    style = (attributes.get("style") or "")[:1_000]
    unseen = (
        outer.unseen
        or tag in _UNSEEN
        or _HIDDEN.search(style) is not None
        or _ATTRIBUTION.search(names) is not None
        or (not signatures and _SIGNATURE.search(names) is not None)
    )
    quoted = tag == "blockquote" or _QUOTED.search(names) is not None
    literal = outer.literal or tag == "pre" or "pre-wrap" in style
    return (
        _State(outer.depth + int(quoted), unseen, literal),
        _REST_IS_QUOTED.search(names) is not None,
    )


def _spaced(tag: str, node: LexborNode) -> bool:
    """True if space is seen around it. Word writes every line as a paragraph without space."""
    return tag in _PARAGRAPHS and "Mso" not in (node.attributes.get("class") or "")


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Elements (opening, then closing) and texts in order, without recursion: a hostile text nests
    as deep as it likes.
    """
    open_: list[LexborNode] = []
    node: LexborNode | None = root
    seen = 0
    while node is not None and seen < _MOST_NODES:
        seen += 1
        following: LexborNode | None = None
        if node.is_text_node:
            yield node, True
        elif node.is_element_node:
            yield node, True
            if (following := node.first_child) is not None:
                open_.append(node)
            else:
                yield node, False
        while following is None:
            if node is not root and (following := node.next) is not None:
                break
            if not open_:
                return
            node = open_.pop()
            yield node, False
        node = following
