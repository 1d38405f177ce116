"""One letter of every kind in both languages, from matches whose seed, code and clock are known.

    python -m tests.support.known_letters OUT_DIR     writes them as .eml files
    python -m tests.support.known_letters --golden    writes tests/service/letters/golden anew

Read what changed before you commit it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec
import time_machine
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.chance import seed_hash, seed_of_number
from engine.fairness import Part, commitment_of
from engine.games import games
from service.core import locks
from service.core.context import Service
from service.core.letter_details import (
    AliasDetails,
    AnswerDetails,
    DigestBoard,
    DigestDetails,
    ErasureDetails,
    NudgeDetails,
    PauseWanted,
    SignInDetails,
    TimeUp,
    Unreachable,
)
from service.core.models import DecisionRow, Epoch, Letter, Match, SeatRow
from service.core.results import (
    HelpShown,
    MessageSaid,
    RemindersChosen,
    Result,
    TableLine,
    TablesListed,
    TurnPlayed,
    TurnWrong,
    WordRefused,
)
from service.core.schema import upgrade
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.core.verdicts import AnyFault, fault_of
from service.mail.commands.asked import Asked
from service.mail.commands.found import Mend
from service.mail.commands.orders import Finder
from service.mail.render import render
from service.matches import join_links, joining, journal, messages, moves
from service.matches.tables import answer
from service.outgoing.news import tell
from service.outgoing.outbox import owe, owe_seat
from service.players.accounts import SIGN_IN_FOR, meet
from service.players.aliases import CONFIRM_FOR
from service.players.erasure_links import GOOD_FOR, PURPOSE
from tests.support.letters_to_png import parts_of
from tests.support.tables import Jobs, World, settings_for

HERE = Path(__file__).resolve().parent.parent / "service" / "letters"
GOLDEN = HERE / "golden"
MATCH = HERE / "known_match.txt"
"""The turns of a whole match from the deal of SEED, one to a line: no bot is asked, so that
letters stay what they are when bots learn.
"""

GAME = "sapiens"
BOT = 2
BEGAN = dt.datetime(2026, 11, 21, 9, 0, tzinfo=dt.UTC)
SEED = 12
NAMES = tuple(
    f"{letter}.{lang}"
    for letter in (
        "alias",
        "answer-mend",
        "answer-played",
        "answer-words",
        "cancelled",
        "declined",
        "digest",
        "end",
        "erasure",
        "invitation",
        "join",
        "message",
        "news-pause",
        "news-time-up",
        "notice",
        "nudge",
        "orders",
        "reminder",
        "signin",
        "start",
        "turn-first",
        "turn-middle",
    )
    for lang in ("en", "fr")
)
SECRET = bytes(range(32))
PARTS = tuple(
    Part(seat=seat, name=name, part=hashlib.sha256(name.encode()).hexdigest())
    for seat, name in enumerate(("Ana", "Bruno"))
)
PLANNING = "mammoths"
PLANNED = ("place none",) * 3
"""The turns of a match of this game until Ana is invited to plan."""
SLIP = "lay hunt-fire D1 E1"
GREETING = "Long winter evenings ahead: shall we?"
MIDDLE = 13
"""The entry after which the turn letter in mid-game is taken: the first letter from here on."""


class Known:
    """A match of Ana, Bruno and a bot. `langs` are Ana's and Bruno's languages."""

    def __init__(self, world: World, code: str, langs: tuple[str, str], game: str = GAME) -> None:
        self.world = world
        self.service = world.service
        with self.service.database.write() as work:
            people = [
                meet(self.service, work.session, f"ana.{code}@example.org", "Ana", langs[0]),
                meet(self.service, work.session, f"bruno.{code}@example.org", "Bruno", langs[1]),
            ]
            rules = games()[game]
            match = Match(
                code=code,
                name="Lascaux",
                greeting=GREETING,
                game=game,
                rules_version=rules.rules_version,
                options=msgspec.json.encode(rules.options_type()),
                pace_days=3,
                host_id=people[0].id,
                host=people[0],
                status="inviting",
                # The deal is that of SEED, so that letters stay what they are; the parts are only
                # shown (tests/service/usecases/test_fairness.py makes seeds of them).
                seed=seed_of_number(SEED),
                seed_hash=seed_hash(seed_of_number(SEED)),
                secret=SECRET,
                commitment=commitment_of(SECRET),
                parts=msgspec.json.encode(PARTS),
                created_at=self.service.now(),
            )
            work.session.add(match)
            for seat, person in enumerate(people):
                status = "invited" if seat else "accepted"
                row = SeatRow(seat=seat, player=person, name=person.name, lang=person.lang)
                row.status = SeatStatus(status)
                row.part = bytes.fromhex(PARTS[seat].part)
                match.invitees.append(row)
            bot = SeatRow(seat=BOT, bot="greedy", name="Greta", lang="en", status="accepted")
            match.invitees.append(bot)
            work.session.flush()
            self.id, self.guest = match.id, people[1].id
            self.service.keys.issue(work.session, "watch", match.id, match_id=match.id)
            self.service.keys.issue(
                work.session,
                "invitation",
                match.id,
                self.guest,
                match_id=match.id,
                player_id=self.guest,
            )
            owe_seat(self.service, work, LetterKind.INVITATION, match, match.invitees[1])

    def answer(self, reply: str) -> None:
        """Bruno's answer to the invitation."""
        token = self.service.keys.token("invitation", self.id, self.guest)
        with self.service.database.write() as work:
            answer(self.service, work, token, reply)

    def play(self) -> None:
        """Play the recorded turns to the end."""
        self.begin(MATCH.read_text(encoding="utf-8").splitlines())
        assert self.world.match(self.id).status == "ended"

    def begin(self, turns: Iterable[str]) -> None:
        """Play these turns, the bot's too; each takes five hours."""
        with time_machine.travel(BEGAN, tick=False) as clock:
            for turn in turns:
                clock.shift(dt.timedelta(hours=5))
                seat = self.world.awaited(self.id).seat
                source = "bot:greedy" if seat == BOT else "form"
                moves.play(self.service, self.world.submit(self.id, turn, source=source).id)


