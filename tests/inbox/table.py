"""Writes docs/inbox-corpus.md: every mail of the corpus with what comes out of it.

python -m tests.inbox.table
"""

from __future__ import annotations

import re
from pathlib import Path

from service.mail.parse.classify import classify
from service.mail.parse.message import Incoming, parse, read
from service.mail.parse.reports import Report, report_of
from tests.inbox import corpus, hard
from tests.inbox.kept import DOMAIN, Kept, kept

TARGET = Path(__file__).resolve().parent.parent.parent / "docs" / "inbox-corpus.md"
_SHOWN = 90

HEAD = """\
# The corpus of mails

Written by `python -m tests.inbox.table`; a test compares it.

## Replies

Mails written as mail programs write them (`tests/inbox/replies`), all answering the first turn of
one match, and what is read from each: the player's own words, and what the match answers to them.

Outcomes: `played` the turn is played; `question` two different turns, so neither; `mend` what is
wrong with it, and what would be right; `word` a word such as *status*; `nothing-said` how to
answer. Found: the language; q a quote was left out; f it is a forwarded mail; how many attachments.

| mail | parts | found | own words | outcome |
|---|---|---|---|---|
"""


HARD = """
## Hard replies

Mails of the same match that quote as no program should and some do, or that say something that only
looks like a turn, a choice or a word (`tests/inbox/hard_replies`). The letters in them are ours;
*said* is what the other player had written to the table. What must come of each: `acted` and what
was done, `asked` (the answer asks back, nothing is done), or `silent` (no answer: no person wrote).

`python -m tests.inbox.hard` runs all mails of this page but the machines' and prints what each
did. No reply acts wrongly: that is, does anything that its writer did not mean.

| | acted | asked | silent | wrongly |
|---|---|---|---|---|
| when only marks and headings told a quote | 145 | 60 | 0 | 46 |
| since what was sent is known | 109 | 86 | 10 | 0 |

| mail | what is hard | said | outcome |
|---|---|---|---|
"""


ORDERS = """
## Replies with orders

Mails of a player who is not to move in a match of the game that tests have besides
(`tests/inbox/order_replies`), and what is on file after each.
Orders may be filed in answer to any letter.

| mail | what is hard | own words | outcome | on file |
|---|---|---|---|---|
"""


PLANS = """
## Replies with plans

Mails of the player to move in the first turn of a match of Fire & Stone
(`tests/inbox/plan_replies`): a move and lines for what it turns over. What was played, by the
player and by the plan, and what is on file after it.

| mail | what is hard | own words | outcome | played | on file |
|---|---|---|---|---|---|
"""


MACHINES = """
## Machines' mail, and what only looks like it

What servers and programs send by themselves (`tests/inbox/autoreplies`, `reports`, `others`). Only
a `person` is answered. Of reports, what each says of whom: `hard`, `soft`, or only late.

| mail | taken for | by | reported |
|---|---|---|---|
"""


def table() -> str:
    """The whole document."""
    machines = kept("autoreplies", "reports", "others")
    hard_rows = (HARD, *map(_hard_row, hard.names()))
    order_rows = (ORDERS, *map(_order_row, kept("order_replies")))
    plan_rows = (PLANS, *map(_plan_row, kept("plan_replies")))
    machine_rows = (MACHINES, *map(_machine_row, machines))
    rows = (*map(_row, corpus.names()), *hard_rows, *order_rows, *plan_rows, *machine_rows)
    return HEAD + "".join(rows)


def _hard_row(name: str) -> str:
    wanted = hard.expected(name)
    said = " ⏎ ".join(" ".join(text.split("\n")) for text in wanted.said)
    said = said[:60].rstrip() + (" …" if len(said) > 60 else "")
    cells = (
        name,
        wanted.why,
        f"`{said}`" if said else "",
        " ".join((wanted.outcome, *wanted.does)),
    )
    return "| " + " | ".join(cells) + " |\n"


def _order_row(mail: Kept) -> str:
    filed = ", ".join(f"`{text}`" for text in mail.facts["on_file"].values())
    name = mail.name.partition("/")[2]
    cells = (name, mail.facts["hard"], _own(read(mail.raw)), mail.facts["verdict"], filed)
    return "| " + " | ".join(cells) + " |\n"


def _plan_row(mail: Kept) -> str:
    facts, name = mail.facts, mail.name.partition("/")[2]
    filed = f"`{facts['on_file']}`" if facts["on_file"] else ""
    played = "; ".join(facts["played"])
    cells = (name, facts["hard"], _own(read(mail.raw)), facts["verdict"], played, filed)
    return "| " + " | ".join(cells) + " |\n"


def _machine_row(mail: Kept) -> str:
    message = parse(mail.raw)
    envelope_from = mail.facts.get("envelope_from")
    nature = classify(message, envelope_from, DOMAIN)
    cells = (mail.name, nature.kind, nature.why, _reported(report_of(message, envelope_from)))
    return "| " + " | ".join(cells) + " |\n"


def _reported(report: Report | None) -> str:
    if report is None:
        return ""
    if report.delayed:
        return "late"
    return ", ".join(
        f"{failure.recipient or '?'} {failure.status or ''} {'hard' if failure.hard else 'soft'}"
        for failure in report.failures
    )


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
