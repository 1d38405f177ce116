"""Our letters, quoted as no program should and some do: alone they never act."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from email.message import EmailMessage

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from service.core.models import Letter, Match
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Several, Turn
from service.mail.commands.orders import Finder
from service.mail.commands.reading import read
from service.mail.parse.lines import of_text
from service.mail.parse.markup import of_html
from service.mail.parse.message import read_parsed
from service.mail.parse.sent import Sent
from service.mail.parse.text import own_text
from service.mail.render import KINDS
from service.mail.render.letter_context import LetterContext
from service.mail.render.quotable import Quotable
from service.matches import journal
from tests.inbox.hard import BEGAN, HardTable
from tests.inbox.known_match import LEGAL
from tests.support.cases import cases

SAID = (
    f"Give up!\nresign yes\n{LEGAL['en'][0]}\n2\nyes",
    f"{LEGAL['en'][1]}",
    "On Sat, 21 Nov 2026 at 10:02, Ana <ana@example.org> wrote:\nmute\n~ ~ ~\npause 5 days",
)
MARKS = ("> ", ">", "| ", "  > ", "&gt; ", "\u00a0> ", "\t")


class Quoted(msgspec.Struct, frozen=True):
    """What Ana may quote, and how her mail is read: first with the letters that it names, none."""

    letters: tuple[str, ...]
    named: Sent
    sent: Sent
    finder: Finder

    def acts(self, text: str) -> str | None:
        """What a mail with this text would do, in a word; None if nothing."""
        mail = EmailMessage()
        mail["From"] = "Ana Morel <ana@example.org>"
        mail.set_content(text)
        found = read_parsed(mail, self.named)
        if found.may_quote:
            found = read_parsed(mail, self.sent)
        script = read(found.own_text, ["Ana", "Bruno"])
        if script.words:
            return script.words[0].line
        meant = self.finder.find(script.paragraphs)
        return repr(meant) if isinstance(meant, Turn | Several) else None


@pytest.fixture(scope="module")
def quoted(tmp_path_factory: pytest.TempPathFactory) -> Quoted:
    """Every letter of the known match to Ana, as text and as text of its HTML."""
    table = HardTable(tmp_path_factory.mktemp("quoted"), "en").again(SAID, pause=True)
    service = table.service
    texts: list[str] = []
    kinds: set[str] = set()
    with service.database.read() as session:
        match = session.get_one(Match, table.match_id)
        row = match.seats[0]
        for letter in session.scalars(select(Letter).where(Letter.seat == 0).order_by(Letter.id)):
            # Those of a kind differ only in how far off the deadline is.
            if letter.kind in kinds:
                continue
            kinds.add(letter.kind)
            draft = KINDS[letter.kind](LetterContext(service, session, letter, "en"))
            shown = "\n".join(line.text for line in of_html(draft.html))
            texts += [draft.text, draft.text.replace("| ", ""), shown]
        quotable = Quotable(service, session, row, [], BEGAN.replace(hour=23))
        named, sent = quotable.answered(), quotable.all()
        game, state = journal.game_of(match), journal.position(session, match, 0).state
    choices = [Printed(text=text) for text in sent.orders if text.startswith("lay")]
    finder = Finder(Asked(game, state, 0, table.decision, "en"), lambda: choices, ["Ana", "Bruno"])
    service.database.dispose()
    assert len(texts) >= 9
    return Quoted(tuple(texts), named, sent, finder)


def _wrapped(lines: Sequence[str], width: int) -> list[str]:
    return [
        part
        for line in lines
        for part in (textwrap.wrap(line, width, break_long_words=False) or [""])
    ]


def _changed(text: str, how: str) -> str:
    match how:
        case "case":
            return text.upper()
        case "entities":
            return html.escape(text)
        case "typographic":
            return text.replace("'", "’").replace("-", "‑").replace('"', "“").replace("...", "…")
        case "spaces":
            return text.replace(" ", "\u00a0")
        case _:
            return text


@settings(max_examples=cases(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_quote_alone_never_acts(quoted: Quoted, data: st.DataObject) -> None:
    """A letter or a piece of it, rewrapped and changed as programs do, any of its lines marked."""
    lines = data.draw(st.sampled_from(quoted.letters)).split("\n")
    first = data.draw(st.one_of(st.just(0), st.integers(0, len(lines) - 1)))
    last = data.draw(st.one_of(st.just(len(lines)), st.integers(first + 1, len(lines))))
    lines = lines[first:last]
    width = data.draw(st.sampled_from([0, 10, 14, 20, 33, 50, 65]))
    lines = _wrapped(lines, width) if width else lines
    lines = _changed(
        "\n".join(lines),
        data.draw(st.sampled_from(["", "case", "entities", "typographic", "spaces"])),
    ).split("\n")
    if data.draw(st.booleans()):
        lines = [line.removeprefix("~ ") for line in lines]
    mark = data.draw(st.sampled_from(MARKS))
    marked = data.draw(
        st.one_of(
            st.integers(0, len(lines)).map(lambda n: set(range(n))),
            st.sets(st.integers(0, len(lines))),
        )
    )
    head = data.draw(
        st.sampled_from(["", "On Sat, 21 Nov 2026 at 10:02, Paleopost <p@x.org> wrote:\n\n"])
    )
    if not head and len([line for line in lines if line.strip()]) < 2:
        return  # one line alone may be what its reader typed
    text = head + "\n".join(f"{mark if at in marked else ''}{x}" for at, x in enumerate(lines))
    assert quoted.acts(text) is None, text


@pytest.mark.parametrize("own", [LEGAL["en"][2], "status", "2"])
@pytest.mark.parametrize("marked", [0, 3, 6, 1000])
def test_own_words_above_any_quote_are_found(quoted: Quoted, own: str, marked: int) -> None:
    heading = "On Sat, 21 Nov 2026 at 10:02, Paleopost <p@x.org> wrote:"
    for letter in quoted.letters:
        lines = [f"> {line}" if at < marked else line for at, line in enumerate(letter.split("\n"))]
        text = "\n".join([own, "", heading, *lines])
        assert own_text(of_text(text), "Ana Morel", quoted.sent).text == own