def letters(world: World) -> dict[str, bytes]:
    """The letters by name, e.g. "turn-middle.fr"."""
    found: dict[str, bytes] = {}
    with world.service.database.write() as work:
        # It is in every link, and random otherwise.
        work.session.get_one(Epoch, 1).mark = "0" * 32
    with time_machine.travel(BEGAN, tick=False):
        for lang, other in (("en", "fr"), ("fr", "en")):
            found |= _signin(world, lang)
            found |= _alias(world, lang)
            played = Known(world, f"knwn{lang}", (lang, other))
            played.answer("accept")
            played.play()
            found |= _of_match(world, played, lang, other)
            found |= _digest(world, played, lang)
            found |= _answers(world, played, lang)
            found |= _of_time(world, played, lang)
            found |= _message(world, played, lang)
            off = Known(world, f"ffff{lang}", (lang, other))
            off.answer("decline")
            found |= _chosen(world, off, {f"declined.{lang}": ("declined", 0, 0)})
            world.wait_out(off.id)
            found |= _chosen(world, off, {f"cancelled.{lang}": ("cancelled", 0, 0)})
        for lang, other in (("en", "fr"), ("fr", "en")):
            found |= _join(world, lang, other)
            found |= _erasure(world, lang)
        for lang, other in (("en", "fr"), ("fr", "en")):
            found |= _orders(world, lang, other)
    return found


