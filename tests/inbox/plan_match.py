"""The position that the replies with plans answer: the first turn of a game with plans, Ana's."""

from __future__ import annotations

from pathlib import Path

import msgspec
from sqlalchemy import select

from engine.chance import NoChance, seed_hash, seed_of_number
from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.models import EntryRow, InboundMail, Match
from service.mail.receive import inbound
from service.matches import journal, reading
from service.matches.tables import Guest
from tests.inbox import corpus
from tests.inbox.kept import DOMAIN, Kept
from tests.inbox.known_match import ANA, BRUNO
from tests.support.correspondence import Answer, Correspondence
from tests.support.tables import Jobs, World, settings_for

GAME = "fire_and_stone"
SEED = 5
"""On Namib grow mushrooms."""


def plan_match(world: World) -> int:
    """Open the match; its id. Ana (seat 0) is to move."""
    world.player(ANA, name="Ana", lang="en")
    number = world.open([Guest(address=BRUNO, name="Bruno", lang="fr")], GAME, options={"first": 0})
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, number)
        match.seed = seed_of_number(SEED)
        match.seed_hash = seed_hash(match.seed)
    world.everybody_accepts(number)
    return number


class PlanTable:
    """The match on SQLite, which is put back to its first turn before each mail."""

    def __init__(self, folder: Path) -> None:
        self._path, self._kept = folder / "match.db", folder / "kept.db"
        jobs = Jobs()
        settings = settings_for(f"sqlite:///{self._path}", MAIL_DOMAIN=DOMAIN)
        self.world = World(Service(settings, jobs), jobs)
        self.number = plan_match(self.world)
        decision = self.world.awaited(self.number).decision
        seat = self.world.match(self.number).seats[0]
        self.token = reply_keys.seat_token(self.world.service.keys, seat, decision)
        self.close()
        self._kept.write_bytes(self._path.read_bytes())

    def receive(self, kept: Kept) -> InboundMail:
        """A mail comes to the match as it was before any, and is handled."""
        self.close()
        for beside in ("-wal", "-shm"):
            self._path.with_name(self._path.name + beside).unlink(missing_ok=True)
        self._path.write_bytes(self._kept.read_bytes())
        raw = kept.raw.replace(corpus.TOKEN.encode(), self.token.encode())
        with self.world.service.database.write() as work:
            stored = inbound.take(self.world.service, work, raw, source="lmtp")
        assert stored is not None
        return inbound.handle(self.world.service, stored)

    def answer(self, mail: InboundMail) -> Answer:
        """The letter that answers a mail."""
        return Correspondence(self.world, self.number).answer(mail)

    def played(self) -> list[str]:
        """The entries of the match: who or what made them, and what was done, in notation."""
        with self.world.service.database.read() as session:
            match = session.get_one(Match, self.number)
            game, state = journal.game_of(match), journal.position(session, match, 0).state
            found = []
            for row in session.scalars(select(EntryRow).where(EntryRow.n > 0).order_by(EntryRow.n)):
                entry, texts = journal.entry_of(row), []
                for plain in entry.actions:
                    action = msgspec.convert(plain, game.action_type)
                    if plain["do"] != "plan":
                        texts.append(game.notation.format(state, entry.seat, action, "en"))
                    state = game.apply(state, entry.seat, action, NoChance()).state
                if texts:
                    found.append(f"{entry.cause}: {', '.join(texts)}")
            return found

    def on_file(self) -> str:
        """The plan of Ana that is on file, in notation; "" for none."""
        with self.world.service.database.read() as session:
            view = reading.match_view(session, session.get_one(Match, self.number), 0)
            return " / ".join(order.text["en"] for order in view.filed)

    def close(self) -> None:
        """Let go of the database."""
        self.world.service.database.dispose()
