"""Words that only ask: how things stand, the boards, the story, the rules, what can be written."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from service.core.models import Player
from service.core.results import (
    BoardShown,
    HelpShown,
    HistoryShown,
    Result,
    RulesShown,
    TablesListed,
)
from service.core.statuses import MatchStatus
from service.mail.commands import arguments as takes
from service.mail.commands.command import Command, CommandContext
from service.matches.overview import tables_of
from service.matches.standing import line_of

MOST_TABLES = 12


def tables_listed(session: Session, player: Player) -> TablesListed:
    """The tables of a player that are not over: who is awaited at each, and until when."""
    tables = tables_of(session, player)
    running = [t for t in tables if t.match.status in (MatchStatus.INVITING, MatchStatus.PLAYING)]
    return TablesListed(
        tables=tuple(line_of(session, table) for table in running[:MOST_TABLES]),
        more=max(0, len(running) - MOST_TABLES),
        word="status",
    )


def _status(context: CommandContext, _: takes.Nothing) -> Result:
    return tables_listed(context.work.session, context.player)


def _help(context: CommandContext, _: takes.Nothing) -> Result:
    return HelpShown()


def _rules(context: CommandContext, _: takes.Nothing) -> Result:
    return RulesShown()


def _board(context: CommandContext, _: takes.Nothing) -> Result:
    return BoardShown(seat=context.place.seat)


def _history(context: CommandContext, _: takes.Nothing) -> Result:
    return HistoryShown(seat=context.place.seat)


WORDS: tuple[Command[Any], ...] = (
    Command("status", "status statut etat situation", act=_status, stays_away=True),
    Command("help", "help aide commands commandes", act=_help, stays_away=True),
    Command("rules", "rules rule regles regle learn apprendre", act=_rules, stays_away=True),
    Command("board", "board boards plateau plateaux", act=_board, stays_away=True),
    Command("history", "history historique histoire story", act=_history, stays_away=True),
)
