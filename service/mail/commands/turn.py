"""Words about one's own turn and seat: taking back, playing now, giving up."""

from __future__ import annotations

from typing import Any

from service.core.errors import Refused
from service.core.results import Result, TurnReleased, TurnUndone
from service.mail.commands import arguments as takes
from service.mail.commands import resigning
from service.mail.commands.command import Command, CommandContext
from service.matches import moves, undoing

CHECK = "check"


def _undo(context: CommandContext, _: takes.Nothing) -> Result:
    undone = undoing.undo(context.service, context.work, context.table, context.seat)
    return TurnUndone(how=undone.how, body=undone.body, said=undone.said)


def _play(context: CommandContext, _: takes.Nothing) -> Result:
    """Have the turn that is held played now. The mail's answer comes once it is."""
    waiting = moves.waiting_of(context.work.session, context.table, context.seat)
    if waiting is None:
        raise Refused("nothing_held")
    moves.release(context.service, context.work, waiting)
    return TurnReleased(submission=waiting.id)


def _check(context: CommandContext, _: takes.Nothing) -> Result | None:
    """Nothing by itself: with it the turn below is read and told, and not played."""
    return None


def _resign(context: CommandContext, _: takes.Nothing) -> Result:
    """Ask whether they are sure. No one mail ends a game, whatever stands in it: it may be a slip,
    or a quote of what another wrote.
    """
    return resigning.ask(context)


WORDS: tuple[Command[Any], ...] = (
    Command("undo", "undo annuler annule", act=_undo),
    Command(
        "play",
        "play jouer joue",
        arguments=takes.nothing_but("now", "maintenant"),
        act=_play,
        asks_nothing=True,
    ),
    Command(CHECK, "check verifie verifier", act=_check, stays_away=True),
    Command(
        "resign",
        "resign abandonner",
        arguments=takes.nothing_but("yes", "oui", "sure"),
        act=_resign,
        asks_nothing=True,
        stays_away=True,
    ),
)
