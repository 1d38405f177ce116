"""Matches for measuring: all seats are people. A turn is the engine's default turn, or a bot's."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from engine.bots import ask
from engine.chance import SeededChance
from engine.games import games
from engine.play import complete, written
from service.core import locks
from service.core.context import Service
from service.core.db import NoQueue
from service.core.models import DecisionRow, Match, Player
from service.core.settings import Settings
from service.matches import journal, moves
from service.matches.tables import Guest, answer, open_table
from service.players.accounts import meet

SETTINGS = {
    "SECRET_KEY": "bench-" * 8,
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SMTP_URL": "smtp://127.0.0.1:1",
    "BASE_URL": "http://paleopost.test",
}


def open_service(path: Path) -> Service:
    """A service on a SQLite file, without workers."""
    return Service(Settings.from_env(SETTINGS | {"DATABASE_URL": f"sqlite:///{path}"}), NoQueue())


class Table:
    """A match in progress, played from outside."""

    _opened = 0

    def __init__(self, service: Service, seats: int = 2, game: str = "", bot: str = "") -> None:
        self.service = service
        self.bot = bot
        Table._opened += 1
        names = [f"p{Table._opened}-{seat}@example.org" for seat in range(seats)]
        with service.database.write() as work:
            host = meet(service, work.session, names[0])
            guests = [Guest(address=name) for name in names[1:]]
            match = open_table(service, work, host, game or next(iter(games())), guests)
            self.match_id, self.code = match.id, match.code
        for name in names[1:]:
            with service.database.write() as work:
                guest = work.session.scalars(select(Player).where(Player.email == name)).one()
                token = service.keys.token("invitation", self.match_id, guest.id)
                answer(service, work, token, "accept")

    def next_turn(self) -> tuple[DecisionRow, str] | None:
        """The decision that is waited for with a legal turn for it, or None once the match is
        over.
        """
        with self.service.database.read() as session:
            match = session.get_one(Match, self.match_id)
            game = journal.game_of(match)
            state = journal.position(session, match).state
            asked = next((each for each in game.decisions(state) if each.blocks), None)
            if asked is None:
                return None
            row = session.scalars(
                select(DecisionRow).where(
                    DecisionRow.match_id == match.id,
                    DecisionRow.decision == asked.id,
                    DecisionRow.closed_entry.is_(None),
                )
            ).one()
            chance = SeededChance(bytes(32))
            if self.bot:
                actions = ask(game, self.bot, state, asked, chance)
            else:
                actions = complete(game, state, row.seat, row.decision, chance)
            return row, "\n".join(written(game, state, row.seat, actions, "en"))

    def submit(self, turn: tuple[DecisionRow, str] | None = None) -> int:
        """Store this turn, else the next one; the submission's id."""
        found = turn or self.next_turn()
        assert found is not None
        row, body = found
        with self.service.database.write() as work:
            return moves.receive(
                self.service,
                work,
                match=locks.lock_number(self.service, work, self.match_id),
                seat=row.seat,
                decision=row.decision,
                body=body,
                lang="en",
                source="form",
            ).id

    def play(self) -> None:
        """Play the next turn here, in this process."""
        moves.play(self.service, self.submit())
