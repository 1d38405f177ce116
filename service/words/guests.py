"""The answers to an invitation; "yes" and "no" answer a question at a table as well."""

from __future__ import annotations

from service.usecases.errors import Refused
from service.usecases.tables import answer
from service.words import arguments as takes
from service.words.time import consent
from service.words.word import Arguments, Asking, Said, Word, result


def answered(asking: Asking, reply: str) -> Said:
    """Answer the invitation: "accept", "decline" or "never"."""
    if asking.row is None or asking.row.player_id is None:
        raise Refused("no_table")
    if not asking.guest and asking.row.status == "accepted" and reply != "never":
        raise Refused("already_answered", status=asking.row.status)
    token = asking.service.keys.token("invitation", asking.table.id, asking.row.player_id)
    row = answer(asking.service, asking.work, token, reply)
    return result(
        "answered",
        reply=reply,
        status=row.match.status,
        waits=[guest.name for guest in row.match.guests if guest.status == "invited"],
    )


def _accept(asking: Asking, _: Arguments) -> Said:
    return answered(asking, "accept")


def _decline(asking: Asking, _: Arguments) -> Said:
    return answered(asking, "decline")


def _never(asking: Asking, _: Arguments) -> Said:
    return answered(asking, "never")


def _yes(asking: Asking, said: Arguments) -> Said | None:
    return answered(asking, "accept") if asking.guest else consent(asking, agree=True)


def _no(asking: Asking, said: Arguments) -> Said | None:
    return answered(asking, "decline") if asking.guest else consent(asking, agree=False)


WORDS = (
    Word(
        name="accept",
        spellings=("accept", "accepter", "accepte", "j'accepte"),
        arguments=takes.nothing,
        act=_accept,
    ),
    Word(
        name="decline",
        spellings=("decline", "decliner", "refuser", "refuse"),
        arguments=takes.nothing,
        act=_decline,
    ),
    Word(
        name="never",
        spellings=("never", "jamais"),
        arguments=takes.one_of({"again": True, "plus": True, "plus jamais": True}, optional=True),
        act=_never,
        stays_away=True,
    ),
    Word(
        name="yes",
        spellings=("yes", "oui", "ok", "okay", "d'accord"),
        arguments=takes.nothing,
        act=_yes,
    ),
    Word(
        name="no",
        spellings=("no", "non"),
        arguments=takes.nothing,
        act=_no,
    ),
)