def _signin(world: World, lang: str) -> dict[str, bytes]:
    nonce = f"00000000000000{lang.encode()[:1].hex()}"
    with world.service.database.write() as work:
        player = meet(world.service, work.session, f"dora.{lang}@example.org", "Dora", lang)
        world.service.keys.issue(
            work.session,
            "signin",
            nonce,
            player_id=player.id,
            expires_at=world.service.now() + SIGN_IN_FOR,
        )
        details = SignInDetails(nonce=nonce, lang=lang)
        owe(
            world.service,
            work,
            LetterKind.SIGNIN,
            player,
            dedupe=f"signin.{nonce}",
            details=details,
        )
    return {f"signin.{lang}": _rendered(world, f"signin.{nonce}")}


def _alias(world: World, lang: str) -> dict[str, bytes]:
    nonce = f"10000000000000{lang.encode()[:1].hex()}"
    with world.service.database.write() as work:
        player = meet(world.service, work.session, f"dora.{lang}@example.org", "Dora", lang)
        world.service.keys.issue(
            work.session,
            "alias",
            nonce,
            player_id=player.id,
            expires_at=world.service.now() + CONFIRM_FOR,
        )
        details = AliasDetails(nonce=nonce, address="dora.work@example.com")
        owe(world.service, work, LetterKind.ALIAS, player, dedupe=f"alias.{nonce}", details=details)
    return {f"alias.{lang}": _rendered(world, f"alias.{nonce}")}


def _erasure(world: World, lang: str) -> dict[str, bytes]:
    nonce = f"20000000000000{lang.encode()[:1].hex()}"
    with world.service.database.write() as work:
        player = meet(world.service, work.session, f"dora.{lang}@example.org", "Dora", lang)
        until = world.service.now() + GOOD_FOR
        keys = world.service.keys
        keys.issue(work.session, PURPOSE, nonce, player_id=player.id, expires_at=until)
        owe(
            world.service,
            work,
            LetterKind.ERASURE,
            player,
            dedupe=f"erasure.{nonce}",
            details=ErasureDetails(nonce=nonce),
        )
    return {f"erasure.{lang}": _rendered(world, f"erasure.{nonce}")}


def _digest(world: World, match: Known, lang: str) -> dict[str, bytes]:
    """Ana's digest of the same day: the board of her turn in mid-game, and a line of news."""
    dedupe = f"digest.{match.id}.2026-11-21"
    with world.service.database.write() as work:
        table = locks.lock_number(world.service, work, match.id)
        ana = table.seats[0]
        assert ana.player is not None
        turn = next(
            row
            for row in work.session.scalars(
                select(Letter)
                .where(Letter.match_id == match.id, Letter.kind == "turn", Letter.seat == 0)
                .order_by(Letter.id)
            )
            if (row.entry or 0) >= MIDDLE
        )
        tell(world.service, work, table, Unreachable(about=1), "known", to=[ana])
        work.session.flush()
        news = work.session.scalars(
            select(Letter.id).where(Letter.match_id == match.id, Letter.kind == "news")
        ).all()
        assert turn.decision is not None
        assert turn.entry is not None
        board = DigestBoard(match=match.id, seat=0, decision=turn.decision, entry=turn.entry)
        details = DigestDetails(boards=(board,), letters=(news[-1],))
        owe(world.service, work, LetterKind.DIGEST, ana.player, dedupe=dedupe, details=details)
    return {f"digest.{lang}": _rendered(world, dedupe)}


