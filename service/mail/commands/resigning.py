"""Giving a match up by mail: asked first, and done by a second mail that answers the question.

Each question has an address of its own, for a while. A "yes" to any other address is no answer.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec

from service.access import reply_keys
from service.core.errors import Refused
from service.core.models import Key
from service.core.plain import tokens
from service.core.results import ResignAsked, Resigned, ResignKept, Result, WordRefused
from service.mail.commands.command import CommandContext
from service.matches import leaving

if TYPE_CHECKING:
    from service.mail.commands.reading import Script

ANSWERED_WITHIN = dt.timedelta(days=3)
ANSWERS = frozenset({"yes", "no", "resign"})
"""Words that are about the question where they stand in an answer to it."""
_YES = frozenset({"yes", "oui"})


def ask(context: CommandContext) -> ResignAsked:
    """Have the writer asked. Raises Refused as `CommandContext.playing` does, and "out_of_game"."""
    row = context.playing
    if row.is_out:
        raise Refused("out_of_game")
    # The mail that asks for it names the question: handled again it is the same.
    question = context.dedupe[:26]
    until = context.service.now() + ANSWERED_WITHIN
    keys = context.service.keys
    keys.issue_all(context.work.session, [reply_keys.of_question(keys, row, question, until)])
    return ResignAsked(question=question, until=until)


def answered(
    context: CommandContext, script: Script, key: Key, arrived: dt.datetime
) -> Result | None:
    """Do what a mail to a question's address says to it; None if it is no answer.

    Only "yes" and nothing else gives the match up: whoever writes more is asked once more. A "no"
    closes the question.
    """
    said = [spoken.word.name for spoken in script.words if spoken.word.name in ANSWERS]
    if not said:
        return None
    if said == ["no"]:
        key.used_at = context.service.now()
        return ResignKept(word="resign")
    alone = len(script.words) == 1 and not script.paragraphs
    sure = alone and said == ["yes"] and bool(_YES & set(tokens(script.words[0].line)))
    late = key.expires_at is not None and arrived > key.expires_at
    try:
        if not sure or late or key.used_at is not None:
            return msgspec.structs.replace(ask(context), word="resign")
        leaving.resign(context.service, context.work, context.table, context.seat)
    except Refused as error:
        return WordRefused(error=error.code, context=error.context, word="resign")
    key.used_at = context.service.now()
    return Resigned(word="resign")
