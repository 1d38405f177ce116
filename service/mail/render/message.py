"""The letter with what others have said to the table."""

from __future__ import annotations

import msgspec
from sqlalchemy import select

from service.core.letter_details import MessageDetails
from service.core.models import TableMessage
from service.core.names import clean_name
from service.mail.render.defused import defused
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import reading


def write(context: LetterContext) -> Draft:
    """Their words, in the order they were said, and how to say something oneself."""
    table = Table.at(context)
    said = context.session.scalars(
        select(TableMessage)
        .where(
            TableMessage.id.in_(context.letter.details_as(MessageDetails).messages),
            TableMessage.match_id == table.match.id,
        )
        .order_by(TableMessage.id)
    ).all()
    messages = [
        {
            "seat": message.seat,
            "name": defused(clean_name(message.name, "?")),
            "lines": [defused(line) for line in message.text.split("\n")],
            "at": message.said_at,
        }
        for message in said
    ]
    speakers = list(dict.fromkeys(m["name"] for m in messages))
    draft = table.draft(
        (),
        messages=messages,
        speakers=speakers,
        awaited=reading.awaited(context.session, table.match, table.match_view),
        form=table.own_turn,
    )
    names = {message.name for message in said}
    return msgspec.structs.replace(draft, speaker=names.pop() if len(names) == 1 else None)