def _of_time(world: World, match: Known, lang: str) -> dict[str, bytes]:
    """Ana is reminded of her turn in mid-game, by the clock and by Bruno; she gets a notice and
    two news.
    """
    with world.service.database.write() as work:
        table = locks.lock_number(world.service, work, match.id)
        ana = table.seats[0]
        assert ana.player is not None
        reminder = work.session.scalars(
            select(Letter)
            .where(Letter.match_id == match.id, Letter.kind == "reminder", Letter.seat == 0)
            .where(Letter.entry >= MIDDLE)
            .order_by(Letter.id)
        ).first()
        assert reminder is not None
        owe(
            world.service,
            work,
            LetterKind.NUDGE,
            ana.player,
            dedupe=f"nudge.{lang}",
            match=table,
            seat=0,
            entry=reminder.entry,
            decision=reminder.decision,
            details=NudgeDetails(by=1),
        )
        owe(
            world.service,
            work,
            LetterKind.NOTICE,
            ana.player,
            dedupe=f"notice.{lang}",
            match=table,
            seat=0,
            entry=(reminder.entry or 0) - 1,
        )
        tell(world.service, work, table, PauseWanted(about=1, days=5), "known", to=[ana])
        tell(world.service, work, table, TimeUp(about=1), "known", to=[ana])
        told = f"news.{table.code}.0.%s.known.{ana.player.id}"
        dedupes = {
            "news-pause": told % "pause_asked",
            "news-time-up": told % "time_up",
            "notice": f"notice.{lang}",
            "nudge": f"nudge.{lang}",
            "reminder": reminder.dedupe,
        }
    return {f"{name}.{lang}": _rendered(world, dedupe) for name, dedupe in dedupes.items()}


def _orders(world: World, lang: str, other: str) -> dict[str, bytes]:
    """Ana may plan her next move, in a game that has plans, while somebody else is to move."""
    table = Known(world, f"pppp{lang}", (lang, other), PLANNING)
    table.answer("accept")
    table.begin(PLANNED)
    return _chosen(world, table, {f"orders.{lang}": ("orders", 0, 0)})


def _message(world: World, match: Known, lang: str) -> dict[str, bytes]:
    """Bruno and Ana talk; Ana is written what Bruno said."""
    with world.service.database.write() as work:
        table = locks.lock_number(world.service, work, match.id)
        bruno = "Well played!\nI never saw that cave <coming>."
        first = messages.say(world.service, work, table, 1, bruno, f"first.{lang}")
        messages.say(world.service, work, table, 0, "Thank you.", f"mine.{lang}")
        messages.say(world.service, work, table, 1, "Once more?", f"second.{lang}")
    return {f"message.{lang}": _rendered(world, f"message.{table.code}.0.{first.id}")}


def _answers(world: World, match: Known, lang: str) -> dict[str, bytes]:
    """Answers to Ana about her turn in mid-game: with a slip in it, played, and to words alone."""
    with world.service.database.write() as work:
        table = locks.lock_number(world.service, work, match.id)
        asked = work.session.scalars(
            select(DecisionRow)
            .where(DecisionRow.match_id == match.id, DecisionRow.seat == 0)
            .where(DecisionRow.opened_entry >= MIDDLE)
            .order_by(DecisionRow.opened_entry)
        ).first()
        assert asked is not None
        assert asked.closed_entry is not None
        own = TableLine(
            match=match.id,
            seat=0,
            status=MatchStatus.PLAYING,
            own=True,
            waits=("Ana",),
            deadline=dt.datetime(2026, 11, 27, 9, tzinfo=dt.UTC),
        )
        results: dict[str, tuple[Result, ...]] = {
            "mend": (TurnWrong(text=SLIP, verdict=_slip(work.session, table, asked, lang)),),
            "played": (
                MessageSaid(text="Well done, Bruno!\nSee you."),
                TurnPlayed(entry=asked.closed_entry),
            ),
            "words": (
                TablesListed(tables=(own,)),
                RemindersChosen(when=("half", "12h")),
                WordRefused(error="nobody_to_nudge"),
                HelpShown(),
            ),
        }
        for name, told in results.items():
            after = name == "played"
            owe(
                world.service,
                work,
                LetterKind.ANSWER,
                table.host,
                dedupe=f"answer.{name}.{lang}",
                match=table,
                seat=0,
                entry=asked.closed_entry if after else asked.opened_entry,
                decision=None if after else asked.decision,
                details=AnswerDetails(
                    results=told,
                    message_id="1@mail.example.org",
                    references=("0@mail.example.org",),
                ),
            )
    names = {f"answer-{name}.{lang}": f"answer.{name}.{lang}" for name in results}
    return {name: _rendered(world, dedupe) for name, dedupe in names.items()}


