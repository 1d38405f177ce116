"""The invitation to a table: the only letter to an address that has not said yes."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import Letter, Match, SeatRow
from service.core.statuses import SeatStatus
from service.mail.render.boards import sample_board
from service.mail.render.defused import defused
from service.mail.render.draft import Draft
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext, seat_name
from service.mail.render.table import thread_of
from service.matches.options import chosen_options


def write(context: LetterContext) -> Draft:
    """Write the letter: who invites, to what, with whom, at which pace, and the page where all
    answers are given.
    """
    match = context.match
    guest = guest_of(context.session, context.letter)
    hosting = next(row for row in match.invitees if row.player_id == match.host_id)
    host = seat_name(hosting, context.lang)
    page = context.links.invitation(match, context.letter.player_id)
    never = f"{page}?answer=never"
    card = sample_board(context, match.game)
    replaces = _replaced(match, guest, context.lang)
    company = _company(match, guest)
    subject, text, html = context.write(
        game=match.game,
        host=host,
        company=[
            {"name": seat_name(row, context.lang), "bot": row.bot is not None}
            for row in company
            if row.player_id != match.host_id
        ],
        others=[seat_name(row, context.lang) for row in company],
        players=1 + len(company),
        people=1 + sum(row.bot is None for row in company),
        replaces=replaces,
        greeting=defused(match.greeting) if match.greeting and replaces is None else None,
        card=card,
        turn=None,
        began=match.created_at,
        learn=learn_page(context, match.game),
        options=chosen_options(match),
        reminds=context.letter.notes.again is not None,
        pace=match,
        page=page,
        accept=f"{page}?answer=accept",
        decline=f"{page}?answer=decline",
        never=never,
        check=context.links.check(match),
    )
    return Draft(
        subject=subject,
        text=text,
        html=html,
        pictures=(card.picture,),
        thread=thread_of(match, context.letter),
        group=f"match.{match.code}",
        reply_to=context.reply_to,
        published=_published(match, guest, hosting),
    )


def _published(match: Match, guest: SeatRow, hosting: SeatRow) -> tuple[tuple[str, str], ...]:
    """What the guest can check later: what all chance comes from but their own part. In a match
    that is running, all has been drawn.
    """
    if guest.successor_of is not None:
        return ()
    part = hosting.part.hex() if hosting.part is not None else None
    values = (("Commitment", match.commitment), ("Part-0", part))
    return tuple((name, value) for name, value in values if value)


def _replaced(match: Match, guest: SeatRow, lang: str) -> str | None:
    """Whose place in a running match the guest is asked to take."""
    return None if guest.successor_of is None else seat_name(match.seats[guest.successor_of], lang)


def _company(match: Match, guest: SeatRow) -> list[SeatRow]:
    """Who else is asked, or sits at the table the guest is asked to join."""
    if guest.successor_of is None:
        return [
            row
            for row in match.invitees
            if row.id != guest.id and row.seat is not None and row.status != SeatStatus.EMPTY
        ]
    return [row for row in match.seats if row.seat != guest.successor_of]


def guest_of(session: Session, letter: Letter) -> SeatRow:
    """The reader's place at the table they are asked to. Raises LookupError if there is none."""
    row = session.scalar(
        select(SeatRow).where(
            SeatRow.match_id == letter.match_id, SeatRow.player_id == letter.player_id
        )
    )
    if row is None:
        raise LookupError(f"letter {letter.dedupe}: its reader is not asked to the match")
    return row
