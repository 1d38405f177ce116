"""The letter that tells a host that a guest does not come, before the game begins."""

from __future__ import annotations

from engine.games import games
from service.core.letter_details import DeclinedDetails
from service.core.names import clean_name
from service.core.statuses import SeatStatus
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext, seat_name


def write(context: LetterContext) -> Draft:
    """Write the letter: who does not come, who does, how long the table waits for the empty seats,
    what becomes of it then, and the page on which they are filled.
    """
    match, details = context.match, context.letter.details_as(DeclinedDetails)
    coming = [row for row in match.seats if row.status == SeatStatus.ACCEPTED]
    enough = len(coming) >= games()[match.game].seats.start
    people = [row for row in coming if row.player_id is not None]
    subject, text, html = context.write(
        game=match.game,
        guest=clean_name(details.guest, "?"),
        coming=[
            {"name": seat_name(row, context.lang), "bot": row.bot is not None}
            for row in coming
            if row.player_id != match.host_id
        ],
        unanswered=[
            seat_name(row, context.lang) for row in match.seats if row.status == SeatStatus.INVITED
        ],
        empty=len(match.empty_seats),
        until=match.fill_until,
        enough=enough and len(people) > 1,
        page=context.links.host(match, context.letter.seat or 0),
    )
    return Draft(subject=subject, text=text, html=html, group=f"match.{match.code}")