def _slip(session: Session, match: Match, asked: DecisionRow, lang: str) -> AnyFault:
    """What is wrong with the SLIP, with whole turns near to it."""
    game = games()[GAME]
    state = journal.position(session, match, asked.opened_entry).state
    found = Finder(Asked(game, state, 0, asked.decision, lang)).find([[SLIP]])
    assert isinstance(found, Mend), f"{SLIP} is legal"
    return msgspec.structs.replace(fault_of(found.error), possible=found.instead)


def _rendered(world: World, dedupe: str) -> bytes:
    with world.service.database.read() as session:
        letter = session.scalars(select(Letter).where(Letter.dedupe == dedupe)).one()
        return render(world.service, session, letter)


def _of_match(world: World, match: Known, lang: str, other: str) -> dict[str, bytes]:
    """Ana's letters in `lang`, Bruno's in `other`."""
    return _chosen(
        world,
        match,
        {
            f"invitation.{other}": ("invitation", 1, 0),
            f"start.{other}": ("start", 1, 0),
            f"turn-first.{lang}": ("turn", 0, 0),
            f"turn-middle.{lang}": ("turn", 0, MIDDLE),
            f"end.{lang}": ("end", 0, 0),
        },
    )


def _join(world: World, lang: str, other: str) -> dict[str, bytes]:
    """Zoé asks for a seat by the link of a table."""
    table = Known(world, f"jjjj{lang}", (other, other))
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, table.id)
        match.invitees[1].status, match.invitees[1].player = SeatStatus.EMPTY, None
        match.invitees[1].name = ""
        join_links.make(world.service, work, match)
        token = world.service.keys.token(join_links.PURPOSE, match.id, match.join_links)
        joining.ask(world.service, work, token, f"zoe.{lang}@example.org", "Zoé", lang)
    with world.service.database.read() as session:
        found = select(Letter).where(Letter.match_id == table.id, Letter.kind == "join")
        return {f"join.{lang}": render(world.service, session, session.scalars(found).one())}


def _chosen(
    world: World, match: Known, wanted: dict[str, tuple[str, int, int]]
) -> dict[str, bytes]:
    """Of each (kind, seat, entry) the first letter to that seat from that entry on."""
    found = {}
    with world.service.database.read() as session:
        for name, (kind, seat, entry) in wanted.items():
            query = select(Letter).where(
                Letter.match_id == match.id, Letter.kind == kind, Letter.seat == seat
            )
            letter = next(
                row
                for row in session.scalars(query.order_by(Letter.id))
                if (row.entry or 0) >= entry
            )
            found[name] = render(world.service, session, letter)
    return found


def shown(raw: bytes) -> dict[str, str]:
    """What is golden of a letter: ".txt" is headers and text part, ".html" the HTML part."""
    message, text, html, _ = parts_of(raw)
    head = "\n".join(f"{name}: {value}" for name, value in message.items())
    lines = {".txt": f"{head}\n\n{text}", ".html": html}
    return {ending: content.replace("\r\n", "\n") for ending, content in lines.items()}


def main(target: str) -> None:
    """Write the letters, or what is golden of them."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/known.db"
        upgrade(url)
        jobs = Jobs()
        found = letters(World(Service(settings_for(url), jobs), jobs))
    out = GOLDEN if target == "--golden" else Path(target)
    out.mkdir(parents=True, exist_ok=True)
    for name, raw in found.items():
        if target == "--golden":
            for ending, content in shown(raw).items():
                (out / f"{name}{ending}").write_text(content, encoding="utf-8")
        else:
            (out / f"{name}.eml").write_bytes(raw)


if __name__ == "__main__":
    main(sys.argv[1])
