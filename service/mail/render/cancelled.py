"""The letter that calls a match off before it began, or goes on without its reader."""

from __future__ import annotations

from service.core.letter_details import CancelledDetails
from service.core.statuses import SeatStatus
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext, seat_name


def write(context: LetterContext) -> Draft:
    """To the host and to those who had accepted: who cannot come, or that the host wants it so
    (`why`: "withdrawn", "removed"), and that nothing more follows; to who is "replaced" in a match
    that goes on: by whom (`guest`).
    """
    match, details = context.match, context.letter.details_as(CancelledDetails)
    host = match.host_id == context.letter.player_id
    subject, text, html = context.write(
        game=match.game,
        hosting=host,
        why=details.why,
        guest=details.guest,
        host=next(
            seat_name(row, context.lang) for row in match.invitees if row.player_id == match.host_id
        ),
        absent=[
            seat_name(row, context.lang)
            for row in match.invitees
            if row.status == SeatStatus.DECLINED and row.held_until is None
        ],
        present=[
            seat_name(row, context.lang)
            for row in match.invitees
            if row.status == SeatStatus.ACCEPTED and row.player_id != context.letter.player_id
        ],
    )
    return Draft(
        subject=subject,
        text=text,
        html=html,
        group=f"match.{match.code}",
    )
