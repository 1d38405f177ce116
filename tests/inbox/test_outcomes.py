"""What a match does with the replies of the corpus, from the stored mail to the turn played."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from engine.play import Preview
from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.models import InboundMail, Submission
from service.core.schema import upgrade
from service.mail.parse.message import read
from service.mail.receive import inbound
from service.matches import journal
from tests.inbox import corpus
from tests.inbox.known_match import LEGAL, known_match
from tests.inbox.test_fuzz import SAMPLES
from tests.support.cases import cases
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, settings_for

DOMAIN = "play.example.org"
ON_BOTH = (
    "gmail-web-fr-top",
    "outlook-desktop-fr-top",
    "iphone-en-word",
    "illegal-fr-top",
    "gmail-web-en-two-orders",
)
"""These go through PostgreSQL as well."""


class Table:
    """The known match; `token` opens Ana's decision."""

    def __init__(self, url: str) -> None:
        jobs = Jobs()
        self.world = World(Service(settings_for(url, MAIL_DOMAIN=DOMAIN), jobs), jobs)
        self.service = self.world.service
        self.match_id = known_match(self.world)
        decision = self.world.awaited(self.match_id).decision
        seat = self.world.match(self.match_id).seats[0]
        self.token = reply_keys.seat_token(self.service.keys, seat, decision)

    def receive(self, raw: bytes) -> InboundMail:
        """A mail comes in and is looked at."""
        addressed = raw.replace(corpus.TOKEN.encode(), self.token.encode())
        with self.service.database.write() as work:
            stored = inbound.take(self.service, work, addressed, source="lmtp")
        assert stored is not None
        return inbound.handle(self.service, stored)

    def played(self) -> str | None:
        """The turn that was played by mail, as it was written."""
        with self.service.database.read() as session:
            return session.scalar(select(Submission.body).where(Submission.status == "played"))

    def same_turn(self, *written: str) -> bool:
        """Whether these texts are one and the same turn of Ana's."""
        with self.service.database.read() as session:
            match = self.world.match(self.match_id)
            game = journal.game_of(match)
            state = journal.position(session, match, 0).state
        preview = Preview(game, state, 0)
        turns = {tuple(game.notation.parse(preview.start, 0, text, "en")) for text in written}
        return len(turns) == 1

    def close(self) -> None:
        """Let go of the database."""
        self.service.database.dispose()


class Known(Table):
    """The match on SQLite, which can be put back to where it waits for Ana. One engine for all
    tests: it compiles each statement once.
    """

    def __init__(self, folder: Path) -> None:
        self._path, self._kept = folder / "match.db", folder / "kept.db"
        upgrade(f"sqlite:///{self._path}")
        super().__init__(f"sqlite:///{self._path}")
        self.close()
        shutil.copy(self._path, self._kept)

    def again(self) -> Known:
        """The match as it was before any mail."""
        self.close()
        for beside in ("-wal", "-shm"):
            self._path.with_name(self._path.name + beside).unlink(missing_ok=True)
        shutil.copy(self._kept, self._path)
        return self


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """The match of all tests that use SQLite."""
    found = Known(tmp_path_factory.mktemp("known"))
    yield found
    found.close()


@pytest.fixture
def table(known: Known) -> Table:
    """The match as it waits for Ana."""
    return known.again()


def check(table: Table, name: str) -> None:
    """The mail does what the corpus says, and only that."""
    expected = corpus.expected(name)
    mail = table.receive(corpus.raw(name))
    match = table.world.match(table.match_id)
    kind, _, word = expected.outcome.partition(":")
    assert (mail.status, mail.verdict) == ("handled", kind)
    answers = table.world.letters(table.match_id, "answer")
    assert len(answers) == 1, "every reply gets exactly one answer"
    if word:
        assert mail.details.words == (word,)
    if kind != "played":
        assert match.last_entry == 0
        assert table.played() is None
        return
    assert match.last_entry == 1
    body = table.played()
    assert body is not None
    if expected.own_text.isdecimal():  # the number of a choice
        return
    meant = [turn for turn in LEGAL[expected.lang] if table.same_turn(turn, body)]
    assert len(meant) == 1, body
    assert table.same_turn(meant[0], re.sub(r"^- ", "", expected.own_text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", corpus.names())
def test_outcome(name: str, table: Table) -> None:
    check(table, name)


@pytest.mark.parametrize("name", ON_BOTH)
def test_outcome_on_postgresql(name: str, postgresql_url: str) -> None:
    table = Table(postgresql_url)
    try:
        check(table, name)
    finally:
        table.close()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("outlook-desktop-en-plain-inside", "send them once more, above everything you quote"),
        ("outlook-desktop-fr-plain-inside", "écris-les au-dessus de la lettre"),
        ("thanks-only-fr", None),
        ("outlook-desktop-fr-forward", None),
    ],
)
def test_where_to_write_is_said_to_who_wrote_in_an_unmarked_quote(
    table: Table, name: str, said: str | None
) -> None:
    lang = corpus.expected(name).lang
    with table.service.database.write() as work:
        player = locks.lock_number(table.service, work, table.match_id).seats[0].player
        assert player is not None
        player.lang = lang or "en"
    table.receive(corpus.raw(name))
    (letter,) = table.world.letters(table.match_id, "answer")
    text = Correspondence(table.world, table.match_id).rendered(letter).said.lower()
    nothing = ("nothing was played", "nothing was done", "rien n’est joué", "rien n’a été joué")
    assert any(words in text for words in nothing)
    if said is None:
        assert "above the letter" not in text
        assert "au-dessus de la lettre" not in text
    else:
        assert said in text


def test_the_same_mail_is_handled_once(table: Table) -> None:
    raw = corpus.raw("gmail-web-fr-top").replace(corpus.TOKEN.encode(), table.token.encode())
    for first in (True, False):
        with table.service.database.write() as work:
            stored = inbound.take(table.service, work, raw, source="lmtp")
        assert (stored is not None) is first
        if stored is not None:
            inbound.handle(table.service, stored)
            inbound.handle(table.service, stored)
    assert len(table.world.letters(table.match_id, "answer")) == 1
    assert table.world.match(table.match_id).last_entry == 1


def test_another_sender_plays_nothing(table: Table) -> None:
    raw = corpus.raw("gmail-web-fr-top").replace(b"ana@example.org", b"eve@example.org")
    assert table.receive(raw).verdict == "foreign"
    assert table.world.match(table.match_id).last_entry == 0


PLAYED = tuple(n for n in corpus.names() if not corpus.expected(n).own_text.isdecimal())


@settings(max_examples=cases(40), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(PLAYED),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=6), st.integers(0, 60)), min_size=1),
)
def test_a_mutated_mail_never_plays_what_its_own_text_does_not_hold(
    known: Known,
    name: str,
    changes: list[tuple[float, bytes, int]],
) -> None:
    raw = corpus.raw(name)
    for where, put, cut in changes:
        at = int(where * len(raw))
        raw = raw[:at] + put + raw[at + cut :]
    table = known.again()
    mail = table.receive(raw)
    assert mail.status == "handled"
    body = table.played()
    own = read(raw).own_text
    if body is not None and not any(line.isdecimal() for line in own.split("\n")):
        assert not any(sample in " ".join(body.split()) for sample in SAMPLES)
        assert all(line in own for line in body.split("\n")), (body, own)
