"""The match that replies with moves, plans and orders for fights answer: two in the valley."""

from __future__ import annotations

from pathlib import Path

import msgspec

from engine.chance import seed_hash, seed_of_number
from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.models import InboundMail, Match
from service.mail.receive import inbound
from service.matches import journal, reading
from service.matches.tables import Guest
from tests.inbox.kept import DOMAIN
from tests.inbox.known_match import ANA, BRUNO
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, settings_for

GAME = "mammoths"
SEED = 37
"""Bruno (seat 1) moves first, and no beast stands in the way."""
KINDS = {"file": "1.file.0", "move": "1.move.0", "combat": "1.combat.0"}
"""Ana's decision at each moment: she is invited, is to move, has met Bruno on 62."""


class Valley:
    """The match on SQLite, which is put back to the moment that a mail answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        jobs = Jobs()
        settings = settings_for(f"sqlite:///{folder / 'match.db'}", MAIL_DOMAIN=DOMAIN)
        self.world = World(Service(settings, jobs), jobs)
        self.number = self._opened()
        self.post = Correspondence(self.world, self.number)
        for seat, text in ((0, "place 43 sow yes"), (1, "place 63 sow no")):
            self._play(seat, text)
        self._keep("file")
        self._play(1, "move 3w 63-72-62 done")
        self._keep("move")
        self._play(0, "move 4w 43-53-62 done")
        self._keep("combat")

    def receive(self, moment: str, text: str, address: str = ANA) -> InboundMail:
        """Ana answers the letter of a moment; what else was mailed there did not happen."""
        self.close()
        for beside in ("-wal", "-shm"):
            (self._folder / f"match.db{beside}").unlink(missing_ok=True)
        (self._folder / "match.db").write_bytes((self._folder / f"{moment}.db").read_bytes())
        seat = self.world.match(self.number).seats[0]
        token = reply_keys.seat_token(self.world.service.keys, seat, KINDS[moment])
        to = f"r+{token}@{DOMAIN}"
        raw = self.post.written(address, to, text, subject="Re: Valley of the Mammoths")
        stored = self.post.take(raw, to, address)
        assert stored is not None
        return inbound.handle(self.world.service, stored)

    def on_file(self) -> list[str]:
        """What Ana has on file, in notation."""
        with self.world.service.database.read() as session:
            view = reading.match_view(session, session.get_one(Match, self.number), 0)
            return [order.text["en"] for order in view.filed]

    def made(self, moment: str) -> list[str]:
        """The entries since a moment that are Ana's, but what she has filed."""
        began = {"file": 2, "move": 3, "combat": 4}[moment]
        found = []
        with self.world.service.database.read() as session:
            match = session.get_one(Match, self.number)
            game = journal.game_of(match)
            for row in journal.rows(session, match, began + 1):
                entry = journal.entry_of(row)
                if entry.seat == 0 and entry.decision == KINDS[moment]:
                    state = journal.position(session, match, entry.n - 1).state
                    actions = [msgspec.convert(each, game.action_type) for each in entry.actions]
                    texts = [game.notation.format(state, 0, each, "en") for each in actions]
                    found.append(f"{entry.cause}: {', '.join(texts)}")
        return found

    def close(self) -> None:
        """Let go of the database."""
        self.world.service.database.dispose()

    def _opened(self) -> int:
        world = self.world
        world.player(ANA, name="Ana", lang="en")
        guest = Guest(address=BRUNO, name="Bruno", lang="fr")
        number = world.open([guest], GAME, options={"board": 1}, hold_minutes=0)
        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, number)
            match.seed = seed_of_number(SEED)
            match.seed_hash = seed_hash(match.seed)
        world.everybody_accepts(number)
        return number

    def _play(self, seat: int, text: str) -> None:
        with self.world.service.database.read() as session:
            match = session.get_one(Match, self.number)
            row = next(row for row in reading.open_decisions(session, match, seat) if row.blocks)
        self.world.submit(self.number, text, seat=seat, decision=row.decision)
        self.world.hear(mail=True)

    def _keep(self, moment: str) -> None:
        self.close()
        kept = (self._folder / "match.db").read_bytes()
        (self._folder / f"{moment}.db").write_bytes(kept)
