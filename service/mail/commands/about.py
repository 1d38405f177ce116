"""Words that only ask: how things stand, the boards, the story, the rules, what can be written."""

from __future__ import annotations

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
from service.mail.commands.command import Arguments, Command, CommandContext
from service.matches.overview import tables_of
from service.matches.standing import line_of

MOST_TABLES = 12


def tables_listed(session: Session, player: Player) -> TablesListed:
    """Who is awaited until when at all of a player's tables that are not over."""
    tables = tables_of(session, player)
    running = [t for t in tables if t.match.status in (MatchStatus.INVITING, MatchStatus.PLAYING)]
    return TablesListed(
        tables=tuple(line_of(session, table) for table in running[:MOST_TABLES]),
        more=max(0, len(running) - MOST_TABLES),
        word="status",
    )


def _status(context: CommandContext, _: Arguments) -> Result:
    return tables_listed(context.work.session, context.player)


def _help(context: CommandContext, _: Arguments) -> Result:
    return HelpShown()


def _rules(context: CommandContext, _: Arguments) -> Result:
    return RulesShown()


def _board(context: CommandContext, _: Arguments) -> Result:
    return BoardShown(seat=context.place.seat)


def _history(context: CommandContext, _: Arguments) -> Result:
    return HistoryShown(seat=context.place.seat)


WORDS = (
    Command(
        name="status",
        spellings=("status", "statut", "etat", "situation"),
        arguments=takes.nothing,
        act=_status,
        stays_away=True,
    ),
    Command(
        name="help",
        spellings=("help", "aide", "commands", "commandes"),
        arguments=takes.nothing,
        act=_help,
        stays_away=True,
    ),
    Command(
        name="rules",
        spellings=("rules", "rule", "regles", "regle", "learn", "apprendre"),
        arguments=takes.nothing,
        act=_rules,
        stays_away=True,
    ),
    Command(
        name="board",
        spellings=("board", "boards", "plateau", "plateaux"),
        arguments=takes.nothing,
        act=_board,
        stays_away=True,
    ),
    Command(
        name="history",
        spellings=("history", "historique", "histoire", "story"),
        arguments=takes.nothing,
        act=_history,
        stays_away=True,
    ),
)
