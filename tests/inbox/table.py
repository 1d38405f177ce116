"""Writes docs/inbox-corpus.md: every reply of the corpus with what comes out of it.

python -m tests.inbox.table
"""

from __future__ import annotations

import re
from pathlib import Path

from service.inbox.message import Incoming, parse, read
from tests.inbox import corpus

TARGET = Path(__file__).resolve().parent.parent.parent / "docs" / "inbox-corpus.md"
_SHOWN = 90

HEAD = """\
# The corpus of replies

Mails written as mail programs write them (`tests/inbox/replies`), all answering the first turn of
one match, and what is read from each: the player's own words, and what the match answers to them.
Written by `python -m tests.inbox.table`; a test compares it.

Outcomes: `played` the turn is played; `question` two different turns, so neither; `mend` what is
wrong with it, and what would be right; `word` a word such as *status*; `nothing-said` how to
answer. Found: the language; q a quote was left out; f it is a forwarded mail; how many attachments.

| mail | parts | found | own words | outcome |
|---|---|---|---|---|
"""


def table() -> str:
    """The whole document."""
    return HEAD + "".join(map(_row, corpus.names()))


def _row(name: str) -> str:
    found, expected = read(corpus.raw(name)), corpus.expected(name)
    cells = (name, _parts(corpus.raw(name)), _found(found), _own(found), expected.outcome)
    return "| " + " | ".join(cells) + " |\n"


def _found(found: Incoming) -> str:
    marks = [found.lang_hint or "", "q" if found.quoted else "", "f" if found.forwarded else ""]
    if found.attachments:
        marks.append(str(found.attachments))
    return " ".join(filter(None, marks))


def _own(found: Incoming) -> str:
    text = re.sub(r"\n+", " ⏎ ", found.own_text).replace("|", "\\|")
    if len(text) > _SHOWN:
        text = text[:_SHOWN].rstrip() + " …"
    return f"`{text}`" if text else ""


def _parts(raw: bytes) -> str:
    """The text parts: kind, charset, encoding."""
    said = []
    for part in parse(raw).walk():
        if part.get_content_maintype() == "text" and not part.get_filename():
            kind = part.get_content_subtype()
            charset = (part.get_content_charset() or "").replace("windows-", "cp")
            encoding = str(part.get("Content-Transfer-Encoding", "7bit")).lower()
            short = {"quoted-printable": "qp", "base64": "b64"}.get(encoding, encoding)
            flowed = " flowed" if part.get_param("format") == "flowed" else ""
            said.append(f"{kind} {charset} {short}{flowed}")
    return ", ".join(dict.fromkeys(said))


if __name__ == "__main__":
    TARGET.write_text(table(), encoding="utf-8")
