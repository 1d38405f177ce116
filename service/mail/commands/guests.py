"""The answers to an invitation; "yes" and "no" answer a question at a table as well."""

from __future__ import annotations

from service.core.errors import Refused
from service.core.results import InvitationAnswered, Result
from service.core.statuses import SeatStatus
from service.mail.commands import arguments as takes
from service.mail.commands.time import consent
from service.mail.commands.word import Arguments, Asking, Word
from service.matches.tables import answer
from service.players import preferences


def answered(asking: Asking, reply: str) -> Result:
    """Answer the invitation: "accept", "decline" or "never"."""
    if asking.row is None or asking.row.player_id is None:
        raise Refused("no_table")
    if reply == "never" and asking.row.player_id == asking.table.host_id:
        # Nobody invited the host to this table: the wish is about others.
        preferences.be_invited(asking.service, asking.player, False)
        return InvitationAnswered(reply=reply, status=asking.table.status)
    if not asking.guest and asking.row.status == SeatStatus.ACCEPTED and reply != "never":
        raise Refused("already_answered", status=asking.row.status)
    takes_over = asking.row.successor_of is not None
    token = asking.service.keys.token("invitation", asking.table.id, asking.row.player_id)
    row = answer(asking.service, asking.work, token, reply, asking.part)
    # Who has accepted on the page before has added what the page drew.
    adds = row.status == SeatStatus.ACCEPTED and row.part == asking.part
    return InvitationAnswered(
        reply=reply,
        status=row.match.status,
        takes_over=takes_over,
        added=asking.part.hex() if adds else None,
        waits=tuple(guest.name for guest in row.match.guests if guest.status == SeatStatus.INVITED),
    )


def _accept(asking: Asking, _: Arguments) -> Result:
    return answered(asking, "accept")


def _decline(asking: Asking, _: Arguments) -> Result:
    return answered(asking, "decline")


def _coming(asking: Asking, _: Arguments) -> Result | None:
    return answered(asking, "accept") if asking.invited else None


def _not_coming(asking: Asking, _: Arguments) -> Result | None:
    return answered(asking, "decline") if asking.invited else None


def _never(asking: Asking, _: Arguments) -> Result:
    return answered(asking, "never")


def _yes(asking: Asking, said: Arguments) -> Result | None:
    return answered(asking, "accept") if asking.invited else consent(asking, agree=True)


def _no(asking: Asking, said: Arguments) -> Result | None:
    return answered(asking, "decline") if asking.invited else consent(asking, agree=False)


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
"""Result so, with nothing but politeness around it, it is an answer; of the last two, only to an
invitation.
"""

WORDS = (
    Word(
        name="accept",
        spellings=("accept", "accepter", "accepte", "j'accepte"),
        arguments=takes.nothing,
        act=_accept,
        asks_nothing=True,
    ),
    Word(
        name="decline",
        spellings=("decline", "decliner", "refuser", "refuse"),
        arguments=takes.nothing,
        act=_decline,
        asks_nothing=True,
    ),
    Word(
        name="accept",
        spellings=(),
        phrases=_COMING,
        arguments=takes.nothing,
        act=_coming,
    ),
    Word(
        name="decline",
        spellings=(),
        phrases=_NOT_COMING,
        arguments=takes.nothing,
        act=_not_coming,
    ),
    Word(
        name="never",
        spellings=("never", "jamais"),
        arguments=takes.one_of({"again": True, "plus": True, "plus jamais": True}, optional=True),
        act=_never,
        asks_nothing=True,
        stays_away=True,
    ),
    Word(
        name="yes",
        spellings=("yes", "oui", "ok", "okay", "d'accord"),
        phrases=_YES,
        arguments=takes.nothing,
        act=_yes,
        asks_nothing=True,
    ),
    Word(
        name="no",
        spellings=("no", "non"),
        phrases=_NO,
        arguments=takes.nothing,
        act=_no,
        asks_nothing=True,
    ),
)
