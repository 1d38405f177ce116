"""The hard replies: what must come of each, and how to count what does.

`python -m tests.inbox.hard` prints what every mail of the corpus did, and the counts: acted, asked,
silent, and acted wrongly, which must be none.
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import structlog
import time_machine
from sqlalchemy import select

from engine.chance import seed_hash, seed_of_number
from engine.play import Preview
from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.letter_details import AnswerDetails
from service.core.models import Epoch, InboundMail, Letter, Match, Submission
from service.core.schema import upgrade
from service.core.statuses import LetterStatus
from service.mail.receive import inbound
from service.matches import journal, messages
from service.matches.tables import Guest
from service.time import pausing
from tests.inbox import corpus
from tests.inbox.known_match import ANA, BRUNO, GAME, SEED
from tests.support.tables import Jobs, World, settings_for

HARD = Path(__file__).resolve().parent / "hard_replies"
DOMAIN = "play.example.org"
BEGAN = dt.datetime(2026, 11, 21, 9, 2, tzinfo=dt.UTC)
CODE = "hardhard"

Outcome = Literal["acted", "asked", "silent"]

ASKING = frozenset(
    {
        *("nothing", "mend", "several", "number_asked", "unsure", "resign_sure", "no_such_choice"),
        *("usage", "stale", "waiting", "order_in_message", "no_question", "refused"),
        *("resign_kept", "left", "over"),
    }
)
"""What an answer says when nothing was done; all other results are of something that was."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must come of a mail. `said` is what Bruno has said to the table before, `pause` whether
    he has asked for a pause; `does` are the results of what is done, `turn` is the one played.
    """

    outcome: Outcome
    why: str
    lang: str = "en"
    said: tuple[str, ...] = ()
    pause: bool = False
    does: tuple[str, ...] = ()
    turn: str = ""


class Became(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a mail."""

    outcome: Outcome
    does: tuple[str, ...]
    turn: str
    left: bool

    def wrong(self, expected: Expected, same_turn: bool) -> bool:
        """Whether something was done that its writer did not mean."""
        return (
            self.left
            or not set(self.does) <= set(expected.does)
            or bool(self.turn and not same_turn)
        )


@cache
def names() -> tuple[str, ...]:
    """The hard replies by name, in order."""
    return tuple(sorted(path.stem for path in HARD.glob("*.eml")))


def raw(name: str) -> bytes:
    """The mail as it came."""
    return (HARD / f"{name}.eml").read_bytes()


def expected(name: str) -> Expected:
    """What must come of it."""
    return msgspec.convert(tomllib.loads((HARD / f"{name}.toml").read_text("utf-8")), Expected)


