"""Words about one's own turn and seat: taking back, playing now, giving up."""

from __future__ import annotations

from service.core.errors import Refused
from service.core.results import Result, TurnReleased, TurnUndone
from service.mail.commands import arguments as takes
from service.mail.commands import resigning
from service.mail.commands.command import Arguments, Command, CommandContext
from service.matches import moves, undoing

CHECK = "check"


def _undo(context: CommandContext, _: Arguments) -> Result:
    undone = undoing.undo(context.service, context.work, context.table, context.seat)
    return TurnUndone(how=undone.how, body=undone.body, said=undone.said)


def _play(context: CommandContext, _: Arguments) -> Result:
    """Have the turn that is held played now. The mail's answer comes once it is."""
    waiting = moves.waiting_of(context.work.session, context.table, context.seat)
    if waiting is None:
        raise Refused("nothing_held")
    moves.release(context.service, context.work, waiting)
    return TurnReleased(submission=waiting.id)


def _check(context: CommandContext, _: Arguments) -> Result | None:
    """Nothing by itself: with it the turn below is read and told, and not played."""
    return None


def _resign(context: CommandContext, _: Arguments) -> Result:
    """Ask whether they are sure. No one mail ends a game, whatever stands in it: it may be a slip,
    or a quote of what another wrote.
    """
    return resigning.ask(context)


WORDS = (
    Command(
        name="undo",
        spellings=("undo", "annuler", "annule"),
        arguments=takes.nothing,
        act=_undo,
    ),
    Command(
        name="play",
        spellings=("play", "jouer", "joue"),
        arguments=takes.one_of({"now": True, "maintenant": True}, optional=True),
        act=_play,
        asks_nothing=True,
    ),
    Command(
        name=CHECK,
        spellings=("check", "verifie", "verifier"),
        arguments=takes.nothing,
        act=_check,
        stays_away=True,
    ),
    Command(
        name="resign",
        spellings=("resign", "abandonner"),
        arguments=takes.one_of({"yes": True, "oui": True, "sure": True}, optional=True),
        act=_resign,
        asks_nothing=True,
        stays_away=True,
    ),
)
