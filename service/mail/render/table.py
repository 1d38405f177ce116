"""The common parts of letters about a match: who plays, where everybody reads on, the thread."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.journal import Position
from engine.protocol import Seat
from service.core.models import Letter, Match, SeatRow
from service.core.statuses import LetterKind
from service.mail.render.draft import Draft, Picture
from service.mail.render.letter_context import LetterContext, seat_names
from service.matches.fairness import fairness_of
from service.matches.journal import game_of, position
from service.matches.reading import MatchView, match_view_of


def is_absent(guest: SeatRow) -> bool:
    """True if somebody was asked to this table by name before it began, and is not at it."""
    return guest.seat is None and guest.successor_of is None and not guest.has_asked_by_link


def thread_of(match: Match, letter: Letter) -> str:
    """The conversation of a player about a match, from the invitation on: seats move up when
    somebody declines. Of a table of before it had a name it is the seat's, as it has begun.
    """
    if match.name is None:
        return f"match.{match.code}.{letter.seat}"
    return f"match.{match.code}.{letter.player_id}"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A match as of the letter's entry, as the reader's seat sees it."""

    context: LetterContext
    match: Match
    seat: Seat
    names: list[str]
    position: Position[Any]
    match_view: MatchView

    @classmethod
    def at(cls, context: LetterContext) -> Table:
        """The table of this letter. Raises ValueError for a letter of no match, seat or entry."""
        if context.letter.entry is None:
            raise ValueError(f"letter {context.letter.dedupe} is of no entry")
        match, seat = context.match, context.seat
        if match.seats[seat].player_id != context.letter.player_id:
            # Its links would be those of who sits there now.
            raise ValueError(f"letter {context.letter.dedupe}: its reader has given up the seat")
        reached = position(context.session, match, context.letter.entry)
        return cls(
            context=context,
            match=match,
            seat=seat,
            names=seat_names(match, context.lang),
            position=reached,
            match_view=match_view_of(context.session, match, seat, reached),
        )

    @property
    def first(self) -> bool:
        """True if this is the first letter of the match to its reader: everybody gets one of entry
        0, and who takes a seat over a start letter of their own.
        """
        return self.context.letter.entry == 0 or self.context.letter.kind == LetterKind.START

    @property
    def own_turn(self) -> str | None:
        """The page of the turn the reader is asked for at the letter's entry; None if for none."""
        decisions = game_of(self.match).decisions(self.position.state)
        asked = next((d for d in decisions if d.blocks and d.seat == self.seat), None)
        return None if asked is None else self.context.links.turn(self.match, self.seat, asked.id)

    @property
    def _published(self) -> tuple[tuple[str, str], ...]:
        """What the first letter proves later, and the last one tells."""
        match, kind = self.match, self.context.letter.kind
        if kind != LetterKind.END and not self.first:
            return ()
        made_of = fairness_of(match)
        parts = made_of.parts if made_of is not None else ()
        values = [
            ("Commitment", match.commitment),
            *((f"Part-{part.seat}", part.part) for part in parts),
            ("Seed-Hash", match.seed_hash),
        ]
        if kind == LetterKind.END:
            values += [("Secret", made_of.secret if made_of else None), ("Seed", match.seed.hex())]
        return tuple((name, value) for name, value in values if value)

    def draft(self, pictures_: tuple[Picture, ...], **values: Any) -> Draft:
        """The letter in the thread of this seat's match, with what all of them say."""
        match, seat, links = self.match, self.seat, self.context.links
        letter, thread = self.context.letter, thread_of(match, self.context.letter)
        by_turn = letter.player.thread_by == "turn"
        if by_turn:
            thread += f".{letter.decision or f'after {self.match_view.turn}'}"
        subject, text, html = self.context.write(
            game=match.game,
            names=self.names,
            bots=[row.bot is not None for row in match.seats],
            me=seat,
            others=[name for at, name in enumerate(self.names) if at != seat],
            view=self.match_view.view,
            out=self.match_view.out,
            absent=[guest.name for guest in match.invitees if is_absent(guest)],
            began=match.started_at,
            turn=self.match_view.turn + 1 if by_turn else None,
            pace=match,
            first=self.first,
            note=(match.seats[seat].note or "").splitlines(),
            page=links.seat(match, seat),
            watch=links.watch(match),
            check=links.check(match),
            **values,
        )
        return Draft(
            subject=subject,
            text=text,
            html=html,
            pictures=pictures_,
            thread=thread,
            group=f"match.{match.code}",
            reply_to=self.context.reply_to,
            published=self._published,
        )
