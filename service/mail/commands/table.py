"""Words to the table: a message, the same again, and having no more letters of it."""

from __future__ import annotations

from service.core.errors import Refused
from service.core.keys import seat_scope
from service.core.results import MessageSaid, Muted, Rematched, Result, Unmuted
from service.core.statuses import MatchStatus
from service.mail.commands import arguments as takes
from service.mail.commands.guests import answered
from service.mail.commands.word import Arguments, Asking, Word
from service.matches import messages, rematch
from service.outgoing import news
from service.players import preferences


def _message(asking: Asking, said: Arguments) -> Result:
    row = asking.place
    assert row.seat is not None
    message = messages.say(
        asking.service,
        asking.work,
        asking.table,
        row.seat,
        said["text"],
        dedupe=f"message.{asking.dedupe}",
    )
    readers = [other for other in news.people(asking.table) if other is not row]
    return MessageSaid(text=message.text, readers=len(readers))


def _rematch(asking: Asking, _: Arguments) -> Result:
    row = asking.place
    if asking.table.status != MatchStatus.ENDED:
        raise Refused("not_over")
    keys = asking.service.keys
    token = keys.token("rematch", *seat_scope(row))
    opened = rematch.rematch(asking.service, asking.work, token, asking.part)
    mine = next((r for r in opened.guests if r.player_id == asking.player.id), None)
    return Rematched(
        match=opened.id,
        host=opened.host_id == asking.player.id,
        answer=mine.status if mine is not None else None,
        added=asking.part.hex() if mine is not None and mine.part == asking.part else None,
    )


def _mute(asking: Asking, _: Arguments) -> Result:
    """No more letters of this match; to a guest it means no more invitations."""
    return answered(asking, "never") if asking.invited else _muted(asking, on=True)


def _unmute(asking: Asking, _: Arguments) -> Result:
    return _muted(asking, on=False)


def _muted(asking: Asking, *, on: bool) -> Result:
    row = asking.place
    assert row.seat is not None
    preferences.mute(asking.service, asking.work, asking.table, row.seat, on)
    return Muted() if on else Unmuted()


WORDS = (
    Word(
        name="message",
        spellings=("message", "msg", "say", "dire"),
        arguments=takes.anything,
        act=_message,
        takes_all=True,
    ),
    Word(
        name="rematch",
        spellings=("rematch", "revanche"),
        arguments=takes.nothing,
        act=_rematch,
    ),
    Word(
        name="mute",
        spellings=("mute", "muet", "stop", "unsubscribe", "desabonner", "desinscription"),
        arguments=takes.nothing,
        act=_mute,
        asks_nothing=True,
        stays_away=True,
    ),
    Word(
        name="unmute",
        spellings=("unmute", "parle", "parler"),
        arguments=takes.nothing,
        act=_unmute,
    ),
)
