"""The letter to an address that a seat was asked for by a join link: does its owner want it?"""

from __future__ import annotations

from service.core.letter_details import JoinDetails
from service.mail.render.boards import sample_board
from service.mail.render.defused import defused
from service.mail.render.draft import Draft
from service.mail.render.invitation import guest_of
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext, seat_name
from service.matches.options import chosen_options


def write(context: LetterContext) -> Draft:
    """Write the letter: whose table, until when a seat is kept, and the page whose button takes it.
    What is answered to it is an answer to an invitation. Who else sits there is told to who does.
    """
    match, details = context.match, context.letter.details_as(JoinDetails)
    guest = guest_of(context.session, context.letter)
    page = context.links.invitation(match, context.letter.player_id)
    card = sample_board(context, match.game)
    subject, text, html = context.write(
        game=match.game,
        host=next(
            seat_name(row, context.lang) for row in match.invitees if row.player_id == match.host_id
        ),
        me=seat_name(guest, context.lang),
        others=[
            {"name": seat_name(row, context.lang), "bot": True}
            for row in match.seats
            if row.bot is not None
        ],
        greeting=defused(match.greeting) if match.greeting else None,
        learn=learn_page(context, match.game),
        options=chosen_options(match),
        pace=match,
        card=card,
        players=len(match.seats),
        people=sum(row.bot is None for row in match.seats),
        until=details.until,
        take=f"{page}?answer=accept",
        never=f"{page}?answer=never",
    )
    return Draft(
        subject=subject,
        text=text,
        html=html,
        pictures=(card.picture,),
        group=f"match.{match.code}",
        reply_to=context.reply_to,
    )