class HardTable:
    """The known match in one language, put back to its beginning before each mail. Its letters are
    always the same, so the mails can quote them.
    """

    def __init__(self, folder: Path, lang: str) -> None:
        self._path, self._kept = folder / f"{lang}.db", folder / f"{lang}.kept.db"
        url = f"sqlite:///{self._path}"
        upgrade(url)
        jobs = Jobs()
        self.world = World(Service(settings_for(url, MAIL_DOMAIN=DOMAIN), jobs), jobs)
        self.service = self.world.service
        with self.service.database.write() as work:
            # It is in every link, and random otherwise.
            work.session.get_one(Epoch, 1).mark = "0" * 32
        with time_machine.travel(BEGAN, tick=False):
            self.match_id = self._open(lang)
        self.decision = self.world.awaited(self.match_id).decision
        self.service.database.dispose()
        shutil.copy(self._path, self._kept)

    def _open(self, lang: str) -> int:
        self.world.player(ANA, name="Ana", lang=lang)
        match_id = self.world.open([Guest(address=BRUNO, name="Bruno", lang="fr")], GAME)
        with self.service.database.write() as work:
            match = locks.lock_number(self.service, work, match_id)
            match.code, match.seed = CODE, seed_of_number(SEED)
            match.seed_hash = seed_hash(match.seed)
        self.world.everybody_accepts(match_id)
        return match_id

    def again(self, said: tuple[str, ...] = (), *, pause: bool = False) -> HardTable:
        """The match before any mail, with what Bruno has said and asked."""
        self.service.database.dispose()
        for beside in ("-wal", "-shm"):
            self._path.with_name(self._path.name + beside).unlink(missing_ok=True)
        shutil.copy(self._kept, self._path)
        with time_machine.travel(BEGAN + dt.timedelta(hours=1), tick=False):
            with self.service.database.write() as work:
                match = locks.lock_number(self.service, work, self.match_id)
                for at, text in enumerate(said):
                    messages.say(self.service, work, match, 1, text, f"said.{at}")
                if pause:
                    pausing.ask(self.service, work, match, 1, 5)
            with self.service.database.write() as work:
                for letter in work.session.scalars(select(Letter)):
                    letter.status, letter.sent_at, letter.due_at = (
                        LetterStatus.SENT,
                        self.service.now(),
                        None,
                    )
        return self

    def token(self, of: Literal["turn", "seat"]) -> str:
        """The token of the address that answers the turn letter, or any other of the match."""
        seat = self.world.match(self.match_id).seats[0]
        return reply_keys.seat_token(self.service.keys, seat, self.decision if of == "turn" else "")

    def receive(self, mail: bytes) -> Became:
        """A mail comes in, three hours after the match began; what came of it."""
        with time_machine.travel(BEGAN + dt.timedelta(hours=3), tick=False):
            with self.service.database.write() as work:
                stored = inbound.take(self.service, work, mail, source="lmtp")
            assert stored is not None
            return self._became(inbound.handle(self.service, stored))

    def _became(self, mail: InboundMail) -> Became:
        answers = self.world.letters(kind="answer")
        results = answers[-1].details_as(AnswerDetails).results if answers else ()
        does = tuple(r.code for r in results if r.code not in ASKING)
        with self.service.database.read() as session:
            turn = session.scalar(select(Submission.body).where(Submission.status == "played"))
            left = session.get_one(Match, self.match_id).seats[0].left_at is not None
        outcome: Outcome = "acted" if does or turn else "asked" if answers else "silent"
        assert mail.status == "handled"
        return Became(outcome=outcome, does=does, turn=turn or "", left=left)

    def same_turn(self, one: str, other: str) -> bool:
        """Whether these texts are one and the same turn of Ana's."""
        if not one or not other:
            return False
        with self.service.database.read() as session:
            match = session.get_one(Match, self.match_id)
            game = journal.game_of(match)
            preview = Preview(game, journal.position(session, match, 0).state, 0)
        turns = {tuple(game.notation.parse(preview.start, 0, text, "en")) for text in (one, other)}
        return len(turns) == 1


def tables(folder: Path) -> dict[str, HardTable]:
    """The tables of both languages."""
    return {lang: HardTable(folder, lang) for lang in ("en", "fr")}


def judged(found: dict[str, HardTable]) -> Iterator[tuple[str, Expected, Became, bool]]:
    """Of every mail what it should do, what it did, and whether that was wrong."""
    for name in names():
        wanted = expected(name)
        table = found[wanted.lang].again(wanted.said, pause=wanted.pause)
        became = table.receive(raw(name))
        yield name, wanted, became, became.wrong(wanted, table.same_turn(became.turn, wanted.turn))
    for name in corpus.names():
        easy = corpus.expected(name)
        kind, _, word = easy.outcome.partition(":")
        does = {"played": ("played",), "word": (WORDS.get(word, word),)}.get(kind, ())
        table = found["en"].again()
        mail = corpus.raw(name).replace(corpus.TOKEN.encode(), table.token("turn").encode())
        became = table.receive(mail)
        outcome: Outcome = "acted" if set(does) - ASKING else "asked"
        turn = became.turn if easy.own_text.isdecimal() else easy.own_text.replace("- ", "")
        wanted = Expected(outcome=outcome, why=easy.outcome, does=does, turn=turn)
        same = became.turn == turn or table.same_turn(became.turn, turn)
        yield name, wanted, became, became.wrong(wanted, same)


WORDS = {
    "message": "said",
    "remind": "reminders",
    "resign": "resign_sure",
    "undo": "refused",  # there is nothing to take back yet
}
"""The results of words that are called otherwise."""


def main() -> None:
    """Print the table and the counts."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, wanted, became, wrong in judged(tables(Path(folder))):
            counts[became.outcome] += 1
            counts["wrongly"] += wrong
            counts["missed"] += wanted.outcome == "acted" and became.outcome != "acted"
            mark = "WRONG" if wrong else "" if became.outcome == wanted.outcome else "other"
            did = " ".join(became.does)
            sys.stdout.write(f"{mark:6}{name:44}{wanted.outcome:8}{became.outcome:8}{did}\n")
    sys.stdout.write(" ".join(f"{key} {value}" for key, value in sorted(counts.items())) + "\n")


if __name__ == "__main__":
    main()
