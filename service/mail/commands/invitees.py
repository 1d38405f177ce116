"""The answers to an invitation; "yes" and "no" answer a question at a table as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.core.errors import Refused
from service.core.results import InvitationAnswered, Result
from service.core.statuses import SeatStatus
from service.mail.commands import arguments as takes
from service.mail.commands.command import Command, CommandContext
from service.mail.commands.time import consent
from service.matches.tables import answer
from service.players import preferences


def answered(context: CommandContext, reply: str) -> Result:
    """Answer the invitation: "accept", "decline" or "never"."""
    if context.row is None or context.row.player_id is None:
        raise Refused("no_table")
    if reply == "never" and context.row.player_id == context.table.host_id:
        # Nobody invited the host to this table: the wish is about others.
        preferences.be_invited(context.service, context.player, False)
        return InvitationAnswered(reply=reply, status=context.table.status)
    if not context.guest and context.row.status == SeatStatus.ACCEPTED and reply != "never":
        raise Refused("already_answered", status=context.row.status)
    takes_over = context.row.successor_of is not None
    token = context.service.keys.token("invitation", context.table.id, context.row.player_id)
    row = answer(context.service, context.work, token, reply, context.part)
    # Who has accepted on the page before has added what the page drew.
    adds = row.status == SeatStatus.ACCEPTED and row.part == context.part
    return InvitationAnswered(
        reply=reply,
        status=row.match.status,
        takes_over=takes_over,
        added=context.part.hex() if adds else None,
        waits=tuple(
            guest.name for guest in row.match.invitees if guest.status == SeatStatus.INVITED
        ),
    )


def _answers(reply: str) -> Callable[[CommandContext, takes.Nothing], Result]:
    return lambda context, _: answered(context, reply)


def _invited(reply: str) -> Callable[[CommandContext, takes.Nothing], Result | None]:
    """The answer of who was invited; of anybody else these words are none."""
    return lambda context, _: answered(context, reply) if context.invited else None


def _yes(context: CommandContext, said: takes.Nothing) -> Result | None:
    return answered(context, "accept") if context.invited else consent(context, agree=True)


def _no(context: CommandContext, said: takes.Nothing) -> Result | None:
    return answered(context, "decline") if context.invited else consent(context, agree=False)


_YES = (
    "yes",
    "yes count me in",
    "yes gladly",
    "yes i agree",
    "yes of course",
    "yes sure",
    "yes with pleasure",
    "agreed",
    "fine with me",
    "gladly",
    "i agree",
    "of course",
    "with pleasure",
    "oui",
    "oui avec joie",
    "oui avec plaisir",
    "oui bien sur",
    "oui je suis d accord",
    "oui volontiers",
    "avec joie",
    "avec plaisir",
    "bien sur",
    "bien volontiers",
    "ca me va",
    "d accord",
    "je suis d accord",
    "volontiers",
)
_NO = ("no", "non", "no i do not agree", "i do not agree", "je ne suis pas d accord")
_COMING = (
    "count me in",
    "i am in",
    "i d love to",
    "i m in",
    "j en suis",
    "je participe",
    "je suis partant",
    "je suis partante",
    "je viens",
    "sure",
    "sure count me in",
)
_NOT_COMING = (
    "count me out",
    "i can not",
    "i can t",
    "i cannot",
    "je ne peux pas",
    "not this time",
    "pas cette fois",
    "sans moi",
    "without me",
)
"""Said so, with nothing but politeness around it, it is an answer; of the last two, only to an
invitation.
"""

WORDS: tuple[Command[Any], ...] = (
    Command(
        "accept", "accept accepter accepte j'accepte", act=_answers("accept"), asks_nothing=True
    ),
    Command(
        "decline", "decline decliner refuser refuse", act=_answers("decline"), asks_nothing=True
    ),
    Command("accept", "", phrases=_COMING, act=_invited("accept")),
    Command("decline", "", phrases=_NOT_COMING, act=_invited("decline")),
    Command(
        "never",
        "never jamais",
        arguments=takes.nothing_but("again", "plus", "plus jamais"),
        act=_answers("never"),
        asks_nothing=True,
        stays_away=True,
    ),
    Command("yes", "yes oui ok okay d'accord", phrases=_YES, act=_yes, asks_nothing=True),
    Command("no", "no non", phrases=_NO, act=_no, asks_nothing=True),
)
