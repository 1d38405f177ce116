"""Words to the table and about it: a message, a line with a turn, a private note, the same again,
and having no more letters of it.
"""

from __future__ import annotations

from typing import Any

from service.core.errors import Refused
from service.core.keys import seat_scope
from service.core.plain import bare, plain
from service.core.results import (
    LineUnsaid,
    MessageSaid,
    Muted,
    NoteErased,
    NoteTold,
    Rematched,
    Result,
    Unmuted,
)
from service.core.statuses import MatchStatus
from service.mail.commands import arguments as takes
from service.mail.commands.command import Command, CommandContext
from service.mail.commands.courtesy import without_politeness
from service.mail.commands.invitees import answered
from service.matches import messages, private_notes, rematch
from service.outgoing import news
from service.players import preferences


def _message(context: CommandContext, said: takes.Text) -> Result:
    row = context.place
    assert row.seat is not None
    message = messages.say(
        context.service,
        context.work,
        context.table,
        row.seat,
        said.text,
        dedupe=f"message.{context.dedupe}",
    )
    readers = [other for other in news.in_play(context.table) if other is not row]
    return MessageSaid(text=message.text, readers=len(readers))


_ERASING = frozenset({"off", "non", "clear", "delete", "erase", "effacer", "supprimer"})


def _note(context: CommandContext, said: takes.Text) -> Result:
    """Add to the private note, erase it, or only show it."""
    seat, text = context.place.seat, said.text
    assert seat is not None
    at = context.service, context.work, context.table, seat
    if plain(bare(without_politeness(text))) in _ERASING:
        before = context.place.note or ""
        private_notes.erase(*at)
        return NoteErased(text=before)
    if not text:
        return NoteTold(text=context.place.note or "")
    return NoteTold(text=private_notes.add(*at, text), added=True)


def _unsaid(_: CommandContext, said: takes.Text) -> Result | None:
    """A line that is said with a turn: who finds that says it with it, otherwise it is unsaid."""
    return LineUnsaid(text=said.text) if said.text else None


def _rematch(context: CommandContext, _: takes.Nothing) -> Result:
    row = context.place
    if context.table.status != MatchStatus.ENDED:
        raise Refused("not_over")
    keys = context.service.keys
    token = keys.token("rematch", *seat_scope(row))
    opened = rematch.rematch(context.service, context.work, token, context.part)
    mine = opened.row_of(context.player.id)
    return Rematched(
        match=opened.id,
        host=opened.host_id == context.player.id,
        answer=mine.status if mine is not None else None,
        added=context.part.hex() if mine is not None and mine.part == context.part else None,
    )


def _mute(context: CommandContext, _: takes.Nothing) -> Result:
    """No more letters of this match; to a guest it means no more invitations."""
    return answered(context, "never") if context.invited else _muted(context, on=True)


def _unmute(context: CommandContext, _: takes.Nothing) -> Result:
    return _muted(context, on=False)


def _muted(context: CommandContext, *, on: bool) -> Result:
    row = context.place
    assert row.seat is not None
    preferences.mute(context.service, context.work, context.table, row.seat, on)
    return Muted() if on else Unmuted()


WORDS: tuple[Command[Any], ...] = (
    Command(
        "message", "message msg say dire", arguments=takes.anything, act=_message, takes_all=True
    ),
    Command("ps", "ps p.s p.-s", arguments=takes.anything, act=_unsaid, takes_paragraph=True),
    Command(
        "note",
        "note notes noter",
        arguments=takes.anything,
        act=_note,
        takes_paragraph=True,
        stays_away=True,
    ),
    Command("rematch", "rematch revanche", act=_rematch),
    Command(
        "mute",
        "mute muet stop unsubscribe desabonner desinscription",
        act=_mute,
        asks_nothing=True,
        stays_away=True,
    ),
    Command("unmute", "unmute parle parler", act=_unmute),
)
